// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

private func control(
    _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlocked
) throws -> SecAccessControl {
    try #require(SecAccessControlCreateWithFlags(nil, protection, flags, nil))
}

private var failing: Entries { [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail] }
private var skipping: Entries { [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip] }

/// Returns a context with an application password that does not prompt.
private func context(password: String? = nil) -> LAContext {
    let context = LAContext()
    context.interactionNotAllowed = true
    if let password { context.setCredential(Data(password.utf8), type: .applicationPassword) }
    return context
}

extension Conformance {
    @Suite struct `Access control` {
        @Test("C099 an access control object needs a protection that there is")
        func c099() {
            for protection in ["bogus" as CFString, "" as CFString, kSecClassGenericPassword] {
                #expect(SecAccessControlCreateWithFlags(nil, protection, .userPresence, nil) == nil)
            }
        }

        @Test("C100 each constraint alone, and those that go together, make an object")
        func c100() {
            let flags: [SecAccessControlCreateFlags] = [
                .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .privateKeyUsage,
                .applicationPassword,
                [.biometryAny, .or, .devicePasscode], [.biometryAny, .and, .devicePasscode],
                [.biometryCurrentSet, .or, .devicePasscode], [.biometryCurrentSet, .and, .devicePasscode],
                [.userPresence, .privateKeyUsage], [.userPresence, .applicationPassword],
            ]
            for each in flags {
                #expect(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, each, nil) != nil)
            }
        }

        @Test("C101 constraints that contradict each other make none")
        func c101() throws {
            let flags: [SecAccessControlCreateFlags] = [
                [.userPresence, .biometryAny], [.biometryAny, .biometryCurrentSet], [.or, .and],
                [.userPresence, .devicePasscode],
            ]
            for each in flags {
                var error: Unmanaged<CFError>?
                #expect(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, each, &error) == nil)
                #expect(CFErrorGetCode(try #require(error).takeRetainedValue()) == Int(errSecParam))
            }
        }

        @Test("C102 accessibility and access control are not given together", arguments: PasswordClass.allCases)
        func c102(_ itemClass: PasswordClass) throws {
            let item = itemClass.item(
                "joe", "mail",
                [
                    kSecAttrAccessControl: try control(.applicationPassword),
                    kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
                ])
            #expect(SecItemAdd(item, nil) == errSecParam)
            #expect(probe(itemClass.query()) == errSecItemNotFound)
        }

        @Test("C109 an access control object of no use for an item", arguments: PasswordClass.allCases)
        func c109(_ itemClass: PasswordClass) throws {
            let item = itemClass.item("joe", "mail", [kSecAttrAccessControl: try control([.privateKeyUsage])])
            #expect(SecItemAdd(item, nil) == errSecParam)
            #expect(probe(itemClass.query()) == errSecItemNotFound)
        }

        @Test("C110 only a search leaves out what would ask", arguments: PasswordClass.allCases)
        func c110(_ itemClass: PasswordClass) {
            add(itemClass.item("joe", "mail"))
            #expect(SecItemAdd(itemClass.item("ann", "mail", skipping), nil) == errSecParam)
            #expect(SecItemUpdate(itemClass.query(skipping), changes([kSecAttrLabel: "x"])) == errSecParam)
            #expect(SecItemDelete(itemClass.query(skipping)) == errSecParam)
            #expect(probe(itemClass.query(skipping)) == errSecSuccess)
            #expect(count(itemClass) == 1)
        }

        @Test("C112 a credential that is taken away is not set")
        func c112() {
            let context = LAContext()
            #expect(!context.isCredentialSet(.applicationPassword))
            #expect(context.setCredential(Data("secret".utf8), type: .applicationPassword))
            #expect(context.isCredentialSet(.applicationPassword))
            #expect(context.setCredential(nil, type: .applicationPassword))
            #expect(!context.isCredentialSet(.applicationPassword))
        }

        @Test("C113 an invalidated context evaluates nothing")
        func c113() async {
            let context = LAContext()
            context.invalidate()
            context.invalidate()
            do {
                try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "test")
                Issue.record("it did not fail")
            } catch LAError.invalidContext {
            } catch {
                Issue.record(error)
            }
            var error: NSError?
            #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
            #expect((error as? LAError)?.code == .invalidContext)
        }
    }

    /// Cases with existing items. None of them prompts.
    @Suite struct `Protected items` {
        private static var returns: [Entries] {
            [[:], [kSecReturnData: true], [kSecReturnAttributes: true], [kSecReturnPersistentRef: true]]
        }

        /// Provides an item of each class that requires owner authentication, in a keychain with a passcode.
        private func withOwnersItems(_ body: (PasswordClass) throws -> Void) async throws {
            try await withPasscode { _ in
                for itemClass in PasswordClass.allCases {
                    let item: Entries = [kSecAttrAccessControl: try control(.userPresence), kSecValueData: Data([1])]
                    add(itemClass.item("joe", "mail", item))
                    try body(itemClass)
                }
            }
        }

        @Test("C103 a protected item is refused if no prompt is allowed", .enabled(if: Passcode.canBeSet))
        func c103() async throws {
            try await withOwnersItems { itemClass in
                for entries in Self.returns {
                    for use in [failing, [kSecUseNoAuthenticationUI: true]] {
                        var result: CFTypeRef?
                        #expect(
                            SecItemCopyMatching(itemClass.query(entries.merging(use) { $1 }), &result)
                                == errSecInteractionNotAllowed)
                        #expect(result == nil)
                    }
                }
                #expect(
                    SecItemUpdate(itemClass.query(failing), changes([kSecAttrLabel: "x"]))
                        == errSecInteractionNotAllowed)
            }
        }

        @Test("C104 where what asks is left out, a protected item is not found", .enabled(if: Passcode.canBeSet))
        func c104() async throws {
            try await withOwnersItems { itemClass in
                for entries in Self.returns {
                    var result: CFTypeRef?
                    let query = itemClass.query(entries.merging(skipping) { $1 })
                    #expect(SecItemCopyMatching(query, &result) == errSecItemNotFound)
                    #expect(result == nil)
                }
                add(itemClass.item("ann", "mail"))
                #expect(count(itemClass, skipping) == 1)
            }
        }

        @Test(
            "C105, C111 a deletion shows no prompt, nor does a context without interaction",
            .enabled(if: Passcode.canBeSet))
        func c105() async throws {
            try await withOwnersItems { itemClass in
                let context: Entries = [kSecUseAuthenticationContext: context()]
                #expect(probe(itemClass.query(context)) == errSecInteractionNotAllowed)
                #expect(SecItemDelete(itemClass.item("joe", "mail", context)) == errSecSuccess)
                #expect(probe(itemClass.query(failing)) == errSecItemNotFound)
            }
        }

        @Test(
            "an item that requires an unavailable factor is not stored", .enabled(if: Passcode.canBeSet),
            arguments: PasswordClass.allCases)
        func unavailable(_ itemClass: PasswordClass) throws {
            let factors: [SecAccessControlCreateFlags] = [
                .userPresence, .devicePasscode, .biometryAny, .biometryCurrentSet,
            ]
            for flags in factors {
                let item: Entries = [kSecAttrAccessControl: try control(flags), kSecValueData: Data([1])]
                #expect(SecItemAdd(itemClass.item("joe", "mail", item), nil) == errSecAuthFailed)
            }
            #expect(probe(itemClass.query()) == errSecItemNotFound)
        }

        /// Adds an item with an application password, with this context.
        private func addWithPassword(_ itemClass: PasswordClass, _ context: LAContext) throws {
            add(
                itemClass.item(
                    "joe", "mail",
                    [
                        kSecAttrAccessControl: try control(.applicationPassword), kSecValueData: Data([1]),
                        kSecUseAuthenticationContext: context,
                    ]))
        }

        @Test("C107 what was added with a context is read with it", arguments: PasswordClass.allCases)
        func c107(_ itemClass: PasswordClass) throws {
            let context = context(password: "secret")
            try addWithPassword(itemClass, context)
            let found = find(
                itemClass.query([
                    kSecUseAuthenticationContext: context, kSecReturnData: true, kSecReturnAttributes: true,
                ]))
            let item = try #require(found as? Entries)
            #expect(item[kSecValueData] as? Data == Data([1]))
            #expect(item[kSecAttrAccount] as? String == "joe")
            #expect(item[kSecAttrAccessControl] as! SecAccessControl == (try control(.applicationPassword)))
            #expect(item[kSecAttrAccessible] as? String == kSecAttrAccessibleWhenUnlocked as String)
            let change = changes([kSecValueData: Data([2])])
            #expect(SecItemUpdate(itemClass.query([kSecUseAuthenticationContext: context]), change) == errSecSuccess)
            let changed = find(itemClass.query([kSecUseAuthenticationContext: context, kSecReturnData: true]))
            #expect(changed as? Data == Data([2]))
        }

        @Test(
            "C108 a wrong password opens no item, nor does a missing one if no prompt is allowed",
            arguments: PasswordClass.allCases
        )
        func c108(_ itemClass: PasswordClass) throws {
            let right = context(password: "secret")
            try addWithPassword(itemClass, right)
            // Each attempt takes as long as the key derivation.
            for entries: Entries in [[:], [kSecReturnData: true]] {
                func read(_ context: LAContext) -> OSStatus {
                    var result: CFTypeRef?
                    let use: Entries = [kSecUseAuthenticationContext: context]
                    let status = SecItemCopyMatching(itemClass.query(entries.merging(use) { $1 }), &result)
                    #expect((result == nil) == (status != errSecSuccess || entries.isEmpty))
                    return status
                }
                #expect(read(context(password: "Secret")) == errSecAuthFailed)
                #expect(read(context()) == errSecInteractionNotAllowed)
                #expect(read(right) == errSecSuccess)
            }
        }

        @Test("C046, C048 a password is put on an item, and taken off it", arguments: PasswordClass.allCases)
        func c046(_ itemClass: PasswordClass) throws {
            add(itemClass.item("joe", "mail", [kSecValueData: Data([1])]))
            let right: Entries = [kSecUseAuthenticationContext: context(password: "secret")]
            let wrong: Entries = [kSecUseAuthenticationContext: context(password: "Secret")]
            let protect = changes([kSecAttrAccessControl: try control(.applicationPassword)])
            #expect(SecItemUpdate(itemClass.query(right), protect) == errSecSuccess)
            #expect(probe(itemClass.query(wrong)) == errSecAuthFailed)
            #expect(probe(itemClass.query(failing)) == errSecInteractionNotAllowed)
            let read = find(itemClass.query(right.merging([kSecReturnData: true]) { $1 }))
            #expect(read as? Data == Data([1]))
            let free = changes([kSecAttrAccessControl: try control([])])
            #expect(SecItemUpdate(itemClass.query(wrong), free) == errSecAuthFailed)
            #expect(SecItemUpdate(itemClass.query(right), free) == errSecSuccess)
            #expect(data(itemClass, "joe", "mail") == Data([1]))
        }
    }
}
