// SPDX-License-Identifier: Apache-2.0

internal import CCryptoki
public import KeychainClient
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// The keychain behind the slot: requests to the service, with the rights of the program that loaded the module.
public struct KeychainToken: Sendable {
    /// For requests that never prompt.
    private let listing: KeychainClient
    /// For requests that may prompt.
    private let using: KeychainClient

    /// - Parameters:
    ///   - listing: a client for searches, which the service answers without a prompt.
    ///   - using: a client for requests that may prompt.
    public init(listing: KeychainClient, using: KeychainClient) throws(CryptokiError) {
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.interaction = .fail
        self.listing = try requesting { () throws(ClientError) in
            try listing.authenticating(ClientAuthentication(fields))
        }
        self.using = using
    }

    /// Ends requests that run, and closes the connections.
    func disconnect() {
        using.interrupt()
        using.disconnect()
        listing.disconnect()
    }

    // MARK: Lock state

    /// The lock state.
    func lockState() throws(CryptokiError) -> LockState {
        do throws(ClientError) { return try listing.lockState() } catch { throw CryptokiError(error) }
    }

    /// Unlocks the keychain.
    ///
    /// - Parameter passcode: nil lets the service prompt for it.
    func unlock(passcode: SecretBytes?) throws(CryptokiError) {
        let outcome: AuthenticationOutcome
        do throws(ClientError) {
            if let passcode { return try using.unlock(with: ProtectorSecret(.passcode, passcode)) }
            outcome = try using.authenticate(.unlockByPrompt).outcome
        } catch {
            // A passcode of a size that none can have is a wrong one.
            throw error.status == .authenticationFailed && passcode != nil
                && CryptokiError(error).code != CKR_PIN_LOCKED
                ? CryptokiError(CKR_PIN_INCORRECT) : CryptokiError(error)
        }
        switch outcome {
        case .success: return
        case .cancelled: throw CryptokiError(CKR_FUNCTION_CANCELED)
        case .failed, .fallback: throw CryptokiError(CKR_PIN_INCORRECT)
        default: throw CryptokiError(CKR_FUNCTION_REJECTED)
        }
    }

    // MARK: Items

    /// Returns the private and public keys, in the order of their names.
    func keys() throws(CryptokiError) -> [KeyItem] {
        var query = ItemQuery(.key)
        query.synchronizable = .any
        let items = try found(query, .attributes)
        guard !items.isEmpty else { return [] }
        // Not all keys give their public halves.
        let halves = Dictionary(
            try found(query, [.attributes, .reference]).map { ($0.reference, $0.secret ?? []) },
            uniquingKeysWith: { first, _ in first })
        return items.compactMap { KeyItem($0.reference, $0.attributes, publicHalf: halves[$0.reference]) }
            .sorted { Self.precedes(($0.label, $0.reference.bytes), ($1.label, $1.reference.bytes)) }
    }

    /// Returns the certificates, in the order of their names.
    func certificates() throws(CryptokiError) -> [CertificateItem] {
        var query = ItemQuery(.certificate)
        query.synchronizable = .any
        return try found(query, [.attributes, .data]).compactMap(CertificateItem.init)
            .sorted { Self.precedes(($0.label, $0.reference.bytes), ($1.label, $1.reference.bytes)) }
    }

    private static func precedes(_ left: ([UInt8], [UInt8]), _ right: ([UInt8], [UInt8])) -> Bool {
        left.0 == right.0 ? left.1.lexicographicallyPrecedes(right.1) : left.0.lexicographicallyPrecedes(right.0)
    }

    /// Finds items. A locked keychain shows none, until the user logs in.
    private func found(_ query: ItemQuery, _ parts: ReturnedParts) throws(CryptokiError) -> [ReturnedItem<[UInt8]>] {
        do throws(ClientError) {
            return try listing.copyMatching(query, limit: .all, returning: parts) { Array($0) }
        } catch {
            guard error.status != .itemNotFound else { return [] }
            let failure = CryptokiError(error)
            guard failure.code != CKR_USER_NOT_LOGGED_IN else { return [] }
            throw failure
        }
    }

    // MARK: Keys

    func use(_ work: KeyWork<[UInt8]>) throws(CryptokiError) -> [UInt8] {
        do throws(ClientError) {
            return try using.use(work) { Array($0) }
        } catch {
            let failure = CryptokiError(error)
            guard failure.code != CKR_OBJECT_HANDLE_INVALID else { throw CryptokiError(CKR_KEY_HANDLE_INVALID) }
            guard case .decrypt = work.input, failure.code == CKR_DATA_INVALID else { throw failure }
            throw CryptokiError(CKR_ENCRYPTED_DATA_INVALID)
        }
    }

    func generate(_ entries: [ItemAttributes.Entry]) throws(CryptokiError) -> KeyItem {
        let attributes = try checked(.key, .add, entries)
        let made = try requesting { () throws(ClientError) in try using.generateKey(attributes) }
        guard let key = KeyItem(made.reference, made.attributes, publicHalf: made.secret) else {
            throw CryptokiError(CKR_DEVICE_ERROR)
        }
        return key
    }

    func add(
        _ itemClass: ItemClass, _ entries: [ItemAttributes.Entry], _ data: SecretBytes
    ) throws(CryptokiError) -> PersistentReference {
        let attributes = try checked(itemClass, .add, entries)
        return try requesting { () throws(ClientError) in
            try using.add(attributes, secret: data.bytes, returning: []) { _ in }.reference
        }
    }

    func change(_ item: PersistentReference, _ entries: [ItemAttributes.Entry]) throws(CryptokiError) {
        let changes = try checked(item.itemClass, .update, entries)
        try requesting { () throws(ClientError) in
            try using.update(ItemQuery(item), changes: changes, secret: nil as [UInt8]?)
        }
    }

    func delete(_ item: PersistentReference) throws(CryptokiError) {
        try requesting { () throws(ClientError) in try using.delete(ItemQuery(item)) }
    }

    private func checked(
        _ itemClass: ItemClass, _ use: AttributeUse, _ entries: [ItemAttributes.Entry]
    ) throws(CryptokiError) -> ItemAttributes {
        do throws(AttributeError) {
            return try ItemAttributes(itemClass, for: use, entries)
        } catch {
            throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID)
        }
    }
}

private func requesting<R>(_ body: () throws(ClientError) -> R) throws(CryptokiError) -> R {
    do throws(ClientError) { return try body() } catch { throw CryptokiError(error) }
}

/// A key of the keychain.
struct KeyItem: Sendable {
    let reference: PersistentReference
    let attributes: ItemAttributes
    let isPrivate: Bool
    let facts: TokenObject.KeyFacts

    /// Nil for a key of a type that PKCS #11 does not know, and for a symmetric key.
    init?(_ reference: PersistentReference, _ attributes: ItemAttributes?, publicHalf: [UInt8]?) {
        guard let attributes, case .number(let code) = attributes[.type], let type = KeyType(code: code),
            case .number(let keyClass) = attributes[.keyClass], keyClass == 0 || keyClass == 1
        else { return nil }
        let publicKey = publicHalf.flatMap { try? PublicKey(type: type, externalRepresentation: $0) }
        var size = publicKey?.sizeInBits ?? 0
        if size == 0, case .number(let stated) = attributes[.keySizeInBits] { size = Int(clamping: stated) }
        guard (1...16_384).contains(size) else { return nil }
        self.reference = reference
        self.attributes = attributes
        isPrivate = keyClass == 1
        facts = TokenObject.KeyFacts(type: type, sizeInBits: size, publicKey: publicKey)
    }

    /// The hash by which certificates find the key.
    var hash: [UInt8] {
        if let publicKey = facts.publicKey { return publicKey.hash.bytes }
        return if case .data(let bytes) = attributes[.applicationLabel] { bytes } else { [] }
    }

    var label: [UInt8] { attributes.labelBytes }
    var needsOwner: Bool { !attributes.constraints.subtracting(.privateKeyUsage).isEmpty }

    func isSet(_ key: AttributeKey) -> Bool { attributes[key] == .number(1) }
    func allows(_ use: KeyUse) -> Bool { (attributes[use.permission] ?? .number(1)) == .number(1) }
}

/// A certificate of the keychain.
struct CertificateItem: Sendable {
    let reference: PersistentReference
    let certificate: Certificate
    let label: [UInt8]

    /// Nil for an item that is no certificate.
    init?(_ item: ReturnedItem<[UInt8]>) {
        guard let attributes = item.attributes, let data = item.secret, let certificate = try? Certificate(data) else {
            return nil
        }
        reference = item.reference
        self.certificate = certificate
        label = attributes.labelBytes
    }

    var hash: [UInt8] { certificate.publicKeyInfo.hash.bytes }
}

extension ItemAttributes {
    fileprivate var labelBytes: [UInt8] {
        switch self[.label] {
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .number(let number): Array("\(number)".utf8)
        default: []
        }
    }
}

/// The value of `CKA_ID` that a program chose for a key. It is in the application tag of the key, because the application
/// label is the link to certificates. A key without it has the hash of its public half.
struct ChosenIdentifier {
    private static let prefix = "org.chatelaine.pkcs11 "
    /// The longest identifier.
    static let maximumBytes = 256

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(CryptokiError) {
        guard bytes.count <= Self.maximumBytes else { throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID) }
        self.bytes = bytes
    }

    /// Reads a tag; nil for any other.
    init?(_ attributes: ItemAttributes) {
        guard case .string(let text) = attributes[.applicationTag], text.hasPrefix(Self.prefix) else { return nil }
        let digits = Array(text.utf8.dropFirst(Self.prefix.utf8.count))
        guard digits.count.isMultiple(of: 2), digits.count <= 2 * Self.maximumBytes else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    /// The value of `kSecAttrApplicationTag`.
    var tag: AttributeValue {
        .string(Self.prefix + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    }
}
