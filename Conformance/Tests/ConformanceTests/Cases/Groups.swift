// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

// The test program has one access group. Conformance/README.md lists where the cases that need more groups are tested.
extension Conformance {
    @Suite struct `Access groups` {
        /// The group of this program.
        private func ownGroup(_ itemClass: PasswordClass) throws -> String {
            var result: CFTypeRef?
            #expect(SecItemAdd(itemClass.item("own", "group", [kSecReturnAttributes: true]), &result) == errSecSuccess)
            #expect(SecItemDelete(itemClass.item("own", "group")) == errSecSuccess)
            return try #require((result as? Entries)?[kSecAttrAccessGroup] as? String)
        }

        @Test("C115 an item without a named group is in the program's first", arguments: PasswordClass.allCases)
        func c115(_ itemClass: PasswordClass) throws {
            let group = try ownGroup(itemClass)
            #expect(!group.isEmpty)
            add(itemClass.item("a", "s"))
            #expect(count(itemClass, [kSecAttrAccessGroup: group]) == 1)
            #expect(SecItemAdd(itemClass.item("a", "s", [kSecAttrAccessGroup: group]), nil) == errSecDuplicateItem)
            #expect(
                SecItemUpdate(
                    itemClass.query([kSecAttrAccessGroup: group]),
                    changes([kSecAttrAccessGroup: group, kSecAttrLabel: "x"])) == errSecSuccess)
            #expect(SecItemDelete(itemClass.query([kSecAttrAccessGroup: group])) == errSecSuccess)
        }

        @Test("C116 the group of tokens takes nothing and gives up nothing", arguments: PasswordClass.allCases)
        func c116(_ itemClass: PasswordClass) {
            let item = itemClass.item("a", "s", [kSecAttrAccessGroup: kSecAttrAccessGroupToken])
            #expect(SecItemAdd(item, nil) == errSecMissingEntitlement)
            #expect(probe(item) == errSecMissingEntitlement)
            #expect(SecItemUpdate(item, changes([kSecAttrLabel: "x"])) == errSecMissingEntitlement)
            #expect(SecItemDelete(item) == errSecMissingEntitlement)
            add(itemClass.item("a", "s"))
            #expect(
                SecItemUpdate(itemClass.item("a", "s"), changes([kSecAttrAccessGroup: kSecAttrAccessGroupToken]))
                    == errSecMissingEntitlement)
            #expect(count(itemClass) == 1)
        }

        @Test("C117 a foreign group is a missing entitlement", arguments: PasswordClass.allCases)
        func c117(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            let before = dump()
            for group in ["com.example.foreign", "", String(repeating: "g", count: 5000)] {
                let item = itemClass.item("a", "s", [kSecAttrAccessGroup: group])
                #expect(SecItemAdd(item, nil) == errSecMissingEntitlement)
                #expect(probe(item) == errSecMissingEntitlement)
                #expect(SecItemUpdate(item, changes([kSecAttrLabel: "x"])) == errSecMissingEntitlement)
                #expect(SecItemDelete(item) == errSecMissingEntitlement)
                #expect(
                    SecItemUpdate(itemClass.item("a", "s"), changes([kSecAttrAccessGroup: group]))
                        == errSecMissingEntitlement)
            }
            #expect(dump() == before)
        }

        @Test("C054, C118 items of another group are out of reach, and stay", .enabled(if: OtherProgram.isAvailable))
        func c118() throws {
            let other = OtherProgram()
            try other.addPassword("theirs", account: "joe", service: "mail")
            let query = PasswordClass.generic.query()
            #expect(probe(query) == errSecItemNotFound)
            #expect(SecItemUpdate(query, changes([kSecAttrLabel: "x"])) == errSecItemNotFound)
            #expect(SecItemDelete(query) == errSecItemNotFound)
            add(PasswordClass.generic.item("joe", "mail", [kSecValueData: Data("mine".utf8)]))
            #expect(count(.generic) == 1)
            let group = try #require(try attributes(.generic, [:])[kSecAttrAccessGroup] as? String)
            #expect(SecItemDelete(PasswordClass.generic.query([kSecAttrAccessGroup: group])) == errSecSuccess)
            #expect(try other.password(account: "joe", service: "mail") == "theirs")
            try other.deletePassword(account: "joe", service: "mail")
        }
    }
}
