// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainModel

/// Returns the access object of an item. Its keychain may be locked.
///
/// - Returns: `errSecNoAccessForItem` for a certificate, which all programs may read; `errSecInvalidItemRef` for an
///   item that no longer exists; `errSecParam` without a variable.
@available(*, deprecated, message: "Items of the data-protection keychain have access groups: use kSecAttrAccessGroup.")
@discardableResult
public func SecKeychainItemCopyAccess(
    _ itemRef: SecKeychainItem, _ access: UnsafeMutablePointer<SecAccess?>?
) -> OSStatus {
    statusOf("SecKeychainItemCopyAccess") { () throws(CallFailure) in
        guard let result = unsafe access else { throw .missingVariable }
        guard let stored = try itemRef.content(.attributes).attributes?.accessObject else {
            throw CallFailure(.noAccessForItem, "the item has no access object")
        }
        unsafe result.pointee = SecAccess(stored)
    }
}

/// Sets the access object of an item.
///
/// - Returns: `errSecAuthFailed` if the program may not change it and the user does not approve; `errSecNoAccessForItem`
///   for a certificate; `errSecInvalidItemRef` for an item that no longer exists.
@available(*, deprecated, message: "Items of the data-protection keychain have access groups: use kSecAttrAccessGroup.")
@discardableResult
public func SecKeychainItemSetAccess(_ itemRef: SecKeychainItem, _ access: SecAccess) -> OSStatus {
    statusOf("SecKeychainItemSetAccess") { () throws(CallFailure) in
        guard itemRef.reference.itemClass != .certificate else {
            throw CallFailure(.noAccessForItem, "every program may read a certificate")
        }
        try itemRef.change(access.entries, nil)
    }
}

extension SecAccess {
    /// The access object as an attribute of an item.
    var entries: [ItemAttributes.Entry] { [.init(.access, .data(value.encoded))] }
}

extension ItemAttributes {
    /// Nil for an item without an access object, and for invalid bytes.
    var accessObject: AccessObject? { self[.access]?.bytes.flatMap { try? AccessObject(encoded: $0) } }
}
