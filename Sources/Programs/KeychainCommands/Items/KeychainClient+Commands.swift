// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// The requests that the commands are made of. Errors stay those of the client.
extension KeychainClient {
    /// The attributes of all passwords of a class that match, of the caller's and of other programs as far as the service
    /// shows them. None is no error here.
    func listItems(
        _ passwordClass: PasswordClass, _ entries: [ItemAttributes.Entry] = []
    ) throws(ClientError) -> [ListedItem] {
        var query = ItemQuery(passwordClass.itemClass)
        query.attributes = try attributes(passwordClass, for: .query, entries)
        return try listItems(query)
    }

    /// As ``listItems(_:_:)``: all passwords.
    func listPasswords() throws(ClientError) -> [ListedItem] {
        var items: [ListedItem] = []
        for passwordClass in PasswordClass.allCases { items += try listItems(passwordClass) }
        return items
    }

    /// As ``listItems(_:_:)``: the internet passwords of a server. Names of hosts are the same in upper and lower case.
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

    /// The data of an item; empty where it was stored without.
    func secret(of item: ListedItem) throws(ClientError) -> SecretBytes {
        let items = try copyMatching(item.query, limit: .one, returning: .data) { SecretBytes(copying: $0) }
        guard let first = items.first else { throw .refused(Refusal(.itemNotFound, .none)) }
        return first.secret ?? SecretBytes(copying: [])
    }

    /// The items of the list that belong to this command, in the order in which they are preferred: private ones first, because any
    /// program can run this command to store another of the same name; then those that are not synchronizable, as they are stored where
    /// nothing else is asked for; and of two that are equal in this the older one. Those of other programs are not in it.
    ///
    /// In a keychain that is a file all items belong to all.
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

    /// The one item of a list to act on: the command's own if there is one, else any. The service refuses what the
    /// command may not do with another program's item, and says why.
    func preferred(of items: [ListedItem]) throws(ClientError) -> ListedItem? {
        guard items.count > 1 else { return items.first }
        return try ownItems(items).first ?? items.first
    }

    /// Adds an item, or changes the command's own one that is the same item.
    ///
    /// - Parameters:
    ///   - key: what makes the item which it is; what is not named has its default.
    ///   - new: what a new item gets beside that.
    ///   - changes: what an existing item gets.
    ///   - secret: nil leaves the data of an existing item as it is, and gives a new one none.
    ///   - group: the access group that the item is in afterwards, in this one alone of the command's. Nil leaves an existing item where it
    ///     is, and lets the service choose for a new one; but with the setting `private-items` it stands for the private group, because any
    ///     program may have stored the shared item.
    func addOrUpdate(
        _ passwordClass: PasswordClass, key: [ItemAttributes.Entry], new: [ItemAttributes.Entry],
        changes: [ItemAttributes.Entry], secret: SecretBytes?, in group: String? = nil
    ) throws(ClientError) -> AddOrUpdateResult {
        let isPrivateByDefault =
            keychainPath == nil ? try status().accessGroups.first == CommandGroup.privateItems : false
        let group = group ?? (isPrivateByDefault ? CommandGroup.privateItems : nil)
        let place = group.map { [ItemAttributes.Entry(.accessGroup, .string($0))] } ?? []
        let addition = try attributes(passwordClass, for: .add, key + new + place)
        // Between the requests somebody else may delete or add the item; that this happens again and again is no accident any more.
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
            do {
                // The secret that is replaced is not to stay elsewhere. First, because the approval for a private one may be refused.
                for other in own where group != nil && other.reference != item.reference { try deleteIfPresent(other) }
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

    /// Moves all items of a class to another access group, which the user approves.
    ///
    /// - Returns: false where there are none.
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
        do {
            return try ItemAttributes(passwordClass.itemClass, for: use, entries)
        } catch {
            throw .refused(Refusal(error.status, .none))
        }
    }
}

enum AddOrUpdateResult {
    case added
    case updated
}
