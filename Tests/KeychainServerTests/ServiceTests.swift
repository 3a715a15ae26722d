// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainServer
import KeychainWire
import Synchronization
import Testing

@testable import KeychainClient

/// Many connections at once, and their end.
struct ServiceTests {
    /// Holds up each request once it has arrived, until it is let go.
    private final class Gate: Sendable {
        private let arrivals = DispatchSemaphore(value: 0)
        private let departures = DispatchSemaphore(value: 0)

        var identifier: CallerIdentifier {
            CallerIdentifier { [self] _ in
                let looks = Counter()
                return IdentifiedCaller(RunningService.program) { [self] _ in
                    // The first look is at the greeting.
                    guard looks.next() > 1 else { return true }
                    arrivals.signal()
                    departures.wait()
                    return true
                }
            }
        }

        func waitForRequest() { arrivals.wait() }
        func letGo() { departures.signal() }
    }

    private func limits(connections: Int) -> KeychainService.Limits {
        var limits = KeychainService.Limits()
        limits.connections = connections
        // All come from one program here.
        limits.connectionsPerProgram = connections
        return limits
    }

    // MARK: Bounds

    @Test func `when there are too many connections the longest idle connection gives way`() throws {
        let service = try RunningService(limits: limits(connections: 2))
        defer { service.stop() }
        let (first, second) = (try service.raw(), try service.raw())
        let firstNonce = try first.hello()
        _ = try second.hello()
        first.send(Request<[UInt8]>.status.frame(nonce: firstNonce))
        #expect(try first.answer() == nil)
        let third = try service.raw()
        _ = try third.hello()
        #expect(try second.receive() == nil)
        first.send(Request<[UInt8]>.status.frame(nonce: firstNonce))
        #expect(try first.answer() == nil)
    }

    @Test func `when all connections are busy a new one is told so`() throws {
        let gate = Gate()
        let service = try RunningService(limits: limits(connections: 1), identifier: gate.identifier)
        defer { service.stop() }
        let busy = try service.raw()
        busy.send(Request<[UInt8]>.status.frame(nonce: try busy.hello()))
        gate.waitForRequest()
        let refused = Refusal(.notAvailable, .tooManyConnections)
        let raw = try service.raw()
        #expect(try raw.refusal() == refused)
        #expect(try raw.receive() == nil)
        #expect(try refusal { _ = try service.client().status() } == refused)
        gate.letGo()
        #expect(try busy.answer() == nil)
    }

    @Test func `a user with too many connections loses the longest idle connection`() throws {
        var limits = limits(connections: 10)
        limits.connectionsPerUser = 2
        let service = try RunningService(limits: limits)
        defer { service.stop() }
        let connections = try (0..<3).map { _ in
            let raw = try service.raw()
            _ = try raw.hello()
            return raw
        }
        #expect(try connections[0].receive() == nil)
    }

    @Test func `a user whose connections are all busy is told that it is these`() throws {
        let gate = Gate()
        var limits = limits(connections: 10)
        limits.connectionsPerUser = 1
        let service = try RunningService(limits: limits, identifier: gate.identifier)
        defer { service.stop() }
        let busy = try service.raw()
        busy.send(Request<[UInt8]>.status.frame(nonce: try busy.hello()))
        gate.waitForRequest()
        #expect(try service.raw().refusal() == Refusal(.notAvailable, .tooManyConnectionsOfUser))
        gate.letGo()
        #expect(try busy.answer() == nil)
    }

    @Test func `a program whose connections are all busy is told that it is these`() throws {
        let gate = Gate()
        var limits = limits(connections: 10)
        limits.connectionsPerProgram = 1
        let service = try RunningService(limits: limits, identifier: gate.identifier)
        defer { service.stop() }
        let busy = try service.raw()
        busy.send(Request<[UInt8]>.status.frame(nonce: try busy.hello()))
        gate.waitForRequest()
        #expect(try service.raw().refusal() == Refusal(.notAvailable, .tooManyConnectionsOfProgram))
        gate.letGo()
        #expect(try busy.answer() == nil)
    }

    @Test func `one who watches does not give way`() throws {
        let service = try RunningService(limits: limits(connections: 1))
        defer { service.stop() }
        let stream = try service.client().watch()
        #expect(
            try refusal { _ = try service.client().status() } == Refusal(.notAvailable, .tooManyConnections))
        stream.cancel()
    }

    /// Has each connection wait in the look at its program, until it is let go.
    private final class SlowLook: Sendable {
        private let departures = DispatchSemaphore(value: 0)

        var identifier: CallerIdentifier {
            CallerIdentifier { [departures] _ in
                departures.wait()
                departures.signal()
                return IdentifiedCaller(RunningService.program) { _ in true }
            }
        }

        func letGo() { departures.signal() }
    }

    @Test func `connections that have given way count for as long as their thread waits for something`() throws {
        let look = SlowLook()
        let service = try RunningService(limits: limits(connections: 4), identifier: look.identifier)
        defer { service.stop() }
        // Beside four connections, sixteen may leave late.
        let connections = try (0..<20).map { _ in try service.raw() }
        #expect(try service.raw().refusal() == Refusal(.notAvailable, .tooManyConnections))
        look.letGo()
        #expect(connections[0].waitForHangUp())
        _ = try connections[19].hello()
    }

    // MARK: Stopping

    @Test func `a request that is being answered when the service stops is answered`() throws {
        let gate = Gate()
        var limits = KeychainService.Limits()
        limits.stopTimeout = .seconds(3600)
        let service = try RunningService(limits: limits, identifier: gate.identifier)
        let (idle, busy) = (try service.raw(), try service.raw())
        _ = try idle.hello()
        busy.send(
            Request<[UInt8]>.add(ItemAttributes(empty: .genericPassword), secret: [1], returning: [])
                .frame(nonce: try busy.hello()))
        gate.waitForRequest()
        service.tellToStop()
        #expect(try idle.receive() == nil, "stopping has begun")
        gate.letGo()
        #expect(try ReplyPart<Void>(try #require(try busy.receive())) { _ in }.items.count == 1)
        #expect(try busy.receive() == nil)
        #expect(service.ended() == .told)
        service.stop()
    }

    @Test func `a request that never ends does not keep the service from stopping`() throws {
        let gate = Gate()
        var limits = KeychainService.Limits()
        limits.stopTimeout = .milliseconds(20)
        let service = try RunningService(limits: limits, identifier: gate.identifier)
        let busy = try service.raw()
        busy.send(Request<[UInt8]>.status.frame(nonce: try busy.hello()))
        gate.waitForRequest()
        service.tellToStop()
        #expect(service.ended() == .told)
        gate.letGo()
        service.stop()
    }

    @Test func `an unused service ends by itself where that is wanted`() throws {
        let service = try RunningService(idleExit: .milliseconds(1))
        #expect(service.ended() == .idle)
        service.stop()
    }

    @Test func `a service in use does not end by itself`() throws {
        let isConnected = Atomic<Bool>(false)
        let service = try RunningService(
            idleExit: .milliseconds(1), mayEnd: { isConnected.load(ordering: .relaxed) })
        let client = try service.raw()
        let nonce = try client.hello()
        isConnected.store(true, ordering: .relaxed)
        // Each connection makes the service decide again how long it waits.
        for _ in 0..<20 { _ = try service.raw().hello() }
        client.send(Request<[UInt8]>.status.frame(nonce: nonce))
        #expect(try client.answer() == nil)
        service.tellToStop()
        #expect(service.ended() == .told)
        service.stop()
    }

    // MARK: Watching

    @Test func `one who watches misses nothing from the answer on`() throws {
        let service = try RunningService()
        defer { service.stop() }
        let client = service.client()
        for number in 0..<200 {
            let watcher = try service.raw()
            watcher.send(Request<[UInt8]>.watch.frame(nonce: try watcher.hello()))
            #expect(try watcher.answer() == nil)
            let reference = try client.addPassword(account: "\(number)")
            #expect(try ItemChange(try #require(try watcher.receive())) == ItemChange(.added, reference))
        }
    }

    @Test func `a watcher that does not read is dropped, and others miss nothing`() throws {
        let service = try RunningService()
        defer { service.stop() }
        let lazy = try service.raw()
        lazy.send(Request<[UInt8]>.watch.frame(nonce: try lazy.hello()))
        #expect(try lazy.answer() == nil)
        let eager = try service.client().watch()
        let client = service.client()
        let reference = try client.addPassword()
        #expect(try eager.next() == .item(ItemChange(.added, reference)))
        var byReference = ItemQuery(.genericPassword)
        byReference.persistentReference = reference
        byReference.synchronizable = .any
        // More than a socket holds.
        let count = 2000
        for number in 0..<count {
            try client.update(
                byReference, changes: ItemAttributes(empty: .genericPassword), secret: [UInt8(number & 0xFF)])
            #expect(try eager.next() == .item(ItemChange(.updated, reference)))
        }
        var seen = 0
        while try lazy.receive() != nil { seen += 1 }
        #expect(seen < count)
        eager.cancel()
        #expect(try eager.next() == nil)
    }

    @Test func `one who watches all keychains and does not read is dropped, and others miss nothing`() throws {
        let service = try RunningService()
        defer { service.stop() }
        let lazy = try service.raw()
        let filter = KeychainNoticeFilter([.modified])
        lazy.send(Request<[UInt8]>.watchKeychains(filter).frame(nonce: try lazy.hello()))
        #expect(try lazy.answer() == nil)
        let client = service.client()
        let eager = try client.watchKeychains(filter)
        let reference = try client.addPassword()
        var byReference = ItemQuery(.genericPassword)
        byReference.persistentReference = reference
        byReference.synchronizable = .any
        // More than a socket holds.
        let count = 2000
        for number in 0..<count {
            try client.update(
                byReference, changes: ItemAttributes(empty: .genericPassword), secret: [UInt8(number & 0xFF)])
            let notice = try #require(try eager.next())
            #expect((notice.kind, notice.item) == (.modified, reference))
            #expect((notice.keychain, notice.processID) == (nil, getpid()))
        }
        var seen = 0
        while let frame = try lazy.receive() {
            #expect(try KeychainNotice(frame).item == reference)
            seen += 1
        }
        #expect(seen < count)
        eager.cancel()
        #expect(try eager.next() == nil)
    }

    @Test func `the stream of one who watches all keychains ends with an error when the service stops`() throws {
        let service = try RunningService()
        let stream = try service.client().watchKeychains(KeychainNoticeFilter())
        service.stop()
        #expect(throws: ClientError.self) { while try stream.next() != nil {} }
    }

    @Test func `one who watches and then speaks is done with`() throws {
        let service = try RunningService()
        defer { service.stop() }
        let watcher = try service.raw()
        let nonce = try watcher.hello()
        watcher.send(Request<[UInt8]>.watch.frame(nonce: nonce))
        #expect(try watcher.answer() == nil)
        watcher.send(Request<[UInt8]>.status.frame(nonce: nonce))
        #expect(try watcher.receive() == nil)
    }

    @Test func `the stream of a watcher ends with an error when the service stops`() throws {
        let service = try RunningService()
        let stream = try service.client().watch()
        service.stop()
        #expect(throws: ClientError.self) { _ = try stream.next() }
    }

    // MARK: Clients

    @Test func `a client connects again when the service has ended its idle connection`() throws {
        let service = try RunningService(limits: limits(connections: 1))
        defer { service.stop() }
        let client = service.client()
        try client.addPassword(account: "1")
        try takePlace(service)
        #expect(try client.secrets(try query()).count == 1, "a request that may be sent twice")
        try takePlace(service)
        try client.addPassword(account: "2")
        #expect(try client.secrets(try query()).count == 2, "one that may not")
    }

    /// Connects in place of the only other connection. While the service is still busy with that connection's last
    /// answer, it reports this, and the request is repeated.
    private func takePlace(_ service: RunningService) throws {
        while try #require(try service.raw().receive()).kind != .hello {}
    }

    @Test func `a client goes on with the next service at the same place`() throws {
        let first = try RunningService()
        let client = first.client()
        _ = try client.status()
        first.tellToStop()
        _ = first.ended()
        let second = try RunningService(directories: first.directories)
        _ = try client.status()
        try client.addPassword()
        #expect(try client.secrets(try query()) == ["correct horse"])
        second.stop()
        first.stop()
    }

    @Test func `thirty-two programs at once get consistent answers`() throws {
        let service = try RunningService()
        defer { service.stop() }
        let shared = try service.client().addPassword(account: "shared", secret: String(repeating: "0", count: 5000))
        let failures = Mutex<[String]>([])
        let group = DispatchGroup()
        for number in 0..<32 {
            group.enter()
            let started = SystemThread.start {
                do {
                    try Self.work(number, service.client(), shared)
                } catch {
                    failures.withLock { $0.append("\(number): \(error)") }
                }
                group.leave()
            }
            #expect(started)
        }
        group.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(try service.client().secrets(try query()).count == 1, "only the shared item is left")
    }

    private struct Inconsistent: Error {
        let step: String
    }

    private static func work(_ number: Int, _ client: KeychainClient, _ shared: PersistentReference) throws {
        func check(_ condition: Bool, _ step: String) throws {
            if !condition { throw Inconsistent(step: step) }
        }
        var bySharedReference = ItemQuery(.genericPassword)
        bySharedReference.persistentReference = shared
        bySharedReference.synchronizable = .any
        let mine = try query(service: "mail", account: "\(number)")
        for round in 0..<10 {
            let reference = try client.addPassword(account: "\(number)", secret: "\(number).\(round)")
            try check(try client.secrets(mine) == ["\(number).\(round)"], "add, then read")
            do {
                try client.addPassword(account: "\(number)")
                throw Inconsistent(step: "duplicate")
            } catch ClientError.refused(let refusal) {
                try check(refusal.status == .duplicateItem, "duplicate")
            }
            let digit = Character("\(round)")
            try client.update(
                bySharedReference, changes: ItemAttributes(empty: .genericPassword),
                secret: [UInt8](repeating: digit.asciiValue!, count: 5000))
            let secret = try client.secrets(bySharedReference)[0] ?? ""
            try check(secret.count == 5000 && Set(secret).count == 1, "the shared secret is of one piece")
            try client.update(
                mine, changes: try attributes(.update, [(.label, .string("\(round)"))]), secret: [UInt8]?.none)
            let found = try client.copyMatching(mine, limit: .all, returning: .attributes) { _ in }
            try check(found.map(\.reference) == [reference], "one item under its reference")
            try check(found[0].attributes?[.label] == .string("\(round)"), "label")
            try client.delete(mine)
        }
    }

    @Test func `a child process after fork makes a connection of its own`() async {
        await #expect(processExitsWith: .success) {
            let service = try RunningService()
            let client = service.client()
            try client.addPassword()
            // Swift hides fork, for good reasons; C programs that use this library fork all the same.
            typealias Fork = @convention(c) () -> pid_t
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
            let child = fork()
            if child == 0 {
                let secrets = try? client.secrets(ItemQuery(.genericPassword))
                _exit(secrets == ["correct horse"] ? 0 : 1)
            }
            var status: Int32 = -1
            try #require(waitpid(child, &status, 0) == child && status == 0)
            try #require(try client.secrets(ItemQuery(.genericPassword)) == ["correct horse"])
            service.stop()
        }
    }
}
