// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import KeychainModel
public import KeychainPolicy
import KeychainSealing

/// What a search found: sealed rows, and what is known of each without opening it.
public struct FoundItems: Sendable {
    /// One for each item, in the order found.
    public let facts: [ItemFacts]
    let itemClass: ItemClass
    let rows: [SealedRow]
    /// Whether the sealed attributes and secrets are in the rows.
    let hasAttributes: Bool
    let hasData: Bool

    /// Those that `isIncluded` says of their facts, at most as many as asked for.
    public func keeping(limit: MatchLimit, _ isIncluded: (ItemFacts) -> Bool) -> FoundItems {
        let limit = limit.count.map { Int($0) } ?? .max
        var kept: [SealedRow] = []
        for (row, facts) in zip(rows, facts) where kept.count < limit && isIncluded(facts) { kept.append(row) }
        return FoundItems(kept, keepingFrom: self)
    }

    /// What the items still have to fulfil; ``ItemStore/matching(_:limit:with:)`` looks.
    let check: Search.Check?

    /// The items' references, as far as the rows are what this store writes.
    public var references: [PersistentReference] {
        rows.compactMap { row in
            row.content.map { PersistentReference(itemClass: itemClass, item: $0.binding.item) }
        }
    }

    /// Own passwords that opening the items takes.
    public var ownPasswords: Set<GuessableSecret> {
        Set(
            rows.compactMap { row in
                guard let binding = row.content?.binding, binding.access?.needsPassword == true else { return nil }
                return .item(binding.item)
            })
    }

    /// As ``references``.
    var identifiers: [ItemIdentifier] { rows.compactMap { $0.content?.binding.item } }

    public var isEmpty: Bool { rows.isEmpty }
    public var count: Int { rows.count }
    /// Whether these are only the items among which the matches are.
    public var needsOpening: Bool { check != nil }

    init(_ rows: [SealedRow], _ search: Search) {
        self.rows = rows
        itemClass = search.itemClass
        check = search.check
        hasAttributes = search.shape.withAttributes
        hasData = search.shape.withData
        facts = rows.map { $0.facts(search.itemClass) }
    }

    /// Those of `found` that match.
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

    /// Nothing found.
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
        // A row that this store did not write may have no identifier; it is still one of those that were found.
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

/// One item, opened as far as was asked for. Its data is wiped when the closure that got it returns.
public struct OpenedItem: ~Copyable {
    public let identifier: ItemIdentifier
    public let itemClass: ItemClass
    /// Nil unless asked for.
    public let attributes: ItemAttributes?
    /// The secret; nil unless asked for, for an item that has none, and for a held key.
    public private(set) var data: Data?
    /// The secret of a held key, apart from ``data`` so that nobody hands it out by mistake. Told apart here and nowhere else.
    public private(set) var heldKey: Data?

    /// - Parameters:
    ///   - attributes: of a key with data those that say whether it is held, whether they were asked for or not.
    ///   - givesAttributes: whether they were.
    init(
        identifier: ItemIdentifier, itemClass: ItemClass, attributes: ItemAttributes?, givesAttributes: Bool,
        data: Data?
    ) {
        self.identifier = identifier
        self.itemClass = itemClass
        self.attributes = givesAttributes ? attributes : nil
        // A key of which nothing is known counts as held.
        let isHeld = itemClass == .key && attributes?.isHeldKey ?? true
        (self.data, heldKey) = isHeld ? (nil, data) : (data, nil)
    }

    /// Whether held or not: for backups, which are sealed.
    var secret: Data? { heldKey ?? data }

    mutating func wipe() {
        data?.wipe()
        heldKey?.wipe()
    }
}

/// What becomes of the data of keys that are not given out, where data is asked for.
public enum HeldKeys: Sendable {
    /// The whole of the request is refused.
    case refused
    /// They come apart, for use in the service.
    case apart
}

/// An item as it was stored.
public struct StoredItem: Hashable, Sendable {
    public let identifier: ItemIdentifier
    /// All attributes, with defaults and dates.
    public let attributes: ItemAttributes
}

/// What became of an update or a deletion.
public enum ChangeOutcome: Sendable {
    /// The items that were changed, at least one unless the change itself said that there is nothing to do.
    case changed([ItemIdentifier])
    /// Nothing was changed: a person would have to say. With the items that were found.
    case ask(Question, [ItemIdentifier])
    /// Nothing was changed: the owner would have to show to be there. With the items that were found.
    case authenticate(AuthenticationDemand, [ItemIdentifier])
    /// Nothing was changed. With the items that were found.
    case refused(Refusal, [ItemIdentifier])
}

/// How much the store holds.
public struct StoreStatistics: Hashable, Sendable {
    public let items: [ItemClass: Int]
    /// Rows whose contents could not be authenticated. They are kept, and everything else ignores them.
    public let unreadable: Int
}
