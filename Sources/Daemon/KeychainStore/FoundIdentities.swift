// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPolicy

/// The result of a search for identities: sealed rows in pairs.
public struct FoundIdentities: Sendable {
    /// The facts of each half, in the order found; a half of several identities occurs once.
    public let facts: [ItemFacts]
    let certificates: FoundItems
    let keys: FoundItems

    /// The references of the halves, in the order of ``facts``.
    public var references: [PersistentReference] { facts.compactMap(\.reference) }

    /// The items' own passwords that are required to open the halves.
    public var ownPasswords: Set<GuessableSecret> { certificates.ownPasswords.union(keys.ownPasswords) }

    /// The identifiers of the halves; rows as of ``references``.
    var identifiers: [ItemIdentifier] {
        references.compactMap { if case .item(let item) = $0.target { item } else { nil } }
    }

    /// The halves whose secrets are not public.
    public var keyItems: FoundItems { keys }

    public var isEmpty: Bool { certificates.isEmpty }
    public var count: Int { certificates.count }
    /// Whether the pairs are only candidates, and matches have to be determined by opening them.
    public var needsOpening: Bool { certificates.needsOpening || keys.needsOpening }

    var pairs: Zip2Sequence<[SealedRow], [SealedRow]> { zip(certificates.rows, keys.rows) }

    /// The certificate rows without duplicates.
    var certificateRows: [SealedRow] { certificates.rows.withoutRepetition }
    /// The key rows without duplicates.
    var keyRows: [SealedRow] { keys.rows.withoutRepetition }

    init(_ pairs: [IdentitySearch.Pair], _ search: IdentitySearch) {
        self.init(
            FoundItems(pairs.map(\.certificate), search.certificates), FoundItems(pairs.map(\.key), search.keys))
    }

    static let none = FoundIdentities(FoundItems(none: .certificate), FoundItems(none: .key))

    private init(_ certificates: FoundItems, _ keys: FoundItems, keyFacts: Set<Int64>? = nil) {
        (self.certificates, self.keys) = (certificates, keys)
        var seen: Set<PersistentReference> = []
        let kept = zip(keys.rows, keys.facts).filter { row, _ in keyFacts?.contains(row.id) ?? true }.map(\.1)
        facts = (certificates.facts + kept).filter { fact in fact.reference.map { seen.insert($0).inserted } ?? true }
    }

    /// Returns the identities of which both halves are among these rows.
    func keeping(certificates certificateRows: Set<Int64>, keys keyRows: Set<Int64>) -> FoundIdentities {
        let kept = pairs.filter { certificateRows.contains($0.id) && keyRows.contains($1.id) }
        return FoundIdentities(FoundItems(kept.map(\.0), of: certificates), FoundItems(kept.map(\.1), of: keys))
    }

    /// Returns the identities for whose halves `isIncluded` is true, at most `limit`.
    public func keeping(limit: MatchLimit, _ isIncluded: (ItemFacts) -> Bool) -> FoundIdentities {
        let kept = keeping(
            certificates: Set(certificates.keeping(limit: .all, isIncluded).rows.map(\.id)),
            keys: Set(keys.keeping(limit: .all, isIncluded).rows.map(\.id)))
        return limit.count.map { kept.prefix($0) } ?? kept
    }

    /// Returns the same identities, with only these key rows selected for the change.
    func keeping(keyFacts: Set<Int64>) -> FoundIdentities {
        FoundIdentities(certificates, keys, keyFacts: keyFacts)
    }

    func prefix(_ count: Int) -> FoundIdentities {
        FoundIdentities(
            FoundItems(Array(certificates.rows.prefix(count)), of: certificates),
            FoundItems(Array(keys.rows.prefix(count)), of: keys))
    }
}

/// The result of an update or a deletion of identities.
public enum IdentityChangeResult: Sendable {
    /// These halves were changed, at least one.
    case changed(certificates: [ItemIdentifier], keys: [ItemIdentifier])
    /// As for ``ChangeResult``.
    case ask(ApprovalRequest, [ItemIdentifier])
    case authenticate(AuthenticationDemand, [ItemIdentifier])
    case refused(Refusal, [ItemIdentifier])
}

extension [SealedRow] {
    fileprivate var withoutRepetition: [SealedRow] {
        var seen: Set<Int64> = []
        return filter { seen.insert($0.id).inserted }
    }
}
