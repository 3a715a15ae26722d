// SPDX-License-Identifier: Apache-2.0

public import CCryptoki
internal import Crypto
internal import FoundationEssentials
internal import KeychainKeys
internal import KeychainModel

/// A mechanism as a program passes it, with its parameter.
public struct Mechanism: Sendable {
    public enum Parameter: Sendable {
        case none
        case pss(hash: CK_MECHANISM_TYPE, mask: CK_ULONG, saltLength: CK_ULONG)
        case oaep(hash: CK_MECHANISM_TYPE, mask: CK_ULONG, source: CK_ULONG, label: [UInt8])
        case agreement(derivation: CK_ULONG, sharedInfo: [UInt8], publicKey: [UInt8])
        case edwards(isPrehashed: Bool, context: [UInt8])
        /// Bytes that no mechanism here has.
        case unknown
    }

    public let type: CK_MECHANISM_TYPE
    public let parameter: Parameter

    public init(_ type: CK_MECHANISM_TYPE, _ parameter: Parameter = .none) {
        self.type = type
        self.parameter = parameter
    }

    /// - Throws: `CKR_MECHANISM_PARAM_INVALID` for a mechanism that must have no parameter and has one.
    func requireNoParameter() throws(CryptokiError) {
        guard case .none = parameter else { throw CryptokiError(CKR_MECHANISM_PARAM_INVALID) }
    }

    // MARK: The table

    /// What a mechanism can do.
    struct Facts: Sendable {
        let type: CK_MECHANISM_TYPE
        let keyType: KeyType
        let sizes: ClosedRange<CK_ULONG>
        let flags: CK_FLAGS
        var hash: HashAlgorithm?
    }

    private static let curve: CK_FLAGS = CKF_EC_F_P | CKF_EC_NAMEDCURVE | CKF_EC_UNCOMPRESS
    private static let signs: CK_FLAGS = CKF_SIGN | CKF_VERIFY
    private static let rsa: ClosedRange<CK_ULONG> = 1024...8192
    private static let curves: ClosedRange<CK_ULONG> = 256...521

    static let all: [Facts] = [
        Facts(type: CKM_RSA_PKCS_KEY_PAIR_GEN, keyType: .rsa, sizes: rsa, flags: CKF_GENERATE_KEY_PAIR),
        Facts(type: CKM_RSA_PKCS, keyType: .rsa, sizes: rsa, flags: signs | CKF_ENCRYPT | CKF_DECRYPT),
        Facts(type: CKM_SHA1_RSA_PKCS, keyType: .rsa, sizes: rsa, flags: signs, hash: .sha1),
        Facts(type: CKM_SHA256_RSA_PKCS, keyType: .rsa, sizes: rsa, flags: signs, hash: .sha256),
        Facts(type: CKM_SHA384_RSA_PKCS, keyType: .rsa, sizes: rsa, flags: signs, hash: .sha384),
        Facts(type: CKM_SHA512_RSA_PKCS, keyType: .rsa, sizes: rsa, flags: signs, hash: .sha512),
        Facts(type: CKM_RSA_PKCS_PSS, keyType: .rsa, sizes: rsa, flags: signs),
        Facts(type: CKM_SHA1_RSA_PKCS_PSS, keyType: .rsa, sizes: rsa, flags: signs, hash: .sha1),
        Facts(type: CKM_SHA256_RSA_PKCS_PSS, keyType: .rsa, sizes: rsa, flags: signs, hash: .sha256),
        Facts(type: CKM_SHA384_RSA_PKCS_PSS, keyType: .rsa, sizes: rsa, flags: signs, hash: .sha384),
        Facts(type: CKM_SHA512_RSA_PKCS_PSS, keyType: .rsa, sizes: rsa, flags: signs, hash: .sha512),
        Facts(type: CKM_RSA_PKCS_OAEP, keyType: .rsa, sizes: rsa, flags: CKF_ENCRYPT | CKF_DECRYPT),
        Facts(type: CKM_EC_KEY_PAIR_GEN, keyType: .ellipticCurve, sizes: curves, flags: curve | CKF_GENERATE_KEY_PAIR),
        Facts(type: CKM_ECDSA, keyType: .ellipticCurve, sizes: curves, flags: curve | signs),
        Facts(type: CKM_ECDSA_SHA1, keyType: .ellipticCurve, sizes: curves, flags: curve | signs, hash: .sha1),
        Facts(type: CKM_ECDSA_SHA256, keyType: .ellipticCurve, sizes: curves, flags: curve | signs, hash: .sha256),
        Facts(type: CKM_ECDSA_SHA384, keyType: .ellipticCurve, sizes: curves, flags: curve | signs, hash: .sha384),
        Facts(type: CKM_ECDSA_SHA512, keyType: .ellipticCurve, sizes: curves, flags: curve | signs, hash: .sha512),
        Facts(type: CKM_ECDH1_DERIVE, keyType: .ellipticCurve, sizes: curves, flags: curve | CKF_DERIVE),
        Facts(type: CKM_EC_EDWARDS_KEY_PAIR_GEN, keyType: .ed25519, sizes: 256...256, flags: CKF_GENERATE_KEY_PAIR),
        Facts(type: CKM_EDDSA, keyType: .ed25519, sizes: 256...256, flags: signs),
        Facts(type: CKM_EC_MONTGOMERY_KEY_PAIR_GEN, keyType: .x25519, sizes: 256...256, flags: CKF_GENERATE_KEY_PAIR),
    ]

    /// Returns the facts of a mechanism that can do this.
    ///
    /// - Throws: `CKR_MECHANISM_INVALID`.
    func facts(for use: CK_FLAGS) throws(CryptokiError) -> Facts {
        guard let facts = Self.all.first(where: { $0.type == type && $0.flags & use != 0 }) else {
            throw CryptokiError(CKR_MECHANISM_INVALID)
        }
        return facts
    }

    // MARK: Parameters

    /// Returns the hash of a PSS parameter, whose mask and salt must belong to it.
    fileprivate func pssHash(_ expected: HashAlgorithm?) throws(CryptokiError) -> HashAlgorithm {
        guard case .pss(let number, let mask, let saltLength) = parameter, let hash = HashAlgorithm(cryptoki: number),
            mask == hash.maskNumber, saltLength == CK_ULONG(hash.byteCount), expected == nil || expected == hash
        else { throw CryptokiError(CKR_MECHANISM_PARAM_INVALID) }
        return hash
    }

    /// Returns the algorithm of an encryption.
    func encryption() throws(CryptokiError) -> KeyAlgorithm {
        guard type == CKM_RSA_PKCS_OAEP else {
            try requireNoParameter()
            return .rsaEncryptionPKCS1
        }
        guard case .oaep(let number, let mask, let source, let label) = parameter,
            let hash = HashAlgorithm(cryptoki: number), mask == hash.maskNumber, label.isEmpty,
            source == CKZ_DATA_SPECIFIED || source == 0
        else { throw CryptokiError(CKR_MECHANISM_PARAM_INVALID) }
        return .rsaEncryptionOAEP(hash)
    }

    /// The hash of the key derivation that follows an agreement.
    static func derivationHash(_ number: CK_ULONG) throws(CryptokiError) -> HashAlgorithm? {
        switch number {
        case CKD_NULL: return nil
        case CKD_SHA1_KDF: return .sha1
        case CKD_SHA256_KDF: return .sha256
        case CKD_SHA384_KDF: return .sha384
        case CKD_SHA512_KDF: return .sha512
        default: throw CryptokiError(CKR_MECHANISM_PARAM_INVALID)
        }
    }
}

extension HashAlgorithm {
    fileprivate init?(cryptoki number: CK_MECHANISM_TYPE) {
        switch number {
        case CKM_SHA_1: self = .sha1
        case CKM_SHA256: self = .sha256
        case CKM_SHA384: self = .sha384
        case CKM_SHA512: self = .sha512
        default: return nil
        }
    }

    fileprivate var maskNumber: CK_ULONG {
        switch self {
        case .sha1: CKG_MGF1_SHA1
        case .sha224: CK_UNAVAILABLE_INFORMATION
        case .sha256: CKG_MGF1_SHA256
        case .sha384: CKG_MGF1_SHA384
        case .sha512: CKG_MGF1_SHA512
        }
    }

    /// The bytes before the digest in a DigestInfo (RFC 8017, 9.2).
    fileprivate var digestInfoPrefix: [UInt8] {
        func prefix(_ identifier: [UInt8]) -> [UInt8] {
            let algorithm = [0x06, UInt8(identifier.count)] + identifier + [0x05, 0x00]
            let rest = [0x30, UInt8(algorithm.count)] + algorithm + [0x04, UInt8(byteCount)]
            return [0x30, UInt8(rest.count + byteCount)] + rest
        }
        let nist: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02]
        return switch self {
        case .sha1: prefix([0x2B, 0x0E, 0x03, 0x02, 0x1A])
        case .sha224: prefix(nist + [0x04])
        case .sha256: prefix(nist + [0x01])
        case .sha384: prefix(nist + [0x02])
        case .sha512: prefix(nist + [0x03])
        }
    }
}

/// A signature in progress: the mechanism, and the data so far.
struct SignatureInput: Sendable {
    private enum Form: Sendable {
        /// A digest that the program computed; nil: of any length.
        case digest(KeyAlgorithm, Int?)
        /// A DigestInfo.
        case digestInfo
        case message(KeyAlgorithm)
        case hashed(KeyAlgorithm)
    }

    private let form: Form
    private var hash: MessageHash?
    private var bytes: [UInt8] = []

    /// The longest input of a mechanism that does not hash it first.
    private static let maximumBytes = ItemLimits.secretBytes

    /// - Throws: `CKR_MECHANISM_INVALID`, `CKR_MECHANISM_PARAM_INVALID`, `CKR_KEY_TYPE_INCONSISTENT`.
    init(_ mechanism: Mechanism, use: CK_FLAGS, keyType: KeyType) throws(CryptokiError) {
        let facts = try mechanism.facts(for: use)
        guard facts.keyType == keyType else { throw CryptokiError(CKR_KEY_TYPE_INCONSISTENT) }
        hash = facts.hash.flatMap { MessageHash($0) }
        switch mechanism.type {
        case CKM_EDDSA:
            // Without a parameter it is Ed25519, and with this one as well.
            if case .edwards(false, []) = mechanism.parameter {} else { try mechanism.requireNoParameter() }
            form = .message(.ed25519)
        case CKM_RSA_PKCS_PSS:
            let hash = try mechanism.pssHash(nil)
            form = .digest(.rsaSignature(.pss, .digest, hash), hash.byteCount)
        case CKM_SHA1_RSA_PKCS_PSS, CKM_SHA256_RSA_PKCS_PSS, CKM_SHA384_RSA_PKCS_PSS, CKM_SHA512_RSA_PKCS_PSS:
            form = .hashed(.rsaSignature(.pss, .digest, try mechanism.pssHash(facts.hash)))
        default:
            try mechanism.requireNoParameter()
            if let hash = facts.hash {
                form = .hashed(
                    keyType == .rsa ? .rsaSignature(.pkcs1v15, .digest, hash) : .ecdsa(.rfc4754, .digest, hash))
            } else {
                form = keyType == .rsa ? .digestInfo : .digest(.ecdsa(.rfc4754, .digest, nil), nil)
            }
        }
    }

    mutating func append(_ data: [UInt8]) throws(CryptokiError) {
        guard hash == nil else {
            hash?.update(data)
            return
        }
        guard bytes.count + data.count <= Self.maximumBytes else { throw CryptokiError(CKR_DATA_LEN_RANGE) }
        bytes += data
    }

    /// The algorithm and its input, after all data.
    ///
    /// - Throws: `CKR_DATA_LEN_RANGE`, `CKR_DATA_INVALID`.
    func finished() throws(CryptokiError) -> (algorithm: KeyAlgorithm, input: [UInt8]) {
        switch form {
        case .message(let algorithm): return (algorithm, bytes)
        case .hashed(let algorithm): return (algorithm, hash?.digest ?? [])
        case .digest(let algorithm, let size):
            guard size.map({ $0 == bytes.count }) ?? !bytes.isEmpty else { throw CryptokiError(CKR_DATA_LEN_RANGE) }
            return (algorithm, bytes)
        case .digestInfo:
            for hash in [HashAlgorithm.sha256, .sha512, .sha384, .sha1] {
                let prefix = hash.digestInfoPrefix
                if bytes.count == prefix.count + hash.byteCount, bytes.starts(with: prefix) {
                    return (.rsaSignature(.pkcs1v15, .digest, hash), Array(bytes.dropFirst(prefix.count)))
                }
            }
            // The service signs no data without the name of a hash.
            throw CryptokiError(CKR_DATA_INVALID)
        }
    }
}

/// A hash of a message that arrives in parts.
private enum MessageHash: Sendable {
    case sha1(Insecure.SHA1)
    case sha256(SHA256)
    case sha384(SHA384)
    case sha512(SHA512)

    init?(_ hash: HashAlgorithm) {
        switch hash {
        case .sha1: self = .sha1(Insecure.SHA1())
        case .sha224: return nil
        case .sha256: self = .sha256(SHA256())
        case .sha384: self = .sha384(SHA384())
        case .sha512: self = .sha512(SHA512())
        }
    }

    mutating func update(_ data: [UInt8]) {
        switch self {
        case .sha1(var hash):
            hash.update(data: data)
            self = .sha1(hash)
        case .sha256(var hash):
            hash.update(data: data)
            self = .sha256(hash)
        case .sha384(var hash):
            hash.update(data: data)
            self = .sha384(hash)
        case .sha512(var hash):
            hash.update(data: data)
            self = .sha512(hash)
        }
    }

    var digest: [UInt8] {
        switch self {
        case .sha1(let hash): Array(hash.finalize())
        case .sha256(let hash): Array(hash.finalize())
        case .sha384(let hash): Array(hash.finalize())
        case .sha512(let hash): Array(hash.finalize())
        }
    }
}
