// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainTesting
import Security
import SecurityValues
import Testing

/// Private keys of which a program has an object, and the service everything.
struct HeldKeyTests {
    private let keychain: InMemoryKeychain

    init() throws { keychain = try InMemoryKeychain() }

    private func newHeldKey(_ type: CFString, _ size: Int, _ more: [CFString: Any] = [:]) throws -> SecKey {
        let half = more.merging([kSecAttrIsPermanent: true, kSecAttrIsExtractable: false]) { given, _ in given }
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: type, kSecAttrKeySizeInBits: size, kSecPrivateKeyAttrs: half,
        ]
        var error: Unmanaged<CFError>?
        let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
        #expect(error == nil)
        return try #require(key)
    }

    private func find(_ more: [CFString: Any]) throws -> CFTypeRef {
        var found: CFTypeRef?
        let status = SecItemCopyMatching(more.merging([kSecClass: kSecClassKey]) { $1 } as CFDictionary, &found)
        #expect(status == errSecSuccess)
        return try #require(found)
    }

    private func status(of body: (inout Unmanaged<CFError>?) -> Any?) -> OSStatus {
        var error: Unmanaged<CFError>?
        #expect(body(&error) == nil)
        guard let object = error?.takeRetainedValue() else { return errSecSuccess }
        #expect(object.domain == NSOSStatusErrorDomain)
        return OSStatus(object.code)
    }

    @Test(arguments: [
        (kSecAttrKeyTypeEC as String, 256, SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256),
        (kSecAttrKeyTypeEd25519 as String, 256, .edDSASignatureMessageCurve25519SHA512),
        (kSecAttrKeyTypeRSA as String, 2048, .rsaSignatureMessagePSSSHA256),
    ])
    func `a key that is not extractable is made and signs in the service`(
        type: String, size: Int, algorithm: SecKeyAlgorithm
    ) throws {
        try keychain.run {
            let key = try newHeldKey(type as CFString, size)
            let stored = try #require(try find([kSecReturnRef: true]) as? SecKey)
            #expect(stored == key)
            #expect(CFHash(stored) == CFHash(key))
            #expect("\(stored)" == "\(key)" && "\(key)".contains("in the keychain"))
            let publicKey = try #require(SecKeyCopyPublicKey(stored))
            #expect(publicKey != stored)
            #expect(SecKeyGetBlockSize(stored) == size / 8)
            for message in [Data(), Data("hello".utf8), Data(count: 100_000)] {
                let signature = try #require(SecKeyCreateSignature(stored, algorithm, message as CFData, nil))
                #expect(SecKeyVerifySignature(publicKey, algorithm, message as CFData, signature, nil))
                #expect(!SecKeyVerifySignature(publicKey, algorithm, Data([1]) as CFData, signature, nil))
            }
            #expect(keychain.auditLog.contains { $0.contains("generate-key") })
        }
    }

    @Test func `what an algorithm can do with a key is known without the service`() throws {
        let (inService, inMemory) = try keychain.run {
            let parameters = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 1024] as [CFString: Any]
            return (
                try [newHeldKey(kSecAttrKeyTypeEC, 384), newHeldKey(kSecAttrKeyTypeRSA, 1024)],
                [
                    try #require(
                        SecKeyCreateRandomKey(
                            [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 384] as [CFString: Any]
                                as CFDictionary, nil)),
                    try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil)),
                ]
            )
        }
        let operations: [SecKeyOperationType] = [.sign, .verify, .encrypt, .decrypt, .keyExchange]
        let algorithms: [SecKeyAlgorithm] = [
            .ecdsaSignatureMessageX962SHA256, .ecdsaSignatureDigestRFC4754SHA384, .ecdsaSignatureMessageX962SHA224,
            .rsaSignatureMessagePSSSHA512, .rsaSignatureDigestPKCS1v15SHA256, .rsaSignatureRaw,
            .rsaEncryptionOAEPSHA256,
            .rsaEncryptionOAEPSHA512, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM, .ecdhKeyExchangeStandard,
            .ecdhKeyExchangeCofactorX963SHA512, .edDSASignatureMessageCurve25519SHA512,
        ]
        // The service does not use chatelaine-crypto.
        CryptoHelper.$current.withValue(CryptoHelper(ask: nil)) {
            for (held, other) in zip(inService, inMemory) {
                for operation in operations {
                    for algorithm in algorithms {
                        #expect(
                            SecKeyIsAlgorithmSupported(held, operation, algorithm)
                                == SecKeyIsAlgorithmSupported(other, operation, algorithm), "\(operation) \(algorithm)")
                    }
                }
            }
        }
    }

    @Test func `the private half cannot be exported, returned or copied`() throws {
        try keychain.run {
            for (attribute, expected) in [
                ([kSecAttrIsExtractable: false], errSecDataNotAvailable),
                ([kSecAttrIsSensitive: true], errSecKeyIsSensitive),
            ] {
                var more: [CFString: Any] = [kSecAttrIsExtractable: true]
                more.merge(attribute) { $1 }
                let key = try newHeldKey(kSecAttrKeyTypeEC, 256, more)
                #expect(status { SecKeyCopyExternalRepresentation(key, &$0) } == expected)
                var result: CFTypeRef?
                for parts in [
                    [kSecReturnData], [kSecReturnData, kSecReturnRef], [kSecReturnData, kSecReturnAttributes],
                ] {
                    var query: [CFString: Any] = [kSecClass: kSecClassKey]
                    for part in parts { query[part] = true }
                    #expect(SecItemCopyMatching(query as CFDictionary, &result) == expected)
                    #expect(result == nil)
                }
                #expect(SecItemAdd([kSecValueRef: key] as CFDictionary, nil) == errSecDuplicateItem)
                #expect(
                    SecItemAdd(
                        [kSecValueRef: key, kSecAttrApplicationTag: "copy"] as [CFString: Any] as CFDictionary, nil)
                        == errSecDuplicateItem)
                #expect(SecItemDelete([kSecValueRef: key] as CFDictionary) == errSecSuccess)
            }
        }
    }

    @Test func `the attributes describe the stored key, and find it again`() throws {
        try keychain.run {
            let tag = Data("tag".utf8)
            let key = try newHeldKey(
                kSecAttrKeyTypeEC, 256, [kSecAttrApplicationTag: tag, kSecAttrLabel: "L", kSecAttrCanDerive: false])
            let own = try #require(SecKeyCopyAttributes(key) as? [String: Any])
            #expect(own["extr"] as? Int == 0 && own["next"] as? Int == 1 && own["sens"] as? Int == 0)
            #expect(own["drve"] as? Int == 0 && own["sign"] as? Int == 1 && own["kcls"] as? String == "1")
            let result = try find([kSecAttrApplicationTag: tag, kSecReturnAttributes: true, kSecReturnRef: true])
            let stored = try #require(result as? [String: Any])
            #expect(stored["klbl"] as? Data == own["klbl"] as? Data)
            #expect(stored["labl"] as? String == "L")
            #expect(stored["extr"] as? Int == 0)
            #expect(stored["v_Data"] == nil)
            #expect(stored["v_Ref"] as? SecKey == key)
            #expect(
                SecItemUpdate([kSecValueRef: key] as CFDictionary, [kSecAttrLabel: "M"] as CFDictionary)
                    == errSecSuccess)
            #expect(
                SecItemUpdate([kSecValueRef: key] as CFDictionary, [kSecAttrIsExtractable: true] as CFDictionary)
                    == errSecParam)
        }
    }

    @Test func `an agreement and a decryption are made in the service`() throws {
        try keychain.run {
            let key = try newHeldKey(kSecAttrKeyTypeEC, 256)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let peer = try #require(
                SecKeyCreateRandomKey(
                    [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as [CFString: Any] as CFDictionary,
                    nil))
            let peersPublicKey = try #require(SecKeyCopyPublicKey(peer))
            let parameters: [CFString: Any] = [
                SecKeyKeyExchangeParameter.requestedSize.rawValue: 48,
                SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
            ]
            for algorithm in [SecKeyAlgorithm.ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactorX963SHA256] {
                let ours = SecKeyCopyKeyExchangeResult(key, algorithm, peersPublicKey, parameters as CFDictionary, nil)
                let theirs = SecKeyCopyKeyExchangeResult(peer, algorithm, publicKey, parameters as CFDictionary, nil)
                #expect(ours != nil && ours as Data? == theirs as Data?)
            }
            let ecies = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
            let encrypted = try #require(SecKeyCreateEncryptedData(publicKey, ecies, Data("hello".utf8) as CFData, nil))
            #expect(SecKeyCreateDecryptedData(key, ecies, encrypted, nil) as Data? == Data("hello".utf8))
            var damaged = encrypted as Data
            damaged[damaged.endIndex - 1] ^= 1
            #expect(status { SecKeyCreateDecryptedData(key, ecies, damaged as CFData, &$0) } == errSecParam)
            for size in [0, -1, 1 << 33] {
                let wrong = [SecKeyKeyExchangeParameter.requestedSize.rawValue: size] as CFDictionary
                #expect(
                    status {
                        SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandardX963SHA256, peersPublicKey, wrong, &$0)
                    } == errSecParam)
            }
            let other = try #require(
                SecKeyCopyPublicKey(try newHeldKey(kSecAttrKeyTypeX25519, 256)))
            #expect(
                status { SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, &$0) }
                    == errSecParam)
        }
    }

    @Test func `a use that was forbidden does not work, in the service or in memory`() throws {
        try keychain.run {
            let forbidden: [CFString: Any] = [
                kSecAttrCanSign: false, kSecAttrCanDecrypt: false, kSecAttrCanDerive: false,
            ]
            let held = try newHeldKey(kSecAttrKeyTypeEC, 256, forbidden)
            let transient = try #require(
                SecKeyCreateRandomKey(
                    forbidden.merging([kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256]) { $1 }
                        as CFDictionary, nil))
            #expect(
                SecItemAdd([kSecValueRef: transient, kSecAttrLabel: "open"] as [CFString: Any] as CFDictionary, nil)
                    == errSecSuccess)
            let stored = try #require(try find([kSecAttrLabel: "open", kSecReturnRef: true]) as? SecKey)
            for key in [held, transient, stored] {
                let publicKey = try #require(SecKeyCopyPublicKey(key))
                let sign = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
                let ecies = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
                let message = Data("hello".utf8) as CFData
                #expect(!SecKeyIsAlgorithmSupported(key, .sign, sign))
                #expect(!SecKeyIsAlgorithmSupported(key, .decrypt, ecies))
                #expect(!SecKeyIsAlgorithmSupported(key, .keyExchange, .ecdhKeyExchangeStandard))
                #expect(SecKeyIsAlgorithmSupported(publicKey, .verify, sign))
                #expect(status { SecKeyCreateSignature(key, sign, message, &$0) } == errSecKeyUsageIncorrect)
                let encrypted = try #require(SecKeyCreateEncryptedData(publicKey, ecies, message, nil))
                #expect(status { SecKeyCreateDecryptedData(key, ecies, encrypted, &$0) } == errSecKeyUsageIncorrect)
                #expect(
                    status {
                        SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, publicKey, [:] as CFDictionary, &$0)
                    }
                        == errSecKeyUsageIncorrect)
            }
        }
    }

    @Test func `a public key that was made for one use has no other`() throws {
        let key = try #require(
            SecKeyCreateRandomKey(
                [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as [CFString: Any] as CFDictionary, nil
            ))
        let bytes = try #require(SecKeyCopyPublicKey(key).flatMap { SecKeyCopyExternalRepresentation($0, nil) })
        let publicKey = try #require(
            SecKeyCreateWithData(
                bytes,
                [
                    kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPublic,
                    kSecAttrCanEncrypt: false,
                ]
                    as [CFString: Any] as CFDictionary, nil))
        let ecies = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
        #expect(!SecKeyIsAlgorithmSupported(publicKey, .encrypt, ecies))
        #expect(SecKeyIsAlgorithmSupported(publicKey, .verify, .ecdsaSignatureMessageX962SHA256))
        #expect(status { SecKeyCreateEncryptedData(publicKey, ecies, bytes, &$0) } == errSecKeyUsageIncorrect)
    }

    @Test func `a key in memory that is not extractable is not written, and is stored to be held`() throws {
        try keychain.run {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrIsExtractable: false,
            ]
            let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
            #expect(status { SecKeyCopyExternalRepresentation(key, &$0) } == errSecDataNotAvailable)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecKeyCopyExternalRepresentation(publicKey, nil) != nil)
            var added: CFTypeRef?
            #expect(
                SecItemAdd([kSecValueRef: key, kSecReturnRef: true] as [CFString: Any] as CFDictionary, &added)
                    == errSecSuccess)
            let stored = try #require(added as? SecKey)
            #expect(stored == key)
            #expect("\(stored)".contains("in the keychain"))
            let message = Data("hello".utf8) as CFData
            let signature = try #require(SecKeyCreateSignature(stored, .ecdsaSignatureMessageX962SHA256, message, nil))
            #expect(SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, nil))
        }
    }

    @Test func `both halves of a pair are stored, or none`() throws {
        try keychain.run {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrIsPermanent: true,
                kSecAttrIsExtractable: false,
            ]
            var halves: (SecKey?, SecKey?)
            #expect(SecKeyGeneratePair(parameters as CFDictionary, &halves.0, &halves.1) == errSecSuccess)
            let found = try find([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]) as? [SecKey] ?? []
            #expect(Set(found) == Set([halves.0, halves.1].compactMap(\.self)))
            #expect(halves.0.flatMap { SecKeyCopyExternalRepresentation($0, nil) } != nil)
            let refused = parameters.merging([kSecPublicKeyAttrs: [kSecAttrAccessGroup: "foreign"] as CFDictionary]) {
                $1
            }
            #expect(status { SecKeyCreateRandomKey(refused as CFDictionary, &$0) } == errSecMissingEntitlement)
            let rest = try find([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]) as? [SecKey] ?? []
            #expect(rest.count == 2)
        }
    }

    @Test func `a key that is gone or locked is not used`() async throws {
        let key = try keychain.run { try newHeldKey(kSecAttrKeyTypeEC, 256) }
        let message = Data("hello".utf8) as CFData
        func signing() -> OSStatus {
            keychain.run { status { SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, &$0) } }
        }
        try await keychain.setPasscode(SecretData(utf8: "1234"))
        try await keychain.keychain.administration.lock()
        #expect(signing() == errSecInteractionNotAllowed)
        #expect(SecKeyCopyPublicKey(key) != nil && SecKeyGetBlockSize(key) == 32)
        try await keychain.keychain.administration.unlock(passcode: SecretData(utf8: "1234"))
        keychain.run { #expect(SecItemDelete([kSecValueRef: key] as CFDictionary) == errSecSuccess) }
        #expect(signing() == errSecItemNotFound)
    }

    @Test func `what a key is for is said by truth values`() throws {
        for value in ["yes", 2, Data([1]), Date()] as [Any] {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrCanSign: value,
            ]
            #expect(status { SecKeyCreateRandomKey(parameters as CFDictionary, &$0) } == errSecParam)
        }
    }
}
