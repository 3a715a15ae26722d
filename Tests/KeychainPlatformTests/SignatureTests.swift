// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Glibc
import KeychainCodeSigning
import KeychainEndpoint
import KeychainModel
import Testing

@testable import KeychainPlatform

/// Signatures and hashes of files that change, and the cache of their results.
struct SignatureTests {
    private let root: TemporaryDirectory
    private static let key = try! Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 5, count: 32))

    init() throws { root = try TemporaryDirectory() }

    /// A clock long after anything that a test writes.
    private static let later = WallClock.constant(1e12)

    private func program(_ name: String, _ inspector: ExecutableInspector) throws -> PeerExecutable {
        try inspector.program(at: root(name), for: getuid())
    }

    @Test func `the signature of a file is remembered until the file changes`() throws {
        try root.write(try signedProgram(), to: "program", mode: 0o755)
        let inspector = ExecutableInspector(clock: Self.later)
        guard case .valid(let signature) = try program("program", inspector).signature() else {
            Issue.record("not valid")
            return
        }
        #expect(signature.statement.identifier.text == "org.example.mail")
        let isRemembered = try program("program", inspector).showsLaterWrites
        #expect(inspector.cachedDigestCount == (isRemembered ? 1 : 0))
        #expect(try program("program", inspector).signature() == .valid(signature))
        // The same inode, another content: the change time is another one as well.
        try root.write(try signedProgram() + [0], to: "program", mode: 0o755)
        #expect(try program("program", inspector).signature() == .changedFile)
        #expect(inspector.cachedDigestCount == (isRemembered ? 2 : 0))
    }

    @Test func `nothing is remembered of a file that has just changed`() throws {
        try root.write(try signedProgram(), to: "program", mode: 0o755)
        var facts = stat()
        #expect(stat(root("program"), &facts) == 0)
        let changed = Double(facts.st_ctim.tv_sec - WallClock.referenceDateInUnixTime)
        for (now, count) in [(changed, 0), (changed + 1.5, 0), (changed - 3600, 0), (changed + 3.5, 1)] {
            let inspector = ExecutableInspector(clock: .constant(now))
            let executable = try program("program", inspector)
            _ = try executable.signature()
            _ = try executable.digest()
            let isRemembered = executable.showsLaterWrites
            #expect(inspector.cachedDigestCount == (isRemembered ? count : 0), "\(now - changed) seconds later")
        }
    }

    @Test func `a file that changed since it was opened is not believed`() throws {
        try root.write(try signedProgram(), to: "program", mode: 0o755)
        let inspector = ExecutableInspector(clock: Self.later)
        let executable = try program("program", inspector)
        let file = open(root("program"), O_WRONLY | O_CLOEXEC)
        try #require(file >= 0)
        #expect(Glibc.write(file, "x", 1) == 1)
        close(file)
        #expect(throws: DigestError.changed) { try executable.digest() }
        #expect(throws: DigestError.changed) { try executable.signature() }
        #expect(inspector.cachedDigestCount == 0)
    }

    @Test func `what was remembered of a file is not said of its successor`() throws {
        let inspector = ExecutableInspector(clock: Self.later)
        try root.write(try signedProgram(), to: "program", mode: 0o755)
        let old = try program("program", inspector)
        _ = try old.signature()
        try root.write(Array("another".utf8), to: "new", mode: 0o755)
        #expect(rename(root("new"), root("program")) == 0)
        #expect(try program("program", inspector).signature() == .absent)
        #expect(try program("program", inspector).digest() == Array(SHA256.hash(data: Array("another".utf8))))
        // The old one lost its name, and with it its change time: nothing more is read of it under the old one.
        #expect(throws: DigestError.changed) { try old.digest() }
    }

    @Test func `a file beyond the bound is not read, and is not signed`() throws {
        try root.write(try signedProgram(), to: "program", mode: 0o755)
        #expect(truncate(root("program"), ExecutableInspector.maximumByteCount + 1) == 0)
        let executable = try program("program", ExecutableInspector(clock: Self.later))
        let refusal = DigestError.tooLarge(size: ExecutableInspector.maximumByteCount + 1)
        #expect(throws: refusal) { try executable.digest() }
        #expect(throws: refusal) { try executable.signature() }
    }

    @Test func `a file system of another kind is not believed`() throws {
        // The kernel generates these files; their content is never run as a program.
        let executable = try ExecutableInspector(clock: Self.later).program(at: "/bin/true", for: getuid())
        #expect(throws: Never.self) { try executable.digest() }
        let inspector = ExecutableInspector(clock: Self.later)
        #expect(throws: SystemCallError.self) { try inspector.program(at: "/proc/self/status", for: getuid()) }
    }

    /// A number of a user that owns nothing here.
    private static let stranger: UInt32 = 4_000_000_000

    @Test func `a path reveals no more than the caller could see, and only a file is opened`() throws {
        let inspector = ExecutableInspector(clock: Self.later)
        try root.write(try signedProgram(), to: "program", mode: 0o755)
        func opens(_ path: String, _ user: UInt32 = getuid()) -> Bool {
            (try? inspector.program(at: path, for: user)) != nil
        }
        chmod(root.path, 0o755)
        #expect(opens(root("program")) && opens(root("program"), Self.stranger))
        #expect(symlink(root("program"), root("link")) == 0 && symlink("link", root("another")) == 0)
        #expect(opens(root("another"), Self.stranger))
        #expect(mkdir(root("closed"), 0o700) == 0)
        #expect(link(root("program"), root("closed/program")) == 0)
        #expect(symlink(root("program"), root("closed/link")) == 0)
        for name in ["closed/program", "closed/link", "closed/../program", "closed/nothing"] {
            #expect(opens(root(name)) == (name != "closed/nothing"))
            #expect(throws: SystemCallError(call: "open", code: EACCES), "\(name)") {
                try inspector.program(at: root(name), for: Self.stranger)
            }
        }
        #expect(symlink("self", root("self")) == 0)
        #expect(throws: SystemCallError(call: "open", code: ELOOP)) {
            try inspector.program(at: root("self"), for: getuid())
        }
        #expect(throws: SystemCallError(call: "open", code: EACCES)) {
            try inspector.program(at: "/proc/self/exe", for: getuid())
        }
        // An open of a pipe for reading would release a process that waits to write to it.
        #expect(mkfifo(root("pipe"), 0o755) == 0)
        #expect(throws: SystemCallError(call: "open", code: EISDIR)) {
            try inspector.program(at: root("pipe"), for: getuid())
        }
        #expect(throws: SystemCallError(call: "open", code: EISDIR)) {
            try inspector.program(at: root.path, for: getuid())
        }
    }

    private func signedProgram() throws -> [UInt8] {
        let original = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/bin/true")))
        func reading(_ bytes: [UInt8]) -> ELFFile.Reading {
            { offset, count throws(ELFError) in
                offset <= UInt64(bytes.count) ? Array(bytes[Int(offset)...].prefix(count)) : []
            }
        }
        let file = try ELFFile(size: UInt64(original.count), read: reading(original))
        var statement = CodeSignature.Statement(
            identifier: try #require(SigningIdentifier("org.example.mail")), time: 1, entitlements: .none)
        let edit = try file.addingSignature(byteCount: statement.encodedByteCount, read: reading(original))
        statement.fileSize = edit.size
        var bytes = Array(original.prefix(Int(edit.keptByteCount)))
        for patch in edit.patches {
            bytes.replaceSubrange(Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
        }
        bytes += edit.tail
        let range = try #require(edit.signatureRange)
        let digest = try SignedFileDigest.digest(size: edit.size, zeroing: range, read: reading(bytes))
        let signature = try CodeSignature(statement, digest: digest, by: Self.key)
        bytes.replaceSubrange(Int(range.lowerBound)..<Int(range.upperBound), with: signature.encoded)
        return bytes
    }
}

/// The mounts in the service's namespace (proc_pid_mountinfo(5)).
struct MountTableTests {
    private let root: TemporaryDirectory
    private let file: OwnedDescriptor
    private let device: UInt

    init() throws {
        root = try TemporaryDirectory()
        try root.write([1], to: "file")
        file = try OwnedDescriptor(open(root("file"), O_RDONLY | O_CLOEXEC), from: "open")
        var facts = stat()
        try #require(stat(root("file"), &facts) == 0)
        device = UInt(facts.st_dev)
    }

    private var ownNumber: String {
        let text = try? String(contentsOfFile: "/proc/self/fdinfo/\(file.number)", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("mnt_id:") }
        return line?.split(separator: "\t").last.map(String.init) ?? ""
    }

    @Test func `a file of this process's own mounts is among them`() {
        #expect(MountTable.own.contains(file, device: device))
    }

    @Test func `a file counts by the number of its mount, or by its device`() {
        let elsewhere: UInt = 0xFFFF_FF12
        #expect(MountTable("\(ownNumber) 1 0:99 / /tmp rw - tmpfs none rw").contains(file, device: elsewhere))
        #expect(!MountTable("9\(ownNumber)9 1 0:99 / /tmp rw - tmpfs none rw").contains(file, device: elsewhere))
        #expect(!MountTable("").contains(file, device: elsewhere))
        // makedev(3): 8:1 is 0x801; 0:300 and 259:70000 have their bits in two places.
        for (number, text) in [(0x801, "8:1"), (0x10002C, "0:300"), (0x1111_0370, "259:70000")] as [(UInt, String)] {
            let table = MountTable("1 1 0:0 / / rw\n2 1 \(text) / /x rw shared:1 - ext4 none rw\n")
            #expect(table.contains(file, device: number), "\(text)")
            #expect(!table.contains(file, device: number + 1), "\(text)")
        }
    }

    @Test(arguments: ["", "\n\n", "1", "1 2 3", "a b c", " "])
    func `lines that are none say nothing`(text: String) {
        #expect(!MountTable(text).contains(file, device: device))
    }
}

/// Processes that are not peers, and their properties besides the executable.
struct ObservedProcessTests {
    private let root: TemporaryDirectory
    private let listener: ListeningSocket

    init() throws {
        root = try TemporaryDirectory()
        listener = try ListeningSocket(bindingTo: root("s"))
    }

    @Test func `a process is found by its number, with its user, group and program`() throws {
        let client = try Client(path: root("s"), script: "wait()")
        let peer = try PeerProcess(of: try listener.accept())
        let process = try PeerProcess(lookingAt: client.pid)
        #expect(process.pid == peer.pid && process.user == peer.user && process.group == peer.group)
        #expect(try process.snapshot() == peer.snapshot())
        #expect(process.isAlive)
        client.end()
        #expect(!process.isAlive)
        #expect(throws: PeerProcess.Error.exited) { _ = try process.snapshot() }
        #expect(throws: PeerProcess.Error.exited) { _ = try PeerProcess(lookingAt: client.pid) }
    }

    @Test(arguments: [Int32.max, 0, -1])
    func `a number that no process has is none`(number: Int32) {
        #expect(throws: PeerProcess.Error.self) { _ = try PeerProcess(lookingAt: number) }
    }

    @Test func `the control group is that of version 2`() throws {
        let text = try String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("0::") }
        #expect(try PeerProcess(lookingAt: getpid()).controlGroup() == line.map { String($0.dropFirst(3)) })
    }

    @Test func `capabilities are those that the process has`() throws {
        let process = try PeerProcess(lookingAt: getpid())
        #expect(process.holds(0))
        #expect(!process.holds(1 << 63), "there is none of that number")
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("CapPrm:\t") })
        let held = try #require(UInt64(line.dropFirst(8), radix: 16))
        for number in 0..<64 { #expect(process.holds(1 << UInt64(number)) == (held >> UInt64(number) & 1 == 1)) }
    }

    @Test func `a group that a process has anyway does not come from its file`() throws {
        let process = try PeerProcess(lookingAt: getpid())
        #expect(process.group == getegid())
        #expect(!process.hasGroupOfFileAlone(getegid()) && !process.hasGroupOfFileAlone(getegid() + 1))
    }

    @Test func `a file without capabilities gives none`() throws {
        try root.write([1], to: "file", mode: 0o755)
        #expect(try ExecutableInspector().program(at: root("file"), for: getuid()).facts.capabilities == 0)
    }

    @Test(
        .enabled(if: getuid() == 0, "only root can give capabilities to a file"),
        arguments: [
            ("0100000200400000" + String(repeating: "00", count: 12), 1 << 14),
            ("0100000200400000000000000100000000000000", 1 << 14 | 1 << 32),
            ("0000000300400000" + String(repeating: "00", count: 16), 1 << 14),
            // CAP_WAKE_ALARM (35), alone and beside another one.
            ("0100000200000000000000000800000000000000", 0), ("0100000200400000000000000800000000000000", 1 << 14),
            // For another user namespace's root.
            ("0000000300400000" + String(repeating: "00", count: 12) + "e8030000", 0),
        ] as [(String, UInt64)])
    func `the capabilities of a file are those it gives here`(value: String, capabilities: UInt64) throws {
        try root.write([1], to: "file", mode: 0o755)
        #expect(try ExecutableInspector().program(at: root("file"), for: getuid()).facts.capabilities == 0)
        let client = try Client(
            path: root("s"),
            script: """
                os.setxattr("\(root("file"))", "security.capability", bytes.fromhex("\(value)"))
                print("done", flush=True)
                wait()
                """)
        try #require(client.line() == "done")
        let facts = try ExecutableInspector().program(at: root("file"), for: getuid()).facts
        #expect(facts.capabilities == capabilities && facts.hasCapabilities == (capabilities != 0))
    }
}
