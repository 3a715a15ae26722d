// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainEndpoint
import Testing

@testable import KeychainPlatform

struct SocketTests {
    private let root: TemporaryDirectory

    init() throws { root = try TemporaryDirectory() }

    @Test func `a client's message arrives with its sender, and the answer goes back`() throws {
        let listener = try ListeningSocket(bindingTo: root("s"))
        let client = try EndpointSocket(connectingTo: root("s"))
        // Sent before the service accepts: the sender must be known all the same.
        try client.send(Array("hello".utf8).span)
        let connection = try listener.accept()
        let (bytes, sender) = try connection.receive()
        #expect(bytes == Array("hello".utf8))
        #expect(sender == ServerConnection.Sender(pid: getpid(), user: getuid()))
        try connection.send(Array("world".utf8).span)
        var answer: [UInt8] = []
        try client.receive(atMost: 16) { span in answer = span.indices.map { span[$0] } }
        #expect(answer.elementsEqual("world".utf8))
    }

    @Test func `the socket file is the user's alone`() throws {
        let listener = try ListeningSocket(bindingTo: root("s"))
        let facts = try #require(try linkStatus(root("s")))
        #expect(facts.st_mode & 0o7777 == 0o600 && facts.st_mode & S_IFMT == S_IFSOCK)
        #expect(try linkStatus(root("s.\(getpid())")) == nil, "the first name is gone")
        withExtendedLifetime(listener) {}
    }

    @Test func `a stale socket is replaced`() throws {
        let path = root("s")
        let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(try UnixAddress(path: path).withSocketAddress { bind(stale, $0, $1) } == 0)
        close(stale)
        let listener = try ListeningSocket(bindingTo: path)
        #expect(throws: Never.self) { _ = try EndpointSocket(connectingTo: path) }
        withExtendedLifetime(listener) {}
    }

    @Test func `a living service's socket is left alone`() throws {
        let path = root("s")
        let living = try ListeningSocket(bindingTo: path)
        #expect(throws: ListeningSocket.Error.inUse(path: path)) { _ = try ListeningSocket(bindingTo: path) }
        #expect(throws: Never.self) { _ = try EndpointSocket(connectingTo: path) }
        withExtendedLifetime(living) {}
    }

    @Test func `a file that is no socket is left alone`() throws {
        try root.write([1], to: "s")
        #expect(throws: ListeningSocket.Error.notSocket(path: root("s"))) {
            _ = try ListeningSocket(bindingTo: root("s"))
        }
        #expect(try root.read("s") == [1])
    }

    @Test func `the socket file goes with the listener unless it is a successor's`() throws {
        var first: ListeningSocket? = try ListeningSocket(bindingTo: root("s"))
        #expect(try linkStatus(root("s")) != nil)
        withExtendedLifetime(first) {}
        first = nil
        #expect(try linkStatus(root("s")) == nil)

        first = try ListeningSocket(bindingTo: root("s"))
        unlink(root("s"))
        let successor = try ListeningSocket(bindingTo: root("s"))
        withExtendedLifetime(first) {}
        first = nil
        #expect(try linkStatus(root("s")) != nil)
        withExtendedLifetime(successor) {}
    }

    @Test func `the service manager's socket is adopted, and its file stays`() throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(try UnixAddress(path: root("s")).withSocketAddress { bind(descriptor, $0, $1) } == 0)
        #expect(listen(descriptor, 4) == 0)
        let environment = ["LISTEN_PID": String(getpid()), "LISTEN_FDS": "1"]
        do {
            let listener = try #require(
                try ListeningSocket.adopt(environment: environment, firstDescriptor: descriptor))
            #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
            let client = try EndpointSocket(connectingTo: root("s"))
            try client.send(([7] as [UInt8]).span)
            #expect(try listener.accept().receive().sender?.pid == getpid())
        }
        #expect(try linkStatus(root("s")) != nil)
    }

    @Test func `activation meant for another process is none`() throws {
        let other = ["LISTEN_PID": String(getpid() + 1), "LISTEN_FDS": "1"]
        #expect(try ListeningSocket.adopt(environment: other, firstDescriptor: 3) == nil)
        #expect(try ListeningSocket.adopt(environment: [:], firstDescriptor: 3) == nil)
    }

    @Test func `activation with anything but one listening Unix stream socket is refused`() throws {
        func isRefused(_ descriptor: Int32, count: String = "1") -> Bool {
            defer { close(descriptor) }
            do throws(ListeningSocket.Error) {
                _ = try ListeningSocket.adopt(
                    environment: ["LISTEN_PID": String(getpid()), "LISTEN_FDS": count], firstDescriptor: descriptor)
                return false
            } catch {
                guard case .unusableActivation = error else { return false }
                return true
            }
        }
        #expect(isRefused(open("/dev/null", O_RDONLY)), "no socket")
        #expect(isRefused(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)), "not listening")
        #expect(isRefused(socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)), "not a stream")
        let internet = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(listen(internet, 1) == 0)
        #expect(isRefused(internet), "not a Unix socket")
        #expect(isRefused(open("/dev/null", O_RDONLY), count: "2"), "two")
    }

    @Test func `the activation of a real process leaves no variable behind`() async {
        await #expect(processExitsWith: .success) {
            setenv("LISTEN_PID", "1", 1)
            setenv("LISTEN_FDS", "1", 1)
            setenv("LISTEN_FDNAMES", "x", 1)
            let adopted = try ListeningSocket.adoptFromServiceManager()
            let left = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"].filter { (name: String) in getenv(name) != nil }
            exit(adopted == nil && left.isEmpty ? 0 : 1)
        }
    }

    @Test func `descriptors that a client sends along are closed`() throws {
        let listener = try ListeningSocket(bindingTo: root("s"))
        let client = try Client(
            path: root("s"),
            script: """
                r, w = os.pipe()
                socket.send_fds(s, [b"x"], [w])
                os.close(w)
                print(os.read(r, 1) == b"", flush=True)
                wait()
                """)
        #expect(try listener.accept().receive().bytes == [0x78])
        #expect(client.line() == "True", "the pipe's other end is closed everywhere")
    }

    @Test func `a client that does not read is a timeout, not a hang`() throws {
        let listener = try ListeningSocket(bindingTo: root("s"))
        let client = try EndpointSocket(connectingTo: root("s"))
        let connection = try listener.accept()
        try connection.setSendTimeout(.milliseconds(5))
        let tooMuch = [UInt8](repeating: 0, count: 10_000_000)
        #expect(throws: EndpointError.timedOut) {
            try connection.send(tooMuch.span, timeout: .milliseconds(20))
        }
        try connection.setReceiveTimeout(.milliseconds(1))
        #expect(throws: EndpointError.timedOut) {
            _ = try connection.receive(atMost: 1) { _ in }
        }
        withExtendedLifetime(client) {}
    }

    @Test func `shutting a connection down ends a wait for it`() async throws {
        let listener = try ListeningSocket(bindingTo: root("s"))
        let client = try EndpointSocket(connectingTo: root("s"))
        let connection = try listener.accept()
        async let count = connection.receive().bytes.count
        connection.shutDown()
        #expect(try await count == 0)
        withExtendedLifetime(client) {}
    }

    @Test func `waiting returns the ready descriptors, and a wake-up from another thread ends it`() async throws {
        let (first, second) = (try WakeUp(), try WakeUp())
        #expect(try Readiness.wait(for: [first.descriptor, second.descriptor], timeout: .zero) == [])
        async let ready = Readiness.wait(for: [first.descriptor, second.descriptor])
        second.signal()
        second.signal()
        #expect(try await ready == [1])
        second.drain()
        #expect(try Readiness.wait(for: [second.descriptor], timeout: .milliseconds(1)) == [])
    }
}
