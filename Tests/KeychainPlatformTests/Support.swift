// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainEndpoint
import TestSupport
import Testing

@testable import KeychainPlatform

/// A directory below /tmp that goes with the test. Its name is short, because sockets' paths are.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = try makeScratchFolder("cp")
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) throws {
        let file = open("\(path)/\(name)", O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, mode)
        try #require(file >= 0)
        defer { close(file) }
        try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
        try #require(fchmod(file, mode) == 0)
    }

    func read(_ name: String) throws -> [UInt8] {
        let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = Glibc.read(file, &bytes, bytes.count)
        return Array(bytes[..<max(count, 0)])
    }

    deinit {
        // A directory that stays behind fails no test.
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// A client program in Python: it connects to the given socket, and carries out each line of its input.
final class Client {
    let pid: pid_t
    private let input: Int32
    private let output: Int32

    /// `script` finds the connected socket as `s`, the path as `path`, and everything imported.
    init(path: String, script: String, wrapper: [String] = [], interpreter: String = Client.interpreter) throws {
        let prologue = """
            import array, ctypes, os, socket, subprocess, sys
            path = sys.argv[1]
            def connect():
                s = socket.socket(socket.AF_UNIX); s.connect(path); return s
            s = connect()
            def wait(): sys.stdin.readline()

            """
        var (toChild, fromChild): ([Int32], [Int32]) = ([0, 0], [0, 0])
        try #require(pipe(&toChild) == 0 && pipe(&fromChild) == 0)
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        var pid: pid_t = 0
        let arguments = wrapper + [interpreter, "-c", prologue + script, path]
        var strings = arguments.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        // An empty environment: nothing of the tests' leaks into the client.
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { free(environment[0]) }
        let code = posix_spawnp(&pid, arguments[0], &actions, nil, &strings, &environment)
        close(toChild[0])
        close(fromChild[1])
        try #require(code == 0)
        (self.pid, input, output) = (pid, toChild[1], fromChild[0])
    }

    /// The real program, not a version chooser's script, which would run others before it.
    static let interpreter = "/usr/bin/python3"

    /// Lets the script go on past its next wait().
    func proceed() {
        _ = Glibc.write(input, "\n", 1)
    }

    /// Waits for output, and returns a line of it, without the newline.
    func line() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(output, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func end() {
        kill(pid, SIGKILL)
        var facts = siginfo_t()
        // Leaves the zombie to deinit.
        while waitid(P_PID, id_t(pid), &facts, Int32(WEXITED | WNOWAIT)) < 0, errno == EINTR {}
    }

    deinit {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        close(input)
        close(output)
    }
}

extension ServerConnection {
    /// The next bytes and who sent them.
    func receive() throws -> (bytes: [UInt8], sender: Sender?) {
        try setReceiveTimeout(.seconds(60))
        var bytes: [UInt8] = []
        let received = try receive(atMost: 4096) { span in bytes = span.indices.map { span[$0] } }
        #expect(received.count == bytes.count)
        return (bytes, received.sender)
    }
}
