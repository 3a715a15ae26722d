// SPDX-License-Identifier: Apache-2.0

/// A question to the program that asks polkit (Documentation/Protocols/helper.md, "Authorizations").
public enum AuthorizationRequest: Hashable, Sendable {
    /// Whether polkit is on this machine, and answers.
    case presence
    /// Whether the user of a process authorizes an operation. polkit asks the user.
    case authorization(AuthorizationQuestion)

    public var frame: [UInt8] {
        switch self {
        case .presence: return HelperWriter(.authorityPresenceRequest).frame()
        case .authorization(let question):
            var writer = HelperWriter(.authorizationRequest)
            writer.u32(question.process)
            writer.u64(question.processStart)
            writer.u32(question.user)
            writer.u16(question.seconds)
            writer.block(question.operation.utf8)
            return writer.frame()
        }
    }

    /// - Parameter frame: a complete frame.
    /// - Throws: as ``HelperFrameHeader/init(_:)``; `.malformed` for values that are out of bounds, `.tooLarge`, `.truncated`,
    ///   `.trailingBytes`, and `.unexpected` for a frame of another kind.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.authorityPresenceRequest, .authorizationRequest])
        if try HelperFrameHeader(frame).kind == .authorityPresenceRequest {
            self = .presence
        } else {
            let (process, start, user) = (try reader.u32(), try reader.u64(), try reader.u32())
            let seconds = try reader.u16()
            let operation = try reader.text(atMost: AuthorizationLimits.operationBytes)
            guard
                let question = AuthorizationQuestion(
                    of: process, since: start, user: user, seconds: seconds, operation: operation)
            else { throw .malformed }
            self = .authorization(question)
        }
        try reader.finish()
    }
}

/// Who is to authorize what.
public struct AuthorizationQuestion: Hashable, Sendable {
    /// The process that wants to do it.
    public let process: UInt32
    /// When that process began, in ticks since the machine did: with the number it names the process for good.
    public let processStart: UInt64
    /// The user of that process, who authorizes.
    public let user: UInt32
    /// How long the user may take: a value of ``AuthorizationLimits/seconds``.
    public let seconds: UInt16
    /// What polkit says to the user behind "Authentication is required to ", in English: 1 to
    /// ``AuthorizationLimits/operationBytes`` printable characters of ASCII.
    public let operation: String

    /// Nil for a value that is out of bounds.
    public init?(of process: UInt32, since processStart: UInt64, user: UInt32, seconds: UInt16, operation: String) {
        guard process > 0, process <= Int32.max, AuthorizationLimits.seconds.contains(seconds),
            (1...AuthorizationLimits.operationBytes).contains(operation.utf8.count),
            operation.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        self.process = process
        self.processStart = processStart
        self.user = user
        self.seconds = seconds
        self.operation = operation
    }
}

/// The bounds of the messages about authorizations.
public enum AuthorizationLimits {
    /// How long a user may take.
    public static let seconds: ClosedRange<UInt16> = 1...120
    /// The words for the operation.
    public static let operationBytes = 256
}

/// The answer to ``AuthorizationRequest/presence``.
public enum AuthorityPresence: UInt8, CaseIterable, Hashable, Sendable {
    /// polkit runs, and answers.
    case present = 1
    /// There is no system bus, or the bus knows no polkit: neither one that runs nor one that it could start.
    case absent = 2
    /// polkit should be there but gives no answer, or the bus does not let the program in.
    case unanswered = 3
}

/// What comes back to ``AuthorizationRequest/presence``.
public enum AuthorityPresenceReply: Hashable, Sendable {
    case presence(AuthorityPresence)
    /// The question was not understood.
    case refusal(HelperRefusal)

    public var frame: [UInt8] {
        switch self {
        case .refusal(let refusal): return refusal.frame
        case .presence(let presence):
            var writer = HelperWriter(.authorityPresenceReply)
            writer.u8(presence.rawValue)
            return writer.frame()
        }
    }

    /// - Parameter frame: a complete frame.
    /// - Throws: as ``HelperFrameHeader/init(_:)``; `.malformed`, `.truncated`, `.trailingBytes`, `.unexpected`.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.authorityPresenceReply, .refusal])
        if try HelperFrameHeader(frame).kind == .refusal {
            self = .refusal(try HelperRefusal(&reader))
        } else {
            self = .presence(try reader.value(AuthorityPresence.self))
        }
        try reader.finish()
    }
}

/// What comes back to ``AuthorizationRequest/authorization(_:)``.
public enum AuthorizationReply: Hashable, Sendable {
    public enum Result: UInt8, CaseIterable, Hashable, Sendable {
        /// polkit says that the user has authorized it, or that an administrator's rule allows it.
        case authorized = 1
        /// polkit says no: the user entered a wrong password too often, or a rule forbids it.
        case denied = 2
        /// The user dismissed polkit's question.
        case dismissed = 3
        /// No authentication agent can ask the user.
        case noAgent = 4
        /// The user, or polkit, did not answer in time.
        case timedOut = 5
        /// polkit is not there, does not know the action, or breaks its protocol.
        case unavailable = 6
    }

    case result(Result)
    /// The question was not understood.
    case refusal(HelperRefusal)

    public var frame: [UInt8] {
        switch self {
        case .refusal(let refusal): return refusal.frame
        case .result(let result):
            var writer = HelperWriter(.authorizationReply)
            writer.u8(result.rawValue)
            return writer.frame()
        }
    }

    /// - Parameter frame: a complete frame.
    /// - Throws: as ``HelperFrameHeader/init(_:)``; `.malformed`, `.truncated`, `.trailingBytes`, `.unexpected`.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.authorizationReply, .refusal])
        if try HelperFrameHeader(frame).kind == .refusal {
            self = .refusal(try HelperRefusal(&reader))
        } else {
            self = .result(try reader.value(Result.self))
        }
        try reader.finish()
    }
}
