// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BridgeProcess
internal import DBus
internal import DBusMessages
internal import KeychainClient
internal import KeychainEndpoint
internal import KeychainPlatform
internal import SecretService
internal import SecretServiceBus
internal import SecretServiceKeychain

@main
struct SecretsProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chatelaine-secrets",
        abstract: "Gives programs the keychain through the Secret Service.",
        discussion: """
            Owns the name org.freedesktop.secrets on the session bus, through which programs store secrets with libsecret, \
            Python's keyring and others. The session bus starts the program; DBUS_SESSION_BUS_ADDRESS can name another \
            bus. The program holds no keys. It runs until SIGTERM.
            """)

    @Flag(help: "Take the name from a running chatelaine-secrets, or from a program that allows it.")
    var replace = false

    @Flag(help: "End a running chatelaine-secrets, and do not provide the Secret Service.")
    var end = false

    /// The largest message that is received: a secret of 16 MiB with its attributes, encrypted.
    private static let messageLimit = 18 << 20

    func run() throws {
        BridgeProcess.harden()
        var limits = BusServer.Limits()
        // The answer with the largest secret.
        limits.messageBytes = Self.messageLimit
        let server: BusServer
        let connection: BusConnection
        do {
            connection = try BusConnection(to: try ServerAddress.sessionBus(), messageLimit: Self.messageLimit)
            server = try BusServer(limits: limits)
        } catch is ServerAddress.Malformed {
            throw Self.failure(
                "the address of the session bus is not known, or is no Unix socket",
                hint: "start the program in a desktop session, or set DBUS_SESSION_BUS_ADDRESS")
        } catch {
            throw Self.failure(
                "the session bus cannot be used: \(error)",
                hint: "check DBUS_SESSION_BUS_ADDRESS, and that the bus is running")
        }
        if end {
            guard try SecretServiceProvider.freeName(on: connection, endOwner: BridgeProcess.endOwnProgram) else {
                throw Self.nameIsTaken(connection, true)
            }
            return
        }
        let provider = Self.provider(on: server)
        do {
            // Before other threads exist.
            try TerminationSignals().whenOneArrives { provider.stop() }
        } catch {
            throw Self.failure(
                "SIGTERM cannot be handled: \(error)", hint: "check the limits of descriptors and processes (ulimit)")
        }
        server.export(provider, below: SecretServiceProvider.parent)
        ProgramMemory.releaseStartPages()
        do {
            switch try provider.serve(
                on: connection, replaces: replace, endOwner: BridgeProcess.endOwnProgram)
            {
            case .nameIsTaken: throw Self.nameIsTaken(connection, replace)
            case .stopped: break
            }
        } catch let error as BusError {
            // A session ends with its bus.
            guard error == .closed else {
                throw Self.failure("the session bus cannot be used: \(error)", hint: "start the program again")
            }
            Self.report("The session bus has ended.")
        }
    }

    // MARK: The provider

    private static func provider(on server: BusServer) -> SecretServiceProvider {
        let names = CollectionNames(
            path: InstanceDirectories.current().configuration + "/secret-service", report: report)
        return SecretServiceProvider(
            server, session: SessionCollection(now: now),
            SecretServiceProvider.Dependencies(
                openStorage: { process throws(StorageError) in try storage(for: process, names) },
                openProcess: BridgeProcess.openProcess, randomBytes: RandomSource.live.bytes,
                startThread: { SystemThread.start($0) }, report: report))
    }

    @Sendable private static func storage(
        for process: Descriptor, _ names: CollectionNames
    ) throws(StorageError) -> KeychainStorage {
        let keychain: KeychainClient
        do throws(ClientError) {
            keychain = try .onBehalf(ofProcess: process.number, timeout: KeychainStorage.timeout)
        } catch {
            throw .unavailable("The process of the client cannot be passed on: \(error).")
        }
        return try KeychainStorage(keychain, names: names, filesFolder: filesFolder)
    }

    /// Returns the folder of the user's keychain files; nil if the folder of the running service is not known.
    @Sendable private static func filesFolder() -> String? {
        guard let endpoint = try? ServiceEndpoint.current(), endpoint.serviceIsRunning(),
            let slash = endpoint.databasePath.lastIndex(of: "/")
        else { return nil }
        return KeychainFolder(path: String(endpoint.databasePath[..<slash])).filesPath
    }

    /// Returns the seconds since 1970.
    @Sendable private static func now() -> Double {
        WallClock.live.now() + Double(WallClock.referenceDateInUnixTime)
    }

    // MARK: Messages

    private static func nameIsTaken(_ connection: BusConnection, _ replaces: Bool) -> ExitCode {
        var owner = "another program"
        if let name = try? connection.owner(of: SecretServiceProvider.name),
            let process = try? connection.perform(.processID(of: name))
        {
            owner = "process \(process)"
        }
        return failure(
            "\(owner) owns the name \(SecretServiceProvider.name) on the session bus",
            hint: replaces
                ? "it does not give the name away; end it first"
                : "end it, or start chatelaine-secrets with --replace")
    }

    private static func failure(_ text: String, hint: String) -> ExitCode {
        BridgeProcess.writeLog("error: \(text)\nhint: \(hint)\n")
        return .failure
    }

    @Sendable private static func report(_ sentence: String) {
        BridgeProcess.writeLog("chatelaine-secrets: \(sentence)\n")
    }
}
