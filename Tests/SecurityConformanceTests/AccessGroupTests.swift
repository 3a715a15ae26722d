// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Cases of a program without access groups or with several of them, which the test program of a real service is not.
@Suite struct `None or several access groups` {
    // C114
    @Test func `a program without access groups has no entitlement for anything`() throws {
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
            #expect((result as? Entries)?[kSecAttrAccessGroup] as? String == "first")
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
}

extension Conformance.Identities {
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
}
