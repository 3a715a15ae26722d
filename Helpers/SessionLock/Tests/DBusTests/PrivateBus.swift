// SPDX-License-Identifier: Apache-2.0

import DBus
import DBusMessages
import Foundation

/// A dbus-daemon of the test's own.
final class PrivateBus {
    let address: ServerAddress
    /// As programs want it in an environment variable.
    let addressText: String
    private let process = Process()
    private let directory: URL

    init() throws {
        directory = URL(filePath: "/tmp/chatelaine-bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        let socket = directory.path + "/bus"
        let configuration = directory.appending(path: "bus.conf")
        try Data(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(socket)</listen>
              <auth>EXTERNAL</auth>
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
        // The line comes when the bus listens; a bus that ends instead leaves it empty.
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        addressText = String(decoding: line, as: UTF8.self)
        address = try ServerAddress.list(addressText)[0]
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: directory)
    }

    func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func connect(messageLimit: Int = BusConnection.defaultMessageLimit, interruption: Wakeup? = nil) throws
        -> BusConnection
    {
        try BusConnection(to: [address], messageLimit: messageLimit, interruption: interruption)
    }
}

/// Runs what blocks on a thread of its own, so that it holds up none of those that run tests.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

/// A program on the bus that answers, on a thread of its own, until it goes.
final class EchoService: Sendable {
    static let name: BusName = "org.example.Echo"
    static let interface: InterfaceName = "org.example.Echo"
    static let path: ObjectPath = "/org/example/Echo"

    private let end: Wakeup

    init(_ bus: PrivateBus) throws {
        end = try Wakeup()
        let (address, end) = (bus.address, end)
        let ready = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            defer { ready.signal() }
            guard let connection = try? BusConnection(to: [address], interruption: end) else { return }
            _ = try? connection.call(
                .call(
                    "RequestName", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name,
                    [.string(Self.name.rawValue), .uint32(4)]))
            ready.signal()
            while let received = try? connection.next(until: nil, or: nil) {
                guard received.message.kind == .methodCall else { continue }
                try? Self.answer(received, on: connection)
            }
        }
        ready.wait()
    }

    deinit {
        end.wake()
    }

    static func answer(_ received: ReceivedMessage, on connection: BusConnection) throws {
        let call = received.message
        switch call.member {
        case "Echo":
            try connection.send(
                .methodReturn(to: call, try call.arguments(), descriptorCount: call.descriptorCount),
                descriptors: received.descriptors)
        case "Fail": try connection.send(.error("org.example.Failed", to: call, "on purpose"))
        // First a signal to the caller, then the answer.
        case "Signal":
            try connection.send(.signal("Told", of: interface, at: path, to: call.sender, try call.arguments()))
            try connection.send(.methodReturn(to: call))
        // To everybody who wants it.
        case "Broadcast":
            try connection.send(.signal("Told", of: interface, at: path, try call.arguments()))
            try connection.send(.methodReturn(to: call))
        default: break
        }
    }

    static func call(_ member: MemberName, _ arguments: [Value] = [], descriptors: UInt32 = 0) throws -> Message {
        try .call(member, of: interface, at: path, on: name, arguments, descriptorCount: descriptors)
    }
}
