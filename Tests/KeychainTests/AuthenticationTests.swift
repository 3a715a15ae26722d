// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Keychain
import KeychainTesting
import Testing

private let passcode = SecretData(utf8: "1234")
private let card = GenericPassword(service: "com.example.pay", account: "card", accessControl: .userPresence)

/// A keychain with a passcode, whose person is as given.
private func memory(_ person: TestPerson, _ reader: TestReader = .none) async throws -> InMemoryKeychain {
    let memory = try InMemoryKeychain()
    try await memory.setPasscode(passcode)
    memory.person = person
    memory.reader = reader
    return memory
}

/// Records an issue unless the call fails in this way.
private func expect<R>(
    _ failure: AuthenticationFailure, _ code: KeychainError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws(KeychainError) -> R
) async {
    do throws(KeychainError) {
        _ = try await call()
        Issue.record("no error", sourceLocation: sourceLocation)
    } catch {
        #expect(error.authenticationFailure == failure, sourceLocation: sourceLocation)
        #expect(error.code == code, sourceLocation: sourceLocation)
    }
}

@Suite struct `Access control of items` {
    @Test(arguments: [
        AccessControl.userPresence, .devicePasscode, .biometryAny, .biometryCurrentSet, .applicationPassword,
        .biometryOrPasscode(.any), .biometryOrPasscode(.currentSet), .biometryAndPasscode(.any),
        .biometryAndPasscode(.currentSet), .userPresence.withApplicationPassword(),
        .biometryAny.withApplicationPassword(), .applicationPassword.withApplicationPassword(),
    ]) func `is stored with them, and read back`(_ control: AccessControl) async throws {
        let memory = try await memory(.typing(applicationPassword: SecretData(utf8: "own")), .enrolled(["thumb"]))
        let generic = GenericPassword(
            service: "s", account: "a", accessibility: .whenUnlockedThisDeviceOnly, accessControl: control)
        let internet = InternetPassword(server: "example.com", account: "a", accessControl: control)
        try await memory.keychain.add(generic, secret: SecretData(utf8: "1"))
        try await memory.keychain.add(internet, secret: SecretData(utf8: "2"))
        let found = try await memory.keychain.reveal(generic)
        #expect(found?.secret?.utf8String == "1")
        #expect(found?.accessControl == control)
        #expect(found?.accessibility == .whenUnlockedThisDeviceOnly)
        #expect(try await memory.keychain.find(internet)?.accessControl == control)
    }

    @Test func `is nil for items without`() async throws {
        let memory = try InMemoryKeychain()
        try await memory.keychain.store(GenericPassword(service: "s"), secret: passcode)
        let found = try await memory.keychain.find(GenericPassword(service: "s"))
        #expect(found != nil && found?.accessControl == nil)
    }

    @Test func `any program that may read an item can set and remove its access control`() async throws {
        let memory = try await memory(.approving)
        let keychain = memory.keychain
        let mail = GenericPassword(service: "mail", account: "ann")
        try await keychain.store(mail, secret: SecretData(utf8: "1"))
        try await keychain.protect(mail, with: .userPresence, accessibility: .afterFirstUnlock)
        memory.person = .absent
        await expect(.notInteractive, .interactionNotAllowed) { () throws(KeychainError) in
            try await keychain.secret(for: mail)
        }
        await expect(.notInteractive, .interactionNotAllowed) { () throws(KeychainError) in
            try await keychain.protect(mail, with: nil, accessibility: .whenUnlocked)
        }
        memory.person = .approving
        #expect(try await keychain.find(mail)?.accessibility == .afterFirstUnlock)
        try await keychain.protect(mail, with: nil, accessibility: .whenUnlocked)
        memory.person = .absent
        #expect(try await keychain.secret(for: mail)?.utf8String == "1")
    }

    @Test func `is for each use of a key that stays in the service, and for reading a key that does not`() async throws
    {
        let memory = try await memory(.approving)
        let keychain = memory.keychain
        let held = try await keychain.generatePrivateKey(.p256, tag: "held", accessControl: .devicePasscode)
        #expect(try await keychain.privateKey(tag: "held") == held)
        #expect(memory.questions.isEmpty)
        _ = try await keychain.signature(for: [1], by: held, using: .ecdsa(.x962, .message, .sha256))
        #expect(memory.questions.count == 1)
        memory.person = .cancelling
        await expect(.cancelled, .userCanceled) { () throws(KeychainError) in
            try await keychain.signature(for: [1], by: held, using: .ecdsa(.x962, .message, .sha256))
        }
    }
}

@Suite struct `Failures of authentication` {
    static let endings: [(TestPerson, AuthenticationFailure, KeychainError.Code)] = [
        (.cancelling, .cancelled, .userCanceled), (.denying, .failed, .authenticationFailed),
        (.absent, .notInteractive, .interactionNotAllowed), (.silent, .failed, .authenticationFailed),
    ]

    @Test(arguments: endings) func `say how the person ended it`(
        _ person: TestPerson, _ failure: AuthenticationFailure, _ code: KeychainError.Code
    ) async throws {
        let keychain = try await memory(person).keychain
        try await keychain.store(card, secret: SecretData(utf8: "4111"))
        await expect(failure, code) { () throws(KeychainError) in try await keychain.secret(for: card) }
    }

    @Test func `tell a wrong password of the item from everything else`() async throws {
        let memory = try InMemoryKeychain()
        memory.person = .typing(applicationPassword: SecretData(utf8: "right"))
        let item = GenericPassword(service: "s", accessControl: .applicationPassword)
        try await memory.keychain.store(item, secret: SecretData(utf8: "1"))
        let context = AuthenticationContext(reason: "test")
        try context.setApplicationPassword(SecretData(utf8: "wrong"))
        #expect(context.hasApplicationPassword)
        await expect(.wrongApplicationPassword, .authenticationFailed) { () throws(KeychainError) in
            try await memory.keychain.authenticated(by: context).secret(for: item)
        }
        try context.setApplicationPassword(SecretData(utf8: "right"))
        #expect(try await memory.keychain.authenticated(by: context).secret(for: item)?.utf8String == "1")
    }

    @Test func `tell what cannot be shown at all`() async throws {
        let without = try InMemoryKeychain().keychain
        await expect(.noPasscode, .authenticationFailed) { () throws(KeychainError) in
            try await without.store(card, secret: SecretData(utf8: "1"))
        }
        let keychain = try await memory(.approving).keychain
        let finger = GenericPassword(service: "s", accessControl: .biometryAny)
        await expect(.notAvailable, .authenticationFailed) { () throws(KeychainError) in
            try await keychain.store(finger, secret: SecretData(utf8: "1"))
        }
    }

    @Test func `tell that other fingers are enrolled`() async throws {
        let memory = try await memory(.approving, .enrolled(["thumb"]))
        let item = GenericPassword(service: "s", accessControl: .biometryCurrentSet)
        try await memory.keychain.store(item, secret: SecretData(utf8: "1"))
        memory.reader = .enrolled(["thumb", "index"])
        await expect(.enrolmentChanged, .authenticationFailed) { () throws(KeychainError) in
            try await memory.keychain.secret(for: item)
        }
        #expect(try await memory.keychain.delete(item))
    }

    @Test func `are nil where no process was concerned`() async throws {
        let keychain = try InMemoryKeychain().keychain
        do throws(KeychainError) {
            try await keychain.update(card, secret: passcode)
            Issue.record("no error")
        } catch {
            #expect(error.code == .itemNotFound && error.authenticationFailure == nil)
        }
    }
}

@Suite struct `Ways of asking` {
    @Test
    func
        `no prompt is shown where prompts are not allowed, and items that need a prompt are left out where that is wanted`()
        async throws
    {
        let memory = try await memory(.approving)
        try await memory.keychain.store(card, secret: SecretData(utf8: "1"))
        try await memory.keychain.store(GenericPassword(service: "mail"), secret: SecretData(utf8: "2"))
        await expect(.notInteractive, .interactionNotAllowed) { () throws(KeychainError) in
            try await memory.keychain.asking(.fail).secret(for: card)
        }
        let found = try await memory.keychain.asking(.skip).findAll(GenericPassword.Query())
        #expect(found.map(\.service) == ["mail"])
        await expectError(.invalidParameter) { () throws(KeychainError) in
            try await memory.keychain.asking(.skip).update(card, secret: passcode)
        }
        #expect(memory.questions.isEmpty)
    }

    @Test func `the person is told the program's words`() async throws {
        let memory = try await memory(.approving)
        try await memory.keychain.store(card, secret: SecretData(utf8: "1"))
        _ = try await memory.keychain.asking(reason: "pay for your order").secret(for: card)
        let context = AuthenticationContext(reason: "pay for your orders", cancelTitle: "Later")
        _ = try await memory.keychain.authenticated(by: context).secret(for: card)
        #expect(memory.questions.map(\.reason) == ["pay for your order", "pay for your orders"])
        #expect(memory.questions.map(\.cancelTitle) == [nil, "Later"])
    }
}

@Suite struct `Authentication contexts` {
    @Test func `what was shown once is enough for all calls`() async throws {
        let memory = try await memory(.approving)
        try await memory.run {
            try await memory.keychain.store(card, secret: SecretData(utf8: "1"))
            let context = AuthenticationContext(reason: "pay")
            #expect(try await context.obstacle() == nil)
            try await context.evaluate()
            memory.person = .absent
            let keychain = memory.keychain.authenticated(by: context)
            #expect(try await keychain.secret(for: card)?.utf8String == "1")
            #expect(try await keychain.find(card) != nil)
            #expect(memory.questions.count == 1)
            context.invalidate()
            await expect(.endedByProgram, .authenticationFailed) { () throws(KeychainError) in
                try await keychain.secret(for: card)
            }
            await expect(.endedByProgram, .authenticationFailed) { () throws(KeychainError) in
                try await context.evaluate()
            }
        }
    }

    @Test func `an access control is evaluated before it is needed`() async throws {
        let memory = try await memory(.approving, .enrolled(["thumb"]))
        let item = GenericPassword(service: "s", accessControl: .biometryAndPasscode(.any))
        try await memory.keychain.store(item, secret: SecretData(utf8: "1"))
        let context = AuthenticationContext(reason: "pay")
        try await context.evaluate(.biometryAndPasscode(.any), in: memory.keychain)
        memory.person = .absent
        #expect(try await memory.keychain.authenticated(by: context).secret(for: item) != nil)
    }

    @Test func `say what stands in the way`() async throws {
        let context = AuthenticationContext(reason: "pay")
        #expect(try await context.obstacle(in: InMemoryKeychain().keychain) == .noPasscode)
        #expect(try await context.obstacle(to: .biometry, in: memory(.approving).keychain) == .notAvailable)
        #expect(try await context.obstacle(in: memory(.absent).keychain) == .notInteractive)
    }

    @Test func `allow no prompts`() async throws {
        let memory = try await memory(.approving)
        let context = AuthenticationContext(reason: "pay", allowsInteraction: false)
        await expect(.notInteractive, .interactionNotAllowed) { () throws(KeychainError) in
            try await context.evaluate(in: memory.keychain)
        }
        #expect(memory.questions.isEmpty)
    }

    @Test func `a cancelled task takes its question back`() async throws {
        let (questions, asked) = AsyncStream.makeStream(of: Void.self)
        let memory = try await memory(
            TestPerson { _ in
                asked.yield()
                return .sayNothing
            })
        let context = AuthenticationContext(reason: "pay")
        let task = Task { () async -> KeychainError? in
            do throws(KeychainError) {
                try await context.evaluate(in: memory.keychain)
                return nil
            } catch {
                return error
            }
        }
        for await _ in questions { break }
        task.cancel()
        #expect(await task.value?.authenticationFailure == .endedByProgram)
        // The context is as good as before.
        memory.person = .approving
        try await context.evaluate(in: memory.keychain)
    }

    @Test func `a call that waits for a person does not hold up another`() async throws {
        let (questions, asked) = AsyncStream.makeStream(of: Void.self)
        let memory = try await memory(.approving)
        try await memory.keychain.store(card, secret: SecretData(utf8: "1"))
        let mail = GenericPassword(service: "mail")
        try await memory.keychain.store(mail, secret: SecretData(utf8: "2"))
        let waiting = DispatchSemaphore(value: 0)
        memory.person = TestPerson { _ in
            asked.yield()
            waiting.wait()
            return .approve
        }
        async let slow = memory.keychain.secret(for: card)
        for await _ in questions { break }
        #expect(try await memory.keychain.secret(for: mail)?.utf8String == "2")
        waiting.signal()
        #expect(try await slow?.utf8String == "1")
    }
}
