// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    @Suite struct `Adding and finding` {
        @Test(
            "C001 in an empty keychain nothing is found, and the result stays untouched",
            arguments: PasswordClass.allCases)
        func c001(_ itemClass: PasswordClass) {
            let before = NSObject()
            var result: CFTypeRef? = before
            #expect(SecItemCopyMatching(itemClass.query(), &result) == errSecItemNotFound)
            #expect(SecItemCopyMatching(itemClass.query([kSecReturnData: true]), &result) == errSecItemNotFound)
            #expect(result === before)
            #expect(probe(itemClass.query()) == errSecItemNotFound)
        }

        @Test("C012 an item is added once, and again after its deletion", arguments: PasswordClass.allCases)
        func c012(_ itemClass: PasswordClass) {
            let more: Entries =
                itemClass == .internet ? [kSecAttrPort: 80, kSecAttrProtocol: kSecAttrProtocolHTTP] : [:]
            let item = itemClass.item("dbname", "members.spamcop.net", more)
            add(item)
            #expect(SecItemAdd(item, nil) == errSecDuplicateItem)
            #expect(count(itemClass) == 1)
            #expect(SecItemDelete(item) == errSecSuccess)
            add(item)
        }

        // As C005 of a certificate.
        @Test("an addition without a return key sets the result to nil", arguments: PasswordClass.allCases)
        func noReturnKey(_ itemClass: PasswordClass) {
            var result: CFTypeRef? = NSObject()
            #expect(SecItemAdd(itemClass.item("joe", "mail"), &result) == errSecSuccess)
            #expect(result == nil)
        }

        // As C006 of a certificate.
        @Test("the persistent reference of an addition finds the item", arguments: PasswordClass.allCases)
        func persistentReference(_ itemClass: PasswordClass) throws {
            let reference = try addedReference(itemClass, "joe", "mail", [kSecValueData: Data([1, 2])])
            let query = [kSecValuePersistentRef: reference, kSecReturnData: true] as CFDictionary
            #expect(find(query) as? Data == Data([1, 2]))
        }

        // As C008 to C010 of a certificate.
        @Test("an addition returns the requested values", arguments: PasswordClass.allCases)
        func requestedValues(_ itemClass: PasswordClass) throws {
            let secret: Entries = [kSecValueData: Data("secret".utf8)]
            func added(_ account: String, _ more: Entries) -> CFTypeRef? {
                var result: CFTypeRef?
                let status = SecItemAdd(itemClass.item(account, "s", secret.merging(more) { $1 }), &result)
                #expect(status == errSecSuccess)
                return result
            }
            #expect(added("1", [kSecReturnData: true]) as? Data == Data("secret".utf8))
            let attributes = try #require(added("2", [kSecReturnAttributes: true]) as? Entries)
            #expect(attributes[kSecAttrAccount] as? String == "2")
            #expect(attributes[kSecAttrCreationDate] is Date)
            #expect(attributes[kSecAttrModificationDate] is Date)
            #expect(attributes[kSecAttrAccessGroup] is String)
            for absent in [kSecValueData, kSecValueRef, kSecValuePersistentRef, kSecClass] {
                #expect(attributes[absent] == nil, "\(absent)")
            }
            let everything: Entries = [
                kSecReturnData: true, kSecReturnAttributes: true, kSecReturnRef: true, kSecReturnPersistentRef: true,
            ]
            let all = try #require(added("3", everything) as? Entries)
            #expect(all[kSecValueData] as? Data == Data("secret".utf8))
            #expect((all[kSecValuePersistentRef] as? Data)?.count == 20)
            #expect(all[kSecClass] as? String == itemClass.rawValue)
            #expect(all[kSecAttrAccount] as? String == "3")
        }

        // As C011 of a certificate.
        @Test(
            "an attribute of another class is no such attribute, in additions and deletions",
            arguments: PasswordClass.allCases)
        func foreignAttribute(_ itemClass: PasswordClass) {
            let item = itemClass.item("joe", "mail", [kSecAttrApplicationTag: Data([1])])
            #expect(SecItemAdd(item, nil) == errSecNoSuchAttr)
            #expect(SecItemDelete(item) == errSecNoSuchAttr)
        }

        @Test("C013 the attributes that came back are a query for the same item", arguments: PasswordClass.allCases)
        func c013(_ itemClass: PasswordClass) throws {
            var more: Entries = [
                kSecAttrLabel: "L", kSecAttrComment: Data([7]), kSecAttrCreator: 5, kSecAttrIsInvisible: true,
            ]
            if itemClass == .internet { more[kSecAttrPort] = 80 }
            add(itemClass.item("joe", "host", more.merging([kSecValueData: Data([1])]) { $1 }))
            add(itemClass.item("ann", "host", more.merging([kSecValueData: Data([2])]) { $1 }))
            for (account, secret) in [("joe", Data([1])), ("ann", Data([2]))] {
                var query = try attributes(itemClass, [kSecAttrAccount: account])
                query[kSecReturnData] = true
                #expect(find(itemClass.query(query)) as? Data == secret)
                query[kSecMatchLimit] = kSecMatchLimitAll
                #expect(find(itemClass.query(query)) as? [Data] == [secret])
            }
        }

        @Test("C014 two accounts of one service are two items", arguments: PasswordClass.allCases)
        func c014(_ itemClass: PasswordClass) {
            add(itemClass.item("a1", "s1"))
            add(itemClass.item("a2", "s1"))
            #expect(count(itemClass) == 2)
        }

        @Test("C015 other label and data do not make another item", arguments: PasswordClass.allCases)
        func c015(_ itemClass: PasswordClass) throws {
            add(itemClass.item("a", "s", [kSecAttrLabel: "one", kSecValueData: Data([1])]))
            let again = itemClass.item("a", "s", [kSecAttrLabel: "two", kSecValueData: Data([2])])
            #expect(SecItemAdd(again, nil) == errSecDuplicateItem)
            #expect(data(itemClass, "a", "s") == Data([1]))
            #expect(try attributes(itemClass, [:])[kSecAttrLabel] as? String == "one")
        }

        @Test("C016 an item needs no data", arguments: PasswordClass.allCases)
        func c016(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            #expect(probe(itemClass.item("a", "s")) == errSecSuccess)
        }

        @Test("C017 an item without data has no entry for it", arguments: PasswordClass.allCases)
        func c017(_ itemClass: PasswordClass) throws {
            add(itemClass.item("a", "s"))
            let found = find(
                itemClass.query([kSecReturnData: true, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]))
            let items = try #require(found as? [Entries])
            #expect(items.count == 1)
            #expect(items.first?[kSecAttrAccount] as? String == "a")
            #expect(items.first?[kSecValueData] == nil)
            // If only the data is requested, it is empty (semantics 2.3).
            #expect(find(itemClass.query([kSecReturnData: true])) as? Data == Data())
        }

        @Test("C018 data and persistent reference of all come as dictionaries", arguments: PasswordClass.allCases)
        func c018(_ itemClass: PasswordClass) throws {
            let reference = try addedReference(itemClass, "a", "s", [kSecValueData: Data([1])])
            let found = find(
                itemClass.query([
                    kSecReturnData: true, kSecReturnPersistentRef: true, kSecMatchLimit: kSecMatchLimitAll,
                ]))
            let items = try #require(found as? [Entries])
            #expect(items.count == 1)
            #expect(items.first?[kSecValueData] as? Data == Data([1]))
            #expect(items.first?[kSecValuePersistentRef] as? Data == reference)
            #expect(items.first?.count == 2)
        }

        @Test("C019 data of all is an array, of one item too", arguments: PasswordClass.allCases)
        func c019(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s", [kSecValueData: Data([1])]))
            let found = find(itemClass.query([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]))
            #expect(found as? [Data] == [Data([1])])
        }

        @Test("C020 persistent references of all are an array, of one item too", arguments: PasswordClass.allCases)
        func c020(_ itemClass: PasswordClass) throws {
            let reference = try addedReference(itemClass, "a", "s")
            let found = find(itemClass.query([kSecReturnPersistentRef: true, kSecMatchLimit: kSecMatchLimitAll]))
            #expect(found as? [Data] == [reference])
        }

        @Test("all items without a return key are an empty array", arguments: PasswordClass.allCases)
        func allWithoutReturnKey(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            #expect((find(itemClass.query([kSecMatchLimit: kSecMatchLimitAll])) as? [Any])?.isEmpty == true)
        }

        @Test("a number limits how many items come back", arguments: PasswordClass.allCases)
        func limit(_ itemClass: PasswordClass) {
            for account in ["a", "b", "c"] { add(itemClass.item(account, "s")) }
            let two = itemClass.query([kSecReturnAttributes: true, kSecMatchLimit: 2])
            #expect((find(two) as? [Entries])?.count == 2)
            #expect(find(itemClass.query([kSecReturnAttributes: true])) is NSDictionary)
        }

        @Test("C021 a reference to a password can be asked for, and is not there", arguments: PasswordClass.allCases)
        func c021(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            #expect(find(itemClass.query([kSecReturnRef: true])) == nil)
            #expect(probe(itemClass.query([kSecReturnRef: true])) == errSecSuccess)
        }

        @Test("C022 a password is not added by reference", arguments: PasswordClass.allCases)
        func c022(_ itemClass: PasswordClass) {
            for reference in [NSObject(), NSString("x"), NSNull()] as [Any] {
                #expect(SecItemAdd(itemClass.query([kSecValueRef: reference]), nil) == errSecParam)
                #expect(SecItemAdd([kSecValueRef: reference] as CFDictionary, nil) == errSecParam)
            }
            #expect(count(itemClass) == 0)
        }

        @Test("C023 what was given as data comes back as data", arguments: PasswordClass.allCases)
        func c023(_ itemClass: PasswordClass) throws {
            // The second value is no UTF-8 text.
            for (name, value) in [(itemClass.place, Data("server".utf8)), (kSecAttrAccount, Data([0xFF, 0x00, 0x01]))] {
                var result: CFTypeRef?
                let item = itemClass.item("a", "s", [name: value, kSecReturnAttributes: true])
                #expect(SecItemAdd(item, &result) == errSecSuccess)
                #expect((result as? Entries)?[name] as? Data == value)
                #expect(try attributes(itemClass, [name: value])[name] as? Data == value)
            }
        }

        @Test("C024 text is no access control", arguments: PasswordClass.allCases)
        func c024(_ itemClass: PasswordClass) {
            let item = itemClass.item("a", "s", [kSecAttrAccessControl: "text", kSecValueData: Data([1])])
            #expect(SecItemAdd(item, nil) == errSecParam)
            #expect(SecItemDelete(item) == errSecParam)
            #expect(count(itemClass) == 0)
        }

        @Test("C025 an internal attribute is refused wherever it stands", arguments: PasswordClass.allCases)
        func c025(_ itemClass: PasswordClass) {
            add(itemClass.item("a", "s"))
            let clip: Entries = ["clip" as CFString: true]
            #expect(SecItemAdd(itemClass.item("b", "s", clip), nil) == errSecParam)
            #expect(probe(itemClass.query(clip)) == errSecParam)
            #expect(SecItemUpdate(itemClass.query(clip), changes([kSecAttrLabel: "x"])) == errSecParam)
            #expect(SecItemUpdate(itemClass.query(), changes(clip)) == errSecParam)
            #expect(SecItemDelete(itemClass.query(clip)) == errSecParam)
            #expect(count(itemClass) == 1)
        }

        @Test("C026 an empty text is taken as a port")
        func c026() {
            add(PasswordClass.internet.item("a", "s", [kSecAttrPort: ""]))
            #expect(count(.internet, [kSecAttrPort: ""]) == 1)
        }

        @Test("C032 the internal persistent reference is no attribute", arguments: PasswordClass.allCases)
        func c032(_ itemClass: PasswordClass) throws {
            let reference = try addedReference(itemClass, "a", "s", [kSecValueData: Data([1])])
            let found = try attributes(itemClass, [:])
            #expect(!found.isEmpty)
            for name in ["persistref", "UUID", "v_PersistentRef", "v_Data", "v_Ref"] {
                #expect(found[name as CFString] == nil, "\(name)")
            }
            #expect(!found.values.contains { $0 as? Data == reference || $0 as? Data == reference.dropFirst(4) })
        }

        @Test("C034 a secret of a megabyte", arguments: PasswordClass.allCases)
        func c034(_ itemClass: PasswordClass) {
            let secret = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            add(itemClass.item("a", "s", [kSecValueData: secret]))
            #expect(data(itemClass, "a", "s") == secret)
        }
    }
}
