// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// An algorithm for the use of a key: the parts of Apple's `SecKeyAlgorithm`.
///
/// All of Apple's algorithms are here, also unsupported ones; a key reports which it can be used with.
public enum KeyAlgorithm: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 or RSASSA-PSS (RFC 8017, 8). PSS has MGF1 with the same hash, and a salt as long as the digest.
    case rsaSignature(RSASignatureScheme, SignatureInput, HashAlgorithm)
    /// PKCS #1 v1.5's padding without the name of a hash.
    case rsaSignatureWithoutHashName
    /// The bare private operation of RSA.
    case rsaSignatureRaw
    /// ECDSA (FIPS 186-5, 6). Without a hash the digest may have any length; it is cut to the length of the curve.
    case ecdsa(ECDSAEncoding, SignatureInput, HashAlgorithm?)
    /// The older name of ``ecdsa(_:_:_:)`` with RFC 4754's encoding and without a hash.
    case ecdsaRFC4754
    /// Ed25519 (RFC 8032, 5.1.6).
    case ed25519
    /// The bare public operation of RSA.
    case rsaEncryptionRaw
    /// RSAES-PKCS1-v1_5 (RFC 8017, 7.2).
    case rsaEncryptionPKCS1
    /// RSAES-OAEP with MGF1 of the same hash and an empty label (RFC 8017, 7.1).
    case rsaEncryptionOAEP(HashAlgorithm)
    /// A key of AES-GCM under RSAES-OAEP, then the data under that key.
    case rsaEncryptionOAEPAESGCM(HashAlgorithm)
    /// A key of AES-GCM agreed with a new key pair, then the data under that key.
    case ecies(CofactorMode, HashAlgorithm, initializationVector: ECIESVector)
    /// ECDH; with a hash, X9.63's key derivation after it (ANSI X9.63, 5.6.3; SEC 1 version 2, 3.6.1).
    case keyExchange(CofactorMode, HashAlgorithm?)

    public enum RSASignatureScheme: String, Hashable, Sendable, CaseIterable {
        case pkcs1v15 = "PKCS1v15"
        case pss = "PSS"
    }

    /// The input of a signature.
    public enum SignatureInput: String, Hashable, Sendable, CaseIterable {
        case digest
        case message
    }

    public enum ECDSAEncoding: String, Hashable, Sendable, CaseIterable {
        /// A SEQUENCE of two integers in DER (ANSI X9.62; RFC 3279, 2.2.3).
        case x962 = "X962"
        /// Two integers, each as long as a coordinate (RFC 4754, 7).
        case rfc4754 = "RFC4754"
    }

    /// The curves here have the cofactor 1, so both modes give the same result.
    public enum CofactorMode: String, Hashable, Sendable, CaseIterable {
        case standard = "ECDH"
        case cofactor = "ECDHC"
    }

    /// The source of the 16 bytes of initialization vector in ECIES.
    public enum ECIESVector: Hashable, Sendable, CaseIterable {
        case zero
        case derived
    }

    /// Apple's text for the algorithm, the raw value of `SecKeyAlgorithm`.
    public var identifier: String {
        switch self {
        case .rsaSignature(.pkcs1v15, let input, let hash): "algid:sign:RSA:\(input)-PKCS1v15:\(hash.rawValue)"
        case .rsaSignature(.pss, let input, let hash):
            "algid:sign:RSA:\(input)-PSS:\(hash.rawValue):\(hash.rawValue):\(hash.byteCount)"
        case .rsaSignatureWithoutHashName: "algid:sign:RSA:digest-PKCS1v15"
        case .rsaSignatureRaw: "algid:sign:RSA:raw"
        case .ecdsa(let encoding, let input, let hash):
            "algid:sign:ECDSA:\(input)-\(encoding.rawValue)" + (hash.map { ":\($0.rawValue)" } ?? "")
        case .ecdsaRFC4754: "algid:sign:ECDSA:RFC4754"
        case .ed25519: "algid:sign:EdDSA:message-Curve25519:SHA512"
        case .rsaEncryptionRaw: "algid:encrypt:RSA:raw"
        case .rsaEncryptionPKCS1: "algid:encrypt:RSA:PKCS1"
        case .rsaEncryptionOAEP(let hash): "algid:encrypt:RSA:OAEP:\(hash.rawValue)"
        case .rsaEncryptionOAEPAESGCM(let hash): "algid:encrypt:RSA:OAEP:\(hash.rawValue):AESGCM"
        case .ecies(let mode, let hash, let vector):
            "algid:encrypt:ECIES:\(mode.rawValue):KDFX963:\(hash.rawValue):AESGCM"
                + (vector == .derived ? "-KDFIV" : "")
        case .keyExchange(let mode, let hash):
            "algid:keyexchange:\(mode.rawValue)" + (hash.map { ":KDFX963:\($0.rawValue)" } ?? "")
        }
    }

    /// Finds the algorithm of an identifier; nil if there is none.
    public init?(identifier: String) {
        guard let algorithm = Self.byIdentifier[identifier] else { return nil }
        self = algorithm
    }

    /// Returns, for an algorithm that signs messages by their digest, the algorithm that makes the same signature from
    /// the digest, and the digest. So a message need not be sent to the owner of the key. Nil for other algorithms.
    public func ofDigest(of message: Data) -> (algorithm: KeyAlgorithm, digest: Data)? {
        switch self {
        case .rsaSignature(let scheme, .message, let hash):
            hash.digest(of: message).map { (.rsaSignature(scheme, .digest, hash), $0) }
        case .ecdsa(let encoding, .message, let hash?):
            hash.digest(of: message).map { (.ecdsa(encoding, .digest, hash), $0) }
        default: nil
        }
    }

    /// Every algorithm.
    public static let all: [KeyAlgorithm] = {
        let hashes = HashAlgorithm.allCases
        var all: [KeyAlgorithm] = [.rsaSignatureRaw, .rsaSignatureWithoutHashName, .ecdsaRFC4754, .ed25519]
        for input in SignatureInput.allCases {
            for scheme in RSASignatureScheme.allCases { all += hashes.map { .rsaSignature(scheme, input, $0) } }
            for encoding in ECDSAEncoding.allCases { all += hashes.map { .ecdsa(encoding, input, $0) } }
        }
        all += ECDSAEncoding.allCases.map { .ecdsa($0, .digest, nil) }
        all += [.rsaEncryptionRaw, .rsaEncryptionPKCS1]
        all += hashes.map { .rsaEncryptionOAEP($0) } + hashes.map { .rsaEncryptionOAEPAESGCM($0) }
        for mode in CofactorMode.allCases {
            all += hashes.map { .ecies(mode, $0, initializationVector: .zero) }
            // Apple has no such name with SHA-1.
            all += hashes.filter { $0 != .sha1 }.map { .ecies(mode, $0, initializationVector: .derived) }
            all += [.keyExchange(mode, nil)] + hashes.map { .keyExchange(mode, $0) }
        }
        return all
    }()

    private static let byIdentifier = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0) })
}
