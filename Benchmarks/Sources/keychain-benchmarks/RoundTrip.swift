// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Measuring

/// Requests and answers of fixed sizes over a Unix socket: the minimum duration of communication with a service.
struct RoundTrip {
    let requestBytes: Int
    let answerBytes: Int

    /// The sizes of a lookup with data.
    static let lookup = RoundTrip(requestBytes: 135, answerBytes: 76)
    /// The sizes of a lookup of attributes.
    static let attributes = RoundTrip(requestBytes: 135, answerBytes: 330)

    /// Passes the operation to measure to a closure. The other side is a separate process that only answers.
    func measure<R>(_ body: (MeasuredOperation) throws -> R) throws -> R {
        let server = try EchoServer(self)
        defer { server.end() }
        let connection = try server.connect()
        return try body(connection.operation)
    }

    /// One side of the connection, with its own buffers.
    final class Connection {
        private let descriptor: Int32
        private let sizes: RoundTrip
        private var request: [UInt8]
        private var answer: [UInt8]

        init(_ descriptor: Int32, _ sizes: RoundTrip) {
            self.descriptor = descriptor
            self.sizes = sizes
            request = [UInt8](repeating: 1, count: sizes.requestBytes)
            answer = [UInt8](repeating: 2, count: sizes.answerBytes)
        }

        /// Connects to the socket at `path`.
        convenience init(to path: String, _ sizes: RoundTrip) throws {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            try Floors.withAddress(path) { address, size in
                guard Glibc.connect(descriptor, address, size) == 0 else {
                    throw BenchmarkFailure("cannot connect to \(path)")
                }
            }
            self.init(descriptor, sizes)
        }

        deinit { close(descriptor) }

        func exchange() throws {
            send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
            guard receive(&answer) else { throw BenchmarkFailure("the other side of the round trip is gone") }
        }

        var operation: MeasuredOperation {
            MeasuredOperation(
                "bare socket round trip (\(sizes.requestBytes) B, \(sizes.answerBytes) B)",
                timing: { _ in try self.exchange() })
        }

        /// Answers until the other side closes the connection.
        func serve() {
            while receive(&request) { send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL)) }
        }

        private func receive(_ bytes: inout [UInt8]) -> Bool {
            var count = 0
            while count < bytes.count {
                let received = recv(descriptor, &bytes, bytes.count - count, 0)
                guard received > 0 else { return false }
                count += received
            }
            return true
        }
    }
}

/// A process that answers round trips, with a thread for each connection, like the keychain's service.
final class EchoServer {
    let path: String
    private let sizes: RoundTrip
    private let process = Process()
    /// The process ends when this pipe is closed, so at the latest together with the process that started it.
    private let life = Pipe()

    /// - Parameter place: the cores of the keychain's service: a round trip within one core takes a third of a round
    ///   trip between two.
    init(_ sizes: RoundTrip, at place: Place? = Floors.servicePlace) throws {
        self.sizes = sizes
        path = FileManager.default.temporaryDirectory.appendingPathComponent("floor-\(getpid())").path
        let ready = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL
        process.arguments = ["echo", path, String(sizes.requestBytes), String(sizes.answerBytes)]
        process.standardInput = life
        process.standardOutput = ready
        let own = Place.current
        // The new process runs on the cores of the thread that starts it.
        place?.enter()
        defer { own.enter() }
        try process.run()
        guard try ready.fileHandleForReading.read(upToCount: 1)?.count == 1 else {
            throw BenchmarkFailure("the other side of the round trip does not start")
        }
    }

    func connect() throws -> RoundTrip.Connection { try RoundTrip.Connection(to: path, sizes) }

    func end() {
        try? life.fileHandleForWriting.close()
        process.waitUntilExit()
        unlink(path)
    }

    /// Runs the answering process.
    static func run(_ path: String, _ sizes: RoundTrip) throws {
        unlink(path)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try Floors.withAddress(path) { address, size in
            guard bind(listener, address, size) == 0, listen(listener, 128) == 0 else {
                throw BenchmarkFailure("cannot listen at \(path)")
            }
        }
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                Thread.detachNewThread { RoundTrip.Connection(descriptor, sizes).serve() }
            }
        }
        FileHandle.standardOutput.write(Data([1]))
        _ = try FileHandle.standardInput.read(upToCount: 1)
    }
}
