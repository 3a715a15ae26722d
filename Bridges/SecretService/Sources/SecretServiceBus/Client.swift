// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages
internal import Dispatch
internal import SecretService
internal import Synchronization

/// A client: its sessions, its prompts, and its view of the storage. All of them end with its connection.
final class Client: Sendable {
    /// The bounds of one client.
    enum Limits {
        static let sessions = 256
        static let prompts = 64
    }

    /// A prompt that the client may start.
    private struct Prompt {
        /// Runs with prompts allowed, and returns the result.
        let run: @Sendable (ClientStorage, Interaction) throws(StorageError) -> Value
        /// The result of a prompt that was dismissed; nil for the prompt of a call that waits for its answer.
        let dismissed: Value?
        let share: PromptSupply.Share
        let cancellation = Cancellation()
        var isRunning = false
    }

    private struct State {
        var hasEnded = false
        /// Nil until the first call.
        var process: ConnectionSupply.Share?
        var storage: ClientStorage?
        /// The calls without an answer, and other code that waits for its turn.
        var waitingCount = 0
        var sessions: [UInt64: SessionCipher] = [:]
        var prompts: [UInt64: Prompt] = [:]
        var watch: NameWatch?
    }

    let name: BusName
    private let identify: @Sendable (BusName) throws(StorageError) -> ConnectionSupply.Share
    private let open: @Sendable (Descriptor) throws(StorageError) -> ClientStorage
    private let complete: @Sendable (BusName, UInt64, _ dismissed: Bool, Value) -> Void
    private let state = Mutex(State())
    /// Handles the calls in the order in which they arrived, so that clients do not wait for each other.
    private let queue = DispatchQueue(label: "org.chatelaine.secrets.client")

    /// - Parameters:
    ///   - name: the unique name of the connection.
    ///   - identify: finds the process of the client, and counts the connection. It is called again after a failure.
    ///   - open: opens the storage for the process that a pidfd names. It is called again after a failure.
    ///   - complete: announces the end of a prompt.
    init(
        _ name: BusName,
        identify: @escaping @Sendable (BusName) throws(StorageError) -> ConnectionSupply.Share,
        open: @escaping @Sendable (Descriptor) throws(StorageError) -> ClientStorage,
        complete: @escaping @Sendable (BusName, UInt64, Bool, Value) -> Void
    ) {
        self.name = name
        self.identify = identify
        self.open = open
        self.complete = complete
    }

    func keep(_ watch: NameWatch) {
        // A client that has ended meanwhile needs no watch.
        state.withLock { state in
            if !state.hasEnded { state.watch = watch }
        }
    }

    /// Ends sessions, prompts and the view of the storage.
    func end() {
        let (process, storage, prompts, watch) = state.withLock { state in
            state.hasEnded = true
            defer {
                state.process = nil
                state.storage = nil
                state.prompts = [:]
                state.sessions = [:]
                state.watch = nil
            }
            return (state.process, state.storage, state.prompts, state.watch)
        }
        for prompt in prompts.values { prompt.cancellation.cancel() }
        storage?.close()
        withExtendedLifetime((process, watch)) {}
    }

    /// Whether the client has no call without an answer, no session and no prompt, so that its next call can create it
    /// again.
    var isIdle: Bool {
        state.withLock { $0.waitingCount == 0 && $0.sessions.isEmpty && $0.prompts.isEmpty }
    }

    /// Whether the storage was opened.
    var hasStorage: Bool { state.withLock { $0.storage != nil } }

    // MARK: Calls

    /// Handles a call after the earlier calls of the client.
    func perform<Success: Sendable>(
        _ reply: Reply<Success>, _ body: @escaping @Sendable (ClientStorage) throws -> Success
    ) {
        enqueue(reply) { [self] in try body(try storage()) }
    }

    /// Handles a call that needs no storage after the earlier calls of the client. The first call identifies the process.
    func enqueue<Success: Sendable>(
        _ reply: Reply<Success>, _ body: @escaping @Sendable () throws -> Success
    ) {
        enqueue { [self] in
            do {
                _ = try process()
                reply.succeed(try body())
            } catch {
                reply.fail(MethodError(secretService: error))
            }
        }
    }

    /// Runs code after the calls that have arrived.
    func enqueue(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.waitingCount += 1 }
        queue.async { [self] in
            body()
            state.withLock { $0.waitingCount -= 1 }
        }
    }

    /// Waits until the calls that have arrived are answered.
    func waitForCalls() { queue.sync {} }

    /// Returns the process. Called by one call at a time.
    private func process() throws(StorageError) -> Descriptor {
        if let process = state.withLock(\.process) { return process.pidfd }
        let process = try identify(name)
        let isConnected = state.withLock { state in
            if !state.hasEnded { state.process = process }
            return !state.hasEnded
        }
        guard isConnected else { throw .unavailable("The client has disconnected.") }
        return process.pidfd
    }

    /// Returns the view of the storage. Called by one call at a time.
    func storage() throws(StorageError) -> ClientStorage {
        if let storage = state.withLock(\.storage) { return storage }
        let storage = try open(try process())
        let isOpen = state.withLock { state in
            if state.hasEnded { return false }
            state.storage = storage
            return true
        }
        guard isOpen else {
            storage.close()
            throw .unavailable("The client has disconnected.")
        }
        return storage
    }

    // MARK: Sessions

    /// Throws `LimitsExceeded`.
    func add(_ cipher: SessionCipher, _ number: UInt64) throws(MethodError) {
        try state.withLock { state throws(MethodError) in
            guard state.sessions.count < Limits.sessions else {
                throw .limitsExceeded("The client has \(Limits.sessions) sessions. Close sessions first.")
            }
            if !state.hasEnded { state.sessions[number] = cipher }
        }
    }

    func session(_ number: UInt64) -> SessionCipher? { state.withLock { $0.sessions[number] } }

    func closeSession(_ number: UInt64) { state.withLock { $0.sessions[number] = nil } }

    /// Returns the session at a path. Throws `NoSession` for a path that is no session of this client.
    func session(at path: ObjectPath) throws(MethodError) -> SessionCipher {
        guard case .session(let number)? = ObjectName(path), let cipher = session(number) else {
            throw .noSession(path)
        }
        return cipher
    }

    // MARK: Prompts

    /// Adds a prompt, which the client must start. Throws `LimitsExceeded`.
    ///
    /// - Parameters:
    ///   - share: the prompt's share of what all clients may keep.
    ///   - dismissed: the result that is announced if the prompt is dismissed; nil if nothing is announced, because a
    ///     call waits for the prompt.
    func addPrompt(
        _ number: UInt64, _ share: PromptSupply.Share, dismissed: Value?,
        _ run: @escaping @Sendable (ClientStorage, Interaction) throws(StorageError) -> Value
    ) throws(MethodError) {
        try state.withLock { state throws(MethodError) in
            guard state.prompts.count < Limits.prompts else {
                throw .limitsExceeded("The client has \(Limits.prompts) prompts that have not ended.")
            }
            if !state.hasEnded { state.prompts[number] = Prompt(run: run, dismissed: dismissed, share: share) }
        }
    }

    func hasPrompt(_ number: UInt64) -> Bool { state.withLock { $0.prompts[number] != nil } }

    /// Starts a prompt, which runs beside the calls of the client. A prompt that runs already is left alone.
    ///
    /// - Parameter report: takes the reason for a prompt that failed, which the client only sees as dismissed.
    func startPrompt(_ number: UInt64, report: @escaping @Sendable (StorageError) -> Void) {
        let started = state.withLock { state -> Prompt? in
            guard let prompt = state.prompts[number], !prompt.isRunning else { return nil }
            state.prompts[number]?.isRunning = true
            return prompt
        }
        guard let prompt = started else { return }
        // The thread of this queue waits for the user.
        DispatchQueue(label: "org.chatelaine.secrets.prompt").async { [self] in
            do throws(StorageError) {
                let result = try prompt.run(try storage(), .allowed(prompt.cancellation))
                finish(number, result)
            } catch {
                if error != .dismissed { report(error) }
                finish(number, nil)
            }
            // A dismissed prompt keeps its share until its operation has ended.
            withExtendedLifetime(prompt.share) {}
        }
    }

    /// Ends a prompt; a running one is cancelled.
    func dismissPrompt(_ number: UInt64) { finish(number, nil)?.cancel() }

    /// Announces the end of a prompt once, to the client alone.
    @discardableResult private func finish(_ number: UInt64, _ result: Value?) -> Cancellation? {
        guard let prompt = state.withLock({ $0.prompts.removeValue(forKey: number) }) else { return nil }
        if let dismissed = prompt.dismissed { complete(name, number, result == nil, result ?? dismissed) }
        return prompt.cancellation
    }
}
