// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    @Suite struct `Updating` {
        @Test("C035 an item that was changed is no longer found as it was", arguments: PasswordClass.allCases)
        func c035(_ itemClass: PasswordClass) {
            let old = itemClass.item("joe", "old")
            add(old)
            #expect(SecItemUpdate(old, changes([itemClass.place: "new"])) == errSecSuccess)
            #expect(SecItemUpdate(old, changes([itemClass.place: "new"])) == errSecItemNotFound)
            #expect(probe(itemClass.item("joe", "new")) == errSecSuccess)
        }

        @Test("C036 nor deleted as it was", arguments: PasswordClass.allCases)
        func c036(_ itemClass: PasswordClass) {
            let old = itemClass.item("joe", "old")
            add(old)
            #expect(SecItemUpdate(old, changes([itemClass.place: "new"])) == errSecSuccess)
            #expect(SecItemDelete(old) == errSecItemNotFound)
            #expect(count(itemClass) == 1)
        }

        @Test("C037 an item does not become the same as another", arguments: PasswordClass.allCases)
        func c037(_ itemClass: PasswordClass) {
            add(itemClass.item("joe", "one", [kSecValueData: Data([1])]))
            add(itemClass.item("joe", "two", [kSecValueData: Data([2])]))
            let before = dump()
            #expect(
                SecItemUpdate(itemClass.item("joe", "one"), changes([itemClass.place: "two"])) == errSecDuplicateItem)
            #expect(dump() == before)
        }

        @Test("C038 data is changed and read back", arguments: PasswordClass.allCases)
        func c038(_ itemClass: PasswordClass) {
            let item = itemClass.item("joe", "mail")
            add(itemClass.item("joe", "mail", [kSecValueData: Data([1])]))
            #expect(SecItemUpdate(item, changes([kSecValueData: Data([2, 3])])) == errSecSuccess)
            #expect(data(itemClass, "joe", "mail") == Data([2, 3]))
            #expect(SecItemUpdate(item, changes([kSecAttrLabel: "x"])) == errSecSuccess)
            #expect(data(itemClass, "joe", "mail") == Data([2, 3]))
            #expect(SecItemUpdate(item, changes([kSecValueData: Data()])) == errSecSuccess)
            #expect(data(itemClass, "joe", "mail") == Data())
        }

        @Test("C039 null is no data", arguments: PasswordClass.allCases)
        func c039(_ itemClass: PasswordClass) {
            add(itemClass.item("joe", "mail", [kSecValueData: Data([1])]))
            let before = dump()
            for null in [NSNull(), kCFNull as Any, Data?.none as Any] {
                #expect(SecItemUpdate(itemClass.item("joe", "mail"), changes([kSecValueData: null])) == errSecParam)
            }
            #expect(dump() == before)
        }

        @Test("C040 text is no data", arguments: PasswordClass.allCases)
        func c040(_ itemClass: PasswordClass) {
            add(itemClass.item("joe", "mail", [kSecValueData: Data([1])]))
            let before = dump()
            #expect(SecItemUpdate(itemClass.item("joe", "mail"), changes([kSecValueData: "secret"])) == errSecParam)
            #expect(dump() == before)
        }

        @Test("C041 an update returns nothing, and must not be asked to", arguments: PasswordClass.allCases)
        func c041(_ itemClass: PasswordClass) {
            add(itemClass.item("joe", "mail"))
            let before = dump()
            for name in ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"] {
                let query = itemClass.item("joe", "mail", [name as CFString: true])
                #expect(SecItemUpdate(query, changes([kSecAttrLabel: "x"])) == errSecParam, "\(name)")
            }
            #expect(dump() == before)
        }

        @Test("C042 a persistent reference changes its item only, and stays good", arguments: PasswordClass.allCases)
        func c042(_ itemClass: PasswordClass) throws {
            let first = try addedReference(itemClass, "one", "s")
            let second = try addedReference(itemClass, "two", "s")
            #expect(
                SecItemUpdate([kSecValuePersistentRef: first] as CFDictionary, changes([kSecAttrLabel: "L"]))
                    == errSecSuccess)
            #expect(label(first) == "L")
            #expect(label(second) == nil)
            #expect(count(itemClass, [kSecAttrLabel: "L"]) == 1)
        }

        private func label(_ reference: Data) -> String? {
            let found = find([kSecValuePersistentRef: reference, kSecReturnAttributes: true] as CFDictionary)
            return (found as? Entries)?[kSecAttrLabel] as? String
        }

        @Test("C043 account and service move to unused values", arguments: PasswordClass.allCases)
        func c043(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s", [kSecValueData: Data([1])]))
            #expect(
                SecItemUpdate(itemClass.item("a", "s"), changes([kSecAttrAccount: "b", itemClass.place: "t"]))
                    == errSecSuccess)
            #expect(probe(itemClass.item("a", "s")) == errSecItemNotFound)
            #expect(data(itemClass, "b", "t") == Data([1]))
        }

        @Test(
            "C044 the modification date grows with each update, the creation date stays",
            arguments: PasswordClass.allCases)
        func c044(_ itemClass: PasswordClass) throws {
            func dates() throws -> (created: Date, modified: Date) {
                let found = try attributes(itemClass, [:])
                return try (
                    #require(found[kSecAttrCreationDate] as? Date), #require(found[kSecAttrModificationDate] as? Date)
                )
            }
            let past = Date(timeIntervalSinceReferenceDate: 0)
            add(itemClass.item("a", "s", [kSecAttrCreationDate: past]))
            var last = try dates()
            let created = last.created
            #expect(created > past)
            for label in 0..<20 {
                #expect(SecItemUpdate(itemClass.item("a", "s"), changes([kSecAttrLabel: "\(label)"])) == errSecSuccess)
                let now = try dates()
                #expect(now.created == created)
                #expect(now.modified > last.modified)
                last = now
            }
        }

        @Test("C047 the changes take no key of the use family", arguments: PasswordClass.allCases)
        func c047(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            let before = dump()
            let uses: [Entries] = [
                [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail], [kSecUseDataProtectionKeychain: true],
                ["u_OpPrompt" as CFString: "why"], ["u_AuthCtx" as CFString: NSObject()],
            ]
            for use in uses {
                #expect(SecItemUpdate(itemClass.item("a", "s"), changes(use)) == errSecNoSuchAttr, "\(use)")
                let both = use.merging([kSecAttrLabel: "x"]) { $1 }
                #expect(SecItemUpdate(itemClass.item("a", "s"), changes(both)) == errSecNoSuchAttr, "\(use)")
            }
            #expect(dump() == before)
        }

        @Test("C048 an access control object without flags is put on an item", arguments: PasswordClass.allCases)
        func c048(_ itemClass: PasswordClass) throws {
            add(itemClass.item("joe", "mail", [kSecValueData: Data([1])]))
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAfterFirstUnlock, [], nil))
            let change = changes([kSecAttrAccessControl: control])
            #expect(SecItemUpdate(itemClass.item("joe", "mail"), change) == errSecSuccess)
            #expect(data(itemClass, "joe", "mail") == Data([1]))
            let item = try attributes(itemClass, [:])
            #expect(item[kSecAttrAccessible] as? String == "ck")
            #expect(item[kSecAttrAccessControl] as! SecAccessControl == control)
        }

        @Test("C049 an update has no limit", arguments: PasswordClass.allCases)
        func c049(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            add(itemClass.item("b", "s"))
            let before = dump()
            for limit in [kSecMatchLimitOne, kSecMatchLimitAll] as [Any] + [1, 2] {
                let query = itemClass.query([itemClass.place: "s", kSecMatchLimit: limit])
                #expect(SecItemUpdate(query, changes([kSecAttrLabel: "x"])) == errSecParam)
            }
            #expect(dump() == before)
            // Without a limit it changes all items.
            #expect(
                SecItemUpdate(itemClass.query([itemClass.place: "s"]), changes([kSecAttrLabel: "x"])) == errSecSuccess)
            #expect(count(itemClass, [kSecAttrLabel: "x"]) == 2)
        }

        @Test("an update without changes is a modification, and leaves the data", arguments: PasswordClass.allCases)
        func noChanges(_ itemClass: PasswordClass) throws {
            func modified() throws -> Date {
                try #require(try attributes(itemClass, [:])[kSecAttrModificationDate] as? Date)
            }
            add(itemClass.item("joe", "mail", [kSecValueData: Data([1])]))
            let before = try modified()
            #expect(SecItemUpdate(itemClass.query(), changes([:])) == errSecSuccess)
            #expect(try modified() > before)
            #expect(data(itemClass, "joe", "mail") == Data([1]))
        }
    }
}
