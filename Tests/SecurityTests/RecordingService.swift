// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainWire
import Security
import Synchronization

/// A service that remembers what it was asked and gives the answer it was told to.
final class RecordingService: KeychainTransport {
    enum Received: Equatable, Sendable {
        case add(ItemAttributes, data: [UInt8]?, parts: ReturnedParts)
        case copyMatching(ItemQuery, limit: MatchLimit, parts: ReturnedParts)
        case update(ItemQuery, changes: ItemAttributes, data: [UInt8]?)
        case delete(ItemQuery)
        case identity(IdentitySubject)
    }

    enum Answer: Sendable {
        case items([ReturnedItem<[UInt8]>])
        case refusal(StatusCode)
        case report(CallerReport)
    }

    private let answer: Answer
    private let log = Mutex<[Received]>([])
    private let nonce = [UInt8](repeating: 7, count: WireLimits.nonceBytes)

    init(_ answer: Answer = .items([])) {
        self.answer = answer
    }

    private let count = Atomic(0)

    /// How many requests there were, of all kinds.
    var requestCount: Int { count.load(ordering: .relaxed) }

    var received: [Received] { log.withLock { $0 } }

    @discardableResult
    func run<R>(_ body: () throws -> R) rethrows -> R {
        try KeychainClient(self).asCurrent(body)
    }

    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        count.add(1, ordering: .relaxed)
        do throws(WireError) {
            remember(try Request<[UInt8]>(try frame(request(nonce)), nonce: nonce) { Array($0) })
            for bytes in answerFrames { _ = try receive(try frame(bytes)) }
        } catch {
            throw .protocolViolation(error)
        }
    }

    func watch() throws(ClientError) -> any ChangeStream { throw .unavailable("nothing to watch") }

    func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
        throw .unavailable("nothing to watch")
    }

    func followLog() throws(ClientError) -> any LogStream { throw .unavailable("nothing to follow") }

    private func remember(_ request: Request<[UInt8]>) {
        if case .authenticated(_, let inner) = request { return remember(inner) }
        log.withLock { log in
            switch request {
            case .add(let attributes, let data, let parts):
                log.append(.add(attributes, data: data, parts: parts))
            case .copyMatching(let query, let limit, let parts):
                log.append(.copyMatching(query, limit: limit, parts: parts))
            case .update(let query, let changes, let data):
                log.append(.update(query, changes: changes, data: data))
            case .delete(let query): log.append(.delete(query))
            case .identity(let subject): log.append(.identity(subject))
            case .status, .watch, .explainSearch, .explainAddition, .administer, .backup, .restore, .grants,
                .requireEntitlements, .log, .key, .authenticated, .authentication, .keychainFile, .inKeychain,
                .watchKeychains, .agent, .behalf:
                break
            }
        }
    }

    private var answerFrames: [[UInt8]] {
        switch answer {
        case .refusal(let status): return [ReplyWriter.refusal(Refusal(status, .none))]
        case .report(let report): return [report.frame]
        case .items(let items):
            var writer = ReplyWriter()
            return items.compactMap { writer.append($0) } + [writer.finish()]
        }
    }

    private func frame(_ bytes: [UInt8]) throws(WireError) -> Frame {
        var reader = FrameReader()
        try reader.receive(bytes)
        return try reader.frame()
    }
}

extension PersistentReference {
    static let example = PersistentReference(
        itemClass: .genericPassword, item: ItemIdentifier(bytes: Array<UInt8>(0..<16))!)
}

/// The query that `SecItemCopyMatching` sends for a dictionary; nil if it sends none.
func sentQuery(_ dictionary: CFDictionary) -> ItemQuery? {
    let service = RecordingService()
    service.run { SecItemCopyMatching(dictionary, nil) }
    guard case .copyMatching(let query, _, _) = service.received.first else { return nil }
    return query
}

/// The attributes that `SecItemAdd` sends for a dictionary; nil if it sends none.
func sentAttributes(_ dictionary: CFDictionary) -> ItemAttributes? {
    let service = RecordingService()
    service.run { SecItemAdd(dictionary, nil) }
    guard case .add(let attributes, _, _) = service.received.first else { return nil }
    return attributes
}

/// The value that `SecItemAdd` sends for an attribute; nil if the dictionary is refused.
func sentValue(_ key: CFString, _ value: Any) -> AttributeValue? {
    sentAttributes([kSecClass: kSecClassGenericPassword, key: value] as CFDictionary)?[
        AttributeKey(name: key as String)!]
}
