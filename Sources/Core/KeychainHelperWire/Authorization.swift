// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A request to the helper that asks polkit for authorization (Documentation/Protocols/helper.md, "Authorizations").
public enum AuthorizationRequest: Hashable, Sendable {
    /// Returns whether polkit is on this machine and responds.
    case presence
    /// Requests authorization of an operation by the user of a process. polkit prompts the user.
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

    /// Reads a request.
    ///
    /// - Parameter frame: a complete frame.
    /// - Throws: the errors of ``HelperFrameHeader/init(_:)``; `.malformed` for values that are out of bounds,
    ///   `.tooLarge`, `.truncated`, `.trailingBytes`, and `.unexpected` for a frame of another kind.
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

/// The process that requests an authorization, its user, and the operation.
public struct AuthorizationQuestion: Hashable, Sendable {
    /// The process that requests the operation.
    public let process: UInt32
    /// The start time of that process, in ticks since boot: together with its ID it identifies the process permanently.
    public let processStart: UInt64
    /// The user of that process, who authorizes the operation.
    public let user: UInt32
    /// The time for an answer: a value of ``AuthorizationLimits/seconds``.
    public let seconds: UInt16
    /// The text that polkit shows after "Authentication is required to ", in English: 1 to
    /// ``AuthorizationLimits/operationBytes`` printable characters of ASCII.
    public let operation: String

    /// Creates a question; nil for a value that is out of bounds.
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

/// The limits of the messages about authorizations.
public enum AuthorizationLimits {
    /// The time for an answer.
    public static let seconds: ClosedRange<UInt16> = 1...120
    /// The text for the operation.
    public static let operationBytes = 256
}

/// The reply to ``AuthorizationRequest/presence``.
public typealias AuthorityPresenceReply = HelperReply<AuthorityPresence>

public enum AuthorityPresence: UInt8, HelperResult {
    /// polkit runs and responds.
    case present = 1
    /// There is no system bus, or polkit neither runs on the bus nor can be started by it.
    case absent = 2
    /// polkit is installed but does not respond, or the bus denies the program access.
    case unanswered = 3

    public static var frameKind: HelperFrameKind { .authorityPresenceReply }
}

/// The reply to ``AuthorizationRequest/authorization(_:)``.
public typealias AuthorizationReply = HelperReply<AuthorizationResult>

public enum AuthorizationResult: UInt8, HelperResult {
    /// The user authorized the operation, or an administrator's rule allows it.
    case authorized = 1
    /// polkit denied it: the user entered a wrong password too often, or a rule forbids it.
    case denied = 2
    /// The user dismissed polkit's prompt.
    case dismissed = 3
    /// No authentication agent can prompt the user.
    case noAgent = 4
    /// The user, or polkit, did not answer in time.
    case timedOut = 5
    /// polkit is missing, does not know the action, or violates its protocol.
    case unavailable = 6

    public static var frameKind: HelperFrameKind { .authorizationReply }
}
