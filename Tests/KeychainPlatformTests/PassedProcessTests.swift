// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainEndpoint
import Testing

@testable import KeychainPlatform

/// Processes that a descriptor in a message names.
struct PassedProcessTests {
    private let root: TemporaryDirectory
    private let listener: ListeningSocket

    init() throws {
        root = try TemporaryDirectory()
        listener = try ListeningSocket(bindingTo: root("s"))
    }

    /// Returns the descriptor in the next message.
    private func descriptor(_ connection: ServerConnection) throws -> OwnedDescriptor? {
        try connection.setReceiveTimeout(.seconds(60))
        var descriptor: OwnedDescriptor?
        let received = try connection.receive(atMost: 16, keeping: &descriptor) { _ in }
        try #require(received.count == 1)
        return descriptor
    }

    @Test func `a pidfd names its process, whichever process passes it`() throws {
        let other = try Client(path: root("s"), script: "wait()")
        let expected = try PeerProcess(of: try listener.accept())
        let client = try Client(
            path: root("s"), script: "socket.send_fds(s, [b'x'], [os.pidfd_open(\(other.pid))]); wait()")
        let passed = try #require(try descriptor(try listener.accept()))
        let process = try PeerProcess(named: passed)
        #expect(process.pid == other.pid && process.pid != client.pid)
        #expect(process.user == expected.user && process.group == expected.group && process.start == expected.start)
        #expect(try process.snapshot() == expected.snapshot())
        other.end()
        #expect(!process.isAlive)
    }

    @Test func `the pidfd of a process that has ended names none, also when its number is free again`() throws {
        let client = try Client(
            path: root("s"),
            script: """
                child = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE)
                descriptor = os.pidfd_open(child.pid)
                child.kill()
                os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
                socket.send_fds(s, [b'x'], [descriptor])
                wait()
                child.wait()
                socket.send_fds(s, [b'x'], [descriptor])
                wait()
                """)
        let connection = try listener.accept()
        let zombie = try #require(try descriptor(connection))
        #expect(throws: PeerProcess.Error.exited) { _ = try PeerProcess(named: zombie) }
        client.proceed()
        let gone = try #require(try descriptor(connection))
        #expect(throws: PeerProcess.Error.exited) { _ = try PeerProcess(named: gone) }
    }

    @Test(
        arguments: [
            "s.fileno()", "os.open('/dev/null', os.O_RDONLY)", "os.open('/proc/self', os.O_RDONLY)",
            "os.open('/proc/self/fdinfo', os.O_RDONLY)", "os.pipe()[0]", "os.memfd_create('Pid:\\t1')",
            "os.eventfd(0)",
        ])
    func `a descriptor of another kind names no process`(descriptor expression: String) throws {
        // os.eventfd and os.memfd_create are not in every Python; a pipe is the same case then.
        let name = String(expression.prefix { $0 != "(" }.dropFirst(3))
        let needed = expression.hasPrefix("os.") ? "hasattr(os, '\(name)')" : "True"
        let client = try Client(
            path: root("s"),
            script: "socket.send_fds(s, [b'x'], [\(expression) if \(needed) else os.pipe()[0]]); wait()")
        let passed = try #require(try descriptor(try listener.accept()))
        #expect(throws: PeerProcess.Error.notAProcess) { _ = try PeerProcess(named: passed) }
        client.proceed()
    }

    /// Linux 6.9: PIDFD_THREAD is O_EXCL.
    private static let hasThreadDescriptors =
        system("/usr/bin/python3 -c 'import os; os.pidfd_open(os.getpid(), os.O_EXCL)' 2>/dev/null") == 0

    @Test(.enabled(if: hasThreadDescriptors, "this kernel has no descriptors of threads"))
    func `the pidfd of a thread names no process`() throws {
        let client = try Client(
            path: root("s"),
            script: """
                import threading
                started = threading.Event()
                def run():
                    socket.send_fds(s, [b'x'], [os.pidfd_open(threading.get_native_id(), os.O_EXCL)])
                    started.set()
                    wait()
                threading.Thread(target=run).start()
                started.wait()
                """)
        let passed = try #require(try descriptor(try listener.accept()))
        #expect(throws: PeerProcess.Error.notAProcess) { _ = try PeerProcess(named: passed) }
        client.proceed()
    }

    @Test func `one descriptor of a message is kept, none of several`() throws {
        let client = try Client(
            path: root("s"),
            script: """
                p = os.pipe()
                s.send(b'x'); wait()
                socket.send_fds(s, [b'x'], p); wait()
                socket.send_fds(s, [b'x'], p[:1]); wait()
                """)
        let connection = try listener.accept()
        #expect(try descriptor(connection) == nil)
        client.proceed()
        #expect(try descriptor(connection) == nil)
        client.proceed()
        #expect(try descriptor(connection) != nil)
        client.proceed()
    }
}
