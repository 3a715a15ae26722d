// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Keys and certificates in the keychain, by reference and as data (semantics 1.7, 1.8, 2.3, 2.4, 2.6, 6.1).
struct KeysAndCertificatesTests {
    private let curve: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
    ]

    private func newKey(_ more: [CFString: Any] = [:]) throws -> SecKey {
        try #require(SecKeyCreateRandomKey(curve.merging(more) { $1 } as CFDictionary, nil))
    }

    private func query(_ itemClass: CFString, _ more: [CFString: Any] = [:]) -> CFDictionary {
        more.merging([kSecClass: itemClass]) { given, _ in given } as CFDictionary
    }

    private func attributes(_ query: CFDictionary) throws -> [String: Any] {
        try #require(find(query) as? [String: Any])
    }

    /// C=CH, O=Example House, CN=Ann Example, with an e-mail address and the serial number 12 34 56 78 90.
    private let certificate: SecCertificate = {
        let text = """
            MIIB2TCCAYCgAwIBAgIFEjRWeJAwCgYIKoZIzj0EAwIwOzELMAkGA1UEBhMCQ0gxFjAUBgNVBAoMDUV4YW1wbGUgSG91c2UxFDAS\
            BgNVBAMMC0FubiBFeGFtcGxlMCAXDTI2MTEyMTE2MTYwMloYDzIxMjYxMDI4MTYxNjAyWjA7MQswCQYDVQQGEwJDSDEWMBQGA1UE\
            CgwNRXhhbXBsZSBIb3VzZTEUMBIGA1UEAwwLQW5uIEV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQcI2mW9UiyyYMY\
            MGfjH9GGPvhcNvfhbLlFFMCnRstHipMcUF8Yp6CCejQ7AAXAZVuBOfRdqSmXJYUWrenOlws5o28wbTAdBgNVHQ4EFgQUZx/2ke9I\
            EfSH/6l7VNazkel9EDEwHwYDVR0jBBgwFoAUZx/2ke9IEfSH/6l7VNazkel9EDEwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzAR\
            gQ9hbm5AZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDRwAwRAIgEsplHdhwNC5/GO/5oMnxhW7PWRziohnHiPVuadvvcQACIH5rknnv\
            FGPhpYbMLc3jiagX8kvOvSZKkfYfrF+qjq7U
            """
        return SecCertificateCreateWithData(nil, Data(base64Encoded: text)! as CFData)!
    }()

    // MARK: Keys

    @Test func `C122: both halves of a pair are stored by reference, found and deleted`() throws {
        try onEmptyKeychain {
            let key = try newKey()
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            for half in [key, publicKey] {
                add([kSecValueRef: half] as CFDictionary)
                #expect(SecItemAdd([kSecValueRef: half] as CFDictionary, nil) == errSecDuplicateItem)
                #expect(find([kSecValueRef: half, kSecReturnRef: true] as CFDictionary) as? SecKey == half)
            }
            for half in [key, publicKey] {
                #expect(SecItemDelete([kSecValueRef: half] as CFDictionary) == errSecSuccess)
                #expect(SecItemDelete([kSecValueRef: half] as CFDictionary) == errSecItemNotFound)
            }
        }
    }

    @Test func `a stored key is found by tag, class and label, and signs`() throws {
        try onEmptyKeychain {
            let tag = Data("org.example.signing".utf8)
            let key = try newKey()
            add([kSecValueRef: key, kSecAttrApplicationTag: tag, kSecAttrLabel: "Signing"] as CFDictionary)
            let byTag = query(kSecClassKey, [kSecAttrApplicationTag: tag, kSecReturnRef: true])
            let found = try #require(find(byTag) as? SecKey)
            let message = Data("hello".utf8) as CFData
            let signature = try #require(SecKeyCreateSignature(found, .ecdsaSignatureMessageX962SHA256, message, nil))
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, nil))
            #expect(probe(query(kSecClassKey, [kSecAttrKeyClass: kSecAttrKeyClassPrivate])) == errSecSuccess)
            #expect(probe(query(kSecClassKey, [kSecAttrKeyClass: kSecAttrKeyClassPublic])) == errSecItemNotFound)
            #expect(probe(query(kSecClassKey, [kSecAttrLabel: "Signing"])) == errSecSuccess)
            let facts = try attributes(query(kSecClassKey, [kSecReturnAttributes: true]))
            #expect(facts[kSecAttrApplicationTag as String] as? Data == tag)
            #expect(facts[kSecAttrKeySizeInBits as String] as? Int == 256)
            let own = try #require(SecKeyCopyAttributes(key) as? [String: Any])
            #expect(
                facts[kSecAttrApplicationLabel as String] as? Data == own[kSecAttrApplicationLabel as String] as? Data)
        }
    }

    @Test func `keys with other tags are other keys`() throws {
        try onEmptyKeychain {
            let key = try newKey()
            for tag in ["a", "b"] { add([kSecValueRef: key, kSecAttrApplicationTag: Data(tag.utf8)] as CFDictionary) }
            let all = query(kSecClassKey, [kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true])
            #expect((find(all) as? [SecKey])?.count == 2)
            #expect(SecItemDelete(query(kSecClassKey, [kSecAttrApplicationTag: Data("a".utf8)])) == errSecSuccess)
            #expect(find(all) as? [SecKey] == [key])
        }
    }

    @Test func `a permanent key is stored when it is made, with the attributes of its half`() throws {
        try onEmptyKeychain {
            let tag = Data("permanent".utf8)
            let key = try newKey([kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]])
            let all = query(kSecClassKey, [kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true])
            #expect(find(all) as? [SecKey] == [key])
            #expect(probe(query(kSecClassKey, [kSecAttrApplicationTag: tag])) == errSecSuccess)
            let pair = try newKey([kSecAttrIsPermanent: true])
            let publicKey = try #require(SecKeyCopyPublicKey(pair))
            #expect(Set(try #require(find(all) as? [SecKey])) == [key, pair, publicKey])
        }
    }

    @Test func `C121: a permanent key that cannot be stored is nil and an error, and leaves no half behind`() throws {
        try onEmptyKeychain {
            for half in [kSecPrivateKeyAttrs, kSecPublicKeyAttrs] {
                var error: Unmanaged<CFError>?
                let parameters = curve.merging([
                    kSecAttrIsPermanent: true, half: [kSecAttrAccessGroup: "somebody.elses"],
                ]) { $1 }
                #expect(SecKeyCreateRandomKey(parameters as CFDictionary, &error) == nil)
                #expect(error?.takeRetainedValue().code == Int(errSecMissingEntitlement))
                #expect(probe(query(kSecClassKey)) == errSecItemNotFound)
            }
        }
    }

    @Test func `bytes without type and class come back as the key that they are`() throws {
        try onEmptyKeychain {
            let key = try newKey()
            let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
            add(query(kSecClassKey, [kSecValueData: bytes, kSecAttrApplicationTag: Data([1])]))
            #expect(find(query(kSecClassKey, [kSecReturnRef: true])) as? SecKey == key)
            #expect(find(query(kSecClassKey, [kSecReturnData: true])) as? Data == bytes)
            // Data that is not a key has no reference, but can be read.
            add(query(kSecClassKey, [kSecValueData: Data("no key".utf8), kSecAttrApplicationTag: Data([2])]))
            let other: [CFString: Any] = [kSecAttrApplicationTag: Data([2])]
            #expect(find(query(kSecClassKey, other.merging([kSecReturnRef: true]) { $1 })) == nil)
            let dictionary = try attributes(
                query(kSecClassKey, other.merging([kSecReturnRef: true, kSecReturnData: true]) { $1 }))
            #expect(dictionary[kSecValueData as String] as? Data == Data("no key".utf8))
            #expect(dictionary[kSecValueRef as String] == nil)
        }
    }

    @Test func `data, attributes and reference come in one dictionary`() throws {
        try onEmptyKeychain {
            let key = try newKey()
            add([kSecValueRef: key, kSecAttrLabel: "k"] as CFDictionary)
            let both = try attributes(query(kSecClassKey, [kSecReturnRef: true, kSecReturnAttributes: true]))
            #expect(both[kSecValueRef as String] as? SecKey == key)
            #expect(both[kSecClass as String] as? String == kSecClassKey as String)
            #expect(both[kSecAttrLabel as String] as? String == "k" && both[kSecValueData as String] == nil)
            let reference = try attributes(query(kSecClassKey, [kSecReturnRef: true, kSecReturnPersistentRef: true]))
            #expect(reference.keys.sorted() == ["class", "v_PersistentRef", "v_Ref"])
            let persistent = try #require(reference[kSecValuePersistentRef as String] as? Data)
            #expect(persistent.count == 20 && persistent.prefix(4) == Data("keys".utf8))
            #expect(find([kSecValuePersistentRef: persistent, kSecReturnRef: true] as CFDictionary) as? SecKey == key)
            let added: [CFString: Any] = [kSecValueRef: try newKey(), kSecReturnRef: true]
            var result: CFTypeRef?
            #expect(SecItemAdd(added as CFDictionary, &result) == errSecSuccess)
            #expect(result as? SecKey == added[kSecValueRef] as? SecKey)
        }
    }

    @Test func `C146: a key that shall not leave the keychain does not`() throws {
        try onEmptyKeychain {
            for attribute in [kSecAttrIsExtractable: false, kSecAttrIsSensitive: true] {
                let item: [CFString: Any] = [
                    kSecValueRef: try newKey(), attribute.key: attribute.value, kSecAttrLabel: attribute.key,
                ]
                add(item as CFDictionary)
                let expected =
                    attribute.key == kSecAttrIsSensitive ? errSecKeyIsSensitive : errSecDataNotAvailable
                let query = query(kSecClassKey, [kSecAttrLabel: attribute.key, kSecReturnData: true])
                #expect(SecItemCopyMatching(query, nil) == errSecSuccess)
                var result: CFTypeRef?
                #expect(SecItemCopyMatching(query, &result) == expected)
                #expect(result == nil)
            }
            add([kSecValueRef: try newKey(), kSecAttrLabel: "open"] as [CFString: Any] as CFDictionary)
            let open = query(kSecClassKey, [kSecAttrLabel: "open"])
            let data = query(kSecClassKey, [kSecAttrLabel: "open", kSecReturnData: true])
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
    }

    // MARK: Certificates

    @Test func `a certificate is stored by reference, with what its bytes say`() throws {
        try onEmptyKeychain {
            add([kSecValueRef: certificate] as CFDictionary)
            #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecDuplicateItem)
            let facts = try attributes(query(kSecClassCertificate, [kSecReturnAttributes: true]))
            #expect(facts[kSecAttrLabel as String] as? String == "Ann Example")
            #expect(facts[kSecAttrSerialNumber as String] as? Data == Data([0x12, 0x34, 0x56, 0x78, 0x90]))
            #expect(facts[kSecAttrCertificateType as String] as? Int == 3)
            #expect(facts[kSecAttrCertificateEncoding as String] as? Int == 3)
            // Certificates are no secrets: they can be read while the keychain is locked.
            #expect(facts[kSecAttrAccessible as String] as? String == kSecAttrAccessibleAlways as String)
            let key = try #require(SecCertificateCopyKey(certificate))
            let hash = (SecKeyCopyAttributes(key) as? [String: Any])?[kSecAttrApplicationLabel as String] as? Data
            #expect(facts[kSecAttrPublicKeyHash as String] as? Data == hash)
            #expect(
                find(query(kSecClassCertificate, [kSecReturnData: true])) as? Data
                    == SecCertificateCopyData(certificate) as Data)
            #expect(find(query(kSecClassCertificate, [kSecReturnRef: true])) as? SecCertificate == certificate)
        }
    }

    @Test func `a certificate is found by its issuer, as stored and as a whole name`() throws {
        try onEmptyKeychain {
            add([kSecValueRef: certificate, kSecAttrLabel: "mine"] as CFDictionary)
            let content = try attributes(query(kSecClassCertificate, [kSecReturnAttributes: true]))
            let sequence = try #require(SecCertificateCopyNormalizedIssuerSequence(certificate)) as Data
            let stored = try #require(content[kSecAttrIssuer as String] as? Data)
            #expect(sequence.suffix(stored.count) == stored && sequence.count > stored.count)
            for issuer in [stored, sequence] {
                #expect(probe(query(kSecClassCertificate, [kSecAttrIssuer: issuer])) == errSecSuccess)
                #expect(probe(query(kSecClassCertificate, [kSecAttrSubject: issuer])) == errSecSuccess)
            }
            #expect(probe(query(kSecClassCertificate, [kSecAttrIssuer: Data([1])])) == errSecItemNotFound)
            #expect(probe(query(kSecClassCertificate, [kSecAttrLabel: "mine"])) == errSecSuccess)
            #expect(SecItemDelete([kSecValueRef: certificate] as CFDictionary) == errSecSuccess)
            #expect(probe(query(kSecClassCertificate)) == errSecItemNotFound)
        }
    }

    @Test func `an object of the wrong class is a parameter error`() throws {
        try onEmptyKeychain {
            let key = try newKey()
            for wrong in [
                [kSecClass: kSecClassCertificate, kSecValueRef: key],
                [kSecClass: kSecClassKey, kSecValueRef: certificate],
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
