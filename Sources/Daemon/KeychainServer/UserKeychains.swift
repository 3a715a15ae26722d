// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import Logging
internal import Synchronization

/// The keychains of all users of a system: each is opened on its user's first request, and closed after it was not used
/// for long. An error in one affects only its user.
final class UserKeychains: Sendable {
    struct Limits: Sendable {
        /// The maximum number of open keychains. To open one more, the keychain unused for the longest time is closed,
        /// preferably a keychain that loses nothing. If all are in use, the new one has to wait.
        var open = 64
        /// A keychain without connections is closed after this time, if closing loses nothing.
        var idle: Duration = .seconds(600)
        /// The time before a keychain that could not be opened is tried again.
        var retry: Duration = .seconds(5)
    }

    /// One user's slot. The thread that opens or closes its keychain holds `state`; other threads of this user wait for
    /// it.
    fileprivate final class Slot: Sendable {
        enum State {
            case closed
            case open(OpenKeychain)
            case failed(at: UInt64)
        }

        let state = Mutex(State.closed)
    }

    private struct Entry {
        let slot = Slot()
        var connections = 0
        var idleSince: UInt64
    }

    private let directories: SystemDirectories
    private let limits: Limits
    private let clock: MonotonicClock
    private let logger: Logger
    private let protections: [String]
    private let agents: PromptAgents?
    private let tokens: TokenPrograms
    private let biometry: @Sendable (_ user: UInt32) -> BiometryReader
    private let policy: MachinePolicy
    private let ownerAuthority: @Sendable () -> OwnerAuthority?
    private let isSubordinate: @Sendable (_ user: UInt32) -> Bool
    /// Runs a closure on another thread; returns false if it cannot.
    private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
    /// Held only briefly, and never while waiting for a slot: a thread that holds a slot takes this lock second.
    private let entries = Mutex<[UInt32: Entry]>([:])
    private let wake = Callback<Void>()

    /// Creates the set of keychains.
    ///
    /// - Parameters:
    ///   - agents: show prompts to users for this service; nil for no prompts.
    ///   - tokens: hold private keys, in separate processes for each user.
    ///   - policy: the policy of the machine.
    ///   - biometry: returns the fingerprint reader for a user's keychain.
    ///   - isSubordinate: returns whether a user number is one of many that a user of the machine has. Such numbers have
    ///     no keychain and no connection.
    ///   - ownerAuthority: returns the authority with which a user authorizes what no passcode proves, called for each
    ///     user's keychain.
    init(
        _ directories: SystemDirectories, protections: [String], agents: PromptAgents? = nil,
        tokens: TokenPrograms = .none, biometry: @escaping @Sendable (UInt32) -> BiometryReader = { _ in .none },
        policy: MachinePolicy = .none,
        isSubordinate: @escaping @Sendable (_ user: UInt32) -> Bool = { _ in false },
        ownerAuthority: @escaping @Sendable () -> OwnerAuthority? = { nil },
        logger: Logger,
        limits: Limits = Limits(),
        clock: MonotonicClock = .includingSleep,
        start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { SystemThread.start($0) }
    ) {
        self.start = start
        self.directories = directories
        self.protections = protections
        self.agents = agents
        self.tokens = tokens
        self.biometry = biometry
        self.policy = policy
        self.isSubordinate = isSubordinate
        self.ownerAuthority = ownerAuthority
        self.logger = logger
        self.limits = limits
        self.clock = clock
    }

    var source: KeychainSource {
        KeychainSource(
            agents: agents, serves: { [self] user in !isSubordinate(user) },
            begin: { [self] caller throws(Refusal) in .open(try begin(caller)) },
            end: { [self] in end($0.userID) })
    }

    /// Sets the function that is called when a deadline has become earlier.
    ///
    /// - Parameter body: called, from any thread, when ``housekeeping()`` has to be called again.
    func whenRescheduled(_ body: @escaping @Sendable () -> Void) { wake.set(body) }

    // MARK: Connections

    private func begin(_ caller: Caller) throws(Refusal) -> Pipeline {
        let user = caller.userID
        // An unidentified program is refused all requests, so it must not create keychains either: in its own user
        // namespaces it has tens of thousands of user numbers.
        guard caller.tier != .unidentified || FileIdentity(path: directories.keychain(of: user).databasePath) != nil
        else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        let (slot, victim) = try reserve(user)
        if let victim { close(victim) }
        do throws(Refusal) {
            let (keychain, isNew) = try open(slot, of: user)
            // The loop begins the first snapshot and other due work, after the slot is released.
            if isNew { wake() }
            return keychain.pipeline
        } catch {
            end(user)
            throw error
        }
    }

    private func end(_ user: UInt32) {
        entries.withLock { entries in
            entries[user]?.connections -= 1
            entries[user]?.idleSince = clock.nanoseconds()
        }
        wake()
    }

    /// Counts the connection, so that the user's keychain is not closed from now on.
    ///
    /// - Returns: the user's slot, and the user whose keychain has to be closed.
    private func reserve(_ user: UInt32) throws(Refusal) -> (Slot, victim: UInt32?) {
        let result: (Slot, UInt32?)? = entries.withLock { entries in
            if let entry = entries[user] {
                entries[user]?.connections += 1
                return (entry.slot, nil)
            }
            var victim: UInt32?
            if entries.count >= limits.open {
                victim = longestIdle(in: entries)
                guard victim != nil else { return nil }
            }
            var entry = Entry(idleSince: clock.nanoseconds())
            entry.connections = 1
            entries[user] = entry
            return (entry.slot, victim)
        }
        guard let result else { throw Refusal(.notAvailable, .tooManyConnections) }
        return result
    }

    private func longestIdle(in entries: [UInt32: Entry]) -> UInt32? {
        let idle = entries.filter { $0.value.connections == 0 }
        let cheap = idle.filter { $0.value.slot.losesNothingWhenClosed }
        return (cheap.isEmpty ? idle : cheap).min { $0.value.idleSince < $1.value.idleSince }?.key
    }

    private func open(_ slot: Slot, of user: UInt32) throws(Refusal) -> (OpenKeychain, isNew: Bool) {
        let result: Result<(OpenKeychain, isNew: Bool), Refusal> = slot.state.withLock { state in
            switch state {
            case .open(let keychain): return .success((keychain, false))
            case .failed(let time) where clock.nanoseconds() < time + limits.retry.nanoseconds: break
            case .failed, .closed:
                do throws(StartError) {
                    let keychain = try open(user)
                    state = .open(keychain)
                    return .success((keychain, true))
                } catch {
                    logger.error("the keychain of user \(user) cannot be opened: \(error)")
                    state = .failed(at: clock.nanoseconds())
                }
            }
            return .failure(Refusal(.notAvailable, .storeUnavailable))
        }
        return try result.get()
    }

    private func open(_ user: UInt32) throws(StartError) -> OpenKeychain {
        let folder = directories.keychain(of: user)
        do throws(DirectoryError) {
            try folder.prepare()
        } catch {
            throw StartError("\(error)", hint: nil)
        }
        let logger = logger
        let log: @Sendable (Logger.Level, String) -> Void = { level, text in
            logger.log(level: level, "user \(user): \(text)")
        }
        let wake: @Sendable () -> Void = { [weak self] in self?.wake() }
        let keychain = try OpenKeychain(
            folder, prompter: agents?.prompter(for: user) ?? .unavailable, biometry: biometry(user),
            // A keychain that waits for a PIN would need a door (KeychainDoor), which the system service does not have.
            tokens: KeychainTokens(
                tokens, of: folder, keepingDeviceKey: false, log: { log(.notice, $0) }, wake: wake),
            policy: policy, ownerAuthority: ownerAuthority(), protections: protections, log: log,
            wake: wake)
        keychain.checkContents()
        return keychain
    }

    // MARK: Closing

    /// Does due work for each open keychain, and closes unused ones.
    ///
    /// - Returns: the time until this has to be called again; nil if nothing is planned.
    func housekeeping() -> Duration? {
        let now = clock.nanoseconds()
        var next: [Duration] = []
        for (user, entry) in entries.withLock({ $0 }) {
            // Another thread opens or closes it at this moment, and wakes the loop afterwards.
            guard let keychain = entry.slot.keychainIfReady else { continue }
            if let duty = keychain.housekeeping() { next.append(duty) }
            guard entry.connections == 0, keychain.losesNothingWhenClosed else { continue }
            let end = entry.idleSince + limits.idle.nanoseconds
            if now < end {
                next.append(.nanoseconds(Int64(clamping: end - now)))
            } else if !start({ [self] in close(user) }) {
                next.append(limits.retry)
            }
        }
        return next.min()
    }

    /// Whether ending the service loses nothing.
    var loseNothingWhenClosed: Bool {
        entries.withLock { $0 }.values.allSatisfy { $0.slot.losesNothingWhenClosed }
    }

    /// Closes all keychains, after the last connection ended.
    func closeAll() {
        for (_, entry) in entries.withLock({ $0 }) { entry.slot.close() }
        entries.withLock { $0 = [:] }
    }

    /// Closes the keychain of a user, unless a client connected meanwhile.
    private func close(_ user: UInt32) {
        guard let slot = entries.withLock({ $0[user]?.slot }) else { return }
        // A client that connects now is counted first and then waits for the slot.
        slot.close { entries.withLock { $0[user]?.connections == 0 } }
        entries.withLock { entries in
            // Another thread may have opened it again.
            if entries[user]?.connections == 0, slot.isClosed { entries[user] = nil }
        }
    }
}

extension UserKeychains.Slot {
    /// The keychain, if it is open and no thread is about to change that.
    fileprivate var keychainIfReady: OpenKeychain? {
        let keychain: OpenKeychain?? = state.withLockIfAvailable { state in
            if case .open(let keychain) = state { keychain } else { nil }
        }
        return keychain ?? nil
    }

    fileprivate var isClosed: Bool {
        state.withLockIfAvailable { state in if case .open = state { false } else { true } } ?? false
    }

    /// Whether closing it loses nothing.
    fileprivate var losesNothingWhenClosed: Bool {
        state.withLockIfAvailable { state in
            if case .open(let keychain) = state { keychain.losesNothingWhenClosed } else { true }
        } ?? false
    }

    fileprivate func close(if mayClose: () -> Bool = { true }) {
        state.withLock { state in
            guard mayClose() else { return }
            if case .open(let keychain) = state { keychain.close() }
            state = .closed
        }
    }
}
