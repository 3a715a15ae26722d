// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainClient
import KeychainModel
import KeychainPolicy
import KeychainServer
import SecretMemory
import Testing

/// The teams whose programs may hold lasting grants.
struct TeamTests {
    private static let command = Caller(
        userID: getuid(), processID: getpid(), tier: .installed, identity: .command, accessGroups: ["chatelaine"],
        displayPath: "/usr/bin/chatelaine")
    private static let team = "CRTKWQ4OHDTDKNPHKXQBSM6VYA"
    private static let passcode = SecretBytes(copying: Array("1234".utf8))

    @Test func `are trusted and distrusted by the command, and listed`() throws {
        let service = try RunningService(identifier: .constant(Self.command))
        defer { service.stop() }
        let client = service.client()
        #expect(try client.trustedTeams().isEmpty)
        for _ in 1...2 { try client.trustTeam(Self.team, proof: nil) }
        try client.trustTeam("AAAAAAAAAAAAAAAAAAAAAAAAAA", proof: nil)
        #expect(try client.trustedTeams().map(\.identifier) == ["AAAAAAAAAAAAAAAAAAAAAAAAAA", Self.team])
        #expect(service.auditLog.contains { $0.contains("trust-team") })
        try client.distrustTeam(Self.team)
        #expect(try refusal { try client.distrustTeam(Self.team) } == Refusal(.itemNotFound, .none))
        #expect(try client.trustedTeams().map(\.identifier) == ["AAAAAAAAAAAAAAAAAAAAAAAAAA"])
        #expect(try client.settings()[.idleLockSeconds] == 0, "they are no settings")
    }

    @Test(arguments: ["", "Example", "crtkwq4ohdtdknphkxqbsm6vya", "CRTKWQ4OHDTDKNPHKXQBSM6VYA\u{0}"])
    func `text that is not a team is refused`(team: String) throws {
        let service = try RunningService(identifier: .constant(Self.command))
        defer { service.stop() }
        #expect(try refusal { try service.client().trustTeam(team, proof: nil) } == Refusal(.parameter, .none))
        #expect(try service.client().trustedTeams().isEmpty)
    }

    @Test func `where a passcode is set, trust takes it and distrust does not`() throws {
        let service = try RunningService(identifier: .constant(Self.command))
        defer { service.stop() }
        let client = service.client()
        try client.setPasscode(Self.passcode, proof: nil)
        let needed = Refusal(.authenticationFailed, .proofRequired)
        #expect(try refusal { try client.trustTeam(Self.team, proof: nil) } == needed)
        let wrong = ProtectorSecret(.passcode, SecretBytes(copying: Array("4321".utf8)))
        #expect(
            try refusal { try client.trustTeam(Self.team, proof: wrong) }
                == Refusal(.authenticationFailed, .wrongSecret))
        #expect(try client.trustedTeams().isEmpty)
        try client.trustTeam(Self.team, proof: ProtectorSecret(.passcode, Self.passcode))
        try client.distrustTeam(Self.team)
        #expect(try client.trustedTeams().isEmpty)
    }

    @Test func `are not another program's to read or change`() throws {
        let service = try RunningService()
        defer { service.stop() }
        let client = service.client()
        let refused = Refusal(.missingEntitlement, .administrationOnly)
        #expect(try refusal { _ = try client.trustedTeams() } == refused)
        #expect(try refusal { try client.trustTeam(Self.team, proof: nil) } == refused)
        #expect(try refusal { try client.distrustTeam(Self.team) } == refused)
    }
}
