// SPDX-License-Identifier: Apache-2.0

public import DBus
public import DBusMessages
internal import Foundation

/// A private dbus-daemon for a test.
public final class PrivateBus {
    public let address: ServerAddress
    /// The address in the form of an environment variable.
    public let addressText: String
    private let process = Process()
    private let directory: URL

    /// - Parameter startable: services that the bus can start, with the command line for each.
    public init(startable: [String: String] = [:]) throws {
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
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
        process.arguments = ["--config-file=" + configuration.path, "--nofork", "--print-address=1"]
        process.standardOutput = output
        try process.run()
        // The line arrives when the bus listens; a bus that ends instead leaves it empty.
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        addressText = String(decoding: line, as: UTF8.self)
        address = try ServerAddress.list(addressText)[0]
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: directory)
    }

    public func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    public func connect(messageLimit: Int = BusConnection.defaultMessageLimit, interruption: Wakeup? = nil) throws
        -> BusConnection
    {
        try BusConnection(to: [address], messageLimit: messageLimit, interruption: interruption)
    }
}

/// Runs blocking code on its own thread, so that it does not block the threads that run tests.
public func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
