// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSealing

/// Which columns a search compares, apart from their values. Searches of one shape share one prepared statement.
struct QueryShape: Hashable {
    /// Bit i stands for `SearchColumn.all[i]`.
    var columns: UInt32 = 0
    var comparesSynchronizable = false
    var comparesAccessibility = false
    /// By `item` or `id`: the target of a persistent reference.
    var target: Target?
    /// Whether the attributes and the secrets are read too. Both may be large, so a search that does not need them
    /// leaves them alone.
    var withAttributes = true
    var withData: Bool

    enum Target: Hashable { case item, row }

    /// Arguments in this order: target, access group, the columns in ascending bit order, synchronizable,
    /// accessibility, and the limit unless the key is named.
    var sql: String {
        var conditions: [String] = []
        switch target {
        case .item: conditions.append("item = ?")
        case .row: conditions.append("id = ?")
        case nil: break
        }
        conditions.append("agrp = ?")
        for (bit, column) in SearchColumn.all.enumerated() where columns & 1 << bit != 0 {
            conditions.append("\(column.name) = ?")
        }
        if comparesSynchronizable { conditions.append("sync = ?") }
        if comparesAccessibility { conditions.append("accessibility = ?") }
        conditions.append("unreadable = 0 AND tomb = 0")
        return """
            SELECT id, item, version, accessibility, sync, agrp, acct, svce, vwht, tkid, \
            \(withData ? "item_key" : "NULL"), \(withAttributes ? "attributes" : "NULL"), \
            \(withData ? "data" : "NULL") FROM genp\(index.map { " INDEXED BY \($0)" } ?? "") \
            WHERE \(conditions.joined(separator: " AND "))\(namesKey ? "" : " ORDER BY id LIMIT ?")
            """
    }

    /// Whether account and service are given. Then only a view hint or a token can tell the matches apart, so there is
    /// one as a rule: all are read, and what reads them puts them in order. Had SQLite to, it would copy each row, with
    /// the secret, into a sorter and out again.
    var namesKey: Bool { target == nil && columns & SearchColumn.key == SearchColumn.key }

    /// The index to search by. SQLite has no statistics of our tables, and its guess would prefer an index that saves
    /// sorting to one that finds a single row; so each shape says it itself. All but the first end with the row number,
    /// so that the first row in order is found without looking at the others.
    private var index: String? {
        guard target == nil else { return nil }
        if namesKey { return "genp_unique" }
        for (bit, column) in SearchColumn.all.enumerated() where columns & 1 << bit != 0 {
            if let index = column.index { return index }
        }
        return "genp_agrp"
    }
}

/// A column with the digest of an attribute. The position in ``all`` is part of nothing stored.
struct SearchColumn {
    let name: String
    let key: AttributeKey
    /// The index that begins with access group and this column.
    var index: String?
    /// Part of what makes an item unique: never NULL, and empty where the attribute is absent.
    var isUnique = false

    /// In the order in which an index is chosen: what is rarely set tells more than what all items have.
    static let all: [SearchColumn] = [
        SearchColumn(name: "gena", key: .generic, index: "genp_gena"),
        SearchColumn(name: "labl", key: .label, index: "genp_labl"),
        SearchColumn(name: "acct", key: .account, index: "genp_acct", isUnique: true),
        SearchColumn(name: "svce", key: .service, index: "genp_svce", isUnique: true),
        SearchColumn(name: "icmt", key: .comment, index: "genp_icmt"),
        SearchColumn(name: "desc", key: .itemDescription, index: "genp_desc"),
        SearchColumn(name: "crtr", key: .creator, index: "genp_crtr"),
        SearchColumn(name: "type", key: .type, index: "genp_type"),
        SearchColumn(name: "vwht", key: .syncViewHint, isUnique: true),
        SearchColumn(name: "tkid", key: .tokenID, isUnique: true),
        SearchColumn(name: "invi", key: .isInvisible),
        SearchColumn(name: "nega", key: .isNegative),
        SearchColumn(name: "scrp", key: .scriptCode),
        SearchColumn(name: "alis", key: .alias),
        SearchColumn(name: "cusi", key: .hasCustomIcon),
        SearchColumn(name: "prot", key: .isProtected),
        SearchColumn(name: "accc", key: .accessControl),
        SearchColumn(name: "cdat", key: .creationDate),
        SearchColumn(name: "mdat", key: .modificationDate),
    ]

    /// What the columns of an item without attributes hold.
    static let absent: [ColumnContent] = all.map { $0.isUnique ? .noBytes : .null }

    /// The bits of account and service.
    static let key: UInt32 = 1 << 2 | 1 << 3

    /// The keys alone, which are compared without touching the names.
    private static let keys = all.map(\.key.code)

    static func position(of key: AttributeKey) -> Int? { keys.firstIndex(of: key.code) }
}

extension SearchColumn {
    /// Whether this version has a table for the class.
    static func isStored(_ itemClass: ItemClass) -> Bool {
        switch itemClass {
        case .genericPassword: true
        case .internetPassword, .certificate, .key, .identity: false
        }
    }
}
