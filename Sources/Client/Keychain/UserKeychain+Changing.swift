// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    // MARK: Adding

    /// Adds an item that must be new.
    ///
    /// A secret has at most 16 MiB; nil stores an item without one.
    ///
    /// - Returns: a reference that names the item from now on, whatever of it changes.
    /// - Throws: `.duplicateItem` when there is such an item already (``store(_:secret:)`` replaces its secret);
    ///   `.tooLarge`; the codes common to all calls.
    @discardableResult
    public func add<Item: KeychainItem>(
        _ item: Item, secret: SecretData?
    ) async throws(KeychainError) -> ItemReference<Item> {
        let attributes = try encoding("add an item") { () throws(AttributeError) in
            try item.encoded.checked(Item.itemClass, for: .add)
        }
        return try await run("add an item", explain: { $0.explanation(of: $1, adding: attributes) }) {
            client throws(ClientError) in
            ItemReference(try client.add(attributes, secret: secret?.bytes) { _ in }.reference)
        }
    }

    /// Adds an item, or, if there is such an item already, replaces its secret and those of its attributes that are given.
    ///
    /// A secret has at most 16 MiB.
    ///
    /// - Returns: a reference that names the item from now on, whatever of it changes.
    /// - Throws: `.tooLarge`; the codes common to all calls.
    @discardableResult
    public func store<Item: KeychainItem>(
        _ item: Item, secret: SecretData
    ) async throws(KeychainError) -> ItemReference<Item> {
        let attempt = "store an item"
        let (attributes, changes) = try encoding(attempt) { () throws(AttributeError) in
            (
                try item.encoded.checked(Item.itemClass, for: .add),
                try item.encoded.checked(Item.itemClass, for: .update)
            )
        }
        return try await run(attempt) { client throws(ClientError) in
            // Between two requests another program of the group may delete what was there, or add what was not.
            var triesLeft = 8
            while true {
                triesLeft -= 1
                do throws(ClientError) {
                    return ItemReference(try client.add(attributes, secret: secret.bytes) { _ in }.reference)
                } catch {
                    guard error.status == .duplicateItem, triesLeft > 0 else { throw error }
                }
                do throws(ClientError) {
                    // Nil: it is gone already, and the addition is tried again.
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
    /// An item without an access group stands for such an item in each of the program's groups.
    ///
    /// A secret has at most 16 MiB.
    ///
    /// - Throws: `.itemNotFound` if there is no such item; `.tooLarge`; the codes common to all calls.
    public func update(_ item: some SingleItemSelector, secret: SecretData) async throws(KeychainError) {
        try await change(item, nil, secret)
    }

    /// Changes attributes of an item, and its secret if one is given.
    ///
    /// An item without an access group stands for such an item in each of the program's groups.
    ///
    /// A secret has at most 16 MiB; nil leaves it as it is.
    ///
    /// - Throws: `.itemNotFound` if there is no such item; `.duplicateItem` when with these attributes it would be the same
    ///   item as another one, and then nothing is changed; `.tooLarge`; the codes common to all calls.
    public func update<Item>(
        _ item: some SingleItemSelector<Item>, _ changes: Item.Changes, secret: SecretData? = nil
    ) async throws(KeychainError) {
        try await change(item, changes.encoded, secret)
    }

    /// Changes attributes of every item that matches, and the secrets if one is given: all of them or, when one cannot be
    /// changed, none.
    ///
    /// A secret has at most 16 MiB; nil leaves the secrets as they are.
    ///
    /// - Returns: whether there was such an item.
    /// - Throws: `.duplicateItem` when two items would become the same item, and then nothing is changed; `.tooLarge`; the
    ///   codes common to all calls.
    @discardableResult
    public func updateAll<Item>(
        _ query: some ItemSelector<Item>, _ changes: Item.Changes, secret: SecretData? = nil
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

    /// Deletes an item; none is no error.
    ///
    /// An item without an access group stands for such an item in each of the program's groups.
    ///
    /// - Returns: whether there was such an item.
    @discardableResult
    public func delete(_ item: some SingleItemSelector) async throws(KeychainError) -> Bool {
        try await deleteAll(item)
    }

    /// Deletes every item that matches; none is no error. An empty query deletes all local items of its class that the
    /// program sees.
    ///
    /// - Returns: whether there was such an item.
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
        // Where it cannot be had, there is the code.
        return (try? explainAddition(attributes)).flatMap { KeychainError.Explanation($0, attributes.itemClass) }
    }

    fileprivate func explanation(of status: StatusCode, changing query: ItemQuery) -> KeychainError.Explanation? {
        switch status {
        case .itemNotFound:
            (try? explainSearch(query)).flatMap { KeychainError.Explanation($0, query.itemClass) }
        case .duplicateItem:
            KeychainError.Explanation(
                reason: "another item is already what this one would have become; nothing was changed", hint: nil)
        default: nil
        }
    }
}
