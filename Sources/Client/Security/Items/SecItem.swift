// SPDX-License-Identifier: Apache-2.0

// The item functions of Keychain Services, for generic and internet passwords.
//
// - All of them block until the keychain service has answered; they may be called on any thread.
// - A result is written on success only. On an error the caller's variable keeps what it held.
// - The statuses that all four share: `errSecParam` for a dictionary that makes no sense, `errSecNoSuchClass`,
//   `errSecNoSuchAttr`, `errSecUnimplemented` for the other item classes, `errSecMissingEntitlement` for an access group
//   that is not the program's, `errSecInteractionNotAllowed` for what is locked or somebody would have to be asked for,
//   `errSecNotAvailable` when the service cannot be reached.

public import CFTypes
internal import Foundation
internal import KeychainClient
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// Adds an item.
///
/// `attributes` holds `kSecClass`, the item's attributes, `kSecValueData` (CFData) and `kSecReturn…` keys. The result is
/// what those ask for, and nil without any.
///
/// - Returns: beside the common statuses `errSecDuplicateItem` when there is an item with the same account, service,
///   access group and synchronizable setting; `errSecDataTooLarge` for data over 16 MiB or attributes over 1 MiB.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    statusOf("SecItemAdd") { () throws(CallFailure) in
        let addition = try Addition(attributes)
        // What nobody takes needs no opening.
        let isTaken = unsafe result != nil
        let added = try addition.place.adding { keychain throws(CallFailure) in
            switch addition {
            case .item(let item): try add(item, isTaken ? item.parts : [], keychain)
            case .identity(let identity): try add(identity, isTaken ? identity.parts : [], keychain)
            }
        }
        // The caller vouches for the variable: Apple's contract of this function.
        unsafe result?.pointee = added
    }
}

/// - Returns: what stands for the item.
private func add(
    _ item: ItemAddition, _ parts: ReturnedParts, _ keychain: String?
) throws(CallFailure) -> CFTypeRef? {
    let authentication = try item.authentication.ofRequest()
    let added = try asking(.addition(item.attributes), authentication) { client throws(ClientError) in
        try client.add(
            item.attributes, secret: item.data, returning: parts.needed(for: item.attributes.itemClass)
        ) { Data($0) }
    }
    let results = ItemResults(
        parts: parts, authentication: item.authentication.ofReturnedKey, keychain: keychain)
    return results.element(added)
}

private func add(
    _ identity: IdentityAddition, _ parts: ReturnedParts, _ keychain: String?
) throws(CallFailure) -> CFTypeRef? {
    let results = ItemResults(
        parts: parts, authentication: identity.authentication.ofReturnedKey, keychain: keychain)
    return try add(identity, parts).flatMap { results.element($0) }
}

/// Finds items.
///
/// `query` holds `kSecClass` or `kSecValuePersistentRef`, attributes that must all be equal, `kSecMatchLimit` (one item by
/// default) and `kSecReturn…` keys. One kind of part is returned bare, several in a dictionary; with a limit above one
/// the result is always an array, in no promised order. Without a return key, or with a null pointer, the status says
/// whether there is such an item.
///
/// - Returns: beside the common statuses `errSecItemNotFound`.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    statusOf("SecItemCopyMatching") { () throws(CallFailure) in
        let search = try ItemSearch(query)
        let parts = unsafe result == nil ? [] : search.parts
        if search.place.isFiles {
            let found = try searchFiles(search, parts)
            if search.limit != .one || !parts.isEmpty { unsafe result?.pointee = found }
            return
        }
        let results = ItemResults(parts: parts, authentication: search.authentication.ofReturnedKey)
        if search.query.itemClass == .identity {
            let identities = try identities(search, parts)
            guard let first = identities.first else { throw search.notFound }
            // As for SecItemAdd.
            switch search.limit {
            case .one where parts.isEmpty: break
            case .one: unsafe result?.pointee = results.element(first)
            case .atMost, .all: unsafe result?.pointee = results.array(identities)
            }
            return
        }
        let items = try items(search, parts)
        guard let first = items.first else { throw search.notFound }
        // As for SecItemAdd.
        switch search.limit {
        case .one where parts.isEmpty: break
        case .one: unsafe result?.pointee = results.element(first)
        case .atMost, .all: unsafe result?.pointee = results.array(items)
        }
    }
}

/// Changes every item that matches.
///
/// `query` is as for ``SecItemCopyMatching(_:_:)`` without `kSecMatch…` and `kSecReturn…` keys. `attributesToUpdate`
/// holds the new attributes and, to change the secret, `kSecValueData`; what it does not name stays.
///
/// - Returns: beside the common statuses `errSecItemNotFound`, `errSecDataTooLarge`, and `errSecDuplicateItem` when an
///   item would become the same as another one: then nothing is changed.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    statusOf("SecItemUpdate") { () throws(CallFailure) in
        let update = try ItemUpdate(query, attributesToUpdate)
        try forEachPlace(of: update.query, update.place) { query throws(CallFailure) in
            try asking(.update(query), try update.authentication.ofRequest()) { client throws(ClientError) in
                try client.update(query, changes: update.changes, secret: update.data)
            }
        }
    }
}

/// Deletes every item that matches; a query with nothing but a class deletes all local items of that class that the
/// program can see.
///
/// `query` is as for ``SecItemCopyMatching(_:_:)`` without `kSecMatch…` keys.
///
/// - Returns: beside the common statuses `errSecItemNotFound`.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    statusOf("SecItemDelete") { () throws(CallFailure) in
        let deletion = try ItemDeletion(query)
        try forEachPlace(of: deletion.query, deletion.place) { query throws(CallFailure) in
            try asking(.search(query)) { client throws(ClientError) in try client.delete(query) }
        }
    }
}

/// Changes what matches, wherever the call says.
///
/// - Throws: `errSecItemNotFound` if nothing matches anywhere.
private func forEachPlace(
    of query: ItemQuery, _ place: GivenPlace, _ change: (ItemQuery) throws(CallFailure) -> Void
) throws(CallFailure) {
    guard place.isFiles else { return try change(query) }
    var count = 0
    try place.inEachFile { _, reference throws(CallFailure) in
        if let query = query.naming(reference) {
            try change(query)
            count += 1
        }
        return true
    }
    guard count > 0 else { throw CallFailure(.refused(Refusal(.itemNotFound, .none)), about: .search(query)) }
}

/// Searches keychains that are files, in their order.
///
/// - Returns: what stands for what was found; nil for one item of which nothing is wanted.
private func searchFiles(_ search: ItemSearch, _ parts: ReturnedParts) throws(CallFailure) -> CFTypeRef? {
    var elements: [CFTypeRef] = []
    var count = 0
    try search.place.inEachFile { keychain, reference throws(CallFailure) in
        guard let query = search.query.naming(reference) else { return true }
        var next = search
        next.query = query
        next.limit = search.limit.without(count)
        let results = ItemResults(
            parts: parts, authentication: search.authentication.ofReturnedKey, keychain: keychain)
        if query.itemClass == .identity {
            let found = try readingData(parts) { () throws(CallFailure) in try identities(next, parts) }
            count += found.count
            elements += found.compactMap { results.element($0) }
        } else {
            let found = try readingData(parts) { () throws(CallFailure) in try items(next, parts) }
            count += found.count
            elements += found.compactMap { results.element($0) }
        }
        return !search.limit.isReached(count)
    }
    guard count > 0 else { throw search.notFound }
    return search.limit == .one ? elements.first : NSArray(array: elements)
}

/// - Throws: as `readingData`, where data is wanted.
private func readingData<R>(
    _ parts: ReturnedParts, _ body: () throws(CallFailure) -> R
) throws(CallFailure) -> R {
    guard parts.contains(.data) else { return try body() }
    return try Security.readingData(body)
}

extension ItemQuery {
    /// The same query for one item; nil if the item is of another class, or the query is for another item.
    fileprivate func naming(_ reference: PersistentReference?) -> ItemQuery? {
        guard let reference else { return self }
        guard reference.itemClass == itemClass, persistentReference == nil else { return nil }
        var query = self
        query.persistentReference = reference
        return query
    }
}

private func items(_ search: ItemSearch, _ parts: ReturnedParts) throws(CallFailure) -> [ReturnedItem<Data>] {
    guard search.conditions.isEmpty else { return try certificates(search, parts) }
    return try found(
        search.query, search.limit, parts.needed(for: search.query.itemClass), try search.authentication.ofRequest())
}

func found(
    _ query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts, _ authentication: ClientAuthentication? = nil
) throws(CallFailure) -> [ReturnedItem<Data>] {
    try asking(.search(query), authentication) { client throws(ClientError) in
        try client.copyMatching(query, limit: limit, returning: parts) { Data($0) }
    }
}

/// Certificates that fulfil conditions, and only then the limit.
private func certificates(
    _ search: ItemSearch, _ parts: ReturnedParts
) throws(CallFailure) -> [ReturnedItem<Data>] {
    var items: [ReturnedItem<Data>] = []
    let parts = parts.union(.data).needed(for: .certificate)
    for item in try found(search.query, .all, parts, try search.authentication.ofRequest()) {
        if try search.accepts(item, search.query) { items.append(item) }
        if search.limit.isReached(items.count) { break }
    }
    return items
}

/// Identities that match. Conditions are held against certificates first, so that no key is read in vain.
private func identities(_ search: ItemSearch, _ parts: ReturnedParts) throws(CallFailure) -> [FoundIdentity] {
    let parts = parts.needed(for: .identity)
    func found(_ query: ItemQuery, _ limit: MatchLimit) throws(CallFailure) -> [FoundIdentity] {
        try asking(.search(search.query), try search.authentication.ofRequest()) { client throws(ClientError) in
            try client.copyIdentities(query, limit: limit, returning: parts) { Data($0) }
        }
    }
    guard !search.conditions.isEmpty else { return try found(search.query, search.limit) }
    var identities: [FoundIdentity] = []
    guard let query = search.query.identityParts?.certificate else { return [] }
    let authentication = try search.authentication.ofRequest()
    let candidates = try unlessNotFound { () throws(CallFailure) in
        try Security.found(query, .all, .data, authentication)
    }
    for item in candidates where try search.accepts(item, query) {
        var query = search.query
        query.persistentReference = item.reference.of(.identity)
        identities += try unlessNotFound { () throws(CallFailure) in try found(query, .all) }
        if search.limit.isReached(identities.count) { break }
    }
    if let count = search.limit.count { identities = Array(identities.prefix(count)) }
    return identities
}

/// Adds the halves of an identity. One that is there already stays as it is.
///
/// - Returns: the identity, if anything of it is wanted.
/// - Throws: `errSecDuplicateItem` if both are there.
private func add(_ identity: IdentityAddition, _ parts: ReturnedParts) throws(CallFailure) -> FoundIdentity? {
    var added: [ReturnedItem<Data>] = []
    // The key first: it is what cannot be stored while the keychain is locked.
    for half in identity.isKeyHeld ? [identity.certificate] : [identity.key, identity.certificate] {
        do throws(CallFailure) {
            let authentication = try identity.authentication.ofRequest()
            let item = try asking(.addition(half.attributes), authentication) { client throws(ClientError) in
                try client.add(half.attributes, secret: half.data, returning: .attributes) { Data($0) }
            }
            added.append(item)
        } catch {
            let isLast = half.attributes.itemClass == .certificate
            if error.status == .duplicateItem, !isLast || !added.isEmpty { continue }
            // All or nothing. Should taking it back fail, there is one half too many, and still no identity.
            for item in added { try? KeychainClient.current.delete(ItemQuery(item.reference)) }
            throw error
        }
    }
    guard !parts.isEmpty else { return nil }
    let query = identity.query(in: added.first?.attributes?.accessGroup)
    let found = try asking(.search(query), try identity.authentication.ofRequest()) { client throws(ClientError) in
        try client.copyIdentities(query, limit: .one, returning: parts.needed(for: .identity)) { Data($0) }
    }
    return found.first
}

/// The certificates of a subject, among those that a search may see.
private func storedCertificates(
    _ subject: [UInt8], as other: ItemQuery
) throws(CallFailure) -> [Certificate] {
    var query = ItemQuery(.certificate)
    query.accessGroup = other.accessGroup
    query.synchronizable = .any
    query.attributes[.subject] = .data(subject)
    // There may be nobody of this name.
    return try unlessNotFound { () throws(CallFailure) in try found(query, .all, .data) }
        .compactMap { item in item.secret.flatMap { try? Certificate($0) } }
}

private func unlessNotFound<Item>(_ search: () throws(CallFailure) -> [Item]) throws(CallFailure) -> [Item] {
    do throws(CallFailure) {
        return try search()
    } catch {
        guard error.status == .itemNotFound else { throw error }
        return []
    }
}

extension ItemSearch {
    fileprivate var notFound: CallFailure {
        CallFailure(.refused(Refusal(.itemNotFound, .none)), about: .search(query))
    }

    /// Whether a certificate fulfils the conditions.
    ///
    /// - Parameter query: what may be seen of those above it.
    fileprivate func accepts(_ item: ReturnedItem<Data>, _ query: ItemQuery) throws(CallFailure) -> Bool {
        guard case .certificate(let certificate) = ReferencedItem(item) else { return false }
        return try conditions.accepts(certificate.content, query.textMatching) { subject throws(CallFailure) in
            try storedCertificates(subject, as: query)
        }
    }
}

extension MatchLimit {
    fileprivate var count: Int? {
        switch self {
        case .one: 1
        case .atMost(let count): Int(count)
        case .all: nil
        }
    }

    /// What is left of it when some were found.
    fileprivate func without(_ found: Int) -> MatchLimit {
        guard case .atMost(let count) = self else { return self }
        return Int(count) - found > 1 ? .atMost(count - UInt32(found)) : .one
    }

    fileprivate func isReached(_ count: Int) -> Bool { self.count.map { count >= $0 } ?? false }
}

func statusOf(_ function: StaticString, _ body: () throws(CallFailure) -> Void) -> OSStatus {
    do throws(CallFailure) {
        try body()
        return errSecSuccess
    } catch {
        error.log(function)
        return error.status.rawValue
    }
}

func asking<R>(
    _ subject: CallFailure.Subject, _ authentication: ClientAuthentication? = nil,
    _ request: (KeychainClient) throws(ClientError) -> R
) throws(CallFailure) -> R {
    do throws(ClientError) {
        return try request(KeychainClient.current.authenticating(authentication ?? UserInteraction.ofRequest))
    } catch {
        throw CallFailure(error, about: subject)
    }
}
