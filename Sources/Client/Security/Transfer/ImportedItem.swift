// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel

/// A key, a certificate or an identity of a file, to be added to a keychain.
struct ImportedItem {
    let object: AnyObject
    /// The item's name in the file, for `kSecAttrLabel`.
    let name: String?
    /// The name of the key in the file, for the label of the key alone.
    let keyName: String?

    init(_ object: AnyObject, name: String? = nil, keyName: String? = nil) {
        (self.object, self.name, self.keyName) = (object, name, keyName)
    }

    /// Adds the item to a keychain file. An item that exists already is not changed. A key without a name gets Apple's
    /// label for such keys; a certificate without a name gets that of its subject.
    ///
    /// - Parameter access: the access object, for a private key or an identity; nil: for the calling program only.
    /// - Throws: the status of `SecItemAdd`; halves of an identity that were added before remain.
    func add(to keychain: SecKeychain, _ access: SecAccess?) throws(CallFailure) {
        // Certificates are public, and have no access object: each half receives only its own attributes.
        for half in Self.halves(of: object) {
            var item: [CFString: Any] = [kSecUseKeychain: keychain]
            if let key = half as? SecKey {
                item[kSecAttrLabel] = keyName ?? (key.isPrivate ? "Imported Private Key" : "Imported Public Key")
                if let access, key.isPrivate { item[kSecAttrAccess] = access }
            }
            try add(half, item)
        }
    }

    /// Adds the item to the data-protection keychain in the same way.
    func add() throws(CallFailure) { try add(object, [:]) }

    /// Returns the key and the certificate of an identity; for another object, the object itself.
    private static func halves(of object: AnyObject) -> [AnyObject] {
        guard let identity = object as? SecIdentity else { return [object] }
        return [identity.privateKey, identity.certificate]
    }

    private func add(_ object: AnyObject, _ place: [CFString: Any]) throws(CallFailure) {
        var item = place
        item[kSecValueRef] = object
        if let name { item[kSecAttrLabel] = name }
        // Certificates are stored with their keys, whatever location plain calls use.
        let status = PlainItemCalls.dataProtectionKeychain.during { SecItemAdd(item as NSDictionary, nil) }
        guard status == errSecSuccess || status == errSecDuplicateItem else {
            throw CallFailure(transfer: status, "an item of the file could not be added")
        }
    }
}
