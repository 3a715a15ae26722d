// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import Logging
internal import Synchronization

/// The keychains of all users of a system: each is opened when its user first asks, and closed when nobody has used it
/// for long. What is wrong with one concerns nobody but its user.
final class UserKeychains: Sendable {
    struct Limits: Sendable {
        /// Keychains that are open at once. When one more is wanted, the one that nobody has used longest is closed: rather
        /// one that loses nothing. When all are in use, the new one has to wait.
        var open = 64
        /// A keychain without connections is closed after this time, if closing loses nothing.
        var idle: Duration = .seconds(600)
        /// One that cannot be opened is not tried again before.
        var retry: Duration = .seconds(5)
    }

    /// One user's place. Whoever opens or closes its keychain holds `state`; the others of this user wait for that.
    fileprivate final class Place: Sendable {
        enum State {
            case closed
            case open(OpenKeychain)
            case failed(at: UInt64)
        }

        let state = Mutex(State.closed)
    }

    private struct Entry {
        let place = Place()
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
    /// Runs a closure elsewhere; false if it will not.
    private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
    /// Held for moments only, and never while waiting for a place: in whatever holds a place, this comes second.
    private let entries = Mutex<[UInt32: Entry]>([:])
    private let wake = Callback<Void>()

    /// - Parameters:
    ///   - agents: who asks users for this service; nil for nobody.
    ///   - tokens: what keeps private keys, in processes of each user's own.
    ///   - policy: of the machine.
    ///   - biometry: the reader of a user's fingers, for that user's keychain.
    ///   - ownerAuthority: by whom a user authorizes what no passcode proves, called for each user's keychain.
    init(
        _ directories: SystemDirectories, protections: [String], agents: PromptAgents? = nil,
        tokens: TokenPrograms = .none, biometry: @escaping @Sendable (UInt32) -> BiometryReader = { _ in .none },
        policy: MachinePolicy = .none, ownerAuthority: @escaping @Sendable () -> OwnerAuthority? = { nil },
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
        self.ownerAuthority = ownerAuthority
        self.logger = logger
        self.limits = limits
        self.clock = clock
    }

    var source: KeychainSource {
        KeychainSource(
            agents: agents, begin: { [self] caller throws(Refusal) in .open(try begin(caller)) },
            end: { [self] in end($0.userID) })
    }

    /// - Parameter body: called, from any thread, when ``housekeeping()`` has to be asked again.
    func whenRescheduled(_ body: @escaping @Sendable () -> Void) { wake.set(body) }

    // MARK: Connections

    private func begin(_ caller: Caller) throws(Refusal) -> Pipeline {
        let user = caller.userID
        // A program that nobody could identify gets nothing, and so must not make keychains either: in user namespaces of
        // its own, it has tens of thousands of user numbers.
        guard caller.tier != .unidentified || FileIdentity(path: directories.keychain(of: user).databasePath) != nil
        else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        let (place, victim) = try reserve(user)
        if let victim { close(victim) }
        do throws(Refusal) {
            let (keychain, isNew) = try open(place, of: user)
            // The first snapshot, and what else is due, is the loop's to begin: not before the place is free again.
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
    /// - Returns: the user's place, and whose keychain has to make room.
    private func reserve(_ user: UInt32) throws(Refusal) -> (Place, victim: UInt32?) {
        let result: (Place, UInt32?)? = entries.withLock { entries in
            if let entry = entries[user] {
                entries[user]?.connections += 1
                return (entry.place, nil)
            }
            var victim: UInt32?
            if entries.count >= limits.open {
                victim = longestIdle(in: entries)
                guard victim != nil else { return nil }
            }
            var entry = Entry(idleSince: clock.nanoseconds())
            entry.connections = 1
            entries[user] = entry
            return (entry.place, victim)
        }
        guard let result else { throw Refusal(.notAvailable, .tooManyConnections) }
        return result
    }

    private func longestIdle(in entries: [UInt32: Entry]) -> UInt32? {
        let idle = entries.filter { $0.value.connections == 0 }
        let cheap = idle.filter { $0.value.place.losesNothingWhenClosed }
        return (cheap.isEmpty ? idle : cheap).min { $0.value.idleSince < $1.value.idleSince }?.key
    }

    private func open(_ place: Place, of user: UInt32) throws(Refusal) -> (OpenKeychain, isNew: Bool) {
        let result: Result<(OpenKeychain, isNew: Bool), Refusal> = place.state.withLock { state in
            switch state {
            case .open(let keychain): return .success((keychain, false))
            case .failed(let time) where clock.nanoseconds() < time + limits.retry.nanoseconds: break
            case .failed, .closed:
                do throws(StartFailure) {
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

    private func open(_ user: UInt32) throws(StartFailure) -> OpenKeychain {
        let folder = directories.keychain(of: user)
        do throws(DirectoryError) {
            try folder.prepare()
        } catch {
            throw StartFailure("\(error)", hint: nil)
        }
        let logger = logger
        let log: @Sendable (Logger.Level, String) -> Void = { level, text in
            logger.log(level: level, "user \(user): \(text)")
        }
        let keychain = try OpenKeychain(
            folder, prompter: agents?.prompter(for: user) ?? .nobody, biometry: biometry(user),
            // One that waits for a PIN would need a door (KeychainDoor), which nothing here has.
            tokens: KeychainTokens(tokens, of: folder, keepingDeviceKey: false, log: { log(.notice, $0) }),
            policy: policy, ownerAuthority: ownerAuthority(), protections: protections, log: log,
            wake: { [weak self] in self?.wake() })
        keychain.checkContents()
        return keychain
    }

    // MARK: Closing

    /// Does what is due for each open keychain, and closes those that nobody needs.
    ///
    /// - Returns: how long until this has to be called again; nil if nothing is planned.
    func housekeeping() -> Duration? {
        let now = clock.nanoseconds()
        var next: [Duration] = []
        for (user, entry) in entries.withLock({ $0 }) {
            // Somebody opens or closes it at this moment, and says so afterwards.
            guard let keychain = entry.place.keychainIfReady else { continue }
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
        entries.withLock { $0 }.values.allSatisfy { $0.place.losesNothingWhenClosed }
    }

    /// Closes all of them, when no connection is left.
    func closeAll() {
        for (_, entry) in entries.withLock({ $0 }) { entry.place.close() }
        entries.withLock { $0 = [:] }
    }

    /// Closes the keychain of a user, unless somebody connected meanwhile.
    private func close(_ user: UInt32) {
        guard let place = entries.withLock({ $0[user]?.place }) else { return }
        // Who connects now counts first and waits for the place then.
        place.close { entries.withLock { $0[user]?.connections == 0 } }
        entries.withLock { entries in
            // Somebody may have opened it again.
            if entries[user]?.connections == 0, place.isClosed { entries[user] = nil }
        }
    }
}

extension UserKeychains.Place {
    /// The keychain, if it is open and nobody is about to change that.
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
