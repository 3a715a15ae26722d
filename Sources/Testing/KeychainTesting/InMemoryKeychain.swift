// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Keychain
package import KeychainClient
package import KeychainModel
internal import KeychainPlatform
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainServer
internal import KeychainStore
internal import SecretMemory
internal import Synchronization

/// A keychain in memory for tests: the service's own code from the request pipeline down, without a process, a socket
/// or a database file.
///
/// ```swift
/// let memory = try InMemoryKeychain()
/// let keychain = memory.keychain                      // to pass to what takes a UserKeychain
/// try await memory.run {
///     // SecItemAdd, UserKeychain() and everything else of the client modules use `memory` in here.
/// }
/// ```
///
/// It behaves as the real keychain does, with passwords, certificates, keys and identities: access groups,
/// synchronizable items, persistent references, text matching, access control, the passcode and lock states, changes,
/// the audit log and, if the test provides a folder, keychain files.
public final class InMemoryKeychain: Sendable {
    /// The client of the program that ``keychain`` and ``run(_:)`` represent.
    package let client: KeychainClient

    private let pipeline: Pipeline
    private let lock: LockController
    private let files: FileKeychains?
    private let environment: Environment
    private let faults = Faults()
    private let scripted = ScriptedPerson()

    /// Creates a new, empty keychain.
    ///
    /// - Parameters:
    ///   - accessGroups: the access groups of the program that uses it. An empty list represents a program that cannot
    ///     be identified, which receives `errSecMissingEntitlement`.
    ///   - now: the time of day, until ``setTime(to:)`` changes it. The clock does not advance automatically.
    ///   - keychainFolder: the folder of keychain files, which are real files; nil: keychain files are not supported.
    ///     The test deletes the folder.
    /// - Throws: ``KeychainTestingError`` if no database can be created in memory.
    public convenience init(
        accessGroups: [String] = ["tests"], now: Date = Date(timeIntervalSinceReferenceDate: 800_000_000),
        keychainFolder: String? = nil
    ) throws(KeychainTestingError) {
        try self.init(
            accessGroups: accessGroups, now: Timestamp(secondsSinceReferenceDate: now.timeIntervalSinceReferenceDate),
            keychainFolder: keychainFolder)
    }

    package init(
        accessGroups: [String] = ["tests"], now: Timestamp, keychainFolder: String? = nil
    ) throws(KeychainTestingError) {
        let environment = Environment(now)
        do {
            let storage = PlainKeyStorage()
            let time: @Sendable () -> Timestamp = { environment.now }
            let store = try ItemStore(
                at: .memory, deviceKey: try DeviceKey.generate(in: storage), keyStorage: storage,
                clock: time,
                makeIdentifier: { ItemIdentifier(bytes: (0..<16).map { _ in UInt8.random(in: 0...255) })! })
            let changes = ChangeFeed()
            let lock = LockController(
                store, changes: changes, wallClock: time, clock: MonotonicClock { environment.nanoseconds },
                // The passcode of a test needs no protection against guessing.
                minimumCost: ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!)
            self.lock = lock
            let prompter = scripted.prompter
            let files = keychainFolder.map { folder in
                // Without the lists for all users, so that a test does not depend on the machine.
                FileKeychains(
                    folder: folder, sharedListsPath: folder + "/lists-for-all-users", deviceKey: store.deviceKey,
                    keyStorage: storage, prompter: prompter, ledger: lock.ledger, changes: changes, store: store,
                    wallClock: time, clock: MonotonicClock { environment.nanoseconds },
                    minimumCost: ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!)
            }
            self.files = files
            files?.removeUnfinished()
            var dependencies = ServiceDependencies(store: store, changes: changes, lock: lock, clock: time)
            // Test data needs no protection against guessing, so backups can be fast.
            dependencies.jobs = BackupJobs(
                clock: MonotonicClock { environment.nanoseconds },
                cost: ScryptCost(logN: 8, blockSize: 8, parallelism: 1)!)
            dependencies.prompter = prompter
            dependencies.biometry = scripted.biometry
            dependencies.secureElement = .inMemory
            dependencies.files = files
            pipeline = Pipeline(ServiceState(dependencies) { environment.audit($0) })
        } catch {
            throw KeychainTestingError(description: "cannot create a keychain in memory: \(error)")
        }
        self.environment = environment
        client = KeychainClient(InProcessTransport(pipeline, Self.caller(accessGroups), faults))
    }

    // MARK: Using it

    /// This keychain, as the program sees it.
    public var keychain: UserKeychain { UserKeychain(client) }

    /// Returns this keychain, as another program sees it. Programs with a common access group see each other's items in
    /// it.
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

    /// Returns a client for another program on the same keychain.
    ///
    /// - Parameter isIdentified: whether the program is known; by default a program without groups is not.
    package func client(accessGroups: [String], isIdentified: Bool? = nil) -> KeychainClient {
        KeychainClient(InProcessTransport(pipeline, Self.caller(accessGroups, isIdentified: isIdentified), faults))
    }

    /// Returns the client of a bridge: another program, which reaches the keychain through a bridge.
    ///
    /// - Parameter isSandboxed: whether it is an application in a sandbox.
    package func bridgeClient(accessGroups: [String], isSandboxed: Bool = false) -> KeychainClient {
        let caller = Caller(
            userID: Self.user, processID: 1, tier: .unsigned,
            identity: isSandboxed
                ? .application(name: accessGroups.first ?? "") : .unsigned(digest: Self.digest(of: accessGroups)),
            accessGroups: accessGroups, displayPath: "/test",
            bridge: Bridge(displayPath: "/bridge", processID: 2, processStart: 1))
        return KeychainClient(InProcessTransport(pipeline, caller, faults))
    }

    /// Returns a client for the administration tool, which lists the attributes of all items.
    package func administrationClient() -> KeychainClient {
        KeychainClient(
            InProcessTransport(
                pipeline, Self.caller([CommandGroup.shared, CommandGroup.privateItems], isAdministrationTool: true),
                faults))
    }

    // MARK: Locking

    /// Sets the first passcode, as the user would on the command line. The keychain is then unlocked.
    ///
    /// - Throws: `.invalidParameter` for an invalid passcode; `.authenticationFailed` if a passcode is set already.
    public func setPasscode(_ passcode: SecretData) async throws(KeychainError) {
        try await UserKeychain(administrationClient()).administration.setFirstPasscode(passcode)
        scripted.know(passcode.withSpan { SecretBytes(copying: $0) })
    }

    /// Enables or disables unlock by fingerprint, as the user would on the command line with the current passcode.
    ///
    /// - Throws: `.authenticationFailed` for a wrong passcode.
    public func setUnlocksByFinger(_ unlocks: Bool, passcode: SecretData) async throws(KeychainError) {
        try await UserKeychain(administrationClient()).administration.setUnlocksByFinger(unlocks, passcode: passcode)
    }

    /// Performs the timed work of the service: locks the keychain if it was unused for the time that its settings
    /// define.
    public func passTime() {
        _ = lock.lockIfIdle()
        _ = files?.housekeeping()
    }

    /// Closes the keychain files, as a service does when it ends. The next request opens them again.
    public func closeKeychainFiles() { files?.closeAll() }

    // MARK: Scripted user

    /// The behaviour of the user at prompts; initially ``TestPerson/absent``.
    public var person: TestPerson {
        get { scripted.person }
        set { scripted.person = newValue }
    }

    /// The fingerprint reader; initially ``TestReader/none``.
    public var reader: TestReader {
        get { scripted.reader }
        set { scripted.reader = newValue }
    }

    /// The prompts so far.
    public var questions: [TestQuestion] { scripted.questions }

    // MARK: Environment

    /// Sets the time of day. The monotonic clock of the service follows it.
    public func setTime(to now: Date) {
        setTime(to: Timestamp(secondsSinceReferenceDate: now.timeIntervalSinceReferenceDate))
    }

    package func setTime(to now: Timestamp) {
        environment.now = now
    }

    /// Makes every call of every program fail with this code; nil ends that.
    ///
    /// For conditions that are difficult to create: `.interactionNotAllowed` as for a locked keychain, `.diskFull`, and
    /// `.notAvailable` as without a service.
    public func refuseCalls(with code: KeychainError.Code?) {
        faults.refuseCalls(with: code.map { StatusCode(rawValue: $0.rawValue) })
    }

    /// Ends all open streams of changes with an error, as when the service stops.
    public func endChangeStreams() {
        faults.endStreams()
    }

    /// The lines of the audit log so far.
    public var auditLog: [String] { environment.auditLog }

    /// The user that the keychain belongs to.
    static let user: UInt32 = 1000

    private static func caller(
        _ accessGroups: [String], isIdentified: Bool? = nil, isAdministrationTool: Bool = false
    ) -> Caller {
        let isIdentified = isIdentified ?? !accessGroups.isEmpty
        return Caller(
            userID: user, processID: 1, tier: isIdentified ? .unsigned : .unidentified,
            identity: isAdministrationTool
                ? .command : isIdentified ? .unsigned(digest: digest(of: accessGroups)) : .unidentified,
            accessGroups: accessGroups, displayPath: "/test")
    }

    /// Programs with other groups are other programs. 32 bytes: the beginning of the groups' names.
    private static func digest(of accessGroups: [String]) -> [UInt8] {
        let names = Array(accessGroups.joined(separator: " ").utf8.prefix(32))
        return names + [UInt8](repeating: 0, count: 32 - names.count)
    }

    private final class Environment: Sendable {
        private let time: Mutex<Timestamp>
        private let lines = Mutex<[String]>([])

        init(_ now: Timestamp) {
            time = Mutex(now)
        }

        /// The monotonic clock follows this clock.
        var nanoseconds: UInt64 { UInt64(max(now.secondsSinceReferenceDate, 0) * 1_000_000_000) }

        var now: Timestamp {
            get { time.withLock { $0 } }
            set { time.withLock { $0 = newValue } }
        }

        var auditLog: [String] { lines.withLock { $0 } }

        func audit(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
    }
}

/// The reason why a keychain for tests could not be created.
public struct KeychainTestingError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
