// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainModel
import KeychainWire
import Testing

@testable import KeychainEndpoint

/// A client that sends any bytes that a test sets. It waits for at most 20 seconds, so that a failing test ends.
final class RawClient {
    let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = descriptor
        try #require(descriptor >= 0)
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        try #require(try UnixAddress(path: path).withSocketAddress { connect(descriptor, $0, $1) } == 0)
    }

    deinit { close(descriptor) }

    /// False when the service has gone.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// From now on the service finds the end of the stream.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next frame; nil at the end of the stream.
    func receive() throws -> Frame? {
        var reader = FrameReader()
        while let missing = try reader.missing {
            var piece = [UInt8](repeating: 0, count: missing)
            let count = recv(descriptor, &piece, missing, 0)
            try #require(count >= 0 || errno == ECONNRESET, "nothing came: \(String(cString: strerror(errno)))")
            if count <= 0 { return nil }
            try reader.receive(piece[..<count])
        }
        return try reader.frame()
    }

    /// The nonce of the hello, which must be the next frame. Answers it with the greeting.
    func hello() throws -> [UInt8] {
        let nonce = try ungreetedHello()
        try greet(nonce)
        return nonce
    }

    func ungreetedHello() throws -> [UInt8] { try Hello(try #require(try receive())).nonce }

    /// Sends the greeting with an end of a pair of sockets.
    func greet(_ nonce: [UInt8], type: __socket_type = SOCK_SEQPACKET) throws {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
        defer { for each in pair { close(each) } }
        try send(Greeting.frame(nonce: nonce), with: pair[0])
    }

    func send(_ bytes: [UInt8], with passed: Int32) throws {
        try EndpointSocket.send(bytes.span, with: passed, to: descriptor)
    }

    /// Returns the refusal in the next frame.
    func refusal() throws -> Refusal { try #require(try answer()) }

    /// Returns the refusal in the next frame, an answer to any request; nil if it is a success.
    func answer() throws -> Refusal? { try Refusal(answer: try #require(try receive())) }

    /// Waits until the service has closed the connection, without reading.
    func waitForHangUp() -> Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, 20_000) == 1 && entry.revents & Int16(POLLHUP) != 0
    }
}
