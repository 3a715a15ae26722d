// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security

struct KeychainError: Error {
    let status: OSStatus
}

/// Internet passwords that their owner alone reads, in the calls of Apple's sample for Touch ID.
enum ProtectedCredentials {
    static func add(account: String, password: Data, server: String) throws {
        let access = SecAccessControlCreateWithFlags(
            nil,  // Use the default allocator.
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
            .userPresence,
            nil)  // Ignore any error.

        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 10

        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrAccount as String: account,
            kSecAttrServer as String: server,
            kSecAttrAccessControl as String: access as Any,
            kSecUseAuthenticationContext as String: context,
            kSecValueData as String: password,
        ]

        let status = SecItemAdd(query as CFDictionary, nil)
        guard status == errSecSuccess else { throw KeychainError(status: status) }
    }

    static func read(server: String) throws -> (account: String, password: Data) {
        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: server,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecReturnAttributes as String: true,
            kSecUseOperationPrompt as String: "Access your password on the keychain",
            kSecReturnData as String: true,
        ]

        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess else { throw KeychainError(status: status) }
        guard let existing = item as? [String: Any],
            let account = existing[kSecAttrAccount as String] as? String,
            let password = existing[kSecValueData as String] as? Data
        else { throw KeychainError(status: errSecInternalError) }
        return (account, password)
    }

    /// Returns whether an item exists that can be read without a prompt.
    static func isReadableWithoutAsking(server: String) -> Bool {
        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: server,
            kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip,
        ]
        return SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess
    }
}

/// Generic passwords with a password of their own or for their owner alone, in the calls of a tutorial.
class ProtectedPasswords {
    private static func passwordQuery(service: String, account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: account,
            kSecAttrService as String: service,
        ]
    }

    /// The query of an item with a password of its own.
    private static func applicationPasswordQuery(
        service: String, account: String, applicationPassword: String, isNew: Bool
    ) -> [String: Any] {
        var dictionary = passwordQuery(service: service, account: account)
        if #available(iOS 9.0, *) {
            //Use this in place of kSecAttrAccessible for the query
            var error: Unmanaged<CFError>?
            let accessControl = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault, kSecAttrAccessibleWhenUnlocked, SecAccessControlCreateFlags.applicationPassword,
                &error)
            if accessControl != nil, isNew {
                dictionary[kSecAttrAccessControl as String] = accessControl
            }
            let localAuthenticationContext = LAContext.init()
            let theApplicationPassword = applicationPassword.data(using: String.Encoding.utf8)!
            localAuthenticationContext.setCredential(theApplicationPassword, type: LACredentialType.applicationPassword)
            dictionary[kSecUseAuthenticationContext as String] = localAuthenticationContext
        }
        return dictionary
    }

    class func set(_ password: String, service: String, account: String, applicationPassword: String) -> OSStatus {
        var dictionary = applicationPasswordQuery(
            service: service, account: account, applicationPassword: applicationPassword, isNew: true)
        let dataFromString = password.data(using: String.Encoding.utf8, allowLossyConversion: false)
        dictionary[kSecValueData as String] = dataFromString
        return SecItemAdd(dictionary as CFDictionary, nil)
    }

    class func get(service: String, account: String, applicationPassword: String) -> (OSStatus, String) {
        var status: OSStatus = -1
        var resultString = ""
        var passwordData: AnyObject?
        var dictionary = applicationPasswordQuery(
            service: service, account: account, applicationPassword: applicationPassword, isNew: false)
        dictionary[kSecReturnData as String] = kCFBooleanTrue
        dictionary[kSecMatchLimit as String] = kSecMatchLimitOne
        status = SecItemCopyMatching(dictionary as CFDictionary, &passwordData)
        if status == errSecSuccess {
            if let retrievedData = passwordData as? Data {
                resultString = String(data: retrievedData, encoding: String.Encoding.utf8)!
            }
        }
        return (status, resultString)
    }

    class func setForOwner(_ password: String, service: String, account: String) -> OSStatus {
        var dictionary = passwordQuery(service: service, account: account)
        if #available(iOS 8.0, *) {
            let accessControl = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, nil)
            if accessControl != nil {
                dictionary[kSecAttrAccessControl as String] = accessControl
            }
        }
        dictionary[kSecValueData as String] = password.data(using: String.Encoding.utf8)
        return SecItemAdd(dictionary as CFDictionary, nil)
    }

    /// Waits for the person on a thread in the background, as interfaces must.
    class func loadForOwner(service: String, account: String, then: @escaping (OSStatus, Data?) -> Void) {
        var status: OSStatus = -1
        var passwordData: AnyObject?
        var dictionary = passwordQuery(service: service, account: account)
        dictionary[kSecReturnData as String] = kCFBooleanTrue
        dictionary[kSecUseOperationPrompt as String] = "Authenticate to retrieve x"
        DispatchQueue.global().async {
            status = SecItemCopyMatching(dictionary as CFDictionary, &passwordData)
            if status == errSecSuccess {
                if let retrievedData = passwordData as? Data {
                    DispatchQueue.main.async {
                        then(status, retrievedData)
                    }
                }
            } else {
                DispatchQueue.main.async {
                    then(status, nil)
                }
            }
        }
    }
}
