// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// The requests that the commands are made of. Errors stay those of the client.
extension KeychainClient {
    /// The attributes of all generic passwords that match, of the caller's and of other programs as far as the service
    /// shows them. None is no error here.
    func listItems(
        _ entries: [ItemAttributes.Entry] = [], accessGroup: String? = nil
    ) throws(ClientError) -> [ListedItem] {
        var query = ItemQuery(.genericPassword)
        query.attributes = try attributes(for: .query, entries)
        query.accessGroup = accessGroup
        query.synchronizable = .any
        do {
            let items = try copyMatching(query, limit: .all, returning: .attributes) { _ in }
            return items.compactMap { item in
                item.attributes.map { ListedItem(reference: item.reference, attributes: $0) }
            }
        } catch .refused(let refusal) where refusal.status == .itemNotFound {
            return []
        }
    }

    /// The data of an item; empty where it was stored without.
    func secret(of item: ListedItem) throws(ClientError) -> SecretBytes {
        let items = try copyMatching(item.query, limit: .one, returning: .data) { SecretBytes(copying: $0) }
        guard let first = items.first else { throw .refused(Refusal(.itemNotFound, .none)) }
        return first.secret ?? SecretBytes(copying: [])
    }

    /// The items of the list that belong to this command, in the order in which they are preferred: those of its default
    /// access group first, those of other programs not at all, and of two that are equal in this the older one first.
    func ownItems(_ items: [ListedItem]) throws(ClientError) -> [ListedItem] {
        let groups = try status().accessGroups
        func rank(_ item: ListedItem) -> (Int, Double) {
            let age = item.creationDate?.secondsSinceReferenceDate ?? 0
            return (groups.firstIndex(of: item.group) ?? groups.count, age)
        }
        return items.filter { groups.contains($0.group) }.sorted { rank($0) < rank($1) }
    }

    /// The one item of a list to act on: the command's own if there is one, else any. The service refuses what the
    /// command may not do with another program's item, and says why.
    func preferred(of items: [ListedItem]) throws(ClientError) -> ListedItem? {
        guard items.count > 1 else { return items.first }
        return try ownItems(items).first ?? items.first
    }

    /// Adds an item, or changes the command's own one with the same service and account.
    ///
    /// - Parameters:
    ///   - changes: what an existing item gets.
    ///   - secret: nil leaves the data of an existing item as it is, and gives a new one none.
    func addOrUpdate(
        service: String, account: String, new: [ItemAttributes.Entry], changes: [ItemAttributes.Entry],
        secret: SecretBytes?
    ) throws(ClientError) -> AddOrUpdateResult {
        let key: [ItemAttributes.Entry] = [.init(.service, .string(service)), .init(.account, .string(account))]
        let addition = try attributes(for: .add, key + new)
        let change = try attributes(for: .update, changes)
        // Between the two requests somebody else may delete or add the item; that this happens again and again is no
        // accident any more.
        for _ in 0..<4 {
            do {
                try add(addition, secret: secret ?? SecretBytes(copying: []))
                return .added
            } catch .refused(let refusal) where refusal.status == .duplicateItem {}
            var query = ItemQuery(.genericPassword)
            query.attributes = try attributes(for: .query, key)
            // Without a group an update would also mean other programs' items of that name.
            query.accessGroup = try status().accessGroups.first
            do {
                try update(query, changes: change, secret: secret)
                return .updated
            } catch .refused(let refusal) where refusal.status == .itemNotFound {}
        }
        throw .refused(Refusal(.duplicateItem, .none))
    }

    /// Adds an item.
    func add(_ attributes: ItemAttributes, secret: SecretBytes) throws(ClientError) {
        _ = try add(attributes, secret: secret.bytes, returning: []) { _ in }
    }

    private func update(
        _ query: ItemQuery, changes: ItemAttributes, secret: SecretBytes?
    ) throws(ClientError) {
        try update(query, changes: changes, secret: secret?.bytes)
    }

    func attributes(
        for use: AttributeUse, _ entries: [ItemAttributes.Entry]
    ) throws(ClientError) -> ItemAttributes {
        do {
            return try ItemAttributes(.genericPassword, for: use, entries)
        } catch {
            throw .refused(Refusal(error.status, .none))
        }
    }
}

enum AddOrUpdateResult {
    case added
    case updated
}
