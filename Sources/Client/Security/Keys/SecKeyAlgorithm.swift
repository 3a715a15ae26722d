// SPDX-License-Identifier: Apache-2.0

public import CFTypes

/// The algorithm of a key operation, for `SecKeyCreateSignature` and similar functions.
/// ``SecKeyIsAlgorithmSupported(_:_:_:)`` returns whether a key supports it.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    private let identifier: String

    public init(rawValue: CFString) { identifier = rawValue as String }

    public init(_ rawValue: CFString) { self.init(rawValue: rawValue) }

    private init(_ identifier: String) { self.identifier = identifier }

    /// Apple's text for the algorithm, such as `algid:sign:ECDSA:message-X962:SHA256`.
    public var rawValue: CFString { identifier as CFString }
}

// The table of Apple's names and texts. In Swift they are members; each comment names the C constant.

extension SecKeyAlgorithm {
    // MARK: RSA signatures

    /// `kSecKeyAlgorithmRSASignatureRaw`: the bare private operation.
    public static let rsaSignatureRaw = Self("algid:sign:RSA:raw")
    /// `kSecKeyAlgorithmRSASignatureDigestPKCS1v15Raw`: the padding of PKCS #1 v1.5 without a hash identifier.
    public static let rsaSignatureDigestPKCS1v15Raw = Self("algid:sign:RSA:digest-PKCS1v15")
    /// `kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1`: RSASSA-PKCS1-v1_5 of a digest.
    public static let rsaSignatureDigestPKCS1v15SHA1 = Self("algid:sign:RSA:digest-PKCS1v15:SHA1")
    /// `kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224`: RSASSA-PKCS1-v1_5 of a digest.
    public static let rsaSignatureDigestPKCS1v15SHA224 = Self("algid:sign:RSA:digest-PKCS1v15:SHA224")
    /// `kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256`: RSASSA-PKCS1-v1_5 of a digest.
    public static let rsaSignatureDigestPKCS1v15SHA256 = Self("algid:sign:RSA:digest-PKCS1v15:SHA256")
    /// `kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384`: RSASSA-PKCS1-v1_5 of a digest.
    public static let rsaSignatureDigestPKCS1v15SHA384 = Self("algid:sign:RSA:digest-PKCS1v15:SHA384")
    /// `kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512`: RSASSA-PKCS1-v1_5 of a digest.
    public static let rsaSignatureDigestPKCS1v15SHA512 = Self("algid:sign:RSA:digest-PKCS1v15:SHA512")
    /// `kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1`: RSASSA-PKCS1-v1_5 of a message.
    public static let rsaSignatureMessagePKCS1v15SHA1 = Self("algid:sign:RSA:message-PKCS1v15:SHA1")
    /// `kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224`: RSASSA-PKCS1-v1_5 of a message.
    public static let rsaSignatureMessagePKCS1v15SHA224 = Self("algid:sign:RSA:message-PKCS1v15:SHA224")
    /// `kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256`: RSASSA-PKCS1-v1_5 of a message.
    public static let rsaSignatureMessagePKCS1v15SHA256 = Self("algid:sign:RSA:message-PKCS1v15:SHA256")
    /// `kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384`: RSASSA-PKCS1-v1_5 of a message.
    public static let rsaSignatureMessagePKCS1v15SHA384 = Self("algid:sign:RSA:message-PKCS1v15:SHA384")
    /// `kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512`: RSASSA-PKCS1-v1_5 of a message.
    public static let rsaSignatureMessagePKCS1v15SHA512 = Self("algid:sign:RSA:message-PKCS1v15:SHA512")
    /// `kSecKeyAlgorithmRSASignatureDigestPSSSHA1`: RSASSA-PSS of a digest.
    public static let rsaSignatureDigestPSSSHA1 = Self("algid:sign:RSA:digest-PSS:SHA1:SHA1:20")
    /// `kSecKeyAlgorithmRSASignatureDigestPSSSHA224`: RSASSA-PSS of a digest.
    public static let rsaSignatureDigestPSSSHA224 = Self("algid:sign:RSA:digest-PSS:SHA224:SHA224:28")
    /// `kSecKeyAlgorithmRSASignatureDigestPSSSHA256`: RSASSA-PSS of a digest.
    public static let rsaSignatureDigestPSSSHA256 = Self("algid:sign:RSA:digest-PSS:SHA256:SHA256:32")
    /// `kSecKeyAlgorithmRSASignatureDigestPSSSHA384`: RSASSA-PSS of a digest.
    public static let rsaSignatureDigestPSSSHA384 = Self("algid:sign:RSA:digest-PSS:SHA384:SHA384:48")
    /// `kSecKeyAlgorithmRSASignatureDigestPSSSHA512`: RSASSA-PSS of a digest.
    public static let rsaSignatureDigestPSSSHA512 = Self("algid:sign:RSA:digest-PSS:SHA512:SHA512:64")
    /// `kSecKeyAlgorithmRSASignatureMessagePSSSHA1`: RSASSA-PSS of a message.
    public static let rsaSignatureMessagePSSSHA1 = Self("algid:sign:RSA:message-PSS:SHA1:SHA1:20")
    /// `kSecKeyAlgorithmRSASignatureMessagePSSSHA224`: RSASSA-PSS of a message.
    public static let rsaSignatureMessagePSSSHA224 = Self("algid:sign:RSA:message-PSS:SHA224:SHA224:28")
    /// `kSecKeyAlgorithmRSASignatureMessagePSSSHA256`: RSASSA-PSS of a message.
    public static let rsaSignatureMessagePSSSHA256 = Self("algid:sign:RSA:message-PSS:SHA256:SHA256:32")
    /// `kSecKeyAlgorithmRSASignatureMessagePSSSHA384`: RSASSA-PSS of a message.
    public static let rsaSignatureMessagePSSSHA384 = Self("algid:sign:RSA:message-PSS:SHA384:SHA384:48")
    /// `kSecKeyAlgorithmRSASignatureMessagePSSSHA512`: RSASSA-PSS of a message.
    public static let rsaSignatureMessagePSSSHA512 = Self("algid:sign:RSA:message-PSS:SHA512:SHA512:64")

    // MARK: ECDSA

    /// `kSecKeyAlgorithmECDSASignatureRFC4754`: ECDSA of a digest of any length, two numbers side by side; the older name.
    public static let ecdsaSignatureRFC4754 = Self("algid:sign:ECDSA:RFC4754")
    /// `kSecKeyAlgorithmECDSASignatureDigestX962`: ECDSA of a digest of any length, in DER.
    public static let ecdsaSignatureDigestX962 = Self("algid:sign:ECDSA:digest-X962")
    /// `kSecKeyAlgorithmECDSASignatureDigestRFC4754`: ECDSA of a digest of any length, two numbers side by side.
    public static let ecdsaSignatureDigestRFC4754 = Self("algid:sign:ECDSA:digest-RFC4754")
    /// `kSecKeyAlgorithmECDSASignatureDigestX962SHA1`: ECDSA of a digest, in DER.
    public static let ecdsaSignatureDigestX962SHA1 = Self("algid:sign:ECDSA:digest-X962:SHA1")
    /// `kSecKeyAlgorithmECDSASignatureDigestX962SHA224`: ECDSA of a digest, in DER.
    public static let ecdsaSignatureDigestX962SHA224 = Self("algid:sign:ECDSA:digest-X962:SHA224")
    /// `kSecKeyAlgorithmECDSASignatureDigestX962SHA256`: ECDSA of a digest, in DER.
    public static let ecdsaSignatureDigestX962SHA256 = Self("algid:sign:ECDSA:digest-X962:SHA256")
    /// `kSecKeyAlgorithmECDSASignatureDigestX962SHA384`: ECDSA of a digest, in DER.
    public static let ecdsaSignatureDigestX962SHA384 = Self("algid:sign:ECDSA:digest-X962:SHA384")
    /// `kSecKeyAlgorithmECDSASignatureDigestX962SHA512`: ECDSA of a digest, in DER.
    public static let ecdsaSignatureDigestX962SHA512 = Self("algid:sign:ECDSA:digest-X962:SHA512")
    /// `kSecKeyAlgorithmECDSASignatureMessageX962SHA1`: ECDSA of a message, in DER.
    public static let ecdsaSignatureMessageX962SHA1 = Self("algid:sign:ECDSA:message-X962:SHA1")
    /// `kSecKeyAlgorithmECDSASignatureMessageX962SHA224`: ECDSA of a message, in DER.
    public static let ecdsaSignatureMessageX962SHA224 = Self("algid:sign:ECDSA:message-X962:SHA224")
    /// `kSecKeyAlgorithmECDSASignatureMessageX962SHA256`: ECDSA of a message, in DER.
    public static let ecdsaSignatureMessageX962SHA256 = Self("algid:sign:ECDSA:message-X962:SHA256")
    /// `kSecKeyAlgorithmECDSASignatureMessageX962SHA384`: ECDSA of a message, in DER.
    public static let ecdsaSignatureMessageX962SHA384 = Self("algid:sign:ECDSA:message-X962:SHA384")
    /// `kSecKeyAlgorithmECDSASignatureMessageX962SHA512`: ECDSA of a message, in DER.
    public static let ecdsaSignatureMessageX962SHA512 = Self("algid:sign:ECDSA:message-X962:SHA512")
    /// `kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA1`: ECDSA of a digest, two numbers side by side.
    public static let ecdsaSignatureDigestRFC4754SHA1 = Self("algid:sign:ECDSA:digest-RFC4754:SHA1")
    /// `kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA224`: ECDSA of a digest, two numbers side by side.
    public static let ecdsaSignatureDigestRFC4754SHA224 = Self("algid:sign:ECDSA:digest-RFC4754:SHA224")
    /// `kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA256`: ECDSA of a digest, two numbers side by side.
    public static let ecdsaSignatureDigestRFC4754SHA256 = Self("algid:sign:ECDSA:digest-RFC4754:SHA256")
    /// `kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA384`: ECDSA of a digest, two numbers side by side.
    public static let ecdsaSignatureDigestRFC4754SHA384 = Self("algid:sign:ECDSA:digest-RFC4754:SHA384")
    /// `kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA512`: ECDSA of a digest, two numbers side by side.
    public static let ecdsaSignatureDigestRFC4754SHA512 = Self("algid:sign:ECDSA:digest-RFC4754:SHA512")
    /// `kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA1`: ECDSA of a message, two numbers side by side.
    public static let ecdsaSignatureMessageRFC4754SHA1 = Self("algid:sign:ECDSA:message-RFC4754:SHA1")
    /// `kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA224`: ECDSA of a message, two numbers side by side.
    public static let ecdsaSignatureMessageRFC4754SHA224 = Self("algid:sign:ECDSA:message-RFC4754:SHA224")
    /// `kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA256`: ECDSA of a message, two numbers side by side.
    public static let ecdsaSignatureMessageRFC4754SHA256 = Self("algid:sign:ECDSA:message-RFC4754:SHA256")
    /// `kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA384`: ECDSA of a message, two numbers side by side.
    public static let ecdsaSignatureMessageRFC4754SHA384 = Self("algid:sign:ECDSA:message-RFC4754:SHA384")
    /// `kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA512`: ECDSA of a message, two numbers side by side.
    public static let ecdsaSignatureMessageRFC4754SHA512 = Self("algid:sign:ECDSA:message-RFC4754:SHA512")

    // MARK: Ed25519

    /// `kSecKeyAlgorithmEdDSASignatureMessageCurve25519SHA512`: Ed25519 of a message. Apple exports the name without declaring it.
    public static let edDSASignatureMessageCurve25519SHA512 = Self("algid:sign:EdDSA:message-Curve25519:SHA512")

    // MARK: RSA encryption

    /// `kSecKeyAlgorithmRSAEncryptionRaw`: the bare public operation.
    public static let rsaEncryptionRaw = Self("algid:encrypt:RSA:raw")
    /// `kSecKeyAlgorithmRSAEncryptionPKCS1`: RSAES-PKCS1-v1_5.
    public static let rsaEncryptionPKCS1 = Self("algid:encrypt:RSA:PKCS1")
    /// `kSecKeyAlgorithmRSAEncryptionOAEPSHA1`: RSAES-OAEP.
    public static let rsaEncryptionOAEPSHA1 = Self("algid:encrypt:RSA:OAEP:SHA1")
    /// `kSecKeyAlgorithmRSAEncryptionOAEPSHA224`: RSAES-OAEP.
    public static let rsaEncryptionOAEPSHA224 = Self("algid:encrypt:RSA:OAEP:SHA224")
    /// `kSecKeyAlgorithmRSAEncryptionOAEPSHA256`: RSAES-OAEP.
    public static let rsaEncryptionOAEPSHA256 = Self("algid:encrypt:RSA:OAEP:SHA256")
    /// `kSecKeyAlgorithmRSAEncryptionOAEPSHA384`: RSAES-OAEP.
    public static let rsaEncryptionOAEPSHA384 = Self("algid:encrypt:RSA:OAEP:SHA384")
    /// `kSecKeyAlgorithmRSAEncryptionOAEPSHA512`: RSAES-OAEP.
    public static let rsaEncryptionOAEPSHA512 = Self("algid:encrypt:RSA:OAEP:SHA512")
    /// `kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM`: a key of AES-GCM under RSAES-OAEP, then the data under that key.
    public static let rsaEncryptionOAEPSHA1AESGCM = Self("algid:encrypt:RSA:OAEP:SHA1:AESGCM")
    /// `kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM`: a key of AES-GCM under RSAES-OAEP, then the data under that key.
    public static let rsaEncryptionOAEPSHA224AESGCM = Self("algid:encrypt:RSA:OAEP:SHA224:AESGCM")
    /// `kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM`: a key of AES-GCM under RSAES-OAEP, then the data under that key.
    public static let rsaEncryptionOAEPSHA256AESGCM = Self("algid:encrypt:RSA:OAEP:SHA256:AESGCM")
    /// `kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM`: a key of AES-GCM under RSAES-OAEP, then the data under that key.
    public static let rsaEncryptionOAEPSHA384AESGCM = Self("algid:encrypt:RSA:OAEP:SHA384:AESGCM")
    /// `kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM`: a key of AES-GCM under RSAES-OAEP, then the data under that key.
    public static let rsaEncryptionOAEPSHA512AESGCM = Self("algid:encrypt:RSA:OAEP:SHA512:AESGCM")

    // MARK: ECIES

    /// `kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM`: the vector is zero.
    public static let eciesEncryptionStandardX963SHA1AESGCM = Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
    /// `kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM`: the vector is zero.
    public static let eciesEncryptionStandardX963SHA224AESGCM = Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
    /// `kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM`: the vector is zero.
    public static let eciesEncryptionStandardX963SHA256AESGCM = Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
    /// `kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM`: the vector is zero.
    public static let eciesEncryptionStandardX963SHA384AESGCM = Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
    /// `kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM`: the vector is zero.
    public static let eciesEncryptionStandardX963SHA512AESGCM = Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
    /// `kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM`: the vector is zero.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
    /// `kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM`: the vector is zero.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
    /// `kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM`: the vector is zero.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
    /// `kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM`: the vector is zero.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
    /// `kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM`: the vector is zero.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
    /// `kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM`: the vector is derived with the key.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = Self(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
    /// `kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM`: the vector is derived with the key.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = Self(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
    /// `kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM`: the vector is derived with the key.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = Self(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
    /// `kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM`: the vector is derived with the key.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = Self(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
    /// `kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM`: the vector is derived with the key.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = Self(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
    /// `kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM`: the vector is derived with the key.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = Self(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
    /// `kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM`: the vector is derived with the key.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = Self(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
    /// `kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM`: the vector is derived with the key.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = Self(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")

    // MARK: Key exchange

    /// `kSecKeyAlgorithmECDHKeyExchangeStandard`: ECDH without key derivation.
    public static let ecdhKeyExchangeStandard = Self("algid:keyexchange:ECDH")
    /// `kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1`: ECDH with X9.63's key derivation.
    public static let ecdhKeyExchangeStandardX963SHA1 = Self("algid:keyexchange:ECDH:KDFX963:SHA1")
    /// `kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224`: ECDH with X9.63's key derivation.
    public static let ecdhKeyExchangeStandardX963SHA224 = Self("algid:keyexchange:ECDH:KDFX963:SHA224")
    /// `kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256`: ECDH with X9.63's key derivation.
    public static let ecdhKeyExchangeStandardX963SHA256 = Self("algid:keyexchange:ECDH:KDFX963:SHA256")
    /// `kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384`: ECDH with X9.63's key derivation.
    public static let ecdhKeyExchangeStandardX963SHA384 = Self("algid:keyexchange:ECDH:KDFX963:SHA384")
    /// `kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512`: ECDH with X9.63's key derivation.
    public static let ecdhKeyExchangeStandardX963SHA512 = Self("algid:keyexchange:ECDH:KDFX963:SHA512")
    /// `kSecKeyAlgorithmECDHKeyExchangeCofactor`: ECDH without key derivation.
    public static let ecdhKeyExchangeCofactor = Self("algid:keyexchange:ECDHC")
    /// `kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1`: ECDH with X9.63's key derivation.
    public static let ecdhKeyExchangeCofactorX963SHA1 = Self("algid:keyexchange:ECDHC:KDFX963:SHA1")
    /// `kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224`: ECDH with X9.63's key derivation.
    public static let ecdhKeyExchangeCofactorX963SHA224 = Self("algid:keyexchange:ECDHC:KDFX963:SHA224")
    /// `kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256`: ECDH with X9.63's key derivation.
    public static let ecdhKeyExchangeCofactorX963SHA256 = Self("algid:keyexchange:ECDHC:KDFX963:SHA256")
    /// `kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384`: ECDH with X9.63's key derivation.
    public static let ecdhKeyExchangeCofactorX963SHA384 = Self("algid:keyexchange:ECDHC:KDFX963:SHA384")
    /// `kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512`: ECDH with X9.63's key derivation.
    public static let ecdhKeyExchangeCofactorX963SHA512 = Self("algid:keyexchange:ECDHC:KDFX963:SHA512")
}
