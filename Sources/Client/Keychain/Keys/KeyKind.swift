// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel

/// The type and the size of a key.
public enum KeyKind: Hashable, Sendable {
    /// Signatures with ECDSA, agreements with ECDH, encryption with ECIES.
    case p256
    case p384
    case p521
    /// Signatures on Curve25519 (RFC 8032).
    case ed25519
    /// Agreements on Curve25519 (RFC 7748).
    case x25519
    /// Signatures and encryption; 1024 to 8192 bits in steps of 128. Generating a key takes from a fraction of a second
    /// to minutes.
    case rsa(bits: Int)

    var type: KeyType {
        switch self {
        case .p256, .p384, .p521: .ellipticCurve
        case .ed25519: .ed25519
        case .x25519: .x25519
        case .rsa: .rsa
        }
    }

    /// `kSecAttrKeySizeInBits`
    var sizeInBits: Int {
        switch self {
        case .p256, .ed25519, .x25519: 256
        case .p384: 384
        case .p521: 521
        case .rsa(let bits): bits
        }
    }

    init(_ key: PublicKey) {
        switch (key.type, key.sizeInBits) {
        case (.rsa, let bits): self = .rsa(bits: bits)
        case (.ed25519, _): self = .ed25519
        case (.x25519, _): self = .x25519
        case (.ellipticCurve, 384): self = .p384
        case (.ellipticCurve, 521): self = .p521
        case (.ellipticCurve, _): self = .p256
        }
    }
}
