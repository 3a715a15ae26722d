// SPDX-License-Identifier: Apache-2.0

import Crypto
import KeychainModel
import Testing

@testable import KeychainCodeSigning

/// Which access groups entitlements give (semantics 7).
struct EntitlementGroupTests {
    private static let team = TeamIdentifier(publicKey: [UInt8](repeating: 1, count: 32))

    private func groups(_ entitlements: [(String, Entitlements.Value)]) throws -> [String] {
        EntitlementRules.groups(of: try Entitlements(entitlements.map { (key: $0.0, value: $0.1) }))
    }

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
        #expect(try groups([("keychain-access-groups", .list(["com.apple.token"]))]) == ["com.apple.token"])
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
        #expect(found.map { Array($0.utf8) } == ["T.\u{E9}", "T.e\u{301}", "T.A", "T.a"].map { Array($0.utf8) })
    }

    @Test func `other entitlements give no groups`() throws {
        #expect(try groups([("get-task-allow", .bool(true)), ("org.example", .list(["T.x"]))]).isEmpty)
        #expect(EntitlementRules.groups(of: .none).isEmpty)
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
