// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainClient
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainServer
import KeychainWire
import Testing

/// The information that programs get about their own and other identities, and the connection that requires Apple's
/// rule.
struct IdentityRequestTests {
    private static let mail = Caller(
        userID: getuid(), processID: 7, tier: .unsigned, identity: .unsigned(digest: Array(0..<32)),
        accessGroups: ["unsigned:" + (0..<32 as Range<UInt8>).hexadecimal], findings: [.noSignature],
        displayPath: "/home/ann/mail")
    private static let entitled = Caller(
        userID: getuid(), processID: 8, tier: .signed, identity: .signed(team: "TEAM", identifier: "org.example.mail"),
        accessGroups: ["TEAM.shared"],
        entitlements: [Entitlement(key: "keychain-access-groups", value: .list(["TEAM.shared"]))],
        hasEntitledGroups: true, displayPath: "/usr/bin/mail")
    private static let command = Caller(
        userID: getuid(), processID: 9, tier: .installed, identity: .command, accessGroups: ["chatelaine"],
        displayPath: "/usr/bin/chatelaine")

    private let notInspectable = Refusal(.parameter, .notInspectable)

    /// The executable of this process, which plays the command.
    private static let ownPath = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

    private static func live(isCommand: Bool) -> CallerIdentifier {
        .live(commandPath: isCommand ? ownPath : nil, owner: getuid())
    }

    // MARK: Oneself

    @Test(arguments: [mail, entitled, command])
    func `everybody may ask how it is seen itself`(caller: Caller) throws {
        let service = try RunningService(identifier: .constant(caller))
        defer { service.stop() }
        #expect(try service.client().identity() == caller.report)
        #expect(service.auditLog.isEmpty)
    }

    @Test(arguments: CallerFinding.allCases)
    func `who is not identified learns why`(finding: CallerFinding) throws {
        let nobody = Caller.unidentified(userID: getuid(), processID: 5, displayPath: "/p", finding)
        let service = try RunningService(identifier: .constant(nobody))
        defer { service.stop() }
        let report = try service.client().identity()
        #expect(report.tier == .unidentified && report.findings == [finding] && report.accessGroups.isEmpty)
    }

    @Test func `this process is seen as it is`() throws {
        let service = try RunningService(identifier: Self.live(isCommand: false))
        defer { service.stop() }
        let report = try service.client().identity()
        #expect(report.processID == getpid() && report.userID == getuid() && report.path == Self.ownPath)
        #expect(!report.isAdministrationTool && !report.hasEntitledGroups)
        #expect(report.findings.contains(.noSignature) && report.findings.contains(.userService))
        #expect(report.accessGroups == report.identity.implicitGroup.map { [$0] })
    }

    // MARK: Others

    @Test func `only the command may ask about processes, and only who is identified about programs`() throws {
        let refused = Refusal(.missingEntitlement, .administrationOnly)
        let nobody = Caller.unidentified(userID: getuid(), processID: 5, displayPath: "/p", .otherUser)
        for caller in [Self.mail, Self.entitled, nobody] {
            let service = try RunningService(identifier: .constant(caller))
            defer { service.stop() }
            for subject in [IdentitySubject.process(getpid()), .process(0)] {
                #expect(try refusal { _ = try service.client().identity(of: subject) } == refused)
            }
            let program = IdentitySubject.program(path: "/bin/sh")
            guard caller == nobody else {
                _ = try service.client().identity(of: program)
                continue
            }
            #expect(try refusal { _ = try service.client().identity(of: program) } == refused)
        }
    }

    @Test func `the command asks about a process and a program, also about an interpreter`() throws {
        let service = try RunningService(identifier: Self.live(isCommand: true))
        defer { service.stop() }
        let client = service.client()
        #expect(try client.identity().isAdministrationTool)
        let process = try WaitingProcess([])
        defer { process.end() }
        let seen = try client.identity(of: .process(process.number))
        #expect(seen.processID == process.number && seen.path == WaitingProcess.path)
        let file = try client.identity(of: .program(path: WaitingProcess.path))
        #expect(file.processID == 0 && file.identity == seen.identity && file.tier == seen.tier)
        let shell = try client.identity(of: .program(path: "/bin/sh"))
        #expect(shell.tier == .interpreter && shell.findings.contains(.interpreter))
    }

    @Test(arguments: [0, -1, .max] as [Int32])
    func `a process that is not there is refused, and the connection goes on`(number: Int32) throws {
        let service = try RunningService(identifier: Self.live(isCommand: true))
        defer { service.stop() }
        let client = service.client()
        #expect(try refusal { _ = try client.identity(of: .process(number)) } == notInspectable)
        #expect(try client.identity().processID == getpid())
    }

    @Test func `a process that has ended is refused`() throws {
        let service = try RunningService(identifier: Self.live(isCommand: true))
        defer { service.stop() }
        let process = try WaitingProcess([])
        process.end()
        #expect(try refusal { _ = try service.client().identity(of: .process(process.number)) } == notInspectable)
    }

    @Test func `a process of another user is refused like a missing process`() throws {
        let service = try RunningService(identifier: Self.live(isCommand: true))
        defer { service.stop() }
        // An ordinary user cannot start one, but process 1 is another's; root can.
        let process = getuid() == 0 ? try WaitingProcess(["setpriv", "--reuid=1500", "--clear-groups", "--"]) : nil
        defer { process?.end() }
        let number = process?.number ?? 1
        #expect(try refusal { _ = try service.client().identity(of: .process(number)) } == notInspectable)
    }

    @Test(arguments: ["/no/such/program", "/tmp", "/dev/null", "relative", "", "/proc/self/exe/x"])
    func `a file that is not a program is refused`(path: String) throws {
        let service = try RunningService(identifier: Self.live(isCommand: true))
        defer { service.stop() }
        #expect(try refusal { _ = try service.client().identity(of: .program(path: path)) } == notInspectable)
    }

    @Test func `a file of another user is not looked at`() throws {
        let service = try RunningService(identifier: Self.live(isCommand: true))
        defer { service.stop() }
        let client = service.client()
        guard getuid() == 0 else {
            #expect(try refusal { _ = try client.identity(of: .program(path: "/etc/shadow")) } == notInspectable)
            return
        }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("file-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: path)
        #expect(try client.identity(of: .program(path: path)).path == path)
        #expect(chown(path, 1500, 1500) == 0)
        #expect(try refusal { _ = try client.identity(of: .program(path: path)) } == notInspectable)
    }

    // MARK: Without implicit groups

    @Test func `after requireEntitlements a connection has no group but those of entitlements`() throws {
        let service = try RunningService(identifier: .constant(Self.mail))
        defer { service.stop() }
        try service.client().addPassword()
        let client = try service.raw()
        let nonce = try client.hello()
        func ask(_ request: Request<[UInt8]>) throws -> Refusal? {
            client.send(request.frame(nonce: nonce))
            return try client.answer()
        }
        let search = Request<[UInt8]>.copyMatching(try query(), limit: .one, returning: .data)
        #expect(try ask(search) == nil)
        #expect(try ask(.requireEntitlements) == nil)
        let refused = Refusal(.missingEntitlement, .noEntitlements)
        #expect(try ask(search) == refused)
        #expect(try ask(.add(try attributes([(.account, .string("x"))]), secret: [1], returning: [])) == refused)
        #expect(try ask(.delete(try query())) == refused)
        #expect(try ask(.watch) == refused)
        client.send(Request<[UInt8]>.identity(.caller).frame(nonce: nonce))
        let report = try CallerReport(try #require(try client.receive()))
        #expect(report.accessGroups.isEmpty && report.identity == Self.mail.identity)
        // A repetition has no further effect, and the requirement cannot be withdrawn.
        #expect(try ask(.requireEntitlements) == nil)
        #expect(try ask(search) == refused)
        // Other connections of the program are as they were.
        #expect(try service.client().secrets(try query()) == ["correct horse"])
    }

    @Test(arguments: [entitled, command])
    func `entitled programs and the command keep their groups`(caller: Caller) throws {
        let service = try RunningService(identifier: .constant(caller))
        defer { service.stop() }
        try service.client().addPassword()
        let client = try service.raw()
        let nonce = try client.hello()
        client.send(Request<[UInt8]>.requireEntitlements.frame(nonce: nonce))
        #expect(try client.answer() == nil)
        client.send(Request<[UInt8]>.copyMatching(try query(), limit: .one, returning: .data).frame(nonce: nonce))
        #expect(try client.answer() == nil)
    }

    @Test func `trailing bytes after the nonce of requireEntitlements, or no subject, end the connection`() throws {
        let service = try RunningService(identifier: .constant(Self.command))
        defer { service.stop() }
        for (kind, rest) in [
            (FrameKind.requireEntitlements, [1]), (.identity, []), (.identity, [0]), (.identity, [4]),
            (.identity, [2, 0, 0]), (.identity, [3, 0, 0, 0, 1, 0xFF]), (.identity, [1, 0]), (.grants, []),
            (.grants, [6]), (.grants, [5, 0]), (.grants, [3, 0]), (.grants, [4, 9]),
        ] as [(FrameKind, [UInt8])] {
            let client = try service.raw()
            let payload = try client.hello() + rest
            client.send([1, kind.rawValue, 0, 0, 0, 0, 0, UInt8(payload.count)] + payload)
            #expect(try client.refusal() == Refusal(.parameter, .malformedRequest), "\(kind) \(rest)")
            #expect(try client.receive() == nil)
        }
        #expect(throws: Never.self) { _ = try service.client().status() }
    }
}

/// A process that waits until it is ended.
private final class WaitingProcess: Sendable {
    static let path = "/usr/bin/cat"
    private let input: Pipe
    private let process: Process

    var number: Int32 { process.processIdentifier }

    /// - Parameter words: a program that becomes another one, before that one's path.
    init(_ words: [String]) throws {
        process = Process()
        input = Pipe()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words + [Self.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Its identity at the time of the copy is its identity from then on.
        try input.fileHandleForWriting.write(contentsOf: Data("x".utf8))
        _ = try output.fileHandleForReading.read(upToCount: 1)
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
