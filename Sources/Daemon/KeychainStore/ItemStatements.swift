// SPDX-License-Identifier: Apache-2.0

import KeychainModel

/// The statements that change a table, and those that look up one or two rows.
struct ItemStatements: Sendable {
    let insert: ItemStatement
    let update: ItemStatement
    let delete: ItemStatement
    let setAside: ItemStatement
    let bury: ItemStatement
    /// Selects the tombstone that a new item would replace. Arguments: group, synchronizable, the unique columns.
    let tombstone: ItemStatement
    /// Selects the part of a row that the seal of the contents covers: all columns but the mark of rows that are set
    /// aside and the sealed parts; the wrapped item key and the beginning of the attributes represent the sealed parts.
    let counted: ItemStatement
    /// Selects the same for all rows.
    let countedRows: ItemStatement
    /// Selects the numbers of the rows after a given row, and their numbers of sealed bytes. Arguments: row number,
    /// limit.
    let sizes: ItemStatement
    /// Selects whole rows between two numbers, without tombstones; the last column states whether the row is set aside.
    let page: ItemStatement
    /// Selects the same rows without secrets, in ascending order after a number, without rows that are set aside.
    /// Arguments: row number, limit.
    let attributes: ItemStatement
    /// Selects the row with a number, including tombstones; the last column states whether the row is a tombstone.
    let numbered: ItemStatement
    /// Corrects the columns that repeat a row's sealed attributes, if they differ, and clears the mark of rows that are
    /// set aside. Arguments: whether the row is a tombstone, the columns in the order of `IndexColumns.arguments`, row
    /// number.
    let correct: ItemStatement
    /// Selects the row of an item, including tombstones; the last column states whether the row is a tombstone.
    /// Arguments as for `tombstone`.
    let same: ItemStatement
    /// Selects the row with an item identifier.
    let owner: ItemStatement
    /// Selects the same row, unless it is a tombstone.
    let present: ItemStatement
    /// Selects the grants of a row's item. Argument: row number.
    let grants: ItemStatement
    let count: String
    /// Selects the next access group that has items. Argument: the digest of the group before it.
    let nextGroup: ItemStatement

    init(_ itemClass: ItemClass, _ columns: [SearchColumn], unique: [String]) {
        let table = itemClass.code
        let indexed = columns.map(\.name) + columns.filter(\.isFolded).map(\.foldedName)
        let names =
            ["item", "version", "accessibility", "sync", "tomb", "agrp", "item_key", "attributes", "data"] + indexed
        // The row number is one more than the highest number ever used.
        insert = ItemStatement(
            itemClass, .insert,
            """
            INSERT INTO \(table) (id, \(names.joined(separator: ", "))) \
            VALUES (max(ifnull((SELECT max(id) FROM \(table)), 0), \
            (SELECT last FROM numbering WHERE class = \(itemClass.rawValue))) + 1, \
            \(names.map { _ in "?" }.joined(separator: ", ")))
            """)
        update = ItemStatement(
            itemClass, .update,
            "UPDATE \(table) SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?")
        delete = ItemStatement(
            itemClass, .delete,
            "DELETE FROM \(table) WHERE id = ?")
        setAside = ItemStatement(
            itemClass, .setAside,
            """
            UPDATE \(table) SET unreadable = 1 \
            WHERE id = ? AND CASE typeof(version) WHEN 'integer' THEN version END IS ?
            """)
        let sealed = ["attributes", "data"]
        let counted =
            "SELECT id, \(names.filter { !sealed.contains($0) }.joined(separator: ", ")), "
            + "substr(attributes, 1, \(NewRow.countedAttributeBytes)) FROM \(table)"
        self.counted = ItemStatement(itemClass, .counted, counted + " WHERE id = ?")
        countedRows = ItemStatement(itemClass, .countedRows, counted)
        count = "SELECT total(tomb = 0), total(unreadable <> 0) FROM \(table)"
        // An index only leads to rows, as in `QueryShape.source(_:by:row:entry:)`.
        let identity = ["agrp", "sync"] + unique
        let sameRow =
            "\(table) AS i INDEXED BY \(table)_unique CROSS JOIN \(table) AS t ON t.id = i.id WHERE "
            + ["i", "t"].map { alias in
                identity.enumerated().map { "\(alias).\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
                    + " AND \(alias).unreadable = 0"
            }.joined(separator: " AND ")
        let itemRow =
            "SELECT t.id FROM \(table) AS i INDEXED BY \(table)_item CROSS JOIN \(table) AS t ON t.id = i.id "
            + "WHERE i.item = ?1 AND t.item = ?1"
        tombstone = ItemStatement(
            itemClass, .tombstone, "SELECT t.id, t.item, t.version FROM \(sameRow) AND t.tomb = 1")
        bury = ItemStatement(itemClass, .bury, "UPDATE \(table) SET tomb = 1, data = x'' WHERE id = ?")
        sizes = ItemStatement(
            itemClass, .sizes,
            """
            SELECT id, length(item_key) + length(attributes) + length(data) FROM \(table) \
            WHERE id > ? AND tomb = 0 ORDER BY id LIMIT ?
            """)
        let withoutData =
            (["id", "item", "version", "accessibility", "sync", "agrp"] + unique + ["item_key", "attributes"])
            .map { "t." + $0 }.joined(separator: ", ")
        let whole = withoutData + ", t.data"
        page = ItemStatement(
            itemClass, .page,
            "SELECT \(whole), unreadable FROM \(table) AS t WHERE id > ? AND id <= ? AND tomb = 0 ORDER BY id")
        attributes = ItemStatement(
            itemClass, .attributes,
            """
            SELECT \(withoutData), NULL FROM \(table) AS t \
            WHERE id > ? AND unreadable = 0 AND tomb = 0 ORDER BY id LIMIT ?
            """)
        numbered = ItemStatement(itemClass, .numbered, "SELECT \(whole), t.tomb FROM \(table) AS t WHERE t.id = ?")
        let derived = (["tomb"] + indexed).enumerated().map { (name: $1, place: "?\($0 + 1)") }
        correct = ItemStatement(
            itemClass, .correct,
            """
            UPDATE \(table) SET unreadable = 0, \(derived.map { "\($0.name) = \($0.place)" }.joined(separator: ", ")) \
            WHERE id = ?\(derived.count + 1) AND NOT (unreadable IS 0 AND \
            \(derived.map { "\($0.name) IS \($0.place)" }.joined(separator: " AND ")))
            """)
        same = ItemStatement(itemClass, .same, "SELECT \(whole), t.tomb FROM \(sameRow)")
        owner = ItemStatement(itemClass, .owner, itemRow)
        present = ItemStatement(itemClass, .present, itemRow + " AND t.tomb = 0")
        grants = ItemStatement(
            itemClass, .grants,
            ItemStatement.grantsOf("(SELECT item FROM \(table) WHERE id = ?1)"))
        nextGroup = ItemStatement(
            itemClass, .nextGroup,
            """
            SELECT agrp FROM \(table) INDEXED BY \(table)_agrp WHERE unreadable = 0 AND agrp > ? ORDER BY agrp LIMIT 1
            """)
    }
}

/// A statement and a number that identifies it among all statements of the store, so that finding the prepared
/// statement requires no comparison of texts.
struct ItemStatement: Hashable, Sendable {
    /// The purpose of a statement on a table of items.
    enum Role: Int {
        case insert, update, delete, setAside, tombstone, bury, counted, countedRows, sizes, page, same, owner
        case present, grants, numbered, correct, nextGroup, attributes
    }

    /// The purpose of a statement that belongs to no table of items.
    private enum CommonRole: Int {
        case begin, commit, rollback, beginPart, endPart, undoPart, readSeal, replaceSeal, writeSeal, readKeybag,
            certificatesOfKey, dataVersion
        case nextGrantNumber, insertGrant, deleteGrant, grantsOfItem, grantPage, enforcedGroups, noteEnforcedGroup
        case insertLookup, deleteLookups, lookupsOfRow, lookups, countLookups
    }

    let sql: String
    private let number: Int

    fileprivate init(_ itemClass: ItemClass, _ role: Role, _ sql: String) {
        self.sql = sql
        number = Int(itemClass.rawValue) << 8 | role.rawValue
    }

    /// Creates a statement of no table. No item class has the number 0.
    private init(_ role: CommonRole, _ sql: String) { (self.sql, number) = (sql, role.rawValue) }

    static let begin = ItemStatement(.begin, "BEGIN IMMEDIATE")
    static let commit = ItemStatement(.commit, "COMMIT")
    static let rollback = ItemStatement(.rollback, "ROLLBACK")
    // One change among the changes of others in one transaction.
    static let beginPart = ItemStatement(.beginPart, "SAVEPOINT part")
    static let endPart = ItemStatement(.endPart, "RELEASE part")
    static let undoPart = ItemStatement(.undoPart, "ROLLBACK TO part")
    static let dataVersion = ItemStatement(.dataVersion, "PRAGMA data_version")
    static let readSeal = ItemStatement(.readSeal, "SELECT bytes FROM seal WHERE id = 1")
    static let replaceSeal = ItemStatement(.replaceSeal, "UPDATE seal SET bytes = ? WHERE id = 1 AND bytes = ?")
    static let writeSeal = ItemStatement(.writeSeal, "INSERT OR REPLACE INTO seal (id, bytes) VALUES (1, ?)")
    static let readKeybag = ItemStatement(.readKeybag, "SELECT bytes FROM keybag WHERE id = 1")

    /// Argument: the number of the item class.
    static let enforcedGroups = ItemStatement(.enforcedGroups, "SELECT agrp FROM enforced_groups WHERE class = ?")
    /// Arguments: the number of the item class, the digest of the group.
    static let noteEnforcedGroup = ItemStatement(
        .noteEnforcedGroup, "INSERT OR IGNORE INTO enforced_groups (class, agrp) VALUES (?, ?)")

    /// Selects the certificates of a public key. Arguments: group, the key's application label, synchronizable.
    static let certificatesOfKey = ItemStatement(
        .certificatesOfKey,
        """
        SELECT t.id FROM cert AS i INDEXED BY cert_pkhh CROSS JOIN cert AS t ON t.id = i.id \
        WHERE i.agrp = ?1 AND i.pkhh = ?2 AND i.unreadable = 0 \
        AND t.agrp = ?1 AND t.pkhh = ?2 AND t.sync = ?3 AND t.unreadable = 0 AND t.tomb = 0
        """)

    // Grants. Their numbers, like row numbers, are never reused.
    static let nextGrantNumber = ItemStatement(
        .nextGrantNumber,
        """
        SELECT max(ifnull((SELECT max(id) FROM grants), 0), (SELECT last FROM numbering WHERE class = 16)) + 1
        """)
    static let insertGrant = ItemStatement(.insertGrant, "INSERT INTO grants (id, item, bytes) VALUES (?, ?, ?)")
    static let deleteGrant = ItemStatement(.deleteGrant, "DELETE FROM grants WHERE id = ?")
    static let grantsOfItem = ItemStatement(.grantsOfItem, grantsOf("?1") + " ORDER BY i.id")
    /// Arguments: the previous number, and the limit; -1 for all.
    static let grantPage = ItemStatement(
        .grantPage, "SELECT id, item, bytes FROM grants WHERE id > ? ORDER BY id LIMIT ?")

    // The index of lookup attributes. A row that was left behind at a future row number is replaced.
    static let insertLookup = ItemStatement(
        .insertLookup, "INSERT OR REPLACE INTO lookup (id, agrp, digest) VALUES (?, ?, ?)")
    static let deleteLookups = ItemStatement(.deleteLookups, "DELETE FROM lookup WHERE id = ?")
    static let lookupsOfRow = ItemStatement(
        .lookupsOfRow, "SELECT id, agrp, digest FROM lookup WHERE id = ? ORDER BY digest")
    /// Selects all rows, by the order from the table and not from its index.
    static let lookups = ItemStatement(.lookups, "SELECT id, agrp, digest FROM lookup ORDER BY id, digest")
    /// Arguments: group, digest, the highest number to return.
    static let countLookups = ItemStatement(
        .countLookups,
        """
        SELECT count(*) FROM (SELECT 1 FROM lookup INDEXED BY lookup_digest WHERE agrp = ? AND digest = ? LIMIT ?)
        """)

    fileprivate static func grantsOf(_ item: String) -> String {
        """
        SELECT t.id, t.item, t.bytes FROM grants AS i INDEXED BY grants_item CROSS JOIN grants AS t ON t.id = i.id \
        WHERE i.item = \(item) AND t.item = i.item
        """
    }

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
