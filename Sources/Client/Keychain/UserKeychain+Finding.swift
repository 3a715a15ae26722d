// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    /// One item that matches; nil if there is none. Which one, if several match, is not specified.
    public func find<Item>(_ selector: some ItemSelector<Item>) async throws(KeychainError) -> StoredItem<Item>? {
        try await items(selector, .one, .attributes).first?.item
    }

    /// All items that match, in no promised order; none is an empty array.
    ///
    /// Not more items than the limit are given. A negative limit is a mistake of the program's and traps.
    public func findAll<Item>(
        _ query: some ItemSelector<Item>, limit: Int = .max
    ) async throws(KeychainError) -> [StoredItem<Item>] {
        guard let limit = MatchLimit(upTo: limit) else { return [] }
        return try await items(query, limit, .attributes).map(\.item)
    }

    /// Whether there is an item that matches. Nothing of it leaves the service.
    public func contains(_ selector: some ItemSelector) async throws(KeychainError) -> Bool {
        let query = try encoding("look for an item") { () throws(AttributeError) in try selector.selection.itemQuery }
        return try await runOrNil("look for an item") { client throws(ClientError) in
            _ = try client.copyMatching(query, limit: .one, returning: []) { _ in }
        } != nil
    }

    /// The secret of one item that matches; nil if there is none, or if it was stored without a secret.
    public func secret(for selector: some ItemSelector) async throws(KeychainError) -> SecretData? {
        let query = try encoding("read a secret") { () throws(AttributeError) in try selector.selection.itemQuery }
        return try await runOrNil("read a secret") { client throws(ClientError) in
            try client.copyMatching(query, limit: .one, returning: .data) { SecretData(copying: $0) }.first?.secret
        } ?? nil
    }

    /// One item that matches, together with its secret; nil if there is none. Which one, if several match, is not
    /// specified.
    public func reveal<Item>(_ selector: some ItemSelector<Item>) async throws(KeychainError) -> RevealedItem<Item>? {
        try await items(selector, .one, [.attributes, .data]).first
    }

    /// All items that match, each together with its secret, in no promised order; none is an empty array.
    ///
    /// Prefer ``findAll(_:limit:)`` where attributes are enough: then no secret leaves the service.
    ///
    /// Not more items than the limit are given. A negative limit is a mistake of the program's and traps.
    public func revealAll<Item>(
        _ query: some ItemSelector<Item>, limit: Int = .max
    ) async throws(KeychainError) -> [RevealedItem<Item>] {
        guard let limit = MatchLimit(upTo: limit) else { return [] }
        return try await items(query, limit, [.attributes, .data])
    }

    /// Why a search finds nothing: which of its conditions leaves nothing, and what would match without it, with case
    /// overlooked, or among the items that synchronize. Nil if it finds something.
    ///
    /// For the person who writes the program. It tells of no item that the program may not see, and no value of any.
    public func explain(_ selector: some ItemSelector) async throws(KeychainError) -> KeychainError.Explanation? {
        let query = try encoding("explain a search") { () throws(AttributeError) in try selector.selection.itemQuery }
        return try await run("explain a search") { client throws(ClientError) in
            let explanation = try client.explainSearch(query)
            return explanation.matchCount == 0 ? KeychainError.Explanation(explanation, query.itemClass) : nil
        }
    }

    private func items<Item>(
        _ selector: some ItemSelector<Item>, _ limit: MatchLimit, _ parts: ReturnedParts
    ) async throws(KeychainError) -> [RevealedItem<Item>] {
        let query = try encoding("find items") { () throws(AttributeError) in try selector.selection.itemQuery }
        return try await runOrNil("find items") { client throws(ClientError) in
            try client.copyMatching(query, limit: limit, returning: parts) { SecretData(copying: $0) }
                .map { RevealedItem(item: StoredItem($0.reference, $0.attributes), secret: $0.secret) }
        } ?? []
    }
}

extension MatchLimit {
    /// Nil when nothing is wanted.
    fileprivate init?(upTo count: Int) {
        precondition(count >= 0, "a limit cannot be negative")
        switch count {
        case 0: return nil
        case 1: self = .one
        default: self = UInt32(exactly: count).map(MatchLimit.atMost) ?? .all
        }
    }
}
