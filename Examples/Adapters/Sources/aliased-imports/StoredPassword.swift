// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Security

/// A password whose type shows a type of `Security` inside this module.
struct StoredPassword {
    let service: CFString
    let access: SecAccessControl

    /// Stores the password.
    func store(_ secret: String) -> OSStatus {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccessControl: access,
            kSecValueData: Data(secret.utf8),
        ]
        return SecItemAdd(item as CFDictionary, nil)
    }
}
