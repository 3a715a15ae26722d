// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// The values for synchronizing (semantics 2.2).
enum SynchronizableEntry: CaseIterable, Sendable {
    case absent, no, yes, any, numberZero, numberOne, textZero, textOne

    var entries: Entries {
        switch self {
        case .absent: [:]
        case .no: [kSecAttrSynchronizable: false]
        case .yes: [kSecAttrSynchronizable: true]
        case .any: [kSecAttrSynchronizable: kSecAttrSynchronizableAny]
        case .numberZero: [kSecAttrSynchronizable: 0]
        case .numberOne: [kSecAttrSynchronizable: 1]
        case .textZero: [kSecAttrSynchronizable: "0"]
        case .textOne: [kSecAttrSynchronizable: "1"]
        }
    }

    /// Whether it finds a local item, a synchronizable item, or both.
    var finds: Set<Bool> {
        switch self {
        case .absent, .no, .numberZero, .textZero: [false]
        case .yes, .numberOne, .textOne: [true]
        case .any: [false, true]
        }
    }

    /// Whether an item that is added with it is synchronizable. "Any" means the default there.
    var adds: Bool { finds == [true] }
}

extension Conformance {
    @Suite struct `Synchronizable as a filter` {
        @Test(arguments: SynchronizableEntry.allCases, PasswordClass.allCases)
        func `an item is added as what it says`(_ entry: SynchronizableEntry, _ itemClass: PasswordClass) throws {
            add(itemClass.item("a", "s", entry.entries))
            let found = try attributes(itemClass, [kSecAttrSynchronizable: kSecAttrSynchronizableAny])
            #expect(found[kSecAttrSynchronizable] as? Int == (entry.adds ? 1 : 0))
        }

        @Test(arguments: SynchronizableEntry.allCases, PasswordClass.allCases)
        func `each function acts on what it says`(_ entry: SynchronizableEntry, _ itemClass: PasswordClass) throws {
            for isSynchronizable in [false, true] {
                add(itemClass.item("a", "s", [kSecAttrSynchronizable: isSynchronizable, kSecAttrLabel: "old"]))
            }
            let query = itemClass.item("a", "s", entry.entries)
            func left(_ more: Entries) -> Set<Bool> {
                Set([false, true].filter { count(itemClass, more.merging([kSecAttrSynchronizable: $0]) { $1 }) == 1 })
            }
            #expect(count(itemClass, entry.entries) == entry.finds.count)
            #expect(SecItemUpdate(query, changes([kSecAttrLabel: "new"])) == errSecSuccess)
            #expect(left([kSecAttrLabel: "new"]) == entry.finds)
            #expect(SecItemDelete(query) == errSecSuccess)
            #expect(left([:]) == Set([false, true]).subtracting(entry.finds))
            #expect(SecItemDelete(query) == errSecItemNotFound)
        }

        @Test(arguments: [false, true], PasswordClass.allCases)
        func `a persistent reference finds both kinds`(_ isSynchronizable: Bool, _ itemClass: PasswordClass) throws {
            let reference = try addedReference(itemClass, "a", "s", [kSecAttrSynchronizable: isSynchronizable])
            let query = [kSecValuePersistentRef: reference] as CFDictionary
            #expect(probe(query) == errSecSuccess)
            #expect(SecItemUpdate(query, changes([kSecAttrLabel: "x"])) == errSecSuccess)
            #expect(SecItemDelete(query) == errSecSuccess)
        }

        @Test(arguments: SynchronizableEntry.allCases, PasswordClass.allCases)
        func `conditions beside a persistent reference filter`(
            _ entry: SynchronizableEntry, _ itemClass: PasswordClass
        ) throws {
            guard entry != .absent else { return }
            let local = try addedReference(itemClass, "a", "s")
            let synchronizable = try addedReference(itemClass, "a", "s", [kSecAttrSynchronizable: true])
            func update(_ reference: Data) -> OSStatus {
                let query = entry.entries.merging([kSecValuePersistentRef: reference]) { $1 }
                return SecItemUpdate(query as CFDictionary, changes([kSecAttrLabel: "x"]))
            }
            #expect(update(local) == (entry.finds.contains(false) ? errSecSuccess : errSecItemNotFound))
            let expected = entry.finds.contains(true) ? errSecSuccess : errSecItemNotFound
            #expect(update(synchronizable) == expected)
        }

        @Test(arguments: PasswordClass.allCases)
        func `an item becomes synchronizable and local again`(_ itemClass: PasswordClass) throws {
            let reference = try addedReference(itemClass, "a", "s", [kSecValueData: Data([1])])
            #expect(SecItemUpdate(itemClass.query(), changes([kSecAttrSynchronizable: true])) == errSecSuccess)
            #expect(count(itemClass) == 0)
            #expect(count(itemClass, [kSecAttrSynchronizable: true]) == 1)
            let query = itemClass.query([kSecAttrSynchronizable: true])
            #expect(SecItemUpdate(query, changes([kSecAttrSynchronizable: false])) == errSecSuccess)
            #expect(
                find([kSecValuePersistentRef: reference, kSecReturnData: true] as CFDictionary) as? Data == Data([1]))
            #expect(data(itemClass, "a", "s") == Data([1]))
        }

        @Test(arguments: PasswordClass.allCases)
        func `an item does not become the same as its synchronizable twin`(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            add(itemClass.item("a", "s", [kSecAttrSynchronizable: true]))
            let before = dump()
            #expect(SecItemUpdate(itemClass.query(), changes([kSecAttrSynchronizable: true])) == errSecDuplicateItem)
            #expect(dump() == before)
        }

        @Test(arguments: PasswordClass.allCases)
        func `a synchronizable item is added again after it was deleted or moved`(_ itemClass: PasswordClass) {
            let item = itemClass.item("a", "s", [kSecAttrSynchronizable: true])
            let query = itemClass.query([kSecAttrSynchronizable: true])
            add(item)
            #expect(SecItemDelete(query) == errSecSuccess)
            #expect(SecItemDelete(query) == errSecItemNotFound)
            add(item)
            #expect(SecItemUpdate(query, changes([kSecAttrAccount: "b"])) == errSecSuccess)
            #expect(probe(item) == errSecItemNotFound)
            add(item)
            #expect(count(itemClass, [kSecAttrSynchronizable: true]) == 2)
            // In place of a deleted item.
            #expect(SecItemDelete(item) == errSecSuccess)
            #expect(SecItemUpdate(query, changes([kSecAttrAccount: "a"])) == errSecSuccess)
            #expect(probe(item) == errSecSuccess)
        }
    }
}
