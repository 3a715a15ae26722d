// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainWire
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import KeychainServer

/// The operations that need the owner's authorization in a system service, and the effect of each answer. The test sets
/// the answers.
struct OwnerAuthorityTests {
    private final class Authority: Sendable {
        private struct State {
            var presence = OwnerAuthority.Presence.present
            var answer = OwnerAuthority.Answer.authorized
            var questions: [OwnerAuthority.Question] = []
            var meanwhile: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())

        init(_ presence: OwnerAuthority.Presence = .present, _ answer: OwnerAuthority.Answer = .authorized) {
            state.withLock { ($0.presence, $0.answer) = (presence, answer) }
        }

        var authority: OwnerAuthority {
            OwnerAuthority(presence: { [self] in state.withLock(\.presence) }) { [self] question, _, _ in
                let meanwhile = state.withLock { state in
                    state.questions.append(question)
                    return state.meanwhile
                }
                meanwhile?()
                return state.withLock(\.answer)
            }
        }

        var questions: [OwnerAuthority.Question] { state.withLock(\.questions) }

        /// Sets an action that runs while the prompt is open.
        func whileThinking(_ body: (@Sendable () -> Void)?) { state.withLock { $0.meanwhile = body } }
    }

    private static func command(_ user: UInt32 = 1000) -> Caller {
        Caller(
            userID: user, processID: 4711, processStart: 12, tier: .installed, identity: .command,
            accessGroups: ["chatelaine"], displayPath: "/usr/bin/chatelaine")
    }

    private static let program = Caller(
        userID: 1000, processID: 4712, tier: .unsigned, identity: .unsigned(digest: [1]), accessGroups: ["tests"],
        displayPath: "/test")
    private static let team = "CRTKWQ4OHDTDKNPHKXQBSM6VYA"
    private static let passcode = SecretBytes(copying: Array("1234".utf8))

    private static var requiring: MachinePolicy {
        var policy = MachinePolicy()
        try? policy.add("require-authorization = on")
        return policy
    }

    /// All operations that loosen a protection of a keychain without a passcode, and their prompts.
    private static let operations: [(question: String, run: @Sendable (KeychainClient) throws -> Void)] = [
        ("set the first passcode of your keychain", { try $0.setPasscode(passcode, proof: nil) }),
        (
            "change settings of your keychain (require-enforced-callers off)",
            { try $0.change([.requiresEnforcedCallers: 0], proof: nil) }
        ),
        ("trust a team of programs with your keychain", { try $0.trustTeam(team, proof: nil) }),
        ("accept changed contents of your keychain", { try $0.acceptContents(proof: nil) }),
        (
            "restore a backup into your keychain",
            { client in
                _ = try client.beginRestore(
                    RestoreOrder(
                        header: [], secret: BackupSecret(.passphrase, passcode), proof: nil, mode: .apply,
                        replacesNewer: true))
            }
        ),
    ]

    private static func service(
        _ authority: Authority?, policy: MachinePolicy = .none, _ caller: Caller = command()
    ) throws -> RunningService {
        try RunningService(
            identifier: .constant(caller), policy: policy, ownerAuthority: authority?.authority)
    }

    @Test(arguments: operations.indices)
    func `what loosens a protection is done once the owner has authorized it, and each time anew`(index: Int) throws {
        let operation = Self.operations[index]
        let authority = Authority()
        let service = try Self.service(authority)
        defer { service.stop() }
        let refusal = try refusal { try operation.run(service.client()) }
        // The backup is invalid, which is detected after the owner has answered.
        #expect(refusal.reason == (operation.question.hasPrefix("restore") ? .damagedBackup : .none))
        #expect(authority.questions.map(\.operation) == [operation.question])
        #expect(authority.questions.map(\.processID) == [4711])
        #expect(authority.questions.map(\.processStart) == [12])
        #expect(authority.questions.map(\.userID) == [1000])
        guard index > 0 else { return }
        _ = try? operation.run(service.client())
        #expect(authority.questions.count == 2)
    }

    @Test(
        arguments: operations.indices,
        [
            (.denied, .authorizationDenied), (.dismissed, .authorizationDenied), (.unanswered, .authorizationDenied),
            (.noAgent, .authorizationNeeded), (.unavailable, .authorizationUnavailable),
        ] as [(OwnerAuthority.Answer, Refusal.Reason)])
    func `any answer but an authorization is a refusal, and changes nothing`(
        index: Int, answer: (given: OwnerAuthority.Answer, reason: Refusal.Reason)
    ) throws {
        let authority = Authority(.present, answer.given)
        let service = try Self.service(authority)
        defer { service.stop() }
        let client = service.client()
        #expect(
            try refusal { try Self.operations[index].run(client) }
                == Refusal(.authenticationFailed, answer.reason))
        #expect(authority.questions.count == 1)
        #expect(try client.lockState() == .noPasscode)
        #expect(try client.trustedTeams().isEmpty)
        #expect(service.auditLog.last?.contains("\"reason\":\"\(answer.reason)\"") == true)
    }

    @Test func `a development folder is trusted only once the owner, who reads its path, has authorized it`() throws {
        let folder = "/none/" + String(repeating: "ä", count: 200)
        let question = "trust a development folder with your keychain (...\(String(repeating: "?", count: 100)))"
        let denying = Authority(.present, .denied)
        let denied = try Self.service(denying)
        defer { denied.stop() }
        #expect(
            try refusal { try denied.client().trustFolder(folder, proof: nil) }
                == Refusal(.authenticationFailed, .authorizationDenied))
        let authority = Authority()
        let service = try Self.service(authority)
        defer { service.stop() }
        // The folder does not exist, which is detected after the owner has answered.
        #expect(
            try refusal { try service.client().trustFolder(folder, proof: nil) }
                == Refusal(.parameter, .unsuitableFolder))
        #expect((denying.questions + authority.questions).map(\.operation) == [question, question])
        #expect(try refusal { try service.client().revokeFolder("/none") } == Refusal(.itemNotFound, .none))
        #expect(authority.questions.count == 1, "less protection is never given by revoking")
    }

    @Test(arguments: operations.indices)
    func `where no authority is installed the command alone does it, and the audit log says so`(index: Int) throws {
        let operation = Self.operations[index]
        for policy in [MachinePolicy.none, Self.requiring] {
            let authority = Authority(.absent)
            let service = try Self.service(authority, policy: policy)
            defer { service.stop() }
            let refusal = try refusal { try operation.run(service.client()) }
            #expect(authority.questions.isEmpty)
            guard !policy.requiresAuthorization else {
                #expect(refusal == Refusal(.authenticationFailed, .authorizationUnavailable))
                continue
            }
            #expect(refusal.status == (operation.question.hasPrefix("restore") ? .decode : .success))
            guard refusal.status == .success else { continue }
            #expect(service.auditLog.last?.contains("\"granted-by\":\"no-authority\"") == true)
        }
    }

    @Test func `an authority that does not answer counts as installed`() throws {
        for policy in [MachinePolicy.none, Self.requiring] {
            let authority = Authority(.unanswered)
            let service = try Self.service(authority, policy: policy)
            defer { service.stop() }
            let client = service.client()
            for operation in Self.operations {
                #expect(
                    try refusal { try operation.run(client) }
                        == Refusal(.authenticationFailed, .authorizationUnavailable))
            }
            #expect(authority.questions.isEmpty)
            #expect(try client.lockState() == .noPasscode)
        }
    }

    @Test func `an authorization is in the audit log`() throws {
        let service = try Self.service(Authority())
        defer { service.stop() }
        try service.client().trustTeam(Self.team, proof: nil)
        let line = try fields(try #require(service.auditLog.last))
        #expect(line["action"] == "trust-team")
        #expect(line["outcome"] == "granted")
        #expect(line["granted-by"] == "authorization")
    }

    @Test func `root authorizes itself, and a user service asks for no authorization`() throws {
        for (authority, user) in [(Authority(), 0), (nil, 1000)] as [(Authority?, UInt32)] {
            for policy in [MachinePolicy.none, Self.requiring] {
                let service = try Self.service(authority, policy: policy, Self.command(user))
                defer { service.stop() }
                try service.client().trustTeam(Self.team, proof: nil)
                #expect(authority?.questions.isEmpty != false)
                #expect(try fields(try #require(service.auditLog.last))["granted-by"] == nil)
            }
        }
    }

    @Test func `no owner is asked for what another program may not do, nor for what loosens nothing`() throws {
        let authority = Authority()
        let service = try Self.service(authority, Self.program)
        defer { service.stop() }
        for operation in Self.operations {
            #expect(
                try refusal { try operation.run(service.client()) } == Refusal(.missingEntitlement, .administrationOnly)
            )
        }
        let other = try Self.service(authority)
        defer { other.stop() }
        let client = other.client()
        _ = try client.settings()
        _ = try client.protectors()
        try client.lock()
        _ = try refusal { try client.distrustTeam(Self.team) }
        _ = try client.beginBackup(BackupSecret(.passphrase, Self.passcode), proof: nil)
        #expect(authority.questions.isEmpty)
    }

    @Test func `with a passcode the passcode proves the owner, and no authority is asked`() throws {
        let authority = Authority()
        let service = try Self.service(authority)
        defer { service.stop() }
        let client = service.client()
        try client.setPasscode(Self.passcode, proof: nil)
        #expect(authority.questions.count == 1)
        for operation in Self.operations.dropFirst() {
            #expect(try refusal { try operation.run(client) } == Refusal(.authenticationFailed, .proofRequired))
        }
        try client.trustTeam(Self.team, proof: ProtectorSecret(.passcode, Self.passcode))
        #expect(authority.questions.count == 1)
    }

    @Test func `a portable backup takes the owner's authorization, and another for the next one`() throws {
        let authority = Authority()
        let service = try Self.service(authority)
        defer { service.stop() }
        let client = service.client()
        for count in 1...2 {
            let approved = try client.approvePortableBackup()
            let begun = try client.beginPortableBackup(
                BackupSecret(.passphrase, Self.passcode), approval: approved.token)
            #expect(begun.form == .portable)
            try client.cancelBackup(begun.token)
            #expect(authority.questions.count == count)
        }
        #expect(
            authority.questions.first?.operation == "copy all secrets of your keychain to a file for any device")
        let lines = try service.auditLog.map { try fields($0) }.filter { $0["action"] == "backup-portable-begin" }
        #expect(lines.map { $0["granted-by"] } == ["authorization", "authorization"])
        let denied = try Self.service(Authority(.present, .denied))
        defer { denied.stop() }
        #expect(
            try refusal { _ = try denied.client().approvePortableBackup() }
                == Refusal(.authenticationFailed, .authorizationDenied))
    }

    @Test func `where no authority is installed, the command alone makes no portable backup`() throws {
        for authority in [Authority(.absent), nil] {
            let service = try Self.service(authority)
            defer { service.stop() }
            #expect(
                try refusal { _ = try service.client().approvePortableBackup() }
                    == Refusal(.authenticationFailed, .passcodeNeededToAsk))
        }
    }

    @Test func `a passcode that is set while the owner is asked has to be given`() throws {
        let authority = Authority()
        let service = try Self.service(authority)
        defer { service.stop() }
        let client = service.client()
        let other = service.client()
        authority.whileThinking {
            authority.whileThinking(nil)
            #expect(throws: Never.self) { try other.setPasscode(Self.passcode, proof: nil) }
        }
        #expect(
            try refusal { try client.trustTeam(Self.team, proof: nil) }
                == Refusal(.authenticationFailed, .proofRequired))
        #expect(try client.trustedTeams().isEmpty)
    }

    @Test func `others are served while the owner is asked`() throws {
        let authority = Authority()
        let service = try Self.service(authority)
        defer { service.stop() }
        let client = service.client()
        let other = service.client()
        authority.whileThinking {
            #expect(throws: Never.self) { try other.addPassword() }
            #expect((try? other.secrets(query(service: "mail"))) == ["correct horse"])
        }
        try client.trustTeam(Self.team, proof: nil)
        #expect(authority.questions.count == 1)
    }

    @Test func `the status says how the owner authorizes, to the command alone`() throws {
        for (presence, policy, expected) in [
            (.present, .none, .present), (.absent, .none, .absent), (.absent, Self.requiring, .absentAndRequired),
            (.unanswered, .none, .unanswered),
        ] as [(OwnerAuthority.Presence, MachinePolicy, OwnerAuthorityState)] {
            let service = try Self.service(Authority(presence), policy: policy)
            defer { service.stop() }
            #expect(try service.client().status().protections == [expected.rawValue])
            let other = try Self.service(Authority(presence), policy: policy, Self.program)
            defer { other.stop() }
            #expect(try other.client().status().protections.isEmpty)
        }
        let roots = try Self.service(Authority(), Self.command(0))
        defer { roots.stop() }
        #expect(try roots.client().status().protections.isEmpty)
    }
}
