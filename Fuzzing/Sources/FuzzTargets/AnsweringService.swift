// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainWire
import Synchronization

/// A service that has an item for every request, and records the requests.
final class AnsweringService: KeychainTransport {
    /// A request for items: its class, and the attributes that it names.
    struct Asked: Equatable {
        let itemClass: ItemClass
        let attributes: ItemAttributes
        let persistentReference: PersistentReference?
        let isAddition: Bool
    }

    private let asked = Mutex<[Asked]>([])
    private let nonce = [UInt8](repeating: 7, count: WireLimits.nonceBytes)
    private let secret: [UInt8]
    private let refuses: Bool

    /// - Parameters:
    ///   - secret: the secret of each item.
    ///   - refuses: whether the service returns no items.
    init(secret: [UInt8], refuses: Bool) {
        self.secret = secret
        self.refuses = refuses
    }

    /// Returns the requests since the last call.
    func takeAsked() -> [Asked] {
        asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
    }

    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        let received: Request<[UInt8]>
        do throws(WireError) {
            received = try Request(try frame(request(nonce)), nonce: nonce) { Array($0) }
        } catch {
            finding("what the client wrote cannot be read: \(error)")
        }
        do throws(WireError) {
            for bytes in answer(to: received) { _ = try receive(try frame(bytes)) }
        } catch {
            throw .protocolViolation(error)
        }
    }

    private func frame(_ bytes: [UInt8]) throws(WireError) -> Frame {
        var reader = FrameReader()
        try reader.receive(bytes)
        return try reader.frame()
    }

    private func answer(to request: Request<[UInt8]>) -> [[UInt8]] {
        switch request {
        case .authenticated(_, let inner), .inKeychain(_, let inner): answer(to: inner)
        case .add(let attributes, _, _): answer(with: attributes, of: nil, isAddition: true)
        case .copyMatching(let query, _, _), .update(let query, _, _), .delete(let query):
            answer(with: query.attributes, of: query.persistentReference, isAddition: false)
        default: [ReplyWriter.refusal(Refusal(.notAvailable, .none))]
        }
    }

    private func answer(
        with attributes: ItemAttributes, of reference: PersistentReference?, isAddition: Bool
    ) -> [[UInt8]] {
        asked.withLock {
            $0.append(
                Asked(
                    itemClass: attributes.itemClass, attributes: attributes, persistentReference: reference,
                    isAddition: isAddition))
        }
        guard !refuses else { return [ReplyWriter.refusal(Refusal(.itemNotFound, .none))] }
        let item = ItemIdentifier(bytes: [UInt8](repeating: 3, count: 16))!
        var writer = ReplyWriter()
        let found = ReturnedItem(
            reference: reference ?? PersistentReference(itemClass: attributes.itemClass, item: item),
            attributes: attributes, secret: secret)
        return [writer.append(found)].compactMap { $0 } + [writer.finish()]
    }

    func watch() throws(ClientError) -> any ChangeStream { throw .unavailable("nothing to watch") }

    func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
        throw .unavailable("nothing to watch")
    }

    func followLog() throws(ClientError) -> any LogStream { throw .unavailable("nothing to follow") }

    func separate() -> any KeychainTransport { self }

    func interrupt() {}
}
