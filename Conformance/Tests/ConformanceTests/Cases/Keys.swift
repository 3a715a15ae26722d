// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    @Suite struct `Keys` {
        private func newKey(_ type: CFString, _ size: Int, _ more: [CFString: Any] = [:]) throws -> SecKey {
            let parameters = more.merging([kSecAttrKeyType: type, kSecAttrKeySizeInBits: size]) { $1 }
            return try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
        }

        @Test("C122 both halves of a pair are added, found and deleted by reference", arguments: ["42", "73"])
        func c122(_ type: String) throws {
            let key = try newKey(type as CFString, type == "42" ? 2048 : 256)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            for half in [key, publicKey] {
                add([kSecValueRef: half] as CFDictionary)
                #expect(SecItemAdd([kSecValueRef: half] as CFDictionary, nil) == errSecDuplicateItem)
                #expect(find([kSecValueRef: half, kSecReturnRef: true] as CFDictionary) as? SecKey == half)
            }
            var found: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnRef: true,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            #expect(found as? SecKey == key)
            for half in [key, publicKey] {
                #expect(SecItemDelete([kSecValueRef: half] as CFDictionary) == errSecSuccess)
                #expect(SecItemDelete([kSecValueRef: half] as CFDictionary) == errSecItemNotFound)
            }
            #expect(probe([kSecClass: kSecClassKey] as CFDictionary) == errSecItemNotFound)
        }

        @Test("C121 a permanent key that cannot be stored is nil and an error, and leaves no half behind")
        func c121() throws {
            let foreign: [CFString: Any] = [kSecAttrAccessGroup: "com.example.foreign"]
            let places: [[CFString: Any]] = [foreign, [kSecPrivateKeyAttrs: foreign], [kSecPublicKeyAttrs: foreign]]
            for place in places {
                var error: Unmanaged<CFError>?
                let parameters = place.merging([
                    kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrIsPermanent: true,
                ]) { $1 }
                #expect(SecKeyCreateRandomKey(parameters as CFDictionary, &error) == nil)
                #expect(error?.takeRetainedValue().code == Int(errSecMissingEntitlement))
                #expect(probe([kSecClass: kSecClassKey] as CFDictionary) == errSecItemNotFound)
            }
        }

        @Test("C120 attributes are read with plain strings as with the constants")
        func c120() throws {
            let attributes = try #require(SecKeyCopyAttributes(newKey(kSecAttrKeyTypeECSECPrimeRandom, 256)))
            let native = try #require(attributes as? [String: Any])
            for name in [kSecAttrKeyClass, kSecAttrKeyType, kSecAttrKeySizeInBits, kSecAttrApplicationLabel] {
                let byConstant = try #require((attributes as NSDictionary)[name] as? NSObject)
                #expect(
                    native[name as String] as? NSObject == byConstant || "\(native[name as String]!)" == "\(byConstant)"
                )
            }
            #expect(native[kSecAttrKeyClass as String] as? String == kSecAttrKeyClassPrivate as String)
        }

        @Test("C123 private keys on curves sign and do not verify, public ones verify and do not sign")
        func c123() throws {
            let key = try newKey(kSecAttrKeyTypeECSECPrimeRandom, 256)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
            #expect(!SecKeyIsAlgorithmSupported(key, .verify, algorithm))
            #expect(SecKeyIsAlgorithmSupported(publicKey, .verify, algorithm))
            #expect(!SecKeyIsAlgorithmSupported(publicKey, .sign, algorithm))
        }

        @Test("C124 both sides agree on a secret of the requested length")
        func c124() throws {
            let keys = try [newKey(kSecAttrKeyTypeECSECPrimeRandom, 256), newKey(kSecAttrKeyTypeECSECPrimeRandom, 256)]
            let publicKeys = try keys.map { try #require(SecKeyCopyPublicKey($0)) }
            let parameters: [CFString: Any] = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 40]
            let algorithm = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
            let secrets = zip(keys, publicKeys.reversed()).map {
                SecKeyCopyKeyExchangeResult($0, algorithm, $1, parameters as CFDictionary, nil) as Data?
            }
            #expect(secrets[0]?.count == 40 && secrets[0] == secrets[1])
        }

        @Test("C125 what was not encrypted with the public half is an error")
        func c125() throws {
            let key = try newKey(kSecAttrKeyTypeECSECPrimeRandom, 256)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let algorithm = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
            let message = Data("hello".utf8) as CFData
            let encrypted = try #require(SecKeyCreateEncryptedData(publicKey, algorithm, message, nil)) as Data
            #expect(SecKeyCreateDecryptedData(key, algorithm, encrypted as CFData, nil) as Data? == Data("hello".utf8))
            for count in 0..<encrypted.count {
                var error: Unmanaged<CFError>?
                #expect(SecKeyCreateDecryptedData(key, algorithm, encrypted.prefix(count) as CFData, &error) == nil)
                #expect(error?.takeRetainedValue() != nil)
            }
        }

        @Test("a permanent key that is not extractable signs, and is not exported")
        func heldKey() throws {
            let key = try newKey(
                kSecAttrKeyTypeEC, 256,
                [kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrIsExtractable: false] as CFDictionary])
            var found: CFTypeRef?
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecReturnRef: true]
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            let stored = try #require(found as? SecKey)
            #expect(stored == key)
            let message = Data("hello".utf8) as CFData
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let signature = try #require(SecKeyCreateSignature(stored, algorithm, message, nil))
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, nil))
            var error: Unmanaged<CFError>?
            #expect(SecKeyCopyExternalRepresentation(stored, &error) == nil)
            #expect(error?.takeRetainedValue().code == Int(errSecDataNotAvailable))
        }

        @Test("a permanent key signs after it was found again")
        func permanentKey() throws {
            let tag = Data("signing".utf8)
            let key = try newKey(
                kSecAttrKeyTypeEC, 384, [kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]])
            let query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnRef: true,
            ]
            var found: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            let stored = try #require(found as? SecKey)
            let message = Data("hello".utf8) as CFData
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA384
            let signature = try #require(SecKeyCreateSignature(stored, algorithm, message, nil))
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, nil))
        }
    }
}
