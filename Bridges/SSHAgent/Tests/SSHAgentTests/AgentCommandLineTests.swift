// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SSHAgentProtocol
import SSHAgentSamples
import Testing

@testable import SSHAgent

@Suite struct AgentCommandLineTests {
    private func line(_ words: String..., shell: String? = "/bin/bash") throws -> AgentCommandLine {
        try AgentCommandLine(words, shell: shell)
    }

    private func reason(_ words: String...) -> String? {
        do throws(AgentCommandLine.UsageError) {
            _ = try AgentCommandLine(words, shell: nil)
            return "none"
        } catch {
            return error.reason
        }
    }

    @Test func `without options an agent starts in the background for the user's shell`() throws {
        #expect(try line().action == .start)
        #expect(try line().shell == .bourne)
        #expect(try line(shell: "/bin/tcsh").shell == .csh)
        #expect(try line("-s", shell: "/bin/tcsh").shell == .bourne)
        #expect(try line("-c").shell == .csh)
    }

    @Test func `options are read as OpenSSH reads them, also in one word`() throws {
        let line = try line("-Dt1h30m", "-a", "/run/x", "-Emd5", "-O", "no-restrict-websafe", "-P", "/opt/*")
        #expect(line.action == .serve(isDebugging: false))
        #expect(line.options.lifetime == 5400)
        #expect(line.socket == "/run/x")
        #expect(line.fingerprintHash == .md5)
        #expect(!line.options.restrictsWebSignatures)
        #expect(line.options.allowedProviders == "/opt/*")
        #expect(try self.line("-d").action == .serve(isDebugging: true))
        #expect(try self.line("-sk").action == .kill)
    }

    @Test func `the options end at the command`() throws {
        #expect(try line("-t", "60", "ssh-add", "-c").action == .run(["ssh-add", "-c"]))
        #expect(try line("--", "-x").action == .run(["-x"]))
    }

    @Test(
        arguments: [
            ("0", nil), ("60", 60), ("2m", 120), ("1w2d3h4m5s", 788_645), ("1M", 60), ("1h30", 3630),
        ] as [(String, UInt32?)])
    func `a lifetime has the units of OpenSSH`(_ text: String, _ seconds: UInt32?) throws {
        #expect(try line("-t", text).options.lifetime == seconds)
    }

    @Test(arguments: ["", "m", "-1", "1x", "5000000000", "100000w", "1 h", "٣"])
    func `another lifetime is refused`(_ text: String) {
        #expect(reason("-t", text) == "Invalid lifetime")
    }

    @Test func `wrong options are refused with their reason`() {
        #expect(reason("-x") == "unknown option -- x")
        #expect(reason("-t") == "option requires an argument -- t")
        #expect(reason("-E", "sha1") == "Invalid hash algorithm ‘sha1’")
        #expect(reason("-O", "other") == "Unknown -O option ‘other’")
        #expect(reason("-P", "a", "-P", "b") == "-P option already specified")
        #expect(reason("-c", "-s") == nil && reason("-d", "-D") == nil && reason("-k", "command") == nil)
    }

    @Test func `an agent in the background gets the options of its start`() throws {
        let background = AgentCommandLine.Background(parent: 12, ownsFolder: true)
        let started = try line("-t", "60", "-O", "allow-remote-pkcs11", "-O", "allow-rsa-sha1", "-E", "md5", "sh")
        let line = try AgentCommandLine(started.words(of: background, socket: "/tmp/x"), shell: nil)
        #expect(line.action == .background(background))
        #expect(line.socket == "/tmp/x")
        #expect(line.options == started.options)
        #expect(line.fingerprintHash == .md5)
    }

    // MARK: Output

    @Test func `the commands for a shell are those of OpenSSH`() {
        #expect(
            AgentCommandLine.Shell.bourne.settings(socket: "/tmp/ssh-XX/agent.1", agent: 2) == """
                SSH_AUTH_SOCK=/tmp/ssh-XX/agent.1; export SSH_AUTH_SOCK;
                SSH_AGENT_PID=2; export SSH_AGENT_PID;
                echo Agent pid 2;

                """)
        #expect(
            AgentCommandLine.Shell.csh.settings(socket: "/tmp/a", agent: 2) == """
                setenv SSH_AUTH_SOCK /tmp/a;
                setenv SSH_AGENT_PID 2;
                echo Agent pid 2;

                """)
        #expect(
            AgentCommandLine.Shell.bourne.foregroundSettings(socket: "/tmp/a", agent: 2) == """
                SSH_AUTH_SOCK=/tmp/a; export SSH_AUTH_SOCK;
                echo Agent pid 2;

                """)
        #expect(
            AgentCommandLine.Shell.bourne.removal(agent: 2) == """
                unset SSH_AUTH_SOCK;
                unset SSH_AGENT_PID;
                echo Agent pid 2 killed;

                """)
        #expect(AgentCommandLine.Shell.csh.removal(agent: 2).hasPrefix("unsetenv SSH_AUTH_SOCK;\n"))
    }

    @Test func `a path that a shell would evaluate is quoted`() {
        #expect(
            AgentCommandLine.Shell.bourne.settings(socket: "/tmp/$(x) 'y'", agent: 2)
                .hasPrefix(#"SSH_AUTH_SOCK='/tmp/$(x) '\''y'\'''; export"#))
    }
}

@Suite struct KnownHostsTests {
    private static let key = Data(RecordedKeys.publicKey_host1).base64EncodedString()
    private static let authority = Data(RecordedKeys.publicKey_hostca).base64EncodedString()

    private func name(_ text: String, certificate: Bool = false) throws -> String? {
        let blob = certificate ? RecordedKeys.certificate_hostc : RecordedKeys.publicKey_host1
        return KnownHosts(Array(text.utf8)).name(of: try SSHPublicKey(blob: blob))
    }

    @Test func `the first name of the host with the key is found`() throws {
        #expect(try name("# x\n\nother ssh-ed25519 AAAA\nh1,192.0.2.1 ssh-ed25519 \(Self.key) comment\n") == "h1")
        #expect(try name("|1|a|b,h2\tssh-ed25519\t\(Self.key)\r\n") == "h2")
    }

    @Test func `hashed names, other keys and short lines give no name`() throws {
        #expect(try name("|1|a|b ssh-ed25519 \(Self.key)\n") == nil)
        #expect(try name("h1 ssh-ed25519\n@x\nh1\n") == nil)
        #expect(try name("@cert-authority h1 ssh-ed25519 \(Self.key)\n") == nil)
        #expect(try name("#h1 ssh-ed25519 \(Self.key)\n") == nil)
    }

    @Test func `a revoked key has no name`() throws {
        #expect(try name("h1 ssh-ed25519 \(Self.key)\n@revoked * ssh-ed25519 \(Self.key)\n") == nil)
    }

    @Test func `a certificate has the name of its authority's line`() throws {
        let line = "*.c.example ecdsa-sha2-nistp256 \(Self.authority)\n"
        #expect(try name("@cert-authority " + line, certificate: true) == "*.c.example")
        #expect(try name(line, certificate: true) == nil)
    }

    @Test func `a text of a client cannot change the lines or the direction of a prompt`() {
        #expect("a\nb\u{202E}c\u{1B}[1m".printable == "a\u{FFFD}b\u{FFFD}c\u{FFFD}[1m")
        #expect(String(repeating: "x", count: 101).printable == String(repeating: "x", count: 100) + "…")
    }
}
