// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The attributes of one item: a ``GenericPassword`` or an ``InternetPassword``.
///
/// An item also is a selector: functions that take a ``SingleItemSelector`` find the stored item by its primary key,
/// and ignore its other attributes.
public protocol KeychainItem: SingleItemSelector where Item == Self {
    /// The conditions of a search among items of this class.
    associatedtype Query: ItemSelector where Query.Item == Self
    /// The attributes that an update changes.
    associatedtype Changes: AttributeChanges where Changes.Item == Self

    /// `kSecClass`
    static var itemClass: ItemClass { get }

    /// The query that finds this item by its primary key, whatever its other attributes are.
    ///
    /// Without an access group the query finds the item in each of the program's groups that contains it.
    var query: Query { get }

    /// The attributes in the keychain's form. For use in this module only.
    var encoded: EncodedAttributes { get }

    /// Decodes attributes from the keychain's form. For use in this module only.
    init(_ encoded: EncodedAttributes)
}

extension KeychainItem {
    public var selection: ItemSelection<Self> { query.selection }
}

/// The changes of an update: attributes of one class, each of which may stay unchanged.
public protocol AttributeChanges<Item>: Hashable, Sendable {
    associatedtype Item: KeychainItem

    /// The changes in the keychain's form. For use in this module only.
    var encoded: EncodedAttributes { get }
}

/// A selection of stored items: a query selects any number of them, a ``SingleItemSelector`` selects one.
public protocol ItemSelector<Item>: Hashable, Sendable {
    associatedtype Item: KeychainItem

    /// The selection in the keychain's form. For use in this module only.
    var selection: ItemSelection<Item> { get }
}

/// A selection of one stored item: by its primary key, or by its ``ItemReference``.
public protocol SingleItemSelector<Item>: ItemSelector {}

/// The items that a query includes by `kSecAttrSynchronizable`.
public enum SynchronizableFilter: Hashable, Sendable, CaseIterable {
    /// Items that stay on this machine. The default, as in Apple's keychain.
    case localOnly
    /// Items that synchronize.
    case synchronizableOnly
    /// All items (`kSecAttrSynchronizableAny`).
    case any

    init(_ isSynchronizable: Bool) {
        self = isSynchronizable ? .synchronizableOnly : .localOnly
    }

    var filter: ItemQuery.SynchronizableFilter {
        switch self {
        case .localOnly: .localOnly
        case .synchronizableOnly: .synchronizableOnly
        case .any: .any
        }
    }
}

/// A selection in the keychain's form.
public struct ItemSelection<Item: KeychainItem>: ItemSelector {
    private enum Kind: Hashable {
        case attributes(EncodedAttributes, SynchronizableFilter, TextMatching, hostOrSubdomain: String?)
        case reference(PersistentReference)
    }

    private let kind: Kind

    init(
        _ attributes: EncodedAttributes, _ synchronizable: SynchronizableFilter, _ matching: TextMatching,
        hostOrSubdomain: String? = nil
    ) {
        kind = .attributes(attributes, synchronizable, matching, hostOrSubdomain: hostOrSubdomain)
    }

    init(_ reference: PersistentReference) {
        kind = .reference(reference)
    }

    public var selection: Self { self }

    var itemQuery: ItemQuery {
        get throws(AttributeError) {
            var query = ItemQuery(Item.itemClass)
            switch kind {
            case .reference(let reference):
                query.persistentReference = reference
                query.synchronizable = .any
            case .attributes(let attributes, let synchronizable, let matching, let host):
                // The access group has a separate field in a query.
                let group = attributes.entries.first { $0.key == .accessGroup }?.value
                query.attributes = try ItemAttributes(
                    Item.itemClass, for: .query, attributes.entries.filter { $0.key != .accessGroup })
                query.accessGroup = group?.string
                query.synchronizable = synchronizable.filter
                query.textMatching = matching
                query.hostOrSubdomain = host
            }
            return query
        }
    }
}
