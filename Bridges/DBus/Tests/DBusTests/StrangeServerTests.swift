// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Testing

/// Servers that are not a bus.
@Suite(.timeLimit(.minutes(5))) struct StrangeServerTests {
    /// Sends the bytes to the first client, then keeps the connection open until the server is released.
    private final class Server {
        let address: ServerAddress
        private let listener: Int32
        private let path: String

        init(sending bytes: [UInt8], andClosing isClosing: Bool = false) throws {
            path = "/tmp/chatelaine-server-\(UUID().uuidString)"
            listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            address = .path(path)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let bound = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
            }
            try #require(bound == 0 && listen(listener, 1) == 0)
            let number = listener
            Thread.detachNewThread {
                let connection = accept(number, nil, nil)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                if isClosing { close(connection) }
            }
        }

        deinit {
            close(listener)
            unlink(path)
        }
    }

    private func connect(
        sending text: String, andClosing isClosing: Bool = false, timeout: Duration = .seconds(20)
    ) async throws -> BusError? {
        try await onThread {
            let server = try Server(sending: Array(text.utf8), andClosing: isClosing)
            do throws(BusError) {
                _ = try BusConnection(to: [server.address], timeout: timeout)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test func `a server that says nothing is left in time`() async throws {
        #expect(try await connect(sending: "", timeout: .milliseconds(50)) == .timedOut)
        let afterOK = "OK 1234deadbeef\r\nAGREE_UNIX_FD\r\n"
        #expect(try await connect(sending: afterOK, timeout: .milliseconds(50)) == .timedOut)
    }

    @Test func `a server that does not let the user in, or closes, is reported as such`() async throws {
        #expect(try await connect(sending: "REJECTED EXTERNAL\r\n") == .rejected)
        #expect(try await connect(sending: "OK 12", andClosing: true) == .closed)
    }

    @Test func `a server that is no bus is reported as such`() async throws {
        #expect(try await connect(sending: "HTTP/1.1 400 Bad Request\r\n\r\n") == .authentication)
        #expect(try await connect(sending: String(repeating: "a", count: 20_000)) == .authentication)
        let afterOK = "OK 1234deadbeef\r\nAGREE_UNIX_FD\r\n"
        // Messages before BEGIN.
        #expect(try await connect(sending: afterOK + String(repeating: "x", count: 16)) == .authentication)
    }
}
