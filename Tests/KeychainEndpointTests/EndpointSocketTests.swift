// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Testing

@testable import KeychainEndpoint

struct EndpointSocketTests {
    @Test func `bytes go both ways`() throws {
        let root = try TemporaryDirectory()
        let server = try TestServer(path: root.path + "/s")
        let socket = try EndpointSocket(connectingTo: server.path)
        let accepted = accept(server.descriptor, nil, nil)
        defer { close(accepted) }
        try socket.send(([1, 2, 3] as [UInt8]).span)
        var buffer = [UInt8](repeating: 0, count: 64)
        #expect(read(accepted, &buffer, 64) == 3)
        #expect(write(accepted, "hello", 5) == 5)
        #expect(buffer[..<3] == [1, 2, 3])
        var answer: [UInt8] = []
        try socket.receive(atMost: 64) { span in answer = span.indices.map { span[$0] } }
        #expect(answer.elementsEqual("hello".utf8))
    }

    @Test func `the end of the stream is a zero, and sending to it an error instead of a signal`() throws {
        let root = try TemporaryDirectory()
        let server = try TestServer(path: root.path + "/s")
        let socket = try EndpointSocket(connectingTo: server.path)
        close(accept(server.descriptor, nil, nil))
        #expect(try socket.receive(atMost: 1) { _ in } == 0)
        #expect(throws: EndpointError.closed) { try socket.send(([1] as [UInt8]).span) }
    }

    @Test func `a large message arrives whole although the socket's buffer is small`() throws {
        let root = try TemporaryDirectory()
        let server = try TestServer(path: root.path + "/s")
        let socket = try EndpointSocket(connectingTo: server.path)
        let accepted = accept(server.descriptor, nil, nil)
        defer { close(accepted) }
        let message = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        // A thread of its own: waiting on the threads that run tests, of which there are as few as cores, would hold up
        // the very test that is waited for.
        let reader = Reader(of: accepted, upTo: message.count)
        reader.start()
        do {
            try socket.send(message.span)
        } catch {
            socket.shutDown()
            throw error
        }
        #expect(reader.received() == message)
    }

    /// Reads a descriptor to its end, or to a size.
    private final class Reader: @unchecked Sendable {
        // Unchecked: `bytes` is written on the queue, and read after the group has been left.
        private let descriptor: Int32
        private let size: Int
        private var bytes: [UInt8] = []
        private let queue = DispatchQueue(label: "reader")
        private let group = DispatchGroup()

        init(of descriptor: Int32, upTo size: Int) {
            self.descriptor = descriptor
            self.size = size
        }

        func start() {
            queue.async(group: group) { [self] in
                var buffer = [UInt8](repeating: 0, count: 65536)
                while bytes.count < size {
                    let count = read(descriptor, &buffer, buffer.count)
                    guard count > 0 else { break }
                    bytes += buffer[..<count]
                }
            }
        }

        func received() -> [UInt8] {
            group.wait()
            return bytes
        }
    }

    @Test func `a silent service is a timeout`() throws {
        let root = try TemporaryDirectory()
        let server = try TestServer(path: root.path + "/s")
        let socket = try EndpointSocket(connectingTo: server.path)
        try socket.setReceiveTimeout(.milliseconds(1))
        #expect(throws: EndpointError.timedOut) { try socket.receive(atMost: 1) { _ in } }
        try socket.setSendTimeout(.milliseconds(1))
        let tooMuch = [UInt8](repeating: 0, count: 10_000_000)
        #expect(throws: EndpointError.timedOut) { try socket.send(tooMuch.span) }
    }

    @Test func `an endpoint without a listener is recognized, with and without a stale socket file`() throws {
        let root = try TemporaryDirectory()
        let path = root.path + "/s"
        func isNotRunning() -> Bool {
            do throws(EndpointError) {
                _ = try EndpointSocket(connectingTo: path)
                return false
            } catch {
                guard case .notRunning(path, _) = error else { return false }
                return true
            }
        }
        #expect(isNotRunning())
        do { _ = try TestServer(path: path) }
        #expect(access(path, F_OK) == 0, "the file outlives its server")
        #expect(isNotRunning())
    }

    @Test func `a path that does not fit is a clear error`() throws {
        let longest = "/" + String(repeating: "x", count: 106)
        #expect(try UnixAddress(path: longest).path == longest)
        let path = longest + "y"
        let error = EndpointError.socketPathTooLong(path: path, limit: 107)
        #expect(throws: error) { _ = try EndpointSocket(connectingTo: path) }
        #expect("\(error)".contains("XDG_RUNTIME_DIR"))
    }

    @Test(.enabled(if: getuid() == 0, "needs a process of another user"))
    func `a server of another user is refused`() async throws {
        let root = try TemporaryDirectory()
        try #require(chmod(root.path, 0o777) == 0)
        // The child changes its user, listens, and reports this by closing its standard output.
        let script = """
            import os, socket, sys
            os.setgid(1500); os.setuid(1500)
            s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(1)
            os.close(1); sys.stdin.read()
            """
        let child = try Child("/usr/bin/env", ["python3", "-c", script, root.path + "/s"])
        child.waitForEndOfOutput()
        #expect(throws: EndpointError.foreignServer(path: root.path + "/s", user: 1500)) {
            _ = try EndpointSocket(connectingTo: root.path + "/s")
        }
    }

    @Test func `a connection knows the process that opened it`() async throws {
        await #expect(processExitsWith: .success) {
            let root = try TemporaryDirectory()
            let server = try TestServer(path: root.path + "/s")
            let socket = try EndpointSocket(connectingTo: server.path)
            guard socket.belongsToThisProcess else { exit(1) }
            // fork is unavailable to Swift because runtimes seldom survive it. This child sends one request and ends.
            typealias Fork = @convention(c) () -> Int32
            let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
            let child = fork()
            if child == 0 { _exit(socket.belongsToThisProcess ? 1 : 0) }
            var status: Int32 = -1
            waitpid(child, &status, 0)
            exit(status == 0 && socket.belongsToThisProcess ? 0 : 1)
        }
    }
}

/// A listening socket whose connections a test accepts itself.
final class TestServer {
    let path: String
    let descriptor: Int32

    init(path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let bound = try UnixAddress(path: path).withSocketAddress { bind(descriptor, $0, $1) }
        try #require(bound == 0 && listen(descriptor, 8) == 0)
    }

    deinit { close(descriptor) }
}

/// A child process with pipes as standard input and output; ends with the object.
final class Child {
    let pid: pid_t
    private let input: Int32
    private let output: Int32

    init(_ program: String, _ arguments: [String]) throws {
        var (toChild, fromChild): ([Int32], [Int32]) = ([0, 0], [0, 0])
        try #require(pipe(&toChild) == 0 && pipe(&fromChild) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        for end in toChild + fromChild { posix_spawn_file_actions_addclose(&actions, end) }
        var pid: pid_t = 0
        var strings = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        let code = posix_spawn(&pid, program, &actions, nil, &strings, nil)
        close(toChild[0])
        close(fromChild[1])
        try #require(code == 0)
        (self.pid, input, output) = (pid, toChild[1], fromChild[0])
    }

    func waitForEndOfOutput() {
        var byte: UInt8 = 0
        while read(output, &byte, 1) > 0 {}
    }

    deinit {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        close(input)
        close(output)
    }
}
