// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import KeychainEndpoint

/// With shell scripts in the place of helpers. Their frames are a digit that says how many bytes follow.
struct HelperProgramTests {
    @Test func `a helper is looked for where it is named, beside the program, and where programs are installed`() {
        func candidates(
            folder: String? = nil, service: String? = nil, isPrivileged: Bool = false
        ) -> [String] {
            HelperProgram(
                name: "h", executablePath: "/opt/bin/app", folder: folder, service: service, home: "/home/ada",
                isPrivileged: isPrivileged
            ).candidates
        }
        #expect(candidates() == ["/opt/bin/h", "/home/ada/.local/bin/h", "/usr/local/bin/h", "/usr/bin/h"])
        #expect(candidates(folder: "/x").first == "/x/h")
        #expect(candidates(folder: "relative") == candidates())
        #expect(candidates(folder: "/x", isPrivileged: true) == ["/usr/local/bin/h", "/usr/bin/h"])
        #expect(
            candidates(service: "/srv/bin/chatelained") == [
                "/opt/bin/h", "/srv/bin/h", "/home/ada/.local/bin/h", "/usr/local/bin/h", "/usr/bin/h",
            ])
        #expect(candidates(service: "/srv/bin/chatelained", isPrivileged: true) == ["/usr/local/bin/h", "/usr/bin/h"])
        #expect(HelperProgram.installed("h").candidates.contains("/usr/bin/h"))
    }

    @Test func `a helper is found beside each service that is found, also through a link`() throws {
        let root = try TemporaryDirectory()
        let installation = root.path + "/installation"
        for path in [installation, root.path + "/links"] { #expect(mkdir(path, 0o700) == 0) }
        try root.write("#!/bin/sh\n", to: "installation/chatelained", mode: 0o700)
        try root.write("#!/bin/sh\n", to: "installation/h", mode: 0o700)
        #expect(symlink(installation + "/chatelained", root.path + "/links/chatelained") == 0)
        for folder in [installation, root.path + "/links"] {
            let service = try #require(
                DaemonLauncher(executablePath: "/opt/bin/app", searchPath: folder, home: nil).locate())
            let helper = HelperProgram(
                name: "h", executablePath: "/opt/bin/app", folder: nil, service: service, home: nil,
                isPrivileged: false)
            let found = try #require(firstProgram(of: helper.candidates))
            #expect(try absolutePath(found) == absolutePath(installation + "/h"))
        }
    }

    @Test func `a helper reads the request and its answer comes back`() throws {
        let helper = try TestHelper("read -r line; printf '5%s' \"$line\"")
        #expect(try helper.ask("hello\n") == .success("5hello"))
    }

    @Test func `a helper that has answered need not end by itself`() throws {
        let helper = try TestHelper("printf 1x; exec sleep 1000")
        #expect(try helper.ask("") == .success("1x"))
    }

    @Test func `an answer before the whole request was read counts`() throws {
        let helper = try TestHelper("printf 1x")
        #expect(try helper.ask(String(repeating: "x", count: 4_000_000)) == .success("1x"))
    }

    @Test func `a request larger than any buffer arrives whole`() throws {
        let helper = try TestHelper("printf '7%s' $(head -c 4000000 | wc -c)")
        #expect(try helper.ask(String(repeating: "x", count: 4_000_000)) == .success("74000000"))
    }

    @Test func `a helper that is missing, fails, dies or speaks otherwise is named in the error`() throws {
        let cases: [(script: String, reason: HelperError.Reason)] = [
            ("exit 0", .ended), ("exit 3", .ended), ("kill -9 $$", .ended), ("printf 5xy", .ended),
            ("printf x", .malformed), ("printf 1xy", .malformed), ("exec 0<&- 1>&-; exec sleep 1000", .ended),
        ]
        for (script, reason) in cases {
            let helper = try TestHelper(script)
            #expect(try helper.ask("request") == .failure(HelperError(reason, of: helper.path)), "\(script)")
        }
        let missing = HelperProgram(name: "h", candidates: ["/nowhere/h"])
        #expect(throws: HelperError(.notFound(searched: ["/nowhere/h"]), of: "h")) {
            try missing.answer(to: [], timeout: .seconds(1)) { _ in nil }
        }
    }

    @Test func `a helper that is silent or does not read is killed when the time is over`() throws {
        let silent = try TestHelper("exec sleep 1000")
        #expect(
            try silent.ask(String(repeating: "x", count: 4_000_000), timeout: .milliseconds(50))
                == .failure(HelperError(.timedOut, of: silent.path)))
    }

    @Test func `a helper gets no environment`() throws {
        let helper = try TestHelper("set -- $(env | grep -c -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD=); printf 1$1")
        #expect(try helper.ask("") == .success("10"))
    }

    @Test func `no process stays behind`() throws {
        for script in ["printf 1x; exec sleep 1000", "exec sleep 1000"] {
            let helper = try TestHelper("echo $$ >\"${0%/*}/process\"; \(script)")
            // On a busy machine, a helper that is killed early has not written its number yet: then it gets more time.
            for milliseconds in [500, 5_000, 50_000, 500_000] where helper.root.number("process") == nil {
                _ = try helper.ask("", timeout: .milliseconds(milliseconds))
            }
            let process = try #require(helper.root.number("process"))
            #expect(kill(process, 0) == -1 && errno == ESRCH)
        }
    }

    @Test func `a program that ignores the end of its children gets the answer too`() async throws {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let helper = try TestHelper("printf 1x")
            #expect(try helper.ask("") == .success("1x"))
            let failing = try TestHelper("exit 3")
            #expect(try failing.ask("") == .failure(HelperError(.ended, of: failing.path)))
        }
    }
}

private struct TestHelper {
    let root: TemporaryDirectory
    var path: String { root.path + "/h" }

    init(_ script: String) throws {
        root = try TemporaryDirectory()
        try root.write("#!/bin/sh\n\(script)\n", to: "h", mode: 0o700)
    }

    struct NoDigit: Error {}

    func ask(_ request: String, timeout: Duration = .seconds(60)) throws -> Result<String, HelperError> {
        let helper = HelperProgram(name: "h", candidates: [path])
        do throws(HelperError) {
            let answer = try helper.answer(to: Array(request.utf8), timeout: timeout) { bytes in
                guard let first = bytes.first else { return nil }
                guard let size = Character(UnicodeScalar(first)).wholeNumberValue else { throw NoDigit() }
                return size + 1
            }
            return .success(String(decoding: answer, as: UTF8.self))
        } catch {
            return .failure(error)
        }
    }
}

extension TemporaryDirectory {
    /// The number in a file.
    fileprivate func number(_ name: String) -> Int32? {
        SmallFile.text(at: "\(path)/\(name)").flatMap { Int32($0.filter(\.isNumber)) }
    }
}
