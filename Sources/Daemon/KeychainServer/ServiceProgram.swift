// SPDX-License-Identifier: Apache-2.0

public import KeychainEndpoint
internal import KeychainHelperWire
public import KeychainPlatform
internal import KeychainPolicy
internal import KeychainPrompting
public import Logging
public import SecretMemory
internal import Synchronization

/// The service from its start to its end: the implementation of `chatelained`.
public struct ServiceProgram {
    /// The users that the service serves.
    public enum Users: Sendable {
        /// The user who runs it.
        case user(InstanceDirectories)
        /// Every user of the machine.
        case system(SystemDirectories)
    }

    private let users: Users
    private let idleExit: Duration?
    private let logger: Logger

    /// Creates the program.
    ///
    /// - Parameter idleExit: the time without clients after which the service ends; only used with a socket of the
    ///   service manager, which starts the service again.
    public init(_ users: Users, idleExit: Duration?, logger: Logger) {
        self.users = users
        self.idleExit = idleExit
        self.logger = logger
    }

    /// Runs until SIGTERM or SIGINT, or idle. A user service also ends when its runtime folder is removed: no client can
    /// find its socket any more.
    ///
    /// - Parameters:
    ///   - credential: the text of a credential that unlocks the keychain; for a user service only.
    ///   - whenReady: called when clients can connect.
    public func run(
        adopted: ListeningSocket?, credential: consuming SecretBytes?, protections: [Protection], whenReady: () -> Void
    ) throws(StartError) {
        // Before any thread exists, so that no thread handles the signal by default.
        let signals = try starting { () throws(SystemCallError) in try TerminationSignals() }
        let policy = try MachinePolicy.ofThisMachine()
        switch users {
        case .user(let directories):
            try prepare { () throws(DirectoryError) in try directories.prepare() }
            let owner = Account.current().user
            let environment = OwnEnvironment.values(
                PromptPrograms.serviceVariables.union(FingerprintReader.variables).union(TokenPrograms.variables))
            let fingers = FingerprintReader(of: owner, environment: environment, clock: .live)
            let protections = protect(protections)
            let waking = Waking()
            let keychain = try open(
                directories.keychain, environment: environment, biometry: fingers.reader, policy: policy,
                protections: protections, waking: waking, credential: credential.take())
            // This thread waits from now on, and its stack contained key material.
            ProgramMemory.wipeStackAndRegisters()
            let listener = try listener(adopted, directories.socketPath, mode: 0o600)
            // The socket is the only file in the folder, and this service the only program that replaces it, just now.
            let removal = watchRemoval(of: directories.runtime)
            try serve(
                listener, signals, keychain.source, removal: removal, owner: owner,
                idleExit: adopted == nil ? nil : idleExit, mayEnd: { keychain.losesNothingWhenClosed },
                housekeeping: { keychain.housekeeping() },
                whenReady: { service in
                    waking.wake.set { [weak service] in service?.wake() }
                    whenReady()
                    logger.info("serving \(directories.socketPath)")
                    keychain.checkContents()
                })
            keychain.close()
            withExtendedLifetime((keychain, listener)) {}
        case .system(let directories):
            try prepare { () throws(DirectoryError) in try directories.prepare() }
            let instanceLock = try takeLock(directories)
            let protections = protect(protections + [.raisedDescriptorLimit()])
            let agentsLogger = logger
            let agents = PromptAgents(clock: .live) { agentsLogger.log(level: $0, "\($1)") }
            // The service runs only the programs beside it, and its environment is set by the administrator of the
            // machine.
            let environment = OwnEnvironment.values(
                TokenPrograms.systemVariables.union(FingerprintReader.systemVariables).union(PolkitAuthority.variables))
            let keychains = UserKeychains(
                directories, protections: protections, agents: agents,
                tokens: TokenPrograms(environment: environment),
                biometry: { user in
                    FingerprintReader(of: user, isOwnUser: false, environment: environment, clock: .live).reader
                }, policy: policy, isSubordinate: { SubordinateUsers.contain($0) },
                ownerAuthority: { PolkitAuthority(environment: environment).authority },
                logger: logger)
            let listener = try listener(adopted, directories.socketPath, mode: 0o666)
            var limits = KeychainService.Limits()
            limits.shareAmongUsers()
            limits.connections *= 8
            try serve(
                listener, signals, keychains.source, removal: nil, owner: nil, limits: limits,
                idleExit: adopted == nil ? nil : idleExit, mayEnd: { keychains.loseNothingWhenClosed },
                housekeeping: { keychains.housekeeping() },
                whenReady: { service in
                    keychains.whenRescheduled { [weak service] in service?.wake() }
                    whenReady()
                    logger.info("serving all users at \(directories.socketPath)")
                })
            keychains.closeAll()
            withExtendedLifetime((instanceLock, listener)) {}
        }
    }

    /// Opens a user's keychain. Never inlined, because the frame of its caller exists as long as the service runs.
    @inline(never)
    private func open(
        _ folder: KeychainFolder, environment: [String: String], biometry: BiometryReader, policy: MachinePolicy,
        protections: [String], waking: Waking, credential: consuming SecretBytes?
    ) throws(StartError) -> PersonalKeychain {
        let logger = logger
        let keychain = try PersonalKeychain(
            folder,
            .init(
                prompter: Self.prompter(environment), biometry: biometry,
                tokens: TokenPrograms(environment: environment), policy: policy, protections: protections,
                log: { logger.log(level: $0, "\($1)") },
                wake: { waking.wake() }))
        if let text = credential.take() { keychain.unlock(withCredentialText: text) }
        return keychain
    }

    private func serve(
        _ listener: ListeningSocket, _ signals: TerminationSignals, _ keychains: KeychainSource,
        removal: FolderRemoval?, owner: UInt32?,
        limits: KeychainService.Limits = .init(), idleExit: Duration?, mayEnd: () -> Bool,
        housekeeping: () -> Duration?, whenReady: (KeychainService) -> Void
    ) throws(StartError) {
        let identifier = CallerIdentifier.live(
            commandPath: Self.pathBeside("chatelaine"),
            agentPath: keychains.agents == nil ? nil : Self.pathBeside("chatelaine-agent"),
            bridgePaths: ProgramRules.bridgeNames.compactMap(Self.pathBeside), owner: owner)
        var limits = limits
        limits.fit(descriptors: ProcessHardening.descriptorLimit)
        let service = try starting { () throws(SystemCallError) in
            try KeychainService(keychains, identifier: identifier, limits: limits)
        }
        ProgramMemory.releaseStartPages()
        whenReady(service)
        let reason = try starting { () throws(SystemCallError) in
            try service.run(
                on: listener, until: [signals.descriptor] + (removal.map { [$0.descriptor] } ?? []), idleExit: idleExit,
                mayEnd: mayEnd,
                housekeeping: housekeeping, log: { logger.warning("\($0)") })
        }
        logger.info(
            reason == .idle
                ? "stopping because no client is connected"
                : "stopping because of a termination signal, or because the runtime folder was removed")
        withExtendedLifetime(removal) {}
    }

    /// Returns the watch; nil, with a line in the log, if the kernel has no more of them.
    private func watchRemoval(of folder: String) -> FolderRemoval? {
        do throws(SystemCallError) {
            return try FolderRemoval(of: folder)
        } catch {
            logger.warning("the service will not end by itself if \(folder) is removed: \(error)")
            return nil
        }
    }

    /// Returns the prompter with the programs beside a user service. The system service runs where no user's screen can
    /// be reached: agents in users' sessions show its prompts.
    private static func prompter(_ environment: [String: String]) -> Prompter {
        PromptQueue(
            clock: .live, ownDisplay: PromptLocation(terminal: nil, terminalKind: nil, environment).display,
            prompters: [PromptPrograms(environment: environment).show]
        ).prompter
    }

    /// Drops privileges that a process with keys does not need. Helper programs inherit the dropped privileges, and
    /// have none of the capabilities that the service keeps, because those are neither ambient nor inheritable.
    ///
    /// - Returns: the protections to report in `status`.
    private func protect(_ earlier: [Protection]) -> [String] {
        if PageSource.memfdSecretIsAvailable { SecretArena.shared.takePages(from: .memfdSecret) }
        let protections =
            earlier + [
                .forbidNewPrivileges(), .forbidSystemCalls(), .secretPages(),
            ]
        for protection in protections { logger.log(level: protection.level, "\(protection)") }
        return protections.map(\.description)
    }

    private func prepare(_ body: () throws(DirectoryError) -> Void) throws(StartError) {
        do throws(DirectoryError) { try body() } catch { throw StartError("\(error)", hint: nil) }
    }

    private func takeLock(_ directories: SystemDirectories) throws(StartError) -> InstanceLock {
        do throws(InstanceLock.Error) {
            return try InstanceLock(path: directories.lockPath)
        } catch {
            switch error {
            case .held(let pid):
                let who = pid.map { "process \($0)" } ?? "another process"
                throw StartError(
                    "\(who) already serves \(directories.runtime)", hint: nil, isAlreadyRunning: true)
            case .system(let error):
                throw StartError(
                    "\(directories.lockPath): \(error)",
                    hint: "\(directories.runtime) must belong to the service's user")
            }
        }
    }

    private func listener(
        _ adopted: ListeningSocket?, _ path: String, mode: UInt32
    ) throws(StartError) -> ListeningSocket {
        if let adopted { return adopted }
        do throws(ListeningSocket.Error) {
            return try ListeningSocket(bindingTo: path, mode: mode)
        } catch {
            throw StartError("cannot listen at \(path): \(error)", hint: nil)
        }
    }

    /// Returns the path of another program beside this one's own file.
    private static func pathBeside(_ name: String) -> String? {
        guard let own = OwnExecutable.path, let slash = own.lastIndex(of: "/") else { return nil }
        return own[...slash] + name
    }

    private func starting<R>(_ body: () throws(SystemCallError) -> R) throws(StartError) -> R {
        do throws(SystemCallError) { return try body() } catch { throw StartError("\(error)", hint: nil) }
    }
}

/// Wakes the loop of a service that does not exist yet when the callback is passed on.
private final class Waking: Sendable {
    let wake = Callback<Void>()
}

/// One measure to protect the keys of the process, and whether the kernel allowed it.
public struct Protection: Sendable, CustomStringConvertible {
    public let description: String
    /// The log level: a warning if, without the measure, a property that SECURITY.md promises does not hold.
    let level: Logger.Level

    private init(_ name: String, _ outcome: ProcessHardening.Effect) {
        switch outcome {
        case .applied: (description, level) = (name + ": on", .debug)
        case .notSupported: (description, level) = (name + ": not supported", .notice)
        case .refused(let error): (description, level) = (name + ": refused (\(error))", .warning)
        }
    }

    public static func resetCrashSignals() -> Protection {
        Protection("crashes left to the kernel", ProcessHardening.resetCrashSignals())
    }

    public static func disableCoreDumps() -> Protection {
        Protection("no core dumps, not dumpable", ProcessHardening.disableCoreDumps())
    }

    /// Returns the protection by wiped memory.
    ///
    /// - Parameter isOn: whether the program's allocator overwrites freed memory.
    public static func wipedMemory(isOn: Bool) -> Protection {
        Protection(
            "freed memory overwritten",
            isOn ? .applied : .notSupported(SystemCallError(call: "malloc_usable_size", code: 0)))
    }

    /// Checks the account of the system service: its user is not a user of the machine, and its capabilities are the
    /// two that identifying callers requires. Drops all others.
    ///
    /// - Throws: as root, and without the two capabilities.
    public static func systemAccount() throws(StartError) -> Protection {
        let needed: Capabilities = [.inspectAnyProcess, .readAnyFile, .leaseAnyFile]
        let hint = "start the system service with systemd, as root: systemctl start chatelaine.socket"
        guard Account.current().user != 0 else {
            throw StartError("the system service does not run as root; it needs a separate user", hint: hint)
        }
        let permitted: Capabilities
        do throws(SystemCallError) {
            permitted = try .permitted()
            try permitted.intersection(needed).keepOnly()
        } catch {
            throw StartError("\(error)", hint: nil)
        }
        let missing = needed.subtracting(permitted)
        guard missing.isEmpty else {
            throw StartError(
                "the system service cannot identify its callers without \(missing.names.joined(separator: ", "))",
                hint: hint)
        }
        return Protection("only \(needed.names.joined(separator: ", "))", .applied)
    }

    static func raisedDescriptorLimit() -> Protection {
        Protection("raised descriptor limit", ProcessHardening.raiseDescriptorLimit())
    }

    static func forbidNewPrivileges() -> Protection {
        Protection("no new privileges", ProcessHardening.forbidNewPrivileges())
    }

    static func forbidSystemCalls() -> Protection {
        Protection("system call filter", ProcessHardening.forbidSystemCalls(allowingPrograms: true))
    }

    static func secretPages() -> Protection {
        PageSource.memfdSecretIsAvailable
            ? Protection("keys in memfd_secret pages", .applied)
            : Protection("keys in memfd_secret pages", .notSupported(SystemCallError(call: "memfd_secret", code: 0)))
    }
}
