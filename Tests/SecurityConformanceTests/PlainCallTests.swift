// SPDX-License-Identifier: Apache-2.0

import KeychainTesting
import Security
import Testing

// Calls that say nothing about the kind of keychain, where they are about both: cases C130 and C131 of Documentation/Cases.md.

/// Runs a test as on macOS, with a keychain file that is the default one and is searched.
private func onBothKinds(_ body: (_ file: SecKeychain, _ memory: InMemoryKeychain) throws -> Void) throws {
    try withKeychainFolder { memory, _ in
        var created: SecKeychain?
        #expect(SecKeychainCreate("default.keychain", 8, "password", false, nil, &created) == errSecSuccess)
        let file = try #require(created)
        #expect(SecKeychainSetSearchList([file] as CFArray) == errSecSuccess)
        #expect(SecKeychainSetDefault(file) == errSecSuccess)
        try PlainItemCalls.allKeychains.during { try body(file, memory) }
    }
}

@Suite struct `Calls about both kinds of keychains` {
    private let protected: [CFString: Any] = [kSecUseDataProtectionKeychain: true]
    private let inFiles: [CFString: Any] = [kSecUseDataProtectionKeychain: false]

    private func item(_ account: String, _ more: [CFString: Any] = [:], data: String = "data") -> CFDictionary {
        password(account, "service", more.merging([kSecValueData: Data(data.utf8)]) { given, _ in given })
    }

    /// Adds an item of the same names to both, and says in its data where it is.
    private func addToBoth(_ account: String = "account") {
        add(item(account, inFiles, data: "file"))
        add(item(account, protected, data: "protected"))
    }

    // C130
    @Test func `C130: a plain addition goes to the file, and a plain deletion finds it there`() throws {
        try onBothKinds { _, _ in
            add(item("account"))
            #expect(probe(password("account", "service", protected)) == errSecItemNotFound)
            #expect(SecItemDelete(password("account", "service", protected)) == errSecItemNotFound)
            #expect(probe(password("account", "service", inFiles)) == errSecSuccess)
            let any = password("account", "service", [kSecAttrSynchronizable: kSecAttrSynchronizableAny])
            #expect(SecItemDelete(any) == errSecSuccess)
            #expect(probe(password("account", "service", inFiles)) == errSecItemNotFound)
        }
    }

    // C131
    @Test func `C131: what was added to the data-protection keychain is found and changed by plain calls`() throws {
        try onBothKinds { _, _ in
            add(item("account", protected))
            #expect(data(.generic, "account", "service") == Data("data".utf8))
            let changes = [kSecValueData: Data("new".utf8)] as CFDictionary
            #expect(SecItemUpdate(password("account", "service"), changes) == errSecSuccess)
            #expect(data(.generic, "account", "service") == Data("new".utf8))
            #expect(probe(password("account", "service", inFiles)) == errSecItemNotFound)
        }
    }

    @Test func `of two items that in the data-protection keychain is returned, and arrays hold it first`() throws {
        try onBothKinds { _, _ in
            addToBoth()
            #expect(data(.generic, "account", "service") == Data("protected".utf8))
            let all = password("account", "service", [kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true])
            let found = try #require(find(all) as? [[String: Any]])
            #expect(found.map { $0[kSecAttrAccessGroup as String] as? String } == ["tests", nil])
        }
    }

    @Test func `a limit holds for both together`() throws {
        try onBothKinds { _, _ in
            for account in ["1", "2"] { addToBoth(account) }
            for (limit, count) in [(2, 2), (3, 3), (9, 4)] {
                let query = password([kSecMatchLimit: limit, kSecReturnAttributes: true])
                #expect((find(query) as? [Any])?.count == count)
            }
        }
    }

    @Test func `an update and a deletion reach both`() throws {
        try onBothKinds { _, _ in
            addToBoth()
            let label = [kSecAttrLabel: "label"] as CFDictionary
            #expect(SecItemUpdate(password("account", "service"), label) == errSecSuccess)
            for place in [protected, inFiles] {
                let query = password("account", "service", place.merging([kSecAttrLabel: "label"]) { $1 })
                #expect(probe(query) == errSecSuccess)
            }
            #expect(SecItemDelete(password("account", "service")) == errSecSuccess)
            for place in [protected, inFiles] {
                #expect(probe(password("account", "service", place)) == errSecItemNotFound)
            }
        }
    }

    @Test func `a deletion from files is limited, and compares as a search does`() throws {
        try onBothKinds { _, _ in
            func matches() -> Int {
                let all = inFiles.merging([kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]) { $1 }
                return (find(password(all)) as? [Any])?.count ?? 0
            }
            func delete(_ more: [CFString: Any]) -> OSStatus {
                SecItemDelete(password(inFiles.merging(more) { $1 }))
            }
            for account in ["1", "2", "3", "4"] { add(item(account, inFiles)) }
            #expect(delete([kSecMatchLimit: kSecMatchLimitOne]) == errSecSuccess)
            #expect(matches() == 3)
            #expect(delete([kSecMatchLimit: 2]) == errSecSuccess)
            #expect(matches() == 1)
            for account in ["Ann", "Bob"] { add(item(account, inFiles)) }
            #expect(delete([kSecAttrAccount: "ann", kSecMatchLimit: kSecMatchLimitOne]) == errSecItemNotFound)
            for more in [[kSecMatchLimit: kSecMatchLimitOne], [:]] as [[CFString: Any]] {
                let account = more.isEmpty ? "bob" : "ann"
                let inexact: [CFString: Any] = [kSecAttrAccount: account, kSecMatchCaseInsensitive: true]
                #expect(delete(inexact.merging(more) { $1 }) == errSecSuccess)
            }
            #expect(matches() == 1)
            #expect(delete([kSecMatchLimit: kSecMatchLimitAll]) == errSecSuccess)
            #expect(probe(password(inFiles)) == errSecItemNotFound)
            #expect(delete([kSecMatchLimit: kSecMatchLimitOne]) == errSecItemNotFound)
        }
    }

    @Test func `a deletion of one item leaves the data-protection keychain alone`() throws {
        try onBothKinds { _, _ in
            addToBoth()
            #expect(SecItemDelete(password("account", "service", [kSecMatchLimit: kSecMatchLimitOne])) == errSecSuccess)
            #expect(probe(password("account", "service", inFiles)) == errSecItemNotFound)
            #expect(probe(password("account", "service", protected)) == errSecSuccess)
            #expect(SecItemDelete(password("account", "service", [kSecMatchLimit: kSecMatchLimitAll])) == errSecSuccess)
            #expect(probe(password("account", "service")) == errSecItemNotFound)
        }
    }

    @Test func `where neither answers, the status is the files'`() throws {
        try onBothKinds { _, _ in
            #expect(probe(password("nobody", "service")) == errSecItemNotFound)
            // The group is not the program's: that alone would be errSecMissingEntitlement.
            let group = [kSecAttrAccessGroup: "others"] as [CFString: Any]
            #expect(probe(password(group.merging(protected) { $1 })) == errSecMissingEntitlement)
            #expect(probe(password(group)) == errSecNoSuchAttr)
            #expect(SecItemDelete(password("nobody", "service")) == errSecItemNotFound)
        }
    }

    @Test func `what one kind alone has decides which is meant`() throws {
        try onBothKinds { file, _ in
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil))
            add(item("control", [kSecAttrAccessControl: control]))
            add(item("synchronizable", [kSecAttrSynchronizable: true]))
            for account in ["control", "synchronizable"] {
                let any = [kSecAttrSynchronizable: kSecAttrSynchronizableAny] as [CFString: Any]
                #expect(probe(password(account, "service", protected.merging(any) { $1 })) == errSecSuccess)
                #expect(probe(password(account, "service", inFiles.merging(any) { $1 })) == errSecItemNotFound)
            }
            addToBoth()
            let named = password("account", "service", [kSecMatchSearchList: [file], kSecReturnData: true])
            #expect(find(named) as? Data == Data("file".utf8))
            for matching in [kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive] {
                let query = password("account", "service", [matching: true, kSecReturnData: true])
                #expect(find(query) as? Data == Data("file".utf8))
            }
        }
    }

    @Test func `what no kind has altogether is a mistake`() throws {
        try onBothKinds { file, _ in
            let both = [kSecAttrSynchronizable: true, kSecUseKeychain: file] as [CFString: Any]
            #expect(SecItemAdd(item("account", both), nil) == errSecParam)
            #expect(probe(password(both)) == errSecParam)
            #expect(probe([kSecAttrAccount: "account"] as CFDictionary) == errSecParam)
        }
    }

    @Test func `accessibility is ignored in files, in every call`() throws {
        try onBothKinds { _, _ in
            let accessible = [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock] as [CFString: Any]
            for place in [accessible, inFiles.merging(accessible) { $1 }] {
                add(item("account", place))
                #expect(probe(password("account", "service", protected)) == errSecItemNotFound)
                let query = password("account", "service", place)
                let attributes = password("account", "service", place.merging([kSecReturnAttributes: true]) { $1 })
                let found = try #require(find(attributes) as? [String: Any])
                #expect(found[kSecAttrAccessible as String] == nil)
                #expect(SecItemUpdate(query, [kSecValueData: Data("new".utf8)] as CFDictionary) == errSecSuccess)
                #expect(SecItemUpdate(query, accessible as CFDictionary) == errSecSuccess)
                #expect(data(.generic, "account", "service") == Data("new".utf8))
                #expect(SecItemDelete(query) == errSecSuccess)
            }
            // In the data-protection keychain it is compared.
            addToBoth()
            #expect(SecItemDelete(password("account", "service", accessible)) == errSecSuccess)
            #expect(probe(password("account", "service", inFiles)) == errSecItemNotFound)
            #expect(probe(password("account", "service", protected)) == errSecSuccess)
        }
    }

    @Test func `a key that is made in a file may have an accessibility`() throws {
        try onBothKinds { file, _ in
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecUseKeychain: file, kSecAttrIsPermanent: true,
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
            ]
            #expect(SecKeyCreateRandomKey(parameters as CFDictionary, nil) != nil)
        }
    }

    @Test func `other attributes of the other kind are refused, and not passed over`() throws {
        try onBothKinds { _, _ in
            let group = [kSecAttrAccessGroup: "tests"] as [CFString: Any]
            #expect(SecItemAdd(item("account", group), nil) == errSecNoSuchAttr)
            #expect(probe(password("account", "service")) == errSecItemNotFound)
            addToBoth()
            // A change that only one kind can make is made there.
            #expect(SecItemUpdate(password("account", "service"), group as CFDictionary) == errSecSuccess)
            var access: SecAccess?
            #expect(SecAccessCreate("item" as CFString, nil, &access) == errSecSuccess)
            let changes = [kSecAttrAccess: try #require(access)] as CFDictionary
            #expect(SecItemUpdate(password("account", "service", protected), changes) == errSecNoSuchAttr)
            // Only the owner of the access object may do this, and no user is present to authenticate, so the status is
            // that of the files.
            #expect(SecItemUpdate(password("account", "service"), changes) == errSecAuthFailed)
        }
    }

    @Test func `keys made here stay in the data-protection keychain`() throws {
        try onBothKinds { _, _ in
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrLabel: "key"] as [CFString: Any],
            ]
            let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrLabel: "key"]
            #expect(probe(query.merging(protected) { $1 } as CFDictionary) == errSecSuccess)
            #expect(probe(query.merging(inFiles) { $1 } as CFDictionary) == errSecItemNotFound)
            #expect(probe([kSecValueRef: key] as CFDictionary) == errSecSuccess)
        }
    }

    @Test func `of an item in a file a reference is returned where nothing is asked for`() throws {
        try onBothKinds { file, _ in
            var added: CFTypeRef?
            #expect(SecItemAdd(item("account"), &added) == errSecSuccess)
            var keychain: SecKeychain?
            let reference = try #require(added as? SecKeychainItem)
            #expect(SecKeychainItemCopyKeychain(reference, &keychain) == errSecSuccess)
            #expect(keychain == file)
            #expect(find(password("account", "service")) as? SecKeychainItem == reference)
        }
    }

    @Test func `the data of all passwords in files takes a call for each`() throws {
        try onBothKinds { _, _ in
            add(item("account"))
            let all = password([kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true])
            #expect(SecItemCopyMatching(all, nil) == errSecSuccess)
            var found: CFTypeRef?
            #expect(SecItemCopyMatching(all, &found) == errSecParam)
        }
    }

    @Test func `without the switch plain calls are about the data-protection keychain alone`() throws {
        try onBothKinds { _, _ in
            addToBoth()
            PlainItemCalls.dataProtectionKeychain.during {
                #expect(data(.generic, "account", "service") == Data("protected".utf8))
                #expect(SecItemDelete(password("account", "service")) == errSecSuccess)
                #expect(probe(password("account", "service")) == errSecItemNotFound)
                #expect(probe(password("account", "service", inFiles)) == errSecSuccess)
            }
        }
    }
}
