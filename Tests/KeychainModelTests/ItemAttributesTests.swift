// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

struct ItemAttributesTests {
    private typealias Entry = ItemAttributes.Entry

    @Test func `entries are in the order of their keys, however they came`() throws {
        let entries = [Entry(.service, .string("s")), Entry(.account, .string("a")), Entry(.comment, .string("c"))]
        let first = try ItemAttributes(.genericPassword, for: .add, entries)
        let second = try ItemAttributes(.genericPassword, for: .add, entries.reversed())
        #expect(first == second)
        #expect(first.entries.map(\.key) == [.account, .comment, .service])
    }

    @Test func `an attribute named twice is refused`() {
        #expect(throws: AttributeError.repeated(.account)) {
            try ItemAttributes(
                .genericPassword, for: .add, [Entry(.account, .string("a")), Entry(.account, .string("a"))])
        }
    }

    @Test(arguments: ["srvr", "ptcl", "port", "klbl", "issr", "zzzz"])
    func `a generic password has no attributes of other classes`(name: String) throws {
        let key = try #require(AttributeKey(name: name))
        #expect(throws: AttributeError.noSuchAttribute(key, .genericPassword)) {
            try ItemAttributes(.genericPassword, for: .query, [Entry(key, .string(""))])
        }
    }

    @Test(
        arguments: [AttributeKey.appClip, .tombstone, .multiUser, .sharingGroup],
        [
            AttributeUse.add, .update, .query,
        ])
    func `the keychain's own attributes are refused from callers`(key: AttributeKey, use: AttributeUse) {
        #expect(throws: AttributeError.notAllowed(key)) {
            try ItemAttributes(.genericPassword, for: use, [Entry(key, .string("1"))])
        }
        #expect(throws: Never.self) {
            try ItemAttributes(stored: .genericPassword, [Entry(key, .string("1"))])
        }
    }

    @Test func `a token can be searched for but not set, but of a new key`() {
        let entry = Entry(.tokenID, .string("t"))
        #expect(throws: Never.self) { try ItemAttributes(.genericPassword, for: .query, [entry]) }
        #expect(throws: AttributeError.notAllowed(.tokenID)) {
            try ItemAttributes(.genericPassword, for: .add, [entry])
        }
        #expect(throws: AttributeError.notAllowed(.tokenID)) {
            try ItemAttributes(.genericPassword, for: .update, [entry])
        }
        #expect(throws: Never.self) { try ItemAttributes(.key, for: .add, [entry]) }
        #expect(throws: AttributeError.notAllowed(.tokenID)) { try ItemAttributes(.key, for: .update, [entry]) }
    }

    @Test(arguments: [ItemClass.identity])
    func `classes that are not stored are not added`(itemClass: ItemClass) {
        #expect(throws: AttributeError.unsupportedClass(itemClass)) {
            try ItemAttributes(itemClass, for: .add, [])
        }
    }

    @Test func `all values together may have one mebibyte`() throws {
        let half = AttributeValue.data([UInt8](repeating: 1, count: ItemLimits.attributeBytes / 2))
        let most = [Entry(.account, half), Entry(.comment, half)]
        #expect(throws: Never.self) { try ItemAttributes(.genericPassword, for: .add, most) }
        #expect(throws: AttributeError.tooLarge(.label)) {
            try ItemAttributes(.genericPassword, for: .add, most + [Entry(.label, .string("x"))])
        }
        // Bytes count, not characters.
        let text = String(repeating: "é", count: ItemLimits.attributeBytes / 2)
        #expect(throws: Never.self) {
            try ItemAttributes(.genericPassword, for: .add, [Entry(.account, .string(text))])
        }
        #expect(throws: AttributeError.tooLarge(.account)) {
            try ItemAttributes(.genericPassword, for: .add, [Entry(.account, .string(text + "é"))])
        }
    }

    @Test func `changes replace the existing attributes`() throws {
        let old = try ItemAttributes(
            .genericPassword, for: .add, [Entry(.account, .string("a")), Entry(.label, .string("l"))])
        let changes = try ItemAttributes(
            .genericPassword, for: .update, [Entry(.label, .string("m")), Entry(.comment, .string("c"))])
        let merged = old.merging(changes)
        #expect(merged[.account] == .string("a"))
        #expect(merged[.label] == .string("m"))
        #expect(merged[.comment] == .string("c"))
        #expect(merged.entries.map(\.key) == [.account, .comment, .label])
    }

    @Test func `setting nil removes an attribute`() throws {
        var attributes = try ItemAttributes(.genericPassword, for: .add, [Entry(.label, .string("l"))])
        attributes[.label] = nil
        #expect(attributes.isEmpty)
        attributes[.comment] = nil
        #expect(attributes == ItemAttributes(empty: .genericPassword))
    }

    @Test func `an item without accessibility is readable when unlocked, and does not synchronize`() {
        let attributes = ItemAttributes(empty: .genericPassword)
        #expect(attributes.accessibility == .whenUnlocked)
        for itemClass in ItemClass.allCases {
            #expect(itemClass.defaultAccessibility == (itemClass == .certificate ? .always : .whenUnlocked))
        }
        #expect(!attributes.isSynchronizable)
        #expect(attributes.accessGroup == nil)
    }
}
