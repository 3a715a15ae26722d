// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainModel
import KeychainPolicy
import KeychainServer
import KeychainWire
import Synchronization
import Testing

@testable import KeychainClient

/// Programs of one team on one keychain, and clients that demand entitlements.
struct EntitlementTests {
    private static let team = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

    private static func program(_ team: String, _ groups: [String]) -> Caller {
        Caller(
            userID: getuid(), processID: getpid(), tier: .signed, identity: .signed(team: team, identifier: "app"),
            accessGroups: groups, hasEntitledGroups: true, displayPath: "/app")
    }

    /// A service that identifies each client as the program that was set last.
    private struct Service {
        private final class Next: Sendable {
            let caller = Mutex(EntitlementTests.program(team, []))
        }

        private let next = Next()
        private let running: RunningService

        init() throws {
            running = try RunningService(
                identifier: CallerIdentifier { [next] _ in IdentifiedCaller(next.caller.withLock { $0 }) { _ in true } }
            )
        }

        func client(_ caller: Caller) throws -> KeychainClient {
            next.caller.withLock { $0 = caller }
            let client = running.client()
            // The connection is made with the first request.
            _ = try client.status()
            return client
        }

        func strictClient(_ caller: Caller) throws -> KeychainClient {
            next.caller.withLock { $0 = caller }
            let client = KeychainClient(
                SocketTransport(running.directories, requiresEntitlements: true))
            _ = try client.status()
            return client
        }

        func stop() { running.stop() }
    }

    @Test func `a program that lost a group learns how many items of its team match there, and nothing of other teams`()
        throws
    {
        let service = try Service()
        defer { service.stop() }
        let before = try service.client(Self.program(Self.team, [Self.team + ".shared"]))
        try before.addPassword(service: "mail", account: "ann")
        try before.addPassword(service: "mail", account: "bob")
        try before.addPassword(service: "news", account: "ann")
        let stranger = try service.client(Self.program("Z" + Self.team.dropFirst(), ["Z.shared"]))
        try stranger.addPassword(service: "mail", account: "ann")

        let after = try service.client(Self.program(Self.team, [Self.team + ".app"]))
        let explanation = try after.explainSearch(try query(service: "mail"))
        #expect(explanation.facts == [.candidates(0), .inOtherGroup(Self.team + ".shared", matches: 2)])
        #expect(
            explanation.sentences(about: .genericPassword).last
                == "2 matches in the access group \"\(Self.team).shared\", which the program's entitlements do not include, "
                + "or no longer include.")
        // A team whose name begins the same is another one.
        let similar = try service.client(Self.program(String(Self.team.dropLast()), ["x"]))
        #expect(try similar.explainSearch(try query(service: "mail")).facts == [.candidates(0)])
        // An installed program has no team.
        let installed = Caller(
            userID: getuid(), processID: getpid(), tier: .installed, identity: .installed(path: "/app"),
            accessGroups: ["installed:/app"], displayPath: "/app")
        let facts = try service.client(installed).explainSearch(try query(service: "mail")).facts
        #expect(facts == [.candidates(0)])
    }

    @Test func `a client that demands entitlements is refused where the program has none, and others are not`() throws {
        let service = try Service()
        defer { service.stop() }
        let strict = try service.strictClient(RunningService.program)
        let refused = ClientError.refused(Refusal(.missingEntitlement, .noEntitlements))
        #expect(throws: refused) { try strict.addPassword(service: "mail", account: "ann") }
        #expect(throws: refused) { try strict.delete(try query(service: "mail")) }
        #expect(try strict.status().accessGroups == [])
        #expect(throws: refused) { try strict.watch() }
        let plain = try service.client(RunningService.program)
        try plain.addPassword(service: "mail", account: "ann")
        let entitled = try service.strictClient(Self.program(Self.team, [Self.team + ".app"]))
        try entitled.addPassword(service: "mail", account: "ann")
        #expect(try entitled.identity().accessGroups == [Self.team + ".app"])
    }
}
