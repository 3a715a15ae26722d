// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import LocalAuthentication
import Security
import Testing

private func control(
    _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlocked
) throws -> SecAccessControl {
    try #require(SecAccessControlCreateWithFlags(nil, protection, flags, nil))
}

/// A keychain with a passcode, whose person is as given.
private func keychain(_ person: TestPerson, _ reader: TestReader = .none) async throws -> InMemoryKeychain {
    let memory = try InMemoryKeychain()
    try await memory.setPasscode(SecretData(utf8: "1234"))
    memory.person = person
    memory.reader = reader
    return memory
}

/// Puts a password with constraints into a keychain.
private func addProtected(
    _ flags: SecAccessControlCreateFlags, account: String = "joe", _ more: [CFString: Any] = [:]
) throws {
    let entries = more.merging([kSecAttrAccessControl: try control(flags), kSecValueData: Data("secret".utf8)]) { $1 }
    add(password(account, "mail", entries))
}

/// The status and data of a read.
private func read(_ more: [CFString: Any] = [:]) -> (status: OSStatus, data: Data?) {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(password(more.merging([kSecReturnData: true]) { $1 }), &result)
    return (status, result as? Data)
}

private let enrolled = TestReader.enrolled(["right thumb"])

@Suite struct `Items whose owner has to show to be there` {
    private static var returns: [[CFString: Any]] {
        [
            [:], [kSecReturnData: true], [kSecReturnAttributes: true], [kSecReturnPersistentRef: true],
            [kSecReturnData: true, kSecReturnAttributes: true],
        ]
    }

    @Test func `the owner reads them, whichever results are requested, and storing them needs no prompt`() async throws
    {
        let memory = try await keychain(.approving)
        try memory.run {
            try addProtected(.userPresence)
            #expect(memory.questions.isEmpty)
            for (index, entries) in Self.returns.enumerated() {
                var result: CFTypeRef?
                #expect(SecItemCopyMatching(password(entries), &result) == errSecSuccess)
                #expect((result == nil) == entries.isEmpty)
                #expect(memory.questions.count == index + 1)
            }
            #expect(memory.questions.allSatisfy { $0.kind == .passcode(wasWrong: false) && $0.accounts == ["joe"] })
            #expect(read().data == Data("secret".utf8))
        }
    }

    static let endings: [(String, TestPerson, OSStatus)] = [
        ("denying", .denying, errSecAuthFailed), ("cancelling", .cancelling, errSecUserCanceled),
        ("absent", .absent, errSecInteractionNotAllowed), ("silent", .silent, errSecAuthFailed),
    ]

    @Test(arguments: endings) func `everybody else gets a status and nothing of the item`(
        _ name: String, _ person: TestPerson, _ status: OSStatus
    ) async throws {
        let memory = try await keychain(person)
        try memory.run {
            try addProtected(.userPresence)
            for entries in Self.returns {
                var result: CFTypeRef?
                #expect(SecItemCopyMatching(password(entries), &result) == status)
                #expect(result == nil)
            }
            #expect(SecItemUpdate(password(), [kSecAttrLabel: "x"] as CFDictionary) == status)
            memory.person = .approving
            // Wrong passcodes make the right one wait.
            memory.setTime(to: Date(timeIntervalSinceReferenceDate: 800_100_000))
            #expect(read().data == Data("secret".utf8))
            #expect(probe(password([kSecAttrLabel: "x"])) == errSecItemNotFound)
        }
    }

    @Test func `a passcode may be mistyped twice`() async throws {
        let memory = try await keychain(
            TestPerson { question in question.kind == .passcode(wasWrong: true) ? .approve : .deny })
        try memory.run {
            try addProtected(.devicePasscode)
            #expect(read().data == Data("secret".utf8))
            #expect(memory.questions.map(\.kind) == [.passcode(wasWrong: false), .passcode(wasWrong: true)])
        }
    }

    // C103 to C105
    @Test func `no prompt is shown if prompts are forbidden, or for a deletion`() async throws {
        let memory = try await keychain(.approving)
        try memory.run {
            try addProtected(.userPresence)
            let fail: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
            #expect(probe(password(fail)) == errSecInteractionNotAllowed)
            #expect(probe(password([kSecUseNoAuthenticationUI: true])) == errSecInteractionNotAllowed)
            #expect(
                probe(password([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])) == errSecItemNotFound)
            let context = LAContext()
            context.interactionNotAllowed = true
            #expect(probe(password([kSecUseAuthenticationContext: context])) == errSecInteractionNotAllowed)
            #expect(SecItemDelete(password(fail)) == errSecSuccess)
            #expect(memory.questions.isEmpty)
        }
    }

    @Test func `the person is told the program's words`() async throws {
        let memory = try await keychain(.approving)
        try memory.run {
            try addProtected(.userPresence)
            let context = LAContext()
            context.localizedReason = "read your mail"
            context.localizedCancelTitle = "Not now"
            #expect(probe(password([kSecUseOperationPrompt: "Authenticate to retrieve x"])) == errSecSuccess)
            #expect(probe(password([kSecUseAuthenticationContext: context])) == errSecSuccess)
            #expect(memory.questions.map(\.reason) == ["Authenticate to retrieve x", "read your mail"])
            #expect(memory.questions.map(\.cancelTitle) == [nil, "Not now"])
        }
    }

    @Test func `each item asks by itself, and with a context one answer does for all`() async throws {
        let memory = try await keychain(.approving)
        try memory.run {
            for account in ["ann", "bob", "joe"] { try addProtected(.userPresence, account: account) }
            let all: [CFString: Any] = [kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true]
            #expect((find(password(all)) as? [Data])?.count == 3)
            #expect(memory.questions.count == 3)
            let context = LAContext()
            for _ in 0..<2 {
                let query = password(all.merging([kSecUseAuthenticationContext: context]) { $1 })
                #expect((find(query) as? [Data])?.count == 3)
                #expect(memory.questions.count == 4)
            }
            #expect(probe(password([kSecUseAuthenticationContext: LAContext()])) == errSecSuccess)
            #expect(memory.questions.count == 5)
        }
    }

    @Test func `twenty items of one call may ask, no more`() async throws {
        let memory = try await keychain(.approving)
        try memory.run {
            for number in 0..<21 { try addProtected(.userPresence, account: "\(number)") }
            #expect(probe(password([kSecMatchLimit: kSecMatchLimitAll])) == errSecAuthFailed)
            #expect(memory.questions.count == 20)
        }
    }
}

@Suite struct `Fingers` {
    @Test func `the owner's opens, another does not, and the passcode stands in where it may`() async throws {
        let memory = try await keychain(.approving, enrolled)
        try memory.run {
            try addProtected(.biometryAny)
            #expect(read().data == Data("secret".utf8))
            #expect(memory.questions.map(\.kind) == [.biometry])
            memory.person = .denying
            #expect(read().status == errSecAuthFailed)
            memory.person = TestPerson { $0.kind == .finger ? .deny : .approve }
            #expect(SecItemDelete(password()) == errSecSuccess)
            try addProtected([.biometryAny, .or, .devicePasscode])
            #expect(read().data == Data("secret".utf8))
        }
    }

    @Test func `both are needed where both are asked for`() async throws {
        let memory = try await keychain(.approving, enrolled)
        try memory.run {
            try addProtected([.biometryAny, .and, .devicePasscode])
            #expect(read().data == Data("secret".utf8))
            #expect(memory.questions.map(\.kind) == [.biometry, .passcode(wasWrong: false)])
            memory.person = TestPerson { $0.kind == .finger ? .deny : .approve }
            #expect(read().status == errSecAuthFailed)
        }
    }

    @Test func `five wrong ones lock the reader out until the passcode is given`() async throws {
        let memory = try await keychain(.denying, enrolled)
        try memory.run {
            try addProtected(.biometryAny)
            #expect(read().status == errSecAuthFailed)
            #expect(read().status == errSecAuthFailed)
            memory.person = .approving
            #expect(read().status == errSecAuthFailed)
            var error: NSError?
            #expect(!LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error))
            #expect((error as? LAError)?.code == .biometryLockout)
            try addProtected(.devicePasscode, account: "ann")
            #expect(probe(password([kSecAttrAccount: "ann"])) == errSecSuccess)
            #expect(probe(password([kSecAttrAccount: "joe"])) == errSecSuccess)
        }
    }

    // C106
    @Test func `another enrolment closes what was stored for the one before, which can still be deleted`() async throws
    {
        let memory = try await keychain(.approving, enrolled)
        try memory.run {
            try addProtected(.biometryCurrentSet)
            try addProtected(.biometryAny, account: "ann")
            #expect(probe(password([kSecAttrAccount: "joe"])) == errSecSuccess)
            memory.reader = .enrolled(["right thumb", "left thumb"])
            #expect(probe(password([kSecAttrAccount: "joe"])) == errSecAuthFailed)
            #expect(probe(password([kSecAttrAccount: "ann"])) == errSecSuccess)
            memory.reader = enrolled
            #expect(probe(password([kSecAttrAccount: "joe"])) == errSecAuthFailed)
            #expect(SecItemDelete(password([kSecAttrAccount: "joe"])) == errSecSuccess)
        }
    }

    @Test func `who wants the passcode instead gets it where it is enough`() async throws {
        let memory = try await keychain(
            TestPerson { question in
                switch question.kind {
                case .biometry, .finger: .fallBack
                default: .approve
                }
            }, enrolled)
        try memory.run {
            try addProtected(.userPresence)
            #expect(read().data == Data("secret".utf8))
            #expect(memory.questions.map(\.kind) == [.biometry, .passcode(wasWrong: false)])
        }
    }
}

@Suite struct `Items with a password of their own` {
    private func context(_ text: String?) -> LAContext {
        let context = LAContext()
        if let text { context.setCredential(Data(text.utf8), type: .applicationPassword) }
        return context
    }

    // C107, C108
    @Test func `are read with it, and with no other`() async throws {
        let memory = try InMemoryKeychain()
        try memory.run {
            let right = context("right")
            try addProtected(.applicationPassword, [kSecUseAuthenticationContext: right])
            #expect(read([kSecUseAuthenticationContext: right]).data == Data("secret".utf8))
            #expect(read([kSecUseAuthenticationContext: context("wrong")]).status == errSecAuthFailed)
            #expect(read([kSecUseAuthenticationContext: context(nil)]).status == errSecInteractionNotAllowed)
            #expect(read().status == errSecInteractionNotAllowed)
            let silent = context("right")
            silent.interactionNotAllowed = true
            #expect(read([kSecUseAuthenticationContext: silent]).data == Data("secret".utf8))
        }
    }

    @Test func `may be typed, when they are stored and when they are read`() async throws {
        let memory = try InMemoryKeychain()
        try memory.run {
            memory.person = .typing(applicationPassword: SecretData(utf8: "right"))
            try addProtected(.applicationPassword)
            #expect(read().data == Data("secret".utf8))
            #expect(read([kSecUseAuthenticationContext: context("right")]).data == Data("secret".utf8))
            #expect(
                memory.questions.map(\.kind)
                    == [
                        .applicationPassword(isNew: true, wasWrong: false),
                        .applicationPassword(isNew: false, wasWrong: false),
                    ])
            memory.person = .typing(applicationPassword: SecretData(utf8: "wrong"))
            #expect(read().status == errSecAuthFailed)
            memory.person = .cancelling
            #expect(read().status == errSecUserCanceled)
        }
    }

    // C108
    @Test func `ask for their owner as well, where that is said`() async throws {
        let memory = try await keychain(.approving)
        try memory.run {
            try addProtected(
                [.userPresence, .applicationPassword], [kSecUseAuthenticationContext: context("right")])
            #expect(read([kSecUseAuthenticationContext: context("right")]).data == Data("secret".utf8))
            #expect(memory.questions.count == 1)
            #expect(read([kSecUseAuthenticationContext: context("wrong")]).status == errSecAuthFailed)
            memory.person = .denying
            #expect(read([kSecUseAuthenticationContext: context("right")]).status == errSecAuthFailed)
        }
    }
}

@Suite struct `Contexts and the person` {
    private let owner = LAPolicy.deviceOwnerAuthentication

    @Test func `what was shown to a context is enough for the items it is given to`() async throws {
        let memory = try await keychain(.approving)
        try await memory.run {
            try addProtected(.userPresence)
            let context = LAContext()
            #expect(try await context.evaluatePolicy(owner, localizedReason: "pay"))
            #expect(memory.questions.map(\.reason) == ["pay"])
            memory.person = .absent
            #expect(read([kSecUseAuthenticationContext: context]).data == Data("secret".utf8))
            #expect(read([kSecUseAuthenticationContext: LAContext()]).status == errSecInteractionNotAllowed)
            try await memory.keychain.administration.lock()
            try await memory.keychain.administration.unlock(passcode: SecretData(utf8: "1234"))
            #expect(read([kSecUseAuthenticationContext: context]).status == errSecInteractionNotAllowed)
        }
    }

    @Test func `an unlock by finger counts for a finger where the context says for how long`() async throws {
        let memory = try await keychain(.approving, enrolled)
        try await memory.setUnlocksByFinger(true, passcode: SecretData(utf8: "1234"))
        try await memory.run {
            try addProtected(.biometryCurrentSet)
            try await memory.keychain.administration.lock()
            try await memory.keychain.administration.unlock(authenticatedBy: AuthenticationContext(reason: "go on"))
            #expect(memory.questions.map(\.kind) == [.biometry])
            #expect(memory.questions.map(\.reason) == ["go on"])
            memory.person = .absent
            memory.setTime(to: Date(timeIntervalSinceReferenceDate: 800_000_005))
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 4
            #expect(read([kSecUseAuthenticationContext: context]).status == errSecInteractionNotAllowed)
            let asked = memory.questions.count
            context.touchIDAuthenticationAllowableReuseDuration = 5
            #expect(read([kSecUseAuthenticationContext: context]).data == Data("secret".utf8))
            #expect(
                try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "pay"))
            #expect(memory.questions.count == asked)
            // Another finger of the owner's that is shown to a program is none that unlocked anything.
            try await memory.keychain.administration.lock()
            try await memory.keychain.administration.unlock(passcode: SecretData(utf8: "1234"))
            let another = LAContext()
            another.touchIDAuthenticationAllowableReuseDuration = 300
            #expect(read([kSecUseAuthenticationContext: another]).status == errSecInteractionNotAllowed)
        }
    }

    @Test func `an access control object is evaluated before it is needed`() async throws {
        let memory = try await keychain(.approving)
        try await memory.run {
            try addProtected(.devicePasscode)
            let context = LAContext()
            try await context.evaluateAccessControl(
                try control(.devicePasscode), operation: .useItem, localizedReason: "pay")
            #expect(
                try await context.evaluateAccessControl(
                    try control(.biometryAny), operation: .createItem, localizedReason: "store it"))
            #expect(read([kSecUseAuthenticationContext: context]).data == Data("secret".utf8))
            #expect(memory.questions.count == 1)
        }
    }

    @Test func `evaluations end as the person ends them`() async throws {
        let endings: [(TestPerson, LAError.Code)] = [
            (.denying, .authenticationFailed), (.cancelling, .userCancel), (.absent, .notInteractive),
        ]
        for (person, code) in endings {
            let memory = try await keychain(person)
            await memory.run {
                do {
                    try await LAContext().evaluatePolicy(owner, localizedReason: "pay")
                    Issue.record("it did not fail")
                } catch {
                    #expect((error as? LAError)?.code == code)
                }
            }
        }
    }

    @Test func `without a passcode there is nothing to show`() throws {
        let memory = try InMemoryKeychain()
        memory.person = .approving
        memory.run {
            var error: NSError?
            #expect(!LAContext().canEvaluatePolicy(owner, error: &error))
            #expect((error as? LAError)?.code == .passcodeNotSet)
        }
    }

    @Test func `the reader is what a context says it is`() async throws {
        let memory = try await keychain(.approving, .notEnrolled)
        memory.run {
            let context = LAContext()
            var error: NSError?
            #expect(!context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error))
            #expect((error as? LAError)?.code == .biometryNotEnrolled)
            #expect(context.biometryType == .touchID)
            memory.reader = .enrolled(["right thumb"])
            #expect(context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))
            let before = context.evaluatedPolicyDomainState
            #expect(before?.count == 32)
            memory.reader = .enrolled(["left thumb"])
            #expect(context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))
            #expect(context.evaluatedPolicyDomainState != before)
        }
    }

    @Test func `invalidating ends what a silent person is asked`() async throws {
        let memory = try await keychain(
            TestPerson { _ in .sayNothing })
        let context = LAContext()
        let codes = AsyncStream<LAError.Code?> { stream in
            memory.run {
                context.evaluatePolicy(owner, localizedReason: "pay") { _, error in
                    stream.yield((error as? LAError)?.code)
                    stream.finish()
                }
            }
        }
        context.invalidate()
        var seen: [LAError.Code?] = []
        for await code in codes { seen.append(code) }
        #expect(seen == [.appCancel])
    }
}

@Suite struct `Keys whose use is constrained` {
    private func makeKey(_ context: LAContext) throws -> SecKey {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecUseAuthenticationContext: context,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true, kSecAttrIsExtractable: false, kSecAttrApplicationTag: Data("tag".utf8),
                kSecAttrAccessControl: try control([.privateKeyUsage, .userPresence]),
            ] as [CFString: Any],
        ]
        var error: Unmanaged<CFError>?
        let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
        return try #require(key, "\(String(describing: error?.takeRetainedValue()))")
    }

    private func signStatus(_ key: SecKey) -> OSStatus {
        var error: Unmanaged<CFError>?
        let signature = SecKeyCreateSignature(
            key, .ecdsaSignatureMessageX962SHA256, Data("hello".utf8) as CFData, &error)
        guard signature == nil else { return errSecSuccess }
        return error.map { OSStatus(CFErrorGetCode($0.takeRetainedValue())) } ?? errSecInternalError
    }

    private let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecReturnRef: true]

    @Test func `each use asks, finding the key does not`() async throws {
        let memory = try await keychain(.approving)
        try memory.run {
            _ = try makeKey(LAContext())
            #expect(memory.questions.isEmpty)
            let key = find(query as CFDictionary) as! SecKey
            #expect(memory.questions.isEmpty)
            #expect(signStatus(key) == errSecSuccess)
            #expect(signStatus(key) == errSecSuccess)
            #expect(memory.questions.count == 2)
            memory.person = .cancelling
            #expect(signStatus(key) == errSecUserCanceled)
            memory.person = .absent
            #expect(signStatus(key) == errSecInteractionNotAllowed)
        }
    }

    @Test func `a key keeps the context with which it was found or made`() async throws {
        let memory = try await keychain(.approving)
        try memory.run {
            let context = LAContext()
            context.localizedReason = "sign your order"
            let made = try makeKey(context)
            #expect(signStatus(made) == errSecSuccess)
            #expect(signStatus(made) == errSecSuccess)
            #expect(memory.questions.map(\.reason) == ["sign your order"])
            let other = LAContext()
            let found =
                find(query.merging([kSecUseAuthenticationContext: other]) { $1 } as CFDictionary) as! SecKey
            #expect(signStatus(found) == errSecSuccess)
            #expect(signStatus(found) == errSecSuccess)
            #expect(memory.questions.count == 2)
            other.interactionNotAllowed = true
            #expect(signStatus(found) == errSecSuccess)
            other.invalidate()
            #expect(signStatus(found) == errSecAuthFailed)
        }
    }
}
