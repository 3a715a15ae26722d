// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Glibc
import KeychainEndpoint
import KeychainModel
import KeychainPolicy
import TestSupport
import Testing

@testable import KeychainPlatform
@testable import KeychainServer

/// The identification of real files, as if a process ran them.
struct ProgramIdentificationTests {
    private let folder: ScratchFolder
    private static let original = try! [UInt8](Data(contentsOf: URL(fileURLWithPath: "/bin/true")))
    private static let asker = Caller(
        userID: getuid(), processID: 1, tier: .installed, identity: .command, accessGroups: ["chatelaine"],
        displayPath: "")

    init() throws { folder = try ScratchFolder() }

    private func look(_ bytes: [UInt8], mode: Int = 0o755, as name: String = "program") throws -> Caller {
        let path = try folder.write(bytes, to: name, mode: mode)
        let identifier = CallerIdentifier.live(commandPath: nil, owner: getuid())
        return try identifier.look(.program(path: path), Self.asker)
    }

    private func unsigned(_ bytes: [UInt8]) -> ProgramIdentity { .unsigned(digest: Array(SHA256.hash(data: bytes))) }

    @Test func `a signed file is known by team and identifier, with the groups of its entitlements`() throws {
        let team = SignedProgram.team
        let plain = try look(try SignedProgram(Self.original).bytes)
        #expect(plain.tier == .signed && plain.identity == .signed(team: team, identifier: "org.example.mail"))
        #expect(plain.accessGroups == ["\(team).org.example.mail"] && !plain.hasEntitledGroups)
        let entitled = try look(
            try SignedProgram(
                Self.original,
                [
                    ("keychain-access-groups", .list(["com.apple.token", "\(team).b"])),
                    ("application-identifier", .text("\(team).mail")),
                ]
            ).bytes)
        #expect(entitled.accessGroups == ["\(team).b", "\(team).mail", "com.apple.token"])
        #expect(entitled.hasEntitledGroups && entitled.entitlements.count == 2)
        #expect(entitled.findings == [.writableByOthers, .userService])
    }

    @Test func `a program that was signed without its identifier has its own group before application groups`() throws {
        let team = SignedProgram.team
        let own = "\(team).org.example.mail"
        for (key, groups) in [
            ("keychain-access-groups", ["\(team).b", own]),
            ("com.apple.security.application-groups", [own, "\(team).b"]),
        ] {
            let caller = try look(try SignedProgram(Self.original, [(key, .list(["\(team).b"]))]).bytes)
            #expect(caller.accessGroups == groups && caller.hasEntitledGroups)
        }
    }

    @Test func `a file that is not as it was signed is known by its bytes`() throws {
        let program = try SignedProgram(Self.original, [("keychain-access-groups", .list(["\(SignedProgram.team).a"]))])
        var inside = program.bytes
        inside[Self.original.count / 2] ^= 1
        for (bytes, finding) in [
            (inside, CallerFinding.changedAfterSigning), (program.bytes + [0], .changedAfterSigning),
            (Self.original, .noSignature),
        ] {
            let caller = try look(bytes)
            #expect(caller.tier == .unsigned && caller.identity == unsigned(bytes))
            #expect(caller.findings.first == finding && caller.entitlements.isEmpty && !caller.hasEntitledGroups)
        }
    }

    @Test func `a signature that is damaged, newer, or of another key's making does not count`() throws {
        let program = try SignedProgram(Self.original)
        for (place, finding) in [
            (0, CallerFinding.damagedSignature), (7, .newerSignature), (8, .damagedSignature), (20, .damagedSignature),
            (80, .damagedSignature), (program.range.count - 1, .damagedSignature),
        ] {
            var bytes = program.bytes
            bytes[program.range.lowerBound + place] ^= 2
            let caller = try look(bytes)
            #expect(caller.identity == unsigned(bytes) && caller.findings.first == finding, "byte \(place)")
        }
    }

    @Test(
        arguments: [
            ("keychain-access-groups", .list(["AAAAAAAAAAAAAAAAAAAAAAAAAA.a"])), ("keychain-access-groups", .text("a")),
            ("application-identifier", .text("mail")), ("com.apple.security.application-groups", .list(["group.a"])),
            ("com.apple.developer.associated-application-identifier", .list(["x.y"])),
        ] as [(String, Entitlement.Value)])
    func `a signature that grants rights of another team is void`(key: String, value: Entitlement.Value) throws {
        let bytes = try SignedProgram(Self.original, [(key, value)]).bytes
        let caller = try look(bytes)
        #expect(caller.identity == unsigned(bytes) && caller.findings.first == .foreignEntitlements)
        #expect(caller.accessGroups == [caller.identity.implicitGroup] && caller.entitlements.isEmpty)
    }

    @Test func `hostile and foreign files are known by their bytes`() throws {
        let signed = try SignedProgram(Self.original)
        func patched(_ offset: Int, _ values: [UInt8]) -> [UInt8] {
            var bytes = signed.bytes
            bytes.replaceSubrange(offset..<offset + values.count, with: values)
            return bytes
        }
        for bytes in [
            Array("#!/bin/sh\nexit 0\n".utf8), [], [0x7F, 0x45, 0x4C, 0x46], Array(signed.bytes.prefix(64)),
            Array(signed.bytes.prefix(signed.range.lowerBound + 10)),
            // The table of sections: far away, with the largest possible number and size of entries.
            patched(40, [UInt8](repeating: 0xFF, count: 8)), patched(60, [0xFF, 0xFF]), patched(58, [0xFF, 0xFF]),
            patched(62, [0xFF, 0xFF]), patched(56, [0xFF, 0xFF]), patched(4, [1]), patched(5, [2]),
        ] {
            let caller = try look(bytes)
            #expect(caller.identity == unsigned(bytes) && caller.tier == .unsigned)
            #expect([.noSignature, .changedAfterSigning, .damagedSignature].contains(caller.findings.first))
        }
    }

    @Test func `a file that is no program, or another user's, is not looked at`() throws {
        let identifier = CallerIdentifier.live(commandPath: nil, owner: getuid())
        let refusal = Refusal(.parameter, .notInspectable)
        #expect(throws: refusal) { try look(Self.original, mode: 0o644) }
        for path in [folder.path, folder("none"), "/dev/null", ""] {
            #expect(throws: refusal) { try identifier.look(.program(path: path), Self.asker) }
        }
        let path = try folder.write(Self.original, to: "mine", mode: 0o711)
        let stranger = Caller(
            userID: getuid() + 1, processID: 1, tier: .installed, identity: .command, accessGroups: [], displayPath: "")
        #expect(throws: refusal) { try identifier.look(.program(path: path), stranger) }
    }

    @Test func `the command is the file of that place, whatever it is called`() throws {
        let path = try folder.write(Self.original, to: "chatelaine")
        let other = try folder.write(Self.original + [0], to: "elsewhere")
        let identifier = CallerIdentifier.live(commandPath: path, owner: getuid())
        #expect(try identifier.look(.program(path: path), Self.asker).isAdministrationTool)
        #expect(try !identifier.look(.program(path: other), Self.asker).isAdministrationTool)
        #expect(symlink("chatelaine", folder("link")) == 0)
        #expect(try identifier.look(.program(path: folder("link")), Self.asker).isAdministrationTool)
        #expect(chmod(path, 0o775) == 0)
        #expect(try !identifier.look(.program(path: path), Self.asker).isAdministrationTool, "others could replace it")
    }

    @Test func `processes are looked at by number, those of other users are not`() throws {
        let identifier = CallerIdentifier.live(commandPath: nil, owner: getuid())
        let own = try identifier.look(.process(getpid()), Self.asker)
        #expect(own.processID == getpid() && own.tier > .unidentified)
        for number in [0, -1, Int32.max] {
            #expect(throws: Refusal(.parameter, .notInspectable)) {
                try identifier.look(.process(number), Self.asker)
            }
        }
        let stranger = Caller(
            userID: getuid() + 1, processID: 1, tier: .installed, identity: .command, accessGroups: [], displayPath: "")
        #expect(throws: Refusal(.parameter, .notInspectable)) { try identifier.look(.process(getpid()), stranger) }
    }
}

/// The shield of real processes, as the system service sees it: programs in a folder that only root can write.
@Suite(.enabled(if: getuid() == 0, "only root can install programs that the kernel shields"))
struct EnforcementTests {
    private let folder: ScratchFolder
    private let listener: ListeningSocket
    private static let person: uid_t = 1500
    private static let group: gid_t = 1501

    init() throws {
        folder = try ScratchFolder(in: "/usr/local/lib")
        #expect(chmod(folder.path, 0o755) == 0)
        listener = try ListeningSocket(bindingTo: folder("s"))
        #expect(chmod(folder("s"), 0o777) == 0)
    }

    /// Installs a program that connects. It is Python under a name that is not an interpreter's; other tests cover the
    /// effect of names.
    private func install(_ name: String = "client", group: gid_t = 0, mode: Int = 0o755) throws -> String {
        let path = try folder.write(try Data(contentsOf: URL(fileURLWithPath: "/usr/bin/python3")), to: name)
        #expect(chown(path, 0, group) == 0 && chmod(path, mode_t(mode)) == 0)
        return path
    }

    private func caller(
        _ path: String, user: uid_t = person, groups: String = "\(person)", noNewPrivileges: Bool = false,
        tracedBy tracer: [String] = [], owner: UInt32? = nil, before: (Int32) throws -> Void = { _ in }
    ) throws -> Caller {
        var words = ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(groups)", "--clear-groups"]
        if noNewPrivileges { words.append("--no-new-privs") }
        // setpriv keeps root's capabilities to itself, and passes them on to a file that requests them; env has none.
        let program = try ConnectingProgram(
            words + ["/usr/bin/env"] + tracer + [path], socket: folder("s"), before: before)
        let identifier = CallerIdentifier.live(commandPath: nil, owner: owner)
        try #require(hasVisitor(), "the program did not connect")
        let identified = identifier.identify(try listener.accept())
        withExtendedLifetime(program) {}
        return identified.caller.caller
    }

    @Test func `a set-group-id program is enforced, under a system service only`() throws {
        let path = try install(group: Self.group, mode: 0o2755)
        let caller = try caller(path)
        #expect(caller.tier == .enforced && caller.enforcement == .setgid)
        #expect(caller.identity == .installed(path: path) && caller.accessGroups == ["enforced:installed:" + path])
        let ofUser = try self.caller(path, owner: Self.person)
        #expect(ofUser.tier == .installed && ofUser.findings.contains(.userService))
    }

    @Test func `a member of the group is not enforced with a program that lacks the bit`() throws {
        let caller = try caller(try install(group: Self.group), groups: "\(Self.group)")
        #expect(caller.tier == .installed && caller.enforcement == nil && caller.findings.contains(.notShielded))
    }

    @Test func `a member whose group is the program's gains no shield from the bit`() throws {
        // The kernel changes nothing for such a process, and lets its user load a library into it.
        let caller = try caller(try install(group: Self.group, mode: 0o2755), groups: "\(Self.group)")
        #expect(caller.tier == .installed && caller.findings.contains(.notShielded))
    }

    @Test func `the bit does nothing where new privileges are forbidden`() throws {
        let caller = try caller(try install(group: Self.group, mode: 0o2755), noNewPrivileges: true)
        #expect(caller.tier == .installed && caller.findings.contains(.notShielded))
    }

    @Test func `the bit without the group's right to run does nothing`() throws {
        let caller = try caller(try install(group: Self.group, mode: 0o2745))
        #expect(caller.tier == .installed && caller.findings.contains(.notShielded))
    }

    /// CAP_IPC_LOCK (14), permitted and effective: struct vfs_cap_data, version 2, in <linux/capability.h>.
    private static let lockingMemory: [UInt8] = [1, 0, 0, 2, 0, 0x40, 0, 0] + [UInt8](repeating: 0, count: 12)

    @Test func `a program with a file capability is enforced`() throws {
        let path = try install()
        #expect(setAttribute("security.capability", Self.lockingMemory, of: path))
        let caller = try caller(path)
        #expect(caller.tier == .enforced && caller.enforcement == .fileCapability)
        let without = try self.caller(path, noNewPrivileges: true)
        #expect(without.tier == .installed)
        #expect(without.enforcement == nil)
        #expect(without.findings == [.noSignature, .notShielded])
    }

    @Test(arguments: [true, false])
    func `a program that its user traces from the start is not enforced`(hasCapability: Bool) throws {
        let path = try install(group: hasCapability ? 0 : Self.group, mode: hasCapability ? 0o755 : 0o2755)
        if hasCapability { #expect(setAttribute("security.capability", Self.lockingMemory, of: path)) }
        // PTRACE_TRACEME (0) in the child before exec, PTRACE_DETACH (17) at the stop that exec makes.
        let tracer = """
            import ctypes, os, sys
            libc = ctypes.CDLL(None)
            child = os.fork()
            if child == 0:
                libc.ptrace(0, 0, None, None)
                os.execv(sys.argv[1], sys.argv[1:])
            os.waitpid(child, 0)
            libc.ptrace(17, child, None, None)
            os.waitpid(child, 0)
            """
        let caller = try caller(path, tracedBy: ["/usr/bin/python3", "-c", tracer])
        #expect(caller.tier == .installed && caller.findings.contains(.notShielded))
    }

    @Test func `a program whose capability the sessions of users have anyway is not enforced`() throws {
        // CAP_WAKE_ALARM (35): a tracer with it as an ambient capability keeps control over the program from its start.
        let alarm: [UInt8] = [1, 0, 0, 2] + [UInt8](repeating: 0, count: 8) + [8, 0, 0, 0, 0, 0, 0, 0]
        let path = try install()
        #expect(setAttribute("security.capability", alarm, of: path))
        let caller = try caller(path)
        #expect(caller.tier == .installed && caller.enforcement == nil && caller.findings.contains(.notShielded))
    }

    @Test func `through a bridge a set-group-id program has the rights that it has without its shield`() throws {
        let path = try install(group: Self.group, mode: 0o2755)
        var number: Int32 = 0
        let program = try ConnectingProgram(
            [
                "/usr/bin/setpriv", "--reuid=\(Self.person)", "--regid=\(Self.person)", "--clear-groups",
                "/usr/bin/env", path,
            ], socket: folder("s")
        ) { number = $0 }
        try #require(hasVisitor(), "the program did not connect")
        let identifier = CallerIdentifier.live(commandPath: nil, owner: nil)
        #expect(identifier.identify(try listener.accept()).caller.caller.enforcement == .setgid)
        let bridge = IdentifiedCaller(
            Caller(
                userID: Self.person, processID: 1, tier: .installed, identity: .installed(path: "/bridge"),
                accessGroups: [], displayPath: "/bridge"), isBridge: true
        ) { _ in true }
        let caller = try identifier.client(try PeerProcess(lookingAt: number).process, bridge).caller.caller
        #expect(caller.tier == .installed && caller.enforcement == nil && caller.findings.contains(.notShielded))
        #expect(caller.accessGroups == ["installed:" + path] && caller.bridge?.displayPath == "/bridge")
        withExtendedLifetime(program) {}
    }

    @Test func `a service with a user of its own is enforced`() throws {
        let caller = try caller(try install(), user: 900, groups: "900")
        #expect(caller.tier == .enforced && caller.enforcement == .ownUser)
    }

    @Test func `a script is enforced by none of these`() throws {
        let path = try install("python3", group: Self.group, mode: 0o2755)
        #expect(try caller(path).tier == .interpreter)
        #expect(try caller(path, user: 900, groups: "900").tier == .interpreter)
    }

    @Test func `what others can replace is not enforced`() throws {
        let path = try install(group: Self.group, mode: 0o2755)
        #expect(chmod(folder.path, 0o777) == 0)
        let caller = try caller(path)
        #expect(caller.tier == .unsigned && caller.findings.contains(.writableByOthers))
        #expect(caller.findings.contains(.notShielded))
    }

    private func hasVisitor() -> Bool {
        var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 20_000) == 1
    }

    // MARK: Use of the result

    @Test func `in strict mode an enforced program uses its items, and all others need an approval for anything`()
        throws
    {
        let writable = try ScratchFolder()
        let python = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/usr/bin/python3")))
        let programs: [(String, String)] = [
            ("enforced", try install("enforced", group: Self.group, mode: 0o2755)),
            ("installed", try install("installed")),
            ("signed", try folder.write(try SignedProgram(python).bytes, to: "signed")),
            ("unsigned", try writable.write(python, to: "unsigned")),
        ]
        let tool = try install("chatelaine")
        let running = try RunningService(identifier: .live(commandPath: tool, owner: nil))
        defer { running.stop() }
        let socket = running.directories.socketPath
        let item = "{'svce': 'mail', 'acct': 'ann'}"
        for (tier, path) in programs {
            let output = try run(path, socket, "print(client.identity().tier, client.add(\(item), b'secret').status)")
            let number = try #require(CallerTier.allCases.first { $0.name == tier }).rawValue
            #expect(output == "\(number) 0\n", "\(tier)")
        }
        func set(_ isStrict: Bool, _ result: String) throws {
            let name = "b'\\0\\1' + block('require-enforced-callers') + struct.pack('>Q', \(isStrict ? 1 : 0))"
            let output = try run(
                tool, socket,
                "a = client.request(ADMINISTER, b'\\x0a' + optional(None) + \(name)); print(a.status, a.reason)")
            #expect(output == "\(result)\n")
        }
        try set(true, "0 0")
        for (tier, path) in programs {
            let output = try run(
                path, socket,
                """
                a, b = client.copy(\(item)), client.copy(\(item), returning=ATTRIBUTES)
                c, d = client.update(\(item), {'labl': 'x'}), client.delete({'svce': 'none'})
                e = client.add({'svce': 'second', 'acct': 'ann'}, b'secret')
                print(a.status, a.reason, b.status, len(b.items), c.status, d.status, e.status)
                """)
            let isFree = tier == "enforced"
            #expect(
                output == (isFree ? "0 0 0 1 0 -25300 0\n" : "-25308 30 -25308 0 -25308 -25300 -25308\n"), "\(tier)")
        }
        // The end of strict mode needs an approval, too.
        try set(false, "-25293 39")
    }

    /// Returns the output of a Python program; `client` is its connection, of Tests/Programs/support/wire.py.
    private func run(_ program: String, _ socket: String, _ code: String) throws -> String {
        let modules = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Programs").path
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "-c",
            """
            import struct, sys
            sys.path.insert(0, sys.argv[2])
            from support.wire import *
            client = Client(sys.argv[1])
            \(code)
            """, socket, modules,
        ]
        process.environment = ["PATH": "/usr/bin:/bin", "PYTHONHOME": "/usr", "PYTHONDONTWRITEBYTECODE": "1"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    private static let controlGroups: String? = {
        let lines = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        for line in lines.split(separator: "\n") {
            let fields = line.split(separator: " ")
            if fields[2] == "cgroup2" { return String(fields[1]) }
        }
        return nil
    }()

    private static let canMakeControlGroups: Bool = {
        guard let root = controlGroups else { return false }
        let place = root + "/chatelaine-probe-\(getpid())"
        return mkdir(place, 0o755) == 0 && rmdir(place) == 0
    }()

    @Test(.enabled(if: canMakeControlGroups, "control groups cannot be made here"))
    func `a unit of the system is enforced, also a unit that runs scripts, and a person's process is not`() throws {
        let root = try #require(Self.controlGroups)
        let slice = root + "/system.slice"
        let unit = slice + "/chatelaine-test-\(getpid()).service"
        let madeSlice = mkdir(slice, 0o755) == 0
        try #require(mkdir(unit, 0o755) == 0)
        defer {
            // Empty once the programs have ended.
            rmdir(unit)
            if madeSlice { rmdir(slice) }
        }
        let join = { (process: Int32) in
            try Data("\(process)\n".utf8).write(to: URL(fileURLWithPath: unit + "/cgroup.procs"))
        }
        let name = "chatelaine-test-\(getpid()).service"
        for (program, user) in [("client", uid_t(900)), ("python3", 900), ("client2", 0)] {
            let caller = try caller(try install(program), user: user, groups: "\(user)", before: join)
            #expect(caller.tier == .enforced && caller.enforcement == .systemUnit(name), "\(program)")
        }
        let ofPerson = try caller(try install("client3"), before: join)
        #expect(ofPerson.tier == .installed && ofPerson.findings.contains(.notShielded))
    }

    private func setAttribute(_ name: String, _ value: [UInt8], of path: String) -> Bool {
        let hexadecimal = value.map { String(format: "%02x", $0) }.joined()
        let script = "import os, sys; os.setxattr(sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3]))"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, path, name, hexadecimal]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

/// A folder that goes with the test.
final class ScratchFolder {
    let path: String

    init(in place: String = "/tmp") throws {
        path = try makeScratchFolder("ct", in: place)
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file by a name of its own first: a program that runs cannot be written.
    ///
    /// Another process makes the copy that is run. Whatever this one starts at the same moment would have the file open for
    /// writing for an instant, and the kernel runs no such file (`ETXTBSY`).
    func write(_ bytes: some Collection<UInt8>, to name: String, mode: Int = 0o755) throws -> String {
        let path = self(name)
        let original = path + ".original"
        try Data(bytes).write(to: URL(fileURLWithPath: original))
        defer { unlink(original) }
        let copying = try Process.run(
            URL(fileURLWithPath: "/usr/bin/cp"), arguments: ["--remove-destination", original, path])
        copying.waitUntilExit()
        try #require(copying.terminationStatus == 0 && chmod(path, mode_t(mode)) == 0)
        return path
    }

    deinit {
        // A folder that stays behind fails no test.
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// A Python program that connects on command, and then waits for its end.
final class ConnectingProgram {
    private let process = Process()
    private let input = Pipe()

    /// - Parameter before: called with its number before it connects.
    init(_ words: [String], socket: String, before: (Int32) throws -> Void) throws {
        let script = """
            import socket, sys
            sys.stdin.readline()
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
            sys.stdin.read()
            """
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = words.dropFirst() + ["-c", script, socket]
        // Where a Python of another place finds its library.
        process.environment = ["PATH": "/usr/bin:/bin", "PYTHONHOME": "/usr"]
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = input
        try process.run()
        try before(process.processIdentifier)
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    }

    deinit {
        // This also ends the child processes, because Foundation waits until all of them have ended.
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
