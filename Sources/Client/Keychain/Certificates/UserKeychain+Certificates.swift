// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

extension UserKeychain {
    // MARK: Storing certificates

    /// Adds a certificate. Fails if it is already stored.
    ///
    /// - Parameters:
    ///   - certificate: the certificate to add.
    ///   - label: the display name; nil for ``KeychainCertificate/subjectSummary``.
    ///   - accessGroup: one of the program's groups; nil for its first group.
    ///   - accessibility: when the certificate can be read.
    /// - Throws: `.duplicateItem` when a certificate with the same issuer and serial number is stored already; the
    ///   codes common to all calls.
    @discardableResult
    public func add(
        _ certificate: KeychainCertificate, label: String? = nil, accessGroup: String? = nil,
        accessibility: Accessibility = .whenUnlocked
    ) async throws(KeychainError) -> StoredCertificate {
        let attempt = "add a certificate"
        let attributes = try encoding(attempt) { () throws(AttributeError) in
            var encoded = EncodedAttributes()
            encoded.put(.label, label)
            encoded.put(.accessGroup, accessGroup)
            encoded.put(accessibility)
            let own = CertificateAttributes(certificate.content).entries.filter { $0.key != .label || label == nil }
            return try checkedAttributes(EncodedAttributes(encoded.entries + own), .certificate)
        }
        return try await run(attempt, explain: { $0.explanation(of: $1, adding: attributes) }) {
            client throws(ClientError) in
            let added = try client.add(
                attributes, secret: certificate.derRepresentation[...], returning: [.attributes, .data]
            ) { SecretData(copying: $0) }
            guard let stored = StoredCertificate(added) else { throw .protocolViolation(.malformed) }
            return stored
        }
    }

    /// Returns the program's certificates that match, in no particular order; without a query, all of them.
    public func certificates(
        matching query: CertificateQuery = CertificateQuery()
    ) async throws(KeychainError) -> [StoredCertificate] {
        let query = try encoding("find certificates") { () throws(AttributeError) in
            try query.itemQuery(.certificate)
        }
        return try await runOrNil("find certificates") { client throws(ClientError) in
            try client.copyMatching(query, limit: .all, returning: [.attributes, .data]) { SecretData(copying: $0) }
                .compactMap(StoredCertificate.init)
        } ?? []
    }

    /// Returns the identities whose certificates match, in no particular order; without a query, all of them.
    ///
    /// ```swift
    /// let key = try await keychain.generatePrivateKey(.p256, tag: "com.example.server")
    /// // … an authority makes a certificate of key.publicKey …
    /// try await keychain.add(certificate)
    /// let identity = try await keychain.identities(matching: CertificateQuery(publicKey: key.publicKey)).first
    /// ```
    public func identities(
        matching query: CertificateQuery = CertificateQuery()
    ) async throws(KeychainError) -> [StoredIdentity] {
        let query = try encoding("find identities") { () throws(AttributeError) in try query.itemQuery(.identity) }
        return try await runOrNil("find identities") { client throws(ClientError) in
            try client.copyIdentities(query, limit: .all, returning: [.attributes, .reference]) {
                SecretData(copying: $0)
            }
            .compactMap(StoredIdentity.init)
        } ?? []
    }

    /// Deletes a certificate. Its private key is not deleted.
    ///
    /// - Returns: whether the certificate existed.
    @discardableResult
    public func deleteCertificate(_ certificate: StoredCertificate) async throws(KeychainError) -> Bool {
        try await runOrNil("delete a certificate") { client throws(ClientError) in
            try client.delete(ItemQuery(certificate.reference))
            return true
        } ?? false
    }
}
