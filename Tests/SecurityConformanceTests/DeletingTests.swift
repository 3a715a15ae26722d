// SPDX-License-Identifier: Apache-2.0

import KeychainTesting
import Security
import Testing

@Suite struct `Deleting` {
    // C050, C057
    @Test func `a persistent reference deletes its item and no other`() throws {
        try onEmptyKeychain {
            let first = [kSecValuePersistentRef: try addedReference("one", "s")] as CFDictionary
            let second = [kSecValuePersistentRef: try addedReference("two", "s")] as CFDictionary
            #expect(SecItemDelete(first) == errSecSuccess)
            #expect(probe(first) == errSecItemNotFound)
            #expect(SecItemDelete(first) == errSecItemNotFound)
            #expect(probe(second) == errSecSuccess)
        }
    }

    // C051
    @Test func `where nothing matches there is nothing to delete`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            #expect(SecItemDelete(password("ann", "mail")) == errSecItemNotFound)
        }
    }

    // C052
    @Test func `a deletion has no limit`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            #expect(SecItemDelete(password([kSecMatchLimit: kSecMatchLimitAll])) == errSecParam)
            #expect(probe(password("joe", "mail")) == errSecSuccess)
        }
    }

    // C053
    @Test func `a class alone deletes every local item of it`() throws {
        try onEmptyKeychain {
            for account in ["a", "b", "c"] { add(password(account, "s")) }
            add(password("d", "s", [kSecAttrSynchronizable: true]))
            #expect(SecItemDelete(password()) == errSecSuccess)
            #expect(probe(password()) == errSecItemNotFound)
            #expect(probe(password([kSecAttrSynchronizable: true])) == errSecSuccess)
        }
    }

    // C054, by a program that names one of its groups
    @Test func `an access group limits the deletion`() throws {
        try onEmptyKeychain(accessGroups: ["g1", "g2"]) {
            add(password("joe", "mail", [kSecAttrAccessGroup: "g1"]))
            add(password("joe", "mail", [kSecAttrAccessGroup: "g2"]))
            #expect(SecItemDelete(password([kSecAttrAccessGroup: "g1"])) == errSecSuccess)
            #expect(probe(password([kSecAttrAccessGroup: "g1"])) == errSecItemNotFound)
            #expect(probe(password([kSecAttrAccessGroup: "g2"])) == errSecSuccess)
        }
    }

    @Test func `return keys are tolerated`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            #expect(SecItemDelete(password("joe", "mail", [kSecReturnData: true])) == errSecSuccess)
        }
    }
}

@Suite struct `Synchronizable items` {
    // C073
    @Test func `are found when they are asked for`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail", [kSecAttrSynchronizable: true]))
            #expect(probe(password("joe", "mail")) == errSecItemNotFound)
            #expect(probe(password("joe", "mail", [kSecAttrSynchronizable: false])) == errSecItemNotFound)
            #expect(probe(password("joe", "mail", [kSecAttrSynchronizable: true])) == errSecSuccess)
            #expect(
                probe(password("joe", "mail", [kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == errSecSuccess)
        }
    }

    // C074
    @Test func `are changed and deleted when they are asked for`() throws {
        try onEmptyKeychain {
            let query = password("joe", "mail", [kSecAttrSynchronizable: true])
            let changes = [kSecAttrLabel: "x"] as CFDictionary
            add(query)
            #expect(SecItemUpdate(password("joe", "mail"), changes) == errSecItemNotFound)
            #expect(SecItemUpdate(query, changes) == errSecSuccess)
            #expect(SecItemDelete(password("joe", "mail")) == errSecItemNotFound)
            #expect(SecItemDelete(query) == errSecSuccess)
        }
    }

    // C075
    @Test func `live beside local ones with the same name`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail", [kSecAttrSynchronizable: true]))
            add(password("joe", "mail", [kSecAttrSynchronizable: false]))
            let all = password([
                kSecAttrSynchronizable: kSecAttrSynchronizableAny, kSecMatchLimit: kSecMatchLimitAll,
                kSecReturnAttributes: true,
            ])
            #expect((find(all) as? [[String: Any]])?.count == 2)
        }
    }
}
