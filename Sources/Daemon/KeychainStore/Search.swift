// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import KeychainPolicy
import KeychainSealing
import SQLiteStatements

/// A query converted to digests: the values to compare, without any plaintext.
struct Search {
    let itemClass: ItemClass
    let table: ItemTable
    let shape: QueryShape
    let groups: [Group]
    /// Whether all other groups are searched as well, after `groups`.
    let includesOthers: Bool
    /// Whether the other groups include those of enforced programs.
    private let includesEnforced: Bool
    private let target: SQLiteValue?
    /// The digests of the pairs of lookup attributes that items must have.
    private let lookups: [IndexDigest]
    private let filters: [SQLiteValue]
    /// The conditions that digests cannot decide: matches have to be opened and compared.
    let check: Check?

    /// The conditions that opened matches still have to meet.
    struct Check: Sendable {
        private let textMatching: TextMatching
        private let attributes: [(key: AttributeKey, value: FoldedValue)]
        /// Folded.
        private let hostOrSubdomain: String?
        private let lookup: LookupAttributes?
        private let containedText: ContainedText?

        /// - Parameter attributes: the attributes of the query that digests cannot decide.
        init(_ query: ItemQuery, attributes: [ItemAttributes.Entry]) {
            let matching = query.textMatching
            textMatching = matching
            self.attributes = attributes.map { ($0.key, FoldedValue($0.value, matching)) }
            hostOrSubdomain = query.hostOrSubdomain.map(matching.folded)
            lookup = query.attributes.lookupAttributes
            containedText = query.containedText.map(ContainedText.init)
        }

        func accepts(_ item: ItemAttributes) -> Bool {
            attributes.allSatisfy { $0.value.matches(item[$0.key]) }
                && (hostOrSubdomain.map { textMatching.isHost(item[.server], orSubdomainOf: $0) } ?? true)
                && (lookup.map { item.lookupAttributes?.contains($0) ?? $0.encodedPairs.isEmpty } ?? true)
                && (containedText.map { $0.isContained(in: item) } ?? true)
        }
    }

    struct Group {
        let name: String
        let digest: IndexDigest
    }

    /// Creates the search; nil if the query can match nothing, whatever is stored.
    init?(_ query: ItemQuery, in scope: SearchScope, reading parts: ReturnedParts, digest: AttributeDigests) {
        guard let table = ItemTable.of(query.itemClass) else { return nil }
        itemClass = query.itemClass
        self.table = table
        var shape = QueryShape(
            query.itemClass,
            withAttributes: parts.contains(.attributes) || query.needsOpening
                // The attributes state whether the data of a key may be returned.
                || query.itemClass == .key && parts.contains(.data),
            withData: parts.contains(.data))

        if let reference = query.persistentReference {
            guard reference.itemClass == query.itemClass else { return nil }
            switch reference.target {
            case .item(let item):
                shape.target = .item
                target = .number(item.value)
            case .row(let row):
                shape.target = .row
                target = .integer(row)
            }
        } else {
            target = nil
        }

        var namedGroup = query.accessGroup
        var accessibility: Accessibility?
        var columns: [Compared] = []
        var checked: [ItemAttributes.Entry] = []
        var lookup: LookupAttributes?
        for entry in query.attributes.entries {
            switch entry.key {
            case .accessGroup:
                guard let name = entry.value.string, namedGroup == nil || namedGroup == name else { return nil }
                namedGroup = name
            case .accessible:
                accessibility = entry.value.string.flatMap(Accessibility.init(code:))
                guard accessibility != nil else { return nil }
            case .synchronizable:
                // This attribute has a separate field.
                break
            case .lookup:
                lookup = query.attributes.lookupAttributes
                guard lookup != nil else { return nil }
            default:
                guard let bit = table.position(of: entry.key) else { return nil }
                let column = table.columns[bit]
                if !query.textMatching.isEmpty, entry.value.text != nil, column.overlooksDifferences {
                    checked.append(entry)
                    // Without a folded column, it is compared only when matches are opened.
                    guard column.isFolded else { break }
                    shape.foldedColumns |= 1 << UInt32(bit)
                } else {
                    shape.columns |= 1 << UInt32(bit)
                }
                columns.append(Compared(bit: bit, column: column, value: entry.value))
            }
        }
        if columns.count > 1 { columns.sort { $0.bit < $1.bit } }
        lookups = lookup.map { digest.lookups($0, query.itemClass) } ?? []
        shape.lookups = lookups.count
        var filters: [SQLiteValue] = []
        filters.reserveCapacity(columns.count + 3)
        if let bit = shape.exactIndexedColumn(table), let indexed = columns.first(where: { $0.bit == bit }) {
            filters.append(indexed.foldedArgument(digest, itemClass))
        }
        for compared in columns where shape.columns & 1 << compared.bit != 0 {
            filters.append(digest.column(compared.value, compared.column, itemClass).argument)
        }
        for compared in columns where shape.foldedColumns & 1 << compared.bit != 0 {
            filters.append(compared.foldedArgument(digest, itemClass))
        }
        check = query.needsOpening ? Check(query, attributes: checked) : nil
        if query.synchronizable != .any {
            shape.comparesSynchronizable = true
            filters.append(.integer(query.synchronizable == .synchronizableOnly ? 1 : 0))
        }
        if let accessibility {
            shape.comparesAccessibility = true
            filters.append(.integer(Int64(accessibility.rawValue)))
        }
        self.filters = filters
        self.shape = shape

        var names: [String]
        switch scope {
        case .groups(let groups):
            names = namedGroup == nil ? groups : groups.filter { $0 == namedGroup }
            includesOthers = false
            includesEnforced = false
        case .everything(let own, let withEnforced):
            names = namedGroup.map { [$0] } ?? own
            includesOthers = namedGroup == nil
            includesEnforced = withEnforced
        }
        if names.count > 1 {
            var seen: Set<String> = []
            names = names.filter { seen.insert($0).inserted }
        }
        groups = names.map { Group(name: $0, digest: digest.group($0, query.itemClass)) }
    }

    /// Returns whether the search may read all rows, and so must not run where other requests wait for it.
    func looksAtMany(_ limit: MatchLimit) -> Bool {
        guard shape.target == nil, !shape.namesKey(table) else { return false }
        return shape.indexedColumn(table) == nil || limit.count == nil
    }

    /// Returns whether the search takes its rows from the index of lookup attributes and few items have the rarest
    /// pair: it may run where other requests wait for it. Reads only this index.
    func leadsToFew(_ connection: Connection, _ db: Database) throws(StoreError) -> Bool {
        guard shape.isByLookups(table) else { return false }
        var remaining = Self.fewItems
        for group in try groups.map(\.digest) + (includesOthers ? otherGroups(connection, db) : []) {
            var fewest = remaining + 1
            for digest in lookups where fewest > 0 {
                fewest = min(fewest, try connection.countLookups(of: digest, in: group, limit: fewest, db))
            }
            remaining -= fewest
            if remaining < 0 { return false }
        }
        return true
    }

    private static let fewItems: Int64 = 32

    /// Returns the rows, at most `limit`: those of the named groups in row order, then those of other groups in row
    /// order.
    ///
    /// One index lookup for each group; the cost does not grow with the number of other items.
    ///
    /// - Parameter allowance: whether this many more bytes may be held.
    /// - Throws: `errSecAllocate` with `tooMuchAtOnce` if the allowance returned false.
    func rows(
        _ connection: Connection, _ db: Database, limit: MatchLimit, _ allowance: (Int) -> Bool = { _ in true }
    ) throws -> [SealedRow] {
        let count = limit.count
        var rows: [SealedRow] = []
        for group in groups {
            try append(
                group.digest, name: group.name, from: connection, db, limit: count, allowance: allowance, to: &rows)
        }
        if groups.count > 1 || (shape.namesKey(table) && rows.count > 1) { rows.trim(to: count) }
        guard includesOthers, count.map({ rows.count < $0 }) ?? true else { return rows }
        var others: [SealedRow] = []
        for digest in try otherGroups(connection, db) {
            try append(digest, name: nil, from: connection, db, limit: count, allowance: allowance, to: &others)
        }
        others.trim(to: count.map { $0 - rows.count })
        return rows + others
    }

    /// Returns the rows of candidates in row order, like ``rows(_:_:limit:_:)``.
    func rows(
        of candidates: [TextList.Candidate], _ connection: Connection, _ db: Database, _ allowance: (Int) -> Bool
    ) throws -> [SealedRow] {
        var shape = shape
        shape.target = .row
        let named = Dictionary(groups.map { ($0.digest, $0.name) }) { first, _ in first }
        let unnamed = Set(includesOthers ? try otherGroups(connection, db) : [])
        var (rows, others): ([SealedRow], [SealedRow]) = ([], [])
        for candidate in candidates {
            let arguments = [.integer(candidate.row)] + arguments(for: candidate.group) + [.integer(1)]
            if let name = named[candidate.group] {
                try append(shape, arguments, name: name, from: connection, db, allowance: allowance, to: &rows)
            } else if unnamed.contains(candidate.group) {
                try append(shape, arguments, name: nil, from: connection, db, allowance: allowance, to: &others)
            }
        }
        return rows + others
    }

    private func append(
        _ group: IndexDigest, name: String?, from connection: Connection, _ db: Database, limit: Int?,
        allowance: (Int) -> Bool, to rows: inout [SealedRow]
    ) throws {
        guard let lookups = try orderedLookups(in: group, connection, db) else { return }
        var arguments = arguments(for: group, lookups)
        if !shape.namesKey(table) { arguments.append(.integer(limit.map(Int64.init) ?? -1)) }
        try append(shape, arguments, name: name, from: connection, db, allowance: allowance, to: &rows)
    }

    private func append(
        _ shape: QueryShape, _ arguments: [SQLiteValue], name: String?, from connection: Connection, _ db: Database,
        allowance: (Int) -> Bool, to rows: inout [SealedRow]
    ) throws {
        var isAllowed = true
        try connection.rows(of: shape, in: table, arguments, db) { row in
            let row = SealedRow(row, itemClass, table, in: name)
            isAllowed = allowance(row.byteCount)
            if isAllowed { rows.append(row) }
            return isAllowed
        }
        guard isAllowed else { throw StoreError.tooMuchAtOnce }
    }

    /// Returns the digests of the pairs with the rarest pair of the group first, so that the search reads no more
    /// entries of the index than there are items with this pair; nil if no item of the group has one of the pairs.
    ///
    /// The items of each pair are counted up to a limit that rises until one pair has less, so that the number of items
    /// with the other pairs does not matter.
    func orderedLookups(
        in group: IndexDigest, _ connection: Connection, _ db: Database
    ) throws(StoreError) -> [IndexDigest]? {
        guard lookups.count > 1, shape.isByLookups(table) else { return lookups }
        var limit: Int64 = 16
        while true {
            var rarest = (place: 0, count: Int64.max)
            for (place, digest) in lookups.enumerated() {
                let count = try connection.countLookups(of: digest, in: group, limit: limit, db)
                guard count > 0 else { return nil }
                if count < rarest.count { rarest = (place, count) }
            }
            guard rarest.count >= limit else {
                var ordered = lookups
                ordered.swapAt(0, rarest.place)
                return ordered
            }
            limit *= 8
        }
    }

    /// Returns the arguments for ``QueryShape/conditions(_:by:row:entry:first:)``.
    func arguments(for group: IndexDigest, _ lookups: [IndexDigest] = []) -> [SQLiteValue] {
        var arguments: [SQLiteValue] = []
        arguments.reserveCapacity(filters.count + lookups.count + 3)
        if let target { arguments.append(target) }
        arguments.append(.number(group.value))
        for lookup in lookups { arguments.append(.number(lookup.value)) }
        arguments += filters
        return arguments
    }

    /// Returns the digests of the groups that are not named and have items.
    func otherGroups(_ connection: Connection, _ db: Database) throws(StoreError) -> [IndexDigest] {
        let own = Set(groups.map(\.digest))
        let others = try allGroups(connection, db).filter { !own.contains($0) }
        guard !includesEnforced, !others.isEmpty else { return others }
        let enforced = try enforcedGroups(connection, db)
        return enforced.isEmpty ? others : others.filter { !enforced.contains($0) }
    }

    private func enforcedGroups(_ connection: Connection, _ db: Database) throws(StoreError) -> Set<IndexDigest> {
        var groups: Set<IndexDigest> = []
        try connection.run(.enforcedGroups, [.integer(Int64(itemClass.rawValue))], db) { row in
            if let digest = row.number(at: 0) { groups.insert(IndexDigest(value: digest)) }
        }
        return groups
    }

    /// Returns the digests of all groups that have items, each found by one index step.
    private func allGroups(_ connection: Connection, _ db: Database) throws(StoreError) -> [IndexDigest] {
        var groups: [IndexDigest] = []
        var last: Data? = Data()
        while let previous = last {
            last = nil
            try connection.run(table.statements.nextGroup, [.bytes(previous)], db) { row in
                last = row.bytes(at: 0)
                if let digest = row.number(at: 0) { groups.append(IndexDigest(value: digest)) }
            }
        }
        return groups
    }
}

/// A column that a search compares, and its value.
private struct Compared {
    let bit: Int
    let column: SearchColumn
    let value: AttributeValue

    func foldedArgument(_ digests: AttributeDigests, _ itemClass: ItemClass) -> SQLiteValue {
        (digests.foldedColumn(value, column, itemClass) ?? digests.column(value, column, itemClass)).argument
    }
}

extension MatchLimit {
    var count: Int? {
        switch self {
        case .one: 1
        case .atMost(let count): Int(count)
        case .all: nil
        }
    }
}

extension [SealedRow] {
    /// Sorts the rows by number, and keeps at most `count`.
    fileprivate mutating func trim(to count: Int?) {
        sort { $0.id < $1.id }
        if let count, self.count > count { removeLast(self.count - count) }
    }
}
