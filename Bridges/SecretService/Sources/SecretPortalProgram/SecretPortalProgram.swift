// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DBus
internal import DBusMessages
internal import Glibc
internal import KeychainPlatform
internal import SecretPortal

@main
struct SecretPortalProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chatelaine-portal",
        abstract: "Keeps the secrets of sandboxed applications in the keychain.",
        discussion: """
            The backend of xdg-desktop-portal for secrets (org.freedesktop.impl.portal.Secret): each application gets a \
            secret of its own, with which it encrypts its files. The session bus starts the program; \
            DBUS_SESSION_BUS_ADDRESS can name another bus. The program holds no keys. It runs until SIGTERM.
            """)

    func run() throws {
        _ = ProcessHardening.resetCrashSignals()
        // An application that does not read its secret must not end the program.
        _ = ProcessHardening.ignoreBrokenPipes()
        do {
            let connection = try BusConnection(to: try ServerAddress.sessionBus())
            let portal = SecretPortal(
                try BusServer(),
                .init(
                    isFrontend: PortalKeychain.isPortal, provide: PortalKeychain.provide, openProcess: Self.openProcess,
                    report: Self.log))
            guard try portal.serve(on: connection) == .stopped else {
                Self.log("Another program owns the name \(SecretPortal.name) on the bus; end it first.")
                throw ExitCode.failure
            }
        } catch let error as ServerAddress.Malformed {
            Self.log("DBUS_SESSION_BUS_ADDRESS or XDG_RUNTIME_DIR must name the session bus: \(error)")
            throw ExitCode.failure
        } catch BusError.closed {
            // The session has ended.
        } catch let error as BusError {
            Self.log("The session bus cannot be used: \(error)")
            throw ExitCode.failure
        }
    }

    @Sendable private static func openProcess(_ number: UInt32) -> Descriptor? {
        guard let number = Int32(exactly: number), let process = try? PeerProcess(lookingAt: number) else { return nil }
        let copy = fcntl(process.endDescriptor, F_DUPFD_CLOEXEC, 0)
        withExtendedLifetime(process) {}
        return copy < 0 ? nil : Descriptor(owning: copy)
    }

    /// Writes a line to standard error, which systemd adds to the journal.
    @Sendable private static func log(_ sentence: String) {
        var line = Array("chatelaine-portal: \(sentence)\n".utf8)[...]
        while !line.isEmpty {
            // The slice stays valid during the call, and its length is passed.
            let count = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
            // A failure to write the log cannot be reported.
            guard count > 0 || errno == EINTR else { return }
            line = line.dropFirst(max(0, count))
        }
    }
}
