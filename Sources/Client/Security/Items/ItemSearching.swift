// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel

// Searching for SecItemCopyMatching, in one kind of keychain or in both.

/// The result of a search, as objects for the caller.
struct FoundObjects {
    var elements: [CFTypeRef]
    /// The number of items. Some have no element.
    var count: Int
    /// Whether the caller takes the result.
    var isWanted: Bool
}

/// - Parameters:
///   - parts: the parts that the caller requested.
///   - isTaken: whether the caller takes a result.
/// - Throws: `errSecItemNotFound` if no item matches; `errSecParam`.
func found(_ search: ItemSearch, _ parts: ReturnedParts, isTaken: Bool) throws(CallFailure) -> FoundObjects {
    func found(in kind: KeychainKinds, besides count: Int = 0) throws(CallFailure) -> FoundObjects {
        var search = search
        search.place = search.place.limited(to: kind)
        search.limit = search.limit.without(count)
        return kind == .files
            ? try searchFiles(search, isTaken ? search.place.returned(parts) : [])
            : try searchProtected(search, parts)
    }
    guard search.place.kinds == .both else { return try found(in: search.place.kinds) }
    var first: FoundObjects?
    return try inBothKinds(
        "SecItemCopyMatching",
        protected: { () throws(CallFailure) in
            let objects = try found(in: .dataProtection)
            first = objects
            return objects
        },
        files: { () throws(CallFailure) in
            let count = first?.count ?? 0
            // No prompt is shown for an item that would not be in the result.
            if let first, search.limit.isReached(count) {
                return FoundObjects(elements: [], count: 0, isWanted: first.isWanted)
            }
            return try found(in: .files, besides: count)
        },
        joined: {
            FoundObjects(
                elements: $0.elements + $1.elements, count: $0.count + $1.count, isWanted: $0.isWanted)
        })
}

/// Searches the data-protection keychain.
private func searchProtected(_ search: ItemSearch, _ parts: ReturnedParts) throws(CallFailure) -> FoundObjects {
    let results = ItemResults(parts: parts, authentication: search.authentication.ofReturnedKey)
    let elements: [CFTypeRef?]
    if search.query.itemClass == .identity {
        elements = try identities(search, parts).map { results.element($0) }
    } else {
        elements = try items(search, parts).map { results.element($0) }
    }
    guard !elements.isEmpty else { throw search.notFound }
    return FoundObjects(elements: elements.compactMap(\.self), count: elements.count, isWanted: !parts.isEmpty)
}

/// Searches keychain files, in their order.
///
/// - Throws: if the calls follow macOS, `errSecParam` for the data of all passwords, because each could require a
///   prompt.
private func searchFiles(_ search: ItemSearch, _ parts: ReturnedParts) throws(CallFailure) -> FoundObjects {
    if search.place.followsMacOS, search.limit == .all, parts.contains(.data), search.isOfPasswords {
        throw CallFailure(.parameter, "kSecReturnData of passwords in keychain files requires kSecMatchLimitOne")
    }
    var elements: [CFTypeRef] = []
    var count = 0
    try search.place.inEachFile { keychain, reference throws(CallFailure) in
        guard let query = search.query.inFile(naming: reference) else { return true }
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
    return FoundObjects(elements: elements, count: count, isWanted: !parts.isEmpty)
}

/// Deletes the items that a search of keychain files finds, in the order of the files.
func deleteFromFiles(_ search: ItemSearch) throws(CallFailure) {
    var count = 0
    try search.place.inEachFile { _, reference throws(CallFailure) in
        guard let query = search.query.inFile(naming: reference) else { return true }
        var next = search
        next.query = query
        next.limit = search.limit.without(count)
        // One request deletes all matches. A limit and the conditions for certificates are the client's.
        var queries = [query]
        if search.limit != .all || !search.conditions.isEmpty {
            queries =
                query.itemClass == .identity
                ? try identities(next, []).map { ItemQuery($0.item.reference) }
                : try items(next, .persistentReference).map { ItemQuery($0.reference) }
        }
        for query in queries {
            try asking(.search(query)) { client throws(ClientError) in try client.delete(query) }
        }
        count += queries.count
        return !search.limit.isReached(count)
    }
    guard count > 0 else { throw search.notFound }
}

/// - Throws: as `readingData`, if data is requested.
private func readingData<R>(
    _ parts: ReturnedParts, _ body: () throws(CallFailure) -> R
) throws(CallFailure) -> R {
    guard parts.contains(.data) else { return try body() }
    return try Security.readingData(body)
}

extension ItemQuery {
    /// Returns the query for a keychain file, which has no accessibility to compare.
    ///
    /// - Parameter reference: the one item that the query is for; nil: all items.
    /// - Returns: nil if the item has another class, or the query is for another item.
    func inFile(naming reference: PersistentReference?) -> ItemQuery? {
        var query = self
        query.attributes[.accessible] = nil
        guard let reference else { return query }
        guard reference.itemClass == itemClass, persistentReference == nil else { return nil }
        query.persistentReference = reference
        return query
    }
}

private func items(_ search: ItemSearch, _ parts: ReturnedParts) throws(CallFailure) -> [ReturnedItem<Data>] {
    guard search.conditions.isEmpty else { return try certificates(search, parts) }
    return try found(
        search.query, search.limit, parts.needed(for: search.query.itemClass),
        authentication: try search.authentication.ofRequest())
}

func found(
    _ query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts, authentication: ClientAuthentication? = nil
) throws(CallFailure) -> [ReturnedItem<Data>] {
    try asking(.search(query), authentication) { client throws(ClientError) in
        try client.copyMatching(query, limit: limit, returning: parts) { Data($0) }
    }
}

/// Returns the certificates that meet the conditions, and applies the limit afterwards.
private func certificates(
    _ search: ItemSearch, _ parts: ReturnedParts
) throws(CallFailure) -> [ReturnedItem<Data>] {
    var items: [ReturnedItem<Data>] = []
    let parts = parts.union(.data).needed(for: .certificate)
    for item in try found(search.query, .all, parts, authentication: try search.authentication.ofRequest()) {
        if try search.accepts(item, search.query) { items.append(item) }
        if search.limit.isReached(items.count) { break }
    }
    return items
}

/// Returns the identities that match. The certificates are checked first, so that no key is read unnecessarily.
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
        try Security.found(query, .all, .data, authentication: authentication)
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

/// Returns the stored certificates of a subject, among those that the search can see.
private func storedCertificates(
    _ subject: [UInt8], as other: ItemQuery
) throws(CallFailure) -> [Certificate] {
    var query = ItemQuery(.certificate)
    query.accessGroup = other.accessGroup
    query.synchronizable = .any
    query.attributes[.subject] = .data(subject)
    // The subject may have no stored certificate.
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
    fileprivate var isOfPasswords: Bool { [.genericPassword, .internetPassword].contains(query.itemClass) }

    fileprivate var notFound: CallFailure {
        CallFailure(.refused(Refusal(.itemNotFound, .none)), about: .search(query))
    }

    /// Returns whether a certificate meets the conditions.
    ///
    /// - Parameter query: determines which certificates above it are visible.
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

    /// Returns the remaining limit after some items were found.
    fileprivate func without(_ found: Int) -> MatchLimit {
        guard case .atMost(let count) = self else { return self }
        return Int(count) - found > 1 ? .atMost(count - UInt32(found)) : .one
    }

    fileprivate func isReached(_ count: Int) -> Bool { self.count.map { count >= $0 } ?? false }
}
