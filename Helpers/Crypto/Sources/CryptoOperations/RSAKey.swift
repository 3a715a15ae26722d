// SPDX-License-Identifier: Apache-2.0

internal import CLibCrypto
internal import KeychainHelperWire

/// An RSA key in libcrypto. Every operation ends with a result or an error; a failure of the library itself counts as
/// unsuitable data or a mismatch, because it does not say which of the two it is.
@safe struct RSAKey: ~Copyable {
    private let key: OpaquePointer
    private let context: OpaquePointer
    /// Bytes of the modulus.
    private let size: Int

    /// - Parameter bytes: RSAPrivateKey or RSAPublicKey in DER.
    /// - Throws: a refusal for bytes that are not exactly one such key.
    init(_ bytes: [UInt8], isPrivate: Bool, _ library: borrowing LibCrypto) throws(LibCryptoError) {
        unsafe context = unsafe library.context
        var parsed: OpaquePointer?
        let selection = isPrivate ? OSSL_KEYMGMT_SELECT_PRIVATE_KEY : OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        // The decoder keeps the place until it writes the key there.
        let rest = unsafe withUnsafeMutablePointer(to: &parsed) { place -> Int? in
            let decoder = unsafe OSSL_DECODER_CTX_new_for_pkey(
                place, "DER", "type-specific", "RSA", selection, library.context, nil)
            defer { unsafe OSSL_DECODER_CTX_free(decoder) }
            return unsafe bytes.withUnsafeBufferPointer { buffer -> Int? in
                var position = buffer.baseAddress
                var rest = buffer.count
                // The call reads at most the given number of bytes.
                return unsafe OSSL_DECODER_from_data(decoder, &position, &rest) == 1 ? rest : nil
            }
        }
        guard let parsed = unsafe parsed else { throw Self.malformed }
        guard rest == 0, unsafe EVP_PKEY_get_size(parsed) > 0 else {
            unsafe EVP_PKEY_free(parsed)
            throw Self.malformed
        }
        unsafe key = unsafe parsed
        size = Int(unsafe EVP_PKEY_get_size(parsed))
    }

    deinit { unsafe EVP_PKEY_free(key) }

    private static var malformed: LibCryptoError { .refused("the key is not exactly one RSA key of PKCS #1 in DER") }

    func signature(
        of data: [UInt8], _ padding: RSARequest.Padding, _ hash: RSARequest.Hash
    ) throws(LibCryptoError) -> [UInt8] {
        let operation = try unsafe begin(EVP_PKEY_sign_init, padding, hash)
        return try unsafe run(EVP_PKEY_sign, operation, try fitted(data, padding), otherwise: .unsuitableData)
    }

    func verify(
        _ signature: [UInt8], of data: [UInt8], _ padding: RSARequest.Padding, _ hash: RSARequest.Hash
    ) throws(LibCryptoError) {
        let operation = try unsafe begin(EVP_PKEY_verify_init, padding, hash)
        let data = try fitted(data, padding)
        // The call reads the given numbers of bytes.
        guard signature.count == size,
            unsafe EVP_PKEY_verify(operation.context, signature, signature.count, data, data.count) == 1
        else { throw .failure(.mismatch) }
    }

    func encrypt(
        _ data: [UInt8], _ padding: RSARequest.Padding, _ hash: RSARequest.Hash
    ) throws(LibCryptoError) -> [UInt8] {
        let operation = try unsafe begin(EVP_PKEY_encrypt_init, padding, hash)
        return try unsafe run(EVP_PKEY_encrypt, operation, try fitted(data, padding), otherwise: .unsuitableData)
    }

    func decrypt(
        _ data: [UInt8], _ padding: RSARequest.Padding, _ hash: RSARequest.Hash
    ) throws(LibCryptoError) -> [UInt8] {
        let operation = try unsafe begin(EVP_PKEY_decrypt_init, padding, hash)
        return try unsafe run(
            EVP_PKEY_decrypt, operation, try fitted(data, padding),
            otherwise: padding == .none ? .unsuitableData : .mismatch)
    }

    /// Returns data for the bare operation with leading zeros, as long as the modulus. Other data is unchanged.
    private func fitted(_ data: [UInt8], _ padding: RSARequest.Padding) throws(LibCryptoError) -> [UInt8] {
        guard padding == .none else { return data }
        guard data.count <= size else { throw .failure(.unsuitableData) }
        return [UInt8](repeating: 0, count: size - data.count) + data
    }

    /// Prepares an operation.
    private func begin(
        _ initialize: (OpaquePointer?) -> Int32, _ padding: RSARequest.Padding, _ hash: RSARequest.Hash
    ) throws(LibCryptoError) -> Operation {
        guard let operation = unsafe EVP_PKEY_CTX_new_from_pkey(context, key, nil) else {
            throw .refused("libcrypto has no RSA")
        }
        let result = unsafe Operation(context: operation)
        let constant =
            switch padding {
            case .none: RSA_NO_PADDING
            case .pkcs1: RSA_PKCS1_PADDING
            case .pss: RSA_PKCS1_PSS_PADDING
            case .oaep: RSA_PKCS1_OAEP_PADDING
            }
        var isReady = unsafe initialize(operation) == 1 && EVP_PKEY_CTX_set_rsa_padding(operation, constant) == 1
        if isReady, let name = hash.libraryName {
            let function = unsafe EVP_MD_fetch(context, name, nil)
            defer { unsafe EVP_MD_free(function) }
            isReady =
                switch padding {
                case .none: false
                case .pkcs1: unsafe EVP_PKEY_CTX_set_signature_md(operation, function) == 1
                case .pss:
                    unsafe EVP_PKEY_CTX_set_signature_md(operation, function) == 1
                        && EVP_PKEY_CTX_set_rsa_mgf1_md(operation, function) == 1
                        && EVP_PKEY_CTX_set_rsa_pss_saltlen(operation, RSA_PSS_SALTLEN_DIGEST) == 1
                case .oaep:
                    unsafe EVP_PKEY_CTX_set_rsa_oaep_md(operation, function) == 1
                        && EVP_PKEY_CTX_set_rsa_mgf1_md(operation, function) == 1
                }
        }
        guard isReady else { throw .refused("libcrypto does not support this use of the key") }
        return result
    }

    private typealias Work = (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, UnsafePointer<UInt8>?, Int
    ) -> Int32

    /// Runs an operation whose result is at most as long as the modulus.
    private func run(
        _ work: Work, _ operation: Operation, _ data: [UInt8], otherwise failure: CryptoFailure
    ) throws(LibCryptoError) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: size)
        var count = size
        // The call reads the data, and writes at most `count` bytes.
        guard unsafe work(operation.context, &result, &count, data, data.count) == 1, count <= size else {
            throw .failure(failure)
        }
        result.removeLast(size - count)
        return result
    }
}

/// One use of a key in libcrypto.
@safe private final class Operation {
    let context: OpaquePointer

    init(context: OpaquePointer) { unsafe self.context = unsafe context }

    deinit { unsafe EVP_PKEY_CTX_free(context) }
}
