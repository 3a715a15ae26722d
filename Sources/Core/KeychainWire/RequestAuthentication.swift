// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

/// The data for a request that may require owner authentication: the prompt's texts, and earlier proofs
/// (Documentation/Protocols/client.md, "Authentication").
public struct RequestAuthentication<Secret> {
    /// Apple's `kSecUseAuthenticationUI`.
    public enum Interaction: UInt8, CaseIterable, Hashable, Sendable {
        case allow = 0
        /// A request that requires a prompt is refused.
        case fail = 1
        /// Items that require a prompt are omitted; only for searches.
        case skip = 2
    }

    public var interaction = Interaction.allow
    /// The program's reason, shown in the prompt.
    public var reason: String?
    /// Titles in place of the default ones; an empty fallback title hides the fallback.
    public var cancelTitle: String?
    public var fallbackTitle: String?
    /// The largest age of an unlock by biometry that counts for this request.
    public var reuseMilliseconds: UInt32 = 0
    /// Proofs that the service gave to this process earlier. Proofs of another process or service are ignored.
    public var proofs: [[UInt8]] = []
    /// The password of items that have their own.
    public var applicationPassword: Secret?
    /// Whether the reply includes a proof for later requests. Without it, an authentication counts for one item.
    public var keepsProof = false

    public init() {}

    init(_ reader: inout WireReader, secret: (ArraySlice<UInt8>) -> Secret) throws(WireError) {
        func title(_ reader: inout WireReader) throws(WireError) -> String {
            try reader.text(atMost: WireLimits.promptTitleBytes)
        }
        interaction = try reader.value(Interaction.self)
        reason = try reader.optional { reader throws(WireError) in try reader.text(atMost: WireLimits.reasonBytes) }
        cancelTitle = try reader.optional(title)
        fallbackTitle = try reader.optional(title)
        reuseMilliseconds = try reader.u32()
        let count = Int(try reader.u8())
        guard count <= WireLimits.proofs else { throw .tooLarge }
        for _ in 0..<count { proofs.append(Array(try reader.block(atMost: WireLimits.proofBytes))) }
        if try reader.flag() {
            applicationPassword = secret(try reader.block(atMost: WireLimits.applicationPasswordBytes))
        }
        keepsProof = try reader.flag()
    }
}

extension RequestAuthentication: Sendable where Secret: Sendable {}

extension RequestAuthentication where Secret: Collection, Secret.Element == UInt8 {
    /// Whether the service accepts the request; a larger one ends the connection.
    public var isWithinLimits: Bool {
        [cancelTitle, fallbackTitle].allSatisfy { $0?.utf8.count ?? 0 <= WireLimits.promptTitleBytes }
            && reason?.utf8.count ?? 0 <= WireLimits.reasonBytes && proofs.count <= WireLimits.proofs
            && proofs.allSatisfy { $0.count <= WireLimits.proofBytes }
            && applicationPassword?.count ?? 0 <= WireLimits.applicationPasswordBytes
    }

    /// An upper bound of the size that ``write(to:)`` writes.
    var size: Int {
        let texts = [reason, cancelTitle, fallbackTitle].reduce(0) { $0 + 5 + ($1?.utf8.count ?? 0) }
        return 16 + texts + proofs.reduce(0) { $0 + 4 + $1.count } + (applicationPassword?.count ?? 0) + 5
    }

    func write(to writer: inout WireWriter) {
        writer.u8(interaction.rawValue)
        writer.optional(reason) { $0.block($1) }
        writer.optional(cancelTitle) { $0.block($1) }
        writer.optional(fallbackTitle) { $0.block($1) }
        writer.u32(reuseMilliseconds)
        writer.u8(UInt8(proofs.count))
        for proof in proofs { writer.block(proof) }
        writer.optional(applicationPassword) { $0.block($1) }
        writer.u8(keepsProof ? 1 : 0)
    }
}

/// A request of `LAContext`, or of a client that unlocks by fingerprint.
public enum AuthenticationRequest: Hashable, Sendable {
    /// Returns the available authentication methods, without a prompt.
    case state
    case evaluate(AuthenticationPolicy)
    case evaluateAccessControl(AccessControl, AccessControlOperation)
    /// Unlocks the keychain with a fingerprint, or with the passcode if the user prefers it.
    case unlock
    /// As ``unlock``; where no fingerprint can unlock the keychain, prompts for the passcode.
    case unlockByPrompt

    /// The byte after the nonce. Never changes.
    private enum Action: UInt8 {
        case state = 1
        case evaluate = 2
        case evaluateAccessControl = 3
        case unlock = 4
        case unlockByPrompt = 5
    }

    init(_ reader: inout WireReader) throws(WireError) {
        switch try reader.value(Action.self) {
        case .state: self = .state
        case .evaluate: self = .evaluate(try reader.value(AuthenticationPolicy.self))
        case .evaluateAccessControl:
            let control = try reader.accessControl()
            self = .evaluateAccessControl(control, try reader.value(AccessControlOperation.self))
        case .unlock: self = .unlock
        case .unlockByPrompt: self = .unlockByPrompt
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .state: writer.u8(Action.state.rawValue)
        case .evaluate(let policy):
            writer.u8(Action.evaluate.rawValue)
            writer.u8(policy.rawValue)
        case .evaluateAccessControl(let control, let operation):
            writer.u8(Action.evaluateAccessControl.rawValue)
            writer.accessControl(control)
            writer.u8(operation.rawValue)
        case .unlock: writer.u8(Action.unlock.rawValue)
        case .unlockByPrompt: writer.u8(Action.unlockByPrompt.rawValue)
        }
    }
}

/// The reply to an ``AuthenticationRequest``.
public struct AuthenticationAnswer: Hashable, Sendable {
    /// Also success if nothing was evaluated.
    public let outcome: AuthenticationOutcome
    /// The state when the reply was written.
    public let state: AuthenticationState
    /// A proof for later requests of this process; nil if nothing was verified.
    public let proof: [UInt8]?

    public init(_ outcome: AuthenticationOutcome, _ state: AuthenticationState, proof: [UInt8]? = nil) {
        self.outcome = outcome
        self.state = state
        self.proof = proof
    }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        outcome = try reader.value(AuthenticationOutcome.self)
        var state = AuthenticationState(hasPasscode: try reader.flag())
        state.biometry = try reader.value(AuthenticationState.Biometry.self)
        state.enrolment = try reader.optional { reader throws(WireError) in
            Array(try reader.take(WireLimits.enrolmentBytes))
        }
        state.prompter = try reader.optional { reader throws(WireError) in
            try reader.text(atMost: WireLimits.promptTitleBytes)
        }
        self.state = state
        proof = try reader.optional { reader throws(WireError) in
            Array(try reader.block(atMost: WireLimits.proofBytes))
        }
        try reader.finish()
    }

    /// The frame of this reply.
    ///
    /// - Precondition: an enrolment has ``WireLimits/enrolmentBytes``.
    public var frame: [UInt8] {
        precondition(state.enrolment?.count ?? WireLimits.enrolmentBytes == WireLimits.enrolmentBytes)
        var writer = WireWriter.answer(reserving: 512)
        writer.u8(outcome.rawValue)
        writer.u8(state.hasPasscode ? 1 : 0)
        writer.u8(state.biometry.rawValue)
        writer.optional(state.enrolment) { $0.raw($1) }
        writer.optional(state.prompter) { $0.block($1) }
        writer.optional(proof) { $0.block($1) }
        return writer.frame()
    }
}

/// A proof for the client, sent before the frames of the reply whose request earned it.
public struct ProofFrame: Hashable, Sendable {
    public let proof: [UInt8]

    public init(_ proof: [UInt8]) { self.proof = proof }

    public init(_ frame: Frame) throws(WireError) {
        guard frame.kind == .proof else { throw .unexpected(frame.kind) }
        var reader = frame.reader
        proof = Array(try reader.block(atMost: WireLimits.proofBytes))
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter(.proof, reserving: 4 + proof.count)
        writer.block(proof)
        return writer.frame()
    }
}
