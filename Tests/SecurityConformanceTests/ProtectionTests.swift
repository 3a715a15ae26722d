// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainTesting
import Security
import Testing

@Suite struct `Protection` {
    // C093
    @Test func `without a passcode nothing can ask for one`() throws {
        try onEmptyKeychain {
            let item = password(
                "joe", "mail", [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly])
            #expect(SecItemAdd(item, nil) == errSecAuthFailed)
            #expect(probe(password()) == errSecItemNotFound)
        }
    }

    // C102
    @Test func `accessibility and access control exclude each other`() throws {
        try onEmptyKeychain {
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil))
            let item = password(
                "joe", "mail",
                [kSecAttrAccessControl: control, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked])
            #expect(SecItemAdd(item, nil) == errSecParam)
            #expect(probe(password()) == errSecItemNotFound)
        }
    }

    @Test func `constraints that cannot be met are refused, not forgotten`() throws {
        try onEmptyKeychain {
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil))
            // There is no passcode.
            #expect(SecItemAdd(password("joe", "mail", [kSecAttrAccessControl: control]), nil) == errSecAuthFailed)
            #expect(probe(password()) == errSecItemNotFound)
        }
    }

    // C076
    @Test func `an item with an access control does not synchronize`() throws {
        try onEmptyKeychain {
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil))
            let item = password("joe", "mail", [kSecAttrAccessControl: control, kSecAttrSynchronizable: true])
            #expect(SecItemAdd(item, nil) == errSecParam)
            #expect(probe(password([kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == errSecItemNotFound)
        }
    }

    @Test func `an item for this device only may be synchronizable, when added and by an update`() throws {
        let classes = [kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly]
        for accessibility in classes {
            try onEmptyKeychain {
                let both: [CFString: Any] = [kSecAttrAccessible: accessibility, kSecAttrSynchronizable: true]
                #expect(SecItemAdd(password("joe", "mail", both), nil) == errSecSuccess)
                #expect(probe(password([kSecAttrSynchronizable: true])) == errSecSuccess)
                #expect(probe(password()) == errSecItemNotFound)
                #expect(SecItemAdd(password("ann", "mail"), nil) == errSecSuccess)
                let query = password([kSecAttrAccount: "ann"])
                #expect(SecItemUpdate(query, both as CFDictionary) == errSecSuccess)
                #expect(probe(password([kSecAttrAccount: "ann", kSecAttrSynchronizable: true])) == errSecSuccess)
            }
        }
    }
}

@Suite struct `Access groups` {
    // C114
    @Test func `a program without any has no entitlement for anything`() throws {
        try onEmptyKeychain(accessGroups: []) {
            #expect(SecItemAdd(password("joe", "mail"), nil) == errSecMissingEntitlement)
            #expect(probe(password()) == errSecMissingEntitlement)
            #expect(SecItemUpdate(password(), [kSecAttrLabel: "x"] as CFDictionary) == errSecMissingEntitlement)
            #expect(SecItemDelete(password()) == errSecMissingEntitlement)
        }
    }

    // C115
    @Test func `an item without a named group is in the first one`() throws {
        try onEmptyKeychain(accessGroups: ["first", "second"]) {
            var result: CFTypeRef?
            #expect(SecItemAdd(password("joe", "mail", [kSecReturnAttributes: true]), &result) == errSecSuccess)
            #expect((result as? [CFString: Any])?[kSecAttrAccessGroup] as? String == "first")
        }
    }

    // C116, C117
    @Test func `a group of another program is a missing entitlement`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            for group in ["com.apple.token", "others"] {
                let item = password("joe", "mail", [kSecAttrAccessGroup: group])
                let changes = [kSecAttrLabel: "x"] as CFDictionary
                #expect(SecItemAdd(item, nil) == errSecMissingEntitlement)
                #expect(probe(item) == errSecMissingEntitlement)
                #expect(SecItemUpdate(item, changes) == errSecMissingEntitlement)
                #expect(
                    SecItemUpdate(password("joe", "mail"), [kSecAttrAccessGroup: group] as CFDictionary)
                        == errSecMissingEntitlement)
                #expect(SecItemDelete(item) == errSecMissingEntitlement)
            }
        }
    }

    // C118
    @Test func `items of another program are not there`() throws {
        let keychain = try InMemoryKeychain(accessGroups: ["mine"])
        keychain.run { add(password("joe", "mail", [kSecValueData: Data([1])])) }
        keychain.client(accessGroups: ["theirs"]).asCurrent {
            #expect(probe(password()) == errSecItemNotFound)
            #expect(SecItemUpdate(password(), [kSecAttrLabel: "x"] as CFDictionary) == errSecItemNotFound)
            #expect(SecItemDelete(password()) == errSecItemNotFound)
            add(password("joe", "mail", [kSecValueData: Data([2])]))
        }
        keychain.run { #expect(data("joe", "mail") == Data([1])) }
    }
}
