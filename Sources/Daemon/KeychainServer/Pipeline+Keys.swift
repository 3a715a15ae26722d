// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainHelperWire
internal import KeychainKeys
internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import KeychainWire
internal import SecretMemory

// Private keys that the service uses itself. Only results and the public half leave it.
extension Pipeline {
    /// Signs, decrypts or computes a shared secret with a stored key.
    func use(_ work: KeyWork<SecretBytes>, for context: RequestContext) throws(RequestInterruption) -> Answer {
        let caller = context.caller
        let found = try find(work.key, for: caller)
        guard !found.isEmpty else { throw .refused(Refusal(.itemNotFound, .none)) }
        let grant = try grant(.useKey, keyUse: work.use, for: found, context)
        let rule = grant.rule
        let material = try material(for: found, .useKey, context)
        guard let key = try open(found, for: work.use, with: grant, material: material) else {
            // The key could not be opened, and was set aside.
            throw .refused(Refusal(.itemNotFound, .none), AuditedItems(of: found))
        }
        // From here on no lock of the store is held: other requests are served while a large key or a token works.
        var result: Data
        do throws(Refusal) {
            switch key {
            case .here(let key): result = try key.carryOut(work)
            case .token(let key): result = try service.secureElement.use(key).carryOut(work)
            }
        } catch {
            throw .refused(error, AuditedItems(of: found))
        }
        defer { result.resetBytes(in: result.startIndex..<result.endIndex) }
        return (
            KeyResult(result).frame,
            .granted(items: AuditedItems(of: found), accessGroups: Self.groups(of: found.facts), by: rule)
        )
    }

    private func find(_ key: UsedKey, for caller: Caller) throws(RequestInterruption) -> FoundItems {
        let scope = try scope(of: caller, .useKey, nil)
        switch key {
        case .stored(let reference):
            return try find(ItemQuery(reference), in: scope, .one, [.data, .attributes], for: caller)
        case .sealed(let bytes):
            let sealed = try storing { () throws(StoreError) in try service.store.find(sealed: bytes) }
            // No caller uses the key of another program, not even the administration tool.
            guard let (found, group) = sealed,
                caller.accessGroups.contains(where: { $0.utf8.elementsEqual(group.utf8) })
            else { throw .refused(Refusal(.itemNotFound, .none)) }
            return found
        }
    }

    /// Opens a key; nil for an item that is not as it was sealed.
    private func open(
        _ found: FoundItems, for use: KeyUse, with grant: consuming Grant, material: ItemKeyMaterial
    ) throws(RequestInterruption) -> UsableKey? {
        var key: UsableKey?
        do {
            try service.store.open(
                found, parts: [.data, .attributes], with: grant, heldKeys: .apart, material: material
            ) { item in
                guard let attributes = item.attributes else { return }
                try HeldKeyRules.admit(use, of: attributes)
                key = try UsableKey(item.heldKey ?? item.data, attributes)
            }
        } catch let error as StoreError {
            throw .refused(error.refusal, AuditedItems(of: found))
        } catch let refusal as Refusal {
            throw .refused(refusal, AuditedItems(of: found))
        } catch {
            throw .refused(Refusal(.internalError, .none), AuditedItems(of: found))
        }
        return key
    }

    /// Generates a key and stores its private half, which never left the service; or returns it sealed, if it is not to
    /// be stored.
    func generate(_ given: ItemAttributes, for context: RequestContext) throws(RequestInterruption) -> Answer {
        let caller = context.caller
        var attributes = try refusing { () throws(Refusal) in try given.ofNewKey() }
        guard !attributes.isUnstoredKey || service.model == .accessGroups else {
            throw .refused(Refusal(.unimplemented, .notSupportedYet))
        }
        try checkAvailability(of: attributes, for: caller)
        guard case .groups(let groups) = try scope(of: caller, .add, attributes.accessGroup) else {
            throw .refused(Refusal(.internalError, .none))
        }
        attributes[.accessGroup] = .string(groups[0])
        // Before the key generation, which may take long: if the key cannot be stored now, it need not be generated.
        let grant = try grantAddition(of: attributes, for: context)
        let material = try context.attempt.material(sealing: attributes)
        let key = try refusing { () throws(Refusal) in try newKey(attributes) }
        attributes.describe(key.publicKey)
        let item: StoredItem
        var answer = Array(key.publicKey.externalRepresentation)
        if attributes.isUnstoredKey {
            let sealed = try sealed(attributes, key.storedBytes, with: grant, material)
            item = sealed.item
            answer += sealed.bytes
        } else {
            item = try store(
                attributes, key.storedBytes, in: groups[0], with: grant, material: material, for: caller
            ).item
        }
        var reply = ReplyWriter()
        _ = reply.append(
            ReturnedItem(
                reference: PersistentReference(itemClass: .key, item: item.identifier),
                attributes: service.model.shown(item.attributes, to: caller), secret: answer))
        return (reply.finish(), .granted(items: AuditedItems([item.identifier]), accessGroups: groups, by: .ownGroup))
    }

    /// Seals a key that is not stored.
    ///
    /// - Throws: a refusal with `errSecDataTooLarge` if its attributes are too large to be sent with each use.
    private func sealed(
        _ attributes: ItemAttributes, _ secret: SecretBytes, with grant: consuming Grant, _ material: ItemKeyMaterial
    ) throws(RequestInterruption) -> (item: StoredItem, bytes: [UInt8]) {
        let sealed: (item: StoredItem, bytes: [UInt8])
        do throws(StoreError) {
            sealed = try service.store.seal(attributes, secret: secret, with: grant, material: material)
        } catch {
            throw .refused(error.refusal)
        }
        guard sealed.bytes.count <= WireLimits.sealedKeyBytes else {
            throw .refused(Refusal(.dataTooLarge, .none))
        }
        return sealed
    }

    private func newKey(_ attributes: ItemAttributes) throws(Refusal) -> UsableKey {
        guard attributes.token == nil else {
            do throws(TokenError) {
                return .token(try service.secureElement.createKey())
            } catch {
                throw error.refusal
            }
        }
        do throws(KeyError) {
            guard case .number(let code) = attributes[.type], let type = KeyType(code: code),
                case .number(let size) = attributes[.keySizeInBits]
            else { throw KeyError(.invalid, "the attributes do not give the type and the size of the key") }
            return .here(try PrivateKey(generating: type, sizeInBits: Int(size)))
        } catch {
            throw error.refusal
        }
    }

    /// Returns the key of an addition that is to be held; nil for other items. Adds the attributes of the key that the
    /// item does not state.
    ///
    /// - Throws: a refusal with `unusableKey` for data that is not a private key of the type that the attributes name,
    ///   and if the request asks for the data.
    func heldKey(
        _ attributes: inout ItemAttributes, _ secret: SecretBytes?, _ parts: ReturnedParts
    ) throws(RequestInterruption) -> PrivateKey? {
        guard attributes.isHeldKey else { return nil }
        guard !parts.contains(.data) else { throw .refused(attributes.heldKeyRefusal) }
        let given = attributes
        let key = try refusing { () throws(Refusal) in try PrivateKey(secret?.bytes, given) }
        attributes.describe(key.publicKey)
        return key
    }

    static func publicHalf(of key: PrivateKey) -> Data { key.publicKey.externalRepresentation }

    /// Returns the parts of an item that are sent to the caller: for a held key, the public half instead of the private
    /// one if the caller requests a reference, otherwise no data.
    func returned(_ item: borrowing OpenedItem, to caller: Caller, asReference: Bool) -> ReturnedItem<Data> {
        let secret: Data? =
            if item.heldKey == nil { item.data } else { asReference ? Self.publicHalf(ofHeldKey: item) : nil }
        return ReturnedItem(
            reference: PersistentReference(itemClass: item.itemClass, item: item.identifier),
            attributes: item.attributes.map { service.model.shown($0, to: caller) }, secret: secret)
    }

    /// Returns the attributes of a key and the public part of its data: all of a public key, the public half of a private
    /// one, nothing of others.
    func publicPart(of item: borrowing OpenedItem, to caller: Caller) -> ReturnedItem<Data> {
        let publicData: Data? =
            switch item.attributes?[.keyClass] {
            case .number(0): item.data
            case .number(1): Self.publicHalf(item.heldKey ?? item.data, item.attributes)
            default: nil
            }
        return ReturnedItem(
            reference: PersistentReference(itemClass: item.itemClass, item: item.identifier),
            attributes: item.attributes.map { service.model.shown($0, to: caller) }, secret: publicData)
    }

    /// Returns the public half; nil for data that is not a key, and so has none.
    private static func publicHalf(ofHeldKey item: borrowing OpenedItem) -> Data? {
        publicHalf(item.heldKey, item.attributes)
    }

    private static func publicHalf(_ data: Data?, _ attributes: ItemAttributes?) -> Data? {
        guard let attributes else { return nil }
        return try? UsableKey(data, attributes).publicKey.externalRepresentation
    }
}

/// A stored private key.
private enum UsableKey {
    /// The service holds the key.
    case here(PrivateKey)
    /// A token holds the key.
    case token(TokenKey)

    /// Reads the key of an item.
    ///
    /// - Throws: a refusal with `unusableKey`.
    init(_ data: (some Collection<UInt8>)?, _ attributes: ItemAttributes) throws(Refusal) {
        guard attributes.token != nil else {
            self = .here(try PrivateKey(data, attributes))
            return
        }
        guard let data, let key = TokenKey(data) else { throw Refusal(.parameter, .unusableKey) }
        self = .token(key)
    }

    var publicKey: PublicKey {
        switch self {
        case .here(let key): key.publicKey
        case .token(let key): key.publicKey
        }
    }

    /// The bytes that are stored as the item's data.
    var storedBytes: SecretBytes {
        switch self {
        case .here(let key):
            var bytes = key.externalRepresentation
            defer { bytes.resetBytes(in: bytes.startIndex..<bytes.endIndex) }
            return SecretBytes(copying: bytes)
        case .token(let key): return SecretBytes(copying: key.bytes)
        }
    }
}

extension KeyElsewhere<TokenError> {
    fileprivate func carryOut(_ work: KeyWork<SecretBytes>) throws(Refusal) -> Data {
        do throws(UseError) {
            guard let algorithm = KeyAlgorithm(identifier: work.algorithm) else {
                throw .key(KeyError(.unsupportedAlgorithm, "the algorithm is unknown"))
            }
            switch work.input {
            case .sign(let input): return try signature(for: input.bytes, using: algorithm)
            case .decrypt(let input): return try decrypt(input.bytes, using: algorithm)
            case .agree(let agreement): return try agree(agreement, using: algorithm)
            }
        } catch {
            switch error {
            case .key(let error): throw error.refusal
            case .keeper(let failure): throw failure.refusal
            }
        }
    }

    private func agree(_ agreement: KeyAgreement, using algorithm: KeyAlgorithm) throws(UseError) -> Data {
        let peer: PublicKey
        do throws(KeyError) {
            peer = try PublicKey(type: .ellipticCurve, externalRepresentation: agreement.publicKey)
        } catch { throw .key(error) }
        return try agree(
            with: peer, using: algorithm,
            KeyExchangeParameters(
                requestedSize: agreement.requestedSize.map(Int.init), sharedInfo: Data(agreement.sharedInfo)))
    }
}

extension PrivateKey {
    /// Reads the key of an item.
    ///
    /// - Throws: a refusal with `unusableKey`.
    fileprivate init(_ data: (some Collection<UInt8>)?, _ attributes: ItemAttributes) throws(Refusal) {
        guard let data, case .number(let code) = attributes[.type], let type = KeyType(code: code),
            let key = try? PrivateKey(type: type, externalRepresentation: data)
        else { throw Refusal(.parameter, .unusableKey) }
        self = key
    }

    fileprivate func carryOut(_ work: KeyWork<SecretBytes>) throws(Refusal) -> Data {
        do throws(KeyError) { return try result(of: work) } catch { throw error.refusal }
    }

    private func result(of work: KeyWork<SecretBytes>) throws(KeyError) -> Data {
        guard let algorithm = KeyAlgorithm(identifier: work.algorithm) else {
            throw KeyError(.unsupportedAlgorithm, "the algorithm is unknown")
        }
        switch work.input {
        case .sign(let input): return try signature(for: input.bytes, using: algorithm)
        case .decrypt(let input): return try decrypt(input.bytes, using: algorithm)
        case .agree(let agreement):
            let peer = try PublicKey(type: type, externalRepresentation: agreement.publicKey)
            let parameters = KeyExchangeParameters(
                requestedSize: agreement.requestedSize.map(Int.init), sharedInfo: Data(agreement.sharedInfo))
            return try agree(with: peer, using: algorithm, parameters)
        }
    }
}

extension ItemAttributes {
    /// Returns the attributes of a key that is generated here.
    fileprivate func ofNewKey() throws(Refusal) -> ItemAttributes {
        var attributes = self
        if attributes.token != nil {
            try HeldKeyRules.apply(toTokenKey: &attributes)
        } else if attributes.isUnstoredKey {
            // A program makes such keys itself, in its own memory.
            throw Refusal(.unimplemented, .notSupportedYet)
        }
        attributes[.keyClass] = .number(1)
        attributes = try ProtectionRules.apply(to: attributes, isNew: true)
        attributes[.isExtractable] = .number(attributes.isExtractableKey ? 1 : 0)
        attributes[.isSensitive] = .number(attributes.isSensitiveKey ? 1 : 0)
        // Since its generation.
        attributes[.wasNeverExtractable] = .number(attributes.isExtractableKey ? 0 : 1)
        attributes[.wasAlwaysSensitive] = .number(attributes.isSensitiveKey ? 1 : 0)
        return attributes
    }

    /// Adds the attributes of a key that are not stated (semantics 6.2).
    fileprivate mutating func describe(_ publicKey: PublicKey) {
        // The label that links the key to its public half and to certificates.
        if self[.applicationLabel] ?? .data([]) == .data([]) { self[.applicationLabel] = .data(publicKey.hash.bytes) }
        let size = AttributeValue.number(Int64(publicKey.sizeInBits))
        let yes: [AttributeKey] = [.isPermanent, .isPrivate, .isModifiable, .canDecrypt, .canSign, .canUnwrap]
        let no: [AttributeKey] = [.canEncrypt, .canVerify, .canSignRecover, .canVerifyRecover, .canWrap]
        var facts: [(AttributeKey, AttributeValue)] = [
            (.keySizeInBits, size), (.effectiveKeySize, size), (.canDerive, .number(publicKey.type == .rsa ? 0 : 1)),
        ]
        facts += yes.map { ($0, .number(1)) } + no.map { ($0, .number(0)) }
        for (attribute, value) in facts where self[attribute] == nil { self[attribute] = value }
    }
}

extension KeyError {
    fileprivate var refusal: Refusal {
        switch kind {
        case .invalid, .unsupportedAlgorithm, .verificationFailed: Refusal(.parameter, .unusableKeyInput)
        case .sizeNotAllowed: Refusal(.keySizeNotAllowed, .unusableKeyInput)
        case .failed: Refusal(.internalComponent, .none)
        }
    }
}
