// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainClient
import KeychainHelperWire
import KeychainKeys
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainSealing
import KeychainServer
import KeychainWire
import SecretMemory
import Synchronization
import Testing

/// Items that require owner authentication: the prompts, and the effect of each answer (semantics 5).
struct AuthenticationTests: AuthenticationSuite {
    let fixture: AuthenticationFixture
    private let token = ScriptedToken()

    private static var proof: ProtectorSecret<SecretBytes> { secret() }

    init() throws { fixture = try AuthenticationFixture(token.secureElement) }

    // MARK: Helpers

    private func control(
        _ flags: AccessControl.Flags, _ protection: Accessibility = .whenUnlocked
    ) throws -> (AttributeKey, AttributeValue) {
        (.accessControl, .accessControl(try #require(AccessControl(protection: protection, flags: flags))))
    }

    @discardableResult
    private func add(
        _ flags: AccessControl.Flags, account: String = "ann", with client: KeychainClient? = nil
    ) throws -> PersistentReference {
        try (client ?? self.client).add(
            try attributes([(.service, .string("mail")), (.account, .string(account)), try control(flags)]),
            secret: Array("secret of \(account)".utf8))
    }

    private func secrets(_ client: KeychainClient? = nil, limit: MatchLimit = .one) throws -> [String] {
        try (client ?? self.client).copyMatching(try query(service: "mail"), limit: limit, returning: .data) {
            String(decoding: $0, as: UTF8.self)
        }.compactMap(\.secret)
    }

    private func look(_ parts: ReturnedParts, _ client: KeychainClient? = nil) throws {
        _ = try (client ?? self.client).copyMatching(try query(service: "mail"), limit: .one, returning: parts) { _ in }
    }

    private func refused(_ body: () throws -> Void) -> Refusal? {
        do {
            try body()
            return nil
        } catch ClientError.refused(let refusal) {
            return refusal
        } catch {
            Issue.record(error)
            return nil
        }
    }

    private final class Proofs: Sendable {
        let all = Mutex<[[UInt8]]>([])
    }

    /// Returns a client with a context: it sends the proofs that it received.
    private func context(
        _ proofs: Proofs = Proofs(), interaction: AuthenticationInteraction = .allow,
        password: String? = nil, on client: KeychainClient? = nil
    ) throws -> KeychainClient {
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.interaction = interaction
        fields.proofs = proofs.all.withLock { $0 }
        fields.applicationPassword = password.map { SecretBytes(copying: $0.utf8).bytes }
        fields.keepsProof = true
        fields.reason = "to test"
        return try (client ?? self.client).authenticating(
            ClientAuthentication(fields) { proof in proofs.all.withLock { $0.append(proof) } })
    }

    private static let needed = Refusal(.interactionNotAllowed, .authenticationNeeded)
    private static let failed = Refusal(.authenticationFailed, .authenticationNeeded)

    // MARK: The passcode

    @Test func `every look at an item asks for the passcode, and the right one opens it`() throws {
        defer { service.stop() }
        try add(.userPresence)
        #expect(person.count == 0)
        person.will(.types(Self.passcode))
        #expect(try secrets() == ["secret of ann"])
        #expect(person.count == 1)
        let prompt = try #require(person.prompts.first)
        #expect(prompt.operation == .readData)
        #expect(prompt.items.map(\.names.place) == ["mail"])
        #expect(prompt.items.map(\.otherGroup) == [nil], "the program owns it")
        try look([])
        try look(.attributes)
        try client.update(
            try query(service: "mail"), changes: try attributes(.update, [(.label, .string("L"))]),
            secret: [UInt8]?.none)
        #expect(person.count == 4)
        try client.delete(try query(service: "mail"))
        #expect(person.count == 4)
    }

    @Test func `a wrong passcode may be typed three times, and counts each time`() throws {
        defer { service.stop() }
        try add(.devicePasscode)
        person.will(.types("no"), .types("neither"), .types(Self.passcode))
        #expect(try secrets() == ["secret of ann"])
        person.will(.types("no"))
        #expect(refused { _ = try secrets() } == Self.failed)
        #expect(person.count == 3)
        #expect(try command.protectors().failedAttempts == 3)
        person.will(.types(Self.passcode))
        #expect(try secrets() == ["secret of ann"])
        #expect(try command.protectors().failedAttempts == 0)
    }

    @Test func `what a person does instead of typing is told, and the item stays as it was`() throws {
        defer { service.stop() }
        try add(.userPresence)
        let outcomes: [(PromptAnswer, Refusal)] = [
            (.cancelled, Refusal(.userCanceled, .authenticationNeeded)), (.notAsked(), Self.needed),
            (.timedOut, Self.failed), (.denied, Self.failed),
        ]
        for (answer, refusal) in outcomes {
            person.will(.says(answer))
            #expect(refused { _ = try secrets() } == refusal)
        }
        person.will(.types(Self.passcode))
        #expect(try secrets() == ["secret of ann"])
    }

    @Test func `nothing is asked where asking is not allowed, and what would ask can be left out`() throws {
        defer { service.stop() }
        try add(.userPresence)
        person.will(.types(Self.passcode))
        let failing = try context(interaction: .fail)
        for parts in [[], .attributes, .data] as [ReturnedParts] {
            #expect(refused { try look(parts, failing) } == Self.needed)
        }
        let skipping = try context(interaction: .skip)
        #expect(refused { try look([], skipping) } == Refusal(.itemNotFound, .none))
        // Another item, which requires no authentication, is found instead, regardless of the limit.
        try client.addPassword(service: "mail", account: "bob", secret: "secret of bob")
        #expect(try secrets(skipping) == ["secret of bob"])
        // C110: it leaves out of a search, and of nothing else.
        let parameter = Refusal(.parameter, .none)
        #expect(refused { try add([], account: "eve", with: skipping) } == parameter)
        #expect(
            refused {
                try skipping.update(
                    try query(), changes: try attributes(.update, [(.label, .string("L"))]), secret: [UInt8]?.none)
            } == parameter)
        #expect(person.count == 0)
    }

    @Test func `an item of the command is listed without a prompt, and returned to its owner`() throws {
        defer { service.stop() }
        try add(.userPresence, with: command)
        try look(.attributes, command)
        #expect(person.count == 0)
        #expect(refused { _ = try secrets(command) } == Self.needed)
        person.will(.types(Self.passcode))
        #expect(try secrets(command) == ["secret of ann"])
    }

    // MARK: Contexts

    @Test
    func `what was shown in a context counts for its other requests, of this process, until the keychain is locked`()
        throws
    {
        defer { service.stop() }
        try add(.userPresence)
        person.will(.types(Self.passcode))
        let proofs = Proofs()
        #expect(try secrets(try context(proofs)) == ["secret of ann"])
        #expect(proofs.all.withLock { $0.count } == 1)
        #expect(try secrets(try context(proofs)) == ["secret of ann"])
        #expect(person.count == 1)
        // Without the context, the authentication is required again.
        #expect(try secrets() == ["secret of ann"])
        #expect(person.count == 2)

        next.caller.withLock { $0 = Caller.program(1) }
        let other = service.client()
        #expect(try secrets(try context(proofs, interaction: .allow, on: other)) == ["secret of ann"])
        #expect(person.count == 3)
        _ = proofs.all.withLock { $0.removeLast() }

        // An hour later, or after a lock, authentication is required again.
        clock.seconds.add(3601, ordering: .relaxed)
        #expect(try secrets(try context(proofs)) == ["secret of ann"])
        #expect(person.count == 4)
        try command.lock()
        try command.unlock(with: Self.proof)
        #expect(try secrets(try context(proofs)) == ["secret of ann"])
        #expect(person.count == 5)
    }

    @Test func `bytes that are no proof count for nothing`() throws {
        defer { service.stop() }
        try add(.userPresence)
        let proofs = Proofs()
        person.will(.types(Self.passcode))
        _ = try secrets(try context(proofs))
        let real: [UInt8] = try #require(proofs.all.withLock { $0.first })
        for index in real.indices {
            var changed = real
            changed[index] ^= 1
            let forged = Proofs()
            forged.all.withLock { $0 = [changed, [], [1], real + [0]] }
            #expect(refused { _ = try secrets(try context(forged, interaction: .fail)) } == Self.needed)
        }
        #expect(person.count == 1)
    }

    @Test func `each item asks by itself without a context, and all at once with one`() throws {
        defer { service.stop() }
        for name in ["ann", "bob", "eve"] { try add(.userPresence, account: name) }
        person.will(.types(Self.passcode))
        #expect(try secrets(limit: .all).count == 3)
        #expect(person.count == 3)
        person.will(.types(Self.passcode))
        #expect(try secrets(try context(), limit: .all).count == 3)
        #expect(person.count == 1)
    }

    @Test func `one request shows at most twenty prompts`() throws {
        defer { service.stop() }
        for number in 0..<21 { try add(.userPresence, account: "\(number)") }
        person.will(.types(Self.passcode))
        #expect(refused { _ = try secrets(limit: .all) } == Self.failed)
        #expect(person.count == 20)
    }

    @Test func `a context can be shown first and used then`() throws {
        defer { service.stop() }
        try add(.userPresence)
        person.will(.types(Self.passcode))
        let proofs = Proofs()
        let answer = try context(proofs).authenticate(.evaluate(.owner))
        #expect(answer.outcome == .success)
        #expect(person.prompts.first?.operation == nil)
        #expect(person.prompts.first?.reason == "to test")
        proofs.all.withLock { $0 = [answer.proof].compactMap { $0 } }
        #expect(try secrets(try context(proofs)) == ["secret of ann"])
        // The authentication is still valid, so there is no prompt.
        let again = try context(proofs).authenticate(
            .evaluateAccessControl(
                try #require(AccessControl(protection: .whenUnlocked, flags: .devicePasscode)), .useItem))
        #expect(again.outcome == .success)
        #expect(person.count == 1)
    }

    @Test func `evaluations end as the person and the state say`() throws {
        defer { service.stop() }
        func outcome(
            _ policy: AuthenticationPolicy, _ answers: ScriptedOwner.Answer,
            interaction: AuthenticationInteraction = .allow
        ) throws -> AuthenticationOutcome {
            person.will(answers)
            let answer = try context(interaction: interaction).authenticate(.evaluate(policy))
            #expect((answer.proof != nil) == (answer.outcome == .success))
            return answer.outcome
        }
        #expect(try outcome(.owner, .types(Self.passcode)) == .success)
        #expect(try outcome(.owner, .types("wrong")) == .failed)
        #expect(try outcome(.owner, .says(.cancelled)) == .cancelled)
        #expect(try outcome(.owner, .says(.timedOut)) == .withdrawn)
        #expect(try outcome(.owner, .says(.notAsked())) == .notInteractive)
        #expect(try outcome(.owner, .types(Self.passcode), interaction: .fail) == .notInteractive)
        #expect(try outcome(.biometry, .types(Self.passcode)) == .biometryNotAvailable)
        #expect(try outcome(.companion, .types(Self.passcode)) == .companionNotAvailable)
        reader.enrol(nil)
        #expect(try outcome(.biometry, .types(Self.passcode)) == .biometryNotEnrolled)
        #expect(try client.authenticationState().biometry == .notEnrolled)
        try command.removePasscode(proof: Self.proof)
        #expect(try outcome(.owner, .types(Self.passcode)) == .passcodeNotSet)
        #expect(try client.authenticationState() == AuthenticationState(hasPasscode: false, biometry: .notEnrolled))
    }

    // MARK: Fingers

    @Test func `a finger opens what asks for one, and a wrong one does not`() throws {
        defer { service.stop() }
        reader.enrol(1)
        try add(.biometryAny)
        reader.sees(.match)
        #expect(try secrets() == ["secret of ann"])
        reader.sees(.noMatch, .match)
        #expect(try secrets() == ["secret of ann"])
        reader.sees(.noMatch, .noMatch, .noMatch)
        #expect(refused { _ = try secrets() } == Self.failed)
        person.will(.says(.cancelled))
        #expect(refused { _ = try secrets() } == Refusal(.userCanceled, .authenticationNeeded))
    }

    @Test func `where a finger or the passcode will do, the person may change over`() throws {
        defer { service.stop() }
        reader.enrol(1)
        try add(.userPresence)
        reader.sees(.match)
        #expect(try secrets() == ["secret of ann"])
        person.will(.says(.fallback), .types(Self.passcode))
        #expect(try secrets() == ["secret of ann"])
        // Both methods, if both are required.
        try add([.biometryAny, .and, .devicePasscode], account: "bob")
        try client.delete(try query(account: "ann"))
        reader.sees(.match)
        person.will(.types(Self.passcode))
        #expect(try secrets() == ["secret of bob"])
        reader.sees(.match)
        person.will(.types("wrong"))
        #expect(refused { _ = try secrets() } == Self.failed)
    }

    @Test func `five wrong fingers lock the reader out until the passcode is given`() throws {
        defer { service.stop() }
        reader.enrol(1)
        try add(.biometryAny)
        reader.sees(.noMatch, .noMatch, .noMatch)
        #expect(refused { _ = try secrets() } == Self.failed)
        #expect(try client.authenticationState().biometry == .enrolled)
        reader.sees(.noMatch, .noMatch)
        #expect(refused { _ = try secrets() } == Refusal(.authenticationFailed, .factorNotAvailable))
        #expect(try client.authenticationState().biometry == .lockedOut)
        reader.sees(.match)
        #expect(refused { _ = try secrets() } == Refusal(.authenticationFailed, .factorNotAvailable))
        try command.verify(Self.proof)
        #expect(try secrets() == ["secret of ann"])
    }

    @Test func `another enrolment loses what was stored for the current one, for good`() throws {
        defer { service.stop() }
        reader.enrol(1)
        try add(.biometryCurrentSet)
        reader.sees(.match)
        #expect(try secrets() == ["secret of ann"])
        for fingers in [2, 1] as [UInt8] {
            reader.enrol(fingers)
            reader.sees(.match)
            #expect(refused { _ = try secrets() } == Refusal(.authenticationFailed, .enrolmentChanged))
        }
        // Items that do not depend on the set still exist, and the lost item can be deleted.
        try add(.biometryAny, account: "bob")
        try client.delete(try query(account: "ann"))
        reader.sees(.match)
        #expect(try secrets() == ["secret of bob"])
    }

    @Test func `a reader that is gone for a while loses nothing`() throws {
        defer { service.stop() }
        reader.enrol(1)
        try add(.biometryCurrentSet)
        let proofs = Proofs()
        reader.sees(.match)
        #expect(try secrets(try context(proofs)) == ["secret of ann"])
        reader.state.withLock { $0.enrolment = nil }
        // The authentication is still valid, but the enrolled fingers may have changed.
        #expect(
            refused { _ = try secrets(try context(proofs)) } == Refusal(.authenticationFailed, .factorNotAvailable))
        reader.enrol(1)
        #expect(try secrets(try context(proofs)) == ["secret of ann"])
    }

    @Test func `a finger counts for nothing once others have locked the reader out meanwhile`() throws {
        defer { service.stop() }
        reader.enrol(1)
        try add(.biometryAny)
        let other = service.client()
        reader.state.withLock { state in
            state.incident = { [reader] in
                for _ in 0..<2 {
                    reader.sees(.noMatch, .noMatch, .noMatch)
                    _ = try? other.copyMatching(try query(service: "mail"), limit: .one, returning: .data) { _ in }
                }
                reader.sees(.match)
            }
        }
        #expect(refused { _ = try secrets() } == Refusal(.authenticationFailed, .factorNotAvailable))
        #expect(try client.authenticationState().biometry == .lockedOut)
    }

    @Test
    func `no finger is read where the prompt cannot be shown, and a look that ends by itself is no cancel`()
        throws
    {
        defer { service.stop() }
        let nobody = PromptQueue(clock: clock.clock, ownDisplay: nil, prompters: [])
        let apart = try RunningService(
            identifier: next.identifier, clock: clock.clock, prompter: nobody.prompter, biometry: reader.reader,
            passcodeCost: try #require(ScryptCost(logN: 4, blockSize: 8, parallelism: 1)))
        defer { apart.stop() }
        next.caller.withLock { $0 = Caller.program(isCommand: true) }
        try apart.client().setPasscode(Self.proof.bytes, proof: nil)
        next.caller.withLock { $0 = Caller.program() }
        reader.enrol(1)
        try add(.biometryAny, with: apart.client())
        reader.sees(.match)
        #expect(refused { _ = try secrets(apart.client()) } == Self.needed)
        #expect(reader.state.withLock(\.looks) == 0)
        try add(.biometryAny)
        reader.sees(.withdrawn)
        #expect(refused { _ = try secrets() } == Self.failed)
    }

    @Test func `the reader is asked nothing where no finger could make a difference`() throws {
        defer { service.stop() }
        reader.enrol(1)
        person.will(.types(Self.passcode))
        let proofs = Proofs()
        try add(.devicePasscode)
        try add([.devicePasscode, .applicationPassword], account: "bob", with: try context(password: "sesame"))
        #expect(try secrets(try context(proofs)) == ["secret of ann"])
        #expect(try secrets(try context(proofs)) == ["secret of ann"])
        try client.delete(try query(service: "mail"))
        #expect(reader.state.withLock(\.questions) == 0)
        // After too many wrong fingers, and if the passcode is allowed as well, the service does not read the enrolled
        // fingers.
        try add(.userPresence)
        reader.sees(.noMatch, .noMatch, .noMatch)
        person.will(.types("1"))
        _ = refused { _ = try secrets() }
        reader.sees(.noMatch, .noMatch)
        _ = refused { _ = try secrets() }
        #expect(try client.authenticationState().biometry == .lockedOut)
        let before = reader.state.withLock(\.questions)
        #expect(before > 0)
        try add(.userPresence, account: "eve")
        _ = refused { _ = try secrets() }
        #expect(reader.state.withLock(\.questions) == before)
    }

    @Test func `nothing is stored for fingers that are not enrolled`() throws {
        defer { service.stop() }
        let unavailable = Refusal(.authenticationFailed, .factorNotAvailable)
        for flags in [AccessControl.Flags.biometryAny, .biometryCurrentSet, .companion] {
            #expect(refused { try add(flags) } == unavailable)
        }
        reader.enrol(nil)
        #expect(refused { try add(.biometryAny) } == unavailable)
        #expect(refused { try look([]) } == Refusal(.itemNotFound, .none))
    }

    // MARK: An item's own password

    @Test func `an item with a password of its own opens with that one, given or typed`() throws {
        defer { service.stop() }
        try add(.applicationPassword, with: try context(password: "sesame"))
        #expect(try secrets(try context(password: "sesame")) == ["secret of ann"])
        let wrong = Refusal(.authenticationFailed, .wrongApplicationPassword)
        for parts in [[], .attributes, .data] as [ReturnedParts] {
            #expect(refused { try look(parts, try context(password: "Sesame")) } == wrong)
        }
        #expect(person.count == 0)
        #expect(refused { _ = try secrets() } == Self.needed)
        #expect(refused { _ = try secrets(try context(interaction: .fail)) } == Self.needed)
        person.will(.types("no"), .types("sesame"))
        #expect(try secrets() == ["secret of ann"])
        let purposes = person.prompts.map(\.purpose)
        guard case .applicationPassword(isNew: false, wasWrong: false) = purposes[0],
            case .applicationPassword(isNew: false, wasWrong: true) = purposes[1]
        else {
            Issue.record("\(purposes)")
            return
        }
        person.will(.types("no"))
        #expect(refused { _ = try secrets() } == wrong)
        #expect(person.count == 3)
        // If items that need a prompt are skipped, this one is skipped, too.
        #expect(refused { try look([], try context(interaction: .skip)) } == Refusal(.itemNotFound, .none))
        #expect(try secrets(try context(interaction: .skip, password: "sesame")) == ["secret of ann"])
    }

    @Test func `a new item's password is typed where the program gives none`() throws {
        defer { service.stop() }
        #expect(refused { try add(.applicationPassword) } == Self.needed)
        person.will(.types("sesame"))
        try add(.applicationPassword)
        guard case .applicationPassword(isNew: true, wasWrong: false) = try #require(person.prompts.first).purpose
        else {
            Issue.record("asked for something else")
            return
        }
        #expect(try secrets(try context(password: "sesame")) == ["secret of ann"])
    }

    @Test func `changing an item with a password of its own takes it, and keeps it`() throws {
        defer { service.stop() }
        try add(.applicationPassword, with: try context(password: "sesame"))
        let changes = try attributes(.update, [(.label, .string("L"))])
        func update(_ client: KeychainClient, _ secret: String? = nil) throws {
            try client.update(try query(service: "mail"), changes: changes, secret: secret.map { Array($0.utf8) })
        }
        #expect(refused { try update(client) } == Self.needed)
        #expect(
            refused { try update(try context(password: "no")) }
                == Refusal(.authenticationFailed, .wrongApplicationPassword))
        try update(try context(password: "sesame"))
        #expect(try secrets(try context(password: "sesame")) == ["secret of ann"])
        try update(try context(password: "sesame"), "another secret")
        #expect(try secrets(try context(password: "sesame")) == ["another secret"])
        #expect(refused { _ = try secrets(try context(interaction: .fail)) } == Self.needed)
    }

    @Test func `an item gets and loses constraints by an update, with what both take`() throws {
        defer { service.stop() }
        try client.addPassword(service: "mail", account: "ann", secret: "secret of ann")
        func constrain(_ flags: AccessControl.Flags, _ client: KeychainClient) throws {
            try client.update(
                try query(service: "mail"), changes: try attributes(.update, [try control(flags)]),
                secret: [UInt8]?.none)
        }
        try constrain(.userPresence, client)
        #expect(refused { _ = try secrets() } == Self.needed)
        #expect(refused { try constrain([], client) } == Self.needed)
        person.will(.types(Self.passcode))
        try constrain([.userPresence, .applicationPassword], try context(password: "sesame"))
        #expect(try secrets(try context(password: "sesame")) == ["secret of ann"])
        #expect(
            refused { _ = try secrets(try context(password: "no")) }
                == Refusal(.authenticationFailed, .wrongApplicationPassword))
        try constrain([], try context(password: "sesame"))
        person.will(.says(.cancelled))
        #expect(try secrets() == ["secret of ann"])
        #expect(refused { try constrain(.biometryAny, client) } == Refusal(.authenticationFailed, .factorNotAvailable))
    }

    @Test func `user presence and a password are asked for together`() throws {
        defer { service.stop() }
        try add([.userPresence, .applicationPassword], with: try context(password: "sesame"))
        person.will(.types(Self.passcode))
        #expect(try secrets(try context(password: "sesame")) == ["secret of ann"])
        #expect(
            refused { _ = try secrets(try context(password: "no")) }
                == Refusal(.authenticationFailed, .wrongApplicationPassword))
        person.will(.types("no"))
        #expect(refused { _ = try secrets(try context(password: "sesame")) } == Self.failed)
    }

    @Test func `neither passcode nor password stands in the audit log`() throws {
        try add([.userPresence, .applicationPassword], with: try context(password: "open sesame"))
        person.will(.types(Self.passcode))
        _ = try secrets(try context(password: "open sesame"))
        person.will(.types("mistyped"))
        #expect(refused { _ = try secrets(try context(password: "open sesame")) } != nil)
        service.stop()
        let log = service.auditLog.joined()
        #expect(log.contains("\"reason\":\"authenticationNeeded\""))
        for secret in ["sesame", "mistyped", "secret of"] { #expect(!log.contains(secret)) }
    }

    // MARK: Keys

    @Test func `a key with a constraint on its use is found freely, and signs for its owner`() throws {
        defer { service.stop() }
        let control = try #require(
            AccessControl(protection: .whenUnlocked, flags: [.privateKeyUsage, .userPresence]))
        let key = try client.generateKey(
            try ItemAttributes(
                .key, for: .add,
                [
                    .init(.type, .number(73)), .init(.keySizeInBits, .number(256)), .init(.isExtractable, .number(0)),
                    .init(.accessControl, .accessControl(control)),
                ]))
        let found = try client.copyMatching(ItemQuery(.key), limit: .all, returning: .reference) { Array($0) }
        #expect(found.map(\.reference) == [key.reference])
        #expect(person.count == 0)
        let work = KeyWork<[UInt8]>(
            key.reference, algorithm: "algid:sign:ECDSA:message-X962:SHA256", .sign(Array("message".utf8)))
        #expect(refused { _ = try client.use(work) { Array($0) } } == Self.needed)
        person.will(.types(Self.passcode))
        #expect(try client.use(work) { Array($0) }.isEmpty == false)
        #expect(person.prompts.first?.operation == .useKey)
    }

    // MARK: Keys in a token

    private func tokenKey(
        _ flags: AccessControl.Flags, with client: KeychainClient? = nil
    ) throws -> PersistentReference {
        let control = try #require(AccessControl(protection: .whenUnlocked, flags: flags))
        return try (client ?? self.client).generateKey(
            try ItemAttributes(
                .key, for: .add,
                [
                    .init(.type, .number(73)), .init(.keySizeInBits, .number(256)),
                    .init(.tokenID, .string("com.apple.setoken")), .init(.accessControl, .accessControl(control)),
                ])
        ).reference
    }

    private func sign(_ key: PersistentReference, _ client: KeychainClient? = nil) throws -> [UInt8] {
        try (client ?? self.client).use(
            KeyWork<[UInt8]>(key, algorithm: "algid:sign:ECDSA:message-X962:SHA256", .sign(Array("message".utf8)))
        ) { Array($0) }
    }

    @Test(arguments: [AccessControl.Flags.userPresence, .devicePasscode, .biometryAny, .biometryCurrentSet])
    func `a token is asked to use a key only once its owner has shown to be there, each time`(
        flags: AccessControl.Flags
    ) throws {
        defer { service.stop() }
        reader.enrol(1)
        let key = try tokenKey([.privateKeyUsage, flags])
        // The creation requires no authentication, and the public half is available without one.
        #expect(person.count == 0)
        let found = try client.copyMatching(ItemQuery(.key), limit: .all, returning: [.attributes, .reference]) {
            Array($0)
        }
        #expect(found.map(\.reference) == [key] && person.count == 0)
        #expect(refused { _ = try sign(key, try context(interaction: .fail)) } == Self.needed)
        person.will(.says(.cancelled))
        #expect(refused { _ = try sign(key) } == Refusal(.userCanceled, .authenticationNeeded))
        person.will(.types("wrong"))
        reader.sees(.noMatch, .noMatch, .noMatch)
        #expect(refused { _ = try sign(key) } == Self.failed)
        #expect(token.signatures == 0)
        for uses in 1...2 {
            person.will(.types(Self.passcode))
            reader.sees(.match)
            #expect(try sign(key).isEmpty == false)
            #expect(person.count == 1 && token.signatures == uses)
        }
        let prompt = try #require(person.prompts.first)
        #expect(prompt.operation == .useKey)
    }

    @Test func `a key that is not stored requires the authentication of its access control, and an unlocked keychain`()
        throws
    {
        defer { service.stop() }
        let control = try #require(AccessControl(protection: .whenUnlocked, flags: [.privateKeyUsage, .userPresence]))
        let sealed = try client.generateUnstoredKey(
            try ItemAttributes(
                .key, for: .add,
                [
                    .init(.type, .number(73)), .init(.keySizeInBits, .number(256)),
                    .init(.tokenID, .string("com.apple.setoken")), .init(.accessControl, .accessControl(control)),
                ])
        ).sealed
        let work = KeyWork<[UInt8]>(
            .sealed(sealed), algorithm: "algid:sign:ECDSA:message-X962:SHA256", .sign(Array("message".utf8)))
        #expect(refused { _ = try client.use(work) { Array($0) } } == Self.needed)
        #expect(token.signatures == 0)
        person.will(.types(Self.passcode))
        #expect(try client.use(work) { Array($0) }.isEmpty == false)
        #expect(token.signatures == 1)
        try command.lock()
        #expect(refused { _ = try client.use(work) { Array($0) } }?.status == .interactionNotAllowed)
        #expect(token.signatures == 1)
    }

    @Test func `a key in a token that asks for its owner is asked for once in a context`() throws {
        defer { service.stop() }
        let key = try tokenKey([.privateKeyUsage, .userPresence])
        let proofs = Proofs()
        person.will(.types(Self.passcode))
        for _ in 0..<3 { #expect(try sign(key, try context(proofs)).isEmpty == false) }
        #expect(person.count == 1 && token.signatures == 3)
        // Other contexts know nothing of it.
        #expect(refused { _ = try sign(key, try context(interaction: .fail)) } == Self.needed)
        // And this one is over with the next lock.
        try command.lock()
        try command.unlock(with: Self.proof)
        #expect(refused { _ = try sign(key, try context(proofs, interaction: .fail)) } == Self.needed)
        #expect(token.signatures == 3)
    }

    @Test func `a key in a token with a password of its own is used with it, and the token is not asked without`()
        throws
    {
        defer { service.stop() }
        let key = try tokenKey([.privateKeyUsage, .applicationPassword], with: try context(password: "sesame"))
        #expect(refused { _ = try sign(key) } == Self.needed)
        #expect(
            refused { _ = try sign(key, try context(password: "no")) }
                == Refusal(.authenticationFailed, .wrongApplicationPassword))
        #expect(token.signatures == 0)
        #expect(try sign(key, try context(password: "sesame")).isEmpty == false)
        person.will(.types("sesame"))
        #expect(try sign(key).isEmpty == false)
        #expect(token.signatures == 2)
    }

    @Test func `a key in a token without constraints needs no prompt, and a key for fingers is lost with them`() throws
    {
        defer { service.stop() }
        let free = try tokenKey([.privateKeyUsage])
        #expect(try sign(free).isEmpty == false)
        #expect(person.count == 0)
        reader.enrol(1)
        let bound = try tokenKey([.privateKeyUsage, .biometryCurrentSet])
        reader.sees(.match)
        #expect(try sign(bound).isEmpty == false)
        reader.enrol(2)
        reader.sees(.match)
        #expect(refused { _ = try sign(bound) } == Refusal(.authenticationFailed, .enrolmentChanged))
        #expect(token.signatures == 2)
    }
}

/// A token in this process, which counts its signatures.
private final class ScriptedToken: Sendable {
    private let count = Atomic<Int>(0)
    var signatures: Int { count.load(ordering: .relaxed) }

    var secureElement: SecureElement {
        SecureElement([
            .init(.software) { [self] request throws(TokenError) in
                switch request {
                case .createKey:
                    guard let key = try? PrivateKey(generating: .ellipticCurve, sizeInBits: 256) else { break }
                    return .key(
                        point: Array(key.publicKey.externalRepresentation), blob: Array(key.externalRepresentation))
                case .sign(let blob, let digest):
                    count.add(1, ordering: .relaxed)
                    guard let key = try? PrivateKey(type: .ellipticCurve, externalRepresentation: blob),
                        let signature = try? key.signature(for: digest, using: .ecdsa(.rfc4754, .digest, .sha256))
                    else { break }
                    return .signature(Array(signature))
                default: break
                }
                throw TokenError(.failed, "not in this test")
            }
        ])
    }
}
