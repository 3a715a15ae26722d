// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// The keychain of the user who runs the program.
///
/// ```swift
/// let keychain = UserKeychain()
/// let mail = GenericPassword(service: "com.example.mail", account: "ann")
/// try await keychain.add(mail, secret: SecretData(utf8: "correct horse"))
/// let secret = try await keychain.secret(of: mail.query)
/// ```
///
/// A program sees the items of its own access groups and no others: items of other programs do not exist for it. The
/// calls do not block the calling task; they are sent in the order in which they are made.
public struct UserKeychain: Sendable {
    private let client: KeychainClient?

    /// The keychain of the environment's instance (`$XDG_RUNTIME_DIR`, `$XDG_DATA_HOME`), or the one a test put in its
    /// place.
    public init() {
        client = nil
    }

    /// A keychain behind another client, such as `KeychainTesting`'s in-memory one.
    public init(_ client: KeychainClient) {
        self.client = client
    }

    // MARK: Adding and finding

    /// Adds an item.
    ///
    /// - Returns: a reference that names the item from now on, whatever of it changes.
    /// - Throws: `.duplicateItem` when there is one with the same service, account, access group and synchronizable
    ///   setting; the codes common to all calls (``KeychainError``).
    @discardableResult
    public func add(_ item: GenericPassword, secret: SecretData) async throws(KeychainError) -> ItemReference {
        try await run("add an item") { client throws(ClientError) in
            let attributes = try checked(.add, item.entries)
            return ItemReference(try client.add(attributes, secret: secret.bytes) { _ in }.reference)
        }
    }

    /// One item that matches; nil if there is none. Which one, if several match, is not specified.
    public func find(_ query: GenericPassword.Query) async throws(KeychainError) -> StoredPassword? {
        try await findItems(query, limit: .one).first
    }

    /// All items that match, in no promised order; none is an empty array.
    public func findAll(
        _ query: GenericPassword.Query = GenericPassword.Query()
    ) async throws(KeychainError) -> [StoredPassword] {
        try await findItems(query, limit: .all)
    }

    /// The secret of one item that matches; nil if there is none, or if it was stored without one.
    public func secret(of query: GenericPassword.Query) async throws(KeychainError) -> SecretData? {
        try await orNil { () throws(KeychainError) in
            try await copySecret("read a secret") { () throws(ClientError) in try query.itemQuery }
        }
    }

    /// The secret of an item; nil if it was stored without one.
    ///
    /// - Throws: `.itemNotFound` if the item was deleted.
    public func secret(of reference: ItemReference) async throws(KeychainError) -> SecretData? {
        try await copySecret("read a secret") { reference.itemQuery }
    }

    // MARK: Changing and deleting

    /// Replaces the secret of an item.
    ///
    /// - Throws: `.itemNotFound` if the item was deleted.
    public func update(_ reference: ItemReference, secret: SecretData) async throws(KeychainError) {
        try await change(reference, to: nil, secret: secret)
    }

    /// Replaces the attributes of an item, and its secret if one is given.
    ///
    /// Attributes that are nil in `item` stay as they are: a keychain has no way to remove one.
    ///
    /// - Throws: `.itemNotFound` if the item was deleted; `.duplicateItem` when another item has the new service and
    ///   account already, and then nothing is changed.
    public func update(
        _ reference: ItemReference, to item: GenericPassword, secret: SecretData? = nil
    ) async throws(KeychainError) {
        try await change(reference, to: item, secret: secret)
    }

    /// Deletes an item.
    ///
    /// - Throws: `.itemNotFound` if it was deleted already.
    public func delete(_ reference: ItemReference) async throws(KeychainError) {
        try await run("delete an item") { client throws(ClientError) in try client.delete(reference.itemQuery) }
    }

    /// Deletes every item that matches; none is no error. An empty query deletes all local generic passwords of the
    /// program.
    public func deleteAll(_ query: GenericPassword.Query) async throws(KeychainError) {
        _ = try await orNil { () throws(KeychainError) in
            try await run("delete items") { client throws(ClientError) in try client.delete(try query.itemQuery) }
        }
    }

    // MARK: The service

    /// The changes of items in the program's access groups, from the moment iteration starts.
    public var changes: ItemChanges { ItemChanges(client ?? .current) }

    // MARK: -

    private func findItems(
        _ query: GenericPassword.Query, limit: MatchLimit
    ) async throws(KeychainError) -> [StoredPassword] {
        try await orNil { () throws(KeychainError) in
            try await run("find items") { client throws(ClientError) in
                try client.copyMatching(try query.itemQuery, limit: limit, returning: .attributes) { _ in }
                    .map { StoredPassword($0.reference, $0.attributes) }
            }
        } ?? []
    }

    private func copySecret(
        _ attempt: String, _ query: @escaping @Sendable () throws(ClientError) -> ItemQuery
    ) async throws(KeychainError) -> SecretData? {
        try await run(attempt) { client throws(ClientError) in
            try client.copyMatching(try query(), limit: .one, returning: .data) { SecretData(copying: $0) }
                .first?.secret
        }
    }

    private func change(
        _ reference: ItemReference, to item: GenericPassword?, secret: SecretData?
    ) async throws(KeychainError) {
        try await run("change an item") { client throws(ClientError) in
            let changes = try checked(.update, item?.entries ?? [])
            try client.update(reference.itemQuery, changes: changes, secret: secret?.bytes)
        }
    }

    /// Where blocking calls wait, so that they hold up none of the threads that run tasks.
    private static let queue = DispatchQueue(label: "org.chatelaine.keychain")

    private func run<R: Sendable>(
        _ attempt: String, _ body: @escaping @Sendable (KeychainClient) throws(ClientError) -> R
    ) async throws(KeychainError) -> R {
        let client = client ?? .current
        let result: Result<R, ClientError> = await withCheckedContinuation { continuation in
            Self.queue.async {
                do throws(ClientError) {
                    continuation.resume(returning: .success(try body(client)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        switch result {
        case .success(let value): return value
        case .failure(let cause): throw KeychainError(attempt, cause)
        }
    }

    /// Turns "not found" into nil.
    private func orNil<R>(
        _ body: () async throws(KeychainError) -> R?
    ) async throws(KeychainError) -> R? {
        do throws(KeychainError) {
            return try await body()
        } catch {
            if error.code == .itemNotFound { return nil }
            throw error
        }
    }
}

func checked(
    _ use: AttributeUse, _ entries: [ItemAttributes.Entry]
) throws(ClientError) -> ItemAttributes {
    do throws(AttributeError) {
        return try ItemAttributes(.genericPassword, for: use, entries)
    } catch {
        throw .refused(Refusal(error.status, .none))
    }
}
