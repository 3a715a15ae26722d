// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A reply to a client (RFC 9987).
public enum AgentReply: Hashable, Sendable {
    case failure
    case success
    case identities([ListedIdentity])
    /// The bytes of a signature, with the name of their algorithm.
    case signature([UInt8])
    case extensionFailure
    /// The names of the extensions.
    case extensions([String])

    /// The message with its length.
    public var frame: [UInt8] {
        var writer = ByteWriter()
        writer.u32(0)
        switch self {
        case .failure: writer.u8(5)
        case .success: writer.u8(6)
        case .identities(let identities):
            writer.u8(12)
            writer.u32(UInt32(identities.count))
            for identity in identities {
                writer.block(identity.key)
                writer.block(identity.comment)
            }
        case .signature(let signature):
            writer.u8(14)
            writer.block(signature)
        case .extensionFailure: writer.u8(28)
        case .extensions(let names):
            writer.u8(29)
            writer.block("query")
            for name in names { writer.block(name) }
        }
        writer.replace(at: 0, with: UInt32(writer.bytes.count - 4))
        return writer.bytes
    }
}

/// A key in a list.
public struct ListedIdentity: Hashable, Sendable {
    /// The public key, or the certificate.
    public let key: [UInt8]
    public let comment: [UInt8]

    public init(key: [UInt8], comment: [UInt8]) {
        self.key = key
        self.comment = comment
    }
}

extension AgentReply {
    /// The largest list that clients accept, with the bytes of a message.
    public static let identityLimit = 2048
}
