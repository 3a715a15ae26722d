// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPlatform
internal import KeychainPolicy
public import KeychainSealing
public import KeychainStore
internal import KeychainWire
public import SecretMemory
internal import Synchronization

/// Locks and unlocks the keychain, counts failed entries, and changes its protectors.
///
/// A process identifier names the process that requested the operation; 0 is the service.
///
/// Locking never waits. Checks of secrets run one at a time: each is counted before the secret is verified.
public final class LockController: Sendable {
    private struct Idle: Sendable {
        var seconds: UInt64
        var lastUse: UInt64
    }

    let store: ItemStore
    /// The ledger of failed entries.
    public let ledger: AttemptLedger
    let changes: ChangeFeed
    private let isFile: Bool
    private let clock: MonotonicClock
    private let minimumCost: ScryptCost
    private let allowsEmptyPasscode: Bool
    let log: @Sendable (String) -> Void
    /// Held while a secret is checked or the keybag is changed.
    private let turn = Mutex(Turn())
    private let idle: Mutex<Idle>
    /// The state of biometry, which decides whether a finger counts as an alternative to the passcode.
    let biometryGate = BiometryGate()
    private let wake: @Sendable () -> Void
    /// Called when the keychain was locked.
    private let locked = Callback<Void>()
    /// Called when the passcode was entered, with the key that it opened.
    private let passcodeGiven = Callback<KeybagKey>()
    /// Called when the key that the passcode opened must no longer be kept.
    private let passcodeGone = Callback<Void>()

    /// The state that is shared by the turns.
    struct Turn {
        /// The key that the passcode opened in this turn.
        var passcodeKey: KeybagKey?
    }

    /// Creates the controller.
    ///
    /// - Parameters:
    ///   - ledger: the ledger of failed entries; nil: in the store itself, which is the user's own keychain.
    ///   - wallClock: the clock for dates, and for delays across a restart of the service.
    ///   - clock: the clock for all other times; it must continue while the machine sleeps.
    ///   - minimumCost: the minimum cost of a passcode, except in tests.
    ///   - allowsEmptyPasscode: whether the passcode may be empty, as the passwords of keychain files may be.
    ///   - log: receives messages for administrators. Never contains secrets.
    ///   - wake: called, from any thread, when a deadline has become earlier, so that ``lockIfIdle()`` has to be called
    ///     again.
    public init(
        _ store: ItemStore, ledger: AttemptLedger? = nil, changes: ChangeFeed,
        wallClock: @escaping @Sendable () -> Timestamp, clock: MonotonicClock,
        minimumCost: ScryptCost = .minimum, allowsEmptyPasscode: Bool = false,
        log: @escaping @Sendable (String) -> Void = { _ in }, wake: @escaping @Sendable () -> Void = {}
    ) {
        self.wake = wake
        self.minimumCost = minimumCost
        self.allowsEmptyPasscode = allowsEmptyPasscode
        self.store = store
        isFile = ledger != nil
        self.ledger = ledger ?? AttemptLedger(store, wallClock: wallClock, clock: clock, log: log)
        self.changes = changes
        self.clock = clock
        self.log = log
        let seconds = (try? store.settings())?[.idleLockSeconds] ?? 0
        idle = Mutex(Idle(seconds: seconds, lastUse: clock.nanoseconds()))
    }

    var isProtected: Bool { store.isProtected }

    /// The time in nanoseconds, by the monotonic clock.
    var now: UInt64 { clock.nanoseconds() }

    // MARK: Locking

    /// Wipes the keys of the classes that need an unlocked keychain. They are gone when this returns.
    ///
    /// - Returns: whether it was unlocked.
    @discardableResult
    public func lock(by processID: Int32 = 0) -> Bool {
        guard store.lock() else { return false }
        locked()
        announce(.locked, by: processID)
        return true
    }

    /// Unlocks with a secret.
    ///
    /// - Throws: `errSecAuthFailed` with the reason `wrongSecret`, `tooManyAttempts` or `noSuchProtector`;
    ///   `errSecInteractionNotAllowed` with `locked` if the keychain was locked again meanwhile.
    public func unlock(with secret: ProtectorSecret<SecretBytes>, by processID: Int32 = 0) throws(Refusal) {
        // Before the turn, so that a lock during the wait for other checks counts as well.
        let epoch = store.epoch
        let wasUnlocked = try takingTurn { turn throws(Refusal) in
            let keys = try openKeybag(with: secret, &turn).classKeys
            return try unlocking { () throws(StoreError) in store.unlock(with: keys, since: epoch) }
        }
        noteUnlock(wasUnlocked ? nil : .unlocked, by: processID)
    }

    /// Unlocks with the key that the passcode opened earlier.
    ///
    /// - Parameter epoch: the value of ``ItemStore/epoch`` when the prompt was shown.
    /// - Throws: `errSecInteractionNotAllowed` with `locked` if the keychain was locked again since then;
    ///   `errSecAuthFailed` with `wrongSecret` for a key that is no longer valid.
    func unlock(with key: KeybagKey, since epoch: UInt64, by processID: Int32) throws(Refusal) {
        let wasUnlocked = try takingTurn { _ throws(Refusal) in
            try unlocking { () throws(StoreError) in try store.unlock(with: key, since: epoch) }
        }
        noteUnlock(wasUnlocked ? nil : .unlocked, by: processID)
    }

    /// Unlocks the store.
    ///
    /// - Parameter body: returns false if the keychain was locked again meanwhile.
    /// - Returns: whether it was unlocked before.
    private func unlocking(_ body: () throws(StoreError) -> Bool) throws(Refusal) -> Bool {
        let wasUnlocked = store.lockState == .unlocked
        guard try refusing(body) else { throw Refusal(.interactionNotAllowed, .locked) }
        return wasUnlocked
    }

    private func noteUnlock(_ kind: KeychainNotice.Kind?, by processID: Int32) {
        noteUse()
        reschedule()
        announce(kind, by: processID)
    }

    /// Verifies a secret. A wrong secret is counted like any other.
    ///
    /// - Throws: as ``unlock(with:by:)``.
    public func verify(_ secret: ProtectorSecret<SecretBytes>) throws(Refusal) {
        try takingTurn { turn throws(Refusal) in _ = try openKeybag(with: secret, &turn) }
    }

    /// Reports the current state to the watchers, because another thread may have changed it again meanwhile.
    func announce(_ kind: KeychainNotice.Kind?, by processID: Int32) {
        changes.publish(store.lockState, after: kind, by: processID)
    }

    // MARK: Protectors

    /// Sets or changes the passcode.
    ///
    /// The proof must open the keychain now; it is required if a passcode is set.
    ///
    /// - Throws: `errSecParam` with the reason `unusableSecret`; as ``unlock(with:by:)``.
    func setPasscode(
        _ passcode: SecretBytes, proof: ProtectorSecret<SecretBytes>?, by processID: Int32 = 0
    ) throws(Refusal) {
        let secret = ProtectorSecret(.passcode, passcode)
        try checkUsable(secret)
        let isFirst = try takingTurn { turn throws(Refusal) in
            guard store.isProtected else {
                turn.passcodeKey = try refusing { () throws(StoreError) in
                    try store.setFirstPasscode(passcode.bytes, cost: calibratedCost())
                }
                biometryGate.notePasscode()
                return true
            }
            guard let proof else { throw Refusal(.authenticationFailed, .proofRequired) }
            _ = try add(secret, label: "", try openKeybag(with: proof, &turn).key)
            return false
        }
        log(isFirst ? "a passcode was set" : "the passcode was changed")
        if isFirst {
            noteUse()
            reschedule()
            announce(.passwordChanged, by: processID)
        } else {
            changes.publish(.passwordChanged, by: processID)
        }
    }

    /// Removes the passcode.
    ///
    /// - Throws: as ``unlock(with:by:)``.
    func removePasscode(proof: ProtectorSecret<SecretBytes>, by processID: Int32) throws(Refusal) {
        try takingTurn { turn throws(Refusal) in
            let key = try openKeybag(with: proof, &turn).key
            try refusing { () throws(StoreError) in try store.removePasscode(with: key) }
            turn.passcodeKey = nil
        }
        notePasscodeGone()
        log("the passcode and all other protectors were removed")
        announce(.passwordChanged, by: processID)
    }

    /// Adds a protector.
    ///
    /// - Returns: the number of the protector.
    /// - Throws: as ``setPasscode(_:proof:by:)``.
    func addProtector(
        _ secret: ProtectorSecret<SecretBytes>, label: String, proof: ProtectorSecret<SecretBytes>
    ) throws(Refusal) -> UInt32 {
        guard secret.kind != .passcode, secret.kind != .deviceKey else { throw Refusal(.parameter, .noSuchProtector) }
        try checkUsable(secret)
        let number = try takingTurn { turn throws(Refusal) in
            try add(secret, label: label, try openKeybag(with: proof, &turn).key)
        }
        log("a protector was added: \(secret.kind.name)")
        return number
    }

    /// Removes a protector.
    ///
    /// - Throws: as ``unlock(with:by:)``; `errSecItemNotFound` with the reason `noSuchProtector`.
    func removeProtector(_ number: UInt32, proof: ProtectorSecret<SecretBytes>) throws(Refusal) {
        try takingTurn { turn throws(Refusal) in
            _ = try openKeybag(with: proof, &turn)
            try refusing { () throws(StoreError) in try store.removeProtector(number) }
        }
        log("a protector was removed: number \(number)")
    }

    func report() throws(Refusal) -> ProtectorReport {
        try takingTurn { _ throws(Refusal) in
            let (failed, delay) = try ledger.state(of: guessable(.passcode))
            return ProtectorReport(
                protectors: store.protectors, failedAttempts: failed,
                retryAfterSeconds: AttemptDelay.wholeSeconds(delay))
        }
    }

    func add(
        _ secret: ProtectorSecret<SecretBytes>, label: String, _ key: KeybagKey
    ) throws(Refusal) -> UInt32 {
        try refusing { () throws(StoreError) in
            try store.addProtector(
                ProtectorSecret(secret.kind, secret.bytes.bytes), label: label,
                cost: secret.kind.isChosenByPeople ? calibratedCost() : minimumCost, with: key)
        }
    }

    func checkUsable(_ secret: ProtectorSecret<SecretBytes>) throws(Refusal) {
        let isText = secret.kind.isChosenByPeople
        let sizes = allowsEmptyPasscode ? secret.kind.sealableSizes : secret.kind.secretSizes
        let isUsable = secret.bytes.withSpan { bytes in
            guard sizes.contains(bytes.count) else { return false }
            guard isText else { return true }
            // No other text could be typed again.
            return (try? UTF8Span(validating: bytes)) != nil && bytes.indices.allSatisfy { bytes[$0] != 0 }
        }
        guard isUsable else { throw Refusal(.parameter, .unusableSecret) }
    }

    // MARK: Attempts

    typealias OpenKeybag = (key: KeybagKey, classKeys: UnlockedClassKeys)

    /// Opens the keybag: counts the entry first, then verifies it.
    func openKeybag(with secret: ProtectorSecret<SecretBytes>, _ turn: inout Turn) throws(Refusal) -> OpenKeybag {
        guard secret.kind.isChosenByPeople else { return try look(secret) }
        var start: UInt64 = 0
        let opened = try ledger.checking(
            [guessable(secret.kind)], failure: { $0 }, isWrong: { $0.reason == .wrongSecret }
        ) {
            () throws(Refusal) in
            start = clock.nanoseconds()
            return try look(secret)
        }
        if secret.kind == .passcode {
            biometryGate.notePasscode()
            turn.passcodeKey = opened.key
        }
        strengthen(secret, opened.key, took: .nanoseconds(Int64(clamping: clock.nanoseconds() - start)))
        return opened
    }

    /// Returns the secret under which the entries of a protector are counted.
    private func guessable(_ kind: ProtectorKind) -> GuessableSecret {
        isFile ? .file(keybag: store.keybagIdentifier, kind) : .protector(kind)
    }

    func look(_ secret: ProtectorSecret<SecretBytes>) throws(Refusal) -> OpenKeybag {
        try refusing { () throws(StoreError) in
            try store.openKeybag(with: ProtectorSecret(secret.kind, secret.bytes.bytes))
        }
    }

    // MARK: Cost

    /// Returns the cost that takes about the configured time, on this machine now.
    func calibratedCost() throws(StoreError) -> ScryptCost {
        let took: UInt64
        do throws(SealingError) {
            took = try minimumCost.rehearse(with: store.deviceKey) { clock.nanoseconds() }
        } catch {
            throw .inputOutput
        }
        return minimumCost.scaled(
            to: targetTime, measured: .nanoseconds(Int64(clamping: took)), atLeast: minimumCost)
    }

    /// Wraps the key again if guessing has become too cheap: it took less than half of the intended time. The result
    /// does not affect the caller that gave the secret.
    private func strengthen(_ secret: ProtectorSecret<SecretBytes>, _ key: KeybagKey, took: Duration) {
        guard let cost = store.cost(of: secret.kind) else { return }
        let wanted = cost.scaled(to: targetTime, measured: took, atLeast: minimumCost)
        guard wanted.work >= 2 * cost.work,
            let old = store.protectors.first(where: { $0.kind == secret.kind })
        else { return }
        do throws(StoreError) {
            _ = try store.addProtector(
                ProtectorSecret(secret.kind, secret.bytes.bytes), label: old.label, cost: wanted, with: key,
                inPlaceOf: old)
            log("the key derivation of the \(secret.kind.name) was strengthened")
        } catch {
            log("cannot strengthen the key derivation of the \(secret.kind.name): \(error)")
        }
    }

    // MARK: Idle time

    /// Records the use of an item.
    func noteUse() {
        idle.withLock { idle in
            guard idle.seconds > 0 else { return }
            idle.lastUse = clock.nanoseconds()
        }
    }

    /// Locks after this many seconds without use from now on; 0: never.
    func lockAfter(idleSeconds: UInt64) {
        idle.withLock { $0 = Idle(seconds: idleSeconds, lastUse: clock.nanoseconds()) }
        reschedule()
    }

    /// Locks if the keychain was not used for the configured time.
    ///
    /// - Returns: the time until this has to be called again; nil if nothing is due.
    public func lockIfIdle() -> Duration? {
        guard store.lockState == .unlocked else { return nil }
        let rest: UInt64? = idle.withLock { idle in
            guard idle.seconds > 0 else { return nil }
            let (now, end) = (clock.nanoseconds(), idle.lastUse + idle.seconds * 1_000_000_000)
            return end > now ? end - now : 0
        }
        guard let rest else { return nil }
        guard rest == 0 else { return .nanoseconds(Int64(clamping: rest)) }
        if lock() { log("locked, because the keychain was idle") }
        return nil
    }

    /// Whether ending the service would lose no unlocked keys, so that no user has to enter a secret again.
    public var holdsNoUnlockedKeys: Bool {
        switch store.lockState {
        case .noPasscode, .beforeFirstUnlock, .awaitingPIN: true
        case .locked, .unlocked: false
        }
    }

    /// Sets the function that is called after each lock.
    ///
    /// - Parameter body: called from any thread.
    func whenLocked(_ body: @escaping @Sendable () -> Void) { locked.set(body) }

    /// Sets the functions for entries of the passcode.
    ///
    /// - Parameters:
    ///   - given: called each time the passcode was entered, from any thread, with the key that it opened.
    ///   - gone: called when that key is no longer valid.
    func whenPasscodeIsGiven(
        _ given: @escaping @Sendable (KeybagKey) -> Void, gone: @escaping @Sendable () -> Void
    ) {
        passcodeGiven.set(given)
        passcodeGone.set(gone)
    }

    /// Reports that the key that the passcode opened must no longer be kept.
    func notePasscodeGone() { passcodeGone() }

    func reschedule() { wake() }

    // MARK: -

    func takingTurn<R: Sendable>(_ body: (inout Turn) throws(Refusal) -> R) throws(Refusal) -> R {
        let (result, key): (Result<R, Refusal>, KeybagKey?) = turn.withLock { turn in
            defer { turn.passcodeKey = nil }
            do throws(Refusal) {
                let result = try body(&turn)
                return (.success(result), turn.passcodeKey)
            } catch {
                return (.failure(error), turn.passcodeKey)
            }
        }
        // After the turn was released, because the callback may take a while.
        if let key { passcodeGiven(key) }
        return try result.get()
    }

    func refusing<R>(_ body: () throws(StoreError) -> R) throws(Refusal) -> R {
        do throws(StoreError) { return try body() } catch { throw error.refusal }
    }
}
