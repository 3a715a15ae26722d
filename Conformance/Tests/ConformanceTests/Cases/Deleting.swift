// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    @Suite struct `Deleting` {
        @Test("C050 a persistent reference deletes its item only", arguments: PasswordClass.allCases)
        func c050(_ itemClass: PasswordClass) throws {
            let first = try addedReference(itemClass, "one", "s")
            let second = try addedReference(itemClass, "two", "s")
            #expect(SecItemDelete([kSecValuePersistentRef: first] as CFDictionary) == errSecSuccess)
            #expect(probe([kSecValuePersistentRef: first] as CFDictionary) == errSecItemNotFound)
            #expect(SecItemDelete([kSecValuePersistentRef: first] as CFDictionary) == errSecItemNotFound)
            #expect(probe([kSecValuePersistentRef: second] as CFDictionary) == errSecSuccess)
            #expect(count(itemClass) == 1)
        }

        @Test("C051 where nothing matches nothing is deleted", arguments: PasswordClass.allCases)
        func c051(_ itemClass: PasswordClass) {
            #expect(SecItemDelete(itemClass.query()) == errSecItemNotFound)
            add(itemClass.item("a", "s"))
            #expect(SecItemDelete(itemClass.item("a", "t")) == errSecItemNotFound)
            #expect(count(itemClass) == 1)
        }

        @Test("C052 a deletion deletes all matches, and no limit leaves some", arguments: PasswordClass.allCases)
        func c052(_ itemClass: PasswordClass) {
            for account in ["one", "two"] { add(itemClass.item(account, "s")) }
            for limit in [kSecMatchLimitOne] as [Any] + [1, 2] {
                #expect(SecItemDelete(itemClass.query([kSecMatchLimit: limit])) == errSecParam)
            }
            #expect(count(itemClass) == 2)
            #expect(SecItemDelete(itemClass.query([kSecMatchLimit: kSecMatchLimitAll])) == errSecSuccess)
            #expect(count(itemClass) == 0)
        }

        @Test("a deletion compares exactly, whatever match keys it has", arguments: PasswordClass.allCases)
        func ignoredMatchKeys(_ itemClass: PasswordClass) {
            add(itemClass.item("ann", "s"))
            let inexact = itemClass.item("ANN", "s", [kSecMatchCaseInsensitive: true])
            #expect(SecItemDelete(inexact) == errSecItemNotFound)
            let exact = itemClass.item("ann", "s", [kSecMatchCaseInsensitive: true, kSecMatchTrustedOnly: true])
            #expect(SecItemDelete(exact) == errSecSuccess)
            #expect(count(itemClass) == 0)
        }

        @Test("C053 a class alone deletes all its local items", arguments: PasswordClass.allCases)
        func c053(_ itemClass: PasswordClass) {
            for account in ["one", "two", "three"] { add(itemClass.item(account, "s")) }
            add(itemClass.item("one", "s", [kSecAttrSynchronizable: true]))
            add(itemClass.other.item("one", "s"))
            #expect(SecItemDelete(itemClass.query()) == errSecSuccess)
            #expect(count(itemClass) == 0)
            #expect(count(itemClass, [kSecAttrSynchronizable: true]) == 1)
            #expect(count(itemClass.other) == 1)
        }

        @Test("return keys are tolerated", arguments: PasswordClass.allCases)
        func returnKeys(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            #expect(SecItemDelete(itemClass.item("a", "s", [kSecReturnData: true])) == errSecSuccess)
        }

        @Test("C056 a persistent reference has 20 bytes and begins with the class", arguments: PasswordClass.allCases)
        func c056(_ itemClass: PasswordClass) throws {
            let reference = try addedReference(itemClass, "a", "s")
            #expect(reference.count == 20)
            #expect(String(decoding: reference.prefix(4), as: UTF8.self) == itemClass.rawValue)
        }

        @Test("C057 the reference of an item that was deleted finds nothing", arguments: PasswordClass.allCases)
        func c057(_ itemClass: PasswordClass) throws {
            let reference = try addedReference(itemClass, "a", "s", [kSecValueData: Data([1])])
            #expect(SecItemDelete(itemClass.item("a", "s")) == errSecSuccess)
            var result: CFTypeRef?
            let query = [kSecValuePersistentRef: reference, kSecReturnData: true] as CFDictionary
            #expect(SecItemCopyMatching(query, &result) == errSecItemNotFound)
            #expect(result == nil)
            // An item that is added again is a new item.
            let again = try addedReference(itemClass, "a", "s")
            #expect(again != reference)
            #expect(probe([kSecValuePersistentRef: reference] as CFDictionary) == errSecItemNotFound)
        }
    }
}
