// SPDX-License-Identifier: Apache-2.0

public import DBus
public import DBusMessages
internal import Dispatch
public import SecretService
internal import Synchronization

/// The objects of the Secret Service on a bus.
///
/// A client is a connection. Its program is identified at its first call, by a pidfd that the bus provides, or by its
/// process number, if that process started before the connection was seen. A client without calls, sessions and prompts
/// gives way to a new one when there are too many.
public final class SecretServiceProvider: ObjectSource {
    /// The name that clients look for.
    public static let name: BusName = "org.freedesktop.secrets"
    /// The path below which ``SecretServiceProvider`` is exported.
    public static let parent: ObjectPath = "/org/freedesktop"

    /// What the provider needs from its program.
    public struct Dependencies: Sendable {
        /// Opens the storage for the process that a pidfd names.
        public var openStorage: @Sendable (Descriptor) throws(StorageError) -> any SecretStorage
        /// Opens a process as a pidfd; nil if it does not exist.
        public var openProcess: @Sendable (UInt32) -> NumberedProcess?
        public var randomBytes: @Sendable (Int) -> [UInt8]
        /// Runs a closure on a thread of its own; returns false if there is none. It waits for changes for hours.
        public var startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
        /// Takes a sentence for the log. It contains no secret and no attribute.
        public var report: @Sendable (String) -> Void

        public init(
            openStorage: @escaping @Sendable (Descriptor) throws(StorageError) -> any SecretStorage,
            openProcess: @escaping @Sendable (UInt32) -> NumberedProcess?,
            randomBytes: @escaping @Sendable (Int) -> [UInt8],
            startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool,
            report: @escaping @Sendable (String) -> Void
        ) {
            self.openStorage = openStorage
            self.openProcess = openProcess
            self.randomBytes = randomBytes
            self.startThread = startThread
            self.report = report
        }
    }

    let server: BusServer
    let dependencies: Dependencies
    private let session: SessionCollection
    private let prompts = PromptSupply()
    let connections = ConnectionSupply()
    private let clients = Mutex<[BusName: Client]>([:])
    private let changes = ChangeWatch()
    let lists = Mutex(ItemLists())
    private let lastNumber = Mutex<UInt64>(0)

    /// - Parameters:
    ///   - server: the server on which the program exports the provider below ``parent``.
    ///   - session: the items in memory.
    ///   - dependencies: what the provider needs from its program.
    public init(_ server: BusServer, session: SessionCollection, _ dependencies: Dependencies) {
        self.server = server
        self.session = session
        self.dependencies = dependencies
    }

    /// A number for a session or a prompt, unique in this process.
    func nextNumber() -> UInt64 {
        lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    // MARK: Objects

    public func findObject(at path: ObjectPath, for sender: BusName, _ reply: Reply<(any BusObject)?>) {
        guard let name = ObjectName(path) else { return reply.succeed(nil) }
        reply.answer {
            let client = try client(sender)
            switch name {
            case .service: return ServiceObject(provider: self, client: client)
            case .collection(let id): return CollectionObject(provider: self, client: client, name: .id(id))
            case .alias(let alias): return CollectionObject(provider: self, client: client, name: .alias(alias))
            case .item(let id): return ItemObject(provider: self, client: client, id: id)
            // Objects of other clients do not exist for this one.
            case .session(let number):
                guard client.session(number) != nil else { throw MethodError.noSession(path) }
                return SessionObject(client: client, number: number)
            case .prompt(let number):
                guard client.hasPrompt(number) else { throw MethodError.noSuchObject }
                return PromptObject(provider: self, client: client, number: number)
            }
        }
    }

    public func listChildren(of path: ObjectPath, for sender: BusName, _ reply: Reply<[String]>) {
        let root = ObjectName.root.rawValue
        @Sendable func names(_ paths: [ObjectPath]) -> [String] {
            paths.map { String($0.rawValue.split(separator: "/").last ?? "") }
        }
        switch path.rawValue {
        case Self.parent.rawValue: return reply.succeed(["secrets"])
        case root: return reply.succeed(["aliases", "collection"])
        case root + "/aliases": return reply.succeed(["default", "login", "session"])
        default: break
        }
        reply.answerLater {
            let client = try self.client(sender)
            if path.rawValue == root + "/collection" {
                client.perform(reply) { storage in
                    names(try storage.collections().map { ObjectName.collection($0.id).path })
                }
            } else if case .collection(let id)? = ObjectName(path) {
                client.perform(reply) { storage in
                    names(try storage.items(in: id, limit: nil).map { ObjectName.item($0).path })
                }
            } else {
                reply.succeed([])
            }
        }
    }

    // MARK: Clients

    /// Returns the client of a connection. Called by the thread of the server alone.
    private func client(_ name: BusName) throws -> Client {
        if let client = clients.withLock({ $0[name] }) {
            // From the second call on: programs that make one have ended before a change.
            if client.hasStorage { changes.begin(with: client, for: self) }
            return client
        }
        let client = Client(
            name,
            identify: { [weak self] name throws(StorageError) in
                guard let self else { throw .unavailable("The provider has ended.") }
                return try identify(name)
            },
            open: { [dependencies, session] process throws(StorageError) in
                ClientStorage(base: try dependencies.openStorage(process), session: session)
            },
            complete: { [weak self] name, number, isDismissed, result in
                // Fails only if the bus is gone, or does not read.
                try? self?.server.emit(
                    "Completed", [.boolean(isDismissed), .variant(result)], of: PromptObject.description,
                    at: ObjectName.prompt(number).path, to: name)
            })
        clients.withLock { $0[name] = client }
        do {
            client.keep(try watch(name))
        } catch {
            clients.withLock { $0[name] = nil }
            throw MethodError.limitsExceeded("Too many clients are connected.")
        }
        return client
    }

    /// The clients with whose rights the storage can be watched.
    var watchingClients: [Client] { clients.withLock { $0.values.filter(\.hasStorage) } }

    /// Watches a connection. If too many are watched, an idle client gives way.
    private func watch(_ name: BusName) throws(BusError) -> NameWatch {
        let end: @Sendable () -> Void = { [weak self] in
            guard let self, let client = clients.withLock({ $0.removeValue(forKey: name) }) else { return }
            client.end()
            changes.end(client)
        }
        do throws(BusError) {
            return try server.watch(name, end)
        } catch {
            guard error == .limitExceeded else { throw error }
            let others = clients.withLock { Array($0.values) }
            guard let idle = others.first(where: { $0.name != name && $0.isIdle }) else { throw error }
            clients.withLock { $0[idle.name] = nil }
            idle.end()
            changes.end(idle)
            return try server.watch(name, end)
        }
    }

    private func identify(_ name: BusName) throws(StorageError) -> ConnectionSupply.Share {
        let process: ConnectedProcess?
        do throws(BusError) {
            process = try server.process(of: name, open: dependencies.openProcess)
        } catch {
            process = nil
        }
        guard let process else {
            throw .unavailable("The bus does not name the process of the client, or the process has ended.")
        }
        return try connections.share(process)
    }

    // MARK: The run

    /// How the service of the name ended.
    public enum End: Hashable, Sendable {
        /// Another program owns the name and was not replaced.
        case nameIsTaken
        /// The server was stopped.
        case stopped
    }

    /// Requests the name, and serves until the server is stopped. No program takes the name from this provider on the bus.
    ///
    /// - Parameters:
    ///   - connection: for this thread alone.
    ///   - replaces: whether to take the name from its owner. An owner that does not allow this keeps it, unless
    ///     `endOwner` ends it.
    ///   - endOwner: ends the process of this number if it is a provider of the same kind; returns whether it has ended.
    /// - Throws: as ``BusServer/run(on:onSignal:)``, and `.refused` if the bus forbids the name.
    public func serve(
        on connection: BusConnection, replaces: Bool, endOwner: (UInt32) -> Bool = { _ in false }
    ) throws(BusError) -> End {
        guard try Self.takesName(connection, replaces ? .replaceExisting : .doNotQueue, endOwner) else {
            return .nameIsTaken
        }
        try server.run(on: connection)
        return .stopped
    }

    /// Ends the provider that owns the name, so that the name is free.
    ///
    /// - Parameter endOwner: as for ``serve(on:replaces:endOwner:)``.
    /// - Returns: whether the name is free.
    public static func freeName(
        on connection: BusConnection, endOwner: (UInt32) -> Bool
    ) throws(BusError) -> Bool {
        guard try takesName(connection, [], endOwner) else { return false }
        _ = try connection.perform(.releaseName(name))
        return true
    }

    private static func takesName(
        _ connection: BusConnection, _ flags: MessageBus.NameFlags, _ endOwner: (UInt32) -> Bool
    ) throws(BusError) -> Bool {
        switch try connection.perform(.name(name, flags)) {
        case .primaryOwner, .alreadyOwner: return true
        case .exists: return false
        case .inQueue: break
        }
        // The bus gives the name to this connection as soon as its owner has ended.
        if try isFreed(connection, endOwner) { return true }
        _ = try connection.perform(.releaseName(name))
        return false
    }

    /// Ends the owner of the name, and returns whether the bus then gives the name to this connection.
    private static func isFreed(
        _ connection: BusConnection, _ endOwner: (UInt32) -> Bool
    ) throws(BusError) -> Bool {
        if let owner = try connection.owner(of: name), owner != connection.uniqueName {
            guard let process = try connection.perform(.credentials(of: owner)).processID, endOwner(process) else {
                return false
            }
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while let next = try connection.next(until: deadline, or: nil) {
            if NameEvent(next.message) == .acquired(name) { return true }
        }
        return false
    }

    /// Gives up the name, and stops the server when the calls that have arrived are answered. A call may wait for a prompt,
    /// so the server stops after five seconds in any case.
    public func stop() {
        let queue = DispatchQueue.global()
        queue.async { [self] in
            // The bus passes on all calls to the name before it answers. An error means that the bus is gone.
            _ = try? server.perform(.releaseName(Self.name))
            for client in clients.withLock({ Array($0.values) }) { client.waitForCalls() }
            server.stop()
        }
        queue.asyncAfter(deadline: .now() + .seconds(5)) { [server] in server.stop() }
    }

    // MARK: Operations that may need a prompt

    /// Tries an operation without a prompt. If it needs one, the client gets a prompt object that repeats the operation
    /// with prompts allowed.
    ///
    /// - Parameters:
    ///   - byteCount: the bytes of the client's arguments that the operation keeps.
    ///   - dismissed: the result of a prompt that was dismissed.
    ///   - operation: returns the result of the prompt.
    /// - Returns: the result, nil if a prompt is needed; and the path of the prompt, `/` for none.
    func attempt(
        _ client: Client, _ storage: ClientStorage, keeping byteCount: Int = 0, dismissed: Value,
        _ operation: @escaping @Sendable (ClientStorage, Interaction) throws(StorageError) -> Value
    ) throws -> (result: Value?, prompt: Value) {
        do throws(StorageError) {
            return (try operation(storage, .none), .objectPath(ObjectName.none))
        } catch .locked {
            let number = try addPrompt(client, keeping: byteCount, dismissed: dismissed, operation)
            return (nil, .objectPath(ObjectName.prompt(number).path))
        }
    }

    /// Adds a prompt of the client, and returns its number.
    ///
    /// - Parameter dismissed: as for ``Client/addPrompt(_:_:dismissed:_:)``.
    func addPrompt(
        _ client: Client, keeping byteCount: Int = 0, dismissed: Value?,
        _ run: @escaping @Sendable (ClientStorage, Interaction) throws(StorageError) -> Value
    ) throws(MethodError) -> UInt64 {
        let number = nextNumber()
        try client.addPrompt(number, prompts.share(byteCount), dismissed: dismissed, run)
        return number
    }
}

extension Reply {
    /// Runs code that answers later; its error is the answer.
    fileprivate func answerLater(_ body: () throws -> Void) {
        do { try body() } catch { fail(error) }
    }
}
