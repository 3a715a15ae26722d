// SPDX-License-Identifier: Apache-2.0

import CCryptoki
import Keychain
import KeychainClient
import KeychainKeys
import KeychainModel
import KeychainTesting
import Testing

@testable import PKCS11

/// Sessions, searches and objects.
@Suite(.timeLimit(.minutes(5))) struct ModuleTests {
    private let test: TestModule
    private var module: CryptokiModule { test.module }
    private var session: CK_SESSION_HANDLE { test.session }

    init() throws { test = try TestModule() }

    @Test func `a module that is not initialized answers nothing, and is initialized once`() throws {
        expect(CKR_CRYPTOKI_ALREADY_INITIALIZED) { try module.initialize() }
        try module.finalize()
        expect(CKR_CRYPTOKI_NOT_INITIALIZED) { try module.finalize() }
        expect(CKR_CRYPTOKI_NOT_INITIALIZED) { _ = try module.openSession(0, CKF_SERIAL_SESSION) }
        expect(CKR_CRYPTOKI_NOT_INITIALIZED) { _ = try module.sign(session, [1], room: nil) }
        expect(CKR_CRYPTOKI_NOT_INITIALIZED) { _ = try module.tokenFacts(0) }
        try module.initialize()
        expect(CKR_SESSION_HANDLE_INVALID) { _ = try module.sessionFacts(session) }
    }

    @Test func `sessions have states by their rights and the login, and end one by one or together`() throws {
        #expect(try module.sessionFacts(session).state == CKS_RW_PUBLIC_SESSION)
        let reading = try module.openSession(0, CKF_SERIAL_SESSION)
        #expect(try module.sessionFacts(reading).state == CKS_RO_PUBLIC_SESSION)
        try module.logIn(reading, CKU_USER, nil)
        #expect(try module.sessionFacts(session).state == CKS_RW_USER_FUNCTIONS)
        expect(CKR_USER_ALREADY_LOGGED_IN) { try module.logIn(session, CKU_USER, nil) }
        expect(CKR_USER_TYPE_INVALID) { try module.logIn(session, CKU_SO, nil) }
        expect(CKR_OPERATION_NOT_INITIALIZED) { try module.logIn(session, CKU_CONTEXT_SPECIFIC, nil) }
        try module.closeSession(reading)
        expect(CKR_SESSION_HANDLE_INVALID) { try module.closeSession(reading) }
        try module.closeSessions(0)
        let next = try module.openSession(0, CKF_SERIAL_SESSION)
        #expect(try module.sessionFacts(next).state == CKS_RO_PUBLIC_SESSION, "the login ended with the last session")
        #expect(next > reading && reading > session, "no handle is used again")
        expect(CKR_SLOT_ID_INVALID) { _ = try module.openSession(1, CKF_SERIAL_SESSION) }
        expect(CKR_SESSION_PARALLEL_NOT_SUPPORTED) { _ = try module.openSession(0, CKF_RW_SESSION) }
    }

    @Test func `sessions are bounded`() throws {
        for _ in 1..<CryptokiModule.maximumSessions { _ = try module.openSession(0, CKF_SERIAL_SESSION) }
        expect(CKR_SESSION_COUNT) { _ = try module.openSession(0, CKF_SERIAL_SESSION) }
    }

    @Test func `without a passcode no login is required, and a PIN is a wrong one`() throws {
        let flags = try module.tokenFacts(0).flags
        #expect(flags & (CKF_LOGIN_REQUIRED | CKF_USER_PIN_INITIALIZED) == 0)
        #expect(flags & CKF_PROTECTED_AUTHENTICATION_PATH != 0)
        expect(CKR_PIN_INCORRECT) { try module.logIn(session, CKU_USER, Array("1234".utf8)) }
    }

    @Test func `the passcode is the PIN of a locked keychain, which shows nothing before`() async throws {
        let key = try test.generate()
        try await test.memory.setPasscode(SecretData(utf8: "correct horse"))
        #expect(try module.tokenFacts(0).flags & CKF_LOGIN_REQUIRED == 0)
        try test.keychain.lock()
        #expect(try module.tokenFacts(0).flags & CKF_LOGIN_REQUIRED != 0)
        #expect(try test.find([CKA_CLASS: CKO_PRIVATE_KEY.bytes]).isEmpty)
        expect(CKR_PIN_INCORRECT) { try module.logIn(session, CKU_USER, Array("wrong".utf8)) }
        expect(CKR_PIN_LEN_RANGE) { try module.logIn(session, CKU_USER, [UInt8](repeating: 1, count: 1025)) }
        // The user is absent.
        expect(CKR_FUNCTION_REJECTED) { try module.logIn(session, CKU_USER, nil) }
        try module.logIn(session, CKU_USER, Array("correct horse".utf8))
        #expect(try test.find([CKA_CLASS: CKO_PRIVATE_KEY.bytes]).count == 1)
        _ = key
        try module.logOut(session)
        #expect(try test.keychain.lockState() == .unlocked, "other programs use it")
    }

    @Test func `a search compares each attribute, and a session has one search at a time`() throws {
        let (publicKey, privateKey) = try test.generate()
        #expect(try test.find() == [privateKey, publicKey])
        #expect(try test.find([CKA_CLASS: CKO_PUBLIC_KEY.bytes]) == [publicKey])
        #expect(try test.find([CKA_LABEL: Array("key".utf8), CKA_SIGN: TestModule.yes]) == [privateKey])
        #expect(try test.find([CKA_LABEL: Array("ke".utf8)]).isEmpty)
        #expect(try test.find([CKA_CLASS: CK_ULONG(0).bytes]).isEmpty, "data objects")
        #expect(try test.find([CKA_TOKEN: TestModule.no]).isEmpty)
        expect(CKR_ATTRIBUTE_VALUE_INVALID) { _ = try test.find([CKA_CLASS: [1, 2]]) }
        expect(CKR_OPERATION_NOT_INITIALIZED) { _ = try module.nextFound(session, atMost: 1) }
        try module.beginSearch(session, try TestModule.template([:]))
        expect(CKR_OPERATION_ACTIVE) { try module.beginSearch(session, try TestModule.template([:])) }
        #expect(try module.nextFound(session, atMost: 1) == [privateKey])
        #expect(try module.nextFound(session, atMost: 5) == [publicKey])
        #expect(try module.nextFound(session, atMost: 5) == [])
        try module.endSearch(session)
        expect(CKR_OPERATION_NOT_INITIALIZED) { try module.endSearch(session) }
    }

    @Test func `a private key is sensitive, and both halves have one identifier`() throws {
        let (publicKey, privateKey) = try test.generate()
        #expect(try test.value(privateKey, CKA_SENSITIVE) == TestModule.yes)
        #expect(try test.value(privateKey, CKA_EXTRACTABLE) == TestModule.no)
        #expect(try test.value(privateKey, CKA_NEVER_EXTRACTABLE) == TestModule.yes)
        #expect(try test.value(privateKey, CKA_ALWAYS_AUTHENTICATE) == TestModule.no)
        let point = try #require(try test.value(publicKey, CKA_EC_POINT))
        #expect(point.count == 67 && point.starts(with: [0x04, 0x41, 0x04]))
        #expect(try test.value(privateKey, CKA_EC_PARAMS) == TestModule.p256)
        let identifier = try #require(try test.value(privateKey, CKA_ID))
        #expect(identifier == PublicKeyHash(of: point.dropFirst(2)).bytes)
        #expect(try test.value(publicKey, CKA_ID) == identifier)
        guard case .sensitive = try module.attributes(session, privateKey)[CKA_VALUE] else {
            Issue.record("a private value is told")
            return
        }
        guard case .absent = try module.attributes(session, publicKey)[CKA_MODULUS] else {
            Issue.record("a curve has a modulus")
            return
        }
    }

    @Test func `handles keep their objects until the item is deleted, here or elsewhere`() throws {
        let first = try test.generate()
        let second = try test.generate()
        #expect(try Set(test.find()) == [first.publicKey, first.privateKey, second.publicKey, second.privateKey])
        expect(CKR_ACTION_PROHIBITED) { try module.destroy(session, first.publicKey) }
        let reading = try module.openSession(0, CKF_SERIAL_SESSION)
        expect(CKR_SESSION_READ_ONLY) { try module.destroy(reading, first.privateKey) }
        try module.destroy(session, first.privateKey)
        for handle in [first.publicKey, first.privateKey] {
            expect(CKR_OBJECT_HANDLE_INVALID) { _ = try module.attributes(session, handle) }
        }
        try test.keychain.delete(ItemQuery(.key))
        expect(CKR_KEY_HANDLE_INVALID) { _ = try test.signature(Mechanism(CKM_ECDSA), second.privateKey, [1]) }
        #expect(try test.find().isEmpty)
        expect(CKR_OBJECT_HANDLE_INVALID) { _ = try module.attributes(session, second.privateKey) }
    }

    @Test func `labels and identifiers change, other attributes do not`() throws {
        let (publicKey, privateKey) = try test.generate()
        try module.change(
            session, privateKey, try TestModule.template([CKA_LABEL: Array("new".utf8), CKA_ID: [7, 0xFF]]))
        for handle in [publicKey, privateKey] {
            #expect(try test.value(handle, CKA_LABEL) == Array("new".utf8))
            #expect(try test.value(handle, CKA_ID) == [7, 0xFF])
        }
        for (type, value) in [(CKA_SENSITIVE, TestModule.no), (CKA_EXTRACTABLE, TestModule.yes), (CKA_CLASS, [1])] {
            expect(CKR_ATTRIBUTE_READ_ONLY) {
                try module.change(session, privateKey, try TestModule.template([type: value]))
            }
        }
        expect(CKR_ATTRIBUTE_VALUE_INVALID) {
            try module.change(session, privateKey, try TestModule.template([CKA_ID: [UInt8](repeating: 1, count: 257)]))
        }
        // A tag with another meaning stays.
        try test.keychain.update(
            ItemQuery(.key),
            changes: try ItemAttributes(.key, for: .update, [.init(.applicationTag, .string("org.chatelaine.ssh x"))]),
            secret: nil as [UInt8]?)
        expect(CKR_ATTRIBUTE_READ_ONLY) {
            try module.change(session, privateKey, try TestModule.template([CKA_ID: [1]]))
        }
    }

    @Test func `a keychain that cannot be reached is a token that is not present`() throws {
        let (_, privateKey) = try test.generate()
        test.memory.refuseCalls(with: .notAvailable)
        expect(CKR_TOKEN_NOT_PRESENT) { _ = try module.tokenFacts(0) }
        expect(CKR_DEVICE_REMOVED) { _ = try test.find() }
        expect(CKR_DEVICE_REMOVED) { _ = try test.signature(Mechanism(CKM_ECDSA), privateKey, [1]) }
        test.memory.refuseCalls(with: nil)
        #expect(try test.signature(Mechanism(CKM_ECDSA), privateKey, [1]).count == 64)
    }
}
