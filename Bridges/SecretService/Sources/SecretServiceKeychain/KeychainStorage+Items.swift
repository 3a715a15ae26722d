// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
public import SecretService
internal import SecretMemory
internal import Synchronization

/// An item of an answer, without its data.
private typealias Found = ReturnedItem<Void>

extension KeychainStorage {
    // MARK: Finding

    public func items(in collection: CollectionID, limit: Int?) throws(StorageError) -> [ItemID] {
        let file = try file(of: collection)
        // A limit for several items is at least two.
        let bound = limit.map { MatchLimit.atMost(UInt32(clamping: max(2, $0))) } ?? .all
        let found = try quietly { keychain throws(ClientError) in
            let keychain = try keychain.using(file)
            var found: [PersistentReference] = []
            for itemClass in StoredReference.itemClasses {
                var query = ItemQuery(itemClass)
                query.synchronizable = .any
                found += try keychain.find(query, bound, attributes: false).map(\.reference)
            }
            return found
        }
        let ids = found.compactMap { StoredReference.name(of: $0) }.map { ItemID(collection, $0) }
        return limit.map { Array(ids.prefix($0)) } ?? ids
    }

    public func search(
        _ attributes: [String: String], in collection: CollectionID?
    ) throws(StorageError) -> [FoundItem] {
        let searches = AttributeMapping.searches(for: attributes)
        let file = try collection.map { id throws(StorageError) in try self.file(of: id) }
        let found = try quietly { [self] keychain throws(ClientError) in
            guard let collection, let file else {
                var found = try self.found(attributes, searches, in: .login, keychain)
                for file in try filesToSearch(keychain) {
                    do throws(ClientError) {
                        found += try self.found(attributes, searches, in: file.id, keychain.using(file))
                    } catch {
                        // A file that cannot be used any more is no collection.
                        guard [.noSuchKeychain, .invalidKeychain].contains(error.status) else { throw error }
                        keptFiles.withLock { $0 = nil }
                    }
                }
                return found
            }
            return try self.found(attributes, searches, in: collection, keychain.using(file))
        }
        return FoundItem.newestFirst(found)
    }

    /// Returns the items of one collection, whose keychain is given, that have these attributes.
    private func found(
        _ attributes: [String: String], _ searches: [AttributeMapping.Search], in collection: CollectionID,
        _ keychain: KeychainClient
    ) throws(ClientError) -> [FoundItem] {
        var found: [ItemID: FoundItem] = [:]
        let lookup = try? LookupAttributes(attributes)
        for search in searches {
            for item in try keychain.find(search.query, .all, attributes: true) {
                // Without attributes it is not known which items of a broader search match.
                if search.isBroader, item.attributes == nil { continue }
                guard let name = StoredReference.name(of: item.reference), Self.has(attributes, item) else { continue }
                let id = ItemID(collection, name)
                if item.attributes == nil, item.reference.itemClass == .genericPassword {
                    guard let lookup, unproven.withLock({ $0.add(id, foundBy: lookup) }) else { continue }
                } else if let attributes = item.attributes {
                    forgetProven(id, attributes)
                }
                found[id] = FoundItem(
                    id, isLocked: item.needsApproval, modified: item.attributes?.seconds(of: .modificationDate) ?? 0)
            }
        }
        return Array(found.values)
    }

    /// Forgets an unproven item that has the attributes by which it was found.
    private func forgetProven(_ id: ItemID, _ item: ItemAttributes) {
        unproven.withLock { unproven in
            guard let lookup = unproven.attributes(of: id) else { return }
            if item.lookupAttributes?.contains(lookup) == true { unproven.remove(id) }
        }
    }

    private static func has(_ attributes: [String: String], _ item: Found) -> Bool {
        guard let stored = item.attributes.map(AttributeMapping.attributes) else { return true }
        // Compared as bytes, because `==` treats different spellings of a character as equal.
        return attributes.allSatisfy { name, value in stored[name]?.utf8.elementsEqual(value.utf8) == true }
    }

    // MARK: Reading

    public func item(_ id: ItemID) throws(StorageError) -> StoredItem? {
        guard let found = try found(id) else { return nil }
        // The attributes of a locked keychain are sealed, too.
        let item = found.attributes
        return StoredItem(
            id, label: item.map(AttributeMapping.label) ?? "",
            attributes: item.map(AttributeMapping.attributes) ?? [:], isLocked: found.needsApproval,
            created: item?.seconds(of: .creationDate) ?? 0, modified: item?.seconds(of: .modificationDate) ?? 0)
    }

    /// Returns an item, without its attributes if they cannot be read now; nil if it does not exist.
    func found(_ id: ItemID) throws(StorageError) -> ReturnedItem<Void>? {
        guard let (place, query) = try? query(for: id) else { return nil }
        let found = try quietly { keychain throws(ClientError) in
            try place.keychain(keychain).find(query, .one, attributes: true).first
        }
        // The keychain service has compared the attributes.
        if found?.attributes != nil { unproven.withLock { $0.remove(id) } }
        return found
    }

    /// Returns the place of an item, and a query for it. The query of an item to which only digests led names the
    /// attributes by which it was found, which the keychain service compares as soon as the keychain is unlocked.
    ///
    /// - Throws: `.noSuchObject` if no item can have the name.
    func query(for id: ItemID) throws(StorageError) -> (place: StoredReference, query: ItemQuery) {
        let place = try StoredReference(id)
        var query = ItemQuery(place.reference)
        if let lookup = unproven.withLock({ $0.attributes(of: id) }) {
            query.attributes[.lookup] = AttributeMapping.lookupEntry(lookup).value
        }
        return (place, query)
    }

    public func secret(of id: ItemID) throws(StorageError) -> Secret {
        let (place, query) = try query(for: id)
        let found = try quietly { keychain throws(ClientError) in
            try place.keychain(keychain).copyMatching(query, limit: .one, returning: [.data, .attributes]) { Array($0) }
                .first
        }
        guard let found else { throw .noSuchObject }
        return Secret(found.secret ?? [], contentType: found.attributes?.contentType ?? Secret.usualType)
    }

    // MARK: Storing

    public func create(
        _ item: NewItem, in collection: CollectionID, replaces: Bool, _ interaction: Interaction
    ) throws(StorageError) -> (id: ItemID, isNew: Bool) {
        let file = try file(of: collection)
        let lookup = try Self.lookup(item.attributes)
        let status = file == nil ? try status() : nil
        let isLocked =
            if let status { status.lockState.isLocked } else { try self.collection(collection)?.isLocked ?? true }
        if isLocked {
            // Throws `.noSuchObject`, too.
            let unlocked = try unlock([.collection(collection)], interaction)
            guard !unlocked.isEmpty else { throw .noSuchObject }
        }
        if replaces {
            let group = try status.map { status throws(StorageError) in try Self.group(status.accessGroups) }
            if let id = try replace(item, lookup, in: collection, file, group, interaction) { return (id, false) }
        }
        let service = lookup.itemName.service
        for account in lookup.accounts(number: .random(in: 0 ... .max)) {
            let added = try request(interaction) { keychain throws(ClientError) in
                try keychain.using(file).add(item, lookup, service: service, account: account)
            }
            if let name = added.flatMap(StoredReference.name) { return (ItemID(collection, name), true) }
        }
        throw .limitExceeded("Too many items have these attributes. Delete items first.")
    }

    /// Changes the newest item of the client with exactly these attributes; nil if it has none.
    ///
    /// - Parameter group: the access group of the client's items; nil in a keychain file.
    private func replace(
        _ item: NewItem, _ lookup: LookupAttributes, in collection: CollectionID, _ file: FileCollection?,
        _ group: String?, _ interaction: Interaction
    ) throws(StorageError) -> ItemID? {
        let found = try quietly { keychain throws(ClientError) in
            var query = AttributeMapping.query(forExactly: lookup)
            query.accessGroup = group
            return try keychain.using(file).find(query, .all, attributes: true)
        }
        let own = found.filter { found in
            // In a file, the client’s items are those that it can read.
            (group != nil || !found.needsApproval) && found.attributes?.lookupAttributes == lookup
        }
        let newest = own.max { one, other in
            let dates = [one, other].map { $0.attributes?.seconds(of: .modificationDate) ?? 0 }
            return dates[0] < dates[1]
        }
        guard let newest, let name = StoredReference.name(of: newest.reference) else { return nil }
        let entries = [.init(.label, .string(item.label))] + Self.entries(for: item.secret, of: newest.attributes)
        do throws(StorageError) {
            try request(interaction) { keychain throws(ClientError) in
                try keychain.using(file).update(
                    ItemQuery(newest.reference), entries, secret: item.secret.value)
            }
        } catch .noSuchObject {
            // The item was deleted meanwhile.
            return nil
        }
        return ItemID(collection, name)
    }

    public func change(_ id: ItemID, _ change: SecretService.ItemChange) throws(StorageError) {
        let (place, query) = try query(for: id)
        let isInternet = place.reference.itemClass == .internetPassword
        var entries: [ItemAttributes.Entry] = []
        var secret: Secret?
        switch change {
        case .label(let label): entries = [.init(.label, .string(label))]
        case .attributes(let attributes) where isInternet:
            guard let changes = AttributeMapping.changes(ofInternetPassword: attributes) else {
                throw .unsupported(
                    "An internet password has only the attributes user, domain, server, object, protocol, authtype and port."
                )
            }
            entries = changes
        case .attributes(let attributes): entries = [AttributeMapping.lookupEntry(try Self.lookup(attributes))]
        case .secret(let new): secret = new
        }
        let (changes, new) = (entries, secret)
        try quietly { keychain throws(ClientError) in
            let keychain = try place.keychain(keychain)
            guard let new else { return try keychain.update(query, changes, secret: nil) }
            let item = try keychain.find(query, .one, attributes: true).first
            try keychain.update(query, Self.entries(for: new, of: item?.attributes), secret: new.value)
        }
        if case .attributes = change { unproven.withLock { $0.remove(id) } }
    }

    public func delete(_ id: ItemID, _ interaction: Interaction) throws(StorageError) {
        let (place, query) = try query(for: id)
        try request(interaction) { keychain throws(ClientError) in try place.keychain(keychain).delete(query) }
    }

    /// Returns the changes that keep the content type of a new secret. Only items of the Secret Service have one.
    private static func entries(for secret: Secret, of item: ItemAttributes?) -> [ItemAttributes.Entry] {
        guard let item, item.lookupAttributes != nil,
            secret.contentType != item.contentType ?? Secret.usualType
        else { return [] }
        return [.init(.generic, .string(secret.contentType))]
    }

    private static func lookup(_ attributes: [String: String]) throws(StorageError) -> LookupAttributes {
        do throws(LookupAttributesError) {
            return try LookupAttributes(attributes)
        } catch {
            throw StorageError(error)
        }
    }
}

extension KeychainClient {
    /// Finds items with their availability; none is no error. Items whose attributes cannot be read now have none: those of
    /// a locked keychain, and for an application in a sandbox those that require owner authentication.
    fileprivate func find(
        _ query: ItemQuery, _ limit: MatchLimit, attributes: Bool
    ) throws(ClientError) -> [Found] {
        let parts: ReturnedParts = attributes ? [.attributes, .availability] : .persistentReference
        do throws(ClientError) {
            return try search(query, limit, parts)
        } catch {
            guard case .refused(let refusal) = error, [.locked, .authenticationNeeded].contains(refusal.reason) else {
                throw error
            }
            let bare = try search(query, limit, .availability)
            guard attributes, refusal.reason == .authenticationNeeded else { return bare }
            // One such item does not hide the attributes of the others.
            var items: [Found] = []
            for item in bare {
                do throws(ClientError) {
                    items += try search(ItemQuery(item.reference), .one, parts)
                } catch {
                    guard case .refused = error else { throw error }
                    items.append(item)
                }
            }
            return items
        }
    }

    private func search(
        _ query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts
    ) throws(ClientError) -> [Found] {
        do throws(ClientError) {
            return try copyMatching(query, limit: limit, returning: parts) { _ in }
        } catch {
            guard error.status == .itemNotFound else { throw error }
            return []
        }
    }

    /// Adds an item of the Secret Service.
    ///
    /// - Returns: nil if another item has the service and the account.
    fileprivate func add(
        _ item: NewItem, _ lookup: LookupAttributes, service: String, account: String
    ) throws(ClientError) -> PersistentReference? {
        var entries = [
            AttributeMapping.lookupEntry(lookup), .init(.label, .string(item.label)),
            .init(.service, .string(service)), .init(.account, .string(account)),
        ]
        if item.secret.contentType != Secret.usualType {
            entries.append(.init(.generic, .string(item.secret.contentType)))
        }
        let attributes = try checked(.genericPassword, .add, entries)
        do throws(ClientError) {
            return try add(attributes, secret: item.secret.value, returning: .persistentReference) { _ in }.reference
        } catch {
            guard error.status == .duplicateItem else { throw error }
            return nil
        }
    }

    fileprivate func update(
        _ query: ItemQuery, _ entries: [ItemAttributes.Entry], secret: [UInt8]?
    ) throws(ClientError) {
        try update(query, changes: try checked(query.itemClass, .update, entries), secret: secret)
    }

    private func checked(
        _ itemClass: ItemClass, _ use: AttributeUse, _ entries: [ItemAttributes.Entry]
    ) throws(ClientError) -> ItemAttributes {
        do throws(AttributeError) {
            return try ItemAttributes(itemClass, for: use, entries)
        } catch {
            throw .refused(Refusal(error.status, .none))
        }
    }
}

extension ItemAttributes {
    /// The content type of the secret; nil if it has the usual one.
    fileprivate var contentType: String? {
        lookupAttributes == nil ? nil : self[.generic]?.string
    }

    /// Returns a date in seconds since 1970; nil if the item does not have it.
    fileprivate func seconds(of key: AttributeKey) -> Double? {
        guard case .date(let date)? = self[key] else { return nil }
        // The reference date is 2001-01-01.
        return date.secondsSinceReferenceDate + 978_307_200
    }
}

extension Secret {
    /// The content type of most secrets, which is not stored.
    fileprivate static let usualType = "text/plain"
}
