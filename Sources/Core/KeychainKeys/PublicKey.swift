// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
public import FoundationEssentials

/// A public key.
///
/// Two keys are equal if they are the same key of the same family.
public struct PublicKey: Hashable, Sendable {
    enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case curve(any CurvePublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
        case x25519(Curve25519.KeyAgreement.PublicKey)
    }

    public let type: KeyType

    /// The key in the form in which it is exported, and the content of the bit string of its SubjectPublicKeyInfo: RSA keys
    /// RSAPublicKey in DER (PKCS #1; RFC 8017, A.1.1), keys on curves over prime fields the point 04 | X | Y
    /// (ANSI X9.63), the others their 32 bytes (RFC 8410).
    public let externalRepresentation: Data

    let material: Material

    /// Reads a key in the form of ``externalRepresentation``; the length determines the curve.
    ///
    /// Each key has one form: other encodings of the same numbers, and trailing bytes, are refused.
    /// - Throws: `invalid` if these are not the bytes of such a key (malformed, a point that is not on the curve, a
    ///   modulus or an exponent that RSA cannot have); `sizeNotAllowed` for an unsupported size.
    public init(type: KeyType, externalRepresentation bytes: some Collection<UInt8>) throws(KeyError) {
        let bytes = Data(bytes)
        switch type {
        case .rsa: self = try Self(pkcs1: bytes)
        case .ellipticCurve: self = try Self(point: bytes)
        case .ed25519:
            guard bytes.count == 32, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
                throw KeyError(.invalid, "a public key for Ed25519 must have 32 bytes")
            }
            self.init(key)
        case .x25519:
            guard bytes.count == 32, let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes) else {
                throw KeyError(.invalid, "a public key for X25519 must have 32 bytes")
            }
            self.init(key)
        }
    }

    /// Bits of the modulus or of the field; 256 for the keys on Curve25519.
    public var sizeInBits: Int {
        switch material {
        case .rsa(let key): key.keySizeInBits
        case .curve(let key): key.curve.sizeInBits
        case .ed25519, .x25519: 256
        }
    }

    /// The number of bytes of the modulus or of the field: the length of RSA's signatures and ciphertexts.
    public var blockSize: Int { (sizeInBits + 7) / 8 }

    /// The hash that links the key to its private half and to certificates.
    public var hash: PublicKeyHash { PublicKeyHash(of: externalRepresentation) }

    public static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.type == right.type && left.externalRepresentation == right.externalRepresentation
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(externalRepresentation)
    }

    init(_ key: _RSA.Signing.PublicKey) {
        self.init(type: .rsa, externalRepresentation: key.pkcs1DERRepresentation, material: .rsa(key))
    }

    init(_ key: some CurvePublicKey) {
        self.init(type: .ellipticCurve, externalRepresentation: key.x963Representation, material: .curve(key))
    }

    /// Creates a key.
    ///
    /// - Parameter point: the bytes from which the key was read.
    init(_ key: some CurvePublicKey, point: Data) {
        self.init(type: .ellipticCurve, externalRepresentation: point, material: .curve(key))
    }

    init(_ key: Curve25519.Signing.PublicKey) {
        self.init(type: .ed25519, externalRepresentation: key.rawRepresentation, material: .ed25519(key))
    }

    init(_ key: Curve25519.KeyAgreement.PublicKey) {
        self.init(type: .x25519, externalRepresentation: key.rawRepresentation, material: .x25519(key))
    }

    private init(type: KeyType, externalRepresentation: Data, material: Material) {
        self.type = type
        self.externalRepresentation = externalRepresentation
        self.material = material
    }

    private init(pkcs1 bytes: Data) throws(KeyError) {
        let key: _RSA.Signing.PublicKey
        do {
            // `unsafe` in swift-crypto's sense: smaller than 2048 bits.
            key = try _RSA.Signing.PublicKey(unsafeDERRepresentation: bytes)
        } catch CryptoKitError.incorrectParameterSize {
            throw RSASize.refusal
        } catch {
            throw KeyError(.invalid, "the bytes are not an RSAPublicKey of PKCS #1 in DER")
        }
        guard RSASize.readable.contains(key.keySizeInBits) else { throw RSASize.refusal }
        // The library also reads a SubjectPublicKeyInfo and ignores trailing bytes.
        guard key.pkcs1DERRepresentation == bytes else {
            throw KeyError(.invalid, "the bytes are not exactly one RSAPublicKey of PKCS #1 in DER")
        }
        self.init(key)
    }

    private init(point bytes: Data) throws(KeyError) {
        guard let curve = EllipticCurve.allCases.first(where: { bytes.count == 1 + 2 * $0.coordinateByteCount }) else {
            throw KeyError(.invalid, "a public key on P-256, P-384 or P-521 must have 65, 97 or 133 bytes: 04, X and Y")
        }
        do {
            switch curve {
            case .p256: self.init(try P256.Signing.PublicKey(point: bytes))
            case .p384: self.init(try P384.Signing.PublicKey(point: bytes))
            case .p521: self.init(try P521.Signing.PublicKey(point: bytes))
            }
        } catch {
            throw KeyError(.invalid, "the bytes are not a point on the curve of \(curve.sizeInBits) bits")
        }
        guard externalRepresentation == bytes else {
            throw KeyError(.invalid, "the point is not encoded as in ANSI X9.63")
        }
    }
}

extension CurvePublicKey {
    var curve: EllipticCurve { Self.curve }
}

/// The sizes of RSA keys.
enum RSASize {
    /// The sizes that are read: old certificates have 1024 bits, and swift-crypto supports no smaller ones.
    static let readable = 1024...8192

    /// Returns whether keys of a size can be made; BoringSSL rounds other sizes down.
    static func canGenerate(_ bits: Int) -> Bool { readable.contains(bits) && bits.isMultiple(of: 128) }

    static var refusal: KeyError { KeyError(.sizeNotAllowed, "an RSA key must have 1024 to 8192 bits") }
}
