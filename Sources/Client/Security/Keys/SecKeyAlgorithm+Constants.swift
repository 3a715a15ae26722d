// SPDX-License-Identifier: Apache-2.0

// The C constants of the algorithms, because developers search for these names. In Swift they are members, as on
// Apple's systems.

@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureRaw")
public var kSecKeyAlgorithmRSASignatureRaw: SecKeyAlgorithm { .rsaSignatureRaw }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPKCS1v15Raw")
public var kSecKeyAlgorithmRSASignatureDigestPKCS1v15Raw: SecKeyAlgorithm { .rsaSignatureDigestPKCS1v15Raw }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA1")
public var kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1: SecKeyAlgorithm { .rsaSignatureDigestPKCS1v15SHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA224")
public var kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224: SecKeyAlgorithm { .rsaSignatureDigestPKCS1v15SHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA256")
public var kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256: SecKeyAlgorithm { .rsaSignatureDigestPKCS1v15SHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA384")
public var kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384: SecKeyAlgorithm { .rsaSignatureDigestPKCS1v15SHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA512")
public var kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512: SecKeyAlgorithm { .rsaSignatureDigestPKCS1v15SHA512 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA1")
public var kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1: SecKeyAlgorithm { .rsaSignatureMessagePKCS1v15SHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA224")
public var kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224: SecKeyAlgorithm { .rsaSignatureMessagePKCS1v15SHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256")
public var kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256: SecKeyAlgorithm { .rsaSignatureMessagePKCS1v15SHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA384")
public var kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384: SecKeyAlgorithm { .rsaSignatureMessagePKCS1v15SHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA512")
public var kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512: SecKeyAlgorithm { .rsaSignatureMessagePKCS1v15SHA512 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPSSSHA1")
public var kSecKeyAlgorithmRSASignatureDigestPSSSHA1: SecKeyAlgorithm { .rsaSignatureDigestPSSSHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPSSSHA224")
public var kSecKeyAlgorithmRSASignatureDigestPSSSHA224: SecKeyAlgorithm { .rsaSignatureDigestPSSSHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPSSSHA256")
public var kSecKeyAlgorithmRSASignatureDigestPSSSHA256: SecKeyAlgorithm { .rsaSignatureDigestPSSSHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPSSSHA384")
public var kSecKeyAlgorithmRSASignatureDigestPSSSHA384: SecKeyAlgorithm { .rsaSignatureDigestPSSSHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureDigestPSSSHA512")
public var kSecKeyAlgorithmRSASignatureDigestPSSSHA512: SecKeyAlgorithm { .rsaSignatureDigestPSSSHA512 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureMessagePSSSHA1")
public var kSecKeyAlgorithmRSASignatureMessagePSSSHA1: SecKeyAlgorithm { .rsaSignatureMessagePSSSHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureMessagePSSSHA224")
public var kSecKeyAlgorithmRSASignatureMessagePSSSHA224: SecKeyAlgorithm { .rsaSignatureMessagePSSSHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureMessagePSSSHA256")
public var kSecKeyAlgorithmRSASignatureMessagePSSSHA256: SecKeyAlgorithm { .rsaSignatureMessagePSSSHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureMessagePSSSHA384")
public var kSecKeyAlgorithmRSASignatureMessagePSSSHA384: SecKeyAlgorithm { .rsaSignatureMessagePSSSHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaSignatureMessagePSSSHA512")
public var kSecKeyAlgorithmRSASignatureMessagePSSSHA512: SecKeyAlgorithm { .rsaSignatureMessagePSSSHA512 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureRFC4754")
public var kSecKeyAlgorithmECDSASignatureRFC4754: SecKeyAlgorithm { .ecdsaSignatureRFC4754 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestX962")
public var kSecKeyAlgorithmECDSASignatureDigestX962: SecKeyAlgorithm { .ecdsaSignatureDigestX962 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestRFC4754")
public var kSecKeyAlgorithmECDSASignatureDigestRFC4754: SecKeyAlgorithm { .ecdsaSignatureDigestRFC4754 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestX962SHA1")
public var kSecKeyAlgorithmECDSASignatureDigestX962SHA1: SecKeyAlgorithm { .ecdsaSignatureDigestX962SHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestX962SHA224")
public var kSecKeyAlgorithmECDSASignatureDigestX962SHA224: SecKeyAlgorithm { .ecdsaSignatureDigestX962SHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestX962SHA256")
public var kSecKeyAlgorithmECDSASignatureDigestX962SHA256: SecKeyAlgorithm { .ecdsaSignatureDigestX962SHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestX962SHA384")
public var kSecKeyAlgorithmECDSASignatureDigestX962SHA384: SecKeyAlgorithm { .ecdsaSignatureDigestX962SHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestX962SHA512")
public var kSecKeyAlgorithmECDSASignatureDigestX962SHA512: SecKeyAlgorithm { .ecdsaSignatureDigestX962SHA512 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureMessageX962SHA1")
public var kSecKeyAlgorithmECDSASignatureMessageX962SHA1: SecKeyAlgorithm { .ecdsaSignatureMessageX962SHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureMessageX962SHA224")
public var kSecKeyAlgorithmECDSASignatureMessageX962SHA224: SecKeyAlgorithm { .ecdsaSignatureMessageX962SHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256")
public var kSecKeyAlgorithmECDSASignatureMessageX962SHA256: SecKeyAlgorithm { .ecdsaSignatureMessageX962SHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureMessageX962SHA384")
public var kSecKeyAlgorithmECDSASignatureMessageX962SHA384: SecKeyAlgorithm { .ecdsaSignatureMessageX962SHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureMessageX962SHA512")
public var kSecKeyAlgorithmECDSASignatureMessageX962SHA512: SecKeyAlgorithm { .ecdsaSignatureMessageX962SHA512 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestRFC4754SHA1")
public var kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA1: SecKeyAlgorithm { .ecdsaSignatureDigestRFC4754SHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestRFC4754SHA224")
public var kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA224: SecKeyAlgorithm { .ecdsaSignatureDigestRFC4754SHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestRFC4754SHA256")
public var kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA256: SecKeyAlgorithm { .ecdsaSignatureDigestRFC4754SHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestRFC4754SHA384")
public var kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA384: SecKeyAlgorithm { .ecdsaSignatureDigestRFC4754SHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureDigestRFC4754SHA512")
public var kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA512: SecKeyAlgorithm { .ecdsaSignatureDigestRFC4754SHA512 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA1")
public var kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA1: SecKeyAlgorithm { .ecdsaSignatureMessageRFC4754SHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA224")
public var kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA224: SecKeyAlgorithm { .ecdsaSignatureMessageRFC4754SHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA256")
public var kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA256: SecKeyAlgorithm { .ecdsaSignatureMessageRFC4754SHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA384")
public var kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA384: SecKeyAlgorithm { .ecdsaSignatureMessageRFC4754SHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA512")
public var kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA512: SecKeyAlgorithm { .ecdsaSignatureMessageRFC4754SHA512 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.edDSASignatureMessageCurve25519SHA512")
public var kSecKeyAlgorithmEdDSASignatureMessageCurve25519SHA512: SecKeyAlgorithm {
    .edDSASignatureMessageCurve25519SHA512
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionRaw")
public var kSecKeyAlgorithmRSAEncryptionRaw: SecKeyAlgorithm { .rsaEncryptionRaw }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionPKCS1")
public var kSecKeyAlgorithmRSAEncryptionPKCS1: SecKeyAlgorithm { .rsaEncryptionPKCS1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionOAEPSHA1")
public var kSecKeyAlgorithmRSAEncryptionOAEPSHA1: SecKeyAlgorithm { .rsaEncryptionOAEPSHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionOAEPSHA224")
public var kSecKeyAlgorithmRSAEncryptionOAEPSHA224: SecKeyAlgorithm { .rsaEncryptionOAEPSHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionOAEPSHA256")
public var kSecKeyAlgorithmRSAEncryptionOAEPSHA256: SecKeyAlgorithm { .rsaEncryptionOAEPSHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionOAEPSHA384")
public var kSecKeyAlgorithmRSAEncryptionOAEPSHA384: SecKeyAlgorithm { .rsaEncryptionOAEPSHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionOAEPSHA512")
public var kSecKeyAlgorithmRSAEncryptionOAEPSHA512: SecKeyAlgorithm { .rsaEncryptionOAEPSHA512 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionOAEPSHA1AESGCM")
public var kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM: SecKeyAlgorithm { .rsaEncryptionOAEPSHA1AESGCM }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionOAEPSHA224AESGCM")
public var kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM: SecKeyAlgorithm { .rsaEncryptionOAEPSHA224AESGCM }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionOAEPSHA256AESGCM")
public var kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM: SecKeyAlgorithm { .rsaEncryptionOAEPSHA256AESGCM }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionOAEPSHA384AESGCM")
public var kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM: SecKeyAlgorithm { .rsaEncryptionOAEPSHA384AESGCM }
@available(*, unavailable, renamed: "SecKeyAlgorithm.rsaEncryptionOAEPSHA512AESGCM")
public var kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM: SecKeyAlgorithm { .rsaEncryptionOAEPSHA512AESGCM }
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionStandardX963SHA1AESGCM")
public var kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM: SecKeyAlgorithm {
    .eciesEncryptionStandardX963SHA1AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionStandardX963SHA224AESGCM")
public var kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM: SecKeyAlgorithm {
    .eciesEncryptionStandardX963SHA224AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM")
public var kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM: SecKeyAlgorithm {
    .eciesEncryptionStandardX963SHA256AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionStandardX963SHA384AESGCM")
public var kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM: SecKeyAlgorithm {
    .eciesEncryptionStandardX963SHA384AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionStandardX963SHA512AESGCM")
public var kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM: SecKeyAlgorithm {
    .eciesEncryptionStandardX963SHA512AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionCofactorX963SHA1AESGCM")
public var kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM: SecKeyAlgorithm {
    .eciesEncryptionCofactorX963SHA1AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionCofactorX963SHA224AESGCM")
public var kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM: SecKeyAlgorithm {
    .eciesEncryptionCofactorX963SHA224AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionCofactorX963SHA256AESGCM")
public var kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM: SecKeyAlgorithm {
    .eciesEncryptionCofactorX963SHA256AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionCofactorX963SHA384AESGCM")
public var kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM: SecKeyAlgorithm {
    .eciesEncryptionCofactorX963SHA384AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionCofactorX963SHA512AESGCM")
public var kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM: SecKeyAlgorithm {
    .eciesEncryptionCofactorX963SHA512AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA224AESGCM")
public var kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM: SecKeyAlgorithm {
    .eciesEncryptionStandardVariableIVX963SHA224AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM")
public var kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM: SecKeyAlgorithm {
    .eciesEncryptionStandardVariableIVX963SHA256AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA384AESGCM")
public var kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM: SecKeyAlgorithm {
    .eciesEncryptionStandardVariableIVX963SHA384AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA512AESGCM")
public var kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM: SecKeyAlgorithm {
    .eciesEncryptionStandardVariableIVX963SHA512AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA224AESGCM")
public var kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM: SecKeyAlgorithm {
    .eciesEncryptionCofactorVariableIVX963SHA224AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM")
public var kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM: SecKeyAlgorithm {
    .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA384AESGCM")
public var kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM: SecKeyAlgorithm {
    .eciesEncryptionCofactorVariableIVX963SHA384AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA512AESGCM")
public var kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM: SecKeyAlgorithm {
    .eciesEncryptionCofactorVariableIVX963SHA512AESGCM
}
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeStandard")
public var kSecKeyAlgorithmECDHKeyExchangeStandard: SecKeyAlgorithm { .ecdhKeyExchangeStandard }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA1")
public var kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1: SecKeyAlgorithm { .ecdhKeyExchangeStandardX963SHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA224")
public var kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224: SecKeyAlgorithm { .ecdhKeyExchangeStandardX963SHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256")
public var kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256: SecKeyAlgorithm { .ecdhKeyExchangeStandardX963SHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA384")
public var kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384: SecKeyAlgorithm { .ecdhKeyExchangeStandardX963SHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA512")
public var kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512: SecKeyAlgorithm { .ecdhKeyExchangeStandardX963SHA512 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeCofactor")
public var kSecKeyAlgorithmECDHKeyExchangeCofactor: SecKeyAlgorithm { .ecdhKeyExchangeCofactor }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA1")
public var kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1: SecKeyAlgorithm { .ecdhKeyExchangeCofactorX963SHA1 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA224")
public var kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224: SecKeyAlgorithm { .ecdhKeyExchangeCofactorX963SHA224 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA256")
public var kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256: SecKeyAlgorithm { .ecdhKeyExchangeCofactorX963SHA256 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA384")
public var kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384: SecKeyAlgorithm { .ecdhKeyExchangeCofactorX963SHA384 }
@available(*, unavailable, renamed: "SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA512")
public var kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512: SecKeyAlgorithm { .ecdhKeyExchangeCofactorX963SHA512 }
