// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    /// Keys in the keychain, by reference and as data (semantics 1.7, 2.3, 2.4, 2.6, 6.1).
    @Suite struct `Stored keys` {
        private let curve: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
        ]

        private func newKey(_ more: [CFString: Any] = [:]) throws -> SecKey {
            try #require(SecKeyCreateRandomKey(curve.merging(more) { $1 } as CFDictionary, nil))
        }

        private func query(_ more: [CFString: Any] = [:]) -> CFDictionary {
            more.merging([kSecClass: kSecClassKey]) { given, _ in given } as CFDictionary
        }

        private func attributes(_ query: CFDictionary) throws -> [String: Any] {
            try #require(find(query) as? [String: Any])
        }

        @Test func `a stored key is found by tag, class and label, and signs`() throws {
            let tag = Data("org.example.signing".utf8)
            let key = try newKey()
            add([kSecValueRef: key, kSecAttrApplicationTag: tag, kSecAttrLabel: "Signing"] as CFDictionary)
            let byTag = query([kSecAttrApplicationTag: tag, kSecReturnRef: true])
            let found = try #require(find(byTag) as? SecKey)
            let message = Data("hello".utf8) as CFData
            let signature = try #require(SecKeyCreateSignature(found, .ecdsaSignatureMessageX962SHA256, message, nil))
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, nil))
            #expect(probe(query([kSecAttrKeyClass: kSecAttrKeyClassPrivate])) == errSecSuccess)
            #expect(probe(query([kSecAttrKeyClass: kSecAttrKeyClassPublic])) == errSecItemNotFound)
            #expect(probe(query([kSecAttrLabel: "Signing"])) == errSecSuccess)
            let facts = try attributes(query([kSecReturnAttributes: true]))
            #expect(facts[kSecAttrApplicationTag as String] as? Data == tag)
            #expect(facts[kSecAttrKeySizeInBits as String] as? Int == 256)
            let own = try #require(SecKeyCopyAttributes(key) as? [String: Any])
            #expect(
                facts[kSecAttrApplicationLabel as String] as? Data == own[kSecAttrApplicationLabel as String] as? Data)
        }

        @Test func `keys with other tags are other keys`() throws {
            let key = try newKey()
            for tag in ["a", "b"] { add([kSecValueRef: key, kSecAttrApplicationTag: Data(tag.utf8)] as CFDictionary) }
            let all = query([kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true])
            #expect((find(all) as? [SecKey])?.count == 2)
            #expect(SecItemDelete(query([kSecAttrApplicationTag: Data("a".utf8)])) == errSecSuccess)
            #expect(find(all) as? [SecKey] == [key])
        }

        @Test func `a permanent key is stored when it is made, with the attributes of its half`() throws {
            let tag = Data("permanent".utf8)
            let key = try newKey([kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]])
            let all = query([kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true])
            #expect(find(all) as? [SecKey] == [key])
            #expect(probe(query([kSecAttrApplicationTag: tag])) == errSecSuccess)
            let pair = try newKey([kSecAttrIsPermanent: true])
            let publicKey = try #require(SecKeyCopyPublicKey(pair))
            #expect(Set(try #require(find(all) as? [SecKey])) == [key, pair, publicKey])
        }

        @Test func `bytes without type and class come back as the key that they are`() throws {
            let key = try newKey()
            let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
            add(query([kSecValueData: bytes, kSecAttrApplicationTag: Data([1])]))
            #expect(find(query([kSecReturnRef: true])) as? SecKey == key)
            #expect(find(query([kSecReturnData: true])) as? Data == bytes)
            // Data that is not a key has no reference, but can be read.
            add(query([kSecValueData: Data("no key".utf8), kSecAttrApplicationTag: Data([2])]))
            let other: [CFString: Any] = [kSecAttrApplicationTag: Data([2])]
            #expect(find(query(other.merging([kSecReturnRef: true]) { $1 })) == nil)
            let dictionary = try attributes(
                query(other.merging([kSecReturnRef: true, kSecReturnData: true]) { $1 }))
            #expect(dictionary[kSecValueData as String] as? Data == Data("no key".utf8))
            #expect(dictionary[kSecValueRef as String] == nil)
        }

        @Test func `data, attributes and reference come in one dictionary`() throws {
            let key = try newKey()
            add([kSecValueRef: key, kSecAttrLabel: "k"] as CFDictionary)
            let both = try attributes(query([kSecReturnRef: true, kSecReturnAttributes: true]))
            #expect(both[kSecValueRef as String] as? SecKey == key)
            #expect(both[kSecClass as String] as? String == kSecClassKey as String)
            #expect(both[kSecAttrLabel as String] as? String == "k" && both[kSecValueData as String] == nil)
            let reference = try attributes(query([kSecReturnRef: true, kSecReturnPersistentRef: true]))
            #expect(reference.keys.sorted() == ["class", "v_PersistentRef", "v_Ref"])
            let persistent = try #require(reference[kSecValuePersistentRef as String] as? Data)
            #expect(persistent.count == 20 && persistent.prefix(4) == Data("keys".utf8))
            #expect(find([kSecValuePersistentRef: persistent, kSecReturnRef: true] as CFDictionary) as? SecKey == key)
            let added: [CFString: Any] = [kSecValueRef: try newKey(), kSecReturnRef: true]
            var result: CFTypeRef?
            #expect(SecItemAdd(added as CFDictionary, &result) == errSecSuccess)
            #expect(result as? SecKey == added[kSecValueRef] as? SecKey)
        }

        @Test func `C146 a key that is not extractable, or sensitive, is not returned as data`() throws {
            for attribute in [kSecAttrIsExtractable: false, kSecAttrIsSensitive: true] {
                let item: [CFString: Any] = [
                    kSecValueRef: try newKey(), attribute.key: attribute.value, kSecAttrLabel: attribute.key,
                ]
                add(item as CFDictionary)
                let expected =
                    attribute.key == kSecAttrIsSensitive ? errSecKeyIsSensitive : errSecDataNotAvailable
                let query = query([kSecAttrLabel: attribute.key, kSecReturnData: true])
                #expect(SecItemCopyMatching(query, nil) == errSecSuccess)
                var result: CFTypeRef?
                #expect(SecItemCopyMatching(query, &result) == expected)
                #expect(result == nil)
            }
            add([kSecValueRef: try newKey(), kSecAttrLabel: "open"] as [CFString: Any] as CFDictionary)
            let open = query([kSecAttrLabel: "open"])
            let data = query([kSecAttrLabel: "open", kSecReturnData: true])
            #expect(find(data) as? Data != nil)
            #expect(SecItemUpdate(open, [kSecAttrIsExtractable: false] as CFDictionary) == errSecSuccess)
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(data, &result) == errSecDataNotAvailable)
            #expect(SecItemUpdate(open, [kSecAttrIsExtractable: true] as CFDictionary) == errSecParam)
            let halves = try newKey()
            let publicHalf = try #require(SecKeyCopyPublicKey(halves))
            let item: [CFString: Any] = [kSecValueRef: publicHalf, kSecAttrIsExtractable: false]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecUnimplemented)
        }

        @Test func `an object of the wrong class is a parameter error`() throws {
            let key = try newKey()
            for wrong in [
                [kSecClass: kSecClassCertificate, kSecValueRef: key],
                [kSecClass: kSecClassKey, kSecValueRef: Samples.leaf],
                [kSecClass: kSecClassGenericPassword, kSecValueRef: key],
                [kSecValueRef: "text"],
            ] as [[CFString: Any]] {
                #expect(SecItemAdd(wrong as CFDictionary, nil) == errSecParam)
                #expect(probe(wrong as CFDictionary) == errSecParam)
                #expect(SecItemDelete(wrong as CFDictionary) == errSecParam)
            }
        }
    }
}
