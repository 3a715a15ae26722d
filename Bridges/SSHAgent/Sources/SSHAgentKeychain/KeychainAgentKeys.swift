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
    /// The keys of the last search.
    private let found = Mutex<[Found]>([])

    /// - Parameter keychain: the keychain on behalf of the client, with a connection that ``interrupt()`` can end.
    public init(_ keychain: KeychainClient) { self.keychain = keychain }

    /// Closes the connection to the service until the next request.
    public func disconnect() { keychain.disconnect() }

    /// Ends the current request, for example while it prompts, and all later requests.
    public func interrupt() { keychain.interrupt() }

    // MARK: AgentKeys

    public func keys() throws(AgentError) -> [AgentKey] { try search().map(\.key) }

    public func key(_ blob: [UInt8]) throws(AgentError) -> AgentKey? {
        // A client lists the keys before it uses one. A key that was added since is found by a search.
        let known = found.withLock { found in found.first { $0.key.publicKey.blob == blob } }
        if let known { return known.key }
        return try search().first { $0.key.publicKey.blob == blob }?.key
    }

    public func signature(_ request: SigningRequest, by key: AgentKey) throws(AgentError) -> [UInt8] {
        let known = found.withLock { found in found.first { $0.key == key } }
        guard let item = known?.item else { throw AgentError("the key is no longer in the keychain") }
        do throws(MessageError) {
            let algorithm = try SignatureAlgorithm(key.publicKey.type, request.flags)
            let signature = algorithm.signature(try result(algorithm.operation, request.data, item))
            // The tag of the item names the public key; the private key may be another.
            try key.publicKey.verify(signature, of: request.data)
            return signature
        } catch {
            throw AgentError("\(error)")
        }
    }

    private func result(
        _ operation: KeyAlgorithm, _ data: [UInt8], _ item: PersistentReference
    ) throws(MessageError) -> [UInt8] {
        // The digest is enough, except for Ed25519.
        let (algorithm, input) = operation.ofDigest(of: Data(data)) ?? (operation, Data(data))
        do throws(ClientError) {
            return try keychain.use(KeyWork(item, algorithm: algorithm.identifier, .sign(input))) { Array($0) }
        } catch {
            throw .invalid("the keychain does not sign: \(error)")
        }
    }

    // MARK: Items

    private func search() throws(AgentError) -> [Found] {
        let items: [ReturnedItem<Void>]
        do throws(ClientError) {
            var query = ItemQuery(.key)
            query.attributes[.keyClass] = .number(SSHKeyTag.privateKeyClass)
            items = try keychain.copyMatching(query, limit: .all, returning: .attributes) { _ in }
        } catch {
            guard error.status != .itemNotFound else {
                found.withLock { $0 = [] }
                return []
            }
            throw AgentError("the keychain cannot be searched: \(error)")
        }
        // The service has no order of its own.
        let keys = items.compactMap(Self.key).sorted { left, right in
            (left.key.comment + left.key.publicKey.blob).lexicographicallyPrecedes(
                right.key.comment + right.key.publicKey.blob)
        }
        found.withLock { $0 = keys }
        return keys
    }

    /// Returns the key of an item; nil for an item that is not for SSH.
    private static func key(_ item: ReturnedItem<Void>) -> Found? {
        guard let attributes = item.attributes, let tag = attributes[.applicationTag],
            let key = SSHKeyTag(tag)?.publicKey
        else { return nil }
        let label: [UInt8] =
            switch attributes[.label] {
            case .string(let text): Array(text.utf8)
            case .data(let bytes): bytes
            default: []
            }
        return Found(key: AgentKey(key, comment: label, needsConfirmationIfForwarded: true), item: item.reference)
    }
}

/// The application tag of a private key for SSH: a prefix, and the public key as in a file of OpenSSH. So keys can be
/// listed by their attributes, and a key is for SSH only if its owner says so.
public struct SSHKeyTag: Hashable, Sendable {
    /// The value of `kSecAttrKeyClass` of private keys.
    static let privateKeyClass: Int64 = 1
    private static let prefix = ItemAttributes.sshKeyTag

    public let publicKey: SSHPublicKey

    public init(_ publicKey: SSHPublicKey) { self.publicKey = publicKey }

    /// The value of `kSecAttrApplicationTag`.
    public var text: String {
        let name = publicKey.certificate == nil ? publicKey.type.name : publicKey.type.certificateName
        return "\(Self.prefix)\(name) \(Data(publicKey.blob).base64EncodedString())"
    }

    /// Reads a tag; nil for any other.
    init?(_ value: AttributeValue) {
        let text: String
        switch value {
        case .string(let string): text = string
        case .data(let bytes):
            guard let string = String(validating: bytes, as: UTF8.self) else { return nil }
            text = string
        default: return nil
        }
        guard text.hasPrefix(Self.prefix), let blob = text.split(separator: " ").last,
            let bytes = Data(base64Encoded: String(blob)), let key = try? SSHPublicKey(blob: bytes),
            SSHKeyTag(key).text == text
        else { return nil }
        publicKey = key
    }
}
