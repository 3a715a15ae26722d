// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Glibc
import SecretPortal
import Synchronization

/// A backend on a bus of its own, with secrets in memory, until it is released.
final class PortalServer {
    let bus: PrivateBus
    let secrets: MemorySecrets
    private let server: BusServer
    private let ended = DispatchSemaphore(value: 0)
    private let result: Outcome

    private final class Outcome: Sendable {
        let value = Mutex<Result<SecretPortal.End, any Error>?>(nil)
    }

    /// - Parameter bus: a bus of another backend.
    init(on bus: PrivateBus) throws {
        // As the program does.
        signal(SIGPIPE, SIG_IGN)
        self.bus = bus
        let (secrets, result) = (MemorySecrets(), Outcome())
        (self.secrets, self.result) = (secrets, result)
        server = try BusServer()
        let portal = SecretPortal(
            server,
            .init(
                isFrontend: { _ throws(PortalError) in secrets.state.withLock { $0.hasPortal } },
                provide: { process, destination throws(PortalError) in try await secrets.provide(process, destination)
                },
                openProcess: { number in
                    // The folder of a process stands for its pidfd.
                    let file = open("/proc/\(number)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                    return file < 0
                        ? nil : NumberedProcess(pidfd: Descriptor(owning: file), start: ProcessTime(ticks: 0))
                },
                report: { sentence in secrets.state.withLock { $0.reports.append(sentence) } }))
        let (address, ended) = (bus.address, ended)
        Thread.detachNewThread {
            let end = Result {
                // The connection belongs to this thread.
                try portal.serve(on: BusConnection(to: [address], timeout: .seconds(60)))
            }
            result.value.withLock { $0 = end }
            ended.signal()
        }
        let client = try bus.connect()
        try wait(for: "the start or the end of the backend") {
            try client.owner(of: SecretPortal.name) != nil || result.value.withLock { $0 != nil }
        }
    }

    convenience init(_ kind: PrivateBus.Kind = .daemon) throws {
        try self.init(on: PrivateBus(kind))
    }

    deinit {
        server.stop()
    }

    /// Waits for the end of the backend, and returns its result.
    func waitForEnd() throws -> SecretPortal.End? {
        guard ended.wait(timeout: .now() + 60) == .success else { return nil }
        return try result.value.withLock { $0 }?.get()
    }

    /// Connects a portal.
    func frontend() throws -> Frontend {
        let connection = try bus.connect()
        guard try connection.perform(.name(SecretPortal.frontend, .doNotQueue)) == .primaryOwner else {
            throw BusError.unexpectedAnswer
        }
        return Frontend(connection)
    }
}

/// The secrets of applications, and what happens to requests for them.
final class MemorySecrets: Sendable {
    enum Behaviour {
        /// Passes this secret on.
        case secret([UInt8])
        case error(PortalError)
        /// Waits until the request is ended.
        case wait
    }

    struct State {
        var hasPortal = true
        var behaviour = Behaviour.secret(Array(0..<64))
        /// The numbers of the processes whose secrets were requested.
        var processes: [Int32] = []
        var endedRequests = 0
        var reports: [String] = []
    }

    let state = Mutex(State())

    func provide(_ process: Descriptor, _ destination: SecretDestination) async throws(PortalError) {
        let behaviour = state.withLock { state in
            state.processes.append(Self.number(of: process))
            return state.behaviour
        }
        switch behaviour {
        case .secret(let bytes): try destination.write(bytes.span)
        case .error(let error): throw error
        case .wait:
            // Ends with the task.
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            for await _ in stream {}
            withExtendedLifetime(continuation) {}
            state.withLock { $0.endedRequests += 1 }
            throw .failed("ended")
        }
    }

    /// Returns the number of the process that a pidfd or the folder of a process names.
    private static func number(of process: Descriptor) -> Int32 {
        let facts = (try? String(contentsOfFile: "/proc/self/fdinfo/\(process.number)", encoding: .utf8)) ?? ""
        if let line = facts.split(separator: "\n").first(where: { $0.hasPrefix("Pid:\t") }) {
            return Int32(line.dropFirst("Pid:\t".count)) ?? -1
        }
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(process.number)")
        return path.flatMap { Int32($0.dropFirst("/proc/".count)) } ?? -1
    }
}

/// The portal, as the backend sees it.
final class Frontend {
    let connection: BusConnection

    init(_ connection: BusConnection) {
        self.connection = connection
    }

    /// Returns the handle of a request of an application.
    static func handle(of application: BusName, _ token: String = "token") throws -> ObjectPath {
        let sender = application.rawValue.dropFirst().replacing(".", with: "_")
        guard let path = ObjectPath(rawValue: "\(RequestHandle.parent)/\(sender)/\(token)") else {
            throw BusError.unexpectedAnswer
        }
        return path
    }

    private static func message(_ handle: ObjectPath) throws -> Message {
        try .call(
            "RetrieveSecret", of: "org.freedesktop.impl.portal.Secret", at: SecretPortal.path, on: SecretPortal.name,
            [
                .objectPath(handle), .string("org.example.App"), .descriptor(0),
                .dictionary(key: .string, value: .variant, []),
            ], descriptorCount: 1)
    }

    /// Requests a secret, and returns the response.
    func retrieve(_ handle: ObjectPath, _ destination: Descriptor) throws -> UInt32? {
        let answer = try connection.call(
            Self.message(handle), descriptors: [destination], timeout: .seconds(60)
        ).arguments()
        guard answer.count == 2, answer[1] == .dictionary(key: .string, value: .variant, []) else {
            throw BusError.unexpectedAnswer
        }
        return answer[0].uint32
    }

    /// Requests a secret, without waiting for the answer.
    func send(_ handle: ObjectPath, _ destination: Descriptor) throws -> UInt32 {
        try connection.send(Self.message(handle), descriptors: [destination], timeout: .seconds(60))
    }

    /// Waits for the answer to a message: the response, or the last element of the name of an error.
    func answer(to serial: UInt32) throws -> (response: UInt32?, error: String?)? {
        while let received = try connection.next(until: .now + .seconds(60), or: nil) {
            let message = received.message
            guard message.replySerial == serial else { continue }
            if let error = message.errorName { return (nil, Self.lastElement(error)) }
            return (try message.arguments().first?.uint32, nil)
        }
        return nil
    }

    func close(_ handle: ObjectPath) throws {
        _ = try connection.call(
            .call("Close", of: "org.freedesktop.impl.portal.Request", at: handle, on: SecretPortal.name),
            timeout: .seconds(60))
    }

    /// Returns the last element of the name of the error that a call leads to; nil without an error.
    func error(_ body: (Frontend) throws -> Void) throws -> String? {
        do {
            try body(self)
            return nil
        } catch BusError.refused(let name, _) {
            return Self.lastElement(name)
        }
    }

    private static func lastElement(_ name: InterfaceName) -> String? {
        name.rawValue.split(separator: ".").last.map(String.init)
    }
}

/// A pipe on which an application receives its secret.
final class SecretPipe {
    private let pipe = Pipe()

    /// The writing end.
    var destination: Descriptor { Descriptor(owning: dup(pipe.fileHandleForWriting.fileDescriptor)) }

    /// Returns what has arrived.
    func received() throws -> [UInt8] {
        var descriptor = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 0) == 1, descriptor.revents & Int16(POLLIN) != 0 else { return [] }
        return Array(pipe.fileHandleForReading.availableData)
    }

    func closeReader() throws { try pipe.fileHandleForReading.close() }

    /// Fills the pipe, so that nothing more can be written.
    func fill() {
        let number = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        let block = [UInt8](repeating: 1, count: 4096)
        while write(number, block, block.count) > 0 {}
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
    }

    /// Whether writes to the pipe wait, as the application set it.
    var waits: Bool { fcntl(pipe.fileHandleForWriting.fileDescriptor, F_GETFL) & O_NONBLOCK == 0 }
}

/// A program with a connection to a bus, in a process of its own, until it is released.
final class ApplicationProcess {
    private let process = Process()
    private let input = Pipe()
    let name: BusName

    init(on bus: PrivateBus) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            """
            import dbus.bus, sys
            print(dbus.bus.BusConnection(sys.argv[1]).get_unique_name(), flush=True)
            sys.stdin.read()
            """, bus.addressText,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = try output.fileHandleForReading.line("the connection of the application")
        guard let name = BusName(rawValue: line) else {
            throw BusError.unexpectedAnswer
        }
        self.name = name
    }

    var number: Int32 { process.processIdentifier }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    deinit { end() }
}
