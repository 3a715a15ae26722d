// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Stores one password per service and account in the keychain.
///
/// Written like programs for Apple's platforms: untyped dictionaries, casts, and a status to check. Nothing in this
/// file depends on the platform.
class PasswordKeeper {
    /// The entries that are common to all calls.
    class func itemQuery(service: String, account: String) -> [String: Any] {
        let query =
            [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
            ] as [String: Any]
        return query
    }

    /// Stores a password, replacing an earlier one. An empty password only removes the earlier one.
    @discardableResult
    class func store(_ password: String, service: String, account: String) -> OSStatus {
        guard !service.isEmpty && !account.isEmpty else { return errSecParam }
        // A second item with the same service and account would be a duplicate.
        let removal = remove(service: service, account: account)
        guard !password.isEmpty else { return removal }
        var item = itemQuery(service: service, account: account)
        let bytes = password.data(using: String.Encoding.utf8, allowLossyConversion: false)
        item[kSecValueData as String] = bytes
        return SecItemAdd(item as CFDictionary, nil)
    }

    /// Removes the password; `errSecItemNotFound` if there is none.
    @discardableResult
    class func remove(service: String, account: String) -> OSStatus {
        guard !service.isEmpty && !account.isEmpty else { return errSecParam }
        let query = itemQuery(service: service, account: account)
        return SecItemDelete(query as CFDictionary)
    }

    /// Reads the stored password; `password` is not changed if there is none.
    @discardableResult
    class func read(_ password: inout String, service: String, account: String) -> OSStatus {
        guard !service.isEmpty && !account.isEmpty else { return errSecParam }
        var passwordData: AnyObject?
        var query = itemQuery(service: service, account: account)
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        let status = SecItemCopyMatching(query as CFDictionary, &passwordData)
        if status == errSecSuccess, let found = passwordData as? Data {
            guard let text = String(data: found, encoding: String.Encoding.utf8) else { return errSecDecode }
            password = text
        }
        return status
    }
}
