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
    }

    private let keychain: KeychainClient
    /// The same keychain for signatures, which may prompt.
    private let signing: KeychainClient
    /// The keys of the last search.
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

    public func keys() throws(AgentError) -> [AgentKey] { try search().map(\.key) }

    public func key(_ blob: [UInt8]) throws(AgentError) -> AgentKey? {
        // A client lists the keys before it uses one. The rules of the key may have changed since, so its item is read
        // again. A key that was added since is found by a search.
        let known = found.withLock { found in found.first { $0.key.publicKey.blob == blob } }
        if let known, let now = try read(known.item).first(where: { $0.key == known.key }) { return now.key }
        return try search().first { $0.key.publicKey.blob == blob }?.key
    }

    public func signature(
        _ request: SigningRequest, by key: AgentKey, for purpose: () -> SignaturePurpose
    ) throws(AgentError) -> [UInt8] {
        let known = found.withLock { found in found.first { $0.key == key } }
        guard let item = known?.item else { throw AgentError("the key is no longer in the keychain") }
        do throws(MessageError) {
            let algorithm = try SignatureAlgorithm(key.publicKey.type, request.flags)
            let result = try result(algorithm.operation, request.data, item, reason: purpose().description)
            let signature = algorithm.signature(result)
            // The tag of the item names the public key; the private key may be another.
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
        // The service has no order of its own.
        let keys = try items(query, limit: .all).sorted { left, right in
            (left.key.comment + left.key.publicKey.blob).lexicographicallyPrecedes(
                right.key.comment + right.key.publicKey.blob)
        }
        found.withLock { $0 = keys }
        return keys
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

    /// Returns the key of an item, and its certificate; none for an item that is not for SSH.
    private static func found(_ item: ReturnedItem<Void>) -> [Found] {
        guard let attributes = item.attributes, let tag = attributes[.applicationTag].flatMap(SSHKeyTag.init(_:)),
            let key = tag.publicKey, let destinations = tag.destinations
        else { return [] }
        let label: [UInt8] =
            switch attributes[.label] {
            case .string(let text): Array(text.utf8)
            case .data(let bytes): bytes
            default: []
            }
        return [key, tag.certificate(of: key)].compactMap(\.self).map { publicKey in
            let key = AgentKey(
                publicKey, comment: label, needsConfirmation: tag.needsConfirmation, needsConfirmationIfForwarded: true,
                destinations: destinations.isEmpty ? nil : destinations,
                programs: tag.programs.isEmpty ? nil : tag.programs)
            return Found(key: key, item: item.reference)
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
