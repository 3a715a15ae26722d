// SPDX-License-Identifier: Apache-2.0

public import SSHAgentProtocol
internal import Synchronization

/// The agent: the keys in memory and the lock, which all connections share. It answers messages; receiving them is the
/// concern of the program.
public final class Agent: Sendable {
    /// The time, the randomness, and the programs that the agent needs.
    public struct Dependencies: Sendable {
        /// Milliseconds of a clock that never jumps, and continues while the machine sleeps.
        public let uptime: @Sendable () -> UInt64
        /// Seconds since 1970.
        public let time: @Sendable () -> UInt64
        public let randomBytes: @Sendable (_ count: Int) -> [UInt8]
        /// Asks the user; false if the user does not confirm, or cannot be asked. Blocks.
        public let confirm: @Sendable (ConfirmationRequest) -> Bool
        /// Runs the helper for security keys. Blocks.
        public let signInSecurityKey: @Sendable (SecurityKeyWork) throws(AgentError) -> [UInt8]
        /// Returns an absolute path free of links; nil if there is no file.
        public let absolutePath: @Sendable (String) -> String?
        public let knownHosts: @Sendable () -> [KnownHosts]
        /// Takes a sentence for the log.
        public let report: @Sendable (String) -> Void

        public init(
            uptime: @escaping @Sendable () -> UInt64, time: @escaping @Sendable () -> UInt64,
            randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8],
            confirm: @escaping @Sendable (ConfirmationRequest) -> Bool,
            signInSecurityKey: @escaping @Sendable (SecurityKeyWork) throws(AgentError) -> [UInt8],
            absolutePath: @escaping @Sendable (String) -> String?,
            knownHosts: @escaping @Sendable () -> [KnownHosts], report: @escaping @Sendable (String) -> Void
        ) {
            self.uptime = uptime
            self.time = time
            self.randomBytes = randomBytes
            self.confirm = confirm
            self.signInSecurityKey = signInSecurityKey
            self.absolutePath = absolutePath
            self.knownHosts = knownHosts
            self.report = report
        }
    }

    /// The options of ssh-agent(1).
    public struct Options: Hashable, Sendable {
        /// The seconds of keys that are added without a lifetime; nil: until they are removed.
        public var lifetime: UInt32?
        /// Patterns for the libraries of security keys.
        public var allowedProviders = "/usr/lib*/*,/usr/local/lib*/*"
        /// Whether clients on other machines may name libraries.
        public var allowsRemoteProviders = false
        /// Whether RSA keys in memory sign with SHA-1 if a client requests no other hash.
        public var allowsSHA1 = false
        /// Whether keys of security keys that are not for SSH sign logins and messages of SSH only.
        public var restrictsWebSignatures = true

        public init() {}
    }

    let memory: MemoryKeys
    let dependencies: Dependencies
    let options: Options
    private let lock = Mutex(AgentLock())

    public init(_ dependencies: Dependencies, _ options: Options = Options()) {
        self.dependencies = dependencies
        self.options = options
        let uptime = dependencies.uptime
        memory = MemoryKeys(
            allowsSHA1: options.allowsSHA1, uptime: { uptime() / 1000 },
            signInSecurityKey: dependencies.signInSecurityKey)
    }

    /// Removes the keys whose lifetime is over. Returns the seconds until the next one's is; nil if there is none.
    public func removeExpiredKeys() -> UInt64? { memory.removeExpired() }

    /// Removes the keys in memory.
    public func removeAllKeys() { memory.removeAll() }

    /// Answers a message. Blocks while the user or a keychain is asked.
    ///
    /// - Parameter message: without its length.
    public func reply(to message: [UInt8], on connection: inout AgentConnection) -> AgentReply {
        // Other messages are not even read.
        guard !lock.withLock(\.isLocked) || AgentRequest.isReadWhileLocked(message) else {
            return refusal(AgentError("the agent is locked"), connection)
        }
        do throws(MessageError) {
            return reply(to: try AgentRequest(message), on: &connection)
        } catch {
            return refusal(AgentError(error), connection)
        }
    }

    private func reply(to request: AgentRequest, on connection: inout AgentConnection) -> AgentReply {
        do throws(AgentError) {
            switch request {
            case .listIdentities: return .identities(lock.withLock(\.isLocked) ? [] : list(connection))
            case .sign(let request): return .signature(try sign(request, connection))
            case .add(let identity): try add(identity, connection)
            case .remove(let blob): try remove(blob, connection)
            case .removeAll: memory.removeAll()
            case .addToken, .removeToken:
                throw AgentError("tokens of PKCS #11 are not supported by this agent; ssh itself can load the library")
            case .lock(let passphrase):
                let salt = dependencies.randomBytes(32)
                try lock.withLock { lock throws(AgentError) in try lock.lock(passphrase, salt: salt) }
            case .unlock(let passphrase):
                let time = dependencies.uptime() / 100
                try lock.withLock { lock throws(AgentError) in try lock.unlock(passphrase, at: time) }
            case .bindSession(let contents): return bind(contents, &connection)
            case .query: return .extensions(AgentRequest.extensions)
            case .unknownExtension: throw AgentError("the extension is not supported")
            case .unknown: throw AgentError("the request is not supported")
            }
            return .success
        } catch {
            return refusal(error, connection)
        }
    }

    private func refusal(_ error: AgentError, _ connection: AgentConnection) -> AgentReply {
        dependencies.report("A request of \(connection.client) was refused: \(error).")
        return .failure
    }

    // MARK: Keys

    /// Returns the keys that a client may see, each once.
    private func list(_ connection: AgentConnection) -> [ListedIdentity] {
        var listed: [ListedIdentity] = []
        var blobs: Set<[UInt8]> = []
        var size = 0
        for store in stores(connection) {
            for key in keys(of: store, connection) where isVisible(key, connection) {
                guard blobs.insert(key.publicKey.blob).inserted else { continue }
                size += 8 + key.publicKey.blob.count + key.comment.count
                guard listed.count < AgentReply.identityLimit, size < MessageLimits.message - 5 else {
                    dependencies.report("The list for \(connection.client) does not contain all keys: it is too long.")
                    return listed
                }
                listed.append(ListedIdentity(key: key.publicKey.blob, comment: key.comment))
            }
        }
        return listed
    }

    func stores(_ connection: AgentConnection) -> [any AgentKeys] {
        [memory] + (connection.keptKeys.map { [$0] } ?? [])
    }

    /// Returns the keys of a store. Without the keychain, the other keys are still listed.
    private func keys(of store: any AgentKeys, _ connection: AgentConnection) -> [AgentKey] {
        do throws(AgentError) {
            return try store.keys()
        } catch {
            dependencies.report("The keys for \(connection.client) cannot be listed: \(error).")
            return []
        }
    }

    private func isVisible(_ key: AgentKey, _ connection: AgentConnection) -> Bool {
        do throws(AgentError) {
            try checkVisibility(key, connection)
            return true
        } catch {
            return false
        }
    }

    /// Throws an error if the constraints of a key do not admit its use through the connection.
    private func checkVisibility(_ key: AgentKey, _ connection: AgentConnection) throws(AgentError) {
        do throws(MessageError) {
            try key.destinations?.admit(connection.sessions, user: nil, at: dependencies.time())
        } catch {
            throw AgentError(error)
        }
    }

    private func add(_ identity: NewIdentity, _ connection: AgentConnection) throws(AgentError) {
        let provider = try identity.constraints.securityKeyProvider.map { name throws(AgentError) in
            try self.provider(name, connection)
        }
        try memory.add(
            identity, lifetime: identity.constraints.lifetime ?? options.lifetime, provider: provider ?? nil
        ) { key throws(AgentError) in try checkVisibility(key, connection) }
    }

    /// Returns the path of a library for security keys; nil for the helper's own.
    private func provider(_ name: String, _ connection: AgentConnection) throws(AgentError) -> String? {
        guard name.lowercased() != "internal" else { return nil }
        guard !connection.sessions.isRemote || options.allowsRemoteProviders else {
            throw AgentError("a client on another machine may not name a library for security keys")
        }
        guard let path = dependencies.absolutePath(name) else {
            throw AgentError("there is no file with the name of the library for security keys")
        }
        guard Pattern.list(options.allowedProviders, admits: path) else {
            throw AgentError("the library for security keys is not in a folder that option -P allows")
        }
        return path
    }

    private func remove(_ blob: [UInt8], _ connection: AgentConnection) throws(AgentError) {
        guard let key = memory.key(blob) else { throw AgentError("no key in memory has this public key") }
        try checkVisibility(key, connection)
        guard memory.remove(key) else { throw AgentError("the key was removed") }
    }

    private func bind(_ contents: [UInt8], _ connection: inout AgentConnection) -> AgentReply {
        do throws(MessageError) {
            try connection.sessions.bind(contents)
            return .success
        } catch {
            dependencies.report("\(connection.client) could not bind its connection to a session: \(error).")
            return .extensionFailure
        }
    }
}

/// The state of a client's connection.
public struct AgentConnection: Sendable {
    /// The client, as prompts and the log name it.
    public let client: String
    /// The client's process; nil if it cannot be inspected.
    public let process: Int32?
    /// The path of the client's program; nil if it is not known.
    public let program: String?
    /// The keys in the keychain, as this client sees them; nil if the client cannot be identified.
    public var keptKeys: (any AgentKeys)?
    public internal(set) var sessions = ConnectionSessions()

    public init(
        client: String, process: Int32? = nil, program: String? = nil, keptKeys: (any AgentKeys)? = nil
    ) {
        self.client = client
        self.process = process
        self.program = program
        self.keptKeys = keptKeys
    }
}
