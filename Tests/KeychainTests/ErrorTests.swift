// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainTesting
import Testing

struct ErrorTests {
    private let memory: InMemoryKeychain
    private let keychain: UserKeychain
    private let mail = GenericPassword(service: "com.example.mail", account: "ann@example.org")

    init() throws {
        memory = try InMemoryKeychain()
        keychain = memory.keychain
    }

    @Test func `a duplicate says so, and reveals nothing of its contents`() async throws {
        try await keychain.add(mail, secret: SecretData(utf8: "1"))
        let error = try await #require(throws: KeychainError.self) {
            try await keychain.add(mail, secret: SecretData(utf8: "SECRET2"))
        }
        #expect(error.code == .duplicateItem && error.code.rawValue == -25299)
        #expect(error.attempt == "add an item")
        for word in ["SECRET2", "ann@", "com.example.mail"] {
            #expect(!"\(error) \(String(reflecting: error))".contains(word))
        }
    }

    @Test func `a code is a pattern, in a catch and in a switch`() async throws {
        try await keychain.add(mail, secret: nil)
        var caught = 0
        do {
            try await keychain.add(mail, secret: nil)
        } catch .itemNotFound {
            Issue.record("not this one")
        } catch .duplicateItem {
            caught += 1
        } catch {
            // Without this, Swift 6.3.1 crashes on a function that has a variable.
            throw error
        }
        do throws(KeychainError) {
            try await keychain.add(mail, secret: nil)
        } catch {
            switch error.code {
            case .duplicateItem: caught += 1
            default: Issue.record("\(error)")
            }
        }
        do {
            try untyped()
            try await keychain.add(mail, secret: nil)
        } catch KeychainError.Code.duplicateItem {
            caught += 1
        }
        #expect(caught == 3)
        #expect(!(KeychainError.Code.duplicateItem ~= CancellationError()))
    }

    private func untyped() throws {}

    @Test func `an error of another type keeps its own meaning of a name that is a code's as well`() {
        struct OtherError: Error, Equatable {
            static let duplicateItem = OtherError()
        }
        switch OtherError() {
        case .duplicateItem: break
        default: Issue.record("taken for a code")
        }
    }

    @Test func `updating a missing item is an error, for each way to name it`() async throws {
        let reference = try await keychain.add(mail, secret: nil)
        try await keychain.delete(mail)
        for update in [
            { try await keychain.update(mail, secret: SecretData(utf8: "")) },
            { try await keychain.update(mail, applying: .init(label: "l")) },
            { try await keychain.update(reference, applying: .init(label: "l"), secret: SecretData(utf8: "")) },
        ] as [() async throws -> Void] {
            let error = try await #require(throws: KeychainError.self) { try await update() }
            #expect(error.code == .itemNotFound && error.attempt == "change an item")
        }
    }

    @Test func `an update that would make two items the same changes nothing`() async throws {
        let other = GenericPassword(service: mail.service, account: "bob")
        for item in [mail, other] { try await keychain.add(item, secret: SecretData(utf8: item.account)) }
        await expectError(.duplicateItem) { () throws(KeychainError) in
            try await keychain.update(
                other, applying: .init(account: mail.account, label: "l"), secret: SecretData(utf8: "new"))
        }
        await expectError(.duplicateItem) { () throws(KeychainError) in
            try await keychain.updateAll(GenericPassword.Query(), applying: .init(account: "same"))
        }
        let found = try await keychain.revealAll(GenericPassword.Query())
        #expect(Set(found.map(\.account)) == [mail.account, "bob"])
        #expect(found.allSatisfy { $0.secret?.utf8String == $0.account && $0.label == nil })
    }

    // MARK: Explanations

    @Test func `a duplicate is explained by the item that is the same`() async throws {
        let generic = try await keychain.add(mail, secret: nil)
        let site = InternetPassword(server: "SECRETSERVER", account: "ann")
        let internet = try await keychain.add(site, secret: nil)
        let error = try await #require(throws: KeychainError.self) { try await keychain.add(mail, secret: nil) }
        let explanation = try #require(error.explanation)
        #expect(explanation.existingItem(GenericPassword.self) == generic)
        #expect(explanation.existingItem(InternetPassword.self) == nil)
        #expect(error.description.hasSuffix(explanation.reason))
        let other = try await #require(throws: KeychainError.self) { try await keychain.add(site, secret: nil) }
        #expect(other.explanation?.existingItem(InternetPassword.self) == internet)
        #expect(!"\(other) \(String(reflecting: other))".contains("SECRETSERVER"))
    }

    @Test func `an update that finds nothing is explained by the condition that leaves nothing`() async throws {
        try await keychain.add(mail, secret: nil)
        var other = mail
        other.account = "bob"
        let error = try await #require(throws: KeychainError.self) {
            try await keychain.update(other, secret: SecretData(utf8: ""))
        }
        #expect(error.explanation?.attributes == ["account"])
        var synchronizable = mail
        synchronizable.isSynchronizable = true
        let another = try await #require(throws: KeychainError.self) {
            try await keychain.update(synchronizable, secret: SecretData(utf8: ""))
        }
        #expect(another.explanation?.attributes == ["synchronizable"])
    }

    @Test func `an update that would make a duplicate says that it is that`() async throws {
        let other = GenericPassword(service: mail.service, account: "bob")
        for item in [mail, other] { try await keychain.add(item, secret: nil) }
        let error = try await #require(throws: KeychainError.self) {
            try await keychain.update(other, applying: .init(account: mail.account))
        }
        #expect(error.code == .duplicateItem && error.explanation?.reason.contains("nothing was changed") == true)
    }

    @Test func `a search that finds nothing is explained when that is asked for`() async throws {
        try await keychain.add(InternetPassword(server: "mail.example.com", account: "Ann"), secret: nil)
        let wrongHost = InternetPassword.Query(hostOrSubdomainOf: "example.org", account: "Ann")
        #expect(try await keychain.explain(wrongHost)?.attributes == ["host"])
        let wrongCase = InternetPassword.Query(server: "mail.example.com", account: "ann")
        let explanation = try #require(try await keychain.explain(wrongCase))
        #expect(explanation.attributes == ["account"] && explanation.reason.contains("case"))
        #expect(explanation.existingItem(InternetPassword.self) == nil)
        #expect(try await keychain.explain(InternetPassword.Query(account: "Ann")) == nil, "it finds something")
        #expect(
            try await memory.keychain(accessGroups: ["other"]).explain(wrongCase)?.attributes == [],
            "to another program nothing of it is told")
    }

    @Test func `an item that is too large is refused, and the error names the attribute`() async throws {
        var large = mail
        large.comment = String(repeating: "x", count: 1 << 20 + 1)
        let error = try await #require(throws: KeychainError.self) { try await keychain.add(large, secret: nil) }
        #expect(error.code == .tooLarge)
        #expect(error.explanation?.attributes == ["comment"])
        await expectError(.tooLarge) { () throws(KeychainError) in
            try await keychain.add(mail, secret: SecretData(copying: [UInt8](repeating: 0, count: 16 << 20 + 1)))
        }
        #expect(try await !keychain.contains(mail))
    }

    @Test func `names that are too long are refused, and the next call is served`() async throws {
        let long = String(repeating: "x", count: 1025)
        await expectError(.tooLarge) { () throws(KeychainError) in
            try await keychain.find(InternetPassword.Query(hostOrSubdomainOf: long))
        }
        await expectError(.tooLarge) { () throws(KeychainError) in
            try await keychain.find(GenericPassword.Query(accessGroup: long))
        }
        try await keychain.add(GenericPassword(service: String(repeating: "x", count: 10_000)), secret: nil)
        #expect(try await keychain.findAll(GenericPassword.Query()).count == 1)
    }

    @Test func `a search with odd texts finds what was stored with them, and nothing else`() async throws {
        for text in ["", "\0", "a\0b", "\u{FEFF}", "e\u{301}", "🏳️‍🌈", "\u{FFFD}", "%", "' OR 1 = 1 --"] {
            let item = GenericPassword(service: text, account: text)
            try await keychain.add(item, secret: SecretData(utf8: text))
            #expect(try await keychain.secret(for: item)?.utf8String == text)
            #expect(try await keychain.findAll(GenericPassword.Query(service: text)).map(\.account) == [text])
        }
    }

    @Test func `a foreign access group is refused with a reason and a hint`() async throws {
        var foreign = mail
        foreign.accessGroup = "other"
        let error = try await #require(throws: KeychainError.self) { try await keychain.add(foreign, secret: nil) }
        #expect(error.code == .missingEntitlement)
        let explanation = try #require(error.explanation)
        #expect(explanation.hint != nil)
        #expect(error.description == "cannot add an item: \(explanation.reason)")
    }

    @Test func `an error has the sentences of a dialog: description, reason and recommended action`() async throws {
        var foreign = mail
        foreign.accessGroup = "other"
        let error = try await #require(throws: KeychainError.self) { try await keychain.add(foreign, secret: nil) }
        let explanation = try #require(error.explanation)
        let hint = try #require(explanation.hint)
        #expect(error.localizedDescription == error.errorDescription)
        #expect(error.errorDescription?.hasPrefix("Cannot add an item: ") == true)
        #expect(error.errorDescription?.hasSuffix(explanation.reason + ".") == true)
        #expect(error.failureReason?.lowercased() == explanation.reason.lowercased() + ".")
        #expect(error.recoverySuggestion?.lowercased() == hint.lowercased() + ".")
        #expect(error.failureReason?.first?.isUppercase == true && error.recoverySuggestion?.first?.isUppercase == true)
    }

    @Test func `an error without an explanation has the meaning of its code as the reason, and no suggestion`()
        async throws
    {
        memory.refuseCalls(with: .diskFull)
        let error = try await #require(throws: KeychainError.self) { try await keychain.add(mail, secret: nil) }
        #expect(error.explanation == nil && error.recoverySuggestion == nil)
        let reason = try #require(error.failureReason)
        #expect(reason.hasSuffix(".") && error.errorDescription?.lowercased().hasSuffix(reason.lowercased()) == true)
    }

    @Test func `a program without access groups is refused`() async throws {
        let keychain = try InMemoryKeychain(accessGroups: []).keychain
        await expectError(.missingEntitlement) { () throws(KeychainError) in try await keychain.find(mail) }
    }

    @Test(arguments: [KeychainError.Code.interactionNotAllowed, .diskFull, .notAvailable, .init(rawValue: -1)])
    func `a keychain for tests refuses calls as it is told, and serves them again`(
        _ code: KeychainError.Code
    ) async throws {
        memory.refuseCalls(with: code)
        let error = try await #require(throws: KeychainError.self) {
            try await keychain.store(mail, secret: SecretData(utf8: "1"))
        }
        #expect(error.code == code && error.description.hasPrefix("cannot store an item: "))
        await expectError(code) { () throws(KeychainError) in try await keychain.findAll(GenericPassword.Query()) }
        memory.refuseCalls(with: nil)
        #expect(try await keychain.find(mail) == nil)
    }
}
