// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DBus
internal import DBusMessages
internal import Glibc
internal import KeychainPlatform
internal import Logging
internal import SessionLock

@main
struct SessionLockProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chatelaine-session-lock",
        abstract: "Locks the keychain with the session, before sleep and at logout.",
        discussion: """
            Listens to logind on the system bus; DBUS_SYSTEM_BUS_ADDRESS can name another bus. The program holds no keys, \
            cannot unlock the keychain, and starts no keychain service. It runs until SIGTERM.
            """)

    @Flag(help: "Also log each lock that was left out, and the reason.")
    var verbose = false

    func run() throws {
        let addresses = try Self.systemBus()
        var logger = Logger(label: "chatelaine-session-lock") { _ in LineLogHandler() }
        logger.logLevel = verbose ? .debug : .info
        // Called before the program reads messages from the bus. It starts no other program.
        _ = ProcessHardening.forbidNewPrivileges()
        _ = ProcessHardening.forbidSystemCalls()
        do {
            let end = try Wakeup()
            try TerminationSignals().whenOneArrives { end.wake() }
            try SessionLockService(addresses: addresses, user: getuid(), keychain: RunningKeychain(), logger: logger)
                .run(until: end)
        } catch {
            logger.error("\(error)")
            throw ExitCode.failure
        }
    }

    private static func systemBus() throws -> [ServerAddress] {
        let variable = "DBUS_SYSTEM_BUS_ADDRESS"
        guard let text = environment(variable), !text.isEmpty else { return ServerAddress.systemBus }
        do throws(ServerAddress.Malformed) {
            return try ServerAddress.list(text)
        } catch {
            throw ValidationError("\(variable) does not name a Unix socket: \(text)")
        }
    }

    /// The text is copied at once. The process has only one thread yet.
    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
