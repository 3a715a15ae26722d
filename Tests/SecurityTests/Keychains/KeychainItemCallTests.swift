// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Security
import Testing

/// Runs a test with a folder for keychains and a person; both are gone afterwards.
func withKeychainFolder(
    person: TestPerson = .absent, _ body: (_ memory: InMemoryKeychain, _ folder: String) throws -> Void
) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/keychains-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let memory = try InMemoryKeychain(keychainFolder: folder)
    memory.person = person
    try memory.run { try body(memory, folder) }
}

/// The item functions on keychains that are files.
@Suite struct `Item calls for keychain files` {
    private func created(_ name: String) throws -> SecKeychain {
        var keychain: SecKeychain?
        #expect(SecKeychainCreate(name, 8, "password", false, nil, &keychain) == errSecSuccess)
        return try #require(keychain)
    }

    private func password(_ account: String, _ more: [CFString: Any] = [:]) -> CFDictionary {
        let base: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: account,
        ]
        return base.merging(more) { _, given in given } as CFDictionary
    }

    private func add(_ account: String, to keychain: SecKeychain) {
        let item = password(account, [kSecUseKeychain: keychain, kSecValueData: Data("secret of \(account)".utf8)])
        #expect(SecItemAdd(item, nil) == errSecSuccess)
    }

    private func find(_ query: CFDictionary) -> (status: OSStatus, result: CFTypeRef?) {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query, &result)
        return (status, result)
    }

    @Test func `a plain call sees nothing of files, and a call for files nothing else`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created("a.keychain")
            #expect(SecKeychainSetSearchList([keychain] as CFArray) == errSecSuccess)
            add("file", to: keychain)
            #expect(SecItemAdd(password("plain"), nil) == errSecSuccess)
            #expect(find(password("file")).status == errSecItemNotFound)
            #expect(find(password("plain")).status == errSecSuccess)
            for place: [CFString: Any] in [
                [kSecUseDataProtectionKeychain: false], [kSecUseKeychain: keychain], [kSecMatchSearchList: [keychain]],
            ] {
                #expect(find(password("file", place)).status == errSecSuccess, "\(place.keys)")
                #expect(find(password("plain", place)).status == errSecItemNotFound, "\(place.keys)")
            }
            #expect(find(password("file", [kSecUseDataProtectionKeychain: true])).status == errSecItemNotFound)
        }
    }

    @Test func `one call cannot be about both kinds`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created("a.keychain")
            let both = password("x", [kSecUseKeychain: keychain, kSecUseDataProtectionKeychain: true])
            #expect(SecItemAdd(both, nil) == errSecParam)
            #expect(find(both).status == errSecParam)
            #expect(SecItemUpdate(both, [kSecAttrLabel: "x"] as CFDictionary) == errSecParam)
            #expect(SecItemDelete(both) == errSecParam)
        }
    }

    @Test func `lists hold keychains and nothing else`() throws {
        try withKeychainFolder { _, _ in
            for list in [["a.keychain"], [1], "a.keychain", NSNull()] as [Any] {
                #expect(find(password("x", [kSecMatchSearchList: list])).status == errSecParam)
                #expect(find(password("x", [kSecUseKeychain: list])).status == errSecParam)
            }
        }
    }

    @Test func `attributes of the data-protection keychain are refused, except for the accessibility`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created("a.keychain")
            let own: [[CFString: Any]] = [[kSecAttrAccessGroup: "tests"], [kSecAttrSynchronizable: true]]
            for attribute in own {
                let item = password("x", attribute.merging([kSecUseKeychain: keychain]) { given, _ in given })
                #expect(SecItemAdd(item, nil) == errSecNoSuchAttr, "\(attribute)")
                #expect(find(item).status == errSecNoSuchAttr, "\(attribute)")
            }
            #expect(SecItemAdd(password("x", [kSecAttrAccess: "anything"]), nil) == errSecNoSuchAttr)
            let accessible: [CFString: Any] = [
                kSecUseKeychain: keychain, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
            ]
            #expect(SecItemAdd(password("x", accessible), nil) == errSecSuccess)
            #expect(find(password("x", accessible)).status == errSecSuccess)
        }
    }

    @Test func `an item comes back as its object, its reference, its data and its attributes`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created("a.keychain")
            var result: CFTypeRef?
            let item = password(
                "ann", [kSecUseKeychain: keychain, kSecValueData: Data("secret".utf8), kSecReturnRef: true])
            #expect(SecItemAdd(item, &result) == errSecSuccess)
            let object = try #require(result as? SecKeychainItem)
            let all = find(
                password(
                    "ann",
                    [
                        kSecUseKeychain: keychain, kSecReturnRef: true, kSecReturnPersistentRef: true,
                        kSecReturnData: true, kSecReturnAttributes: true,
                    ]))
            let found = try #require(all.result as? [CFString: Any])
            #expect(found[kSecValueRef] as? SecKeychainItem == object)
            #expect(found[kSecValueData] as? Data == Data("secret".utf8))
            #expect(found[kSecAttrAccount] as? String == "ann")
            for absent in [kSecAttrAccessible, kSecAttrAccessControl, kSecAttrAccessGroup, kSecAttrSynchronizable] {
                #expect(found[absent] == nil, "\(absent)")
            }
            let reference = try #require(found[kSecValuePersistentRef] as? Data)
            for name: [CFString: Any] in [[kSecValueRef: object], [kSecValuePersistentRef: reference]] {
                let query = name.merging([kSecReturnData: true]) { given, _ in given } as CFDictionary
                #expect(find(query).result as? Data == Data("secret".utf8))
            }
            var copy: SecKeychainItem?
            #expect(SecKeychainItemCopyFromPersistentReference(reference as CFData, &copy) == errSecSuccess)
            #expect(copy == object)
            var owner: SecKeychain?
            #expect(SecKeychainItemCopyKeychain(object, &owner) == errSecSuccess)
            #expect(owner === keychain)
        }
    }

    @Test func `several keychains are searched in their order, up to the limit, past those that are missing`() throws {
        try withKeychainFolder { _, _ in
            let keychains = try ["a.keychain", "b.keychain", "c.keychain"].map { try created($0) }
            for keychain in keychains { add("ann", to: keychain) }
            add("bob", to: keychains[2])
            #expect(SecKeychainDelete(keychains[1]) == errSecSuccess)
            let list: [CFString: Any] = [kSecMatchSearchList: keychains, kSecReturnRef: true]
            func owners(_ limit: Any, _ account: String?) throws -> [SecKeychain] {
                var query = list
                query[kSecClass] = kSecClassGenericPassword
                query[kSecAttrAccount] = account
                query[kSecMatchLimit] = limit
                let items = try #require(find(query as CFDictionary).result as? [SecKeychainItem])
                return try items.map { item in
                    var owner: SecKeychain?
                    #expect(SecKeychainItemCopyKeychain(item, &owner) == errSecSuccess)
                    return try #require(owner)
                }
            }
            #expect(try owners(kSecMatchLimitAll, "ann") == [keychains[0], keychains[2]])
            #expect(try owners(2, nil) == [keychains[0], keychains[2]])
            #expect(try owners(kSecMatchLimitAll, nil).count == 3)
            #expect(find(password("bob", list)).result is SecKeychainItem)
            #expect(find(password("joe", list)).status == errSecItemNotFound)
            #expect(find(password("ann", [kSecUseKeychain: keychains[1]])).status == errSecNoSuchKeychain)
        }
    }

    @Test func `changes and deletions act on all keychains of the list`() throws {
        try withKeychainFolder { _, _ in
            let keychains = try ["a.keychain", "b.keychain"].map { try created($0) }
            for keychain in keychains { add("ann", to: keychain) }
            let both: [CFString: Any] = [kSecMatchSearchList: keychains]
            let change = [kSecAttrComment: "seen"] as CFDictionary
            #expect(SecItemUpdate(password("ann", both), change) == errSecSuccess)
            #expect(SecItemUpdate(password("bob", both), change) == errSecItemNotFound)
            for keychain in keychains {
                let query = password("ann", [kSecUseKeychain: keychain, kSecAttrComment: "seen"])
                #expect(find(query).status == errSecSuccess)
            }
            #expect(SecItemDelete(password("ann", [kSecUseKeychain: keychains[0]])) == errSecSuccess)
            #expect(find(password("ann", both)).status == errSecSuccess)
            #expect(SecItemDelete(password("ann", both)) == errSecSuccess)
            #expect(SecItemDelete(password("ann", both)) == errSecItemNotFound)
        }
    }

    @Test func `a list of items is all that is searched`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created("a.keychain")
            for account in ["ann", "bob", "joe"] { add(account, to: keychain) }
            let items = try ["ann", "bob"].map { account in
                let found = find(password(account, [kSecUseKeychain: keychain, kSecReturnRef: true]))
                return try #require(found.result as? SecKeychainItem)
            }
            let some: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecMatchItemList: items, kSecMatchLimit: kSecMatchLimitAll,
                kSecReturnRef: true,
            ]
            #expect(find(some as CFDictionary).result as? [SecKeychainItem] == items)
            #expect(find(password("joe", [kSecMatchItemList: items])).status == errSecItemNotFound)
            #expect(SecItemDelete([kSecMatchItemList: items] as CFDictionary) == errSecSuccess)
            #expect(find(password("bob", [kSecUseKeychain: keychain])).status == errSecItemNotFound)
            #expect(find(password("joe", [kSecUseKeychain: keychain])).status == errSecSuccess)
        }
    }

    @Test func `a keychain that names no default gets items where another program makes the login keychain`() throws {
        try withKeychainFolder(person: TestPerson { _ in .type(SecretData(utf8: "typed")) }) { memory, folder in
            let item = password("ann", [kSecUseDataProtectionKeychain: false, kSecValueData: Data("s".utf8)])
            memory.person = .absent
            #expect(SecItemAdd(item, nil) == errSecInteractionNotAllowed)
            memory.person = TestPerson { _ in .type(SecretData(utf8: "typed")) }
            #expect(SecItemAdd(item, nil) == errSecSuccess)
            var standard: SecKeychain?
            #expect(SecKeychainCopyDefault(&standard) == errSecSuccess)
            var path = [CChar](repeating: 1, count: 4096)
            var length = UInt32(path.count)
            #expect(SecKeychainGetPath(standard, &length, &path) == errSecSuccess)
            #expect(String(cString: path) == folder + "/login.keychain-db")
            #expect(find(password("ann", [kSecUseDataProtectionKeychain: false])).status == errSecSuccess)
            SecKeychainLock(standard)
            #expect(SecKeychainUnlock(standard, 5, "typed", true) == errSecSuccess)
        }
    }

    @Test func `a held key of a file is used where it is`() throws {
        try withKeychainFolder { _, _ in
            let keychain = try created("a.keychain")
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecUseKeychain: keychain,
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrIsExtractable: false],
            ]
            var error: Unmanaged<CFError>?
            let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, &error))
            let message = Data("message".utf8) as CFData
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let signature = try #require(SecKeyCreateSignature(key, algorithm, message, &error))
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, &error))
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecReturnRef: true, kSecUseKeychain: keychain]
            let found = try #require(find(query as CFDictionary).result as? SecKey)
            #expect(SecKeyCreateSignature(found, algorithm, message, &error) != nil)
            #expect(find([kSecClass: kSecClassKey] as CFDictionary).status == errSecItemNotFound)
        }
    }
}
