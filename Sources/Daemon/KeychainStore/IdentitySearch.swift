// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import KeychainSealing
import SQLiteStatements

/// A search for identities: two searches, and the pairs of their results that have a public key in common.
///
/// An index joins the pairs: the certificates' digests of the public key's hash are equal to the keys' digests of their
/// application label.
struct IdentitySearch {
    typealias Pair = (certificate: SealedRow, key: SealedRow)

    let certificates: Search
    let keys: Search

    /// Creates the search; nil if the query can match nothing, whatever is stored.
    init?(_ query: ItemQuery, in scope: SearchScope, reading parts: ReturnedParts, digest: AttributeDigests) {
        guard let (certificate, key) = query.identityParts,
            let certificates = Search(certificate, in: scope, reading: parts, digest: digest),
            let keys = Search(key, in: scope, reading: parts, digest: digest)
        else { return nil }
        (self.certificates, self.keys) = (certificates, keys)
    }

    /// Whether matches have to be opened and compared.
    var needsOpening: Bool { certificates.check != nil || keys.check != nil }

    /// Returns the pairs, at most `limit`: first those of the named groups, then those with a half in another group.
    /// Each part is in the order in which certificates were added, limited to the certificates that were read before
    /// the limit was reached.
    ///
    /// - Parameter allowance, errors: as for ``Search/rows(_:_:limit:_:)``.
    func pairs(
        _ connection: Connection, _ db: Database, limit: MatchLimit, _ allowance: (Int) -> Bool = { _ in true }
    ) throws -> [Pair] {
        let count = limit.count
        let ownKeyGroups = keys.groups.map { ($0.digest, $0.name as String?) }
        var pairs: [Pair] = []
        for group in certificates.groups {
            for key in ownKeyGroups {
                try append(
                    (group.digest, group.name), key, from: connection, db, limit: count, allowance: allowance,
                    to: &pairs)
            }
        }
        pairs.trim(to: count)
        guard certificates.includesOthers, count.map({ pairs.count < $0 }) ?? true else { return pairs }
        let ownCertificateGroups = certificates.groups.map { ($0.digest, $0.name as String?) }
        let allKeyGroups = ownKeyGroups + (try keys.otherGroups(connection, db)).map { ($0, nil) }
        let allCertificateGroups =
            ownCertificateGroups + (try certificates.otherGroups(connection, db)).map { ($0, nil) }
        var others: [Pair] = []
        for (certificatePlace, certificate) in allCertificateGroups.enumerated() {
            for (keyPlace, key) in allKeyGroups.enumerated()
            where certificatePlace >= ownCertificateGroups.count || keyPlace >= ownKeyGroups.count {
                try append(certificate, key, from: connection, db, limit: count, allowance: allowance, to: &others)
            }
        }
        others.trim(to: count.map { $0 - pairs.count })
        return pairs + others
    }

    private func append(
        _ certificate: (digest: IndexDigest, name: String?), _ key: (digest: IndexDigest, name: String?),
        from connection: Connection, _ db: Database, limit: Int?, allowance: (Int) -> Bool, to pairs: inout [Pair]
    ) throws {
        let shape = IdentityShape(certificates, keys)
        var arguments = certificates.arguments(for: certificate.digest)
        arguments += keys.arguments(for: key.digest)
        arguments.append(.integer(limit.map(Int64.init) ?? -1))
        let first = SealedRow.columnCount(certificates.table)
        var isAllowed = true
        try connection.rows(of: shape, arguments, db) { row in
            let pair = (
                certificate: SealedRow(row, .certificate, certificates.table, in: certificate.name),
                key: SealedRow(row, .key, keys.table, in: key.name, from: first)
            )
            isAllowed = allowance(pair.certificate.byteCount + pair.key.byteCount)
            if isAllowed { pairs.append(pair) }
            return isAllowed
        }
        guard isAllowed else { throw StoreError.tooMuchAtOnce }
    }
}

/// The columns that a search for identities compares, without their values.
struct IdentityShape: Hashable {
    private let certificates: QueryShape
    private let keys: QueryShape

    init(_ certificates: Search, _ keys: Search) {
        (self.certificates, self.keys) = (certificates.shape, keys.shape)
    }

    /// The statement. Arguments: those of the certificate's conditions, those of the key's, and the limit.
    var sql: String {
        // Both classes have tables.
        guard let certificateTable = ItemTable.of(.certificate), let keyTable = ItemTable.of(.key) else {
            preconditionFailure("identities without tables")
        }
        // If the query does not identify the certificate, the conditions on the key come first: programs have few
        // private keys, but often all trusted certificates. The unique index has the class of the key and its label.
        let startsWithKey = !certificates.isSelective(certificateTable)
        let certificateIndex =
            startsWithKey
            ? certificateTable.position(of: .publicKeyHash).map { .of($0, in: certificateTable) }
            : certificates.index(certificateTable)
        let keyIndex =
            startsWithKey && keys.isSelective(keyTable) ? keys.index(keyTable) : .unique(keyTable)
        let (ofCertificate, next) = certificates.conditions(
            certificateTable, by: certificateIndex, row: "c", entry: "ci")
        let (ofKey, limit) = keys.conditions(keyTable, by: keyIndex, row: "k", entry: "ki", first: next)
        let certificateRows = QueryShape.source(certificateTable, by: certificateIndex, row: "c", entry: "ci")
        let keyRows = QueryShape.source(keyTable, by: keyIndex, row: "k", entry: "ki")
        // The second half is found by the first half's hash. The condition that the hash is not NULL lets SQLite use
        // the partial index on certificates with a hash.
        let joint =
            ["c.pkhh IS NOT NULL", "k.klbl = c.pkhh", "k.sync = c.sync"]
            + (startsWithKey ? ["ci.pkhh IS NOT NULL", "ci.pkhh = k.klbl"] : ["ki.klbl = c.pkhh", "ki.sync = c.sync"])
        return """
            SELECT \(certificates.selection(certificateTable, of: "c.")), \(keys.selection(keyTable, of: "k.")) \
            FROM \(startsWithKey ? keyRows : certificateRows) \
            CROSS JOIN \(startsWithKey ? certificateRows : keyRows) \
            WHERE \((ofCertificate + ofKey + joint).joined(separator: " AND ")) LIMIT ?\(limit)
            """
    }
}

extension QueryShape {
    /// Returns whether an index leads to few rows.
    fileprivate func isSelective(_ table: ItemTable) -> Bool {
        target != nil || namesKey(table) || indexedColumn(table) != nil
    }
}

extension [IdentitySearch.Pair] {
    fileprivate mutating func trim(to count: Int?) {
        sort { ($0.certificate.id, $0.key.id) < ($1.certificate.id, $1.key.id) }
        if let count, self.count > count { removeLast(self.count - count) }
    }
}
