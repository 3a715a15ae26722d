// SPDX-License-Identifier: Apache-2.0

internal import CLibCrypto
internal import KeychainHelperWire

// libcrypto passes its objects and bytes only through pointers. Only this file and RSAKey.swift use them, and no pointer
// leaves them: an object is freed by the value that made it, and bytes are lent for the duration of one call.

/// A separate instance of libcrypto, which reads no configuration file: with the provider of current algorithms, and the
/// one of RC2 and RC4 where it is installed.
@safe struct LibCrypto: ~Copyable {
    let context: OpaquePointer
    private let hasLegacyCiphers: Bool

    init() throws(LibCryptoError) {
        guard let context = unsafe OSSL_LIB_CTX_new() else {
            throw .refused("libcrypto has not enough memory")
        }
        guard unsafe OSSL_PROVIDER_load(context, "default") != nil else {
            unsafe OSSL_LIB_CTX_free(context)
            throw .refused("libcrypto cannot load its default provider")
        }
        unsafe self.context = unsafe context
        hasLegacyCiphers = unsafe OSSL_PROVIDER_load(context, "legacy") != nil
    }

    deinit {
        // This frees the providers as well.
        unsafe OSSL_LIB_CTX_free(context)
    }

    /// Returns the digest of a message.
    func digest(of message: [UInt8], _ hash: RSARequest.Hash) throws(LibCryptoError) -> [UInt8] {
        guard let name = hash.libraryName else { throw .refused("the request names no hash") }
        var digest = [UInt8](repeating: 0, count: 64)
        var count = 0
        // 64 bytes have room for the longest digest of the protocol.
        guard unsafe EVP_Q_digest(context, name, nil, message, message.count, &digest, &count) == 1 else {
            throw .refused("libcrypto cannot compute \(name)")
        }
        return Array(digest.prefix(count))
    }

    /// Decrypts data with a passphrase.
    func decrypt(_ request: DecryptionRequest) throws(LibCryptoError) -> [UInt8] {
        let algorithm = try PasswordAlgorithm(request.algorithm)
        guard !algorithm.isLegacy || hasLegacyCiphers else {
            throw .refused(
                "libcrypto has no RC2 and RC4 on this machine; install its legacy provider (package libssl3 or openssl-provider-legacy)"
            )
        }
        do throws(LibCryptoError) {
            return try algorithm.decrypt(request.ciphertext, request.passphrase, self)
        } catch {
            // Programs encode an empty passphrase in two ways: as a zero, or as no bytes.
            guard request.passphrase.isEmpty, error == .failure(.mismatch) else { throw error }
            return try algorithm.decrypt(request.ciphertext, nil, self)
        }
    }
}

extension RSARequest.Hash {
    /// The name in libcrypto.
    var libraryName: String? {
        switch self {
        case .none: nil
        case .sha1: "SHA1"
        case .sha224: "SHA2-224"
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        case .sha512: "SHA2-512"
        }
    }
}

/// An AlgorithmIdentifier of a password-based encryption.
@safe private struct PasswordAlgorithm: ~Copyable {
    private let algorithm: UnsafeMutablePointer<X509_ALGOR>
    /// Whether only the provider of older algorithms has the cipher.
    let isLegacy: Bool

    /// - Throws: a refusal for bytes that are not exactly one AlgorithmIdentifier, and for other schemes than PBES2 and
    ///   those of PKCS #12.
    init(_ bytes: [UInt8]) throws(LibCryptoError) {
        let (parsed, rest) = unsafe bytes.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            // The call reads at most the given number of bytes.
            let parsed = unsafe d2i_X509_ALGOR(nil, &position, buffer.count)
            return unsafe (parsed, parsed == nil ? 0 : buffer.baseAddress! + buffer.count - position!)
        }
        guard let parsed = unsafe parsed else { throw .refused("the algorithm is not an AlgorithmIdentifier in DER") }
        let legacy: Bool? =
            switch unsafe OBJ_obj2nid(parsed.pointee.algorithm) {
            case NID_pbe_WithSHA1And40BitRC2_CBC, NID_pbe_WithSHA1And128BitRC2_CBC, NID_pbe_WithSHA1And40BitRC4,
                NID_pbe_WithSHA1And128BitRC4:
                true
            case NID_pbe_WithSHA1And3_Key_TripleDES_CBC, NID_pbe_WithSHA1And2_Key_TripleDES_CBC, NID_pbes2: false
            default: nil
            }
        guard rest == 0, let legacy else {
            unsafe X509_ALGOR_free(parsed)
            throw .refused("the algorithm is not a supported encryption with a passphrase")
        }
        unsafe algorithm = unsafe parsed
        isLegacy = legacy
    }

    deinit { unsafe X509_ALGOR_free(algorithm) }

    /// - Parameter passphrase: nil for none, which PKCS #12 encodes differently from an empty one.
    func decrypt(
        _ ciphertext: [UInt8], _ passphrase: [UInt8]?, _ library: borrowing LibCrypto
    ) throws(LibCryptoError) -> [UInt8] {
        var clear: UnsafeMutablePointer<UInt8>?
        var count: Int32 = 0
        let text = passphrase.map { $0.map { CChar(bitPattern: $0) } + [0] }
        // The call reads the given numbers of bytes, and allocates the result.
        let end = unsafe PKCS12_pbe_crypt_ex(
            algorithm, text, Int32(passphrase?.count ?? 0), ciphertext, Int32(ciphertext.count), &clear, &count, 0,
            library.context, nil)
        guard unsafe end != nil, let clear = unsafe clear else { throw .failure(.mismatch) }
        defer { unsafe CRYPTO_clear_free(clear, Int(count), nil, 0) }
        return unsafe Array(UnsafeBufferPointer(start: clear, count: Int(count)))
    }
}
