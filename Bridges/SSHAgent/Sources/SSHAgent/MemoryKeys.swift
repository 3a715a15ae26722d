// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
public import SSHAgentProtocol
internal import Synchronization

/// The keys that clients added, in memory.
public final class MemoryKeys: AgentKeys {
    /// The number of keys. Clients accept no longer list.
    static let limit = AgentReply.identityLimit

    private struct Entry {
        let key: AgentKey
        let privatePart: NewIdentity.PrivatePart
        let securityKeyProvider: String?
        /// Seconds on the clock of the agent; nil if the key stays until it is removed.
        let expiry: UInt64?
    }

    private let entries = Mutex<[Entry]>([])
    private let allowsSHA1: Bool
    private let uptime: @Sendable () -> UInt64
    private let signInSecurityKey: @Sendable (SecurityKeyWork) throws(AgentError) -> [UInt8]

    init(
        allowsSHA1: Bool, uptime: @escaping @Sendable () -> UInt64,
        signInSecurityKey: @escaping @Sendable (SecurityKeyWork) throws(AgentError) -> [UInt8]
    ) {
        self.allowsSHA1 = allowsSHA1
        self.uptime = uptime
        self.signInSecurityKey = signInSecurityKey
    }

    // MARK: Changes

    /// Adds a key, or replaces the one with the same public key.
    ///
    /// - Parameters:
    ///   - lifetime: in seconds.
    ///   - provider: the library of the security key.
    ///   - mayReplace: decides about the key that would be replaced.
    func add(
        _ identity: NewIdentity, lifetime: UInt32?, provider: String?,
        mayReplace: (AgentKey) throws(AgentError) -> Void
    ) throws(AgentError) {
        let key = AgentKey(
            identity.publicKey, comment: identity.comment,
            needsConfirmation: identity.constraints.needsConfirmation,
            destinations: identity.constraints.destinations)
        let entry = Entry(
            key: key, privatePart: identity.privatePart, securityKeyProvider: provider,
            expiry: lifetime.map { uptime() + UInt64($0) })
        // The decision is made without the lock.
        let existing = self.key(key.publicKey.blob)
        if let existing { try mayReplace(existing) }
        try entries.withLock { entries throws(AgentError) in
            guard let index = entries.firstIndex(where: { $0.key.publicKey == key.publicKey }) else {
                guard entries.count < Self.limit else { throw AgentError("the agent has \(Self.limit) keys already") }
                entries.append(entry)
                return
            }
            guard entries[index].key == existing else { throw AgentError("another client has just added the key") }
            entries[index] = entry
        }
    }

    /// Removes a key; returns false if there is none.
    func remove(_ key: AgentKey) -> Bool {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return false }
            entries.remove(at: index)
            return true
        }
    }

    func removeAll() { entries.withLock { $0 = [] } }

    /// Removes the keys whose time is over. Returns the seconds until the next one's is; nil if there is none.
    @discardableResult func removeExpired() -> UInt64? {
        let now = uptime()
        return entries.withLock { entries in
            entries.removeAll { $0.expiry.map { $0 <= now } ?? false }
            return entries.compactMap(\.expiry).min().map { $0 - now }
        }
    }

    // MARK: AgentKeys

    public func keys() -> [AgentKey] {
        removeExpired()
        return entries.withLock { $0.map(\.key) }
    }

    public func keys(_ blob: [UInt8]) -> [AgentKey] { key(blob).map { [$0] } ?? [] }

    func key(_ blob: [UInt8]) -> AgentKey? { entry(blob)?.key }

    public func signature(
        _ request: SigningRequest, by key: AgentKey, client: Int32?, for purpose: () -> SignaturePurpose
    ) throws(AgentError) -> [UInt8] {
        // Removed, or replaced by a key with other constraints, while the user was asked.
        guard let entry = entry(request.key), entry.key == key else { throw AgentError("the key was removed") }
        switch entry.privatePart {
        case .key(let privateKey):
            do throws(MessageError) {
                let algorithm = try SignatureAlgorithm(
                    key.publicKey.type, request.flags, allowsSHA1: allowsSHA1)
                do throws(KeyError) {
                    return algorithm.signature(
                        try privateKey.signature(for: request.data, using: algorithm.operation))
                } catch {
                    throw .invalid(error.reason)
                }
            } catch {
                throw AgentError(error)
            }
        case .securityKey(let handle):
            return try signInSecurityKey(
                SecurityKeyWork(
                    key: key, handle: handle, provider: entry.securityKeyProvider, data: request.data, client: client))
        }
    }

    private func entry(_ blob: [UInt8]) -> Entry? {
        removeExpired()
        return entries.withLock { entries in entries.first { $0.key.publicKey.blob == blob } }
    }
}

/// A signature that a security key makes.
public struct SecurityKeyWork: Sendable {
    public let key: AgentKey
    public let handle: SecurityKeyHandle
    /// The path of the library; nil for the helper's own.
    public let provider: String?
    public let data: [UInt8]
    /// The process that requests it; nil if it cannot be inspected.
    public let client: Int32?
}
