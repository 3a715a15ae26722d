// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainKeys

// The older functions on bytes. Apple's functions take pointers to bytes. Here they take raw pointers, to which arrays,
// `&array`, texts and pointers to bytes convert. Apple's bare RSA paddings ([] and .PKCS1 for signatures, [] for
// encryption) are not supported everywhere, see SecKeyIsAlgorithmSupported.

/// Signs a digest with a private key.
///
/// - Parameters:
///   - key: the private key.
///   - padding: the padding, which also names the hash.
///   - dataToSign: the digest.
///   - dataToSignLen: the length of the digest in bytes.
///   - sig: receives the signature.
///   - sigLen: in, the size of the buffer at `sig`; out, the size of the signature.
/// - Returns: `errSecSuccess`, or `errSecParam` for a padding that the key does not support, a digest whose length is
///   not that of its hash, and a buffer that is too small; then nothing is written.
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafeRawPointer?, _ dataToSignLen: Int,
    _ sig: UnsafeMutableRawPointer?, _ sigLen: UnsafeMutablePointer<Int>?
) -> OSStatus {
    unsafe writing(to: sig, sigLen) {
        try key.signature(for: try unsafe bytes(dataToSign, dataToSignLen), try padding.signature(key.publicKey.type))
    }
}

/// Verifies that a signature of a digest was created with the private half of a key.
///
/// - Returns: `errSecSuccess`; `errSecVerifyFailed` if it was not; `errSecParam` as ``SecKeyRawSign(_:_:_:_:_:_:)``.
@discardableResult
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafeRawPointer?, _ signedDataLen: Int,
    _ sig: UnsafeRawPointer?, _ sigLen: Int
) -> OSStatus {
    status {
        try key.verify(
            try unsafe bytes(sig, sigLen), for: try unsafe bytes(signedData, signedDataLen),
            try padding.signature(key.publicKey.type))
    }
}

/// Encrypts one block with a public RSA key.
///
/// - Parameters:
///   - key: the public key.
///   - padding: the padding.
///   - plainText: the data.
///   - plainTextLen: the length of the data in bytes.
///   - cipherText: receives the encrypted block.
///   - cipherTextLen: in, the size of the buffer at `cipherText`; out, the number of bytes written.
/// - Returns: `errSecSuccess`, or `errSecParam` for a padding that the key does not support, for data that does not fit
///   into a block, and for a buffer that is too small; then nothing is written.
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafeRawPointer?, _ plainTextLen: Int,
    _ cipherText: UnsafeMutableRawPointer?, _ cipherTextLen: UnsafeMutablePointer<Int>?
) -> OSStatus {
    unsafe writing(to: cipherText, cipherTextLen) {
        try key.encrypt(try unsafe bytes(plainText, plainTextLen), try padding.encryption())
    }
}

/// Decrypts one block with a private RSA key.
///
/// - Parameters:
///   - key: the private key.
///   - padding: the padding.
///   - cipherText: the encrypted block.
///   - cipherTextLen: the length of the encrypted block in bytes.
///   - plainText: receives the data.
///   - plainTextLen: in, the size of the buffer at `plainText`; out, the number of bytes written.
/// - Returns: `errSecSuccess`, or `errSecParam` for a padding that the key does not support, for data that was not
///   encrypted with its public half, and for a buffer that is too small; then nothing is written.
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafeRawPointer?, _ cipherTextLen: Int,
    _ plainText: UnsafeMutableRawPointer?, _ plainTextLen: UnsafeMutablePointer<Int>?
) -> OSStatus {
    unsafe writing(to: plainText, plainTextLen) {
        try key.decrypt(try unsafe bytes(cipherText, cipherTextLen), try padding.encryption())
    }
}

extension SecPadding {
    fileprivate func signature(_ type: KeyType) throws(KeyFailure) -> KeyAlgorithm {
        switch (type, self) {
        case (.ellipticCurve, .sigRaw): return .ecdsa(.rfc4754, .digest, nil)
        // Whatever hash the padding names, ECDSA uses the digest unchanged.
        case (.ellipticCurve, _): return .ecdsa(.x962, .digest, nil)
        case (.rsa, []): return .rsaSignatureRaw
        case (.rsa, .PKCS1): return .rsaSignatureWithoutHashName
        case (.rsa, .PKCS1SHA1): return .rsaSignature(.pkcs1v15, .digest, .sha1)
        case (.rsa, .PKCS1SHA224): return .rsaSignature(.pkcs1v15, .digest, .sha224)
        case (.rsa, .PKCS1SHA256): return .rsaSignature(.pkcs1v15, .digest, .sha256)
        case (.rsa, .PKCS1SHA384): return .rsaSignature(.pkcs1v15, .digest, .sha384)
        case (.rsa, .PKCS1SHA512): return .rsaSignature(.pkcs1v15, .digest, .sha512)
        default: throw KeyFailure(errSecParam, "signatures with this padding are not supported")
        }
    }

    fileprivate func encryption() throws(KeyFailure) -> KeyAlgorithm {
        switch self {
        case []: return .rsaEncryptionRaw
        case .PKCS1: return .rsaEncryptionPKCS1
        case .OAEP: return .rsaEncryptionOAEP(.sha1)
        default: throw KeyFailure(errSecParam, "encryption with this padding is not supported")
        }
    }
}

/// Reads the bytes at a pointer, which the caller guarantees.
private func bytes(_ pointer: UnsafeRawPointer?, _ count: Int) throws(KeyFailure) -> Data {
    guard count >= 0 else { throw KeyFailure(errSecParam, "a length is negative") }
    guard count > 0 else { return Data() }
    guard let pointer = unsafe pointer else {
        throw KeyFailure(errSecParam, "a pointer is nil, but its length is not zero")
    }
    return unsafe Data(bytes: pointer, count: count)
}

/// Writes a result into the caller's buffer, if the buffer is large enough.
private func writing(
    to place: UnsafeMutableRawPointer?, _ length: UnsafeMutablePointer<Int>?, _ work: () throws -> Data
) -> OSStatus {
    status {
        guard let place = unsafe place, let length = unsafe length else {
            throw KeyFailure(errSecParam, "the buffer for the result is nil")
        }
        var result = try work()
        defer { result.resetBytes(in: result.startIndex..<result.endIndex) }
        guard unsafe length.pointee >= result.count else {
            throw KeyFailure(errSecParam, "the buffer is too small for the result")
        }
        // The caller guarantees a buffer of the given size.
        unsafe result.copyBytes(to: UnsafeMutableRawBufferPointer(start: place, count: result.count))
        unsafe length.pointee = result.count
    }
}

private func status(_ work: () throws -> Void) -> OSStatus {
    do {
        try work()
        return errSecSuccess
    } catch let error as KeyError {
        return KeyFailure(error).status
    } catch let failure as KeyFailure {
        return failure.status
    } catch {
        return errSecInternalComponent
    }
}
