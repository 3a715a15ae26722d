// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
public import KeychainClient
internal import KeychainKeys
internal import KeychainModel
internal import KeychainWire
public import SSHAgent
public import SSHAgentProtocol
internal import Synchronization

/// The private keys in the keychain of one client that are for SSH. The service signs with them under the client's
/// rights; their private halves never reach the agent.
public final class KeychainAgentKeys: AgentKeys {
    /// A key and its item.
    private struct Found {
        let key: AgentKey
        let item: PersistentReference
        let group: String
        /// Set by the service.
        let created: Double
    }

    /// The items of one public key that are used. Each program can store further ones.
    private static let itemsOfKey = 4

    private let keychain: KeychainClient
    /// The same keychain for signatures, which may prompt.
    private let signing: KeychainClient
    /// The keys of the last search, the most trusted item of each public key first.
    private let found = Mutex<[Found]>([])

    /// - Parameter keychain: the keychain on behalf of the client. Its time limit counts for searches; ``interrupt()``
    ///   ends signatures.
    public init(_ keychain: KeychainClient) {
        self.keychain = keychain
        signing = keychain.separate()
    }

    /// Closes the connections to the service until the next request.
    public func disconnect() {
        keychain.disconnect()
        signing.disconnect()
    }

    /// Ends the current signature, for example while it prompts, and all later ones.
    public func interrupt() { signing.interrupt() }

    // MARK: AgentKeys

    public func keys() throws(AgentError) -> [AgentKey] { Self.distinct(try search()) }

    public func keys(_ blob: [UInt8]) throws(AgentError) -> [AgentKey] {
        // A client lists the keys before it uses one. The rules of the key may have changed since, so its item is read
        // again. A key that was added since is found by a search.
        let known = found.withLock { found in found.filter { $0.key.publicKey.blob == blob } }
        var unchanged = 0
        for one in known where try read(one.item).contains(where: { $0.key == one.key }) { unchanged += 1 }
        if !known.isEmpty, unchanged == known.count { return Self.distinct(known) }
        return Self.distinct(try search().filter { $0.key.publicKey.blob == blob })
    }

    /// Returns the keys of items, each once: items with the same key have the same rules.
    private static func distinct(_ found: [Found]) -> [AgentKey] {
        var seen: Set<AgentKey> = []
        return found.map(\.key).filter { seen.insert($0).inserted }
    }

    public func signature(
        _ request: SigningRequest, by key: AgentKey, client: Int32?, for purpose: () -> SignaturePurpose
    ) throws(AgentError) -> [UInt8] {
        let items = found.withLock { found in found.filter { $0.key == key }.map(\.item) }
        let reason = purpose().description
        var refusal = AgentError("the key is no longer in the keychain")
        for (index, item) in items.enumerated() {
            do throws(AgentError) {
                return try signature(request, by: key, item, reason: reason)
            } catch {
                if index == 0 { refusal = error }
            }
        }
        throw refusal
    }

    private func signature(
        _ request: SigningRequest, by key: AgentKey, _ item: PersistentReference, reason: String
    ) throws(AgentError) -> [UInt8] {
        do throws(MessageError) {
            let algorithm = try SignatureAlgorithm(key.publicKey.type, request.flags)
            let result = try result(algorithm.operation, request.data, item, reason: reason)
            let signature = algorithm.signature(result)
            // Tag and label of the item name the public key; the private key may be another.
            try key.publicKey.verify(signature, of: request.data)
            return signature
        } catch {
            throw AgentError("\(error)")
        }
    }

    private func result(
        _ operation: KeyAlgorithm, _ data: [UInt8], _ item: PersistentReference, reason: String
    ) throws(MessageError) -> [UInt8] {
        // The digest is enough, except for Ed25519.
        let (algorithm, input) = operation.ofDigest(of: Data(data)) ?? (operation, Data(data))
        do throws(ClientError) {
            let authentication = ClientAuthentication(Self.fields(stating: reason))
            return try signing.authenticating(authentication).use(
                KeyWork(item, algorithm: algorithm.identifier, .sign(input))
            ) { Array($0) }
        } catch {
            throw .invalid("the keychain does not sign: \(error)")
        }
    }

    /// Returns the fields of a request with a reason for the prompt of the service. A purpose has short texts.
    private static func fields<Secret>(stating reason: String) -> RequestAuthentication<Secret> {
        var fields = RequestAuthentication<Secret>()
        fields.reason = reason
        return fields
    }

    // MARK: Items

    private func search() throws(AgentError) -> [Found] {
        var query = ItemQuery(.key)
        query.attributes[.keyClass] = .number(1)
        // The service has no order of its own. Of several items of a public key, those of the client itself come first,
        // and then the oldest: a program that stores one to disable another's knows the public key only afterwards.
        let all = Dictionary(grouping: try items(query, limit: .all), by: \.key.publicKey.blob)
        let groups = all.values.contains { $0.count > 1 } ? try clientGroups() : []
        let keys = all.values.map { found in
            found.sorted { left, right in
                (groups.contains(left.group) ? 0 : 1, left.created) < (
                    groups.contains(right.group) ? 0 : 1, right.created
                )
            }.prefix(Self.itemsOfKey)
        }.sorted { left, right in Self.order(left).lexicographicallyPrecedes(Self.order(right)) }.flatMap(\.self)
        found.withLock { $0 = keys }
        return keys
    }

    private static func order(_ items: ArraySlice<Found>) -> [UInt8] {
        items.first.map { $0.key.comment + $0.key.publicKey.blob } ?? []
    }

    private func clientGroups() throws(AgentError) -> Set<String> {
        do throws(ClientError) {
            return Set(try keychain.status().accessGroups)
        } catch {
            throw AgentError("the keychain does not name the client's items: \(error)")
        }
    }

    /// Returns the keys of an item as it is stored now.
    private func read(_ item: PersistentReference) throws(AgentError) -> [Found] {
        try items(ItemQuery(item), limit: .one)
    }

    private func items(_ query: ItemQuery, limit: MatchLimit) throws(AgentError) -> [Found] {
        do throws(ClientError) {
            return try keychain.copyMatching(query, limit: limit, returning: .attributes) { _ in }.flatMap(Self.found)
        } catch {
            guard error.status != .itemNotFound else { return [] }
            throw AgentError("the keychain cannot be searched: \(error)")
        }
    }

    /// Returns the key of an item, and its certificate; none for an item that is not for SSH. The service sets the
    /// application label to the hash of the item's key, if its maker states no other: an item with another label than
    /// the key of its tag cannot sign.
    private static func found(_ item: ReturnedItem<Void>) -> [Found] {
        guard let attributes = item.attributes, let tag = attributes[.applicationTag].flatMap(SSHKeyTag.init(_:)),
            let key = tag.publicKey, let destinations = tag.destinations,
            attributes[.applicationLabel] == .data(key.key.hash.bytes)
        else { return [] }
        let label: [UInt8] =
            switch attributes[.label] {
            case .string(let text): Array(text.utf8)
            case .data(let bytes): bytes
            default: []
            }
        let created: Double =
            if case .date(let time) = attributes[.creationDate] { time.secondsSinceReferenceDate } else { .infinity }
        return [key, tag.certificate(of: key)].compactMap(\.self).map { publicKey in
            let key = AgentKey(
                publicKey, comment: label, needsConfirmation: tag.needsConfirmation, needsConfirmationIfForwarded: true,
                destinations: destinations.isEmpty ? nil : destinations,
                programs: tag.programs.isEmpty ? nil : tag.programs)
            return Found(
                key: key, item: item.reference, group: attributes.accessGroup ?? "",
                created: created)
        }
    }
}

extension SSHKeyTag {
    init?(_ value: AttributeValue) {
        switch value {
        case .string(let text): self.init(text)
        case .data(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            self.init(text)
        default: return nil
        }
    }

    /// The public key; nil if the type is not supported or is not that of the bytes.
    var publicKey: SSHPublicKey? {
        guard let word = line.split(separator: " ").last, let key = Self.key(String(word)), key.line == line else {
            return nil
        }
        return key
    }

    /// The hosts as constraints; nil if a host has a key that is not supported, because the rule cannot be applied.
    var destinations: [DestinationConstraint]? {
        var destinations: [DestinationConstraint] = []
        for host in hosts {
            let keys = host.keys.compactMap { key in
                Self.key(key.base64).map { DestinationConstraint.HostKey($0, isAuthority: key.isAuthority) }
            }
            guard keys.count == host.keys.count else { return nil }
            destinations.append(DestinationConstraint(to: host.name, user: host.user, keys: keys))
        }
        return destinations
    }

    /// Returns the certificate of the tag; nil for none, and for the certificate of another key.
    func certificate(of key: SSHPublicKey) -> SSHPublicKey? {
        guard let certificate = certificate.flatMap(Self.key), certificate.certificate?.kind == .user,
            certificate.plainBlob == key.blob
        else { return nil }
        return certificate
    }

    private static func key(_ base64: String) -> SSHPublicKey? {
        Data(base64Encoded: base64).flatMap { try? SSHPublicKey(blob: $0) }
    }
}

extension SSHPublicKey {
    /// The key as in a file of OpenSSH, without a comment.
    var line: String {
        let name = certificate == nil ? type.name : type.certificateName
        return "\(name) \(Data(blob).base64EncodedString())"
    }
}
