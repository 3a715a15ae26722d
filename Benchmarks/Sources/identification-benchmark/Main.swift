// SPDX-License-Identifier: Apache-2.0

import Glibc
import Measuring

/// Measures how long the service takes to identify the caller, from the caller's side
/// (Documentation/Protocols/client.md).
///
/// The service examines the executable of this program, so Tools/bench runs copies of it: of 20 MB, signed and
/// unsigned, new (not yet in the service's cache) and older. Without Foundation, the program is small enough for that.
///
/// Usage: identification-benchmark connect|ask NAME TIMES
@main
enum Identification {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let times = Int(arguments[3]), ["connect", "ask"].contains(arguments[1]) else {
            throw BenchmarkFailure("usage: identification-benchmark connect|ask NAME TIMES")
        }
        let measure = arguments[1] == "ask" ? asking : connecting
        let row = try measure(arguments[2], times)
        print("| \(row.name) | \(tenths(row.p50)) | \(tenths(row.p99)) | – |")
    }

    private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }

    /// Measures from connect to the nonce: the service identifies its client before it sends the nonce.
    static func connecting(_ name: String, times: Int) throws -> Timing {
        let path = socketPath
        return try Timing(name, times: times, warmUp: 0) { _ in
            let connection = try connect(to: path)
            defer { close(connection) }
            _ = try receive(24, from: connection)
        }
    }

    /// Measures a request for the identity of the caller. The service verifies an identified client again before it
    /// answers; for an unidentified client, for example in its own user namespace, it verifies nothing.
    static func asking(_ name: String, times: Int) throws -> Timing {
        let connection = try connect(to: socketPath)
        defer { close(connection) }
        let hello = try receive(24, from: connection)
        // Version 1, kind 0x19, 17 bytes: the nonce and a 1 for the caller itself.
        let request = [1, 0x19, 0, 0, 0, 0, 0, 17] + hello[8...] + [1]
        return try Timing(name, times: times) { _ in
            guard send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
                throw BenchmarkFailure("the service is gone")
            }
            let head = try receive(8, from: connection)
            _ = try receive(head[4...].reduce(0) { $0 << 8 | Int($1) }, from: connection)
        }
    }

    private static var socketPath: String {
        (getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "") + "/chatelaine/socket"
    }

    private static func connect(to path: String) throws -> Int32 {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let outcome = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(connection, $0, size) }
        }
        guard outcome == 0 else { throw BenchmarkFailure("cannot connect to \(path)") }
        return connection
    }

    private static func receive(_ count: Int, from connection: Int32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < count {
            let piece = bytes.withUnsafeMutableBytes { buffer in
                recv(connection, buffer.baseAddress! + received, count - received, 0)
            }
            guard piece > 0 else { throw BenchmarkFailure("the service said too little") }
            received += piece
        }
        return bytes
    }
}
