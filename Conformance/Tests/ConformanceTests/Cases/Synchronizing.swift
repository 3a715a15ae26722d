// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    @Suite struct `Synchronizable items` {
        @Test("C073 they are found only by those who ask for them", arguments: PasswordClass.allCases)
        func c073(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s", [kSecAttrSynchronizable: true]))
            #expect(probe(itemClass.item("a", "s")) == errSecItemNotFound)
            #expect(probe(itemClass.item("a", "s", [kSecAttrSynchronizable: false])) == errSecItemNotFound)
            #expect(probe(itemClass.item("a", "s", [kSecAttrSynchronizable: true])) == errSecSuccess)
            #expect(
                probe(itemClass.item("a", "s", [kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == errSecSuccess)
        }

        @Test("C074 they are changed and deleted only by those who ask for them", arguments: PasswordClass.allCases)
        func c074(_ itemClass: PasswordClass) throws {
            add(itemClass.item("a", "s", [kSecAttrSynchronizable: true]))
            let synchronizable = itemClass.item("a", "s", [kSecAttrSynchronizable: true])
            #expect(SecItemUpdate(itemClass.item("a", "s"), changes([kSecAttrLabel: "x"])) == errSecItemNotFound)
            #expect(SecItemUpdate(synchronizable, changes([kSecAttrLabel: "x"])) == errSecSuccess)
            #expect(try attributes(itemClass, [kSecAttrSynchronizable: true])[kSecAttrLabel] as? String == "x")
            #expect(SecItemDelete(itemClass.item("a", "s")) == errSecItemNotFound)
            #expect(SecItemDelete(synchronizable) == errSecSuccess)
            #expect(probe(synchronizable) == errSecItemNotFound)
        }

        @Test("C075 one of each kind are two items", arguments: PasswordClass.allCases)
        func c075(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s", [kSecAttrSynchronizable: true]))
            add(itemClass.item("a", "s", [kSecAttrSynchronizable: false]))
            #expect(count(itemClass, [kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == 2)
            #expect(count(itemClass) == 1)
        }

        @Test("C076 a constraint and synchronization exclude each other", arguments: PasswordClass.allCases)
        func c076(_ itemClass: PasswordClass) throws {
            for flags in [SecAccessControlCreateFlags.userPresence, .devicePasscode, []] {
                let control = try #require(
                    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
                let item = itemClass.item("a", "s", [kSecAttrAccessControl: control, kSecAttrSynchronizable: true])
                #expect(SecItemAdd(item, nil) == errSecParam)
            }
            #expect(count(itemClass, [kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == 0)
        }

        @Test(
            "C077 a local item is found by who asks for any, not for synchronizable ones",
            arguments: PasswordClass.allCases)
        func c077(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            #expect(
                probe(itemClass.item("a", "s", [kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == errSecSuccess)
            #expect(probe(itemClass.item("a", "s", [kSecAttrSynchronizable: true])) == errSecItemNotFound)
        }

        @Test(
            "an item for this device only may be synchronizable, when added and by an update",
            arguments: PasswordClass.allCases)
        func thisDeviceOnly(_ itemClass: PasswordClass) {
            let classes = [
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            for (index, accessibility) in classes.enumerated() {
                let (added, updated) = ("added \(index)", "updated \(index)")
                let both: Entries = [kSecAttrAccessible: accessibility, kSecAttrSynchronizable: true]
                add(itemClass.item(added, "s", both))
                #expect(probe(itemClass.item(added, "s", [kSecAttrSynchronizable: true])) == errSecSuccess)
                #expect(probe(itemClass.query()) == errSecItemNotFound)
                add(itemClass.item(updated, "s"))
                #expect(SecItemUpdate(itemClass.item(updated, "s"), changes(both)) == errSecSuccess)
                #expect(probe(itemClass.item(updated, "s", [kSecAttrSynchronizable: true])) == errSecSuccess)
            }
        }
    }
}
