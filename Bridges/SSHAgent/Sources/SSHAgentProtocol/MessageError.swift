// SPDX-License-Identifier: Apache-2.0

public import KeychainBytes

/// The reason why the agent cannot read or accept a message of a client. The texts contain nothing of the message.
public enum MessageError: ByteFormatError, Hashable, Sendable, CustomStringConvertible {
    case truncated, trailingBytes, tooLarge, malformed
    /// A value that is read without error, but that the agent does not accept.
    case invalid(String)

    public var description: String {
        switch self {
        case .truncated: "the message ends before its last field"
        case .trailingBytes: "bytes follow the last field of the message"
        case .tooLarge: "a field of the message is too large"
        case .malformed: "a field of the message has a value that the protocol does not define"
        case .invalid(let reason): reason
        }
    }
}

/// The bounds of messages.
public enum MessageLimits {
    /// The bytes of a message after its length. OpenSSH has the same limit.
    public static let message = 256 << 10
    /// The bytes of a name of the protocol, such as that of an extension.
    static let name = 255
    /// The bytes of a user name, a host name, a comment, a provider or a passphrase.
    static let text = 4096
    /// The destination constraints of a key, and the host keys of a hop. OpenSSH has the same limits.
    static let destinations = 1024
    static let hostKeys = 1024
    /// The certificates that a client attaches to the keys of a token.
    static let attachedCertificates = 1024
    /// The bytes of a session identifier, and the sessions of a connection. OpenSSH has the same limits.
    static let sessionID = 128
    static let sessions = 16
    /// The bytes of a host key of a session, with its certificate. The agent keeps them with the connection. With
    /// RSA keys of 8192 bits for the host and its authority, 4 KiB remain for names.
    static let hostKey = 8 << 10
}
