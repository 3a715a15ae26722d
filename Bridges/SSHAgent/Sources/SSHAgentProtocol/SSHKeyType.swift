// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys

/// A type of key that the agent supports.
public enum SSHKeyType: Hashable, Sendable, CaseIterable {
    /// Ed25519 (RFC 8709).
    case ed25519
    /// ECDSA (RFC 5656).
    case ecdsaP256, ecdsaP384, ecdsaP521
    /// RSA (RFC 4253, 6.6).
    case rsa
    /// Keys of a security key (PROTOCOL.u2f of OpenSSH).
    case securityKeyEd25519, securityKeyECDSA

    /// The name in a public key.
    public var name: String {
        switch self {
        case .ed25519: "ssh-ed25519"
        case .ecdsaP256: "ecdsa-sha2-nistp256"
        case .ecdsaP384: "ecdsa-sha2-nistp384"
        case .ecdsaP521: "ecdsa-sha2-nistp521"
        case .rsa: "ssh-rsa"
        case .securityKeyEd25519: "sk-ssh-ed25519@openssh.com"
        case .securityKeyECDSA: "sk-ecdsa-sha2-nistp256@openssh.com"
        }
    }

    /// The name in a certificate (PROTOCOL.certkeys of OpenSSH).
    public var certificateName: String { Self.certificateName(of: name) }

    public var isSecurityKey: Bool { self == .securityKeyEd25519 || self == .securityKeyECDSA }

    /// Finds the type of a name in a key or a certificate; nil for others.
    static func find(_ name: String) -> (type: SSHKeyType, isCertificate: Bool)? {
        for type in allCases {
            if name == type.name { return (type, false) }
            if name == type.certificateName { return (type, true) }
        }
        return nil
    }

    /// Whether a request for authentication may name the algorithm for a key of this type.
    func admits(algorithm: String, inCertificate isCertificate: Bool) -> Bool {
        let names = self == .rsa ? [name, "rsa-sha2-256", "rsa-sha2-512"] : [name]
        return names.contains { algorithm == (isCertificate ? Self.certificateName(of: $0) : $0) }
    }

    /// The curve of an ECDSA key.
    var curve: (curve: EllipticCurve, name: String)? {
        switch self {
        case .ecdsaP256, .securityKeyECDSA: (.p256, "nistp256")
        case .ecdsaP384: (.p384, "nistp384")
        case .ecdsaP521: (.p521, "nistp521")
        case .ed25519, .rsa, .securityKeyEd25519: nil
        }
    }

    private static func certificateName(of name: String) -> String {
        let vendor = "@openssh.com"
        let base = name.hasSuffix(vendor) ? String(name.dropLast(vendor.count)) : name
        return base + "-cert-v01" + vendor
    }
}
