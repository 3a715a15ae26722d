// SPDX-License-Identifier: Apache-2.0

/// What to look for: the parsed form of a query dictionary.
public struct ItemQuery: Hashable, Sendable {
    public var itemClass: ItemClass
    /// Equality filters, all of which must hold. Access group and synchronizable have fields of their own.
    public var attributes: ItemAttributes
    /// Nil: all access groups of the caller.
    public var accessGroup: String?
    public var synchronizable: SynchronizableFilter
    /// Names one item. The initialiser for references sets it, and ends the default synchronizable filter.
    public var persistentReference: PersistentReference?
    /// Which differences between texts are overlooked.
    public var textMatching: TextMatching = []
    /// `kSecMatchHostOrSubdomainOfHost`: the server is this host or ends with a dot and this host. Internet passwords only.
    public var hostOrSubdomain: String?

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

    /// Finds the item that is the same one as an item with these attributes: equal in all that makes items of the class
    /// different, where what is not given has its default. The access group is left to the attributes: nil is any.
    public init(sameItemAs item: ItemAttributes) {
        self.init(item.itemClass)
        accessGroup = item.accessGroup
        synchronizable = item.isSynchronizable ? .synchronizableOnly : .localOnly
        for definition in ItemSchema.schema(for: itemClass)?.attributes ?? []
        where definition.isUnique && definition.uses.contains(.query) {
            switch definition.key {
            case .accessGroup, .synchronizable: break
            // Having no view and no token is the same as having the empty one.
            case let key: attributes[key] = item[key] ?? definition.defaultValue ?? .string("")
            }
        }
    }

    /// Whether comparing digests of values does not answer it: items have to be opened to see whether they match.
    public var needsOpening: Bool { !textMatching.isEmpty || hostOrSubdomain != nil }

    /// Which items a query sees by `kSecAttrSynchronizable` (semantics 2.2).
    public enum SynchronizableFilter: UInt8, Hashable, Sendable {
        /// The default: items that do not synchronize.
        case localOnly = 0
        case synchronizableOnly = 1
        /// `kSecAttrSynchronizableAny`
        case any = 2
    }
}

/// Which differences a search overlooks between the texts it is given and those of items: `kSecMatchCaseInsensitive` and
/// its like. They apply to the attributes that hold text of the user's (``AttributeKind/blob``), not to access groups and
/// other names of the system's.
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

/// How many items `SecItemCopyMatching` returns: `kSecMatchLimit`.
public enum MatchLimit: Hashable, Sendable {
    /// One item, returned bare.
    case one
    /// At most this many (two or more), returned as an array.
    case atMost(UInt32)
    /// All, returned as an array.
    case all
}

/// What a call returns of each item: the `kSecReturn…` keys.
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

    public static let all: ReturnedParts = [.data, .attributes, .reference, .persistentReference]
}

/// What happened to an item, for those who watch the keychain.
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

/// What those who watch a keychain are told.
public enum WatchedEvent: Hashable, Sendable {
    case item(ItemChange)
    case lockState(LockState)
}
