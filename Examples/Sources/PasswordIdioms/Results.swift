// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// All the ways in which programs read the result of a search.
enum Results {
    static func data() throws {
        let query = try stored("data", ["ann": "secret"])
        var result: CFTypeRef?
        try expect(SecItemCopyMatching(query + [kSecReturnData: true], &result))
        try expect(result as? Data == Data("secret".utf8))
        try expect((result as? NSData)?.isEqual(to: Data("secret".utf8)) == true)
        let coreFoundation = result as! CFData
        try expect(CFDataGetLength(coreFoundation) == 6)
        try expect(coreFoundation as Data == Data("secret".utf8))
        if let data = result as? Data, let text = String(bytes: data, encoding: .utf8) {
            try expect(text == "secret")
        } else {
            try expect(false)
        }
        guard case let bytes as Data = result else { throw Unexpected(description: "no data") }
        try expect([UInt8](bytes) == Array("secret".utf8))
        try expect(SecItemDelete(query + [:]))
    }

    static func dictionary() throws {
        let query = try stored("dictionary", ["ann": "secret"])
        var result: AnyObject?
        try expect(SecItemCopyMatching(query + [kSecReturnAttributes: true, kSecReturnData: true], &result))

        let byText = try some(result as? [String: Any])
        try expect(byText[kSecAttrAccount as String] as? String == "ann")
        try expect(byText[kSecValueData as String] as? Data == Data("secret".utf8))
        let byConstant = try some(result as? [CFString: Any])
        try expect(byConstant[kSecAttrAccount] as! String == "ann")
        let byAnything = result as! [AnyHashable: Any]
        try expect(byAnything[kSecAttrAccount] as? String == "ann")
        try expect(byAnything["acct"] as? String == "ann")
        let objects = try some(result as? [String: AnyObject])
        try expect(objects[kSecAttrService as String] as? String == "com.example.PasswordIdioms.dictionary")
        let object = try some(result as? NSDictionary)
        try expect(object[kSecAttrAccount] as? String == "ann")
        try expect(object.object(forKey: kSecAttrAccount) as? NSString == "ann")
        try expect(object.value(forKey: kSecAttrAccount as String) as? String == "ann")
        try expect(object.allKeys.contains { $0 as? String == kSecAttrService as String })
        let coreFoundation = result as! CFDictionary
        try expect((coreFoundation as NSDictionary)[kSecAttrAccount as String] as! CFString == "ann" as CFString)
        guard let existing = result as? [String: Any],
            let password = existing[kSecValueData as String] as? Data,
            let account = existing[kSecAttrAccount as String] as? String
        else { throw Unexpected(description: "not a password") }
        try expect((account, String(decoding: password, as: UTF8.self)) == ("ann", "secret"))
        for (key, value) in existing where key == kSecAttrAccount as String { try expect("\(value)" == "ann") }
        try expect(SecItemDelete(query + [:]))
    }

    static func array() throws {
        let query = try stored("array", ["ann": "1", "bob": "2", "eve": "3"])
        var result: CFTypeRef?
        let all = query + [kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: kCFBooleanTrue!]
        try expect(SecItemCopyMatching(all, &result))
        let accounts = ["ann", "bob", "eve"]

        let items = try some(result as? [[String: Any]])
        try expect(items.compactMap { $0[kSecAttrAccount as String] as? String }.sorted() == accounts)
        let byConstant = result as! [[CFString: Any]]
        try expect(Set(byConstant.map { $0[kSecAttrAccount] as! String }) == Set(accounts))
        let byAnything = try some(result as? [[AnyHashable: Any]])
        try expect(byAnything.allSatisfy { $0[kSecAttrAccount] is String })
        let objects = try some(result as? [NSDictionary])
        try expect(objects.count == 3)
        try expect((result as? NSArray)?.count == 3)
        try expect((result as? [Any])?.count == 3)
        try expect((result as! CFArray as Array).count == 3)
        try expect(CFArrayGetCount((result as! CFArray)) == 3)
        for element in try some(result as? NSArray) {
            let item = try some(element as? [String: Any])
            try expect(item[kSecAttrService as String] as? String == "com.example.PasswordIdioms.array")
        }
        try expect((result as? NSArray)?.firstObject is NSDictionary)

        try expect(
            SecItemCopyMatching(query + [kSecMatchLimit: kSecMatchLimitAll, kSecReturnPersistentRef: true], &result))
        try expect((result as? [Data])?.count == 3)
        try expect(SecItemCopyMatching(query + [kSecMatchLimit: 2, kSecReturnPersistentRef: true], &result))
        try expect((result as? [CFData])?.count == 2)
        try expect(SecItemDelete(query + [:]))
        try expect(SecItemCopyMatching(all, &result), errSecItemNotFound)
    }

    static func types() throws {
        let query = try stored("types", ["ann": "secret"])
        var result: CFTypeRef?
        try expect(SecItemCopyMatching(query + [kSecReturnData: true], &result))
        try expect(CFGetTypeID(result) == CFDataGetTypeID())
        try expect(SecItemCopyMatching(query + [kSecReturnAttributes: true], &result))
        let item = try some(result)
        try expect(CFGetTypeID(item) == CFDictionaryGetTypeID())
        switch item {
        case is NSArray: throw Unexpected(description: "an array")
        case let dictionary as NSDictionary: try expect(dictionary.count > 5)
        default: throw Unexpected(description: "\(type(of: item))")
        }
        let control = try some((item as? [CFString: Any])?[kSecAttrAccessControl])
        try expect(CFGetTypeID(control as CFTypeRef) == SecAccessControlGetTypeID())
        try expect(
            SecItemCopyMatching(query + [kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll], &result))
        try expect(CFGetTypeID(result) == CFArrayGetTypeID())
        try expect(SecItemDelete(query + [:]))
    }

    static func pointer() throws {
        let query = try stored("pointer", ["ann": "secret"]) + [kSecReturnData: true]
        var object: AnyObject?
        let status = withUnsafeMutablePointer(to: &object) { SecItemCopyMatching(query, UnsafeMutablePointer($0)) }
        try expect(status)
        try expect(object as? Data == Data("secret".utf8))
        var typed: CFTypeRef? = nil
        try expect(withUnsafeMutablePointer(to: &typed) { pointer in SecItemCopyMatching(query, pointer) })
        try expect(typed is Data)
        let place = UnsafeMutablePointer<CFTypeRef?>.allocate(capacity: 1)
        place.initialize(to: nil)
        defer {
            place.deinitialize(count: 1)
            place.deallocate()
        }
        try expect(SecItemCopyMatching(query, place))
        try expect(place.pointee as? Data == Data("secret".utf8))
        try expect(SecItemDelete(try stored("pointer", [:]) + [:]), errSecItemNotFound)
    }

    static func datesAndNumbers() throws {
        let service = emptyService("datesAndNumbers")
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "ann",
            kSecAttrCreator: 0x4357_4B20, kSecAttrType: NSNumber(value: 7), kSecAttrIsNegative: true,
            kSecReturnAttributes: true,
        ]
        let before = Date().addingTimeInterval(-60)
        var result: CFTypeRef?
        try expect(SecItemAdd(item as CFDictionary, &result))
        let stored = try some(result as? [String: Any])
        let created = try some(stored[kSecAttrCreationDate as String] as? Date)
        let modified = try some(stored[kSecAttrModificationDate as String] as? NSDate)
        try expect(created > before)
        try expect(modified.timeIntervalSince(created) >= 0)
        try expect(stored[kSecAttrCreationDate as String] as! CFDate as Date == created)
        try expect(stored[kSecAttrCreator as String] as? Int == 0x4357_4B20)
        try expect(stored[kSecAttrCreator as String] as? UInt32 == 0x4357_4B20)
        try expect((stored[kSecAttrType as String] as? NSNumber)?.intValue == 7)
        try expect(stored[kSecAttrType as String] as! CFNumber == 7 as CFNumber)
        try expect(stored[kSecAttrIsNegative as String] as? Bool == true)
        try expect((stored[kSecAttrIsNegative as String] as? NSNumber)?.boolValue == true)
        try expect(stored[kSecAttrSynchronizable as String] as? Bool == false)
        try expect(stored[kSecAttrAccessible as String] as? String == kSecAttrAccessibleWhenUnlocked as String)
        _ = emptyService("datesAndNumbers")
    }

    static func persistentReference() throws {
        let query = try stored("persistentReference", ["ann": "secret"])
        var result: CFTypeRef?
        try expect(SecItemCopyMatching(query + [kSecReturnPersistentRef: true], &result))
        let reference = try some(result as? Data)
        let byReference: [String: Any] = [
            kSecValuePersistentRef as String: reference, kSecReturnData as String: true,
        ]
        var found: CFTypeRef?
        try expect(SecItemCopyMatching(byReference as CFDictionary, &found))
        try expect(found as? Data == Data("secret".utf8))
        try expect(SecItemDelete([kSecValuePersistentRef: result!] as CFDictionary))
        try expect(SecItemCopyMatching(byReference as CFDictionary, nil), errSecItemNotFound)
    }

    static func resultAsQuery() throws {
        let query = try stored("resultAsQuery", ["ann": "secret"])
        var result: CFTypeRef?
        try expect(SecItemCopyMatching(query + [kSecReturnAttributes: true], &result))
        // First the attributes, then the secret of one item.
        let search = NSMutableDictionary(dictionary: try some(result as? [CFString: Any]))
        search[kSecClass] = kSecClassGenericPassword
        search[kSecReturnData] = true
        try expect(SecItemCopyMatching(search, &result))
        try expect(result as? Data == Data("secret".utf8))

        try expect(SecItemCopyMatching(query + [kSecReturnAttributes: true], &result))
        let deletion = NSMutableDictionary(dictionary: result as! NSDictionary)
        deletion.setObject(kSecClassGenericPassword, forKey: kSecClass as NSString)
        try expect(SecItemDelete(deletion))
        try expect(SecItemDelete(query + [:]), errSecItemNotFound)
    }

    static func none() throws {
        let query = try stored("none", ["ann": "secret"])
        try expect(SecItemCopyMatching(query + [:], nil))
        var untouched: CFTypeRef? = "before" as CFString
        try expect(SecItemCopyMatching(query + [kSecAttrAccount: "bob", kSecReturnData: true], &untouched), -25300)
        try expect(untouched as? String == "before")
        try expect(SecItemDelete(query + [:]))
    }

    /// Stores a password for each account, in a separate service, and returns the query that finds them.
    private static func stored(_ name: String, _ passwords: KeyValuePairs<String, String>) throws -> [CFString: Any] {
        let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: emptyService(name)]
        for (account, password) in passwords {
            try expect(SecItemAdd(query + [kSecAttrAccount: account, kSecValueData: Data(password.utf8)], nil))
        }
        return query
    }
}

private func + (left: [CFString: Any], right: [CFString: Any]) -> CFDictionary {
    left.merging(right) { $1 } as CFDictionary
}
