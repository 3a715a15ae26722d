// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Keychain
public import KeychainClient
public import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainServer
internal import KeychainStore
internal import SecretMemory
internal import Synchronization

/// A keychain in memory for tests: the service's own code from the request pipeline down, without a process, a socket or
/// a file.
///
/// ```swift
/// let memory = try InMemoryKeychain()
/// let keychain = memory.keychain                      // to pass to what takes a UserKeychain
/// try await memory.run {
///     // SecItemAdd, UserKeychain() and everything else of the client modules use `memory` in here.
/// }
/// ```
///
/// It stores generic and internet passwords with all that the real one does: access groups, synchronizable items,
/// persistent references, text matching, changes.
public final class InMemoryKeychain: Sendable {
    /// The program that ``keychain`` and ``run(_:)`` play.
    public let client: KeychainClient

    private let pipeline: Pipeline
    private let lock: LockController
    private let files: FileKeychains?
    private let surroundings: Surroundings
    private let faults = Faults()
    private let scripted = ScriptedPerson()

    /// A new, empty keychain.
    ///
    /// - Parameters:
    ///   - accessGroups: of the program that uses it. None plays a program that cannot be identified, which gets
    ///     `errSecMissingEntitlement`.
    ///   - now: the time of day, until ``setTime(_:)`` says another. Time does not pass by itself.
    ///   - keychainFolder: where keychains are that are files, which are real ones; nil: there are none. The test removes it.
    /// - Throws: ``KeychainTestingError`` if no database can be made in memory.
    public init(
        accessGroups: [String] = ["tests"], now: Timestamp = Timestamp(secondsSinceReferenceDate: 800_000_000),
        keychainFolder: String? = nil
    ) throws(KeychainTestingError) {
        let surroundings = Surroundings(now)
        do {
            let storage = PlainKeyStorage()
            let time: @Sendable () -> Timestamp = { surroundings.now }
            let store = try ItemStore(
                at: .memory, deviceKey: try DeviceKey.generate(in: storage), keyStorage: storage,
                clock: time,
                makeIdentifier: { ItemIdentifier(bytes: (0..<16).map { _ in UInt8.random(in: 0...255) })! })
            let changes = ChangeFeed()
            let lock = LockController(
                store, changes: changes, wallClock: time, clock: MonotonicClock { surroundings.nanoseconds },
                // Nobody guesses at the passcode of a test.
                minimumCost: ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!)
            self.lock = lock
            let prompter = scripted.prompter
            let files = keychainFolder.map { folder in
                // Without the lists for all users, so that a test does not depend on the machine.
                FileKeychains(
                    folder: folder, sharedListsPath: folder + "/lists-for-all-users", deviceKey: store.deviceKey,
                    keyStorage: storage, prompter: prompter, ledger: lock.ledger, changes: changes, store: store,
                    wallClock: time, clock: MonotonicClock { surroundings.nanoseconds },
                    minimumCost: ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!)
            }
            self.files = files
            files?.removeUnfinished()
            pipeline = Pipeline(
                ServiceState(
                    store: store, changes: changes, lock: lock,
                    // Nothing here is worth guessing at, so backups need not take long.
                    jobs: BackupJobs(
                        clock: MonotonicClock { surroundings.nanoseconds },
                        cost: ScryptCost(logN: 8, blockSize: 8, parallelism: 1)!),
                    prompter: scripted.prompter, biometry: scripted.biometry, secureElement: .inMemory, files: files,
                    clock: time,
                    audit: { surroundings.audit($0) }))
        } catch {
            throw KeychainTestingError(description: "cannot make a keychain in memory: \(error)")
        }
        self.surroundings = surroundings
        client = KeychainClient(InProcessTransport(pipeline, Self.caller(accessGroups), faults))
    }

    /// A new, empty keychain in which it is a certain time, until ``setTime(_:)`` says another.
    ///
    /// - Throws: ``KeychainTestingError`` if no database can be made in memory.
    public convenience init(accessGroups: [String] = ["tests"], now: Date) throws(KeychainTestingError) {
        try self.init(
            accessGroups: accessGroups, now: Timestamp(secondsSinceReferenceDate: now.timeIntervalSinceReferenceDate))
    }

    // MARK: Using it

    /// This keychain, as the program sees it.
    public var keychain: UserKeychain { UserKeychain(client) }

    /// This keychain, as another program sees it. Programs that have an access group in common see each other's items
    /// in it.
    public func keychain(accessGroups: [String]) -> UserKeychain {
        UserKeychain(client(accessGroups: accessGroups))
    }

    /// Runs a closure in which the client modules use this keychain.
    public func run<R>(_ body: () throws -> R) rethrows -> R {
        try client.asCurrent(body)
    }

    /// Runs an asynchronous closure in which the client modules use this keychain.
    public func run<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        try await client.asCurrent(isolation: isolation, body)
    }

    /// Another program on the same keychain.
    public func client(accessGroups: [String]) -> KeychainClient {
        KeychainClient(InProcessTransport(pipeline, Self.caller(accessGroups), faults))
    }

    /// The command that comes with the service: it lists the attributes of all items.
    public func administrationClient() -> KeychainClient {
        KeychainClient(
            InProcessTransport(
                pipeline, Self.caller([CommandGroup.shared, CommandGroup.privateItems], isAdministrationTool: true),
                faults))
    }

    // MARK: Its lock

    /// Sets the first passcode, as its user would with the command line; the keychain is unlocked then.
    ///
    /// - Throws: `.invalidParameter` for a passcode that cannot be one; `.authenticationFailed` if there is one already.
    public func setPasscode(_ passcode: SecretData) async throws(KeychainError) {
        try await UserKeychain(administrationClient()).setFirstPasscode(passcode)
        scripted.know(passcode.withSpan { SecretBytes(copying: $0) })
    }

    /// Has a finger unlock the keychain from now on, or none, as its user would with the command line. The passcode that was set counts as
    /// given with it.
    ///
    /// - Throws: `.authenticationFailed` for another passcode.
    public func setUnlocksByFinger(_ unlocks: Bool, passcode: SecretData) async throws(KeychainError) {
        try await UserKeychain(administrationClient()).setUnlocksByFinger(unlocks, passcode: passcode)
    }

    /// Does what the service does by itself when time has passed: locks, if the keychain was not used for as long as it is
    /// set to wait.
    public func passTime() {
        _ = lock.lockIfIdle()
        _ = files?.housekeeping()
    }

    /// Closes the keychains that are files, as a service does when it ends. They are opened again when somebody asks for them.
    public func closeKeychainFiles() { files?.closeAll() }

    // MARK: Its person

    /// What the person does who is asked; at first there is nobody.
    public var person: TestPerson {
        get { scripted.person }
        set { scripted.person = newValue }
    }

    /// Its fingerprint reader; at first there is none.
    public var reader: TestReader {
        get { scripted.reader }
        set { scripted.reader = newValue }
    }

    /// What was asked so far.
    public var questions: [TestQuestion] { scripted.questions }

    // MARK: Its surroundings

    public func setTime(_ now: Timestamp) {
        surroundings.now = now
    }

    public func setTime(_ now: Date) {
        setTime(Timestamp(secondsSinceReferenceDate: now.timeIntervalSinceReferenceDate))
    }

    /// Refuses every call with this code from now on, whichever program makes it; nil lets calls through again.
    ///
    /// For what is hard to bring about: `.interactionNotAllowed` as of a locked keychain, `.diskFull`, and
    /// `.notAvailable` as if there were no service.
    public func refuseCalls(with code: KeychainError.Code?) {
        faults.refuseCalls(with: code.map { StatusCode(rawValue: $0.rawValue) })
    }

    /// Ends all streams of changes that are open with an error, as happens when the service is stopped.
    public func endChangeStreams() {
        faults.endStreams()
    }

    /// The lines of the audit log so far.
    public var auditLog: [String] { surroundings.auditLog }

    /// Whose keychain it plays.
    static let user: UInt32 = 1000

    private static func caller(_ accessGroups: [String], isAdministrationTool: Bool = false) -> Caller {
        Caller(
            userID: user, processID: 1, tier: accessGroups.isEmpty ? .unidentified : .unsigned,
            identity: isAdministrationTool
                ? .command : accessGroups.isEmpty ? .unidentified : .unsigned(digest: digest(of: accessGroups)),
            accessGroups: accessGroups, displayPath: "/test")
    }

    /// Programs of other groups are other programs. 32 bytes: the beginning of the groups' names.
    private static func digest(of accessGroups: [String]) -> [UInt8] {
        let names = Array(accessGroups.joined(separator: " ").utf8.prefix(32))
        return names + [UInt8](repeating: 0, count: 32 - names.count)
    }

    private final class Surroundings: Sendable {
        private let time: Mutex<Timestamp>
        private let lines = Mutex<[String]>([])

        init(_ now: Timestamp) {
            time = Mutex(now)
        }

        /// The other clock goes with this one.
        var nanoseconds: UInt64 { UInt64(max(now.secondsSinceReferenceDate, 0) * 1_000_000_000) }

        var now: Timestamp {
            get { time.withLock { $0 } }
            set { time.withLock { $0 = newValue } }
        }

        var auditLog: [String] { lines.withLock { $0 } }

        func audit(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
    }
}

/// A keychain for tests could not be made.
public struct KeychainTestingError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
