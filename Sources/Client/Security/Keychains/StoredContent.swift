// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

// The service requests of the functions for items of keychain files.

/// Adds an item to a keychain, or to the default one.
///
/// - Throws: `errSecDuplicateItem` and the other statuses of an addition; those of ``adding(to:_:)``.
func addItem(
    _ itemClass: ItemClass, _ entries: [ItemAttributes.Entry], _ secret: SecretBytes?, to keychain: SecKeychain?
) throws(CallFailure) -> SecKeychainItem {
    let attributes = try itemAttributes(itemClass, for: .add, entries)
    return try adding(to: keychain) { path throws(CallFailure) in
        let added = try asking(.addition(attributes)) { client throws(ClientError) in
            try client.add(attributes, secret: secret?.bytes) { _ in }
        }
        return SecKeychainItem(inKeychain: path, added.reference)
    }
}

/// - Throws: the status of the first wrong attribute.
func itemAttributes(
    _ itemClass: ItemClass, for use: AttributeUse, _ entries: [ItemAttributes.Entry]
) throws(CallFailure) -> ItemAttributes {
    do throws(AttributeError) {
        return try ItemAttributes(itemClass, for: use, entries)
    } catch {
        throw CallFailure(error)
    }
}

/// Returns the given attributes of a class.
///
/// - Throws: `errSecNoSuchAttr`, `errSecParam`.
func entries(
    _ given: [ListedAttribute], of itemClass: ItemClass
) throws(CallFailure) -> [ItemAttributes.Entry] {
    var entries: [ItemAttributes.Entry] = []
    for attribute in given {
        let known = try KeychainAttribute.named(attribute.tag, of: itemClass)
        entries.append(.init(known.key, try known.value(of: attribute.bytes)))
    }
    return entries
}

/// Returns a name that a caller gave as an attribute, unless it is empty.
func entry(_ key: AttributeKey, _ name: [UInt8]) -> [ItemAttributes.Entry] {
    guard !name.isEmpty else { return [] }
    return [.init(key, String(validating: name, as: UTF8.self).map(AttributeValue.string) ?? .data(name))]
}

/// Returns the attributes from the certificate itself, in addition to those of the caller.
///
/// - Throws: `errSecParam` for an invalid certificate.
func certificateEntries(_ der: SecretBytes?, _ given: [ItemAttributes.Entry]) throws(CallFailure) -> [ItemAttributes
    .Entry]
{
    guard let der, let certificate = try? Certificate(Data(der.bytes)) else {
        throw CallFailure(.parameter, "the data is not a certificate")
    }
    let names = Set(given.map(\.key))
    return given + CertificateAttributes(certificate).entries.filter { !names.contains($0.key) }
}

/// Finds the first item that matches, in the order of the keychains.
///
/// - Parameter readsData: whether the data is read, which requires permission.
/// - Throws: `errSecItemNotFound`; `errSecAuthFailed` for data that the program may not read.
func findItem(
    _ query: ItemQuery, in keychains: SearchedKeychains, readsData: Bool
) throws(CallFailure) -> (item: SecKeychainItem, data: SecretBytes?) {
    try keychains.first { path throws(CallFailure) in
        let items = try readingData { () throws(CallFailure) in
            try asking(.search(query)) { client throws(ClientError) in
                try client.copyMatching(query, limit: .one, returning: readsData ? .data : []) {
                    SecretBytes(copying: $0)
                }
            }
        }
        return items.first.map { (SecKeychainItem(inKeychain: path, $0.reference), $0.secret) }
    }
}

extension SecKeychainItem {
    /// - Throws: `errSecInvalidItemRef`; `errSecAuthFailed` for data that the program may not read.
    func content(_ parts: ReturnedParts) throws(CallFailure) -> ReturnedItem<SecretBytes> {
        let query = ItemQuery(reference)
        return try using { () throws(CallFailure) in
            let items = try readingData { () throws(CallFailure) in
                try asking(.search(query)) { client throws(ClientError) in
                    try client.copyMatching(query, limit: .one, returning: parts) { SecretBytes(copying: $0) }
                }
            }
            guard let item = items.first else { throw CallFailure(.itemNotFound, "the item does not exist") }
            return item
        }
    }

    /// Changes the given attributes and data.
    ///
    /// - Parameter secret: nil: the data stays unchanged.
    /// - Throws: `errSecInvalidItemRef`, `errSecDuplicateItem`, and the other statuses of an update.
    func change(_ entries: [ItemAttributes.Entry], _ secret: SecretBytes?) throws(CallFailure) {
        let changes = try itemAttributes(reference.itemClass, for: .update, entries)
        let query = ItemQuery(reference)
        try using { () throws(CallFailure) in
            guard secret != nil || !changes.isEmpty else {
                _ = try found(query, .one, [])
                return
            }
            try asking(.update(query)) { client throws(ClientError) in
                try client.update(query, changes: changes, secret: secret?.bytes)
            }
        }
    }
}
