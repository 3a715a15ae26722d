// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainEndpoint
import KeychainModel
import KeychainPolicy
import KeychainWire
import Synchronization
import TestSupport
import Testing

@testable import KeychainClient
@testable import KeychainPlatform
@testable import KeychainServer

/// Requests on behalf of another process. This process is the bridge; its clients are real processes.
final class BridgeTests {
    /// Whether this process is a bridge, and still the one that connected.
    private final class Identity: Sendable {
        private let state = Mutex((isBridge: true, isSame: true))
        var isBridge: Bool {
            get { state.withLock { $0.isBridge } }
            set { state.withLock { $0.isBridge = newValue } }
        }
        var isSame: Bool {
            get { state.withLock { $0.isSame } }
            set { state.withLock { $0.isSame = newValue } }
        }

        var identifier: CallerIdentifier {
            var identifier = CallerIdentifier { [self] _ in
                IdentifiedCaller(RunningService.program, isBridge: isBridge) { [self] _ in isSame }
            }
            identifier.client = CallerIdentifier.live(commandPath: "/bin/cat", owner: getuid()).client
            return identifier
        }
    }

    /// A client of the bridge: it ends when its input ends.
    private final class BridgeClient {
        private let process = Process()
        private let input = Pipe()
        let output = Pipe()
        /// The pidfd.
        let descriptor: OwnedDescriptor

        init(_ program: String = "/bin/cat", _ arguments: [String] = []) throws {
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            process.environment = ["PATH": "/usr/bin:/bin", "PYTHONHOME": "/usr"]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            descriptor = try PeerProcess(lookingAt: process.processIdentifier).process
        }

        var pid: Int32 { process.processIdentifier }

        /// Waits for a line of its output.
        func line() -> String {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while read(output.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }

        func proceed() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

        func end() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        deinit { end() }
    }

    /// A simulated user who approves each prompt once.
    private final class Approver: Sendable {
        private let counter = Mutex(0)
        var prompts: Int { counter.withLock { $0 } }
        var prompter: Prompter {
            Prompter { [self] _, _, _ in
                counter.withLock { $0 += 1 }
                return .allowed(always: false, passcode: nil)
            }
        }
    }

    private let identity = Identity()
    private let approver = Approver()
    private let service: RunningService
    private var clients: [BridgeClient] = []
    private let notInspectable = Refusal(.parameter, .notInspectable)
    private let bridgesOnly = Refusal(.missingEntitlement, .bridgesOnly)
    private let unidentified = Refusal(.missingEntitlement, .unidentifiedCaller)
    private let status = Request<[UInt8]>.status

    init() throws { service = try RunningService(identifier: identity.identifier, prompter: approver.prompter) }

    deinit { service.stop() }

    /// Starts a client that runs until the end of the test.
    private func start(_ program: String = "/bin/cat", _ arguments: [String] = []) throws -> BridgeClient {
        let client = try BridgeClient(program, arguments)
        clients.append(client)
        return client
    }

    /// Connects, and names a client. Returns the refusal; nil if the connection is the client's.
    private func pass(
        _ descriptor: Int32, on running: RunningService? = nil
    ) throws -> (connection: RawClient, nonce: [UInt8], refusal: Refusal?) {
        let connection = try (running ?? service).raw()
        let nonce = try connection.hello()
        try connection.send(Request<[UInt8]>.behalf.frame(nonce: nonce), with: descriptor)
        return (connection, nonce, try connection.answer())
    }

    private func status(_ connection: RawClient, _ nonce: [UInt8]) throws -> ServiceStatus {
        connection.send(status.frame(nonce: nonce))
        return try ServiceStatus(try #require(try connection.receive()))
    }

    private func refusal(_ connection: RawClient, _ nonce: [UInt8]) throws -> Refusal {
        connection.send(status.frame(nonce: nonce))
        return try connection.refusal()
    }

    /// Returns the keychain of a client, as the library of a bridge makes it.
    private func keychain(of client: BridgeClient) throws -> KeychainClient {
        let directories = service.directories
        return KeychainClient(
            SocketTransport(client: client.descriptor) { () throws(EndpointError) in
                ServiceEndpoint(directories)
            })
    }

    private static let item = try! ItemAttributes(
        .genericPassword, for: .add,
        [.init(.account, .string("ann")), .init(.service, .string("mail"))])

    private static let query: ItemQuery = {
        var query = ItemQuery(.genericPassword)
        query.attributes = try! ItemAttributes(.genericPassword, for: .query, [.init(.service, .string("mail"))])
        return query
    }()

    private func data(_ keychain: KeychainClient) throws -> [[UInt8]?] {
        try keychain.copyMatching(Self.query, limit: .all, returning: .data) { Array($0) }.map(\.secret)
    }

    // MARK: The client's rights

    @Test func `requests of a bridge are those of the process that it names, and the audit line names both`() throws {
        let client = try start()
        let keychain = try keychain(of: client)
        let report = try keychain.identity()
        #expect(report.processID == client.pid && report.userID == getuid() && report.tier > .unidentified)
        #expect(!report.accessGroups.contains("tests"), "the group of the bridge")
        _ = try keychain.add(Self.item, secret: Array("secret".utf8)) { _ in }
        let line = try fields(try #require(service.auditLog.last))
        #expect(line["action"] == "add" && line["outcome"] == "granted" && line["pid"] == "\(client.pid)")
        #expect(line["program"] == report.path)
        #expect(line["bridge"] == "/test" && line["bridge-pid"] == "\(getpid())")
        // A connection of the bridge's program itself neither finds the item nor names a bridge.
        identity.isBridge = false
        #expect(throws: ClientError.refused(Refusal(.itemNotFound, .none))) { try data(service.client()) }
        #expect(try fields(try #require(service.auditLog.last))["bridge"] == nil)
    }

    @Test func `clients of different programs are apart, and those of one program share its items`() throws {
        let folder = try ScratchFolder()
        let cat = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/bin/cat")))
        let (one, other) = (
            try folder.write(cat + [1], to: "one", mode: 0o755), try folder.write(cat + [2], to: "other", mode: 0o755)
        )
        for path in [one, other] { waitUntilRunnable(path) }
        let (first, second, stranger) = (try start(one), try start(one), try start(other))
        let keychains = try [first, second, stranger].map(keychain)
        _ = try keychains[0].add(Self.item, secret: Array("secret".utf8)) { _ in }
        #expect(try data(keychains[0]) == [Array("secret".utf8)])
        #expect(try data(keychains[1]) == [Array("secret".utf8)])
        #expect(approver.prompts == 0)
        _ = try data(keychains[2])
        #expect(approver.prompts == 1, "the item is another program's")
    }

    // MARK: Approvals

    /// Stores an item of another program than the clients.
    private func addForeignItem() throws {
        identity.isBridge = false
        defer { identity.isBridge = true }
        _ = try service.client().add(Self.item, secret: Array("secret".utf8)) { _ in }
    }

    @Test func `an approval holds for all connections of the client, until its process ends`() throws {
        try addForeignItem()
        let client = try start()
        let (one, other) = (try keychain(of: client), try keychain(of: client))
        #expect(try data(one) == [Array("secret".utf8)])
        #expect(try data(other) == [Array("secret".utf8)])
        #expect(approver.prompts == 1)
        #expect(try data(try keychain(of: client)) == [Array("secret".utf8)], "on a connection that is new")
        #expect(approver.prompts == 1)
        let next = try start()
        #expect(try data(try keychain(of: next)) == [Array("secret".utf8)])
        #expect(approver.prompts == 2, "another process of the same program")
        client.end()
        #expect(throws: ClientError.self) { try data(one) }
        #expect(approver.prompts == 2)
    }

    @Test func `an approval ends when the client executes another program, also one that returns`() throws {
        try addForeignItem()
        let folder = try ScratchFolder()
        let python = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/usr/bin/python3")))
        let paths = try ["first", "second"].map { try folder.write(python + Array($0.utf8), to: $0, mode: 0o755) }
        for path in paths { waitUntilRunnable(path) }
        // Executes the next of the programs that its arguments name, at each line.
        let script = """
            import os, sys
            print(sys.argv[1], flush=True)
            if os.read(0, 1): os.execv(sys.argv[2], [sys.argv[2], '-c', os.environ['SCRIPT']] + sys.argv[2:] + [sys.argv[1]])
            """
        let client = try start(
            "/usr/bin/env", ["SCRIPT=\(script)", paths[0], "-c", script] + paths)
        #expect(client.line() == paths[0])
        let keychain = try keychain(of: client)
        for round in 1...3 {
            #expect(try data(keychain) == [Array("secret".utf8)])
            #expect(try data(keychain) == [Array("secret".utf8)])
            #expect(approver.prompts == round, "each run of a program needs an approval of its own")
            try client.proceed()
            #expect(client.line() == paths[round % 2])
            #expect(throws: ClientError.refused(unidentified)) { try data(keychain) }
        }
    }

    @Test func `through a bridge the command has the rights of any program`() throws {
        // The identifier of these tests takes /bin/cat for the command.
        let report = try keychain(of: try start("/bin/cat")).identity()
        #expect(!report.isAdministrationTool && report.identity != .command)
        #expect(!report.accessGroups.contains(CommandGroup.shared))
        #expect(!report.accessGroups.contains(CommandGroup.privateItems))
    }

    // MARK: Forged bridges

    @Test func `a program that is no bridge cannot pass a process, and the attempt is recorded`() throws {
        identity.isBridge = false
        let victim = try start()
        let (connection, nonce, refusal) = try pass(victim.descriptor.number)
        #expect(refusal == bridgesOnly)
        let line = try fields(try #require(service.auditLog.last))
        #expect(line["action"] == "act-for-client" && line["outcome"] == "refused" && line["reason"] == "bridgesOnly")
        #expect(line["program"] == "/test" && line["pid"] == "\(getpid())")
        #expect(try status(connection, nonce).accessGroups == ["tests"], "its connection is still its own")
    }

    @Test func `a program that names itself gets what a client of a bridge gets, once and in its first request`() throws
    {
        try addForeignItem()
        let itself = try PeerProcess(lookingAt: getpid())
        let caller = Caller(
            userID: getuid(), processID: getpid(), processStart: itself.start, tier: .unsigned,
            identity: .unsigned(digest: [1]), accessGroups: ["tests"], displayPath: "/test")
        var identifier = CallerIdentifier { _ in IdentifiedCaller(caller) { _ in true } }
        identifier.client = self.identity.identifier.client
        let service = try RunningService(identifier: identifier, prompter: approver.prompter)
        defer { service.stop() }
        let descriptor = itself.process.number
        _ = try service.client().add(Self.item, secret: Array("secret".utf8)) { _ in }
        let (connection, nonce, refusal) = try pass(descriptor, on: service)
        #expect(refusal == nil)
        #expect(try !status(connection, nonce).accessGroups.contains("tests"), "the group of the test's identifier")
        try connection.send(Request<[UInt8]>.behalf.frame(nonce: nonce), with: descriptor)
        #expect(try connection.answer() == bridgesOnly)
        // It lists the item of another program, and reads it with an approval.
        let directories = service.directories
        let keychain = KeychainClient(
            SocketTransport(client: itself.process) { () throws(EndpointError) in ServiceEndpoint(directories) })
        #expect(try keychain.copyMatching(Self.query, limit: .all, returning: .attributes) { _ in }.count == 1)
        #expect(approver.prompts == 0)
        #expect(try data(keychain) == [Array("secret".utf8)])
        #expect(approver.prompts == 1)
        // Not after another request, and not with a wrong nonce.
        let late = try service.raw()
        let lateNonce = try late.hello()
        _ = try status(late, lateNonce)
        try late.send(Request<[UInt8]>.behalf.frame(nonce: lateNonce), with: descriptor)
        #expect(try late.answer() == bridgesOnly)
        let forged = try service.raw()
        try forged.send(Request<[UInt8]>.behalf.frame(nonce: try forged.hello().reversed()), with: descriptor)
        #expect(try forged.answer() == Refusal(.parameter, .malformedRequest))
        let victim = try start()
        #expect(try pass(victim.descriptor.number, on: service).refusal == bridgesOnly)
    }

    @Test func `each refusal of a bridge without a client leaves a line in the audit log`() throws {
        let ungreeted = try service.raw()
        let nonce = try ungreeted.ungreetedHello()
        try ungreeted.greet(nonce.reversed())
        #expect(try ungreeted.refusal() == Refusal(.missingEntitlement, .notGreeted))
        let direct = try service.raw()
        #expect(try refusal(direct, try direct.hello()) == bridgesOnly)
        let file = try OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC), from: "open")
        #expect(try pass(file.number).refusal == notInspectable)
        let lines = try service.auditLog.map(fields)
        #expect(lines.map { $0["action"] } == ["malformed", "malformed", "act-for-client"])
        #expect(lines.map { $0["reason"] } == ["notGreeted", "bridgesOnly", "notInspectable"])
        #expect(lines.map { $0["program"] } == [nil, "/test", "/test"])
        #expect(lines.allSatisfy { $0["outcome"] == "refused" && $0["bridge"] == nil })
    }

    @Test func `a bridge makes no requests of its own`() throws {
        let connection = try service.raw()
        let nonce = try connection.hello()
        #expect(try refusal(connection, nonce) == bridgesOnly)
        #expect(try connection.receive() == nil, "the connection has ended")
    }

    @Test func `a bridge names a client once, with the nonce and in one message`() throws {
        let client = try start()
        let descriptor = client.descriptor
        let frame: ([UInt8]) -> [UInt8] = { Request<[UInt8]>.behalf.frame(nonce: $0) }
        let attempts: [(RawClient, [UInt8]) throws -> Void] = [
            { connection, nonce in connection.send(frame(nonce)) },
            { connection, nonce in try connection.send(frame(nonce.reversed()), with: descriptor.number) },
            { connection, nonce in try connection.send(frame(nonce) + [0], with: descriptor.number) },
            { connection, nonce in try connection.send(Array(frame(nonce).dropLast()), with: descriptor.number) },
        ]
        for attempt in attempts {
            let connection = try service.raw()
            let nonce = try connection.hello()
            try attempt(connection, nonce)
            #expect(try connection.refusal() == bridgesOnly)
            #expect(try connection.receive() == nil)
        }
        let (connection, nonce, refusal) = try pass(descriptor.number)
        #expect(refusal == nil)
        let second = try start()
        try connection.send(frame(nonce), with: second.descriptor.number)
        #expect(try connection.refusal() == bridgesOnly)
        #expect(try status(connection, nonce).callerTier > .unidentified, "the first client stays")
    }

    @Test func `a bridge that is no longer the same process or program is refused`() throws {
        let client = try start()
        let (connection, nonce, refused) = try pass(client.descriptor.number)
        #expect(refused == nil)
        _ = try status(connection, nonce)
        identity.isSame = false
        #expect(try refusal(connection, nonce) == unidentified)
        #expect(try connection.receive() == nil)
    }

    // MARK: Other descriptors

    @Test func `a descriptor that names no process of the user is refused`() throws {
        let ended = try start()
        let descriptor = ended.descriptor
        ended.end()
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { for each in pair + [nothing] { close(each) } }
        for number in [descriptor.number, pair[0], nothing] {
            let (connection, _, refusal) = try pass(number)
            #expect(refusal == notInspectable)
            #expect(try connection.receive() == nil, "the connection has ended")
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can start a process of another user"))
    func `a process of another user is refused`() throws {
        let client = try start(
            "/usr/bin/setpriv", ["--reuid=1500", "--clear-groups", "/bin/sh", "-c", "echo; cat"])
        _ = client.line()
        #expect(try pass(client.descriptor.number).refusal == notInspectable)
    }

    private static let hasUserNamespaces = system("unshare --user --map-root-user --mount true 2>/dev/null") == 0

    @Test(.enabled(if: hasUserNamespaces, "this machine gives no user namespaces"))
    func `a process in another user namespace has no rights, as if it had connected`() throws {
        let client = try start("/usr/bin/unshare", ["--user", "/bin/sh", "-c", "echo; cat"])
        _ = client.line()
        let (connection, nonce, refused) = try pass(client.descriptor.number)
        #expect(refused == nil)
        connection.send(Request<[UInt8]>.copyMatching(Self.query, limit: .all, returning: .data).frame(nonce: nonce))
        #expect(try connection.refusal() == unidentified)
    }

    // MARK: Applications in a sandbox

    /// Starts a process whose root is a tmpfs with this file `.flatpak-info`, as Flatpak makes it.
    private func sandboxed(_ info: String, program: String = "/bin/sh") throws -> BridgeClient {
        let script = """
            set -e
            mount -t tmpfs sandbox /mnt
            cd /mnt
            mkdir usr tmp
            mount --rbind /usr usr
            mount --rbind /tmp tmp
            for name in bin lib lib64; do ln -s usr/$name $name; done
            printf '%b' "$1" >.flatpak-info
            exec /usr/sbin/chroot . "$2" -c 'echo; read line'
            """
        let client = try start(
            "/usr/bin/unshare", ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", info, program])
        _ = client.line()
        return client
    }

    private static let application = "[Application]\\nname=org.example.Mail\\n\\n[Instance]\\ninstance-id=4711\\n"

    @Test(.enabled(if: hasUserNamespaces, "this machine gives no user namespaces"))
    func `an application in a sandbox has its own items, and finds no others`() throws {
        let (client, same) = (try sandboxed(Self.application), try sandboxed(Self.application))
        let other = try sandboxed("[Application]\\nname=org.example.Music\\n")
        let report = try keychain(of: client).identity()
        #expect(report.identity == .application(name: "flatpak:org.example.Mail"))
        #expect(report.accessGroups == ["flatpak:org.example.Mail"] && report.path == "flatpak:org.example.Mail")
        #expect(report.tier == .interpreter && report.findings == [.sandbox])
        _ = try keychain(of: client).add(Self.item, secret: Array("secret".utf8)) { _ in }
        #expect(try data(keychain(of: same)) == [Array("secret".utf8)])
        let line = try fields(try #require(service.auditLog.last))
        #expect(line["program"] == "flatpak:org.example.Mail" && line["bridge"] == "/test")
        #expect(approver.prompts == 0)
        let outside = try start("/bin/sh", ["-c", "echo; read line"])
        _ = outside.line()
        #expect(throws: ClientError.refused(Refusal(.itemNotFound, .none))) { try data(keychain(of: other)) }
        #expect(approver.prompts == 0)
        _ = try data(keychain(of: outside))
        #expect(approver.prompts == 1, "the item is another program's")
    }

    @Test(.enabled(if: hasUserNamespaces, "this machine gives no user namespaces"))
    func `a sandbox that names no application has no rights`() throws {
        for info in ["", "[Runtime]\\nname=org.example.Platform\\n", "[Application]\\nname=../mail\\n"] {
            let keychain = try keychain(of: try sandboxed(info))
            #expect(try keychain.identity().findings == [.sandbox])
            #expect(throws: ClientError.refused(unidentified)) { try data(keychain) }
        }
    }

    @Test(.enabled(if: hasUserNamespaces, "this machine gives no user namespaces"))
    func `the proxy of a sandbox is its application, and never a program`() throws {
        let folder = try ScratchFolder()
        // The shell under the proxy's name. The sandbox sees the same file.
        let shell = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/bin/sh")))
        let proxy = try folder.write(shell, to: "xdg-dbus-proxy", mode: 0o755)
        waitUntilRunnable(proxy)
        let outside = try start(proxy, ["-c", "echo; read line"])
        _ = outside.line()
        let keychain = try keychain(of: outside)
        #expect(try keychain.identity().findings == [.sandbox])
        #expect(throws: ClientError.refused(unidentified)) { try data(keychain) }
        let inside = try sandboxed(Self.application, program: proxy)
        #expect(try self.keychain(of: inside).identity().identity == .application(name: "flatpak:org.example.Mail"))
    }

    // MARK: Clients that change

    @Test func `after a client has ended, its requests are refused`() throws {
        let client = try start()
        let keychain = try keychain(of: client)
        _ = try keychain.status()
        client.end()
        #expect(throws: ClientError.refused(unidentified)) { try keychain.status() }
        #expect(throws: ClientError.refused(notInspectable), "the pidfd is passed on a new connection") {
            try keychain.status()
        }
    }

    @Test func `a client that executes another program is refused, and then identified as that program`() throws {
        // Python executes itself under another name.
        let folder = try ScratchFolder()
        let python = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/usr/bin/python3")))
        let paths = try ["before", "after"].map { try folder.write(python + Array($0.utf8), to: $0, mode: 0o755) }
        for path in paths { waitUntilRunnable(path) }
        let rest = "import sys; print('after', flush=True); sys.stdin.read()"
        let script = """
            import os, sys
            print('before', flush=True)
            sys.stdin.readline()
            os.execv(sys.argv[1], ['after', '-c', "\(rest)"])
            """
        let client = try start(paths[0], ["-c", script, paths[1]])
        #expect(client.line() == "before")
        let keychain = try keychain(of: client)
        _ = try keychain.add(Self.item, secret: Array("secret".utf8)) { _ in }
        try client.proceed()
        #expect(client.line() == "after")
        #expect(throws: ClientError.refused(unidentified)) { try data(keychain) }
        _ = try data(keychain)
        #expect(approver.prompts == 1, "the item is that of the earlier program")
        #expect(try keychain.identity().path == paths[1])
    }

    @Test func `the child of a client that has ended makes no requests in its name`() throws {
        let client = try start("/bin/sh", ["-c", "cat <&0 & echo; read line; exit"])
        _ = client.line()
        let (connection, nonce, refused) = try pass(client.descriptor.number)
        #expect(refused == nil)
        _ = try status(connection, nonce)
        let process = try PeerProcess(lookingAt: client.pid)
        kill(client.pid, SIGKILL)
        var entry = pollfd(fd: process.process.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 60_000) == 1)
        #expect(try refusal(connection, nonce) == unidentified)
    }

    // MARK: Limits

    @Test func `connections count for the client's program, and not for the bridge`() throws {
        var limits = KeychainService.Limits()
        limits.connectionsPerProgram = 1
        let running = try RunningService(limits: limits, identifier: identity.identifier)
        defer { running.stop() }
        let folder = try ScratchFolder()
        let cat = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/bin/cat")))
        let clients = try (0..<3).map { number in
            let path = try folder.write(cat + [UInt8(number)], to: "\(number)", mode: 0o755)
            waitUntilRunnable(path)
            return try start(path)
        }
        let passed = try clients.map { try pass($0.descriptor.number, on: running) }
        for (connection, nonce, refusal) in passed {
            #expect(refusal == nil)
            #expect(try status(connection, nonce).callerTier == .unsigned)
        }
        let (connection, nonce, refusal) = try pass(clients[0].descriptor.number, on: running)
        #expect(refusal == nil)
        #expect(try passed[0].connection.receive() == nil, "the idle connection of the same program gave way")
        for (connection, nonce, _) in passed.dropFirst() + [(connection, nonce, nil)] {
            #expect(try status(connection, nonce).callerTier == .unsigned)
        }
    }

    @Test func `a thousand connections for clients leave the service usable`() throws {
        var limits = KeychainService.Limits()
        limits.connections = 16
        let running = try RunningService(limits: limits, identifier: identity.identifier)
        defer { running.stop() }
        let client = try start()
        let descriptor = client.descriptor
        // The oldest give way; those that this process keeps are ended connections.
        var kept: [RawClient] = []
        for number in 0..<1000 {
            let (connection, nonce, refusal) = try pass(descriptor.number, on: running)
            // Refused only while the threads of earlier connections have not ended yet.
            if let refusal {
                #expect(refusal.reason == .tooManyConnectionsOfProgram)
                continue
            }
            if number.isMultiple(of: 10) { kept.append(connection) }
            if number.isMultiple(of: 100) { _ = try status(connection, nonce) }
        }
        var (connection, nonce, refusal) = try pass(descriptor.number, on: running)
        while refusal != nil { (connection, nonce, refusal) = try pass(descriptor.number, on: running) }
        #expect(try status(connection, nonce).callerTier > .unidentified)
    }
}

/// Bridges are known by their file.
struct BridgeIdentificationTests {
    private let folder: ScratchFolder
    private let listener: ListeningSocket

    init() throws {
        folder = try ScratchFolder()
        listener = try ListeningSocket(bindingTo: folder("s"))
    }

    private func isBridge(_ path: String, installedAt installed: String) throws -> Bool {
        waitUntilRunnable(path)
        let program = try ConnectingProgram([path], socket: folder("s")) { _ in }
        var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&entry, 1, 60_000) == 1, "the program did not connect")
        let identifier = CallerIdentifier.live(commandPath: nil, bridgePaths: [installed], owner: getuid())
        defer { withExtendedLifetime(program) {} }
        return identifier.identify(try listener.accept()).isBridge
    }

    @Test func `only the file that was installed beside the service is a bridge`() throws {
        let python = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/usr/bin/python3")))
        let bridge = try folder.write(python, to: "chatelaine-secrets", mode: 0o755)
        #expect(try isBridge(bridge, installedAt: bridge))
        let elsewhere = try ScratchFolder()
        let copy = try elsewhere.write(python, to: "chatelaine-secrets", mode: 0o755)
        #expect(try !isBridge(copy, installedAt: bridge), "a copy")
        try #require(link(bridge, elsewhere("link")) == 0)
        #expect(try !isBridge(elsewhere("link"), installedAt: bridge), "another name of the file")
        try #require(symlink(copy, folder("other")) == 0)
        #expect(try !isBridge(folder("other"), installedAt: folder("other")), "a link leads to the copy's own path")
        #expect(try !isBridge(bridge, installedAt: folder("missing")))
        try #require(chmod(bridge, 0o775) == 0)
        #expect(try !isBridge(bridge, installedAt: bridge), "others could replace it")
    }
}
