// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainTesting
import Security
import Testing

/// Private keys in the secure enclave's place, with Apple's functions.
struct TokenKeyTests {
    private let keychain: InMemoryKeychain
    private let message = Data("hello".utf8) as CFData

    init() throws { keychain = try InMemoryKeychain() }

    /// As Apple's documentation makes one.
    private func newKey(tag: String = "com.example.key", permanent: Bool? = true) throws -> SecKey {
        var half: [CFString: Any] = [kSecAttrApplicationTag: Data(tag.utf8)]
        half[kSecAttrIsPermanent] = permanent
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: half,
        ]
        var error: Unmanaged<CFError>?
        let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
        #expect(error == nil)
        return try #require(key)
    }

    private func find(_ more: [CFString: Any]) -> CFTypeRef? {
        var found: CFTypeRef?
        SecItemCopyMatching(more.merging([kSecClass: kSecClassKey]) { $1 } as CFDictionary, &found)
        return found
    }

    private func code(_ error: Unmanaged<CFError>?) -> OSStatus {
        error.map { OSStatus($0.takeRetainedValue().code) } ?? errSecSuccess
    }

    @Test(arguments: [true, nil]) func `a key is made, stored and found again`(permanent: Bool?) throws {
        try keychain.run {
            let key = try newKey(permanent: permanent)
            let found = try #require(
                find([kSecReturnRef: true, kSecAttrApplicationTag: Data("com.example.key".utf8)]) as? SecKey)
            #expect(found == key)
            for query in [[kSecAttrTokenID: kSecAttrTokenIDSecureEnclave], [:]] as [[CFString: Any]] {
                #expect(find(query.merging([kSecReturnRef: true]) { $1 }) != nil)
            }
            let attributes = try #require(SecKeyCopyAttributes(found) as? [String: Any])
            #expect(attributes[kSecAttrTokenID as String] as? String == kSecAttrTokenIDSecureEnclave as String)
            #expect(attributes[kSecAttrIsExtractable as String] as? Int == 0)
            #expect(attributes[kSecAttrKeyClass as String] as? String == kSecAttrKeyClassPrivate as String)
            let item = try #require(find([kSecReturnAttributes: true]) as? [String: Any])
            #expect(item[kSecAttrTokenID as String] as? String == kSecAttrTokenIDSecureEnclave as String)
        }
    }

    @Test func `it signs, agrees and decrypts`() throws {
        try keychain.run {
            let key = try newKey()
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let sign = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let signature = try #require(SecKeyCreateSignature(key, sign, message, nil))
            #expect(SecKeyVerifySignature(publicKey, sign, message, signature, nil))
            let ecies = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
            let encrypted = try #require(SecKeyCreateEncryptedData(publicKey, ecies, message, nil))
            #expect(SecKeyCreateDecryptedData(key, ecies, encrypted, nil) as Data? == message as Data)
            let other = try #require(
                SecKeyCreateRandomKey(
                    [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as [CFString: Any] as CFDictionary,
                    nil))
            let nothing = [:] as CFDictionary
            let ours = SecKeyCopyKeyExchangeResult(
                key, .ecdhKeyExchangeStandard, try #require(SecKeyCopyPublicKey(other)), nothing, nil)
            let theirs = SecKeyCopyKeyExchangeResult(other, .ecdhKeyExchangeStandard, publicKey, nothing, nil)
            #expect(ours != nil && ours as Data? == theirs as Data?)
        }
    }

    @Test func `its bytes are never returned, and its public half is returned to every caller`() throws {
        try keychain.run {
            let key = try newKey()
            var error: Unmanaged<CFError>?
            #expect(SecKeyCopyExternalRepresentation(key, &error) == nil)
            #expect(code(error) == errSecUnimplemented)
            let found = try #require(find([kSecReturnRef: true]) as? SecKey)
            error = nil
            #expect(SecKeyCopyExternalRepresentation(found, &error) == nil)
            #expect(code(error) == errSecUnimplemented)
            var data: CFTypeRef?
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecReturnData: true]
            #expect(SecItemCopyMatching(query as CFDictionary, &data) == errSecSuccess)
            #expect(data == nil)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect((SecKeyCopyExternalRepresentation(publicKey, nil) as Data?)?.count == 65)
        }
    }

    @Test func `a search for data returns it without data, and the others with theirs`() throws {
        try keychain.run {
            let key = try newKey()
            let other = try #require(
                SecKeyCreateRandomKey(
                    [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as [CFString: Any] as CFDictionary,
                    nil))
            #expect(SecItemAdd([kSecValueRef: other] as CFDictionary, nil) == errSecSuccess)
            let bytes = try #require(SecKeyCopyExternalRepresentation(other, nil)) as Data
            let all: [CFString: Any] = [kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true]
            #expect(find(all) as? [Data] == [bytes])
            for part in [kSecReturnAttributes, kSecReturnPersistentRef, kSecReturnRef] {
                let found = try #require(find(all.merging([part: true]) { $1 }) as? [[String: Any]])
                #expect(found.count == 2)
                #expect(found.compactMap { $0[kSecValueData as String] as? Data } == [bytes], "\(part)")
                if part == kSecReturnRef {
                    #expect(Set(found.compactMap { $0[kSecValueRef as String] as? SecKey }) == [key, other])
                }
            }
        }
    }

    /// The certificate of the samples with the public key of another key. The keychain does not check the signature.
    private func certificate(of key: SecKey) throws -> SecCertificate {
        func point(_ key: SecKey?) throws -> Data {
            let key = try #require(key)
            return try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
        }
        var bytes = SecCertificateCopyData(Samples.leaf) as Data
        let place = try #require(bytes.range(of: try point(SecCertificateCopyKey(Samples.leaf))))
        bytes.replaceSubrange(place, with: try point(SecKeyCopyPublicKey(key)))
        return try #require(SecCertificateCreateWithData(nil, bytes as CFData))
    }

    @Test func `an identity with such a key has no data`() throws {
        try keychain.run {
            let key = try newKey()
            #expect(SecItemAdd([kSecValueRef: try certificate(of: key)] as CFDictionary, nil) == errSecSuccess)
            var query: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecReturnData: true]
            var found: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            #expect(found == nil)
            query[kSecReturnAttributes] = true
            query[kSecReturnRef] = true
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            let identity = try #require(found as? [String: Any])
            #expect(identity[kSecValueData as String] == nil)
            #expect(identity[kSecAttrIsExtractable as String] as? Int == 0)
            #expect(identity[kSecValueRef as String] is SecIdentity)
        }
    }

    @Test func `a key with bytes of its own is not put into a token`() throws {
        try keychain.run {
            let key = try #require(
                SecKeyCreateRandomKey(
                    [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as [CFString: Any] as CFDictionary,
                    nil))
            let item: [CFString: Any] = [kSecValueRef: key, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecParam)
            let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil))
            var error: Unmanaged<CFError>?
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            ]
            #expect(SecKeyCreateWithData(bytes, attributes as CFDictionary, &error) == nil)
            #expect(code(error) == errSecUnimplemented)
        }
    }

    @Test func `both halves are made by the older function, and the public one can be stored`() throws {
        try keychain.run {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                kSecPublicKeyAttrs: [kSecAttrIsPermanent: true] as [CFString: Any],
            ]
            var (publicKey, privateKey): (SecKey?, SecKey?) = (nil, nil)
            #expect(SecKeyGeneratePair(parameters as CFDictionary, &publicKey, &privateKey) == errSecSuccess)
            let both = try #require(find([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]) as? [SecKey])
            #expect(Set(both) == [try #require(publicKey), try #require(privateKey)])
        }
    }

    @Test func `a key with an access control object for its use is made and used`() throws {
        try keychain.run {
            let control = try #require(
                SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .privateKeyUsage, nil))
            let half: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrAccessControl: control]
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: half,
            ]
            let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
            let sign = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let signature = try #require(SecKeyCreateSignature(key, sign, message, nil))
            #expect(SecKeyVerifySignature(try #require(SecKeyCopyPublicKey(key)), sign, message, signature, nil))
            #expect(find([kSecReturnAttributes: true]) != nil)
        }
    }

    @Test func `a key that is not permanent is used, and never stored`() throws {
        try keychain.run {
            let key = try newKey(permanent: false)
            #expect(find([kSecReturnRef: true]) == nil)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let sign = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let signature = try #require(SecKeyCreateSignature(key, sign, message, nil))
            #expect(SecKeyVerifySignature(publicKey, sign, message, signature, nil))
            let ecies = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
            let encrypted = try #require(SecKeyCreateEncryptedData(publicKey, ecies, message, nil))
            #expect(SecKeyCreateDecryptedData(key, ecies, encrypted, nil) as Data? == message as Data)
            let nothing = [:] as CFDictionary
            let other = try newKey(permanent: false)
            #expect(other != key)
            let secrets = [(key, other), (other, key)].map { mine, theirs in
                SecKeyCopyPublicKey(theirs).flatMap {
                    SecKeyCopyKeyExchangeResult(mine, .ecdhKeyExchangeStandard, $0, nothing, nil) as Data?
                }
            }
            #expect(secrets[0] != nil && secrets[0] == secrets[1])
            var error: Unmanaged<CFError>?
            #expect(SecKeyCopyExternalRepresentation(key, &error) == nil)
            #expect(code(error) == errSecUnimplemented)
            let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
            #expect(attributes[kSecAttrIsPermanent as String] as? Int == 0)
            #expect(attributes[kSecAttrTokenID as String] as? String == kSecAttrTokenIDSecureEnclave as String)
            // It has no data to be stored, and an identity with it cannot be stored either.
            #expect(SecItemAdd([kSecValueRef: key] as CFDictionary, nil) == errSecParam)
            let identity = try #require(SecIdentityCreate(nil, try certificate(of: key), key))
            #expect(SecItemAdd([kSecValueRef: identity] as CFDictionary, nil) == errSecParam)
            #expect(find([kSecReturnRef: true]) == nil)
            #expect(SecItemCopyMatching([kSecClass: kSecClassCertificate] as CFDictionary, nil) == errSecItemNotFound)
        }
    }

    @Test func `the public half of a key that is not permanent can be stored`() throws {
        try keychain.run {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: false] as [CFString: Any],
                kSecPublicKeyAttrs: [kSecAttrIsPermanent: true] as [CFString: Any],
            ]
            let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
            let all = find([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]) as? [SecKey]
            #expect(all == [try #require(SecKeyCopyPublicKey(key))])
        }
    }

    @Test func `a key that was deleted is not used any more`() throws {
        try keychain.run {
            let key = try newKey()
            #expect(SecItemDelete([kSecClass: kSecClassKey] as CFDictionary) == errSecSuccess)
            var error: Unmanaged<CFError>?
            #expect(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, &error) == nil)
            #expect(code(error) == errSecItemNotFound)
        }
    }
}
