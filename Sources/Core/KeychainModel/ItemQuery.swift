// SPDX-License-Identifier: Apache-2.0

/// A search: the parsed form of a query dictionary.
public struct ItemQuery: Hashable, Sendable {
    public var itemClass: ItemClass
    /// Equality filters, which must all match. Access group and synchronizable have their own properties.
    public var attributes: ItemAttributes
    /// Nil: all access groups of the caller.
    public var accessGroup: String?
    public var synchronizable: SynchronizableFilter
    /// Selects one item. The initialiser for references sets it, and removes the default synchronizable filter.
    public var persistentReference: PersistentReference?
    /// The differences between texts that the search ignores.
    public var textMatching: TextMatching = []
    /// `kSecMatchHostOrSubdomainOfHost`: the server is this host or ends with a dot and this host. Internet passwords only.
    public var hostOrSubdomain: String?
    /// A text that the label, the account, the service, the server or the path contains, without regard to case,
    /// diacritics and width. Passwords only; not empty.
    public var containedText: String?

    public init(_ itemClass: ItemClass) {
        self.itemClass = itemClass
        attributes = ItemAttributes(empty: itemClass)
        synchronizable = .localOnly
    }

    /// Finds the item of a reference, whether it synchronizes or not (semantics 2.2).
    public init(_ reference: PersistentReference) {
        self.init(reference.itemClass)
        persistentReference = reference
        synchronizable = .any
    }

    /// Finds the existing item that an item with these attributes would duplicate: equal in all unique attributes of
    /// the class, with defaults for missing ones. The access group follows the attributes: nil is any.
    public init(sameItemAs item: ItemAttributes) {
        self.init(item.itemClass)
        accessGroup = item.accessGroup
        synchronizable = item.isSynchronizable ? .synchronizableOnly : .localOnly
        for definition in ItemSchema.schema(for: itemClass)?.attributes ?? []
        where definition.isUnique && definition.uses.contains(.query) {
            switch definition.key {
            case .accessGroup, .synchronizable: break
            // A missing view or token equals an empty one.
            case let key: attributes[key] = item[key] ?? definition.defaultValue ?? .string("")
            }
        }
    }

    /// Whether the search must open items: digests of values alone cannot answer it, or prove nothing, as those of
    /// lookup attributes.
    public var needsOpening: Bool { comparesText || attributes[.lookup] != nil }

    /// Whether the search compares parts or spellings of texts, which have no digests.
    public var comparesText: Bool { !textMatching.isEmpty || hostOrSubdomain != nil || containedText != nil }

    /// The items that a query matches by `kSecAttrSynchronizable` (semantics 2.2).
    public enum SynchronizableFilter: UInt8, Hashable, Sendable {
        /// The default: items that do not synchronize.
        case localOnly = 0
        case synchronizableOnly = 1
        /// `kSecAttrSynchronizableAny`
        case any = 2
    }
}

/// The differences that a search ignores between its texts and those of items: `kSecMatchCaseInsensitive` and similar
/// options. They apply to attributes with the user's text (``AttributeKind/blob``), not to access groups and other
/// names that the system defines.
public struct TextMatching: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `kSecMatchCaseInsensitive`: A and a
    public static let caseInsensitive = TextMatching(rawValue: 1)
    /// `kSecMatchDiacriticInsensitive`: é and e
    public static let diacriticInsensitive = TextMatching(rawValue: 2)
    /// `kSecMatchWidthInsensitive`: the full-width Ａ and A
    public static let widthInsensitive = TextMatching(rawValue: 4)

    public static let all: TextMatching = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
}

/// The number of items that `SecItemCopyMatching` returns: `kSecMatchLimit`.
public enum MatchLimit: Hashable, Sendable {
    /// One item, returned bare.
    case one
    /// At most this many (two or more), returned as an array.
    case atMost(UInt32)
    /// All, returned as an array.
    case all
}

/// The parts of each item that a call returns: the `kSecReturn…` keys.
public struct ReturnedParts: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `kSecReturnData`
    public static let data = ReturnedParts(rawValue: 1)
    /// `kSecReturnAttributes`
    public static let attributes = ReturnedParts(rawValue: 2)
    /// `kSecReturnRef`
    public static let reference = ReturnedParts(rawValue: 4)
    /// `kSecReturnPersistentRef`
    public static let persistentReference = ReturnedParts(rawValue: 8)
    /// Whether the caller can read the data of each item now (``ReturnedItem/needsApproval``). Such a search returns no
    /// data and never prompts; without ``attributes`` it also finds items whose key is locked.
    public static let availability = ReturnedParts(rawValue: 16)

    /// The parts of Apple's calls.
    public static let all: ReturnedParts = [.data, .attributes, .reference, .persistentReference]
}

/// A change of an item, for watchers of the keychain.
public struct ItemChange: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case added = 1
        case updated = 2
        case deleted = 3
    }

    public let kind: Kind
    public let item: PersistentReference

    public init(_ kind: Kind, _ item: PersistentReference) {
        self.kind = kind
        self.item = item
    }
}

/// An event that a watcher of a keychain receives.
public enum WatchedEvent: Hashable, Sendable {
    case item(ItemChange)
    case lockState(LockState)
}
