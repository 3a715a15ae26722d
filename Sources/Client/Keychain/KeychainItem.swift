// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The attributes of one item: a ``GenericPassword`` or an ``InternetPassword``.
///
/// An item also is a name for itself: functions that take a ``SingleItemSelector`` find the stored item by those
/// attributes that make it that item, and look at no others.
public protocol KeychainItem: SingleItemSelector where Item == Self {
    /// What to look for among items of this class.
    associatedtype Query: ItemSelector where Query.Item == Self
    /// Which attributes an update changes.
    associatedtype Changes: AttributeChanges where Changes.Item == Self

    /// `kSecClass`
    static var itemClass: ItemClass { get }

    /// The query that finds this very item, whatever its other attributes are.
    ///
    /// Without an access group it finds the item in each of the program's groups that has one.
    var query: Query { get }

    /// In the keychain's form. For this module's own use.
    var encoded: EncodedAttributes { get }

    /// From the keychain's form. For this module's own use.
    init(_ encoded: EncodedAttributes)
}

extension KeychainItem {
    public var selection: ItemSelection<Self> { query.selection }
}

/// What an update changes: attributes of one class, each of which may be left as it is.
public protocol AttributeChanges<Item>: Hashable, Sendable {
    associatedtype Item: KeychainItem

    /// In the keychain's form. For this module's own use.
    var encoded: EncodedAttributes { get }
}

/// Says which stored items are meant: a query any number of them, a ``SingleItemSelector`` one.
public protocol ItemSelector<Item>: Hashable, Sendable {
    associatedtype Item: KeychainItem

    /// In the keychain's form. For this module's own use.
    var selection: ItemSelection<Item> { get }
}

/// Names one stored item: by what makes it the same item, or by its ``ItemReference``.
public protocol SingleItemSelector<Item>: ItemSelector {}

/// Which items of the program a query sees by `kSecAttrSynchronizable`.
public enum SynchronizableFilter: Hashable, Sendable, CaseIterable {
    /// Items that stay on this machine. The default, as in Apple's keychain.
    case localOnly
    /// Items that synchronize.
    case synchronizableOnly
    /// All (`kSecAttrSynchronizableAny`).
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

/// What a selector means, in the keychain's form.
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
                // The access group has a place of its own in a query.
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
