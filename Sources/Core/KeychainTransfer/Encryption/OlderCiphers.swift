// SPDX-License-Identifier: Apache-2.0

/// Another library's decryption with a passphrase by Triple DES, RC2 and RC4, which swift-crypto has for RSA keys in PEM
/// only: the schemes of PKCS #12 (RFC 7292, C), and PBES2 with Triple DES.
public struct OlderCiphers: Sendable {
    /// Decrypts data.
    ///
    /// - Parameters:
    ///   - algorithm: the AlgorithmIdentifier, as it is in the file.
    ///   - passphrase: in UTF-8; not encoded for PKCS #12.
    /// - Returns: the plaintext, which the caller wipes; nil if the padding at its end is invalid, which a wrong
    ///   passphrase avoids one time in 256, and always with RC4.
    /// - Throws: `unsupported` if the library does not have the cipher or fails.
    public typealias Decrypt =
        @Sendable (
            _ algorithm: [UInt8], _ passphrase: [UInt8], _ ciphertext: [UInt8]
        ) throws(TransferError) -> [UInt8]?

    let decrypt: Decrypt

    public init(_ decrypt: @escaping Decrypt) { self.decrypt = decrypt }
}
