// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainClient
public import KeychainKeys
internal import KeychainModel
internal import KeychainWire

extension UserKeychain {
    // MARK: Storing private keys

    /// Makes the service generate and store a private key.
    ///
    /// A key that is not extractable never leaves the service, which signs, decrypts and agrees with it. The tag is the
    /// program's name for the key; several keys may have the same tag. A key of the secure element is never in the
    /// service's memory; it is on P-256 and not extractable. An access control states the authentication for each use
    /// of a key that is not extractable, and for reading an extractable key.
    ///
    /// - Throws: `.keySizeNotAllowed` for an unsupported RSA key size; for a key of the secure element,
    ///   `.invalidParameter` when the secure element cannot hold such a key, and `.notAvailable` when no token
    ///   responds; the codes common to all calls.
    public func generatePrivateKey(
        _ kind: KeyKind, tag: String, label: String? = nil, heldBy holder: PrivateKeyHolder = .service,
        isExtractable: Bool = false, accessGroup: String? = nil, accessibility: Accessibility = .whenUnlocked,
        accessControl: AccessControl? = nil
    ) async throws(KeychainError) -> StoredPrivateKey {
        let attempt = "generate a private key"
        let attributes = try encoding(attempt) { () throws(AttributeError) in
            var encoded = Self.encoded(
                kind, tag: tag, label: label, isExtractable: isExtractable, accessGroup: accessGroup,
                accessibility: accessibility, accessControl: accessControl)
            encoded.put(.keySizeInBits, kind.sizeInBits)
            if holder == .secureElement { encoded.put(.tokenID, ItemAttributes.secureElementToken) }
            return try checkedAttributes(encoded, .key)
        }
        return try await run(attempt) { client throws(ClientError) in
            let made = try client.generateKey(attributes)
            // The service returns only the public half, for an extractable key as well.
            var item = ReturnedItem(
                reference: made.reference, attributes: made.attributes,
                secret: made.secret.map(SecretData.init(copying:)))
            if isExtractable {
                let found = try client.copyMatching(
                    ItemQuery(made.reference), limit: .one, returning: [.attributes, .reference]
                ) { SecretData(copying: $0) }
                guard let stored = found.first else { throw .refused(Refusal(.itemNotFound, .none)) }
                item = stored
            }
            return try Self.key(item)
        }
    }

    /// Adds a private key of swift-crypto. Fails if it is already stored.
    ///
    /// A key that is not extractable cannot be read again; the value passed here stays usable. The tag is the program's
    /// name for the key. The access control is as for
    /// ``generatePrivateKey(_:tag:label:heldBy:isExtractable:accessGroup:accessibility:accessControl:)``.
    ///
    /// - Throws: `.duplicateItem` when the same key is stored with the same tag already; the codes common to all calls.
    @discardableResult
    public func add<Key: StorablePrivateKey>(
        _ key: Key, tag: String, label: String? = nil, isExtractable: Bool = false, accessGroup: String? = nil,
        accessibility: Accessibility = .whenUnlocked, accessControl: AccessControl? = nil
    ) async throws(KeychainError) -> StoredPrivateKey {
        let attempt = "add a private key"
        let secret = key.keychainRepresentation
        let attributes = try encoding(attempt) { () throws(AttributeError) in
            var encoded = Self.encoded(
                Key.keyKind, tag: tag, label: label, isExtractable: isExtractable, accessGroup: accessGroup,
                accessibility: accessibility, accessControl: accessControl)
            encoded.put(.keySizeInBits, Key.keyKind.sizeInBits)
            encoded.put(.effectiveKeySize, Key.keyKind.sizeInBits)
            encoded.put(.isPrivate, true)
            if let key = try? PrivateKey(type: Key.keyKind.type, externalRepresentation: secret.bytes) {
                encoded.put(.applicationLabel, key.publicKey.hash.bytes)
            }
            return try checkedAttributes(encoded, .key)
        }
        return try await run(attempt, explain: { $0.explanation(of: $1, adding: attributes) }) {
            client throws(ClientError) in
            try Self.key(
                client.add(attributes, secret: secret.bytes, returning: [.attributes, .reference]) {
                    SecretData(copying: $0)
                })
        }
    }

    /// Returns the program's private keys with that tag; without a tag, all of them.
    public func privateKeys(
        tag: String? = nil, accessGroup: String? = nil
    ) async throws(KeychainError) -> [StoredPrivateKey] {
        let query = try encoding("find private keys") { () throws(AttributeError) in
            var encoded = EncodedAttributes()
            encoded.put(.keyClass, 1)
            encoded.put(.applicationTag, tag)
            var query = ItemQuery(.key)
            query.attributes = try encoded.checked(.key, for: .query)
            query.accessGroup = accessGroup
            return query
        }
        return try await runOrNil("find private keys") { client throws(ClientError) in
            try client.copyMatching(query, limit: .all, returning: [.attributes, .reference]) {
                SecretData(copying: $0)
            }
            .compactMap(StoredPrivateKey.init)
        } ?? []
    }

    /// Returns the private key with that tag: any of several, nil if none exists.
    public func privateKey(tag: String, accessGroup: String? = nil) async throws(KeychainError) -> StoredPrivateKey? {
        try await privateKeys(tag: tag, accessGroup: accessGroup).first
    }

    /// Deletes a private key.
    ///
    /// - Returns: whether the key existed.
    @discardableResult
    public func deletePrivateKey(_ key: StoredPrivateKey) async throws(KeychainError) -> Bool {
        try await runOrNil("delete a private key") { client throws(ClientError) in
            try client.delete(ItemQuery(key.reference))
            return true
        } ?? false
    }

    /// Exports a private key from the keychain.
    ///
    /// - Throws: `.dataNotAvailable` for a key that is not extractable, and for a key in a token; `.keyIsSensitive` for
    ///   a key that may leave the keychain only encrypted; `.invalidParameter` for a key of another kind;
    ///   `.itemNotFound`; the codes common to all calls.
    public func extract<Key: StorablePrivateKey>(
        _ key: StoredPrivateKey, as: Key.Type
    ) async throws(KeychainError) -> Key {
        try await run("read a private key") { client throws(ClientError) in
            let found = try client.copyMatching(ItemQuery(key.reference), limit: .one, returning: .data) {
                SecretData(copying: $0)
            }
            guard let secret = found.first?.secret else { throw .refused(Refusal(.dataNotAvailable, .tokenKey)) }
            guard key.kind == Key.keyKind, let extracted = try? Key(keychainRepresentation: secret) else {
                throw .refused(Refusal(.parameter, .unusableKey))
            }
            return extracted
        }
    }

    // MARK: Using private keys

    /// Signs a message or a digest, depending on the algorithm.
    ///
    /// ```swift
    /// let key = try await keychain.generatePrivateKey(.p256, tag: "com.example.signing")
    /// let message = Array("hello".utf8)
    /// let signature = try await keychain.signature(for: message, by: key, using: .ecdsa(.x962, .message, .sha256))
    /// ```
    ///
    /// - Throws: `.invalidParameter` for an algorithm that the key does not support, and for a digest whose length is
    ///   not that of its hash; `.keyUsageIncorrect` if `kSecAttrCanSign` is false; `.itemNotFound` if the key was
    ///   deleted; `.tooLarge`; the codes common to all calls.
    public func signature(
        for data: some Collection<UInt8>, by key: StoredPrivateKey, using algorithm: KeyAlgorithm
    ) async throws(KeychainError) -> [UInt8] {
        let data = Data(data)
        // A signature of the digest is equivalent, and the digest is shorter.
        let (used, input) = algorithm.ofDigest(of: data) ?? (algorithm, data)
        let work = KeyWork(key.reference, algorithm: used.identifier, .sign(input))
        return try await run("sign with a key") { client throws(ClientError) in try client.use(work) { Array($0) } }
    }

    /// Decrypts data that was encrypted with the public half of a key.
    ///
    /// - Throws: `.invalidParameter` for an algorithm that the key does not support, and for data that was not
    ///   encrypted with this algorithm and its public half; `.keyUsageIncorrect` if `kSecAttrCanDecrypt` is false;
    ///   otherwise as ``signature(for:by:using:)``.
    public func decrypt(
        _ ciphertext: some Collection<UInt8>, with key: StoredPrivateKey, using algorithm: KeyAlgorithm
    ) async throws(KeychainError) -> SecretData {
        let work = KeyWork(key.reference, algorithm: algorithm.identifier, .decrypt(Data(ciphertext)))
        return try await run("decrypt with a key") { client throws(ClientError) in
            try client.use(work) { SecretData(copying: $0) }
        }
    }

    /// Agrees on a secret with the owner of a public key.
    ///
    /// The algorithm is a `.keyExchange`. Without a hash the result is the raw shared secret, which should not be used
    /// as a key directly. With a hash, a key derivation returns `size` bytes, 1 to 1,048,576, and takes at most 64 KiB
    /// of `sharedInfo`.
    ///
    /// - Throws: `.invalidParameter` for an unsuitable algorithm, public key or size; `.keyUsageIncorrect` if
    ///   `kSecAttrCanDerive` is false; otherwise as ``signature(for:by:using:)``.
    public func sharedSecret(
        of key: StoredPrivateKey, with peer: KeychainPublicKey, using algorithm: KeyAlgorithm, size: Int? = nil,
        sharedInfo: [UInt8] = []
    ) async throws(KeychainError) -> SecretData {
        let agreement = KeyAgreement(
            publicKey: peer.externalRepresentation, requestedSize: size.map { UInt32(clamping: $0) },
            sharedInfo: sharedInfo)
        let work = KeyWork<[UInt8]>(key.reference, algorithm: algorithm.identifier, .agree(agreement))
        return try await run("agree with a key") { client throws(ClientError) in
            try client.use(work) { SecretData(copying: $0) }
        }
    }

    // MARK: Values in the keychain's form

    private static func encoded(
        _ kind: KeyKind, tag: String, label: String?, isExtractable: Bool, accessGroup: String?,
        accessibility: Accessibility, accessControl: AccessControl?
    ) -> EncodedAttributes {
        var encoded = EncodedAttributes()
        encoded.put(.keyClass, 1)
        encoded.put(.type, kind.type.code)
        encoded.put(.applicationTag, tag)
        encoded.put(.label, label)
        encoded.put(.isExtractable, isExtractable)
        encoded.put(.accessGroup, accessGroup)
        // The access control applies to reading an extractable key, and to using a key that stays in the service.
        encoded.put(accessibility, accessControl, forKeyUse: !isExtractable)
        return encoded
    }

    private static func key(_ item: ReturnedItem<SecretData>) throws(ClientError) -> StoredPrivateKey {
        guard let key = StoredPrivateKey(item) else { throw .protocolViolation(.malformed) }
        return key
    }
}
