// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPolicy
import SQLiteStatements
import Synchronization

extension ItemStore {
    /// Finds items for a text that they contain (`ItemQuery.containedText`). The result is that of
    /// ``find(_:in:limit:parts:allowance:)``, mostly without the items that do not match.
    ///
    /// A search through the items of all programs that has no other condition reads a list of all texts. The first such
    /// search makes it, and the first one after each change of the database, because these open each item anyway.
    ///
    /// - Returns: items that may match; ``matching(_:limit:with:)`` decides. While a class of the items is locked, all of
    ///   them, because the policy decides what the caller gets then.
    /// - Throws: as ``find(_:in:limit:parts:allowance:)``.
    /// - Precondition: the grant is for matching.
    public func findCandidates(
        _ query: ItemQuery, in scope: SearchScope, limit: MatchLimit, parts: ReturnedParts,
        allowance: (Int) -> Bool = { _ in true }, with grant: consuming Grant
    ) throws(StoreError) -> FoundItems {
        precondition(grant.operation == .match, "the grant is for another operation")
        // The version of a database in memory counts only the changes of other connections, and there are none.
        guard reader !== writer, let text = query.onlyText, case .everything(let own, withEnforced: false) = scope,
            let search = Search(query, in: scope, reading: parts, digest: digests)
        else { return try find(query, in: scope, limit: limit, parts: parts, allowance: allowance) }
        let known = texts.withLock { $0[query.itemClass] }.flatMap { $0.own == own ? $0 : nil }
        // If a class of the items is locked, or its key was replaced, the list has no answer.
        let candidates = try? known?.candidates(text, keyRing)
        let (rows, version): ([SealedRow], Int64?) = try StoreError.translating {
            let scanner = try scanningReader()
            return try scanner.access { db in
                var version = try scanner.dataVersion(db)
                if let known, let candidates, known.version == version {
                    let rows = try search.rows(of: candidates, scanner, db, allowance)
                    let isUnchanged = try scanner.dataVersion(db) == version
                    if isUnchanged { return (rows, nil) }
                }
                version = try scanner.dataVersion(db)
                let rows = try search.rows(scanner, db, limit: .all, allowance)
                return (rows, try scanner.dataVersion(db) == version ? version : nil)
            }
        }
        let found = FoundItems(rows, search)
        guard let version else { return found }
        return FoundItems(makeList(of: found, at: version, own, text) ?? rows, search)
    }

    /// Makes the list of the texts of all found items.
    ///
    /// - Returns: the items that contain a text, and those that are damaged; nil if a class of the items is locked.
    private func makeList(
        of found: FoundItems, at version: Int64, _ own: [String], _ text: ContainedText
    ) -> [SealedRow]? {
        var list = TextList.Writer(keyRing)
        var rows: [SealedRow] = []
        do throws(StoreError) {
            for row in found.rows {
                guard let attributes = try opened(row, found.itemClass, .attributes)?.attributes else {
                    rows.append(row)
                    continue
                }
                let texts = ContainedText.texts(of: attributes)
                if text.isContained(in: texts.span, 0..<texts.count) { rows.append(row) }
                try list.add(texts, of: row)
            }
            let made = try list.finish(version: version, own: own)
            texts.withLock { $0[found.itemClass] = made }
            return rows
        } catch {
            return nil
        }
    }
}

extension ItemQuery {
    /// The text that the items contain; nil if there is another condition.
    fileprivate var onlyText: ContainedText? {
        guard let containedText else { return nil }
        var query = ItemQuery(itemClass)
        query.synchronizable = .any
        query.containedText = containedText
        return self == query ? ContainedText(containedText) : nil
    }
}

extension Connection {
    /// Returns a number that changes with each change by another connection. Call only inside an access.
    fileprivate func dataVersion(_ db: Database) throws(StoreError) -> Int64? {
        var version: Int64?
        try run(.dataVersion, [], db) { row in version = row.integer(at: 0) }
        return version
    }
}
