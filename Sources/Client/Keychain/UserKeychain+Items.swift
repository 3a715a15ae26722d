// SPDX-License-Identifier: Apache-2.0

extension UserKeychain {
    /// The secret of this very item: same service, account, access group and synchronizable setting. Nil if there is no
    /// such item, or if it was stored without a secret.
    public func secret(for item: GenericPassword) async throws(KeychainError) -> SecretData? {
        try await secret(of: item.query)
    }

    /// Deletes this very item; none is no error.
    public func delete(_ item: GenericPassword) async throws(KeychainError) {
        try await deleteAll(item.query)
    }
}
