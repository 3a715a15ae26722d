// SPDX-License-Identifier: Apache-2.0

import Dispatch
import KeychainClient
import KeychainModel
import KeychainWire
import Synchronization

/// A service whose simulated user always acts in the same way, and which records its requests.
final class ScriptedService: KeychainTransport {
    struct Received: Sendable {
        let request: AuthenticationRequest?
        let interaction: AuthenticationInteraction
        let reason: String?
        let cancelTitle: String?
        let fallbackTitle: String?
        let reuseMilliseconds: UInt32
        let proofs: [[UInt8]]
        let applicationPassword: [UInt8]?
        let keepsProof: Bool
    }

    enum Person: Sendable {
        /// With proofs of 1, 2, 3 …
        case answers(AuthenticationOutcome)
        /// Until the request is interrupted.
        case saysNothing
        case isRefused(StatusCode)
        case isNotThere
    }

    private let person: Person
    private let state: AuthenticationState
    private let log = Mutex<[Received]>([])
    private let requests = Atomic(0)
    private let interruption = DispatchSemaphore(value: 0)
    /// Signalled when a person who says nothing is being asked.
    let isAsking = DispatchSemaphore(value: 0)
    /// Signalled when a request was given up.
    let hasGivenUp = DispatchSemaphore(value: 0)
    private let proofs = Atomic<UInt8>(0)
    private let nonce = [UInt8](repeating: 7, count: WireLimits.nonceBytes)

    init(
        _ person: Person = .answers(.success),
        _ state: AuthenticationState = AuthenticationState(hasPasscode: true, prompter: "tty")
    ) {
        self.person = person
        self.state = state
    }

    var received: [Received] { log.withLock { $0 } }
    /// Those without authentication as well.
    var requestCount: Int { requests.load(ordering: .relaxed) }

    @discardableResult
    func run<R>(_ body: () throws -> R) rethrows -> R { try KeychainClient(self).asCurrent(body) }

    func run<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        try await KeychainClient(self).asCurrent(isolation: isolation, body)
    }

    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        do throws(WireError) {
            let request = try Request<[UInt8]>(try frame(request(nonce)), nonce: nonce) { Array($0) }
            requests.add(1, ordering: .relaxed)
            try answer(request, receive)
        } catch {
            throw .protocolViolation(error)
        }
        if case .isNotThere = person { throw .unavailable("no service") }
        if case .saysNothing = person { throw .unavailable("interrupted") }
    }

    private func answer(
        _ request: Request<[UInt8]>, _ receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(WireError) {
        var asked: AuthenticationRequest?
        var keepsProof = false
        switch request {
        case .authentication(.state):
            if case .isNotThere = person { return }
            _ = try receive(try frame(AuthenticationAnswer(.success, state).frame))
            return
        case .authenticated(let authentication, let inner):
            if case .authentication(let evaluation) = inner { asked = evaluation }
            keepsProof = authentication.keepsProof
            log.withLock { $0.append(Received(authentication, asked)) }
        default: break
        }
        switch person {
        case .isNotThere: return
        case .saysNothing:
            isAsking.signal()
            interruption.wait()
            hasGivenUp.signal()
        case .isRefused(let status):
            _ = try receive(try frame(ReplyWriter.refusal(Refusal(status, .none))))
        case .answers(let outcome):
            let proof = outcome == .success && keepsProof ? [proofs.add(1, ordering: .relaxed).newValue] : nil
            guard asked == nil else {
                _ = try receive(try frame(AuthenticationAnswer(outcome, state, proof: proof).frame))
                return
            }
            if let proof { _ = try receive(try frame(ProofFrame(proof).frame)) }
            if case .delete = request {
                var writer = ReplyWriter()
                _ = try receive(try frame(writer.finish()))
                return
            }
            let items = [
                ReturnedItem(
                    reference: PersistentReference(
                        itemClass: .genericPassword, item: ItemIdentifier(bytes: Array<UInt8>(0..<16))!),
                    attributes: nil, secret: Array("secret".utf8))
            ]
            var writer = ReplyWriter()
            for bytes in items.compactMap({ writer.append($0) }) + [writer.finish()] {
                _ = try receive(try frame(bytes))
            }
        }
    }

    func interrupt() { interruption.signal() }

    func watch() throws(ClientError) -> any ChangeStream { throw .unavailable("nothing to watch") }

    func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
        throw .unavailable("nothing to watch")
    }

    func followLog() throws(ClientError) -> any LogStream { throw .unavailable("nothing to follow") }

    private func frame(_ bytes: [UInt8]) throws(WireError) -> Frame {
        var reader = FrameReader()
        try reader.receive(bytes)
        return try reader.frame()
    }
}

extension ScriptedService.Received {
    init(_ fields: RequestAuthentication<[UInt8]>, _ request: AuthenticationRequest?) {
        self.init(
            request: request, interaction: AuthenticationInteraction(rawValue: fields.interaction.rawValue)!,
            reason: fields.reason, cancelTitle: fields.cancelTitle, fallbackTitle: fields.fallbackTitle,
            reuseMilliseconds: fields.reuseMilliseconds, proofs: fields.proofs,
            applicationPassword: fields.applicationPassword, keepsProof: fields.keepsProof)
    }
}
