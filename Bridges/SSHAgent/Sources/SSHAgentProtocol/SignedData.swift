// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// What a client wants to be signed, by the framing of the data.
public enum SignedData: Hashable, Sendable {
    /// The authentication of a user to a host.
    case authentication(UserAuthentication)
    /// A signature of a file or a message (PROTOCOL.sshsig of OpenSSH), such as `git commit -S`.
    case message(namespace: String)
    case other

    /// Recognizes data.
    ///
    /// - Parameter key: the key with which the client wants to sign.
    public init(_ data: [UInt8], by key: SSHPublicKey) {
        if let authentication = try? UserAuthentication(data, by: key) {
            self = .authentication(authentication)
        } else if let namespace = try? Self.namespace(data) {
            self = .message(namespace: namespace)
        } else {
            self = .other
        }
    }

    /// Reads the namespace of a signature of a message.
    private static func namespace(_ data: [UInt8]) throws(MessageError) -> String {
        var reader = MessageReader(data)
        guard try reader.take(Array("SSHSIG".utf8)) else { throw .malformed }
        let namespace = try reader.text(atMost: MessageLimits.name)
        // Reserved.
        _ = try reader.string()
        let digestBytes =
            switch try reader.name() {
            case "sha256": 32
            case "sha512": 64
            default: throw MessageError.malformed
            }
        let digest = try reader.string()
        try reader.finish()
        guard !namespace.isEmpty, digest.count == digestBytes else { throw .malformed }
        return namespace
    }
}

/// A request for the authentication of a user by a public key (RFC 4252, 7; `publickey-hostbound-v00@openssh.com` of
/// PROTOCOL in OpenSSH).
public struct UserAuthentication: Hashable, Sendable {
    public let user: String
    public let sessionID: [UInt8]
    /// The key of the host, if the request names it.
    public let hostKey: [UInt8]?

    /// Reads a request.
    ///
    /// - Throws: the errors of the fields, and `.malformed` for data that is not exactly such a request with this key.
    init(_ data: [UInt8], by key: SSHPublicKey) throws(MessageError) {
        var reader = MessageReader(data)
        sessionID = try reader.string(atMost: MessageLimits.sessionID)
        // SSH_MSG_USERAUTH_REQUEST
        guard try reader.u8() == 50 else { throw .malformed }
        user = try reader.text(atMost: MessageLimits.text)
        guard try reader.name() == "ssh-connection" else { throw .malformed }
        let method = try reader.name()
        guard try reader.boolean() else { throw .malformed }
        let algorithm = try reader.name()
        guard key.type.admits(algorithm: algorithm, inCertificate: key.certificate != nil),
            try reader.string() == key.blob
        else { throw .malformed }
        switch method {
        case "publickey": hostKey = nil
        case "publickey-hostbound-v00@openssh.com": hostKey = try reader.string()
        default: throw .malformed
        }
        try reader.finish()
    }

    /// Verifies that a request belongs to the last session of a connection.
    ///
    /// - Throws: `.invalid` if it does not, and if a forwarded connection does not name the host key.
    public func verify(_ sessions: ConnectionSessions) throws(MessageError) {
        guard let last = sessions.bindings.last, sessionID == last.sessionID else {
            throw .invalid("the request for authentication belongs to another session than the connection")
        }
        guard let hostKey else {
            // Only the first hop is certain without it.
            guard sessions.bindings.count == 1 else {
                throw .invalid("the request for authentication through a forwarded connection names no host key")
            }
            return
        }
        guard hostKey == last.hostKey.blob else {
            throw .invalid("the request for authentication names another host key than the connection")
        }
    }
}
