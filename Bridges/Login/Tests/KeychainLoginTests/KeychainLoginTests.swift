// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainClient
import KeychainLogin
import KeychainModel
import KeychainTesting
import SecretMemory
import Synchronization
import Testing

/// The sentences for the system log.
private final class Reports: Sendable {
    private let sentences = Mutex<[String]>([])
    var all: [String] { sentences.withLock(\.self) }

    func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
}

/// Logins with a keychain in memory: the service's own code decides.
final class KeychainLoginTests {
    private let memory: InMemoryKeychain
    private let keychain: KeychainClient
    private let reports = Reports()

    init() throws {
        memory = try InMemoryKeychain()
        keychain = memory.run { KeychainClient.current }
    }

    private func secret(_ kind: ProtectorKind, _ text: String) -> ProtectorSecret<SecretBytes> {
        ProtectorSecret(kind, SecretBytes(copying: text.utf8))
    }

    /// Sets the passcode "1234" and a login password, and locks the keychain.
    private func protect(loginPassword: String? = "login") async throws {
        try await memory.setPasscode(SecretData(utf8: "1234"))
        if let loginPassword {
            _ = try keychain.addProtector(secret(.loginPassword, loginPassword), proof: secret(.passcode, "1234"))
        }
        try keychain.lock()
    }

    private var login: KeychainLogin {
        KeychainLogin(keychain) { [reports] in reports.add($0) }
    }

    private func passwords(old: String = "", _ current: some StringProtocol) throws -> LoginPasswords {
        try passwords(old: Array(old.utf8), Array(current.utf8))
    }

    private func passwords(old: [UInt8], _ current: [UInt8]) throws -> LoginPasswords {
        try LoginPasswords([UInt8(old.count), 0, UInt8(current.count), 0] + old + current)
    }

    private func unlock(old: String = "", _ current: String) throws {
        login.unlock(with: try passwords(old: old, current))
    }

    private func change(old: String, _ new: String) throws { login.change(try passwords(old: old, new)) }

    private var reported: [String] { reports.all }
    private var state: LockState { get throws { try keychain.lockState() } }

    @Test func `the login password unlocks a keychain that has it`() async throws {
        try await protect()
        try unlock("login")
        #expect(try state == .unlocked)
        #expect(reported.isEmpty)
    }

    @Test func `another password leaves the keychain locked, and the log says how to renew it`() async throws {
        try await protect()
        try unlock("mistyped")
        #expect(try state == .locked)
        #expect(reported.count == 1 && reported.allSatisfy { $0.contains("`chatelaine setup login`") })
        #expect(!reported.joined().contains("mistyped"))
    }

    @Test func `a keychain without a login password or without a passcode stays as it is, without a report`()
        async throws
    {
        try unlock("login")
        try change(old: "login", "new")
        #expect(try state == .noPasscode)
        try await protect(loginPassword: nil)
        try unlock("login")
        try change(old: "login", "new")
        try unlock(old: "1234", "1234")
        #expect(try state == .locked)
        #expect(reported.isEmpty)
        for password in ["login", "new", "1234"] {
            #expect(throws: ClientError.refused(Refusal(.authenticationFailed, .noSuchProtector))) {
                try self.keychain.verify(self.secret(.loginPassword, password))
            }
        }
    }

    @Test func `a changed password takes the place of the old one, and the keychain stays locked`() async throws {
        try await protect()
        try change(old: "login", "new")
        #expect(try state == .locked)
        try unlock("new")
        #expect(try state == .unlocked)
        #expect(throws: ClientError.refused(Refusal(.authenticationFailed, .wrongSecret))) {
            try self.keychain.verify(self.secret(.loginPassword, "login"))
        }
        #expect(reported.isEmpty)
    }

    @Test func `a password that expired is changed at login, and unlocks`() async throws {
        try await protect()
        try unlock(old: "login", "new")
        #expect(try state == .unlocked)
        try keychain.verify(secret(.loginPassword, "new"))
    }

    @Test func `a wrong old password changes nothing`() async throws {
        try await protect()
        try change(old: "other", "new")
        #expect(reported.count == 1 && reported.allSatisfy { $0.hasPrefix("cannot replace the login password") })
        try unlock("login")
        #expect(try state == .unlocked)
    }

    @Test func `a new password that no text field can hold is reported, and the old one stays`() async throws {
        try await protect()
        login.change(try passwords(old: Array("login".utf8), [0xC3, 0x28]))
        #expect(reported.count == 1 && reported.allSatisfy { $0.hasSuffix("the keychain keeps the old one") })
        try unlock("login")
        #expect(try state == .unlocked)
    }

    @Test func `the login password does not open an unlocked keychain again`() async throws {
        try await protect()
        try keychain.unlock(with: secret(.passcode, "1234"))
        try unlock("other")
        #expect(try state == .unlocked)
        #expect(reported.isEmpty)
    }
}
