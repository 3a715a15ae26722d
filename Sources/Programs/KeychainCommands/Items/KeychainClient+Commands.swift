// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// The requests of the commands. Their errors are those of the client.
extension KeychainClient {
    /// Returns the attributes of all matching passwords of a class, of the caller and of other programs as far as the
    /// service shows them. No match is not an error here.
    func listItems(
        _ passwordClass: PasswordClass, _ entries: [ItemAttributes.Entry] = []
    ) throws(ClientError) -> [ListedItem] {
        var query = ItemQuery(passwordClass.itemClass)
        query.attributes = try attributes(passwordClass, for: .query, entries)
        return try listItems(query)
    }

    /// Returns all passwords, like ``listItems(_:_:)``.
    func listPasswords() throws(ClientError) -> [ListedItem] {
        var items: [ListedItem] = []
        for passwordClass in PasswordClass.allCases { items += try listItems(passwordClass) }
        return items
    }

    /// Returns the number of passwords of all programs. Nothing is opened for it.
    func passwordCount() throws(ClientError) -> Int {
        var count = 0
        for passwordClass in PasswordClass.allCases {
            var query = ItemQuery(passwordClass.itemClass)
            query.synchronizable = .any
            do {
                count += try copyMatching(query, limit: .all, returning: .persistentReference) { _ in }.count
            } catch .refused(let refusal) where refusal.status == .itemNotFound {}
        }
        return count
    }

    /// Returns the internet passwords of a server, like ``listItems(_:_:)``. Host names are compared without case.
    func listItems(onHost host: String) throws(ClientError) -> [ListedItem] {
        var query = ItemQuery(.internetPassword)
        query.attributes = try attributes(.internet, for: .query, [.init(.server, .string(host))])
        query.textMatching = .caseInsensitive
        return try listItems(query)
    }

    func listItems(_ query: ItemQuery) throws(ClientError) -> [ListedItem] {
        var query = query
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

    /// Returns the number of stored items of all classes and all programs that meet a condition.
    func itemCount(where accepts: (ListedItem) -> Bool = { _ in true }) throws(ClientError) -> Int {
        var count = 0
        // An identity is a pair of a certificate and a key, and is not stored itself.
        for itemClass in ItemClass.allCases where itemClass != .identity {
            count += try listItems(ItemQuery(itemClass)).count(where: accepts)
        }
        return count
    }

    /// Returns the data of an item; empty if it was stored without data.
    ///
    /// - Throws: also for a key in a token, which has none.
    func secret(of item: ListedItem) throws(ClientError) -> SecretBytes {
        guard item.attributes.token == nil else { throw .refused(Refusal(.dataNotAvailable, .tokenKey)) }
        let items = try copyMatching(item.query, limit: .one, returning: .data) { SecretBytes(copying: $0) }
        guard let first = items.first else { throw .refused(Refusal(.itemNotFound, .none)) }
        return first.secret ?? SecretBytes(copying: [])
    }

    /// Returns the items of the list that belong to this command, in order of preference. Private items come first,
    /// because any program can run this command to store another item of the same name. Items that are not
    /// synchronizable come next, because that is the default. Of two items equal in this, the older one comes first.
    /// Items of other programs are left out.
    ///
    /// In a keychain file all items belong to all programs.
    func ownItems(_ items: [ListedItem]) throws(ClientError) -> [ListedItem] {
        let groups =
            keychainPath == nil
            ? [CommandGroup.privateItems] + (try status().accessGroups).filter { $0 != CommandGroup.privateItems }
            : [""]
        func rank(_ item: ListedItem) -> (Int, Int, Double) {
            let age = item.creationDate?.secondsSinceReferenceDate ?? 0
            let group = groups.firstIndex(of: item.group) ?? groups.count
            return (group, item.attributes.isSynchronizable ? 1 : 0, age)
        }
        return items.filter { groups.contains($0.group) }.sorted { rank($0) < rank($1) }
    }

    /// Returns the one item of a list to use: the command's own if there is one, otherwise any. The service refuses
    /// operations that the command may not perform on another program's item, and states the reason.
    func preferred(of items: [ListedItem]) throws(ClientError) -> ListedItem? {
        guard items.count > 1 else { return items.first }
        return try ownItems(items).first ?? items.first
    }

    /// Adds an item, or changes the command's own item with the same identity.
    ///
    /// - Parameters:
    ///   - key: the identifying attributes; those that are missing have their defaults.
    ///   - new: the other attributes of a new item.
    ///   - changes: the changed attributes of an existing item.
    ///   - secret: nil leaves the data of an existing item unchanged, and stores a new one without data.
    ///   - isSeed: whether the secret is the seed of one-time passwords.
    ///   - group: the access group of the item afterwards; the command's other groups do not contain it then. Nil
    ///     leaves an existing item in its group, and lets the service choose for a new one; but with the setting
    ///     `private-items` nil means the private group, because any program may have stored the shared item.
    func addOrUpdate(
        _ passwordClass: PasswordClass, key: [ItemAttributes.Entry], new: [ItemAttributes.Entry],
        changes: [ItemAttributes.Entry], secret: SecretBytes?, isSeed: Bool = false, in group: String? = nil
    ) throws(ClientError) -> AddOrUpdateResult {
        let isPrivateByDefault =
            keychainPath == nil ? try status().accessGroups.first == CommandGroup.privateItems : false
        let group = group ?? (isPrivateByDefault ? CommandGroup.privateItems : nil)
        let place = group.map { [ItemAttributes.Entry(.accessGroup, .string($0))] } ?? []
        let addition = try attributes(passwordClass, for: .add, key + new + place)
        // Between the requests another program may delete or add the item; if this happens repeatedly, it is not by
        // chance.
        for _ in 0..<4 {
            let own = try ownItems(try listItems(passwordClass, passwordClass.keys(of: key)))
                .filter { !$0.attributes.isSynchronizable }
            guard let item = own.first(where: { $0.group == group }) ?? own.first else {
                do {
                    try add(addition, secret: secret ?? SecretBytes(copying: []))
                    return .added
                } catch .refused(let refusal) where refusal.status == .duplicateItem {
                    continue
                }
            }
            let isMoved = group != nil && item.group != group
            let others = group == nil ? [] : own.filter { $0.reference != item.reference }
            let mismatch = ([item] + others).first {
                OneTimePassword.isMismatch($0, isSeed: isSeed, secret: secret, changes: changes)
            }
            if let mismatch { return .otherKind(mismatch) }
            do {
                // The replaced secret must not remain in another item. First, because the approval for a private item
                // may be refused.
                for other in others { try deleteIfPresent(other) }
                try update(
                    item.query, changes: try attributes(passwordClass, for: .update, changes + (isMoved ? place : [])),
                    secret: secret)
            } catch .refused(let refusal) where refusal.status == .itemNotFound || refusal.status == .duplicateItem {
                continue
            }
            return .updated
        }
        throw .refused(Refusal(.duplicateItem, .none))
    }

    private func deleteIfPresent(_ item: ListedItem) throws(ClientError) {
        do {
            try delete(item.query)
        } catch .refused(let refusal) where refusal.status == .itemNotFound {}
    }

    /// Adds an item.
    func add(_ attributes: ItemAttributes, secret: SecretBytes) throws(ClientError) {
        _ = try add(attributes, secret: secret.bytes, returning: []) { _ in }
    }

    func update(
        _ query: ItemQuery, changes: ItemAttributes, secret: SecretBytes?
    ) throws(ClientError) {
        try update(query, changes: changes, secret: secret?.bytes)
    }

    /// Moves all items of a class to another access group, which requires the user's approval.
    ///
    /// - Returns: false if there are none.
    func moveItems(of itemClass: ItemClass, from group: String, to destination: String) throws(ClientError) -> Bool {
        var query = ItemQuery(itemClass)
        query.accessGroup = group
        query.synchronizable = .any
        let changes: ItemAttributes
        do throws(AttributeError) {
            changes = try ItemAttributes(itemClass, for: .update, [.init(.accessGroup, .string(destination))])
        } catch {
            throw .refused(Refusal(error.status, .none))
        }
        do throws(ClientError) {
            try update(query, changes: changes, secret: nil)
            return true
        } catch .refused(let refusal) where refusal.status == .itemNotFound {
            return false
        }
    }

    func attributes(
        _ passwordClass: PasswordClass, for use: AttributeUse, _ entries: [ItemAttributes.Entry]
    ) throws(ClientError) -> ItemAttributes {
        try attributes(passwordClass.itemClass, for: use, entries)
    }

    func attributes(
        _ itemClass: ItemClass, for use: AttributeUse, _ entries: [ItemAttributes.Entry]
    ) throws(ClientError) -> ItemAttributes {
        do {
            return try ItemAttributes(itemClass, for: use, entries)
        } catch {
            throw .refused(Refusal(error.status, .none))
        }
    }
}

enum AddOrUpdateResult {
    case added
    case updated
    /// Nothing was changed, because the existing item is a seed and the secret is none, or the other way round
    /// (``OneTimePassword/isMismatch(_:isSeed:secret:changes:)``).
    case otherKind(ListedItem)

    /// Whether the item is new.
    ///
    /// - Throws: a failure if nothing was changed.
    var isNew: Bool {
        get throws(CommandFailure) {
            switch self {
            case .added: return true
            case .updated: return false
            case .otherKind(let item): throw OneTimePassword.mismatch(item)
            }
        }
    }
}
