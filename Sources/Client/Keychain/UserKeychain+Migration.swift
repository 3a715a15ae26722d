// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    // MARK: Moving

    /// Moves an item to another place: to another service, account, server or access group, or from a keychain file.
    ///
    /// ```swift
    /// let old = GenericPassword(service: "Mail", account: "ann")
    /// try await keychain.migrate(old, to: mail)
    /// ```
    ///
    /// The new item has the attributes of `target` and the secret of the old item. Label, description, comment, generic
    /// data and legacy attributes that `target` does not set are those of the old item.
    ///
    /// The item is added in its new place, read and compared, and only then deleted in its old place. If the program
    /// ends in between, the next call continues. So a program may call this at each start: without an item in the old
    /// place, it has no effect. No other program may change the item at the same time.
    ///
    /// - Parameters:
    ///   - source: the old item. If it names no access group, one such item in the program's groups is moved.
    ///   - origin: the keychain of the old item, such as that of ``inFile(_:)``; nil for this keychain.
    ///   - target: the new item.
    /// - Returns: whether this call moved an item; false without an item in the old place, and if the old place is the
    ///   new place.
    /// - Throws: `.duplicateItem` if an item with another secret is in the new place; then both items stay as they are;
    ///   the codes of reading the old item and of ``add(_:secret:)``. Reading an item with an access control prompts.
    @discardableResult
    public func migrate<Item: KeychainItem>(
        _ source: some SingleItemSelector<Item>, from origin: UserKeychain? = nil, to target: Item
    ) async throws(KeychainError) -> Bool {
        let attempt = "move an item"
        let origin = origin ?? self
        guard let old = try await origin.reveal(source) else { return false }
        let attributes = try encoding(attempt) { () throws(AttributeError) in
            try checkedAttributes(target.encoded.described(by: old.item.attributes.encoded), Item.itemClass)
        }
        let secret = old.secret
        let new = try await run(attempt) { client throws(ClientError) -> ItemReference<Item> in
            do throws(ClientError) {
                return ItemReference(try client.add(attributes, secret: secret?.bytes) { _ in }.reference)
            } catch {
                // A call that was interrupted may have added the item.
                guard error.status == .duplicateItem, let existing = try client.explainAddition(attributes).existing
                else { throw error }
                return ItemReference(existing)
            }
        }
        // A copy of a keychain file has the references of the original.
        let isSameKeychain = origin.currentClient.keychainPath == currentClient.keychainPath
        if isSameKeychain, new == old.item.reference { return false }
        guard let copy = try await reveal(new), SecretData.areEqual(copy.secret, secret) else {
            throw KeychainError(
                code: .duplicateItem, attempt: attempt,
                explanation: KeychainError.Explanation(
                    reason: "an item with another secret is in the new place; both items were left unchanged",
                    hint: "delete one of the two items, then repeat the call"),
                authenticationFailure: nil)
        }
        return try await origin.delete(old.item.reference)
    }
}

extension SecretData {
    /// Compares two secrets of the program, either of which may be missing.
    fileprivate static func areEqual(_ left: SecretData?, _ right: SecretData?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.bytes.elementsEqual(right.bytes)
    }
}
