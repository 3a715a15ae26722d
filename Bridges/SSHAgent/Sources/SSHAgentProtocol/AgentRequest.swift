// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A request of a client (RFC 9987), without its length.
public enum AgentRequest: Sendable {
    case listIdentities
    case sign(SigningRequest)
    case add(NewIdentity)
    /// Removes the key with this public key.
    case remove([UInt8])
    case removeAll
    case addToken(Token, KeyConstraints)
    case removeToken(Token)
    case lock(passphrase: [UInt8])
    case unlock(passphrase: [UInt8])
    /// The contents of `session-bind@openssh.com`, which are not read yet, because a failure has consequences for the
    /// connection.
    case bindSession([UInt8])
    /// Requests the names of the extensions.
    case query
    /// An extension that this agent does not have.
    case unknownExtension
    /// A request that this agent does not have.
    case unknown

    /// The extensions that a client may request.
    public static let extensions = [sessionBinding]
    private static let sessionBinding = "session-bind@openssh.com"
    private static let queryName = "query"

    /// Reads a message.
    public init(_ message: [UInt8]) throws(MessageError) {
        var reader = MessageReader(message)
        switch try reader.u8() {
        case 11: self = .listIdentities
        case 13: self = .sign(try SigningRequest(&reader))
        case 17: self = .add(try NewIdentity(message, isConstrained: false))
        case 18: self = .remove(try reader.string())
        case 19: self = .removeAll
        case 20: self = .addToken(try Token(&reader), KeyConstraints())
        case 21: self = .removeToken(try Token(&reader))
        case 22: self = .lock(passphrase: try reader.string(atMost: MessageLimits.text))
        case 23: self = .unlock(passphrase: try reader.string(atMost: MessageLimits.text))
        case 25: self = .add(try NewIdentity(message, isConstrained: true))
        case 26: self = .addToken(try Token(&reader), try KeyConstraints(&reader, of: .token))
        case 27: self = try Self.extensionRequest(&reader)
        default: self = .unknown
        }
        // These read their message themselves, or leave it unread.
        switch self {
        case .add, .bindSession, .unknownExtension, .unknown: break
        case .listIdentities, .sign, .remove, .removeAll, .addToken, .removeToken, .lock, .unlock, .query:
            try reader.finish()
        }
    }

    /// Whether a message of a client requests to unlock the agent, or to list keys: the only messages that are read
    /// while the agent is locked.
    public static func isReadWhileLocked(_ message: [UInt8]) -> Bool { message.first == 23 || message.first == 11 }

    private static func extensionRequest(_ reader: inout MessageReader) throws(MessageError) -> AgentRequest {
        switch try reader.name() {
        case sessionBinding: .bindSession(Array(reader.rest))
        case queryName: .query
        default: .unknownExtension
        }
    }
}

/// A request for a signature.
public struct SigningRequest: Hashable, Sendable {
    /// The public key, or the certificate.
    public let key: [UInt8]
    public let data: [UInt8]
    public let flags: SignatureFlags

    init(_ reader: inout MessageReader) throws(MessageError) {
        key = try reader.string()
        data = try reader.string()
        flags = SignatureFlags(rawValue: try reader.u32())
    }
}

/// A token whose keys a client adds: the library of PKCS #11, and the PIN.
public struct Token: Hashable, Sendable {
    public let provider: String
    public let pin: [UInt8]

    init(_ reader: inout MessageReader) throws(MessageError) {
        provider = try reader.text(atMost: MessageLimits.text)
        pin = try reader.string(atMost: MessageLimits.text)
    }
}
