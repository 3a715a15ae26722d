// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainServer
import KeychainWire
import Synchronization
import Testing

@testable import KeychainClient

/// The handling of clients that violate the protocol. None of them disturbs another client.
struct ConnectionTests {
    private let malformed = Refusal(.parameter, .malformedRequest)
    private let status = Request<[UInt8]>.status

    /// Runs a test with a service, checks that others are still served afterwards, and stops it.
    private func withService(
        limits: KeychainService.Limits = .init(), clock: MonotonicClock = .live, _ body: (RunningService) throws -> Void
    ) throws {
        let service = try RunningService(limits: limits, clock: clock)
        defer { service.stop() }
        try body(service)
        #expect(throws: Never.self) { _ = try service.client().status() }
    }

    @Test func `the service speaks first, and never says the same nonce twice`() throws {
        try withService { service in
            var nonces: Set<[UInt8]> = []
            for _ in 0..<10 { nonces.insert(try service.raw().hello()) }
            #expect(nonces.count == 10)
        }
    }

    @Test func `a request with the nonce is answered, and so is the next one`() throws {
        try withService { service in
            let client = try service.raw()
            let nonce = try client.hello()
            for _ in 0..<3 {
                client.send(status.frame(nonce: nonce))
                #expect(try ServiceStatus(try #require(try client.receive())).accessGroups == ["tests"])
            }
        }
    }

    @Test func `a request without the connection's nonce is refused, recorded, and ends the connection`() throws {
        try withService { service in
            let other = try service.raw().hello()
            for nonce in [other, [UInt8](repeating: 0, count: 16)] {
                let client = try service.raw()
                _ = try client.hello()
                client.send(status.frame(nonce: nonce))
                #expect(try client.refusal() == malformed)
                #expect(try client.receive() == nil)
            }
            #expect(service.auditLog.count == 2)
            for line in service.auditLog {
                let fields = try fields(line)
                #expect(fields["action"] == "malformed" && fields["outcome"] == "refused")
                #expect(fields["reason"] == "malformedRequest" && fields["program"] == "/test")
            }
        }
    }

    @Test func `a request that no greeting precedes is refused, recorded, and ends the connection`() throws {
        try withService { service in
            let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
            defer { close(nothing) }
            let attempts: [(RawClient, [UInt8]) throws -> Void] = [
                { _, _ in },
                { client, nonce in client.send(Greeting.frame(nonce: nonce)) },
                { client, nonce in try client.send(Greeting.frame(nonce: nonce), with: nothing) },
                { client, nonce in try client.send(Greeting.frame(nonce: nonce), with: client.descriptor) },
                { client, nonce in try client.greet(nonce, type: SOCK_STREAM) },
                { client, nonce in try client.greet(nonce.reversed()) },
                // Together with the bytes before it, it would have the required length.
                { client, nonce in
                    client.send(Greeting.frame(nonce: nonce).dropLast(1))
                    // May be refused by then.
                    try? client.send([nonce[15]], with: nothing)
                },
            ]
            for attempt in attempts {
                let client = try service.raw()
                let nonce = try client.ungreetedHello()
                try attempt(client, nonce)
                client.send(status.frame(nonce: nonce))
                #expect(try client.refusal() == Refusal(.missingEntitlement, .notGreeted))
                #expect(try client.receive() == nil)
            }
            #expect(service.auditLog.count == attempts.count)
            for line in service.auditLog {
                let fields = try fields(line)
                #expect(fields["action"] == "malformed" && fields["reason"] == "notGreeted" && fields["program"] == nil)
            }
        }
    }

    @Test func `a greeting that is cut in two is none`() throws {
        try withService { service in
            let client = try service.raw()
            let greeting = Greeting.frame(nonce: try client.ungreetedHello())
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
            defer { for each in pair { close(each) } }
            try client.send(Array(greeting.prefix(8)), with: pair[0])
            client.send(greeting.dropFirst(8))
            #expect(try client.refusal() == Refusal(.missingEntitlement, .notGreeted))
        }
    }

    @Test func `who leaves after the hello leaves no line in the audit log`() throws {
        try withService { service in
            _ = try service.raw().ungreetedHello()
            _ = try service.raw().hello()
            #expect(service.auditLog.isEmpty)
        }
    }

    @Test func `attributes that items do not have are refused, and the connection goes on`() throws {
        try withService { service in
            let client = try service.raw()
            let nonce = try client.hello()
            let payload = nonce + [1, 0, 1] + Array("zzzz".utf8) + [3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
            client.send([1, FrameKind.add.rawValue, 0, 0, 0, 0, 0, UInt8(payload.count)] + payload)
            #expect(try client.refusal() == Refusal(.noSuchAttribute, .none))
            client.send(status.frame(nonce: nonce))
            #expect(try client.answer() == nil)
            #expect(service.auditLog.count == 1)
        }
    }

    @Test(arguments: [FrameKind.hello, .items, .reply, .change])
    func `frames that only a service sends end the connection`(kind: FrameKind) throws {
        try withService { service in
            let client = try service.raw()
            let nonce = try client.hello()
            client.send([1, kind.rawValue, 0, 0, 0, 0, 0, 16] + nonce)
            #expect(try client.refusal() == malformed)
            #expect(try client.receive() == nil)
        }
    }

    @Test(
        arguments: [
            [2, 0x15, 0, 0, 0, 0, 0, 16], [1, 0x77, 0, 0, 0, 0, 0, 16], [1, 0x15, 0, 1, 0, 0, 0, 16],
            [1, 0x15, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF], [1, 0x11, 0, 0, 1, 0x30, 0, 0],
        ] as [[UInt8]])
    func `a header that cannot be is refused at once, before what it announces has come`(header: [UInt8]) throws {
        try withService { service in
            let client = try service.raw()
            _ = try client.hello()
            client.send(header)
            #expect(try client.refusal() == malformed)
            #expect(try client.receive() == nil)
            #expect(service.auditLog.count == 1)
            #expect(try fields(try #require(service.auditLog.first))["action"] == "malformed")
        }
    }

    @Test func `a second request before the first is answered is refused`() throws {
        try withService { service in
            let client = try service.raw()
            let nonce = try client.hello()
            client.send(status.frame(nonce: nonce) + status.frame(nonce: nonce))
            #expect(try client.refusal() == malformed)
            #expect(try client.receive() == nil)
        }
    }

    @Test func `a frame that is cut short by the end of the stream is forgotten`() throws {
        try withService { service in
            let frame = status.frame(nonce: [UInt8](repeating: 0, count: 16))
            for count in 0..<frame.count {
                let client = try service.raw()
                _ = try client.hello()
                client.send(frame[..<count])
                client.endSending()
                #expect(try client.receive() == nil)
            }
            #expect(service.auditLog.isEmpty)
        }
    }

    @Test(arguments: [(1024, 256), (832, 256), (829, 255), (112, 16), (64, 1), (0, 1)])
    func `there are no more connections than descriptors for them`(descriptors: Int, connections: Int) {
        var limits = KeychainService.Limits()
        limits.fit(descriptors: descriptors)
        #expect(limits.connections == connections)
    }

    @Test func `a frame that stops in the middle ends the connection`() throws {
        var limits = KeychainService.Limits()
        limits.frameTimeout = .milliseconds(20)
        try withService(limits: limits) { service in
            let client = try service.raw()
            let nonce = try client.hello()
            client.send(status.frame(nonce: nonce).dropLast())
            #expect(try client.receive() == nil)
        }
    }

    @Test func `a byte now and then does not stretch the time for a frame`() throws {
        // Each look at the clock is a second later.
        let seconds = Counter()
        try withService(clock: MonotonicClock { seconds.next() * 1_000_000_000 }) { service in
            let client = try service.raw()
            let nonce = try client.hello()
            let frame = Request<[UInt8]>.add(
                ItemAttributes(empty: .genericPassword), secret: [UInt8](repeating: 1, count: 1 << 20), returning: []
            ).frame(nonce: nonce)
            let sent = frame.prefix { client.send([$0]) }
            #expect(sent.count < frame.count)
        }
    }

    @Test func `between requests a client may be silent for longer than within one`() throws {
        let clock = ManualClock(1000)
        var limits = KeychainService.Limits()
        limits.frameTimeout = .seconds(60)
        try withService(limits: limits, clock: clock.clock) { service in
            let client = try service.raw()
            let frame = status.frame(nonce: try client.hello())
            for _ in 0..<3 {
                // In pieces, so that the time for a frame begins to run.
                for byte in frame { client.send([byte]) }
                #expect(try client.answer() == nil)
                clock.advance(3600 * 1_000_000_000)
            }
        }
    }

    /// As above, with the limit of the socket that the kernel times. It takes real time.
    @Test(.enabled(if: isLong, "make test-all runs what needs a window of time"))
    func `between requests a client may be silent for longer than the socket waits within one`() throws {
        var limits = KeychainService.Limits()
        limits.frameTimeout = .milliseconds(200)
        try withService(limits: limits) { service in
            let client = try service.raw()
            let frame = status.frame(nonce: try client.hello())
            // In pieces, so that the time for a frame begins to run.
            for byte in frame { client.send([byte]) }
            #expect(try client.answer() == nil)
            var entry = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 300) == 0, "the connection has ended")
            client.send(frame)
            #expect(try client.answer() == nil)
        }
    }

    @Test func `a client that does not read its answer is given up`() throws {
        var limits = KeychainService.Limits()
        limits.sendTimeout = .milliseconds(20)
        try withService(limits: limits) { service in
            try service.client().add(
                ItemAttributes(empty: .genericPassword), secret: [UInt8](repeating: 1, count: 8 << 20)
            )
            let client = try service.raw()
            let nonce = try client.hello()
            client.send(
                Request<[UInt8]>.copyMatching(ItemQuery(.genericPassword), limit: .one, returning: .data)
                    .frame(nonce: nonce))
            #expect(client.waitForHangUp())
        }
    }

    @Test func `a request whose sender is no longer the one who connected is refused`() throws {
        let identifier = CallerIdentifier { _ in
            // When it greets, it still is.
            let looks = Counter()
            return IdentifiedCaller(RunningService.program) { _ in looks.next() == 1 }
        }
        let service = try RunningService(identifier: identifier)
        defer { service.stop() }
        let refused = Refusal(.missingEntitlement, .unidentifiedCaller)
        #expect(try KeychainServerTests.refusal { try service.client().addPassword() } == refused)
        #expect(try KeychainServerTests.refusal { _ = try service.client().status() } == refused)
        #expect(try KeychainServerTests.refusal { _ = try service.client().watch() } == refused)
        #expect(service.auditLog.count == 3)
    }

    @Test func `this test program is identified for what it is`() throws {
        let service = try RunningService(identifier: .live(commandPath: nil, owner: getuid()))
        defer { service.stop() }
        let status = try service.client().status()
        let tier = status.callerTier
        #expect(tier != .unidentified)
        #expect(status.accessGroups.count == 1 && status.accessGroups[0].hasPrefix(tier.name + ":"))
        try service.client().addPassword()
        #expect(try service.client().secrets(try query()) == ["correct horse"])
    }

    @Test func `another user's program gets nothing`() throws {
        let service = try RunningService(identifier: .live(commandPath: nil, owner: getuid() + 1))
        defer { service.stop() }
        #expect(
            try KeychainServerTests.refusal { try service.client().addPassword() }
                == Refusal(.missingEntitlement, .unidentifiedCaller))
    }
}

final class Counter: Sendable {
    private let value = Atomic<UInt64>(0)
    func next() -> UInt64 { value.add(1, ordering: .relaxed).newValue }
}

/// Whether the tests may take long and may use windows of time: `make test-all` sets CHATELAINE_LONG to 1.
private let isLong = ProcessInfo.processInfo.environment["CHATELAINE_LONG"] == "1"
