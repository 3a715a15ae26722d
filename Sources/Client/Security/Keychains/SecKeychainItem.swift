// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

/// A reference to an item of a keychain file, without the item's contents.
///
/// Two references are equal when they refer to the same item of the same file.
public final class SecKeychainItem: Hashable, Sendable, CFTypeIdentified {
    let keychain: SecKeychain
    let reference: PersistentReference

    init(_ keychain: SecKeychain, _ reference: PersistentReference) {
        self.keychain = keychain
        self.reference = reference
    }

    /// - Parameter path: as the service returns it.
    convenience init(inKeychain path: String, _ reference: PersistentReference) {
        self.init(.at(path), reference)
    }

    public static var cfTypeID: CFTypeID { 263 }

    public static func == (left: SecKeychainItem, right: SecKeychainItem) -> Bool {
        left.keychain == right.keychain && left.reference == right.reference
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(keychain)
        hasher.combine(reference)
    }
}

/// Returns the type identifier of ``SecKeychainItem`` objects, as `CFGetTypeID` returns it.
public func SecKeychainItemGetTypeID() -> CFTypeID { SecKeychainItem.cfTypeID }

// A persistent reference of an item in a file: "file", the 20 bytes of the item's own reference, the path in UTF-8. No
// class is called "file", so the reference differs from all those of the data-protection keychain
// (Documentation/FileKeychains.md).
extension SecKeychainItem {
    private static let mark = Array("file".utf8)

    var persistentReference: Data { Data(Self.mark + reference.bytes + Array(keychain.path.utf8)) }

    /// Nil for any other data.
    convenience init?(persistentReference data: Data) {
        let bytes = Array(data)
        guard bytes.starts(with: Self.mark), bytes.count > 24, bytes.count <= 24 + WireLimits.keychainPathBytes,
            let reference = PersistentReference(bytes: Array(bytes[4..<24])),
            let path = String(validating: bytes[24...], as: UTF8.self),
            path.hasPrefix("/"), WireLimits.isKeychainPath(path)
        else { return nil }
        self.init(inKeychain: path, reference)
    }
}

/// Returns a persistent reference, with which other processes can find the item at any time.
///
/// - Parameters:
///   - itemRef: the item.
///   - persistentItemRef: CFData.
/// - Returns: `errSecParam` without a variable.
@available(*, deprecated, message: "Use SecItemCopyMatching with kSecReturnPersistentRef.")
@discardableResult
public func SecKeychainItemCreatePersistentReference(
    _ itemRef: SecKeychainItem, _ persistentItemRef: UnsafeMutablePointer<CFData?>?
) -> OSStatus {
    statusOf("SecKeychainItemCreatePersistentReference") { () throws(CallFailure) in
        guard let result = unsafe persistentItemRef else { throw .missingVariable }
        unsafe result.pointee = itemRef.persistentReference as CFData
    }
}

/// Finds the item of a persistent reference.
///
/// - Returns: `errSecParam` without a variable and for invalid data; `errSecItemNotFound` if the item no longer exists;
///   `errSecNoSuchKeychain`, `errSecInvalidKeychain`.
@available(*, deprecated, message: "Use SecItemCopyMatching with kSecValuePersistentRef.")
@discardableResult
public func SecKeychainItemCopyFromPersistentReference(
    _ persistentItemRef: CFData, _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    statusOf("SecKeychainItemCopyFromPersistentReference") { () throws(CallFailure) in
        guard let result = unsafe itemRef else { throw .missingVariable }
        guard let item = SecKeychainItem(persistentReference: persistentItemRef as Data) else {
            throw CallFailure(.parameter, "the data is not a reference of an item in a keychain file")
        }
        _ = try inKeychain(item.keychain.path) { () throws(CallFailure) in
            try found(ItemQuery(item.reference), .one, [])
        }
        unsafe result.pointee = item
    }
}

/// Returns the keychain of an item.
///
/// - Returns: `errSecParam` without a variable.
@available(*, deprecated, message: "Items of the data-protection keychain are not in a keychain file.")
@discardableResult
public func SecKeychainItemCopyKeychain(
    _ itemRef: SecKeychainItem, _ keychainRef: UnsafeMutablePointer<SecKeychain?>?
) -> OSStatus {
    statusOf("SecKeychainItemCopyKeychain") { () throws(CallFailure) in
        guard let result = unsafe keychainRef else { throw .missingVariable }
        unsafe result.pointee = itemRef.keychain
    }
}

/// Deletes an item. Its access object is not checked, and its keychain may be locked.
///
/// - Returns: `errSecInvalidItemRef` if the item no longer exists; `errSecNoSuchKeychain`, `errSecInvalidKeychain`.
@available(*, deprecated, message: "Use SecItemDelete.")
@discardableResult
public func SecKeychainItemDelete(_ itemRef: SecKeychainItem) -> OSStatus {
    statusOf("SecKeychainItemDelete") { () throws(CallFailure) in
        let query = ItemQuery(itemRef.reference)
        try itemRef.using { () throws(CallFailure) in
            try asking(.search(query)) { client throws(ClientError) in try client.delete(query) }
        }
    }
}

extension SecKeychainItem {
    /// Runs a closure whose requests for items use the item's keychain.
    ///
    /// - Throws: the errors of the closure; `errSecInvalidItemRef` in place of `errSecItemNotFound`.
    func using<R>(_ body: () throws(CallFailure) -> R) throws(CallFailure) -> R {
        do throws(CallFailure) {
            return try inKeychain(keychain.path, body)
        } catch {
            guard error.status == .itemNotFound else { throw error }
            throw CallFailure(.invalidItemReference, "the item is no longer in its keychain")
        }
    }
}
