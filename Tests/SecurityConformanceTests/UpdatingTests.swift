// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite struct `Updating` {
    // C035, C036
    @Test func `an item that was changed is not found as it was`() throws {
        try onEmptyKeychain {
            add(password("joe", "old"))
            #expect(
                SecItemUpdate(password("joe", "old"), [kSecAttrService: "new"] as CFDictionary) == errSecSuccess)
            #expect(
                SecItemUpdate(password("joe", "old"), [kSecAttrService: "new"] as CFDictionary) == errSecItemNotFound)
            #expect(SecItemDelete(password("joe", "old")) == errSecItemNotFound)
            #expect(probe(password("joe", "new")) == errSecSuccess)
        }
    }

    // C037
    @Test func `an item cannot become the same as another`() throws {
        try onEmptyKeychain {
            add(password("joe", "one", [kSecValueData: Data([1])]))
            add(password("joe", "two", [kSecValueData: Data([2])]))
            #expect(
                SecItemUpdate(password("joe", "one"), [kSecAttrService: "two"] as CFDictionary)
                    == errSecDuplicateItem)
            #expect(data("joe", "one") == Data([1]))
            #expect(data("joe", "two") == Data([2]))
        }
    }

    // C038
    @Test func `new data is read back, and attributes alone leave it`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail", [kSecValueData: Data([1])]))
            #expect(
                SecItemUpdate(password("joe", "mail"), [kSecValueData: Data([2, 3])] as CFDictionary) == errSecSuccess)
            #expect(data("joe", "mail") == Data([2, 3]))
            #expect(SecItemUpdate(password("joe", "mail"), [kSecAttrLabel: "x"] as CFDictionary) == errSecSuccess)
            #expect(data("joe", "mail") == Data([2, 3]))
        }
    }

    // C039, C040
    @Test func `data must be data`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail", [kSecValueData: Data([1])]))
            for value in [Data?.none as Any, NSNull(), "secret"] as [Any] {
                #expect(SecItemUpdate(password("joe", "mail"), [kSecValueData: value] as CFDictionary) == errSecParam)
            }
            #expect(data("joe", "mail") == Data([1]))
        }
    }

    // C041
    @Test func `an update returns nothing, so asking for it is a parameter error`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            for key in [kSecReturnAttributes, kSecReturnData, kSecReturnRef, kSecReturnPersistentRef] {
                #expect(
                    SecItemUpdate(password("joe", "mail", [key: true]), [kSecAttrLabel: "x"] as CFDictionary)
                        == errSecParam, "\(key)")
            }
        }
    }

    // C042
    @Test func `a persistent reference changes its item and stays good`() throws {
        try onEmptyKeychain {
            let first = try addedReference("one", "s")
            _ = try addedReference("two", "s")
            #expect(
                SecItemUpdate(
                    [kSecValuePersistentRef: first] as CFDictionary, [kSecAttrLabel: "changed"] as CFDictionary)
                    == errSecSuccess)
            #expect(probe(password("two", "s", [kSecAttrLabel: "changed"])) == errSecItemNotFound)
            let item = find([kSecValuePersistentRef: first, kSecReturnAttributes: true] as CFDictionary)
            #expect((item as? [CFString: Any])?[kSecAttrLabel] as? String == "changed")
        }
    }

    // C043
    @Test func `account and service may be changed`() throws {
        try onEmptyKeychain {
            add(password("a", "s", [kSecValueData: Data([1])]))
            #expect(
                SecItemUpdate(
                    password("a", "s"), [kSecAttrAccount: "b", kSecAttrService: "t"] as CFDictionary)
                    == errSecSuccess)
            #expect(probe(password("a", "s")) == errSecItemNotFound)
            #expect(data("b", "t") == Data([1]))
        }
    }

    // C044
    @Test func `the modification date grows with each update and the creation date stays`() throws {
        try onEmptyKeychain {
            func dates() throws -> (created: Date, modified: Date) {
                let item = try #require(
                    find(password("joe", "mail", [kSecReturnAttributes: true])) as? [CFString: Any])
                return (
                    try #require(item[kSecAttrCreationDate] as? Date),
                    try #require(item[kSecAttrModificationDate] as? Date)
                )
            }
            add(password("joe", "mail", [kSecAttrCreationDate: Date(timeIntervalSinceReferenceDate: 0)]))
            var before = try dates()
            #expect(before.created > Date(timeIntervalSinceReferenceDate: 0))
            for label in ["x", "y", "z"] {
                SecItemUpdate(password("joe", "mail"), [kSecAttrLabel: label] as CFDictionary)
                let after = try dates()
                #expect(after.created == before.created)
                #expect(after.modified > before.modified)
                before = after
            }
        }
    }

    // C047
    @Test func `changes hold no key that says how`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            let changes = [kSecAttrLabel: "x", kSecUseOperationPrompt: "Why"] as CFDictionary
            #expect(SecItemUpdate(password("joe", "mail"), changes) == errSecNoSuchAttr)
        }
    }

    // C048
    @Test func `an access control object without flags can be put on an item`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail", [kSecValueData: Data([1])]))
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAfterFirstUnlock, [], nil))
            #expect(
                SecItemUpdate(password("joe", "mail"), [kSecAttrAccessControl: control] as CFDictionary)
                    == errSecSuccess)
            #expect(data("joe", "mail") == Data([1]))
            let item = try #require(
                find(password("joe", "mail", [kSecReturnAttributes: true])) as? [CFString: Any])
            #expect(item[kSecAttrAccessible] as? String == "ck")
            #expect(item[kSecAttrAccessControl] as? SecAccessControl == control)
        }
    }

    // C049
    @Test func `an update has no limit`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            #expect(
                SecItemUpdate(
                    password("joe", "mail", [kSecMatchLimit: kSecMatchLimitOne]), [kSecAttrLabel: "x"] as CFDictionary)
                    == errSecParam)
        }
    }

    @Test func `an update changes every match`() throws {
        try onEmptyKeychain {
            add(password("one", "s"))
            add(password("two", "s"))
            #expect(
                SecItemUpdate(password([kSecAttrService: "s"]), [kSecAttrLabel: "x"] as CFDictionary) == errSecSuccess)
            for account in ["one", "two"] {
                #expect(probe(password(account, "s", [kSecAttrLabel: "x"])) == errSecSuccess)
            }
        }
    }

    // C045
    @Test func `an old reference by row updates its item, whose new reference has the current form`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            // The first item of a new keychain is in its first row.
            let old = Data("genp".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 1])
            let query = [kSecValuePersistentRef: old] as CFDictionary
            #expect(SecItemUpdate(query, [kSecAttrLabel: "x"] as CFDictionary) == errSecSuccess)
            let reference = find(password("joe", "mail", [kSecReturnPersistentRef: true, kSecAttrLabel: "x"]))
            #expect((reference as? Data)?.count == 20)
            #expect(probe(query) == errSecSuccess)
        }
    }

    @Test func `an update without changes still counts as a modification`() throws {
        try onEmptyKeychain {
            func modified() -> Date? {
                (find(password([kSecReturnAttributes: true])) as? [CFString: Any])?[kSecAttrModificationDate] as? Date
            }
            add(password("joe", "mail", [kSecValueData: Data([1])]))
            let before = try #require(modified())
            #expect(SecItemUpdate(password(), [:]) == errSecSuccess)
            #expect(try #require(modified()) > before)
            #expect(data("joe", "mail") == Data([1]))
        }
    }
}
