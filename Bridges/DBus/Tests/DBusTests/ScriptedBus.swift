// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import DBus
@testable import DBusMessages

/// A value for several threads.
final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
}

/// A bus that lets one client in, answers its first message, and then does what a test says with the socket, on a thread
/// of its own.
final class ScriptedBus {
    let address: ServerAddress
    private let listener: Int32
    private let path: String

    init(_ script: @escaping @Sendable (Int32) throws -> Void = { _ in }) throws {
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
        var hello = try Message.call("Hello", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name)
        hello.serial = 1
        let answer = try Self.answer(to: hello, [.string(":1.1")], from: MessageBus.name)
        let number = listener
        Thread.detachNewThread {
            let client = accept(number, nil, nil)
            Self.write(Array("OK 1234deadbeef\r\nAGREE_UNIX_FD\r\n".utf8), to: client)
            // The client sends BEGIN before its first message.
            var received: [UInt8] = []
            while received.firstRange(of: Array("BEGIN\r\n".utf8)) == nil {
                let piece = Self.read(from: client)
                if piece.isEmpty { return }
                received += piece
            }
            Self.write(answer, to: client)
            try? script(client)
        }
    }

    /// Returns the answer to a call, with the sender that a bus would add.
    static func answer(to call: Message, _ arguments: [Value], from sender: BusName) throws -> [UInt8] {
        var answer = try Message.methodReturn(to: call, arguments)
        answer.sender = sender
        return try answer.bytes(serial: 1)
    }

    static func write(_ bytes: [UInt8], to socket: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the next bytes; none at the end.
    static func read(from socket: Int32) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &piece, piece.count, 0)
        return Array(piece.prefix(max(0, count)))
    }

    deinit {
        close(listener)
        unlink(path)
    }
}
