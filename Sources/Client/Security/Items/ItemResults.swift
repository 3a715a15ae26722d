// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainModel

/// Converts items into the objects that a caller of the item functions receives (semantics 2.3).
struct ItemResults {
    let parts: ReturnedParts
    /// The prompt settings that returned keys keep for their uses.
    let authentication: AuthenticationOptions?
    /// The file of the items; nil: the data-protection keychain.
    var keychain: String?

    /// Returns the object for one item: the bare part if one was requested, a dictionary of several. Nil when the
    /// result is empty: no part was requested, or only a reference, which passwords and data without a valid key or
    /// certificate do not have, or only the data, which a key in a token does not have.
    func element(_ item: ReturnedItem<Data>) -> CFTypeRef? {
        element(item, data: item.data, object: object(of: item))
    }

    private func object(of item: ReturnedItem<Data>) -> AnyObject? {
        if let object = ReferencedItem(item, authentication)?.object { return object }
        // Passwords have an object only as items of a file.
        guard let keychain, item.isPassword else { return nil }
        return SecKeychainItem(inKeychain: keychain, item.reference)
    }

    private func persistentReference(_ item: ReturnedItem<Data>) -> Data {
        guard let keychain else { return Data(item.reference.bytes) }
        return SecKeychainItem(inKeychain: keychain, item.reference).persistentReference
    }

    /// Returns the object for an identity in the same way.
    func element(_ identity: FoundIdentity) -> CFTypeRef? {
        element(identity.item, data: identity.key.data, object: identity.object(authentication))
    }

    private func element(
        _ item: ReturnedItem<Data>, data: Data?, object: @autoclosure () -> AnyObject?
    ) -> CFTypeRef? {
        switch parts {
        case []: nil
        case .reference: object()
        case .data: data.map { NSData(data: $0) } ?? (item.isPassword ? NSData() : nil)
        case .persistentReference: NSData(data: persistentReference(item))
        default: dictionary(item, data, object())
        }
    }

    /// Returns the elements of all items, in an array. Items without an element are omitted.
    func array(_ items: [ReturnedItem<Data>]) -> CFTypeRef {
        NSArray(array: items.compactMap { element($0) })
    }

    func array(_ identities: [FoundIdentity]) -> CFTypeRef {
        NSArray(array: identities.compactMap { element($0) })
    }

    private func dictionary(
        _ item: ReturnedItem<Data>, _ data: Data?, _ object: @autoclosure () -> AnyObject?
    ) -> CFDictionary {
        var entries = Entries()
        if parts.contains(.attributes), let attributes = item.attributes {
            entries.add(attributes, ofFile: keychain != nil)
        }
        // An item without data has no entry for it, not an empty one.
        if parts.contains(.data), let data { entries.add(kSecValueData, data) }
        if parts.contains(.persistentReference) {
            entries.add(kSecValuePersistentRef, persistentReference(item))
        }
        // Apple adds the class only together with a reference.
        if parts.contains(.reference) {
            entries.add(kSecClass, item.reference.itemClass.code)
            if let object = object() { entries.add(kSecValueRef, object) }
        }
        return NSDictionary(objects: entries.values, forKeys: entries.keys)
    }
}

extension ReturnedItem<Data> {
    /// The item's data. A key in a token has none: the service sends its public half, if a reference is requested.
    fileprivate var data: Data? { attributes?.isHeldKey ?? false ? nil : secret }

    fileprivate var isPassword: Bool { [.genericPassword, .internetPassword].contains(reference.itemClass) }
}

/// Keys and values of a dictionary, which is created in one call.
private struct Entries {
    var keys: [NSObject] = []
    var values: [Any] = []

    mutating func add(_ key: CFString, _ value: Any) {
        keys.append(key)
        values.append(value)
    }

    mutating func add(_ attributes: ItemAttributes, ofFile: Bool) {
        keys.reserveCapacity(attributes.entries.count + 8)
        values.reserveCapacity(attributes.entries.count + 8)
        for entry in attributes.entries where !Self.hidden.contains(entry.key) {
            if entry.key == .access {
                // Returned in the form in which it was set.
                if let access = attributes.accessObject { add(kSecAttrAccess, SecAccess(access)) }
            } else if !ofFile || !Self.absentInFiles.contains(entry.key) {
                add(Self.name(entry.key), Self.object(entry.value))
            }
        }
        addDefaults(attributes, ofFile: ofFile)
    }

    /// Every item has these attributes, even if they were not set when it was added.
    private mutating func addDefaults(_ attributes: ItemAttributes, ofFile: Bool) {
        if !ofFile {
            if attributes[.accessible] == nil { add(kSecAttrAccessible, attributes.accessibility.code) }
            if attributes[.accessControl] == nil {
                add(kSecAttrAccessControl, SecAccessControl(AccessControl(protection: attributes.accessibility)))
            }
        }
        for entry in ItemSchema.schema(for: attributes.itemClass)?.defaults ?? []
        where attributes[entry.key] == nil && !(ofFile && Self.absentInFiles.contains(entry.key)) {
            add(Self.name(entry.key), Self.object(entry.value))
        }
    }

    /// The key's name as an object, which is created once for each attribute.
    private static func name(_ key: AttributeKey) -> CFString { names[key] ?? key.name as CFString }

    // `nonisolated(unsafe)`, because NSString is not Sendable: a constant, whose strings are created here and never
    // change, and such strings may be read on any thread.
    @safe private nonisolated(unsafe) static let names: [AttributeKey: CFString] = {
        let keys = ItemClass.allCases.flatMap { ItemSchema.schema(for: $0)?.attributes.map(\.key) ?? [] }
        return Dictionary(keys.map { ($0, $0.name as CFString) }) { first, _ in first }
    }()

    /// Internal attributes of the keychain. A query with one of them is rejected, and a result must be usable as a
    /// query.
    private static let hidden: [AttributeKey] = [.appClip, .tombstone, .multiUser, .sharingGroup, .lookup]

    /// Attributes of the data-protection keychain only.
    private static let absentInFiles: [AttributeKey] = [.accessible, .accessControl, .accessGroup, .synchronizable]

    /// Returns the value in the type in which it was set; integers as numbers that support `as? Bool` as well.
    private static func object(_ value: AttributeValue) -> Any {
        switch value {
        case .string(let text): text
        case .data(let bytes): Data(bytes)
        case .number(let number): NSNumber(value: Int(number))
        case .date(let date): Date(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate)
        case .accessControl(let control): SecAccessControl(control)
        }
    }
}
