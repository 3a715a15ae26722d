// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel

/// A key, a certificate or an identity of a file, on its way into a keychain.
struct ImportedItem {
    let object: AnyObject
    /// Its `kSecAttrLabel`; nil: none is given.
    let name: String?

    init(_ object: AnyObject, name: String? = nil) { (self.object, self.name) = (object, name) }

    /// Puts it into a keychain file. What is there already stays as it is.
    ///
    /// - Parameter access: who may use it, if it is a private key or has one; nil: the calling program.
    /// - Throws: the status of `SecItemAdd`; the halves of an identity that were added before stay.
    func add(to keychain: SecKeychain, _ access: SecAccess?) throws(CallFailure) {
        // Certificates are public, and have no access object: each half gets what is its own.
        for half in ItemTransfer.halves(of: object) {
            var item: [CFString: Any] = [kSecUseKeychain: keychain]
            if let access, let key = half as? SecKey, key.isPrivate { item[kSecAttrAccess] = access }
            try add(half, item)
        }
    }

    /// Puts it into the data-protection keychain, likewise.
    func add() throws(CallFailure) { try add(object, [:]) }

    private func add(_ object: AnyObject, _ place: [CFString: Any]) throws(CallFailure) {
        var item = place
        item[kSecValueRef] = object
        if let name { item[kSecAttrLabel] = name }
        // Certificates stay with their keys, whatever calls that name no keychain are about.
        let status = PlainItemCalls.dataProtectionKeychain.during { SecItemAdd(item as NSDictionary, nil) }
        guard status == errSecSuccess || status == errSecDuplicateItem else {
            throw CallFailure(transfer: status, "an item of the file could not be added")
        }
    }
}
