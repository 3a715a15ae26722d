// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainEndpoint
import Testing

@testable import KeychainPlatform

/// The attacks on caller identification, each run for real.
struct PeerProcessTests {
    private let root: TemporaryDirectory
    private let listener: ListeningSocket

    init() throws {
        root = try TemporaryDirectory()
        listener = try ListeningSocket(bindingTo: root("s"))
    }

    @Test func `a peer is found with its process, user, group and executable`() throws {
        let client = try Client(path: root("s"), script: "wait()")
        let peer = try PeerProcess(of: try listener.accept())
        #expect(peer.pid == client.pid && peer.user == getuid() && peer.group == getgid())
        #expect(peer.isAlive)
        let snapshot = try peer.snapshot()
        var facts = stat()
        #expect(stat(Client.interpreter, &facts) == 0)
        #expect(snapshot.executableDevice == facts.st_dev && snapshot.executableInode == facts.st_ino)
        #expect(snapshot.isInOurUserNamespace)
        #expect(try peer.snapshot() == snapshot, "nothing has changed")
    }

    @Test func `a peer that runs another program after connecting is found out`() throws {
        let client = try Client(
            path: root("s"),
            script: """
                s.set_inheritable(True); os.dup2(s.fileno(), 0 + 5)
                wait()
                os.execv("/bin/sh", ["sh", "-c", "printf evil >&5; echo done; read line"])
                """)
        let connection = try listener.accept()
        let peer = try PeerProcess(of: connection)
        _ = try peer.snapshot()
        client.proceed()
        #expect(client.line() == "done")
        let received = try connection.receive()
        #expect(received.bytes == Array("evil".utf8) && peer.sent(received.sender), "same process")
        #expect(throws: PeerProcess.Error.replacedProgram) { _ = try peer.snapshot() }
    }

    @Test func `a peer that runs the same program once more is found out, also without address randomisation`() throws {
        // setarch -R: all addresses are the same at every run, so that only the memory tells the runs apart.
        let client = try Client(
            path: root("s"),
            script: """
                s.set_inheritable(True)
                wait()
                os.execv("\(Client.interpreter)", ["python3", "-c", "print('again', flush=True); input()"])
                """, wrapper: ["/usr/bin/setarch", "-R"])
        let peer = try PeerProcess(of: try listener.accept())
        _ = try peer.snapshot()
        client.proceed()
        #expect(client.line() == "again")
        #expect(throws: PeerProcess.Error.replacedProgram) { _ = try peer.snapshot() }
    }

    @Test func `two runs of a program have different snapshots`() throws {
        let clients = try (0..<2).map { _ in try Client(path: root("s"), script: "wait()") }
        let peers = try (0..<2).map { _ in try PeerProcess(of: try listener.accept()) }
        let snapshots = try peers.map { try $0.snapshot() }
        #expect(snapshots[0].executableInode == snapshots[1].executableInode)
        #expect(snapshots[0] != snapshots[1])
        withExtendedLifetime(clients) {}
    }

    @Test func `a message from a child that inherited the socket is not the peer's`() throws {
        let client = try Client(
            path: root("s"),
            script: """
                s.sendall(b"mine")
                wait()
                if os.fork() == 0: s.sendall(b"child"); os._exit(0)
                os.wait(); print("sent", flush=True); wait()
                """)
        let connection = try listener.accept()
        let peer = try PeerProcess(of: connection)
        #expect(peer.sent(try connection.receive().sender))
        client.proceed()
        #expect(client.line() == "sent")
        let second = try connection.receive()
        #expect(second.bytes == Array("child".utf8))
        #expect(!peer.sent(second.sender) && second.sender != nil)
        #expect(!peer.sent(nil), "nobody vouches for bytes without a sender")
    }

    @Test func `a socket passed to a sibling is found out, and bytes of two senders never come as one`() throws {
        let client = try Client(
            path: root("s"),
            script: """
                a, b = socket.socketpair()
                if os.fork() == 0:
                    _, fds, _, _ = socket.recv_fds(b, 1, 1)
                    os.write(fds[0], b"sibling"); os._exit(0)
                s.sendall(b"mine")
                socket.send_fds(a, [b"x"], [s.fileno()])
                os.wait(); print("sent", flush=True); wait()
                """)
        let connection = try listener.accept()
        let peer = try PeerProcess(of: connection)
        #expect(client.line() == "sent")
        let (first, second) = (try connection.receive(), try connection.receive())
        #expect(first.bytes == Array("mine".utf8) && peer.sent(first.sender))
        #expect(second.bytes == Array("sibling".utf8) && !peer.sent(second.sender))
    }

    /// Not everywhere: in a chroot, and in many containers, the kernel refuses new user namespaces.
    private static let hasUserNamespaces = system("unshare --user true 2>/dev/null") == 0

    @Test(.enabled(if: hasUserNamespaces, "this machine gives no user namespaces"))
    func `a peer in a user namespace of its own is told apart`() throws {
        let client = try Client(
            path: root("s"),
            script: """
                wait()
                print(ctypes.CDLL(None).unshare(0x10000000), flush=True)
                wait()
                """)
        let peer = try PeerProcess(of: try listener.accept())
        #expect(try peer.snapshot().isInOurUserNamespace)
        client.proceed()
        try #require(client.line() == "0")
        #expect(try peer.snapshot().isInOurUserNamespace == false)
    }

    @Test func `who started a process is told, the nearest first`() throws {
        let client = try Client(
            path: root("s"), script: "wait()", wrapper: ["/bin/sh", "-c", "\"$0\" \"$@\"; exit $?"])
        let peer = try PeerProcess(of: try listener.accept())
        let shell = try #require(realpath("/bin/sh", nil))
        defer { free(shell) }
        let own = try linkTarget("/proc/self/exe", AT_FDCWD)
        #expect(peer.starters(atMost: 2) == [String(cString: shell), own])
        #expect(peer.starters(atMost: 1) == [String(cString: shell)])
        client.proceed()
    }

    @Test(arguments: ["sh", "a) S 1 2", ") S 1 \u{600}", "((("])
    func `a process cannot forge its parent or its start by its name`(name: String) throws {
        let rest = "S 41 " + (5...21).map { _ in "0" }.joined(separator: " ") + " 4711 0"
        let line = try #require(ProcessLine("42 (\(name)) " + rest))
        #expect(line.parent == 41 && line.start == 4711)
    }

    @Test func `a peer that has ended is no peer`() throws {
        let client = try Client(path: root("s"), script: "wait()")
        let connection = try listener.accept()
        let peer = try PeerProcess(of: connection)
        client.end()
        #expect(!peer.isAlive)
        #expect(throws: PeerProcess.Error.exited) { _ = try peer.snapshot() }
        #expect(throws: PeerProcess.Error.exited) { _ = try PeerProcess(of: connection) }
    }

    @Test func `without the kernel's handle a peer is found by number, and said to be`() throws {
        let client = try Client(path: root("s"), script: "wait()")
        let connection = try listener.accept()
        let peer = try PeerProcess(of: connection, processHandle: { _ in -1 })
        #expect(!peer.isNamedByKernel && peer.pid == client.pid)
        #expect(try peer.snapshot() == PeerProcess(of: connection).snapshot())
        client.end()
        #expect(throws: PeerProcess.Error.exited) { _ = try PeerProcess(of: connection, processHandle: { _ in -1 }) }
    }

    @Test(.enabled(if: getuid() != 0, "root may look at everybody"))
    func `a process that the kernel shields cannot be inspected`() throws {
        let client = try Client(
            path: root("s"), script: "ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); print('x', flush=True); wait()")
        #expect(client.line() == "x")
        let peer = try PeerProcess(of: try listener.accept())
        do throws(PeerProcess.Error) {
            _ = try peer.snapshot()
            Issue.record("it can")
        } catch {
            guard case .notInspectable = error else { throw error }
        }
    }
}
