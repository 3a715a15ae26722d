// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    /// Returns one item that matches; nil if none matches. If several match, the choice is not specified.
    public func find<Item>(_ selector: some ItemSelector<Item>) async throws(KeychainError) -> StoredItem<Item>? {
        try await items(selector, .one, .attributes).first?.item
    }

    /// Returns all items that match, in no particular order; an empty array if none matches.
    ///
    /// Returns at most `limit` items. A negative limit is a programming error and traps.
    public func findAll<Item>(
        _ query: some ItemSelector<Item>, limit: Int = .max
    ) async throws(KeychainError) -> [StoredItem<Item>] {
        guard let limit = MatchLimit(upTo: limit) else { return [] }
        return try await items(query, limit, .attributes).map(\.item)
    }

    /// Returns whether an item matches. No attribute or secret of the item leaves the service.
    public func contains(_ selector: some ItemSelector) async throws(KeychainError) -> Bool {
        let query = try encoding("find an item") { () throws(AttributeError) in try selector.selection.itemQuery }
        return try await runOrNil("find an item") { client throws(ClientError) in
            _ = try client.copyMatching(query, limit: .one, returning: []) { _ in }
        } != nil
    }

    /// Returns the secret of one item that matches; nil if none matches, or if it was stored without a secret.
    public func secret(for selector: some ItemSelector) async throws(KeychainError) -> SecretData? {
        let query = try encoding("read a secret") { () throws(AttributeError) in try selector.selection.itemQuery }
        return try await runOrNil("read a secret") { client throws(ClientError) in
            try client.copyMatching(query, limit: .one, returning: .data) { SecretData(copying: $0) }.first?.secret
        } ?? nil
    }

    /// Returns one item that matches, and its secret; nil if none matches. If several match, the choice is not
    /// specified.
    public func reveal<Item>(_ selector: some ItemSelector<Item>) async throws(KeychainError) -> RevealedItem<Item>? {
        try await items(selector, .one, [.attributes, .data]).first
    }

    /// Returns all items that match, each with its secret, in no particular order; an empty array if none matches.
    ///
    /// Prefer ``findAll(_:limit:)`` when attributes are sufficient: then no secret leaves the service.
    ///
    /// Returns at most `limit` items. A negative limit is a programming error and traps.
    public func revealAll<Item>(
        _ query: some ItemSelector<Item>, limit: Int = .max
    ) async throws(KeychainError) -> [RevealedItem<Item>] {
        guard let limit = MatchLimit(upTo: limit) else { return [] }
        return try await items(query, limit, [.attributes, .data])
    }

    /// Explains why a search finds nothing: which condition excludes all items, and which items would match without
    /// that condition, without regard to case, or among the items that synchronize. Nil if the search finds an item.
    ///
    /// For the developer of the program. The explanation reveals no item that the program may not see, and no values.
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
    /// Nil when the limit is 0.
    fileprivate init?(upTo count: Int) {
        precondition(count >= 0, "a limit cannot be negative")
        switch count {
        case 0: return nil
        case 1: self = .one
        default: self = UInt32(exactly: count).map(MatchLimit.atMost) ?? .all
        }
    }
}
