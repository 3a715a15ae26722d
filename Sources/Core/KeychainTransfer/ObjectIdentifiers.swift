// SPDX-License-Identifier: Apache-2.0

internal import SwiftASN1

extension ASN1ObjectIdentifier {
    // Keys (RFC 8017, RFC 5480, RFC 8410).
    static let rsaEncryption: Self = [1, 2, 840, 113549, 1, 1, 1]
    static let ecPublicKey: Self = [1, 2, 840, 10045, 2, 1]
    static let secp256r1: Self = [1, 2, 840, 10045, 3, 1, 7]
    static let secp384r1: Self = [1, 3, 132, 0, 34]
    static let secp521r1: Self = [1, 3, 132, 0, 35]
    static let ed25519: Self = [1, 3, 101, 112]
    static let x25519: Self = [1, 3, 101, 110]

    // Encryption with a passphrase (RFC 8018, RFC 7914, RFC 9579).
    static let pbkdf2: Self = [1, 2, 840, 113549, 1, 5, 12]
    static let pbes2: Self = [1, 2, 840, 113549, 1, 5, 13]
    static let pbmac1: Self = [1, 2, 840, 113549, 1, 5, 14]
    static let scrypt: Self = [1, 3, 6, 1, 4, 1, 11591, 4, 11]
    static let hmacSHA1: Self = [1, 2, 840, 113549, 2, 7]
    static let hmacSHA224: Self = [1, 2, 840, 113549, 2, 8]
    static let hmacSHA256: Self = [1, 2, 840, 113549, 2, 9]
    static let hmacSHA384: Self = [1, 2, 840, 113549, 2, 10]
    static let hmacSHA512: Self = [1, 2, 840, 113549, 2, 11]
    static let aes128CBC: Self = [2, 16, 840, 1, 101, 3, 4, 1, 2]
    static let aes192CBC: Self = [2, 16, 840, 1, 101, 3, 4, 1, 22]
    static let aes256CBC: Self = [2, 16, 840, 1, 101, 3, 4, 1, 42]
    static let tripleDES: Self = [1, 2, 840, 113549, 3, 7]
    /// PKCS #12's own schemes, of 1999 (RFC 7292, C).
    static let shaAnd128BitRC4: Self = [1, 2, 840, 113549, 1, 12, 1, 1]
    static let shaAnd40BitRC4: Self = [1, 2, 840, 113549, 1, 12, 1, 2]
    static let shaAndTripleDES: Self = [1, 2, 840, 113549, 1, 12, 1, 3]
    static let shaAndTwoKeyTripleDES: Self = [1, 2, 840, 113549, 1, 12, 1, 4]
    static let shaAnd128BitRC2: Self = [1, 2, 840, 113549, 1, 12, 1, 5]
    static let shaAnd40BitRC2: Self = [1, 2, 840, 113549, 1, 12, 1, 6]

    // Digests (RFC 8017, appendix B.1).
    static let sha1: Self = [1, 3, 14, 3, 2, 26]
    static let sha256: Self = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    static let sha384: Self = [2, 16, 840, 1, 101, 3, 4, 2, 2]
    static let sha512: Self = [2, 16, 840, 1, 101, 3, 4, 2, 3]

    // PKCS #7 (RFC 2315, RFC 5652).
    static let data: Self = [1, 2, 840, 113549, 1, 7, 1]
    static let signedData: Self = [1, 2, 840, 113549, 1, 7, 2]
    static let envelopedData: Self = [1, 2, 840, 113549, 1, 7, 3]
    static let encryptedData: Self = [1, 2, 840, 113549, 1, 7, 6]

    // PKCS #12 (RFC 7292, D) and the attributes of PKCS #9 (RFC 2985).
    static let keyBag: Self = [1, 2, 840, 113549, 1, 12, 10, 1, 1]
    static let shroudedKeyBag: Self = [1, 2, 840, 113549, 1, 12, 10, 1, 2]
    static let certificateBag: Self = [1, 2, 840, 113549, 1, 12, 10, 1, 3]
    static let safeContentsBag: Self = [1, 2, 840, 113549, 1, 12, 10, 1, 6]
    static let x509Certificate: Self = [1, 2, 840, 113549, 1, 9, 22, 1]
    static let friendlyName: Self = [1, 2, 840, 113549, 1, 9, 20]
    static let localKeyID: Self = [1, 2, 840, 113549, 1, 9, 21]

    static let netscapeCertificateSequence: Self = [2, 16, 840, 1, 113730, 2, 5]
}
