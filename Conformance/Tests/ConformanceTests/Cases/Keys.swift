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

        @Test("C122 both halves of a pair are added and deleted", arguments: ["42", "73"])
        func c122(_ type: String) throws {
            let key = try newKey(type as CFString, type == "42" ? 2048 : 256)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            for half in [key, publicKey] {
                #expect(SecItemAdd([kSecValueRef: half] as CFDictionary, nil) == errSecSuccess)
                #expect(SecItemAdd([kSecValueRef: half] as CFDictionary, nil) == errSecDuplicateItem)
            }
            var found: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnRef: true,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            #expect(found as? SecKey == key)
            for half in [key, publicKey] {
                #expect(SecItemDelete([kSecValueRef: half] as CFDictionary) == errSecSuccess)
            }
            #expect(probe([kSecClass: kSecClassKey] as CFDictionary) == errSecItemNotFound)
        }

        @Test("C121 a permanent key that cannot be stored is nil and an error")
        func c121() throws {
            var error: Unmanaged<CFError>?
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrIsPermanent: true,
                kSecAttrAccessGroup: "somebody.elses",
            ]
            #expect(SecKeyCreateRandomKey(parameters as CFDictionary, &error) == nil)
            #expect(error?.takeRetainedValue().code == Int(errSecMissingEntitlement))
            #expect(probe([kSecClass: kSecClassKey] as CFDictionary) == errSecItemNotFound)
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
