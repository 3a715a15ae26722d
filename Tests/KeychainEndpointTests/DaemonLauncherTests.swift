// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import KeychainEndpoint

/// With shell scripts in the place of chatelained.
struct DaemonLauncherTests {
    @Test func `chatelained is looked for beside the program, in PATH, and where programs are installed`() {
        let launcher = DaemonLauncher(
            executablePath: "/opt/app/bin/app", searchPath: "/a:relative::/usr/bin:/b", home: "/home/ada")
        #expect(
            launcher.candidates == [
                "/opt/app/bin/chatelained", "/a/chatelained", "/usr/bin/chatelained", "/b/chatelained",
                "/home/ada/.local/bin/chatelained", "/usr/local/bin/chatelained",
            ])
        #expect(DaemonLauncher.current().candidates.count > 2)
    }

    @Test func `the first candidate that can be run is taken`() throws {
        let root = try TemporaryDirectory()
        try root.write("", to: "unrunnable", mode: 0o600)
        try root.write("#!/bin/sh\n", to: "runnable", mode: 0o700)
        let paths = ["missing", "", "unrunnable", "runnable"].map { "\(root.path)/\($0)" }
        #expect(DaemonLauncher(candidates: paths).locate() == root.path + "/runnable")
    }

    @Test func `launching waits for the program and leaves no child behind`() throws {
        let root = try TemporaryDirectory()
        try root.write("#!/bin/sh\necho \"$1\" > \(root.path)/argument\n", to: "chatelained", mode: 0o700)
        try DaemonLauncher(candidates: [root.path + "/chatelained"]).launch()
        let file = open(root.path + "/argument", O_RDONLY)
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(file, &buffer, 64)
        #expect(String(decoding: buffer[..<max(count, 0)], as: UTF8.self) == "--detach\n")
    }

    @Test func `a program that fails, dies, hangs or is missing is named in the error`() throws {
        let root = try TemporaryDirectory()
        for (name, body) in [("fails", "exit 3"), ("dies", "kill -9 $$"), ("hangs", "exec sleep 1000")] {
            try root.write("#!/bin/sh\n\(body)\n", to: name, mode: 0o700)
        }
        func failure(_ name: String, timeout: Duration = .seconds(60)) -> EndpointError? {
            do throws(EndpointError) {
                try DaemonLauncher(candidates: [root.path + "/" + name]).launch(timeout: timeout)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure("fails") == .launchFailed(.exited(program: root.path + "/fails", status: 3, report: nil)))
        #expect(failure("dies") == .launchFailed(.terminated(program: root.path + "/dies", signal: SIGKILL)))
        #expect(failure("missing") == .launchFailed(.programNotFound(searched: [root.path + "/missing"])))
        #expect(
            failure("hangs", timeout: .milliseconds(30)) == .launchFailed(.timedOut(program: root.path + "/hangs")))
    }

    @Test func `the reason that a program writes to standard error reaches the caller, with the next step`() throws {
        let root = try TemporaryDirectory()
        try root.write(
            "#!/bin/sh\necho 'error: /data has mode 0777' >&2\necho 'hint: chmod 700 /data' >&2\nexit 1\n",
            to: "chatelained", mode: 0o700)
        let error = #expect(throws: EndpointError.self) {
            try DaemonLauncher(candidates: [root.path + "/chatelained"]).launch(timeout: .seconds(60))
        }
        #expect(error?.description == "the keychain service could not be started: /data has mode 0777")
        #expect(error?.hint == "chmod 700 /data")
    }

    @Test func `the reason is what follows the last label, or the last line, and one line of printable text`() {
        func parts(_ text: String) -> [String?] { [LaunchReport(text)?.reason, LaunchReport(text)?.hint] }
        #expect(parts("error: a\nhint: b\n") == ["a", "b"])
        #expect(parts("warning: x\nError: a\nUsage: y\n") == ["a", nil])
        #expect(
            parts("note\nchatelained: cannot open shared object file\n\n") == [
                "chatelained: cannot open shared object file", nil,
            ])
        #expect(parts("error: \u{1B}[2Ja\u{202E}b") == ["?[2Ja?b", nil])
        #expect(parts(" \n") == [" ", nil])
        #expect(parts("\n\n") == [nil, nil] && parts("") == [nil, nil])
        #expect(parts("error: " + String(repeating: "x", count: 5000))[0]?.count == 1001)
    }

    @Test func `a program that writes without end neither fills memory nor holds up the caller`() throws {
        let root = try TemporaryDirectory()
        try root.write("#!/bin/sh\nyes 'error: again' | head -c 60000 >&2\nexit 1\n", to: "chatelained", mode: 0o700)
        let error = #expect(throws: EndpointError.self) {
            try DaemonLauncher(candidates: [root.path + "/chatelained"]).launch(timeout: .seconds(60))
        }
        #expect(error?.description.hasPrefix("the keychain service could not be started: again") == true)
    }

    @Test func `a store that a service with another socket serves is named as such`() throws {
        let root = try TemporaryDirectory()
        try root.write("#!/bin/sh\n", to: "chatelained", mode: 0o700)
        try root.directories.prepare()
        // With the number of the process, as the service writes it.
        let lock = open(root.directories.keychain.lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        let number = Array("\(getpid())\n".utf8)
        try #require(write(lock, number, number.count) == number.count)
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let error = #expect(throws: EndpointError.self) {
            _ = try EndpointSocket.connectOrLaunch(
                ServiceEndpoint(root.directories), launcher: DaemonLauncher(candidates: [root.path + "/chatelained"]),
                timeout: .milliseconds(100))
        }
        #expect(
            error?.description.contains(
                "another service already serves the keychain \(root.directories.keychain.databasePath)") == true)
    }

    @Test func `a service that runs is not launched again`() throws {
        let root = try TemporaryDirectory()
        try root.directories.prepareRuntime()
        let server = try TestServer(path: root.directories.socketPath)
        let socket = try EndpointSocket.connectOrLaunch(
            ServiceEndpoint(root.directories), launcher: DaemonLauncher(candidates: []))
        #expect(socket.belongsToThisProcess)
        withExtendedLifetime(server) {}
    }

    @Test func `a service that does not run is launched, and connected to when it listens`() throws {
        let root = try TemporaryDirectory()
        try root.directories.prepareRuntime()
        // Only its second process listens, so that the client has to connect and to launch it several times. That process ends with
        // its first client.
        let script = """
            #!/usr/bin/env python3
            import os, socket
            with open("\(root.path)/launches", "a") as file: file.write("x")
            if os.path.getsize("\(root.path)/launches") != 2 or os.fork(): os._exit(0)
            s = socket.socket(socket.AF_UNIX); s.bind("\(root.directories.socketPath)"); s.listen(1)
            c = s.accept()[0]; c.sendall(b"ready"); c.recv(1)
            """
        try root.write(script, to: "chatelained", mode: 0o700)
        let socket = try EndpointSocket.connectOrLaunch(
            ServiceEndpoint(root.directories), launcher: DaemonLauncher(candidates: [root.path + "/chatelained"]),
            timeout: .seconds(60))
        var greeting: [UInt8] = []
        try socket.receive(atMost: 5) { span in greeting = span.indices.map { span[$0] } }
        #expect(greeting.elementsEqual("ready".utf8))
    }

    @Test func `a service that is launched and never listens is reported in time`() throws {
        let root = try TemporaryDirectory()
        try root.write("#!/bin/sh\n", to: "chatelained", mode: 0o700)
        let launcher = DaemonLauncher(candidates: [root.path + "/chatelained"])
        do throws(EndpointError) {
            _ = try EndpointSocket.connectOrLaunch(
                ServiceEndpoint(root.directories), launcher: launcher, timeout: .milliseconds(100))
            Issue.record("nobody listens")
        } catch {
            guard case .notRunning(root.directories.socketPath, let hint) = error else { throw error }
            #expect(hint.contains("started but does not listen"))
        }
    }
}
