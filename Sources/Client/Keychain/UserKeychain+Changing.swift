// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    // MARK: Adding

    /// Adds an item. Fails if it exists already.
    ///
    /// A secret has at most 16 MiB; nil stores an item without a secret.
    ///
    /// - Returns: a reference that stays valid as long as the item exists, even if its attributes change.
    /// - Throws: `.duplicateItem` when the item exists already (``store(_:secret:)`` replaces its secret); `.tooLarge`;
    ///   the codes common to all calls.
    @discardableResult
    public func add<Item: KeychainItem>(
        _ item: Item, secret: SecretData?
    ) async throws(KeychainError) -> ItemReference<Item> {
        let attributes = try encoding("add an item") { () throws(AttributeError) in
            try checkedAttributes(item.encoded, Item.itemClass)
        }
        return try await run("add an item", explain: { $0.explanation(of: $1, adding: attributes) }) {
            client throws(ClientError) in
            ItemReference(try client.add(attributes, secret: secret?.bytes) { _ in }.reference)
        }
    }

    /// Adds an item. If it exists already, replaces its secret and the given attributes.
    ///
    /// A secret has at most 16 MiB.
    ///
    /// - Returns: a reference that stays valid as long as the item exists, even if its attributes change.
    /// - Throws: `.tooLarge`; the codes common to all calls.
    @discardableResult
    public func store<Item: KeychainItem>(
        _ item: Item, secret: SecretData
    ) async throws(KeychainError) -> ItemReference<Item> {
        let attempt = "store an item"
        let (attributes, changes) = try encoding(attempt) { () throws(AttributeError) in
            (
                try checkedAttributes(item.encoded, Item.itemClass),
                try checkedAttributes(item.encoded, Item.itemClass, for: .update)
            )
        }
        return try await run(attempt) { client throws(ClientError) in
            // Between two requests, another program of the group may delete or add the item.
            var triesLeft = 8
            while true {
                triesLeft -= 1
                do throws(ClientError) {
                    return ItemReference(try client.add(attributes, secret: secret.bytes) { _ in }.reference)
                } catch {
                    guard error.status == .duplicateItem, triesLeft > 0 else { throw error }
                }
                do throws(ClientError) {
                    // Nil: the existing item was deleted in the meantime, so the addition is tried again.
                    guard let reference = try client.explainAddition(attributes).existing else { continue }
                    var target = ItemQuery(Item.itemClass)
                    target.persistentReference = reference
                    target.synchronizable = .any
                    try client.update(target, changes: changes, secret: secret.bytes)
                    return ItemReference(reference)
                } catch {
                    guard error.status == .itemNotFound, triesLeft > 0 else { throw error }
                }
            }
        }
    }

    // MARK: Changing

    /// Replaces the secret of an item.
    ///
    /// An item without an access group refers to such an item in each of the program's groups.
    ///
    /// A secret has at most 16 MiB.
    ///
    /// - Throws: `.itemNotFound` if no such item exists; `.tooLarge`; the codes common to all calls.
    public func update(_ item: some SingleItemSelector, secret: SecretData) async throws(KeychainError) {
        try await change(item, nil, secret)
    }

    /// Changes attributes of an item, and its secret if one is given.
    ///
    /// An item without an access group refers to such an item in each of the program's groups.
    ///
    /// A secret has at most 16 MiB; nil leaves it unchanged.
    ///
    /// - Throws: `.itemNotFound` if no such item exists; `.duplicateItem` if the changed item would have the primary
    ///   key of another item; then nothing is changed; `.tooLarge`; the codes common to all calls.
    public func update<Item>(
        _ item: some SingleItemSelector<Item>, applying changes: Item.Changes, secret: SecretData? = nil
    ) async throws(KeychainError) {
        try await change(item, changes.encoded, secret)
    }

    /// Changes attributes of every item that matches, and their secrets if one is given. If one item cannot be changed,
    /// none is changed.
    ///
    /// A secret has at most 16 MiB; nil leaves the secrets unchanged.
    ///
    /// - Returns: whether an item matched.
    /// - Throws: `.duplicateItem` if two items would have the same primary key; then nothing is changed; `.tooLarge`;
    ///   the codes common to all calls.
    @discardableResult
    public func updateAll<Item>(
        _ query: some ItemSelector<Item>, applying changes: Item.Changes, secret: SecretData? = nil
    ) async throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            try await change(query, changes.encoded, secret, explainsAbsence: false)
            return true
        } catch {
            if error.code == .itemNotFound { return false }
            throw error
        }
    }

    private func change<Item>(
        _ selector: some ItemSelector<Item>, _ changes: EncodedAttributes?, _ secret: SecretData?,
        explainsAbsence: Bool = true
    ) async throws(KeychainError) {
        let (query, changes) = try encoding("change an item") { () throws(AttributeError) in
            (
                try selector.selection.itemQuery,
                try changes?.checked(Item.itemClass, for: .update) ?? ItemAttributes(empty: Item.itemClass)
            )
        }
        let explain: @Sendable (KeychainClient, StatusCode) -> KeychainError.Explanation? = { client, status in
            status == .itemNotFound && !explainsAbsence ? nil : client.explanation(of: status, changing: query)
        }
        try await run("change an item", explain: explain) { client throws(ClientError) in
            try client.update(query, changes: changes, secret: secret?.bytes)
        }
    }

    // MARK: Deleting

    /// Deletes an item. It is no error if the item does not exist.
    ///
    /// An item without an access group refers to such an item in each of the program's groups.
    ///
    /// - Returns: whether the item existed.
    @discardableResult
    public func delete(_ item: some SingleItemSelector) async throws(KeychainError) -> Bool {
        try await deleteAll(item)
    }

    /// Deletes every item that matches. It is no error if none matches. An empty query deletes all local items of its
    /// class that the program can see.
    ///
    /// - Returns: whether an item matched.
    @discardableResult
    public func deleteAll(_ query: some ItemSelector) async throws(KeychainError) -> Bool {
        let query = try encoding("delete items") { () throws(AttributeError) in try query.selection.itemQuery }
        return try await runOrNil("delete items") { client throws(ClientError) in try client.delete(query) } != nil
    }
}

extension KeychainClient {
    func explanation(
        of status: StatusCode, adding attributes: ItemAttributes
    ) -> KeychainError.Explanation? {
        guard status == .duplicateItem else { return nil }
        // If no explanation is available, the code alone is reported.
        return (try? explainAddition(attributes)).flatMap { KeychainError.Explanation($0, attributes.itemClass) }
    }

    fileprivate func explanation(of status: StatusCode, changing query: ItemQuery) -> KeychainError.Explanation? {
        switch status {
        case .itemNotFound:
            (try? explainSearch(query)).flatMap { KeychainError.Explanation($0, query.itemClass) }
        case .duplicateItem:
            KeychainError.Explanation(
                reason: "the change would make the item identical to an existing item; nothing was changed", hint: nil)
        default: nil
        }
    }
}
