// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import CWipingAllocator
internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainServer
internal import Logging
internal import SecretMemory

@main
struct Chatelained: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chatelained",
        abstract: "The keychain service, which alone holds keys and items.",
        discussion: """
            Programs that use the keychain start the service on demand, or systemd starts it by its socket. It serves \
            the instance that XDG_RUNTIME_DIR, XDG_DATA_HOME and XDG_CONFIG_HOME name, until SIGTERM.
            """,
        version: ProductVersion.current, subcommands: [SalvageMode.self, MigrateMode.self])

    @Flag(help: "Start the service in the background and end when it is ready.")
    var detach = false

    @Option(
        help: ArgumentHelp(
            "Seconds without a connection until the service ends; requires a start by a socket of systemd.",
            valueName: "seconds"
        ))
    var idleExit: Int = 300

    @Option(
        help: ArgumentHelp(
            "Descriptor with a credential that unlocks the keychain. Without it, the systemd credential "
                + "'\(Self.credentialName)' is used if it exists.", valueName: "number"))
    var credentialFd: Int32?

    @Flag(
        help: """
            Serve every user of the machine, with a separate user ID and three capabilities, as the system unit \
            chatelaine.service does.
            """)
    var system = false

    @OptionGroup var places: SystemPlaces

    @Flag(help: .hidden)
    var reportStart = false

    /// For `LoadCredentialEncrypted=` and similar settings.
    private static let credentialName = "chatelaine.unlock"

    static func main() {
        // This comes first: a crash must not write memory contents to a core dump.
        let protections = [
            Protection.resetCrashSignals(), .disableCoreDumps(), .wipedMemory(isOn: cwa_is_wiping() == 1),
        ]
        _ = ProcessHardening.ignoreBrokenPipes()
        do {
            var command = try parseAsRoot()
            if let service = command as? Chatelained {
                try service.start(protections)
            } else if let salvage = command as? SalvageMode {
                salvage.start()
            } else if let migration = command as? any MigrationCommand {
                migration.start()
            } else {
                // ArgumentParser provides the help as a command.
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }

    func validate() throws {
        guard idleExit > 0 else { throw ValidationError("--idle-exit takes a positive number of seconds") }
        guard credentialFd.map({ $0 > 2 || $0 == 0 }) ?? true else {
            throw ValidationError("--credential-fd takes a descriptor that is open for reading: 0, or 3 and more")
        }
        guard !detach || credentialFd == nil else {
            throw ValidationError("--credential-fd and --detach cannot be combined")
        }
        guard !system || (!detach && credentialFd == nil) else {
            throw ValidationError("--system cannot be combined with --detach or --credential-fd")
        }
        guard system || places.directories == .usual else {
            throw ValidationError("--state-directory and --runtime-directory require --system")
        }
    }

    private func start(_ protections: [Protection]) throws {
        if detach { return try startDetached() }
        // The service may inherit descriptors of the program that started it. Only the report descriptor is kept.
        if reportStart {
            _ = ProcessHardening.closeInheritedDescriptors(from: DetachedStart.reportDescriptor + 1)
        }
        var log: Logger?
        do throws(StartError) {
            if system { return try serveSystem(protections) }
            let directories = InstanceDirectories.current()
            let logger = try logger(directories)
            log = logger
            let program = ServiceProgram(.user(directories), idleExit: .seconds(idleExit), logger: logger)
            let credential = try credential()
            try program.run(adopted: try adoptedSocket(), credential: credential, protections: protections) {
                if reportStart { DetachedStart.report(.ready) }
            }
        } catch {
            fail(error, log)
        }
    }

    private func serveSystem(_ protections: [Protection]) throws(StartError) {
        let program = ServiceProgram(
            .system(places.directories), idleExit: .seconds(idleExit), logger: .standardError())
        let protections = protections + [try .systemAccount()]
        try program.run(adopted: try adoptedSocket(), credential: nil, protections: protections) {}
    }

    private func startDetached() throws {
        guard let path = OwnExecutable.path else {
            throw ValidationError("/proc is not mounted, so the service cannot identify its callers")
        }
        let report: DetachedStart.Report
        do throws(SystemCallError) {
            report = try DetachedStart.start(path, arguments: ["--report-start"]).report
        } catch {
            throw CleanExit.message("error: cannot start \(path): \(error)")
        }
        switch report {
        case .ready: return
        case .failed(let reason): Self.exit(withMessage: reason)
        case .ended: Self.exit(withMessage: "error: \(path) ended without a report")
        }
    }

    private func credential() throws(StartError) -> SecretBytes? {
        do throws(SecretInput.Error) {
            // A text and a line ending of one or two bytes.
            let limit = CredentialText.textByteCount + 2
            if let credentialFd { return try SecretInput.read(descriptor: credentialFd, limit: limit) }
            return try SecretInput.serviceManagerCredential(Self.credentialName, limit: limit)
        } catch {
            throw StartError(credential: error)
        }
    }

    private func adoptedSocket() throws(StartError) -> ListeningSocket? {
        do throws(ListeningSocket.Error) {
            return try ListeningSocket.adoptFromServiceManager()
        } catch {
            throw StartError(adopting: error)
        }
    }

    /// The standard error of a background service is not read, so it logs to a file.
    private func logger(_ directories: InstanceDirectories) throws(StartError) -> Logger {
        try reportStart ? .file(in: directories) : .standardError()
    }

    /// - Parameter log: nil if the log could not be opened either.
    private func fail(_ failure: StartError, _ log: Logger?) -> Never {
        var text = "error: \(failure)"
        if let hint = failure.hint { text += "\nhint: \(hint)" }
        if reportStart {
            if !failure.isAlreadyRunning {
                log?.error("the service does not start: \(failure)\(failure.hint.map { "; \($0)" } ?? "")")
            }
            // The caller that requested a service has one: if two start at the same time, one of them ends.
            DetachedStart.report(failure.isAlreadyRunning ? .ready : .failed(text))
            Self.exit(withMessage: "")
        }
        Self.exit(withMessage: text)
    }

    static func exit(withMessage message: String) -> Never {
        // Written directly, because print writes to standard output, which is not for errors.
        StandardError.write(message)
        exit(withError: ExitCode.failure)
    }
}
