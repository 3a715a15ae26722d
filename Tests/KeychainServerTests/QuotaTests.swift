// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainModel
import KeychainPolicy
import KeychainWire
import Synchronization
import Testing

@testable import KeychainClient
@testable import KeychainServer

/// The limits of one program's share of a service, so that other programs get theirs.
@Suite struct `Quotas of a program` {
    private final class Flag: Sendable {
        private let isUp = Atomic(true)
        func take() -> Bool { isUp.exchange(false, ordering: .relaxed) }
    }

    private func limits(connections: Int) -> KeychainService.Limits {
        var limits = KeychainService.Limits()
        limits.connections = connections
        return limits
    }

    private func copies(
        _ client: KeychainClient, _ query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts
    ) throws -> Int {
        try client.copyMatching(query, limit: limit, returning: parts) { _ in () }.count
    }

    @Test func `a program with too many connections loses its longest idle connection, and no other program does`()
        throws
    {
        var limits = limits(connections: 10)
        limits.connectionsPerProgram = 2
        let first = Flag()
        // The first to connect is another program than all that come behind it.
        let identifier = CallerIdentifier { _ in
            let program: UInt8 = first.take() ? 2 : 1
            return IdentifiedCaller(
                Caller(
                    userID: getuid(), processID: getpid(), tier: .unsigned, identity: .unsigned(digest: [program]),
                    accessGroups: ["tests"], displayPath: "/test")
            ) { _ in true }
        }
        let service = try RunningService(limits: limits, identifier: identifier)
        defer { service.stop() }
        let other = try service.raw()
        let nonce = try other.hello()
        let connections = try (0..<3).map { _ in
            let raw = try service.raw()
            _ = try raw.hello()
            return raw
        }
        #expect(try connections[0].receive() == nil)
        other.send(Request<[UInt8]>.status.frame(nonce: nonce))
        #expect(try other.receive() != nil)
    }

    @Test func `a program gets so much at once, and is told when that is too much; others get theirs`() throws {
        var limits = limits(connections: 10)
        limits.memory = .init(all: 64 << 20, ofUser: 64 << 20, ofProgram: 1 << 20)
        let service = try RunningService(limits: limits)
        defer { service.stop() }
        let client = service.client()
        let secret = [UInt8](repeating: 1, count: 300 << 10)
        for number in 0..<4 {
            var attributes = ItemAttributes(empty: .genericPassword)
            attributes[.account] = .string("\(number)")
            _ = try client.add(attributes, secret: secret) { _ in () }
        }
        var query = ItemQuery(.genericPassword)
        #expect(
            try refusal { _ = try copies(client, query, .all, .data) }
                == Refusal(.allocate, .tooMuchAtOnce))
        #expect(try copies(client, query, .atMost(3), .data) == 3)
        #expect(try copies(client, query, .all, .attributes) == 4)
        query.attributes[.account] = .string("1")
        #expect(try copies(client, query, .all, .data) == 1)
        // A request that is too large is refused before it is there.
        #expect(
            try refusal {
                _ = try client.add(
                    ItemAttributes(empty: .genericPassword), secret: [UInt8](repeating: 2, count: 3 << 20)
                ) { _ in () }
            } == Refusal(.allocate, .tooMuchAtOnce))
        #expect(try copies(client, query, .one, .data) == 1)
    }
}
