// SPDX-License-Identifier: Apache-2.0

public import DBus
public import DBusMessages
internal import Foundation

/// A private message bus for a test: dbus-daemon or dbus-broker.
public final class PrivateBus {
    /// The implementation of the bus.
    public enum Kind: String, CaseIterable, Sendable, CustomStringConvertible {
        case daemon = "dbus-daemon"
        case broker = "dbus-broker"

        public var description: String { rawValue }
    }

    public let address: ServerAddress
    /// The address in the form of an environment variable.
    public let addressText: String
    private let process = Process()
    private let directory: URL

    /// Starts a bus, and returns when it listens.
    ///
    /// - Parameters:
    ///   - kind: the implementation.
    ///   - startable: services that the bus can start, with the command line for each; only for dbus-daemon, because
    ///     dbus-broker has systemd start them.
    /// - Throws: an error if the program of the bus cannot be started.
    public init(_ kind: Kind = .daemon, startable: [String: String] = [:]) throws {
        precondition(kind == .daemon || startable.isEmpty, "dbus-broker starts services with systemd alone")
        directory = URL(filePath: "/tmp/chatelaine-bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        let socket = directory.path + "/bus"
        let configuration = directory.appending(path: "bus.conf")
        for (name, command) in startable {
            try Data("[D-BUS Service]\nName=\(name)\nExec=\(command)\n".utf8).write(
                to: directory.appending(path: "\(name).service"))
        }
        try Data(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(socket)</listen>
              <auth>EXTERNAL</auth>
              <servicedir>\(directory.path)</servicedir>
              <policy context="default">
                <allow send_destination="*" eavesdrop="false"/>
                <allow receive_sender="*"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """.utf8
        ).write(to: configuration)
        let command =
            switch kind {
            case .daemon:
                ["/usr/bin/dbus-daemon", "--config-file=" + configuration.path, "--nofork", "--print-address=1"]
            case .broker: Self.brokerCommand(socket, configuration.path)
            }
        let output = Pipe()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = output
        try process.run()
        // The line arrives when the bus listens; a bus that ends instead leaves it empty.
        addressText = try output.fileHandleForReading.line("the start of the bus")
        address = try ServerAddress.list(addressText)[0]
    }

    /// Returns the command line that starts dbus-broker.
    ///
    /// dbus-broker-launch takes a listening socket, as systemd passes it, and connects to the bus that it starts. It
    /// requires the socket of systemd's journal, so without one it runs in a mount namespace that has a replacement.
    private static func brokerCommand(_ socket: String, _ configuration: String) -> [String] {
        let launch = ["/usr/bin/python3", "-c", brokerScript, socket, configuration]
        if FileManager.default.fileExists(atPath: "/run/systemd/journal/socket") { return launch }
        // A user namespace gives an ordinary user the right to mount; the user stays the same.
        let user = geteuid() == 0 ? [] : ["--user", "--map-current-user", "--keep-caps"]
        return ["/usr/bin/unshare"] + user
            + ["--mount", "/bin/sh", "-c", "mount -t tmpfs tmpfs /run/systemd && exec \"$@\"", "sh"] + launch
    }

    private static let brokerScript = """
        import os, socket, sys
        journal = "/run/systemd/journal/socket"
        if not os.path.exists(journal):
            os.makedirs(os.path.dirname(journal))
            log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            log.bind(journal)
            os.dup2(log.fileno(), 9)
        bus = socket.socket(socket.AF_UNIX)
        bus.bind(sys.argv[1])
        bus.listen(64)
        os.dup2(bus.fileno(), 3)
        address = "unix:path=" + sys.argv[1]
        os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), DBUS_SESSION_BUS_ADDRESS=address)
        print(address, flush=True)
        launch = "dbus-broker-launch"
        os.execvp(launch, [launch, "--scope", "user", "--config-file", sys.argv[2]])
        """

    deinit {
        stop()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Kills the bus.
    public func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Connects to the bus. Throws ``BusError``.
    ///
    /// - Parameters:
    ///   - messageLimit: the longest message that is accepted, in bytes.
    ///   - interruption: ends every wait of the connection.
    public func connect(
        messageLimit: Int = BusConnection.defaultMessageLimit, interruption: Wakeup? = nil
    ) throws -> BusConnection {
        try BusConnection(to: [address], timeout: .seconds(60), messageLimit: messageLimit, interruption: interruption)
    }
}

/// Runs blocking code on its own thread, so that it does not block the threads that run tests.
public func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
