// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainClient
import KeychainHelperWire
import KeychainModel
import KeychainPolicy
import KeychainServer
import KeychainWire
import SecretMemory
import Synchronization
import Testing

/// Unlocking by fingerprint, and the rights after such an unlock.
@Suite struct `Unlocking by finger`: AuthenticationSuite {
    /// A token that keeps secrets, and may be gone.
    private final class Token: Sendable {
        struct State {
            var secrets: [[UInt8]] = []
            var isThere = true
            var opened = 0
        }

        let state = Mutex(State())

        var secureElement: SecureElement {
            SecureElement([
                .init(.software) { [self] request throws(TokenError) in
                    let answer = state.withLock { state -> TokenAnswer? in
                        guard state.isThere else { return nil }
                        switch request {
                        case .seal(let secret):
                            state.secrets.append(secret)
                            return .blob([UInt8(state.secrets.count)])
                        case .unseal(let blob):
                            state.opened += 1
                            return .secret(state.secrets[Int(blob[0]) - 1])
                        default: return nil
                        }
                    }
                    guard let answer else { throw TokenError(.unavailable, "gone") }
                    return answer
                }
            ])
        }
    }

    let fixture: AuthenticationFixture
    private let token = Token()

    init() throws {
        fixture = try AuthenticationFixture(token.secureElement)
        try client.addPassword(service: "mail", account: "ann", secret: "secret of ann")
        reader.enrol(1)
        try command.change([.unlocksByFinger: 1], proof: Self.secret())
    }

    // MARK: Helpers

    private func unlock() throws -> AuthenticationOutcome { try client.authenticate(.unlock).outcome }

    private func unlockByFinger() throws {
        reader.sees(.match)
        #expect(try unlock() == .success)
    }

    /// Returns whether only the passcode unlocks the keychain; there is no other prompt then.
    private func needsPasscode() throws -> Bool {
        let looks = reader.state.withLock(\.looks)
        let refusal = try refusal { _ = try unlock() }
        return refusal == Refusal(.authenticationFailed, .passcodeNeededFirst)
            && reader.state.withLock(\.looks) == looks
    }

    private var isLocked: Bool { get throws { try client.lockState() == .locked } }

    private func pass(hours: UInt64) { clock.seconds.add(hours * 3600, ordering: .relaxed) }

    /// A client as one with a context that takes unlocks of that age for a finger.
    private func context(reuse milliseconds: UInt32) throws -> KeychainClient {
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.reuseMilliseconds = milliseconds
        fields.keepsProof = true
        return try client.authenticating(ClientAuthentication(fields))
    }

    private func secrets(_ client: KeychainClient, account: String) throws -> [String] {
        try client.copyMatching(try query(account: account), limit: .one, returning: .data) {
            String(decoding: $0, as: UTF8.self)
        }.compactMap(\.secret)
    }

    // MARK: Unlocking

    @Test func `a finger unlocks what the passcode unlocked before, and the person is told that it will`() throws {
        try command.lock()
        #expect(try isLocked)
        #expect(try refusal { _ = try secrets(client, account: "ann") } == Refusal(.interactionNotAllowed, .locked))
        #expect(token.state.withLock(\.opened) == 0)
        try unlockByFinger()
        #expect(try client.lockState() == .unlocked)
        #expect(try secrets(client, account: "ann") == ["secret of ann"])
        let prompt = try #require(person.prompts.first)
        #expect(prompt.unlocks)
        #expect(person.count == 1)
        // Repeatedly, each time with the secret that the token opens.
        try command.lock()
        try unlockByFinger()
        #expect(token.state.withLock(\.opened) == 2)
        service.stop()
        #expect(service.auditLog.contains { $0.contains("\"action\":\"unlock\",\"outcome\":\"granted\"") })
    }

    @Test func `no key is kept for a finger unless unlock by fingerprint is switched on`() throws {
        defer { service.stop() }
        try command.change([.unlocksByFinger: 0], proof: Self.secret())
        let off = Refusal(.authenticationFailed, .noUnlockByFinger)
        #expect(try refusal { _ = try unlock() } == off)
        let sealed = token.state.withLock(\.secrets.count)
        try command.lock()
        try command.unlock(with: Self.secret())
        try command.verify(Self.secret())
        #expect(token.state.withLock(\.secrets.count) == sealed)
        try command.lock()
        reader.sees(.match)
        #expect(try refusal { _ = try unlock() } == off)
        #expect(reader.state.withLock(\.looks) == 0)
        #expect(try isLocked)
        // The stored material was erased; the passcode that enables the setting creates it again.
        try command.change([.unlocksByFinger: 1], proof: Self.secret())
        #expect(token.state.withLock(\.secrets.count) == sealed + 1)
        try unlockByFinger()
    }

    @Test func `a wrong finger unlocks nothing, and five of them want the passcode`() throws {
        defer { service.stop() }
        try command.lock()
        reader.sees(.noMatch, .noMatch, .noMatch)
        #expect(try unlock() == .notInteractive)
        reader.sees(.noMatch, .noMatch, .match)
        _ = try unlock()
        #expect(try isLocked)
        reader.sees(.match)
        #expect(try needsPasscode())
        #expect(try isLocked)
        #expect(token.state.withLock(\.opened) == 0)
        try command.unlock(with: Self.secret())
        try command.lock()
        try unlockByFinger()
    }

    @Test func `who rather types the passcode does, and a wrong one counts`() throws {
        defer { service.stop() }
        try command.lock()
        person.will(.says(.fallback), .types("no"), .types("1234"))
        #expect(try unlock() == .success)
        #expect(try client.lockState() == .unlocked)
        #expect(person.prompts.count == 3)
        #expect(person.prompts.map(\.unlocks) == [true, true, true])
        try command.lock()
        person.will(.says(.fallback), .types("no"))
        #expect(try unlock() == .failed)
        #expect(try command.protectors().failedAttempts == 3)
        person.will(.says(.cancelled))
        #expect(try unlock() == .cancelled)
        #expect(try isLocked)
    }

    @Test func `without prompts it only says whether a finger would be sufficient`() throws {
        defer { service.stop() }
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.interaction = .fail
        let asking = try client.authenticating(ClientAuthentication(fields))
        try command.lock()
        #expect(try asking.authenticate(.unlock).outcome == .notInteractive)
        reader.enrol(nil)
        #expect(try asking.authenticate(.unlock).outcome == .biometryNotEnrolled)
        reader.state.withLock { $0.enrolment = nil }
        #expect(try asking.authenticate(.unlock).outcome == .biometryNotAvailable)
        #expect(person.count == 0)
        #expect(reader.state.withLock(\.looks) == 0)
        // The reader was unplugged for a while, nothing else.
        reader.enrol(1)
        try unlockByFinger()
    }

    @Test func `a program that cannot read a passcode has the service prompt for it where no finger can unlock`() throws
    {
        defer { service.stop() }
        func unlock(_ client: KeychainClient) throws -> AuthenticationOutcome {
            try client.authenticate(.unlockByPrompt).outcome
        }
        try command.lock()
        // A finger comes first.
        reader.sees(.match)
        #expect(try unlock(client) == .success)
        #expect(person.prompts.last?.unlocks == true)
        // An unlocked keychain needs no prompt.
        person.will(.types(Self.passcode))
        #expect(try unlock(client) == .success)
        #expect(person.count == 0)
        try command.lock()
        reader.enrol(nil)
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.interaction = .fail
        #expect(try unlock(client.authenticating(ClientAuthentication(fields))) == .notInteractive)
        #expect(person.count == 0)
        person.will(.types("no"), .types(Self.passcode))
        #expect(try unlock(client) == .success)
        #expect(person.prompts.map(\.unlocks) == [true, true])
        #expect(try client.lockState() == .unlocked)
        try command.change([.unlocksByFinger: 0], proof: Self.secret())
        try command.lock()
        person.will(.types("no"))
        #expect(try unlock(client) == .failed)
        person.will(.types(Self.passcode))
        #expect(try unlock(client) == .success)
        try command.removePasscode(proof: Self.secret())
        #expect(try refusal { _ = try unlock(client) } == Refusal(.authenticationFailed, .noPasscode))
    }

    // MARK: When the passcode is needed

    @Test func `other fingers than were enrolled when the passcode was given unlock nothing`() throws {
        defer { service.stop() }
        try command.lock()
        reader.enrol(2)
        reader.sees(.match)
        #expect(try needsPasscode())
        // Nor the old ones, once there were others.
        reader.enrol(1)
        #expect(try needsPasscode())
        #expect(try isLocked)
        try command.unlock(with: Self.secret())
        try command.lock()
        // Enrolled while the reader waited.
        reader.state.withLock { state in state.incident = { [reader] in reader.enrol(3) } }
        reader.sees(.match)
        #expect(try refusal { _ = try unlock() } == Refusal(.authenticationFailed, .passcodeNeededFirst))
        #expect(try isLocked)
        #expect(token.state.withLock(\.opened) == 0)
    }

    @Test func `two days without an unlock want the passcode`() throws {
        defer { service.stop() }
        try command.lock()
        pass(hours: 48)
        try unlockByFinger()
        try command.lock()
        pass(hours: 49)
        #expect(try needsPasscode())
        try command.unlock(with: Self.secret())
        try command.lock()
        try unlockByFinger()
    }

    @Test func `an unlock that another thread noted a moment later is not from long ago`() throws {
        defer { service.stop() }
        try unlockByFinger()
        try command.lock()
        // As for a thread that read the clock before that one did, and comes to look after it.
        clock.seconds.subtract(1, ordering: .relaxed)
        try unlockByFinger()
    }

    @Test func `six and a half days without the passcode want it, unless a finger was there a while ago`() throws {
        defer { service.stop() }
        try command.lock()
        for _ in 0..<4 {
            pass(hours: 39)
            try unlockByFinger()
            try command.lock()
        }
        // 156 hours, and from then on every 4.
        pass(hours: 4)
        try unlockByFinger()
        try command.lock()
        pass(hours: 5)
        #expect(try needsPasscode())
    }

    @Test func `while entries of the passcode have to wait, so have fingers`() throws {
        defer { service.stop() }
        try command.lock()
        for _ in 0..<5 { _ = try refusal { try command.unlock(with: Self.secret("no")) } }
        reader.sees(.match)
        #expect(try needsPasscode())
        // Nor when the time is over: the right one has to be given once.
        pass(hours: 1)
        #expect(try needsPasscode())
        try command.unlock(with: Self.secret())
        try command.lock()
        try unlockByFinger()
    }

    @Test func `a changed passcode keeps fingers, and a removed passcode ends them`() throws {
        defer { service.stop() }
        try command.setPasscode(Self.secret("5678").bytes, proof: Self.secret())
        try command.lock()
        try unlockByFinger()
        try command.removePasscode(proof: Self.secret("5678"))
        #expect(try refusal { _ = try unlock() } == Refusal(.authenticationFailed, .noPasscode))
        next.caller.withLock { $0 = Caller.program(isCommand: true) }
        try service.client().setPasscode(Self.secret("9").bytes, proof: nil)
        try command.lock()
        try unlockByFinger()
        #expect(try client.lockState() == .unlocked)
    }

    // MARK: Concurrent changes

    @Test func `a keychain that is locked while the finger is looked at stays locked`() throws {
        defer { service.stop() }
        reader.state.withLock { state in state.incident = { [command] in try? command.lock() } }
        reader.sees(.match)
        #expect(try refusal { _ = try unlock() } == Refusal(.interactionNotAllowed, .locked))
        #expect(try isLocked)
        // Nothing is lost by that.
        try unlockByFinger()
    }

    @Test func `a passcode that is removed while the finger is looked at leaves nothing to unlock`() throws {
        defer { service.stop() }
        reader.state.withLock { state in
            state.incident = { [command] in try? command.removePasscode(proof: Self.secret()) }
        }
        reader.sees(.match)
        #expect(try refusal { _ = try unlock() } == Refusal(.authenticationFailed, .noPasscode))
        #expect(token.state.withLock(\.opened) == 0)
    }

    @Test func `without its token a finger unlocks nothing, and giving the passcode is as ever`() throws {
        defer { service.stop() }
        try command.lock()
        token.state.withLock { $0.isThere = false }
        reader.sees(.match)
        #expect(try refusal { _ = try unlock() } == Refusal(.notAvailable, .tokenUnavailable))
        #expect(try isLocked)
        try command.unlock(with: Self.secret())
        #expect(try secrets(client, account: "ann") == ["secret of ann"])
        try command.lock()
        #expect(try needsPasscode())
        token.state.withLock { $0.isThere = true }
        try command.unlock(with: Self.secret())
        try command.lock()
        try unlockByFinger()
    }

    @Test func `the token sees a secret that is no key of the keychain, another one each time`() throws {
        defer { service.stop() }
        try command.change([.unlocksByFinger: 0], proof: Self.secret())
        try command.change([.unlocksByFinger: 1], proof: Self.secret())
        let secrets = token.state.withLock(\.secrets)
        #expect(secrets.count == 2)
        #expect(Set(secrets).count == 2)
        #expect(secrets.allSatisfy { $0.count == 32 })
        // The same fingers and the same keys: nothing new to keep.
        try command.verify(Self.secret())
        #expect(token.state.withLock(\.secrets.count) == 2)
    }

    // MARK: Rights after the unlock

    private func constrain(_ flags: AccessControl.Flags, account: String) throws {
        let control = try #require(AccessControl(protection: .whenUnlocked, flags: flags))
        try client.add(
            try attributes([
                (.service, .string("bank")), (.account, .string(account)), (.accessControl, .accessControl(control)),
            ]), secret: Array("secret of \(account)".utf8))
    }

    @Test func `a context may take an unlock by finger for a finger, for as long as it says`() throws {
        defer { service.stop() }
        try constrain(.biometryAny, account: "any")
        try constrain(.biometryCurrentSet, account: "set")
        try constrain(.userPresence, account: "presence")
        try constrain([.biometryAny, .and, .devicePasscode], account: "both")
        try command.lock()
        try unlockByFinger()
        person.will()
        clock.seconds.add(10, ordering: .relaxed)
        for account in ["any", "set", "presence"] {
            #expect(try secrets(context(reuse: 10_000), account: account) == ["secret of \(account)"])
        }
        #expect(person.count == 0)
        // The passcode is as missing as before.
        #expect(
            try refusal { _ = try secrets(try context(reuse: 10_000), account: "both") }
                == Refusal(.interactionNotAllowed, .authenticationNeeded))
        person.will(.says(.cancelled))
        for reuse in [0, 9999] as [UInt32] {
            #expect(
                try refusal { _ = try secrets(try context(reuse: reuse), account: "any") }
                    == Refusal(.userCanceled, .authenticationNeeded))
            person.will(.says(.cancelled))
        }
    }

    @Test func `an evaluation takes it as well, with a proof that counts on`() throws {
        defer { service.stop() }
        try command.lock()
        try unlockByFinger()
        person.will()
        let answer = try context(reuse: 300_000).authenticate(.evaluate(.biometry))
        #expect(answer.outcome == .success)
        #expect(answer.proof != nil)
        #expect(try context(reuse: 300_000).authenticate(.evaluate(.owner)).outcome == .success)
        #expect(person.count == 0)
        // Five minutes at the most, regardless of the client's request.
        clock.seconds.add(301, ordering: .relaxed)
        person.will(.says(.cancelled))
        #expect(try context(reuse: .max).authenticate(.evaluate(.biometry)).outcome == .cancelled)
    }

    @Test func `neither a finger shown to a program, nor the passcode, nor an unlock before a lock counts so`() throws {
        defer { service.stop() }
        func isAsked() throws -> Bool {
            person.will(.says(.cancelled))
            return try context(reuse: 300_000).authenticate(.evaluate(.biometry)).outcome == .cancelled
        }
        reader.sees(.match)
        #expect(try client.authenticate(.evaluate(.biometry)).outcome == .success)
        #expect(try isAsked())
        try command.lock()
        try command.unlock(with: Self.secret())
        #expect(try isAsked())
        try command.lock()
        try unlockByFinger()
        #expect(try isAsked() == false)
        try command.lock()
        #expect(try isAsked())
        try command.unlock(with: Self.secret())
        #expect(try isAsked())
    }
}
