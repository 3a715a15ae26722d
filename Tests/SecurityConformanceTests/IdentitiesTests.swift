// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Identities: certificates and private keys that belong together (semantics 1.9, 2.4 to 2.7, 6.6).
struct IdentitiesTests {
    private let leaf = SampleIdentities.leaf
    private let renewed = SampleIdentities.renewed
    private let key = SampleIdentities.leafKey

    /// Of halves that belong together.
    private func identity(_ certificate: SecCertificate, _ key: SecKey) -> SecIdentity {
        SecIdentityCreate(nil, certificate, key)!
    }

    private func query(_ more: [CFString: Any] = [:], _ itemClass: CFString = kSecClassIdentity) -> CFDictionary {
        more.merging([kSecClass: itemClass]) { given, _ in given } as CFDictionary
    }

    private func all(_ more: [CFString: Any] = [:], _ itemClass: CFString = kSecClassIdentity) -> CFTypeRef? {
        let query = query(
            more.merging([kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true]) { $1 }, itemClass)
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query, &result)
        #expect(status == errSecSuccess || status == errSecItemNotFound)
        return result
    }

    private func identities(_ more: [CFString: Any] = [:]) -> Set<SecIdentity> {
        Set(all(more) as? [SecIdentity] ?? [])
    }

    private func count(_ itemClass: CFString) -> Int { (all([:], itemClass) as? [AnyObject])?.count ?? 0 }

    private func attributes(_ query: CFDictionary) throws -> [String: Any] {
        try #require(find(query) as? [String: Any])
    }

    private func persistentReference(_ query: CFDictionary) throws -> Data {
        try #require(find(query) as? Data)
    }

    // MARK: Forming

    @Test func `C058: a certificate and a key that were added by themselves are an identity`() throws {
        for parts in [[leaf, key], [key, leaf]] as [[AnyObject]] {
            try onEmptyKeychain {
                add([kSecValueRef: parts[0]] as CFDictionary)
                #expect(probe(query()) == errSecItemNotFound)
                add([kSecValueRef: parts[1]] as CFDictionary)
                #expect(find(query([kSecReturnRef: true])) as? SecIdentity == identity(leaf, key))
            }
        }
    }

    @Test func `C069: a key that is not the certificate's makes no identity`() throws {
        #expect(SecIdentityCreate(nil, leaf, SampleIdentities.intermediateKey) == nil)
        #expect(SecIdentityCreate(nil, leaf, try #require(SecKeyCopyPublicKey(key))) == nil)
        try onEmptyKeychain {
            add([kSecValueRef: leaf] as CFDictionary)
            add([kSecValueRef: SampleIdentities.intermediateKey] as CFDictionary)
            add([kSecValueRef: try #require(SecKeyCopyPublicKey(key))] as CFDictionary)
            #expect(probe(query()) == errSecItemNotFound)
        }
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
        try onEmptyKeychain {
            var found: SecIdentity?
            #expect(SecIdentityCreateWithCertificate(nil, leaf, &found) == errSecItemNotFound)
            add([kSecValueRef: try #require(SecKeyCopyPublicKey(key))] as CFDictionary)
            #expect(SecIdentityCreateWithCertificate(nil, leaf, &found) == errSecItemNotFound)
            #expect(found == nil)
            add([kSecValueRef: key] as CFDictionary)
            #expect(SecIdentityCreateWithCertificate(nil, leaf, &found) == errSecSuccess)
            #expect(found == identity(leaf, key))
        }
    }

    // MARK: Adding

    @Test func `C060, C061, C062: an identity is added once, and named by its certificate`() throws {
        try onEmptyKeychain {
            let identity = identity(leaf, key)
            let item = [kSecValueRef: identity, kSecReturnPersistentRef: true] as CFDictionary
            var result: CFTypeRef?
            #expect(SecItemAdd(item, &result) == errSecSuccess)
            let reference = try #require(result as? Data)
            #expect(reference.count == 20 && reference.prefix(4) == Data("idnt".utf8))
            result = nil
            #expect(SecItemAdd(item, &result) == errSecDuplicateItem)
            #expect(result == nil)
            #expect(
                find([kSecValueRef: identity, kSecReturnPersistentRef: true] as CFDictionary) as? Data == reference)
            let certificate = query([kSecReturnPersistentRef: true], kSecClassCertificate)
            let own = try persistentReference(certificate)
            #expect(own.suffix(16) == reference.suffix(16))
            let byReference = [kSecValuePersistentRef: reference, kSecReturnRef: true] as CFDictionary
            #expect(find(byReference) as? SecIdentity == identity)
            #expect(count(kSecClassCertificate) == 1 && count(kSecClassKey) == 1)
        }
    }

    @Test func `of an identity only the missing parts are added, and existing parts stay as they are`() throws {
        for half in [leaf, key] as [AnyObject] {
            try onEmptyKeychain {
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
            }
        }
    }

    @Test func `an identity that cannot be added leaves no half behind`() throws {
        try onEmptyKeychain {
            let identity = identity(leaf, key)
            // Only one half has these attributes, and no program has this group.
            for (wrong, status) in [
                (kSecAttrApplicationTag, errSecNoSuchAttr), (kSecAttrSerialNumber, errSecNoSuchAttr),
                (kSecAttrAccessGroup, errSecMissingEntitlement),
            ] {
                let item = [kSecValueRef: identity, wrong: "somebody.elses"] as CFDictionary
                #expect(SecItemAdd(item, nil) == status)
            }
            #expect(SecItemAdd([kSecValueRef: identity, kSecValueData: Data()] as CFDictionary, nil) == errSecParam)
            #expect(SecItemAdd(query([kSecValueData: Data()]), nil) == errSecParam)
            #expect(SecItemAdd(query(), nil) == errSecParam)
            #expect(count(kSecClassCertificate) == 0 && count(kSecClassKey) == 0)
        }
    }

    // MARK: Labels and attributes

    @Test func `C065, C066, C067: an identity has the label of its certificate`() throws {
        try onEmptyKeychain {
            add([kSecValueRef: identity(leaf, key), kSecAttrLabel: "L"] as CFDictionary)
            for itemClass in [kSecClassIdentity, kSecClassCertificate, kSecClassKey] {
                #expect(probe(query([kSecAttrLabel: "L"], itemClass)) == errSecSuccess)
            }
            let labelled = { (label: String) in [kSecAttrLabel: label] as CFDictionary }
            #expect(SecItemUpdate(query([:], kSecClassKey), labelled("K")) == errSecSuccess)
            #expect(probe(query([kSecAttrLabel: "L"])) == errSecSuccess)
            #expect(probe(query([kSecAttrLabel: "K"])) == errSecItemNotFound)
            #expect(SecItemUpdate(query([:], kSecClassCertificate), labelled("C")) == errSecSuccess)
            #expect(probe(query([kSecAttrLabel: "L"])) == errSecItemNotFound)
            #expect(probe(query([kSecAttrLabel: "C"])) == errSecSuccess)
            #expect(probe(query([kSecAttrLabel: "c", kSecMatchCaseInsensitive: true])) == errSecSuccess)
            #expect(probe(query([kSecAttrLabel: "k", kSecMatchCaseInsensitive: true])) == errSecItemNotFound)
        }
    }

    @Test func `attributes are of both halves, and find the identity again`() throws {
        try onEmptyKeychain {
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
    }

    @Test func `C068: an identity is found by its issuer, as stored and as a whole name`() throws {
        try onEmptyKeychain {
            add([kSecValueRef: identity(leaf, key)] as CFDictionary)
            let stored = try attributes(query([kSecReturnAttributes: true]))[kSecAttrIssuer as String] as? Data
            let sequence = try #require(SecCertificateCopyNormalizedIssuerSequence(leaf)) as Data
            for issuer in [try #require(stored), sequence] {
                #expect(probe(query([kSecAttrIssuer: issuer])) == errSecSuccess)
            }
            #expect(probe(query([kSecAttrIssuer: Data([1])])) == errSecItemNotFound)
        }
    }

    @Test func `data, attributes and references come in the shapes of every class`() throws {
        try onEmptyKeychain {
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
    }

    @Test func `an identity whose key stays in the keychain is used as any other`() throws {
        try onEmptyKeychain {
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
    }

    // MARK: Updating and deleting

    @Test func `an update of identities is of both halves, and of no more than both have`() throws {
        try onEmptyKeychain {
            let identity = identity(leaf, key)
            add([kSecValueRef: identity] as CFDictionary)
            add([kSecValueRef: SampleIdentities.root, kSecAttrLabel: "other"] as CFDictionary)
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
            let none = query([kSecAttrLabel: "nobody"])
            #expect(SecItemUpdate(none, [kSecAttrLabel: "x"] as CFDictionary) == errSecItemNotFound)
        }
    }

    @Test func `C070: an update by an identity's persistent reference is a parameter error`() throws {
        try onEmptyKeychain {
            add([kSecValueRef: identity(leaf, key), kSecAttrLabel: "L"] as CFDictionary)
            let reference = try persistentReference(query([kSecReturnPersistentRef: true]))
            let change = [kSecAttrLabel: "x"] as CFDictionary
            #expect(SecItemUpdate([kSecValuePersistentRef: reference] as CFDictionary, change) == errSecParam)
            #expect(probe(query([kSecAttrLabel: "L"])) == errSecSuccess)
        }
    }

    @Test func `C059: deleting one half leaves the other, and no identity`() throws {
        try onEmptyKeychain {
            add([kSecValueRef: identity(leaf, key)] as CFDictionary)
            #expect(SecItemDelete([kSecValueRef: leaf] as CFDictionary) == errSecSuccess)
            #expect(probe([kSecValueRef: leaf] as CFDictionary) == errSecItemNotFound)
            #expect(probe([kSecValueRef: key] as CFDictionary) == errSecSuccess)
            #expect(probe(query()) == errSecItemNotFound)
            #expect(SecItemDelete(query()) == errSecItemNotFound)
            #expect(SecItemDelete([kSecValueRef: key] as CFDictionary) == errSecSuccess)
            #expect(probe([kSecValueRef: key] as CFDictionary) == errSecItemNotFound)
        }
    }

    @Test func `C063, C064: an identity is deleted by reference, persistent reference and class`() throws {
        try onEmptyKeychain {
            let identity = identity(leaf, key)
            let all: [(Data) -> CFDictionary] = [
                { _ in [kSecValueRef: identity] as CFDictionary }, { [kSecValuePersistentRef: $0] as CFDictionary },
                { _ in query() },
            ]
            for deletion in all {
                add([kSecValueRef: identity] as CFDictionary)
                let reference = try persistentReference(query([kSecReturnPersistentRef: true]))
                #expect(SecItemDelete(deletion(reference)) == errSecSuccess)
                #expect(probe([kSecValuePersistentRef: reference] as CFDictionary) == errSecItemNotFound)
                #expect(count(kSecClassCertificate) == 0 && count(kSecClassKey) == 0)
            }
        }
    }

    @Test func `C071: a key stays as long as another certificate is of it`() throws {
        try onEmptyKeychain {
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
    }

    // MARK: Groups and synchronizing

    @Test func `an identity needs both halves in groups of the program`() throws {
        try onEmptyKeychain(accessGroups: ["one", "two"]) {
            add([kSecValueRef: leaf, kSecAttrAccessGroup: "one"] as CFDictionary)
            add([kSecValueRef: key, kSecAttrAccessGroup: "two"] as CFDictionary)
            #expect(identities() == [identity(leaf, key)])
            let facts = try attributes(query([kSecReturnAttributes: true]))
            #expect(facts[kSecAttrAccessGroup as String] as? String == "two")
            for group in ["one", "two"] {
                #expect(probe(query([kSecAttrAccessGroup: group])) == errSecItemNotFound)
            }
            #expect(probe(query([kSecAttrAccessGroup: "three"])) == errSecMissingEntitlement)
            let change = [kSecAttrAccessGroup: "one"] as CFDictionary
            #expect(SecItemUpdate(query([:], kSecClassKey), change) == errSecSuccess)
            #expect(probe(query([kSecAttrAccessGroup: "one"])) == errSecSuccess)
        }
    }

    @Test func `halves that synchronize make an identity with such halves only`() throws {
        try onEmptyKeychain {
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

    // MARK: Conditions

    @Test func `C078: an issuer finds the identities that it issued, and those below them`() throws {
        try onEmptyKeychain {
            let between = identity(SampleIdentities.intermediate, SampleIdentities.intermediateKey)
            add([kSecValueRef: between] as CFDictionary)
            add([kSecValueRef: identity(leaf, key)] as CFDictionary)
            add([kSecValueRef: SampleIdentities.root] as CFDictionary)
            let root = try #require(SecCertificateCopyNormalizedSubjectSequence(SampleIdentities.root)) as Data
            #expect(identities([kSecMatchIssuers: [root]]) == [between, identity(leaf, key)])
            let name = try #require(SecCertificateCopyNormalizedSubjectSequence(between.certificateOnly)) as Data
            #expect(identities([kSecMatchIssuers: [name]]) == [identity(leaf, key)])
            #expect(probe(query([kSecMatchIssuers: [root]], kSecClassKey)) == errSecUnimplemented)
        }
    }

    @Test func `identities are matched by what their certificates say, before any limit`() throws {
        try onEmptyKeychain {
            let between = identity(SampleIdentities.intermediate, SampleIdentities.intermediateKey)
            let own = identity(leaf, key)
            for item in [between, own] { add([kSecValueRef: item] as CFDictionary) }
            add([kSecValueRef: SampleIdentities.root] as CFDictionary)
            let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
            for (condition, value, expected) in [
                (kSecMatchSubjectContains, "Example", [between, own]), (kSecMatchSubjectStartsWith, "Ann", [own]),
                (kSecMatchSubjectEndsWith, "Intermediate", [between]), (kSecMatchSubjectWholeString, "Ann", []),
                (kSecMatchEmailAddressIfPresent, "ANN@example.com", [own]),
                (kSecMatchValidOnDate, date, [between, own]),
                (kSecMatchValidOnDate, Date(timeIntervalSinceReferenceDate: 0), []),
            ] as [(CFString, Any, [SecIdentity])] {
                #expect(identities([condition: value]) == Set(expected))
                let first = [condition: value, kSecReturnRef: true]
                #expect(probe(query(first)) == (expected.isEmpty ? errSecItemNotFound : errSecSuccess))
                let two = query([condition: value, kSecReturnRef: true, kSecMatchLimit: 2])
                var result: CFTypeRef?
                SecItemCopyMatching(two, &result)
                #expect(Set(result as? [SecIdentity] ?? []) == Set(expected))
            }
            let labelled: [CFString: Any] = [kSecMatchSubjectContains: "Example", kSecAttrLabel: "Ann Example"]
            #expect(identities(labelled) == [own])
        }
    }

    @Test func `identities without trust are not found`() throws {
        try onEmptyKeychain {
            add([kSecValueRef: identity(leaf, key)] as CFDictionary)
            for itemClass in [kSecClassIdentity, kSecClassCertificate] {
                // These certificates are not trusted. Without the installed trust program no certificate is found
                // either.
                #expect(
                    [errSecItemNotFound, errSecNotAvailable].contains(
                        probe(query([kSecMatchTrustedOnly: true], itemClass))))
                #expect(probe(query([kSecMatchPolicy: "policy"], itemClass)) == errSecParam)
                #expect(probe(query([kSecMatchTrustedOnly: false], itemClass)) == errSecSuccess)
            }
        }
    }
}

extension SecIdentity {
    fileprivate var certificateOnly: SecCertificate {
        var certificate: SecCertificate?
        SecIdentityCopyCertificate(self, &certificate)
        return certificate!
    }
}
