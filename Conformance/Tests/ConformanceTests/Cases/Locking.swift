// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    /// Cases that need a keychain with a passcode, or without one. The passcode is set, used and removed with the command
    /// line, as its user would.
    @Suite(.enabled(if: Service.isOurs)) struct Locking {
        private static var classes: [(constant: CFString, code: String)] {
            [
                (kSecAttrAccessibleWhenUnlocked, "ak"), (kSecAttrAccessibleAfterFirstUnlock, "ck"),
                (kSecAttrAccessibleAlways, "dk"), (kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "aku"),
                (kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, "cku"),
                (kSecAttrAccessibleAlwaysThisDeviceOnly, "dku"),
                (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "akpu"),
            ]
        }

        @Test("C087 locked, an item that needs an unlocked keychain cannot be added", arguments: PasswordClass.allCases)
        func c087(_ itemClass: PasswordClass) throws {
            try withPasscode { passcode in
                try passcode.lock()
                #expect(
                    SecItemAdd(itemClass.item("a", "s", [kSecValueData: Data([1])]), nil) == errSecInteractionNotAllowed
                )
                try passcode.unlock()
                #expect(probe(itemClass.query()) == errSecItemNotFound)
            }
        }

        @Test("C088, C089 a duplicate is told only where it can be seen", arguments: PasswordClass.allCases)
        func c088(_ itemClass: PasswordClass) throws {
            try withPasscode { passcode in
                let item = itemClass.item("a", "s", [kSecValueData: Data([1])])
                add(item)
                try passcode.lock()
                #expect(SecItemAdd(item, nil) == errSecInteractionNotAllowed)
                try passcode.unlock()
                #expect(SecItemAdd(item, nil) == errSecDuplicateItem)
            }
        }

        @Test("C090, C091 locked, nothing of an item is told", arguments: PasswordClass.allCases)
        func c090(_ itemClass: PasswordClass) throws {
            try withPasscode { passcode in
                add(itemClass.item("a", "s", [kSecValueData: Data([1])]))
                try passcode.lock()
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
                try passcode.unlock()
                #expect(data(itemClass, "a", "s") == Data([1]))
            }
        }

        @Test("C055 locked, an item can be deleted", arguments: PasswordClass.allCases)
        func c055(_ itemClass: PasswordClass) throws {
            try withPasscode { passcode in
                add(itemClass.item("a", "s", [kSecValueData: Data([1])]))
                try passcode.lock()
                #expect(SecItemDelete(itemClass.query()) == errSecSuccess)
                #expect(SecItemDelete(itemClass.query()) == errSecItemNotFound)
            }
        }

        @Test("C092 each class can be read in the states that it names", arguments: PasswordClass.allCases)
        func c092(_ itemClass: PasswordClass) throws {
            try withPasscode { passcode in
                for (constant, code) in Self.classes {
                    add(itemClass.item(code, "s", [kSecAttrAccessible: constant, kSecValueData: Data(code.utf8)]))
                }
                func readable() -> [String] {
                    Self.classes.map(\.code).filter { code in
                        var result: CFTypeRef?
                        let query = itemClass.item(code, "s", [kSecReturnData: true])
                        let status = SecItemCopyMatching(query, &result)
                        #expect(status == errSecSuccess || status == errSecInteractionNotAllowed)
                        return status == errSecSuccess && result as? Data == Data(code.utf8)
                    }
                }
                #expect(readable() == Self.classes.map(\.code))
                try passcode.lock()
                #expect(readable() == ["ck", "dk", "cku", "dku"])
                try passcode.restart()
                #expect(readable() == ["dk", "dku"])
                try passcode.unlock()
                #expect(readable() == Self.classes.map(\.code))
            }
        }

        @Test("locked, the first item that cannot be read fails a search for all", arguments: PasswordClass.allCases)
        func all(_ itemClass: PasswordClass) throws {
            try withPasscode { passcode in
                add(itemClass.item("1", "s", [kSecAttrAccessible: kSecAttrAccessibleAlways]))
                add(itemClass.item("2", "s"))
                try passcode.lock()
                var result: CFTypeRef?
                let all = itemClass.query([kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true])
                #expect(SecItemCopyMatching(all, &result) == errSecInteractionNotAllowed)
                #expect(result == nil)
                #expect(probe(itemClass.item("nobody", "s")) == errSecItemNotFound)
            }
        }

        // C093, C094, and the game of "New kids on the block: WhenPasscodeSet policy": an item of the usual class stays
        // when the passcode is turned off; an item that needs a passcode is deleted, and turning the passcode on again
        // does not restore it.
        @Test("C093, C094 the passcode on and off", arguments: PasswordClass.allCases)
        func onAndOff(_ itemClass: PasswordClass) throws {
            let secret: Entries = [kSecValueData: Data("1234 5678".utf8)]
            let needsPasscode: Entries = [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]
            let passcode = Passcode()
            defer { passcode.removeIfSet() }

            try passcode.set()
            add(itemClass.item("usual", "card", secret))
            #expect(data(itemClass, "usual", "card") == Data("1234 5678".utf8))
            try passcode.remove()
            #expect(data(itemClass, "usual", "card") == Data("1234 5678".utf8))
            add(itemClass.item("another", "card", secret))

            try passcode.set()
            #expect(SecItemDelete(itemClass.query()) == errSecSuccess)
            add(itemClass.item("secured", "card", secret.merging(needsPasscode) { $1 }))
            #expect(data(itemClass, "secured", "card") == Data("1234 5678".utf8))
            try passcode.remove()
            #expect(probe(itemClass.item("secured", "card")) == errSecItemNotFound)
            let refused = SecItemAdd(itemClass.item("secured", "card", secret.merging(needsPasscode) { $1 }), nil)
            #expect(refused == errSecAuthFailed)

            try passcode.set()
            #expect(probe(itemClass.item("secured", "card")) == errSecItemNotFound)
        }
    }
}
