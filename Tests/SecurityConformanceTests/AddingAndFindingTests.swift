// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite struct `Adding and finding` {
    // C001
    @Test func `an empty keychain has nothing to find and leaves the result alone`() throws {
        try onEmptyKeychain {
            let before = NSObject()
            var result: CFTypeRef? = before
            #expect(SecItemCopyMatching(password([kSecReturnData: true]), &result) == errSecItemNotFound)
            #expect(result === before)
            #expect(probe(password()) == errSecItemNotFound)
        }
    }

    // C002, C003, C004, C012
    @Test func `an item can be added once, and deleted with the same dictionary`() throws {
        try onEmptyKeychain {
            let item = password("joe", "mail", [kSecValueData: Data([1])])
            #expect(SecItemAdd(item, nil) == errSecSuccess)
            #expect(SecItemAdd(item, nil) == errSecDuplicateItem)
            #expect(SecItemDelete(item) == errSecSuccess)
            #expect(SecItemAdd(item, nil) == errSecSuccess)
        }
    }

    // C005
    @Test func `adding without a return key gives no result`() throws {
        try onEmptyKeychain {
            var result: CFTypeRef? = NSObject()
            #expect(SecItemAdd(password("joe", "mail"), &result) == errSecSuccess)
            #expect(result == nil)
        }
    }

    // C006, C056
    @Test func `the persistent reference of an addition finds the item`() throws {
        try onEmptyKeychain {
            var result: CFTypeRef?
            let item = password("joe", "mail", [kSecValueData: Data([1, 2]), kSecReturnPersistentRef: true])
            #expect(SecItemAdd(item, &result) == errSecSuccess)
            let reference = try #require(result as? Data)
            #expect(reference.count == 20)
            #expect(reference.prefix(4) == Data("genp".utf8))
            #expect(
                find([kSecValuePersistentRef: reference, kSecReturnData: true] as CFDictionary) as? Data
                    == Data([1, 2]))
        }
    }

    // C008, C009, C010
    @Test func `an addition returns the requested values`() throws {
        try onEmptyKeychain {
            var result: CFTypeRef?
            let secret = Data("secret".utf8)
            SecItemAdd(password("1", "s", [kSecValueData: secret, kSecReturnData: true]), &result)
            #expect(result as? Data == secret)
            SecItemAdd(password("2", "s", [kSecValueData: secret, kSecReturnAttributes: true]), &result)
            let attributes = try #require(result as? [CFString: Any])
            #expect(attributes[kSecAttrAccount] as? String == "2")
            #expect(attributes[kSecAttrCreationDate] is Date)
            #expect(attributes[kSecAttrModificationDate] is Date)
            #expect(attributes[kSecAttrAccessGroup] as? String == "tests")
            for absent in [kSecValueData, kSecValueRef, kSecValuePersistentRef, kSecClass] {
                #expect(attributes[absent] == nil, "\(absent)")
            }
            let everything: [CFString: Any] = [
                kSecValueData: secret, kSecReturnData: true, kSecReturnAttributes: true, kSecReturnRef: true,
                kSecReturnPersistentRef: true,
            ]
            SecItemAdd(password("3", "s", everything), &result)
            let all = try #require(result as? [CFString: Any])
            #expect(all[kSecValueData] as? Data == secret)
            #expect((all[kSecValuePersistentRef] as? Data)?.count == 20)
            #expect(all[kSecClass] as? String == "genp")
            #expect(all[kSecAttrAccount] as? String == "3")
        }
    }

    // C011
    @Test func `an attribute of another class is no such attribute, in additions and deletions`() throws {
        try onEmptyKeychain {
            let item = password("joe", "mail", [kSecAttrApplicationTag: Data([1])])
            #expect(SecItemAdd(item, nil) == errSecNoSuchAttr)
            #expect(SecItemDelete(item) == errSecNoSuchAttr)
        }
    }

    // C013
    @Test func `returned attributes find the same item again`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail", [kSecValueData: Data([1]), kSecAttrLabel: "Mail", kSecAttrCreator: 7]))
            add(password("ann", "mail", [kSecValueData: Data([2])]))
            var query = try #require(
                find(password("joe", "mail", [kSecReturnAttributes: true])) as? [CFString: Any])
            query[kSecClass] = kSecClassGenericPassword
            query[kSecReturnData] = true
            #expect(find(query as CFDictionary) as? Data == Data([1]))
        }
    }

    // C014
    @Test func `accounts of one service are items apart`() throws {
        try onEmptyKeychain {
            add(password("a1", "s1"))
            add(password("a2", "s1"))
        }
    }

    // C015
    @Test func `label and data do not make another item`() throws {
        try onEmptyKeychain {
            add(password("a", "s", [kSecValueData: Data([1]), kSecAttrLabel: "one"]))
            let other = password("a", "s", [kSecValueData: Data([2]), kSecAttrLabel: "two"])
            #expect(SecItemAdd(other, nil) == errSecDuplicateItem)
            #expect(data("a", "s") == Data([1]))
        }
    }

    // C016, C017
    @Test func `an item without data can be added and has none in its dictionary`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            let query = password([
                kSecReturnData: true, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
            ])
            let items = try #require(find(query) as? [[CFString: Any]])
            #expect(items.count == 1)
            #expect(items[0][kSecValueData] == nil)
            #expect(items[0][kSecAttrAccount] as? String == "joe")
            #expect(data("joe", "mail") == Data())
        }
    }

    // C018, C019, C020
    @Test func `a limit of all gives an array even of one`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail", [kSecValueData: Data([1])]))
            func all(_ keys: [CFString: Any]) -> CFTypeRef? {
                find(password(keys.merging([kSecMatchLimit: kSecMatchLimitAll]) { $1 }))
            }
            let both = try #require(
                all([kSecReturnData: true, kSecReturnPersistentRef: true]) as? [[CFString: Any]])
            #expect(both.count == 1)
            #expect(Set(both[0].keys) == [kSecValueData, kSecValuePersistentRef])
            #expect(both[0][kSecValueData] as? Data == Data([1]))
            #expect(both[0][kSecValuePersistentRef] is Data)
            #expect(all([kSecReturnData: true]) as? [Data] == [Data([1])])
            #expect((all([kSecReturnPersistentRef: true]) as? [Data])?.first?.count == 20)
            #expect((all([:]) as? [Any])?.isEmpty == true)
        }
    }

    // C021
    @Test func `a password has no reference to return`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            #expect(find(password([kSecReturnRef: true])) == nil)
        }
    }

    // C023
    @Test func `an account given as data comes back as data`() throws {
        try onEmptyKeychain {
            let account = Data([0xFF, 0x00, 0x01])
            add(password([kSecAttrAccount: account]))
            let item = try #require(find(password([kSecReturnAttributes: true])) as? [CFString: Any])
            #expect(item[kSecAttrAccount] as? Data == account)
        }
    }

    // C024
    @Test func `text for an access control object is a parameter error`() throws {
        try onEmptyKeychain {
            let item = password("joe", "mail", [kSecAttrAccessControl: "text"])
            #expect(SecItemAdd(item, nil) == errSecParam)
            #expect(SecItemDelete(item) == errSecParam)
        }
    }

    // C025
    @Test func `an internal attribute is a parameter error in all functions`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            let dictionary = password("joe", "mail", ["clip" as CFString: 1])
            #expect(SecItemAdd(dictionary, nil) == errSecParam)
            #expect(probe(dictionary) == errSecParam)
            #expect(SecItemUpdate(dictionary, [kSecAttrLabel: "x"] as CFDictionary) == errSecParam)
            #expect(SecItemUpdate(password(), ["clip": 1] as CFDictionary) == errSecParam)
            #expect(SecItemDelete(dictionary) == errSecParam)
        }
    }

    // C032
    @Test func `returned attributes hold no persistent reference`() throws {
        try onEmptyKeychain {
            add(password("joe", "mail"))
            let item = try #require(find(password([kSecReturnAttributes: true])) as? [String: Any])
            #expect(item["persistref"] == nil)
            #expect(item["v_PersistentRef"] == nil)
            #expect(item["UUID"] == nil)
        }
    }

    // C034
    @Test func `a megabyte is stored like any other secret`() throws {
        try onEmptyKeychain {
            let secret = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            add(password("joe", "mail", [kSecValueData: secret]))
            #expect(data("joe", "mail") == secret)
        }
    }

    @Test func `a number limits how many items come back`() throws {
        try onEmptyKeychain {
            for account in ["a", "b", "c"] { add(password(account, "s")) }
            let query = password([kSecReturnAttributes: true, kSecMatchLimit: 2])
            #expect((find(query) as? [[String: Any]])?.count == 2)
            #expect(find(password([kSecReturnAttributes: true])) is NSDictionary)
        }
    }
}
