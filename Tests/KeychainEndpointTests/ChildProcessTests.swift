// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainEndpoint
import Testing

struct ChildProcessTests {
    private func shell(_ script: String, _ options: ChildProcess.Options = []) throws -> ChildProcess {
        try ChildProcess("/bin/sh", arguments: ["-c", script], streams: .none, environment: [], options: options)
    }

    @Test func `the status of a program is told once it has ended, and again`() throws {
        let program = try shell("exit 7")
        #expect(program.wait() == .exited(status: 7))
        #expect(program.wait() == .exited(status: 7))
        #expect(program.end(within: .seconds(60)) == .exited(status: 7))
        #expect(kill(program.identifier, 0) != 0, "it is reaped")
    }

    @Test func `a program that ends by itself in time is not killed`() throws {
        #expect(try shell("exit 3").end(within: .seconds(60)) == .exited(status: 3))
        #expect(try shell("kill -TERM $$").end(within: .seconds(60)) == .killed(signal: SIGTERM))
    }

    @Test func `a program that does not end is killed and reaped, also when it is forgotten`() throws {
        var program: ChildProcess? = try shell("exec sleep 3600")
        #expect(program?.reapIfEnded() == nil)
        #expect(program?.end() == nil)
        #expect(program?.wait() == .killed(signal: SIGKILL))
        program = try shell("exec sleep 3600")
        let identifier = try #require(program?.identifier)
        program = nil
        #expect(kill(identifier, 0) != 0)
    }

    @Test func `a detached program outlives the object`() throws {
        var program: ChildProcess? = try shell("exec sleep 3600")
        let identifier = try #require(program?.identifier)
        program?.detach()
        program?.signal(SIGKILL)
        program = nil
        #expect(kill(identifier, 0) == 0)
        kill(identifier, SIGKILL)
        var status: Int32 = 0
        #expect(waitpid(identifier, &status, 0) == identifier)
    }

    @Test func `a program in a session of its own leads a process group`() throws {
        let program = try shell("exec sleep 3600", .newSession)
        #expect(getpgid(program.identifier) == program.identifier)
        program.signalGroup(SIGTERM)
        #expect(program.wait() == .killed(signal: SIGTERM))
        let other = try shell("exec sleep 3600")
        #expect(getpgid(other.identifier) == getpgrp())
    }

    @Test func `a program that does not exist is an error`() {
        #expect(throws: SystemCallError(call: "posix_spawn", code: ENOENT)) {
            try ChildProcess("/nonexistent/program", streams: .none, environment: [])
        }
    }
}
