// SPDX-License-Identifier: Apache-2.0

/// A family of keys, as `kSecAttrKeyType` names it.
public enum KeyType: Hashable, Sendable, CaseIterable {
    /// RSA, of 1024 to 8192 bits.
    case rsa
    /// An elliptic curve over a prime field; the key determines which.
    case ellipticCurve
    /// Signatures on Curve25519 in its Edwards form (RFC 8032).
    case ed25519
    /// Key agreement on Curve25519 (RFC 7748).
    case x25519

    /// The number in `kSecAttrKeyType`. The numbers of the keys on Curve25519, which Apple exports without declaring
    /// them, continue the numbers of the declared types.
    public var code: Int64 {
        switch self {
        case .rsa: 42
        case .ellipticCurve: 73
        case .ed25519: 2_147_483_681
        case .x25519: 2_147_483_682
        }
    }

    /// Finds the family of a number; nil for others.
    public init?(code: Int64) {
        guard let type = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = type
    }
}

/// The curves over prime fields that swift-crypto supports (NIST SP 800-186, 3.2.1).
public enum EllipticCurve: Hashable, Sendable, CaseIterable {
    case p256
    case p384
    case p521

    /// Finds the curve of a field with that many bits, if it is supported.
    public init?(sizeInBits: Int) {
        guard let curve = Self.allCases.first(where: { $0.sizeInBits == sizeInBits }) else { return nil }
        self = curve
    }

    public var sizeInBits: Int {
        switch self {
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// The number of bytes of a coordinate and of a private scalar: the size of the field, rounded up.
    public var coordinateByteCount: Int { (sizeInBits + 7) / 8 }
}
