// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import KeychainModel
public import KeychainPolicy
import KeychainSealing

/// The result of a search: sealed rows, and the facts that are known of each without opening it.
public struct FoundItems: Sendable {
    /// The facts of each item, in the order found.
    public let facts: [ItemFacts]
    let itemClass: ItemClass
    let rows: [SealedRow]
    /// Whether the rows include the sealed attributes and secrets.
    let hasAttributes: Bool
    let hasData: Bool

    /// Returns the items for whose facts `isIncluded` is true, at most `limit`.
    public func keeping(limit: MatchLimit, _ isIncluded: (ItemFacts) -> Bool) -> FoundItems {
        let limit = limit.count.map { Int($0) } ?? .max
        var kept: [SealedRow] = []
        for (row, facts) in zip(rows, facts) where kept.count < limit && isIncluded(facts) { kept.append(row) }
        return FoundItems(kept, keepingFrom: self)
    }

    /// The conditions that still have to be checked; ``ItemStore/matching(_:limit:with:)`` checks them.
    let check: Search.Check?

    /// The items' references; rows that this store did not write have none.
    public var references: [PersistentReference] {
        rows.compactMap { row in
            row.content.map { PersistentReference(itemClass: itemClass, item: $0.binding.item) }
        }
    }

    /// The items' own passwords that are required to open the items.
    public var ownPasswords: Set<GuessableSecret> {
        Set(
            rows.compactMap { row in
                guard let binding = row.content?.binding, binding.access?.needsPassword == true else { return nil }
                return .item(binding.item)
            })
    }

    /// The identifiers of the items; rows as of ``references``.
    var identifiers: [ItemIdentifier] { rows.compactMap { $0.content?.binding.item } }

    public var isEmpty: Bool { rows.isEmpty }
    public var count: Int { rows.count }
    /// Whether the items are only candidates, and matches have to be determined by opening them.
    public var needsOpening: Bool { check != nil }

    init(_ rows: [SealedRow], _ search: Search) {
        self.rows = rows
        itemClass = search.itemClass
        check = search.check
        hasAttributes = search.shape.withAttributes
        hasData = search.shape.withData
        facts = rows.map { $0.facts(search.itemClass) }
    }

    /// Keeps the rows of `found` that match.
    init(_ rows: [SealedRow], of found: FoundItems) {
        self.init(rows, of: found, check: nil)
    }

    private init(_ rows: [SealedRow], keepingFrom found: FoundItems) {
        self.init(rows, of: found, check: found.check)
    }

    private init(_ rows: [SealedRow], of found: FoundItems, check: Search.Check?) {
        self.rows = rows
        itemClass = found.itemClass
        self.check = check
        hasAttributes = found.hasAttributes
        hasData = found.hasData
        facts = rows.map { $0.facts(found.itemClass) }
    }

    /// Takes a key that is in no table.
    init(_ key: SealedRow) {
        rows = [key]
        facts = [key.facts(.key)]
        check = nil
        hasAttributes = true
        hasData = true
        itemClass = .key
    }

    /// Creates an empty result.
    init(none itemClass: ItemClass) {
        rows = []
        facts = []
        check = nil
        hasAttributes = true
        hasData = true
        self.itemClass = itemClass
    }
}

extension SealedRow {
    fileprivate func facts(_ itemClass: ItemClass) -> ItemFacts {
        // A row that this store did not write may have no identifier; it still counts as found.
        let reference =
            if let content {
                PersistentReference(itemClass: itemClass, item: content.binding.item)
            } else {
                PersistentReference(itemClass: itemClass, row: id)
            }
        return ItemFacts(
            accessGroup: accessGroup, accessibility: accessibility, reference: reference,
            constraints: content?.binding.access?.flags ?? [])
    }
}

/// One item, opened as far as requested. Its data is wiped when the closure that received the item returns.
public struct OpenedItem: ~Copyable {
    public let identifier: ItemIdentifier
    public let itemClass: ItemClass
    /// The attributes; nil unless requested.
    public let attributes: ItemAttributes?
    /// The secret; nil unless requested, for an item without a secret, and for a held key.
    public private(set) var data: Data?
    /// The secret of a held key, separate from ``data`` so that it is not returned to callers by mistake. Only this
    /// type distinguishes the two.
    public private(set) var heldKey: Data?

    /// Creates an opened item.
    ///
    /// - Parameters:
    ///   - attributes: for a key with data, always includes the attributes that state whether the key is held.
    ///   - givesAttributes: whether attributes were requested.
    init(
        identifier: ItemIdentifier, itemClass: ItemClass, attributes: ItemAttributes?, givesAttributes: Bool,
        data: Data?
    ) {
        self.identifier = identifier
        self.itemClass = itemClass
        self.attributes = givesAttributes ? attributes : nil
        // A key without readable attributes counts as held.
        let isHeld = itemClass == .key && attributes?.isHeldKey ?? true
        (self.data, heldKey) = isHeld ? (nil, data) : (data, nil)
    }

    /// The secret, held or not: for backups, which are sealed.
    var secret: Data? { heldKey ?? data }

    mutating func wipe() {
        data?.wipe()
        heldKey?.wipe()
    }
}

/// The handling of held keys if data is requested.
public enum HeldKeys: Sendable {
    /// The whole request is refused, unless a token holds the key: such a key is returned separately.
    case refused
    /// The keys are returned separately, for use in the service.
    case apart
}

/// An item as stored.
public struct StoredItem: Hashable, Sendable {
    public let identifier: ItemIdentifier
    /// All attributes, with defaults and dates.
    public let attributes: ItemAttributes
}

/// The result of an update or a deletion.
public enum ChangeResult: Sendable {
    /// The items that were changed: at least one, unless the change itself turned out to be empty.
    case changed([ItemIdentifier])
    /// Nothing was changed: a prompt is required. With the items that were found.
    case ask(ApprovalRequest, [ItemIdentifier])
    /// Nothing was changed: owner authentication is required. With the items that were found.
    case authenticate(AuthenticationDemand, [ItemIdentifier])
    /// Nothing was changed. With the items that were found.
    case refused(Refusal, [ItemIdentifier])
}

/// The size of the store.
public struct StoreStatistics: Hashable, Sendable {
    public let items: [ItemClass: Int]
    /// Rows whose contents could not be authenticated. They are kept, but all other operations ignore them.
    public let unreadable: Int
}
