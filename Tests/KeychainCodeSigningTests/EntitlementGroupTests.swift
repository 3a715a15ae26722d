// SPDX-License-Identifier: Apache-2.0

import Crypto
import KeychainModel
import Testing

@testable import KeychainCodeSigning

/// Which access groups entitlements give (semantics 7).
struct EntitlementGroupTests {
    private static let team = TeamIdentifier(publicKey: [UInt8](repeating: 1, count: 32))

    private func groups(_ entitlements: [(String, Entitlements.Value)]) throws -> [String] {
        let entitlements = try Entitlements(entitlements.map { (key: $0.0, value: $0.1) })
        return EntitlementRules.groups(of: entitlements, signedBy: Self.team, as: try identifier)
    }

    private var identifier: SigningIdentifier { get throws { try #require(SigningIdentifier("mail")) } }
    /// The group of the program itself.
    private static let own = team.text + ".mail"

    @Test func `access groups come first, then associated and own identifiers, then application groups`() throws {
        let found = try groups([
            ("com.apple.security.application-groups", .list(["T.group"])),
            ("application-identifier", .text("T.app")),
            ("com.apple.developer.associated-application-identifier", .list(["T.associated"])),
            ("keychain-access-groups", .list(["T.b", "T.a"])),
        ])
        #expect(found == ["T.b", "T.a", "T.associated", "T.app", "T.group"])
    }

    @Test func `each group counts once, where it stood first`() throws {
        let found = try groups([
            ("keychain-access-groups", .list(["T.b", "T.app", "T.b"])), ("application-identifier", .text("T.app")),
            ("com.apple.security.application-groups", .list(["T.b", "T.c"])),
        ])
        #expect(found == ["T.b", "T.app", "T.c"])
    }

    @Test func `the group of tokens is last wherever it stood, and never the default beside another`() throws {
        let found = try groups([
            ("keychain-access-groups", .list(["com.apple.token", "T.a"])), ("application-identifier", .text("T.app")),
        ])
        #expect(found == ["T.a", "T.app", "com.apple.token"])
        #expect(
            try groups([("keychain-access-groups", .list(["com.apple.token"]))]) == [Self.own, "com.apple.token"])
    }

    @Test func `of the two names for a program's identifier the phones' counts`() throws {
        let both: [(String, Entitlements.Value)] = [
            ("com.apple.application-identifier", .text("T.mac")), ("application-identifier", .text("T.phone")),
        ]
        #expect(try groups(both) == ["T.phone"])
        #expect(try groups([both[0]]) == ["T.mac"])
    }

    @Test func `groups are compared byte by byte`() throws {
        // One character in two spellings, and another case.
        let found = try groups([("keychain-access-groups", .list(["T.\u{E9}", "T.e\u{301}", "T.A", "T.a"]))])
        #expect(
            found.map { Array($0.utf8) } == ["T.\u{E9}", "T.e\u{301}", "T.A", "T.a", Self.own].map { Array($0.utf8) })
    }

    @Test func `a signature without the program's identifier counts as one with it, before application groups`() throws
    {
        #expect(try groups([("keychain-access-groups", .list(["T.a"]))]) == ["T.a", Self.own])
        let shared: [(String, Entitlements.Value)] = [
            ("com.apple.security.application-groups", .list(["T.group", Self.own]))
        ]
        #expect(try groups(shared) == [Self.own, "T.group"])
        // Another identifier that the signer gave replaces it.
        #expect(try groups(shared + [("application-identifier", .text("T.app"))]) == ["T.app", "T.group", Self.own])
    }

    @Test func `signing adds the program's identifier, unless it is given under either name`() throws {
        let list = (key: "keychain-access-groups", value: Entitlements.Value.list(["\(Self.team.prefix)a"]))
        let own = (key: "application-identifier", value: Entitlements.Value.text(Self.own))
        func completed(_ values: [(key: String, value: Entitlements.Value)]) throws -> Entitlements {
            try EntitlementRules.completed(try Entitlements(values), of: Self.team, try identifier)
        }
        #expect(try completed([]) == Entitlements([own]))
        #expect(try completed([list]) == Entitlements([own, list]))
        for name in EntitlementRules.applicationIdentifiers {
            let given = (key: name, value: Entitlements.Value.text("\(Self.team.prefix)other"))
            #expect(try completed([given]) == Entitlements([given]))
        }
        let many = (0..<Entitlements.entryLimit).map { (key: "a\($0)", value: Entitlements.Value.bool(true)) }
        #expect(throws: EntitlementError.tooMany(limit: Entitlements.entryLimit)) { try completed(many) }
    }

    @Test func `other entitlements give no groups`() throws {
        #expect(try groups([("get-task-allow", .bool(true)), ("org.example", .list(["T.x"]))]).isEmpty)
        #expect(try groups([]).isEmpty)
    }

    @Test func `associated identifiers must be the team's own as well`() throws {
        let entitlements = try Entitlements([
            (key: "com.apple.developer.associated-application-identifier", value: .list(["OTHER.app"]))
        ])
        #expect(
            throws: EntitlementRules.Violation.foreign(
                key: "com.apple.developer.associated-application-identifier", value: "OTHER.app")
        ) { try EntitlementRules.check(entitlements, of: Self.team) }
    }
}
