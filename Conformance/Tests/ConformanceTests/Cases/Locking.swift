// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    /// Cases that need a keychain with a passcode, or without one.
    @Suite(.enabled(if: Passcode.canBeSet)) struct Locking {
        static var classes: [(constant: CFString, code: String)] {
            [
                (kSecAttrAccessibleWhenUnlocked, "ak"), (kSecAttrAccessibleAfterFirstUnlock, "ck"),
                (kSecAttrAccessibleAlways, "dk"), (kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "aku"),
                (kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, "cku"),
                (kSecAttrAccessibleAlwaysThisDeviceOnly, "dku"),
                (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "akpu"),
            ]
        }

        @Test("C087 locked, an item that needs an unlocked keychain cannot be added", arguments: PasswordClass.allCases)
        func c087(_ itemClass: PasswordClass) async throws {
            try await withPasscode { passcode in
                try await passcode.lock()
                #expect(
                    SecItemAdd(itemClass.item("a", "s", [kSecValueData: Data([1])]), nil) == errSecInteractionNotAllowed
                )
                try await passcode.unlock()
                #expect(probe(itemClass.query()) == errSecItemNotFound)
            }
        }

        @Test("C088, C089 a duplicate is told only where it can be seen", arguments: PasswordClass.allCases)
        func c088(_ itemClass: PasswordClass) async throws {
            try await withPasscode { passcode in
                let item = itemClass.item("a", "s", [kSecValueData: Data([1])])
                add(item)
                try await passcode.lock()
                #expect(SecItemAdd(item, nil) == errSecInteractionNotAllowed)
                try await passcode.unlock()
                #expect(SecItemAdd(item, nil) == errSecDuplicateItem)
            }
        }

        @Test("C090, C091 locked, nothing of an item is told", arguments: PasswordClass.allCases)
        func c090(_ itemClass: PasswordClass) async throws {
            try await withPasscode { passcode in
                add(itemClass.item("a", "s", [kSecValueData: Data([1])]))
                try await passcode.lock()
                let returns: [Entries] = [
                    [kSecReturnData: true], [kSecReturnAttributes: true], [kSecReturnPersistentRef: true], [:],
                ]
                for entries in returns {
                    var result: CFTypeRef?
                    #expect(SecItemCopyMatching(itemClass.query(entries), &result) == errSecInteractionNotAllowed)
                    #expect(result == nil)
                }
                #expect(
                    SecItemUpdate(itemClass.query(), changes([kSecAttrLabel: "x"])) == errSecInteractionNotAllowed)
                try await passcode.unlock()
                #expect(data(itemClass, "a", "s") == Data([1]))
            }
        }

        @Test("C055 locked, an item can be deleted", arguments: PasswordClass.allCases)
        func c055(_ itemClass: PasswordClass) async throws {
            try await withPasscode { passcode in
                add(itemClass.item("a", "s", [kSecValueData: Data([1])]))
                try await passcode.lock()
                #expect(SecItemDelete(itemClass.query()) == errSecSuccess)
                #expect(SecItemDelete(itemClass.query()) == errSecItemNotFound)
            }
        }

        @Test("C092 each class can be read in the states that it names", arguments: PasswordClass.allCases)
        func c092(_ itemClass: PasswordClass) async throws {
            try await withPasscode { passcode in
                addAll(itemClass)
                #expect(readable(itemClass) == Self.classes.map(\.code))
                try await passcode.lock()
                #expect(readable(itemClass) == ["ck", "dk", "cku", "dku"])
                try await passcode.unlock()
                #expect(readable(itemClass) == Self.classes.map(\.code))
            }
        }

        /// Adds an item of each data-protection class, whose code is its account and its data.
        func addAll(_ itemClass: PasswordClass) {
            for (constant, code) in Self.classes {
                add(itemClass.item(code, "s", [kSecAttrAccessible: constant, kSecValueData: Data(code.utf8)]))
            }
        }

        /// Returns the codes of the data-protection classes whose items can be read now.
        func readable(_ itemClass: PasswordClass) -> [String] {
            Self.classes.map(\.code).filter { code in
                var result: CFTypeRef?
                let query = itemClass.item(code, "s", [kSecReturnData: true])
                let status = SecItemCopyMatching(query, &result)
                #expect(status == errSecSuccess || status == errSecInteractionNotAllowed)
                return status == errSecSuccess && result as? Data == Data(code.utf8)
            }
        }

        @Test("locked, the first item that cannot be read fails a search for all", arguments: PasswordClass.allCases)
        func all(_ itemClass: PasswordClass) async throws {
            try await withPasscode { passcode in
                add(itemClass.item("1", "s", [kSecAttrAccessible: kSecAttrAccessibleAlways]))
                add(itemClass.item("2", "s"))
                try await passcode.lock()
                var result: CFTypeRef?
                let all = itemClass.query([kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true])
                #expect(SecItemCopyMatching(all, &result) == errSecInteractionNotAllowed)
                #expect(result == nil)
                #expect(probe(itemClass.item("absent", "s")) == errSecItemNotFound)
            }
        }

        @Test("C093 without a passcode, an item that requires one is refused", arguments: PasswordClass.allCases)
        func c093(_ itemClass: PasswordClass) {
            let item = itemClass.item(
                "joe", "mail", [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly])
            #expect(SecItemAdd(item, nil) == errSecAuthFailed)
            #expect(probe(itemClass.query()) == errSecItemNotFound)
        }

        // C093, C094, and the scenario of "New kids on the block: WhenPasscodeSet policy": an item of the default class
        // stays when the passcode is removed. An item that requires a passcode is deleted, and setting a passcode again
        // does not restore it.
        @Test("C093, C094 the passcode on and off", arguments: PasswordClass.allCases)
        func onAndOff(_ itemClass: PasswordClass) async throws {
            try await withPasscode { passcode in
                let secret: Entries = [kSecValueData: Data("1234 5678".utf8)]
                let needsPasscode: Entries = [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]
                add(itemClass.item("usual", "card", secret))
                #expect(data(itemClass, "usual", "card") == Data("1234 5678".utf8))
                try await passcode.remove()
                #expect(data(itemClass, "usual", "card") == Data("1234 5678".utf8))
                add(itemClass.item("another", "card", secret))

                try await passcode.set()
                #expect(SecItemDelete(itemClass.query()) == errSecSuccess)
                add(itemClass.item("secured", "card", secret.merging(needsPasscode) { $1 }))
                #expect(data(itemClass, "secured", "card") == Data("1234 5678".utf8))
                try await passcode.remove()
                #expect(probe(itemClass.item("secured", "card")) == errSecItemNotFound)
                let refused = SecItemAdd(itemClass.item("secured", "card", secret.merging(needsPasscode) { $1 }), nil)
                #expect(refused == errSecAuthFailed)

                try await passcode.set()
                #expect(probe(itemClass.item("secured", "card")) == errSecItemNotFound)
            }
        }
    }
}
