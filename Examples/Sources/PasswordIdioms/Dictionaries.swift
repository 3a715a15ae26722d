// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// All kinds of dictionaries that programs pass to Keychain Services. Each test stores a password, finds it, changes it
/// and deletes it.
enum Dictionaries {
    static func textKeys() throws {
        let service = emptyService("textKeys")
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            String(kSecAttrAccount): "ann",
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
        ]
        item[kSecValueData as String] = "first".data(using: .utf8)
        try expect(SecItemAdd(item as CFDictionary, nil))
        try expect(SecItemAdd(item as CFDictionary, nil), errSecDuplicateItem)

        var query = item
        query.removeValue(forKey: kSecValueData as String)
        try expect(
            SecItemUpdate(query as CFDictionary, [kSecValueData as String: Data("second".utf8)] as CFDictionary))

        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: AnyObject?
        try expect(SecItemCopyMatching(query as CFDictionary, &result))
        let data = try some(result as? Data)
        try expect(String(data: data, encoding: .utf8) == "second")

        query[kSecReturnData as String] = nil
        query[kSecMatchLimit as String] = nil
        try expect(SecItemDelete(query as CFDictionary))
        try expect(SecItemDelete(query as CFDictionary), errSecItemNotFound)
    }

    static func coreFoundationKeys() throws {
        let service = emptyService("coreFoundationKeys")
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service as CFString,
            kSecAttrAccount: "ann" as NSString,
            kSecAttrLabel: "Mail",
            kSecAttrIsInvisible: false,
            kSecAttrGeneric: Data([1, 2, 3]),
            kSecUseDataProtectionKeychain: true,
            kSecValueData: Data("secret".utf8) as CFData,
        ]
        try expect(SecItemAdd(item as CFDictionary, nil))

        var query = item.filter { $0.key != kSecValueData }
        query[kSecReturnAttributes] = true
        query[kSecReturnData] = true as CFBoolean
        var result: CFTypeRef?
        try expect(SecItemCopyMatching(query as CFDictionary, &result))
        let found = try some(result as? [CFString: Any])
        try expect(found[kSecAttrLabel] as? String == "Mail")
        try expect(found[kSecValueData] as? Data == Data("secret".utf8))
        try expect(SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrService: service] as CFDictionary))
    }

    static func otherElements() throws {
        let service = emptyService("otherElements")
        let item: [String: AnyHashable] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: "ann",
            kSecAttrSynchronizable as String: false,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock as String,
            kSecValueData as String: Data("secret".utf8),
        ]
        try expect(SecItemAdd(item as CFDictionary, nil))

        let query: [NSString: AnyObject] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service as NSString,
            kSecReturnAttributes: kCFBooleanTrue,
            kSecMatchLimit: NSNumber(value: 5),
        ]
        var result: CFTypeRef?
        try expect(SecItemCopyMatching(query as CFDictionary, &result))
        let found = try some(result as? [[String: AnyHashable]])
        try expect(found.count == 1)
        try expect(found[0][kSecAttrAccount as String] == AnyHashable("ann"))
        try expect(
            found.first?[kSecAttrAccessible as String] as? String == kSecAttrAccessibleAfterFirstUnlock as String)

        let text = [kSecClass as String: kSecClassGenericPassword as String, kSecAttrService as String: service]
        try expect(SecItemDelete(text as CFDictionary))
    }

    static func fixedObject() throws {
        let service = emptyService("fixedObject")
        let item: NSDictionary = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "ann",
            kSecValueData: "secret".data(using: String.Encoding.utf8)!,
        ]
        try expect(SecItemAdd(item, nil))
        let query =
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecReturnData: true] as NSDictionary
        var result: AnyObject?
        try expect(SecItemCopyMatching(query, &result))
        try expect((result as? NSData)?.length == 6)
        try expect(
            SecItemDelete(NSDictionary(dictionary: [kSecClass: kSecClassGenericPassword, kSecAttrService: service])))
    }

    static func changingObject() throws {
        let service = emptyService("changingObject")
        let item = NSMutableDictionary()
        item[kSecClass] = kSecClassGenericPassword
        item[kSecAttrService as String] = service
        item.setObject("ann", forKey: kSecAttrAccount as NSString)
        item.setValue(Data("secret".utf8), forKey: kSecValueData as String)
        try expect(SecItemAdd(item as CFDictionary, nil))

        let query = item.mutableCopy() as! NSMutableDictionary
        query.removeObject(forKey: kSecValueData)
        query[kSecReturnData] = kCFBooleanTrue
        var result: CFTypeRef?
        try expect(SecItemCopyMatching(query, &result))
        try expect(result as! Data == Data("secret".utf8))

        query[kSecReturnData] = nil
        try expect(SecItemUpdate(query, [kSecAttrComment: "changed"] as NSMutableDictionary))
        query[kSecAttrComment] = "changed"
        try expect(SecItemDelete(query as CFMutableDictionary))
    }

    static func objectsAndKeys() throws {
        let service = emptyService("objectsAndKeys")
        let item = NSMutableDictionary(
            objects: [kSecClassGenericPassword, service, "ann", Data("secret".utf8)],
            forKeys: [kSecClass, kSecAttrService, kSecAttrAccount, kSecValueData])
        item.addEntries(from: [kSecAttrDescription as String: "a password"])
        try expect(SecItemAdd(item as CFDictionary, nil))

        let query = NSMutableDictionary(
            objects: [kSecClassGenericPassword, service, true, kSecMatchLimitOne],
            forKeys: [kSecClass, kSecAttrService, kSecReturnData, kSecMatchLimit])
        var result: AnyObject?
        try expect(SecItemCopyMatching(query, &result))
        try expect(result as? Data == Data("secret".utf8))
        query.removeObjects(forKeys: [kSecReturnData, kSecMatchLimit])
        try expect(SecItemDelete(query))
    }

    static func merged() throws {
        let service = emptyService("merged")
        let common =
            [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service] as [String: Any]
        let item = common.merging([kSecAttrAccount as String: "ann", kSecValueData as String: Data("secret".utf8)]) {
            _, new in new
        }
        try expect(SecItemAdd(item as NSDictionary, nil))
        var result: AnyObject?
        let query = common.merging([kSecReturnData as String: kCFBooleanTrue as Any]) { $1 }
        try expect(SecItemCopyMatching(query as CFDictionary, &result))
        try expect(result is Data)
        try expect(SecItemDelete(common as CFDictionary))
    }
}
