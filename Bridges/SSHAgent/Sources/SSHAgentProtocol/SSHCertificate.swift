// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// The statement of an authority about a key (PROTOCOL.certkeys of OpenSSH). Its signature is verified.
public struct SSHCertificate: Hashable, Sendable {
    public enum Kind: UInt32, Sendable {
        case user = 1
        case host = 2
    }

    public let kind: Kind
    public let serial: UInt64
    /// The users or hosts; empty if the certificate is valid for all.
    public let principals: [String]
    /// Seconds since 1970 at which the certificate begins to be valid, and at which it no longer is.
    public let validAfter: UInt64
    public let validBefore: UInt64
    /// The public key of the authority.
    public let authority: [UInt8]
    let hasCriticalOptions: Bool

    /// The bounds of a certificate.
    private static let principals = 256
    private static let name = 1 << 12

    /// Reads the fields after those of the key.
    ///
    /// - Parameter blob: all bytes of the certificate, from which the reader reads.
    init(_ reader: inout MessageReader, _ blob: [UInt8]) throws(MessageError) {
        serial = try reader.u64()
        guard let kind = Kind(rawValue: try reader.u32()) else {
            throw .invalid("the certificate is neither for a user nor for a host")
        }
        self.kind = kind
        // The identifier of the certificate, for logs of servers.
        _ = try reader.string()
        var names = try reader.fields()
        var principals: [String] = []
        while !names.isAtEnd {
            guard principals.count < Self.principals else { throw .tooLarge }
            principals.append(try names.text(atMost: Self.name))
        }
        self.principals = principals
        validAfter = try reader.u64()
        validBefore = try reader.u64()
        hasCriticalOptions = try !reader.string().isEmpty
        // Extensions, and a reserved field.
        _ = try reader.string()
        _ = try reader.string()
        authority = try reader.string()
        let signed = blob[..<reader.position]
        let signature = try reader.string()
        guard try !Self.isCertificate(authority) else {
            throw .invalid("the authority of the certificate has no key, but a certificate")
        }
        try SSHPublicKey(blob: authority).verify(signature, of: signed)
    }

    /// Whether the certificate states that its key is that of a host.
    ///
    /// - Parameters:
    ///   - host: a name, which a principal of the certificate must match.
    ///   - time: seconds since 1970.
    func certifies(host: String, at time: UInt64) -> Bool {
        // A host certificate has no critical options that this agent or OpenSSH knows.
        guard kind == .host, !hasCriticalOptions, validAfter <= time, time < validBefore else { return false }
        return principals.isEmpty || principals.contains { Pattern.matches(host, $0) }
    }

    private static func isCertificate(_ blob: [UInt8]) throws(MessageError) -> Bool {
        var reader = MessageReader(blob)
        return SSHKeyType.find(try reader.name())?.isCertificate ?? false
    }
}
