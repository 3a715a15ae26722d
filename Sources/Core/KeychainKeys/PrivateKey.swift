// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
public import FoundationEssentials

/// A private key, with its public half.
///
/// Two keys are equal if their public halves are. The secret bytes are in memory of swift-crypto, which wipes them when
/// the last copy of the value is released; they are not locked there. This module wipes its own copies of them, except
/// those that ``externalRepresentation`` returns.
public struct PrivateKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    enum Material: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case curve(any CurvePrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
        case x25519(Curve25519.KeyAgreement.PrivateKey)
    }

    public let publicKey: PublicKey
    let material: Material

    /// Makes a new key of random bytes from the system.
    ///
    /// - Parameter sizeInBits: for RSA 1024 to 8192 in steps of 128, with the public exponent 65537; for curves over prime
    ///   fields 256, 384 or 521; for the keys on Curve25519 256. Making an RSA key takes from a fraction of a second to minutes.
    /// - Throws: `sizeNotAllowed`; `failed` when the system gives no randomness.
    public init(generating type: KeyType, sizeInBits: Int) throws(KeyError) {
        switch type {
        case .rsa:
            guard RSASize.canGenerate(sizeInBits) else {
                throw KeyError(.sizeNotAllowed, "an RSA key must have 1024 to 8192 bits, in steps of 128")
            }
            guard let key = try? _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: sizeInBits)),
                key.keySizeInBits == sizeInBits
            else { throw KeyError(.failed, "the cryptographic library could not generate an RSA key") }
            self.init(key)
        case .ellipticCurve:
            switch EllipticCurve(sizeInBits: sizeInBits) {
            case .p256: self.init(P256.Signing.PrivateKey.generated())
            case .p384: self.init(P384.Signing.PrivateKey.generated())
            case .p521: self.init(P521.Signing.PrivateKey.generated())
            case nil:
                throw KeyError(
                    .sizeNotAllowed, "only curves of 256, 384 and 521 bits are supported")
            }
        case .ed25519, .x25519:
            guard sizeInBits == 256 else { throw KeyError(.sizeNotAllowed, "a key on Curve25519 must have 256 bits") }
            if type == .ed25519 {
                self.init(Curve25519.Signing.PrivateKey())
            } else {
                self.init(Curve25519.KeyAgreement.PrivateKey())
            }
        }
    }

    /// Reads a key in the form of ``externalRepresentation``; the length determines the curve.
    ///
    /// Each key has one form: other encodings of the same numbers, and trailing bytes, are refused.
    /// - Throws: `invalid` if these are not the bytes of such a key (malformed, a public half that does not belong to
    ///   the private one, numbers that the family cannot have); `sizeNotAllowed` for an unsupported size.
    public init(type: KeyType, externalRepresentation bytes: some Collection<UInt8>) throws(KeyError) {
        var bytes = Data(bytes)
        defer { bytes.wipe() }
        switch type {
        case .rsa: self = try Self(pkcs1: bytes)
        case .ellipticCurve: self = try Self(scalar: bytes)
        case .ed25519:
            guard bytes.count == 32, let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes) else {
                throw KeyError(.invalid, "a private key for Ed25519 must have 32 bytes")
            }
            self.init(key)
        case .x25519:
            guard bytes.count == 32, let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes) else {
                throw KeyError(.invalid, "a private key for X25519 must have 32 bytes")
            }
            self.init(key)
        }
    }

    /// The key in the form in which it is exported: RSA keys RSAPrivateKey in DER (PKCS #1; RFC 8017, A.1.2), keys on
    /// curves over prime fields 04 | X | Y | K, the others their 32 bytes (RFC 8032, RFC 7748). The caller wipes it.
    public var externalRepresentation: Data {
        switch material {
        case .rsa(let key): key.derRepresentation
        case .curve(let key): key.x963Representation
        // Copied, because swift-crypto returns the memory of these keys itself, and wiping that memory would wipe the
        // key.
        case .ed25519(let key): Data(lentBy: key.rawRepresentation)
        case .x25519(let key): Data(lentBy: key.rawRepresentation)
        }
    }

    public var type: KeyType { publicKey.type }

    public static func == (left: PrivateKey, right: PrivateKey) -> Bool { left.publicKey == right.publicKey }

    public func hash(into hasher: inout Hasher) { hasher.combine(publicKey) }

    /// The family and the size, nothing of the key.
    public var description: String { "private key (\(type), \(publicKey.sizeInBits) bits)" }

    /// Empty, so that dumping a key shows no more than printing it.
    public var customMirror: Mirror { Mirror(self, children: []) }

    private init(_ key: _RSA.Signing.PrivateKey) {
        publicKey = PublicKey(key.publicKey)
        material = .rsa(key)
    }

    init(_ key: some CurvePrivateKey) {
        publicKey = PublicKey(key.publicKey)
        material = .curve(key)
    }

    private init(_ key: Curve25519.Signing.PrivateKey) {
        publicKey = PublicKey(key.publicKey)
        material = .ed25519(key)
    }

    private init(_ key: Curve25519.KeyAgreement.PrivateKey) {
        publicKey = PublicKey(key.publicKey)
        material = .x25519(key)
    }

    private init(pkcs1 bytes: Data) throws(KeyError) {
        let key: _RSA.Signing.PrivateKey
        do {
            // `unsafe` in swift-crypto's sense: smaller than 2048 bits.
            key = try _RSA.Signing.PrivateKey(unsafeDERRepresentation: bytes)
        } catch CryptoKitError.incorrectParameterSize {
            throw RSASize.refusal
        } catch {
            throw KeyError(
                .invalid, "the bytes are not an RSAPrivateKey of PKCS #1 in DER, or its numbers are inconsistent")
        }
        guard RSASize.readable.contains(key.keySizeInBits) else { throw RSASize.refusal }
        // The library also reads PKCS #8 and ignores trailing bytes.
        var written = key.derRepresentation
        defer { written.wipe() }
        guard written == bytes else {
            throw KeyError(.invalid, "the bytes are not exactly one RSAPrivateKey of PKCS #1 in DER")
        }
        self.init(key)
    }

    private init(scalar bytes: Data) throws(KeyError) {
        guard let curve = EllipticCurve.allCases.first(where: { bytes.count == 1 + 3 * $0.coordinateByteCount }) else {
            throw KeyError(
                .invalid, "a private key on P-256, P-384 or P-521 must have 97, 145 or 199 bytes: 04, X, Y and K")
        }
        // The library accepts no other first byte, and no numbers beyond the field's and the order. So each key has one
        // form, and encoding it again for a comparison, which takes half as long as a signature, is not necessary.
        let point = Data(bytes.prefix(1 + 2 * curve.coordinateByteCount))
        do {
            switch curve {
            case .p256: self.init(try P256.Signing.PrivateKey(representation: bytes), point: point)
            case .p384: self.init(try P384.Signing.PrivateKey(representation: bytes), point: point)
            case .p521: self.init(try P521.Signing.PrivateKey(representation: bytes), point: point)
            }
        } catch {
            throw KeyError(
                .invalid, "the bytes are not a private key on the curve of \(curve.sizeInBits) bits with its public key"
            )
        }
    }

    private init(_ key: some CurvePrivateKey, point: Data) {
        publicKey = PublicKey(key.publicKey, point: point)
        material = .curve(key)
    }
}
