// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A session of SSH to which a client binds its connection (`session-bind@openssh.com`, PROTOCOL.agent of OpenSSH). The
/// signature of the host key is verified.
public struct SessionBinding: Hashable, Sendable {
    public let hostKey: SSHPublicKey
    public let sessionID: [UInt8]
    /// Whether the session forwards the agent, instead of authenticating a user.
    public let isForwarding: Bool

    /// Reads the contents of the extension, and verifies that the host of the session made the signature.
    init(verifying contents: [UInt8]) throws(MessageError) {
        var reader = MessageReader(contents)
        let hostKey = try SSHPublicKey(blob: try reader.string(atMost: MessageLimits.hostKey))
        let sessionID = try reader.string(atMost: MessageLimits.sessionID)
        let signature = try reader.string()
        isForwarding = try reader.boolean()
        try reader.finish()
        guard !sessionID.isEmpty else { throw .invalid("the identifier of the session is empty") }
        try hostKey.verify(signature, of: sessionID)
        self.hostKey = hostKey
        self.sessionID = sessionID
    }
}

/// The sessions to which a client has bound its connection, from the machine of the agent to the last host.
public struct ConnectionSessions: Hashable, Sendable {
    public private(set) var bindings: [SessionBinding] = []
    /// Whether the client has tried to bind the connection, even if that failed.
    public private(set) var wasBindingAttempted = false

    public init() {}

    /// Whether a program on another machine may be the client: OpenSSH's ssh binds only connections that it forwards or
    /// authenticates with.
    public var isRemote: Bool { wasBindingAttempted }

    /// Whether a program on another machine uses the agent through a session.
    public var isForwarded: Bool {
        bindings.contains(where: \.isForwarding) || (wasBindingAttempted && bindings.isEmpty)
    }

    /// Binds the connection to one more session.
    ///
    /// - Parameter contents: those of the extension.
    /// - Throws: the errors of the contents; `.invalid` after a session that authenticates a user, for the session of
    ///   another host key, and for too many sessions.
    public mutating func bind(_ contents: [UInt8]) throws(MessageError) {
        wasBindingAttempted = true
        let new = try SessionBinding(verifying: contents)
        for binding in bindings {
            guard binding.isForwarding else {
                throw .invalid("the connection is bound to a session that authenticates a user")
            }
            guard binding.sessionID == new.sessionID else { continue }
            guard binding.hostKey == new.hostKey else {
                throw .invalid("the session is bound to another host key")
            }
            return
        }
        guard bindings.count < MessageLimits.sessions else { throw .invalid("the connection has too many sessions") }
        bindings.append(new)
    }
}
