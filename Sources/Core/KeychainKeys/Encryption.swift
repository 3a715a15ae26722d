// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
public import FoundationEssentials

extension PublicKey {
    /// Returns whether ``encrypt(_:using:_:)`` supports the algorithm.
    public func canEncrypt(using algorithm: KeyAlgorithm, _ library: @autoclosure () -> RSALibrary? = nil) -> Bool {
        (encryption(algorithm) ?? library()?.encryption(algorithm, self)) != nil
    }

    /// Encrypts for the owner of the key.
    ///
    /// - Parameter library: for the algorithms of RSA that swift-crypto lacks; evaluated for those only.
    /// - Throws: `unsupportedAlgorithm`; `invalid` if the data does not fit into one block of RSA and the algorithm
    ///   encrypts only one; `failed` if the other library does.
    public func encrypt(
        _ data: some Collection<UInt8>, using algorithm: KeyAlgorithm, _ library: @autoclosure () -> RSALibrary? = nil
    ) throws(KeyError) -> Data {
        guard let encrypt = encryption(algorithm) ?? library()?.encryption(algorithm, self) else {
            throw .unsupported(algorithm)
        }
        var data = Data(data)
        defer { data.wipe() }
        return try encrypt(data)
    }

    private func encryption(_ algorithm: KeyAlgorithm) -> KeyWork? {
        switch (material, algorithm) {
        case (.rsa, .rsaEncryptionPKCS1), (.rsa, .rsaEncryptionOAEP):
            guard let padding = algorithm.padding, let key = rsaEncryptionKey else { return nil }
            return { data throws(KeyError) in try Self.rsaEncrypted(data, padding, key) }
        case (.rsa, .rsaEncryptionOAEPAESGCM):
            guard let padding = algorithm.padding, let key = rsaEncryptionKey else { return nil }
            return { data throws(KeyError) in
                try sealed(data) { session throws(KeyError) in try Self.rsaEncrypted(session, padding, key) }
            }
        case (.curve(let key), .ecies(_, let hash, let vector)):
            guard let function = hash.function else { return nil }
            return { data throws(KeyError) in
                let ephemeral = PrivateKey(ephemeralFor: key)
                let point = ephemeral.publicKey.externalRepresentation
                let secret = try ephemeral.sharedSecret(with: self)
                var secrets = ECIESSecrets(sizeInBits, vector) { secret.derived(function, point, $0) }
                defer { secrets.wipe() }
                return point + (try SealedData(data, key: secrets.key, vector: secrets.vector)).bytes
            }
        default: return nil
        }
    }

    /// Encrypts data with a new key of AES-GCM.
    ///
    /// - Parameter encrypt: encrypts that key with RSA.
    func sealed(_ data: Data, encryptingSession encrypt: KeyWork) throws(KeyError) -> Data {
        var session = Data(lentBy: SymmetricKey(size: sessionKeySize))
        defer { session.wipe() }
        let sealed = try SealedData(
            data, key: session, vector: SealedData.zeroVector, authenticating: externalRepresentation)
        return try encrypt(session) + sealed.bytes
    }

    private static func rsaEncrypted(
        _ data: Data, _ padding: _RSA.Encryption.Padding, _ key: _RSA.Encryption.PublicKey
    ) throws(KeyError) -> Data {
        let maximum = key.maximumEncryptSize(with: padding)
        guard data.count <= maximum else {
            throw KeyError(
                .invalid, "this key can encrypt at most \(maximum) bytes with this algorithm, not \(data.count)")
        }
        do { return try key.encrypt(data, padding: padding) } catch { throw .library }
    }

    /// swift-crypto has separate types for encryption, and they refuse sizes that are not whole bytes.
    private var rsaEncryptionKey: _RSA.Encryption.PublicKey? {
        try? _RSA.Encryption.PublicKey(unsafeDERRepresentation: externalRepresentation)
    }

    /// The size that Apple chooses for the key of AES under RSA.
    var sessionKeySize: SymmetricKeySize { sizeInBits >= 4096 ? .bits256 : .bits128 }
}

extension PrivateKey {
    /// Returns whether ``decrypt(_:using:_:)`` supports the algorithm.
    public func canDecrypt(using algorithm: KeyAlgorithm, _ library: @autoclosure () -> RSALibrary? = nil) -> Bool {
        (decryption(algorithm) ?? library()?.decryption(algorithm, self)) != nil
    }

    /// Decrypts data that was encrypted for the owner of the key.
    ///
    /// With PKCS #1 v1.5, an attacker who can submit ciphertexts and learns which were refused can decrypt without the
    /// key (Bleichenbacher's attack); OAEP and ECIES have no such weakness.
    /// - Parameter library: for the algorithms of RSA that swift-crypto lacks; evaluated for those only.
    /// - Throws: `unsupportedAlgorithm`; `invalid` for everything that was not encrypted with the public half in this
    ///   way; `failed` if the other library does.
    public func decrypt(
        _ data: some Collection<UInt8>, using algorithm: KeyAlgorithm, _ library: @autoclosure () -> RSALibrary? = nil
    ) throws(KeyError) -> Data {
        guard let decrypt = decryption(algorithm) ?? library()?.decryption(algorithm, self) else {
            throw .unsupported(algorithm)
        }
        return try decrypt(Data(data))
    }

    private func decryption(_ algorithm: KeyAlgorithm) -> KeyWork? {
        switch (material, algorithm) {
        case (.rsa(let key), .rsaEncryptionPKCS1), (.rsa(let key), .rsaEncryptionOAEP):
            guard let padding = algorithm.padding, canDecryptWithRSA else { return nil }
            return { data throws(KeyError) in try Self.rsaDecrypted(data, padding, key) }
        case (.rsa(let key), .rsaEncryptionOAEPAESGCM):
            guard let padding = algorithm.padding, canDecryptWithRSA else { return nil }
            return { data throws(KeyError) in
                try opened(data) { session throws(KeyError) in try Self.rsaDecrypted(session, padding, key) }
            }
        case (.curve, .ecies(_, let hash, let vector)):
            guard let function = hash.function else { return nil }
            return { data throws(KeyError) in
                let pointSize = 1 + 2 * publicKey.blockSize
                guard let peer = try? PublicKey(type: .ellipticCurve, externalRepresentation: data.prefix(pointSize)),
                    peer.sizeInBits == publicKey.sizeInBits
                else { throw .undecryptable }
                let secret = try sharedSecret(with: peer)
                var secrets = ECIESSecrets(publicKey.sizeInBits, vector) {
                    secret.derived(function, peer.externalRepresentation, $0)
                }
                defer { secrets.wipe() }
                return try SealedData(data.dropFirst(pointSize)).opened(key: secrets.key, vector: secrets.vector)
            }
        default: return nil
        }
    }

    /// Decrypts data of ``PublicKey/sealed(_:encryptingSession:)``.
    ///
    /// - Parameter decrypt: decrypts the key of AES-GCM with RSA.
    func opened(_ data: Data, decryptingSession decrypt: KeyWork) throws(KeyError) -> Data {
        var session = try decrypt(data.prefix(publicKey.blockSize))
        defer { session.wipe() }
        guard session.count * 8 == publicKey.sessionKeySize.bitCount else { throw .undecryptable }
        return try SealedData(data.dropFirst(publicKey.blockSize))
            .opened(
                key: session, vector: SealedData.zeroVector, authenticating: publicKey.externalRepresentation)
    }

    private var canDecryptWithRSA: Bool { publicKey.sizeInBits.isMultiple(of: 8) }

    private static func rsaDecrypted(
        _ data: Data, _ padding: _RSA.Encryption.Padding, _ key: _RSA.Signing.PrivateKey
    ) throws(KeyError) -> Data {
        var bytes = key.derRepresentation
        defer { bytes.wipe() }
        guard let key = try? _RSA.Encryption.PrivateKey(unsafeDERRepresentation: bytes) else { throw .library }
        do { return try key.decrypt(data, padding: padding) } catch { throw .undecryptable }
    }

    /// Makes a new key on the same curve.
    fileprivate init(ephemeralFor key: some CurvePublicKey) {
        switch key.curve {
        case .p256: self.init(P256.Signing.PrivateKey.generated())
        case .p384: self.init(P384.Signing.PrivateKey.generated())
        case .p521: self.init(P521.Signing.PrivateKey.generated())
        }
    }
}

extension KeyError {
    static var undecryptable: KeyError {
        KeyError(.invalid, "the data was not encrypted with this algorithm and the key's public key")
    }
}

extension KeyAlgorithm {
    /// The padding with which RSA encrypts; nil if swift-crypto has none: for OAEP it has SHA-1 and SHA-256.
    fileprivate var padding: _RSA.Encryption.Padding? {
        switch self {
        case .rsaEncryptionPKCS1: ._WEAK_AND_INSECURE_PKCS_V1_5
        case .rsaEncryptionOAEP(.sha1), .rsaEncryptionOAEPAESGCM(.sha1): .PKCS1_OAEP
        case .rsaEncryptionOAEP(.sha256), .rsaEncryptionOAEPAESGCM(.sha256): .PKCS1_OAEP_SHA256
        default: nil
        }
    }
}

/// The values that ECIES derives from the agreement: a key of AES-128, or of AES-256 for curves above 256 bits, and
/// optionally the vector. The point of the new key is the shared info.
struct ECIESSecrets {
    private(set) var key: Data
    private(set) var vector: Data

    /// Derives the values.
    ///
    /// - Parameter derive: returns the requested number of bytes derived from secret and point.
    init(_ sizeInBits: Int, _ source: KeyAlgorithm.ECIESVector, derive: (Int) -> Data) {
        let keySize = sizeInBits > 256 ? 32 : 16
        switch source {
        case .zero:
            key = derive(keySize)
            vector = SealedData.zeroVector
        case .derived:
            var both = derive(keySize + SealedData.zeroVector.count)
            defer { both.wipe() }
            key = Data(both.prefix(keySize))
            vector = Data(both.dropFirst(keySize))
        }
    }

    mutating func wipe() {
        key.wipe()
        vector.wipe()
    }
}

/// Data under AES-GCM in Apple's form after the key: ciphertext and 16 bytes of tag, with a vector of 16 bytes.
///
/// The vector may be zero, because no key is ever used twice.
struct SealedData {
    static let zeroVector = Data(count: 16)
    static let tagSize = 16

    let bytes: Data

    init(_ bytes: Data) { self.bytes = bytes }

    init(_ data: Data, key: Data, vector: Data, authenticating context: Data = Data()) throws(KeyError) {
        do {
            let box = try AES.GCM.seal(
                data, using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: vector), authenticating: context)
            bytes = box.ciphertext + box.tag
        } catch { throw .library }
    }

    func opened(key: Data, vector: Data, authenticating context: Data = Data()) throws(KeyError) -> Data {
        guard bytes.count >= Self.tagSize else { throw .undecryptable }
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: vector), ciphertext: bytes.dropLast(Self.tagSize),
                tag: bytes.suffix(Self.tagSize))
            return try AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: context)
        } catch { throw .undecryptable }
    }
}
