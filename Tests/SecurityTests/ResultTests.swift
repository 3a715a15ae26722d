// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Security
import Testing

private let secret: [UInt8] = Array("correct horse".utf8)

private func attributes(_ entries: [ItemAttributes.Entry] = []) throws -> ItemAttributes {
    try ItemAttributes(
        stored: .genericPassword,
        entries + [
            .init(.account, .string("joe")), .init(.accessGroup, .string("tests")), .init(.accessible, .string("ck")),
            .init(.creationDate, .date(Timestamp(secondsSinceReferenceDate: 1.25))),
            .init(.modificationDate, .date(Timestamp(secondsSinceReferenceDate: 2.5))),
            .init(.synchronizable, .number(1)),
        ])
}

/// What `SecItemCopyMatching` returns for items that have all that is asked for.
private func result(
    _ keys: [CFString], limit: Any? = nil, data: [UInt8]? = secret, more: [ItemAttributes.Entry] = [], count: Int = 1
) throws -> CFTypeRef? {
    var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
    for key in keys { query[key] = true }
    query[kSecMatchLimit] = limit
    let item = ReturnedItem(
        reference: .example, attributes: keys.contains(kSecReturnAttributes) ? try attributes(more) : nil,
        secret: keys.contains(kSecReturnData) ? data : nil)
    var result: CFTypeRef?
    let status = RecordingService(.items(Array(repeating: item, count: count))).run {
        SecItemCopyMatching(query as CFDictionary, &result)
    }
    #expect(status == errSecSuccess)
    return result
}

private let attributeNames: Set = ["acct", "svce", "agrp", "pdmn", "accc", "sync", "cdat", "mdat"]

/// The names in the dictionary that stands for an item with these parts.
private func expectedNames(_ keys: [CFString]) -> Set<String> {
    var names: Set<String> = []
    for key in keys {
        switch key {
        case kSecReturnData: names.insert("v_Data")
        case kSecReturnAttributes: names.formUnion(attributeNames)
        case kSecReturnPersistentRef: names.insert("v_PersistentRef")
        default: names.insert("class")
        }
    }
    return names
}

/// All combinations of the four return keys.
private var combinations: [[CFString]] {
    (0..<16).map { bits in
        [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef].enumerated()
            .filter { bits >> $0.offset & 1 == 1 }.map(\.element)
    }
}

@Suite struct `Results` {
    private func check(_ element: CFTypeRef?, _ keys: [CFString]) throws {
        switch keys {
        case [], [kSecReturnRef]: #expect(element == nil)
        case [kSecReturnData]: #expect(element as? Data == Data(secret))
        case [kSecReturnPersistentRef]: #expect(element as? Data == Data(PersistentReference.example.bytes))
        default:
            let dictionary = try #require(element as? [String: Any], "\(keys)")
            #expect(Set(dictionary.keys) == expectedNames(keys), "\(keys)")
        }
    }

    @Test func `have the shape that the return keys ask for`() throws {
        for keys in combinations {
            for limit in [nil, kSecMatchLimitOne, 1] as [Any?] { try check(try result(keys, limit: limit), keys) }
        }
    }

    @Test func `are arrays of such elements above a limit of one`() throws {
        for keys in combinations {
            for (limit, count) in [(kSecMatchLimitAll, 1), (kSecMatchLimitAll, 3), (2, 1)] as [(Any, Int)] {
                let array = try #require(try result(keys, limit: limit, count: count) as? [AnyObject])
                #expect(array.count == (keys == [] || keys == [kSecReturnRef] ? 0 : count), "\(keys)")
                for element in array { try check(element, keys) }
            }
        }
    }

    @Test func `are left alone without return keys`() {
        let before = NSObject()
        var result: CFTypeRef? = before
        let service = RecordingService(.items([ReturnedItem(reference: .example, attributes: nil, secret: nil)]))
        service.run {
            #expect(
                SecItemCopyMatching([kSecClass: kSecClassGenericPassword] as CFDictionary, &result) == errSecSuccess)
        }
        #expect(result === before)
    }

    @Test func `of an addition are nil without return keys`() {
        var result: CFTypeRef? = NSObject()
        let service = RecordingService(.items([ReturnedItem(reference: .example, attributes: nil, secret: nil)]))
        service.run {
            #expect(SecItemAdd([kSecClass: kSecClassGenericPassword] as CFDictionary, &result) == errSecSuccess)
        }
        #expect(result == nil)
    }

    @Test func `of an item without data are empty alone and missing in a dictionary`() throws {
        #expect(try result([kSecReturnData], data: nil) as? Data == Data())
        let dictionary = try #require(
            try result([kSecReturnData, kSecReturnPersistentRef], data: nil) as? [String: Any])
        #expect(Set(dictionary.keys) == ["v_PersistentRef"])
    }

    @Test func `hold attributes under Apple's names and types`() throws {
        let more: [ItemAttributes.Entry] = [
            .init(.generic, .data([1, 2])), .init(.label, .string("Mail")), .init(.creator, .number(1234)),
            .init(.isInvisible, .number(1)), .init(.tombstone, .number(0)), .init(.multiUser, .data([])),
            .init(.lookup, .data(try LookupAttributes(["user": "joe"]).encoded)),
        ]
        let found = try result([kSecReturnAttributes, kSecReturnData], more: more)
        let item = try #require(found as? NSDictionary)
        #expect(item[kSecAttrAccount] as? String == "joe")
        #expect(item[kSecAttrService] as? String == "")
        #expect(item[kSecAttrLabel] as! CFString == "Mail")
        #expect(item[kSecAttrGeneric] as? Data == Data([1, 2]))
        #expect(item[kSecAttrAccessGroup] as? String == "tests")
        #expect(item[kSecAttrAccessible] as! CFString == kSecAttrAccessibleAfterFirstUnlock)
        #expect(item[kSecAttrCreationDate] as? Date == Date(timeIntervalSinceReferenceDate: 1.25))
        #expect(item[kSecAttrModificationDate] as! NSDate == NSDate(timeIntervalSinceReferenceDate: 2.5))
        #expect(item[kSecAttrCreator] as? Int == 1234)
        #expect(item[kSecAttrCreator] as! NSNumber == 1234)
        #expect(item[kSecAttrIsInvisible] as? Bool == true)
        #expect(item[kSecAttrIsInvisible] as? Int == 1)
        #expect(item[kSecAttrSynchronizable] as? Bool == true)
        #expect(item[kSecAttrSynchronizable] as? Int == 1)
        #expect(item[kSecValueData] as? Data == Data(secret))
        #expect(item["tomb"] == nil)
        #expect(item["musr"] == nil)
        #expect(item["lkup"] == nil)
        let control = try #require(item[kSecAttrAccessControl] as? SecAccessControl)
        #expect(
            control == SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAfterFirstUnlock, [], nil))
    }

    @Test func `can be cast in all the ways that programs use`() throws {
        let one = try #require(try result([kSecReturnAttributes, kSecReturnData]))
        #expect((one as! [String: Any])[kSecAttrAccount as String] as? String == "joe")
        #expect((one as! [CFString: Any])[kSecAttrAccount] as? String == "joe")
        #expect((one as! [AnyHashable: Any])[kSecAttrAccount] as? String == "joe")
        #expect((one as! CFDictionary)[kSecAttrAccount] as? String == "joe")
        #expect((one as? [String: AnyObject])?["v_Data"] as? Data == Data(secret))
        #expect(CFGetTypeID(one) == CFDictionaryGetTypeID())
        let all = try #require(try result([kSecReturnAttributes], limit: kSecMatchLimitAll, count: 2))
        try #require((all as? [[String: Any]])?.count == 2)
        #expect((all as! [[CFString: Any]])[1][kSecAttrAccount] as? String == "joe")
        #expect((all as! NSArray).count == 2)
        #expect(((all as! CFArray)[0] as? NSDictionary)?["acct"] as? String == "joe")
        let data = try #require(try result([kSecReturnData]))
        #expect(String(data: data as! Data, encoding: .utf8) == "correct horse")
        #expect((data as! NSData).length == 13)
        #expect((data as! CFData) as Data == Data(secret))
        #expect(CFGetTypeID(data) == CFDataGetTypeID())
        let several = try #require(try result([kSecReturnData], limit: kSecMatchLimitAll, count: 2))
        #expect(several as? [Data] == [Data(secret), Data(secret)])
    }

    @Test func `are usable as queries`() throws {
        let found = try #require(try result([kSecReturnAttributes]) as? [CFString: Any])
        let query = try #require(
            sentQuery(
                found.merging([kSecClass: kSecClassGenericPassword, kSecReturnData: true]) { $1 } as CFDictionary))
        #expect(query.synchronizable == .synchronizableOnly)
        #expect(query.accessGroup == "tests")
        #expect(query.attributes[.account] == .string("joe"))
        #expect(query.attributes[.modificationDate] == .date(Timestamp(secondsSinceReferenceDate: 2.5)))
    }
}
