// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BridgeProcess
internal import DBus
internal import DBusMessages
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
        BridgeProcess.harden()
        do {
            let connection = try BusConnection(to: try ServerAddress.sessionBus())
            let portal = SecretPortal(
                try BusServer(),
                .init(
                    isFrontend: PortalKeychain.isPortal, provide: PortalKeychain.provide,
                    openProcess: BridgeProcess.openProcess, report: Self.log))
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

    @Sendable private static func log(_ sentence: String) {
        BridgeProcess.writeLog("chatelaine-portal: \(sentence)\n")
    }
}
