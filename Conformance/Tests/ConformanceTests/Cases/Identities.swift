// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    /// Identities: certificates and private keys that belong together (semantics 1.9, 2.4 to 2.7, 6.6).
    @Suite struct `Identities` {
        let leaf = Samples.leaf
        let renewed = Samples.renewed
        let key = Samples.leafKey

        /// Returns the identity of a certificate and its key.
        func identity(_ certificate: SecCertificate, _ key: SecKey) -> SecIdentity {
            SecIdentityCreate(nil, certificate, key)!
        }

        func query(_ more: [CFString: Any] = [:], _ itemClass: CFString = kSecClassIdentity) -> CFDictionary {
            more.merging([kSecClass: itemClass]) { given, _ in given } as CFDictionary
        }

        /// Returns an array of all items that match; nil if there are none.
        func all(_ more: [CFString: Any] = [:], _ itemClass: CFString = kSecClassIdentity) -> CFTypeRef? {
            let query = query(more.merging([kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true]) { $1 }, itemClass)
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query, &result)
            #expect(status == errSecSuccess || status == errSecItemNotFound)
            return result
        }

        func identities(_ more: [CFString: Any] = [:]) -> Set<SecIdentity> {
            Set(all(more) as? [SecIdentity] ?? [])
        }

        func count(_ itemClass: CFString) -> Int { (all([:], itemClass) as? [AnyObject])?.count ?? 0 }

        func attributes(_ query: CFDictionary) throws -> [String: Any] {
            try #require(find(query) as? [String: Any])
        }

        /// Returns the persistent reference of the only item that matches.
        func persistentReference(_ query: [CFString: Any]) throws -> Data {
            try #require(find(query.merging([kSecReturnPersistentRef: true]) { $1 } as CFDictionary) as? Data)
        }

        // MARK: Forming

        @Test("C058 a certificate and a key that were added by themselves are an identity", arguments: [true, false])
        func c058(keyIsFirst: Bool) throws {
            let halves: [AnyObject] = keyIsFirst ? [key, leaf] : [leaf, key]
            add([kSecValueRef: halves[0]] as CFDictionary)
            #expect(probe(query()) == errSecItemNotFound)
            add([kSecValueRef: halves[1]] as CFDictionary)
            let found = try #require(find(query([kSecReturnRef: true])) as? SecIdentity)
            #expect(found == identity(leaf, key))
            var certificate: SecCertificate?
            var privateKey: SecKey?
            #expect(SecIdentityCopyCertificate(found, &certificate) == errSecSuccess)
            #expect(SecIdentityCopyPrivateKey(found, &privateKey) == errSecSuccess)
            #expect(
                SecCertificateCopyData(try #require(certificate)) as Data == SecCertificateCopyData(leaf) as Data)
            #expect(
                try SecKeyCopyExternalRepresentation(#require(privateKey), nil) as Data?
                    == SecKeyCopyExternalRepresentation(key, nil) as Data?)
        }

        @Test("C069 a key that is not the certificate's makes no identity")
        func c069() throws {
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecIdentityCreate(nil, leaf, Samples.intermediateKey) == nil)
            #expect(SecIdentityCreate(nil, leaf, publicKey) == nil)
            for item in [leaf, Samples.intermediateKey, publicKey] as [AnyObject] {
                add([kSecValueRef: item] as CFDictionary)
            }
            #expect(probe(query()) == errSecItemNotFound)
        }

        @Test func `an identity gives its certificate and its key`() throws {
            let identity = identity(leaf, key)
            var certificate: SecCertificate?
            var privateKey: SecKey?
            #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
            #expect(SecIdentityCopyPrivateKey(identity, &privateKey) == errSecSuccess)
            #expect(certificate == leaf && privateKey == key)
            #expect(CFGetTypeID(identity) == SecIdentityGetTypeID())
            #expect(Set([CFGetTypeID(identity), CFGetTypeID(leaf), CFGetTypeID(key)]).count == 3)
        }

        @Test func `the key of a certificate is found, whether or not the certificate is stored`() throws {
            var found: SecIdentity?
            #expect(SecIdentityCreateWithCertificate(nil, leaf, &found) == errSecItemNotFound)
            add([kSecValueRef: try #require(SecKeyCopyPublicKey(key))] as CFDictionary)
            #expect(SecIdentityCreateWithCertificate(nil, leaf, &found) == errSecItemNotFound)
            #expect(found == nil)
            add([kSecValueRef: key] as CFDictionary)
            #expect(SecIdentityCreateWithCertificate(nil, leaf, &found) == errSecSuccess)
            #expect(found == identity(leaf, key))
        }

        // MARK: Adding

        @Test("C060 to C062 an identity is added once, and named by its certificate")
        func c060() throws {
            let identity = identity(leaf, key)
            let item = [kSecValueRef: identity, kSecReturnPersistentRef: true] as CFDictionary
            var result: CFTypeRef?
            #expect(SecItemAdd(item, &result) == errSecSuccess)
            let reference = try #require(result as? Data)
            #expect(reference.count == 20 && reference.prefix(4) == Data("idnt".utf8))
            result = nil
            #expect(SecItemAdd(item, &result) == errSecDuplicateItem)
            #expect(result == nil)
            #expect(try persistentReference([kSecValueRef: identity]) == reference)
            let own = try persistentReference([kSecClass: kSecClassCertificate])
            #expect(own.suffix(16) == reference.suffix(16))
            let byReference = [kSecValuePersistentRef: reference, kSecReturnRef: true] as CFDictionary
            #expect(find(byReference) as? SecIdentity == identity)
            #expect(count(kSecClassCertificate) == 1 && count(kSecClassKey) == 1)
        }

        @Test func `of an identity only the missing parts are added, and existing parts stay as they are`() throws {
            for half in [leaf, key] as [AnyObject] {
                add([kSecValueRef: half, kSecAttrLabel: "before"] as CFDictionary)
                let identity = identity(leaf, key)
                let item = [kSecValueRef: identity, kSecAttrLabel: "after", kSecReturnRef: true] as CFDictionary
                var result: CFTypeRef?
                #expect(SecItemAdd(item, &result) == errSecSuccess)
                #expect(result as? SecIdentity == identity)
                let labels = try [kSecClassCertificate, kSecClassKey].map {
                    try attributes(query([kSecReturnAttributes: true], $0))[kSecAttrLabel as String] as? String
                }
                #expect(labels == (half === leaf ? ["before", "after"] : ["after", "before"]))
                #expect(SecItemAdd(item, nil) == errSecDuplicateItem)
                #expect(SecItemDelete([kSecValueRef: identity] as CFDictionary) == errSecSuccess)
            }
        }

        @Test func `an identity that cannot be added leaves no half behind`() throws {
            let identity = identity(leaf, key)
            // Only one half has these attributes, and no program has this group.
            for (wrong, status) in [
                (kSecAttrApplicationTag, errSecNoSuchAttr), (kSecAttrSerialNumber, errSecNoSuchAttr),
                (kSecAttrAccessGroup, errSecMissingEntitlement),
            ] {
                let item = [kSecValueRef: identity, wrong: "com.example.foreign"] as CFDictionary
                #expect(SecItemAdd(item, nil) == status)
            }
            #expect(SecItemAdd([kSecValueRef: identity, kSecValueData: Data()] as CFDictionary, nil) == errSecParam)
            #expect(SecItemAdd(query([kSecValueData: Data()]), nil) == errSecParam)
            #expect(SecItemAdd(query(), nil) == errSecParam)
            #expect(count(kSecClassCertificate) == 0 && count(kSecClassKey) == 0)
        }

        @Test("C072 persistent references of an identity and of its certificate find what they name")
        func c072() throws {
            add([kSecValueRef: leaf] as CFDictionary)
            add([kSecValueRef: key] as CFDictionary)
            let first = try persistentReference([kSecValueRef: identity(leaf, key)])
            let second = try persistentReference([kSecValueRef: leaf])
            for (reference, type) in [(first, SecIdentityGetTypeID()), (second, SecCertificateGetTypeID())] {
                let query = [kSecValuePersistentRef: reference, kSecReturnRef: true] as CFDictionary
                let found = try #require(find(query))
                #expect(CFGetTypeID(found) == type)
            }
        }

        // MARK: Labels and attributes

        @Test("C065 to C067 an identity has the label of its certificate", arguments: [true, false])
        func c065(isAddedByHalves: Bool) throws {
            let added: [AnyObject] = isAddedByHalves ? [leaf, key] : [identity(leaf, key)]
            for item in added { add([kSecValueRef: item, kSecAttrLabel: "L"] as CFDictionary) }
            for itemClass in [kSecClassIdentity, kSecClassCertificate, kSecClassKey] {
                #expect(probe(query([kSecAttrLabel: "L"], itemClass)) == errSecSuccess)
            }
            #expect(SecItemUpdate(query([:], kSecClassKey), changes([kSecAttrLabel: "K"])) == errSecSuccess)
            #expect(probe(query([kSecAttrLabel: "L"])) == errSecSuccess)
            #expect(probe(query([kSecAttrLabel: "K"])) == errSecItemNotFound)
            #expect(SecItemUpdate(query([:], kSecClassCertificate), changes([kSecAttrLabel: "C"])) == errSecSuccess)
            #expect(probe(query([kSecAttrLabel: "L"])) == errSecItemNotFound)
            #expect(probe(query([kSecAttrLabel: "C"])) == errSecSuccess)
            #if os(Linux)
                // A deliberate difference, as in C085.
                #expect(probe(query([kSecAttrLabel: "c", kSecMatchCaseInsensitive: true])) == errSecSuccess)
                #expect(probe(query([kSecAttrLabel: "k", kSecMatchCaseInsensitive: true])) == errSecItemNotFound)
            #endif
        }

        @Test func `attributes are of both halves, and find the identity again`() throws {
            let tag = Data("org.example".utf8)
            add([kSecValueRef: key, kSecAttrApplicationTag: tag, kSecAttrLabel: "of the key"] as CFDictionary)
            add([kSecValueRef: leaf] as CFDictionary)
            let facts = try attributes(query([kSecReturnAttributes: true]))
            #expect(facts[kSecAttrLabel as String] as? String == "Ann Example")
            #expect(facts[kSecAttrApplicationTag as String] as? Data == tag)
            #expect(facts[kSecAttrSerialNumber as String] as? Data == Data([3]))
            #expect(facts[kSecAttrKeyClass as String] as? Int == 1)
            #expect(facts[kSecAttrAccessible as String] as? String == kSecAttrAccessibleWhenUnlocked as String)
            let hash = try #require(facts[kSecAttrPublicKeyHash as String] as? Data)
            #expect(hash.count == 20 && facts[kSecAttrApplicationLabel as String] as? Data == hash)
            #expect(facts["v_Ref"] == nil && facts["v_Data"] == nil && facts["class"] == nil)
            var again = facts
            again[kSecClass as String] = kSecClassIdentity
            #expect(probe(again as CFDictionary) == errSecSuccess)
            for name in facts.keys {
                #expect(
                    probe([kSecClass: kSecClassIdentity, name as CFString: facts[name] as Any] as CFDictionary)
                        == errSecSuccess)
            }
            for (name, value) in [
                (kSecAttrApplicationTag, Data([1])), (kSecAttrSerialNumber, Data([9])), (kSecAttrKeyClass, "0"),
                (kSecAttrAccessible, kSecAttrAccessibleAlways),
            ] as [(CFString, Any)] {
                #expect(probe(query([name: value])) == errSecItemNotFound)
            }
            #expect(probe(query([kSecAttrAccount: "ann"])) == errSecNoSuchAttr)
        }

        @Test("C068 an identity is found by its issuer, as stored and as a whole name")
        func c068() throws {
            add([kSecValueRef: identity(leaf, key)] as CFDictionary)
            let facts = try attributes(query([kSecReturnAttributes: true]))
            let stored = try #require(facts[kSecAttrIssuer as String] as? Data)
            let sequence = try #require(SecCertificateCopyNormalizedIssuerSequence(leaf)) as Data
            // The content follows the tag and a length of one byte.
            #expect(stored == sequence.dropFirst(2))
            for issuer in [stored, sequence] {
                #expect(probe(query([kSecAttrIssuer: issuer])) == errSecSuccess)
            }
            #expect(probe(query([kSecAttrIssuer: Data([1])])) == errSecItemNotFound)
        }

        @Test func `data, attributes and references come in the shapes of every class`() throws {
            let identity = identity(leaf, key)
            add([kSecValueRef: identity] as CFDictionary)
            let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
            #expect(find(query([kSecReturnData: true])) as? Data == bytes)
            let whole = try attributes(
                query([
                    kSecReturnData: true, kSecReturnRef: true, kSecReturnAttributes: true,
                    kSecReturnPersistentRef: true,
                ]))
            #expect(whole[kSecClass as String] as? String == "idnt")
            #expect(whole[kSecValueRef as String] as? SecIdentity == identity)
            #expect(whole[kSecValueData as String] as? Data == bytes)
            #expect((whole[kSecValuePersistentRef as String] as? Data)?.prefix(4) == Data("idnt".utf8))
            #expect(whole[kSecAttrSubject as String] is Data)
            #expect((find(query([kSecMatchLimit: 5, kSecReturnRef: true])) as? [SecIdentity]) == [identity])
            #expect((find(query([kSecMatchLimit: kSecMatchLimitAll])) as? [Any])?.isEmpty == true)
            #expect(probe([kSecValueRef: identity, kSecClass: kSecClassKey] as CFDictionary) == errSecParam)
            #expect(probe([kSecValueRef: identity, kSecUseItemList: [identity]] as CFDictionary) == errSecParam)
            #expect(probe([kSecValueRef: identity, kSecMatchItemList: [leaf]] as CFDictionary) == errSecSuccess)
        }

        @Test func `an identity whose key stays in the keychain is used as any other`() throws {
            add([kSecValueRef: key, kSecAttrIsExtractable: false] as CFDictionary)
            add([kSecValueRef: leaf] as CFDictionary)
            let found = try #require(find(query([kSecReturnRef: true])) as? SecIdentity)
            var privateKey: SecKey?
            #expect(SecIdentityCopyPrivateKey(found, &privateKey) == errSecSuccess)
            let held = try #require(privateKey)
            #expect(SecKeyCopyExternalRepresentation(held, nil) == nil)
            let message = Data("hello".utf8) as CFData
            let signature = try #require(SecKeyCreateSignature(held, .ecdsaSignatureMessageX962SHA256, message, nil))
            let publicKey = try #require(SecCertificateCopyKey(leaf))
            #expect(SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, nil))
            // Data that is not returned is not returned as an identity's data either.
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(query([kSecReturnData: true]), &result) == errSecDataNotAvailable)
            #expect(
                SecItemCopyMatching(query([kSecReturnData: true, kSecReturnRef: true]), &result)
                    == errSecDataNotAvailable)
            #expect(result == nil)
            #expect(probe(query()) == errSecSuccess)
            // It is the same identity when it is added again, whether or not the certificate is there.
            #expect(SecItemAdd([kSecValueRef: found] as CFDictionary, nil) == errSecDuplicateItem)
            #expect(SecItemDelete([kSecValueRef: leaf] as CFDictionary) == errSecSuccess)
            #expect(SecItemAdd([kSecValueRef: found, kSecReturnRef: true] as CFDictionary, &result) == errSecSuccess)
            #expect(result as? SecIdentity == found)
        }

        // MARK: Updating and deleting

        @Test func `an update of identities is of both halves, and of no more than both have`() throws {
            let identity = identity(leaf, key)
            add([kSecValueRef: identity] as CFDictionary)
            add([kSecValueRef: Samples.root, kSecAttrLabel: "other"] as CFDictionary)
            for (query, label) in [(query(), "by class"), ([kSecValueRef: identity] as CFDictionary, "by reference")] {
                #expect(SecItemUpdate(query, [kSecAttrLabel: label] as CFDictionary) == errSecSuccess)
                for itemClass in [kSecClassCertificate, kSecClassKey] {
                    #expect(probe(self.query([kSecAttrLabel: label], itemClass)) == errSecSuccess)
                }
            }
            #expect(probe(query([kSecAttrLabel: "other"], kSecClassCertificate)) == errSecSuccess)
            for (name, value) in [(kSecAttrApplicationTag, Data([1])), ("alis" as CFString, "a")] as [(CFString, Any)] {
                #expect(SecItemUpdate(query(), [name: value] as CFDictionary) == errSecNoSuchAttr)
            }
            #expect(SecItemUpdate(query(), [kSecValueData: Data([1])] as CFDictionary) == errSecParam)
            let none = query([kSecAttrLabel: "absent"])
            #expect(SecItemUpdate(none, [kSecAttrLabel: "x"] as CFDictionary) == errSecItemNotFound)
        }

        @Test("C070 an update by an identity's persistent reference is refused")
        func c070() throws {
            add([kSecValueRef: identity(leaf, key), kSecAttrLabel: "L"] as CFDictionary)
            let reference = try persistentReference([kSecClass: kSecClassIdentity])
            let status = SecItemUpdate(
                [kSecValuePersistentRef: reference] as CFDictionary, changes([kSecAttrLabel: "x"]))
            #if os(Linux)
                #expect(status == errSecParam)
            #else
                #expect(status == -26276)
            #endif
            #expect(probe(query([kSecAttrLabel: "L"])) == errSecSuccess)
        }

        @Test("C059 a half that is deleted ends the identity and leaves the other half", arguments: [true, false])
        func c059(isAddedByHalves: Bool) throws {
            let added: [AnyObject] = isAddedByHalves ? [leaf, key] : [identity(leaf, key)]
            for item in added { add([kSecValueRef: item] as CFDictionary) }
            #expect(SecItemDelete([kSecValueRef: leaf] as CFDictionary) == errSecSuccess)
            #expect(probe([kSecValueRef: leaf] as CFDictionary) == errSecItemNotFound)
            #expect(probe([kSecValueRef: key] as CFDictionary) == errSecSuccess)
            #expect(probe(query()) == errSecItemNotFound)
            #expect(SecItemDelete(query()) == errSecItemNotFound)
            #expect(SecItemDelete([kSecValueRef: key] as CFDictionary) == errSecSuccess)
            #expect(probe([kSecValueRef: key] as CFDictionary) == errSecItemNotFound)
        }

        @Test("C063, C064 an identity is deleted by reference, persistent reference and class")
        func c063() throws {
            let identity = identity(leaf, key)
            let all: [(Data) -> CFDictionary] = [
                { _ in [kSecValueRef: identity] as CFDictionary }, { [kSecValuePersistentRef: $0] as CFDictionary },
                { _ in query() },
            ]
            for deletion in all {
                add([kSecValueRef: identity] as CFDictionary)
                let reference = try persistentReference([kSecClass: kSecClassIdentity])
                #expect(SecItemDelete(deletion(reference)) == errSecSuccess)
                #expect(probe([kSecValuePersistentRef: reference] as CFDictionary) == errSecItemNotFound)
                #expect(probe(query()) == errSecItemNotFound)
                #expect(count(kSecClassCertificate) == 0 && count(kSecClassKey) == 0)
            }
        }

        @Test("C071 a key stays as long as another certificate is of it")
        func c071() throws {
            add([kSecValueRef: identity(leaf, key)] as CFDictionary)
            add([kSecValueRef: renewed] as CFDictionary)
            #expect(identities() == [identity(leaf, key), identity(renewed, key)])
            #expect(SecItemDelete([kSecValueRef: identity(leaf, key)] as CFDictionary) == errSecSuccess)
            #expect(identities() == [identity(renewed, key)])
            #expect(SecItemDelete([kSecValueRef: identity(renewed, key)] as CFDictionary) == errSecSuccess)
            #expect(count(kSecClassKey) == 0 && count(kSecClassCertificate) == 0)
            // And goes with the last of those that are deleted together.
            add([kSecValueRef: identity(leaf, key)] as CFDictionary)
            add([kSecValueRef: renewed] as CFDictionary)
            #expect(SecItemDelete(query([kSecAttrLabel: "Ann Example"])) == errSecSuccess)
            #expect(count(kSecClassKey) == 0 && count(kSecClassCertificate) == 0)
        }

        // MARK: Synchronizing

        @Test func `halves that synchronize make an identity with such halves only`() throws {
            add([kSecValueRef: leaf, kSecAttrSynchronizable: true] as CFDictionary)
            add([kSecValueRef: key] as CFDictionary)
            #expect(probe(query([kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == errSecItemNotFound)
            // Adding the other halves makes two identities.
            add([kSecValueRef: key, kSecAttrSynchronizable: true] as CFDictionary)
            #expect(probe(query()) == errSecItemNotFound)
            #expect(probe(query([kSecAttrSynchronizable: true])) == errSecSuccess)
            add([kSecValueRef: leaf] as CFDictionary)
            #expect(probe(query()) == errSecSuccess)
            let any: [CFString: Any] = [kSecAttrSynchronizable: kSecAttrSynchronizableAny]
            #expect((all(any) as? [SecIdentity])?.count == 2)
            // Deleting the one leaves the other.
            #expect(SecItemDelete(query()) == errSecSuccess)
            #expect(probe(query()) == errSecItemNotFound)
            #expect(probe(query([kSecAttrSynchronizable: true])) == errSecSuccess)
        }
    }
}
