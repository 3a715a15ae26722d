// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

@testable import KeychainCodeSigning
import KeychainBytes
import KeychainModel

@Suite("code signatures")
struct CodeSignatureTests {
    let team = TeamIdentifier(publicKey: Array(teamKey.publicKey.rawRepresentation))

    private func entitlements() throws -> Entitlements {
        try Entitlements([
            ("keychain-access-groups", .list(["\(team).one", "\(team).two"])), ("a", .bool(true)),
            ("application-identifier", .text("\(team).org.example.mail")),
        ])
    }

    private func signature() throws -> CodeSignature {
        try CodeSignature(
            .init(
                identifier: #require(SigningIdentifier("org.example.mail")), time: 1, entitlements: entitlements(),
                fileSize: 2, earlierTable: .init(offset: 3, count: 4, nameIndex: 5)),
            digest: [UInt8](repeating: 6, count: 32), by: teamKey)
    }

    @Test func `a team identifier is base32 of the key's digest`() {
        // Python: base64.b32encode(hashlib.sha256(bytes(32)).digest())[:26]
        #expect(TeamIdentifier(publicKey: [UInt8](repeating: 0, count: 32)).text == "MZUHVLPYMK6XO3EPYGFY5H4OEA")
        #expect(team.text.count == 26)
        #expect(TeamIdentifier(team.text) == team)
        #expect(TeamIdentifier(team.text.lowercased()) == nil)
        #expect(TeamIdentifier(team.text.dropLast()) == nil)
    }

    @Test func `a signature is read as it was written`() throws {
        let signature = try signature()
        let bytes = signature.encoded
        #expect(bytes.count == signature.statement.encodedByteCount)
        #expect(try CodeSignature(bytes) == signature)
        #expect(signature.team == team)
        #expect(
            signature.statement.entitlements.entries.map(\.key) == [
                "a", "application-identifier", "keychain-access-groups",
            ])
    }

    @Test func `any changed bit is found`() throws {
        let bytes = try signature().encoded
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(throws: CodeSignatureError.self) { try CodeSignature(changed) }
        }
    }

    @Test func `a signature that is shorter or longer is none`() throws {
        let bytes = try signature().encoded
        for count in bytes.indices {
            #expect(throws: CodeSignatureError.self) { try CodeSignature(Array(bytes.prefix(count))) }
        }
        #expect(throws: CodeSignatureError.malformed) { try CodeSignature(bytes + [0]) }
    }

    @Test func `the kinds of damage are told apart`() throws {
        var bytes = try signature().encoded
        #expect(throws: CodeSignatureError.notASignature) { try CodeSignature([]) }
        #expect(throws: CodeSignatureError.notASignature) { try CodeSignature(Array("something".utf8)) }
        bytes[bytes.count - 1] ^= 1
        #expect(throws: CodeSignatureError.wrongSignature) { try CodeSignature(bytes) }
        bytes[7] = 2
        #expect(throws: CodeSignatureError.version(2)) { try CodeSignature(bytes) }
    }

    @Test func `another team's public key under a signature is found`() throws {
        var bytes = try signature().encoded
        let other = Curve25519.Signing.PrivateKey().publicKey.rawRepresentation
        bytes.replaceSubrange(12..<44, with: other)
        #expect(throws: CodeSignatureError.wrongSignature) { try CodeSignature(bytes) }
    }

    @Test func `entitlements have one encoding only`() throws {
        func read(_ bytes: [UInt8]) throws -> Entitlements {
            var reader = ByteReader<CodeSignatureError>(bytes)
            return try Entitlements(&reader)
        }
        #expect(try read([0, 1, 1, 0x61, 1, 1]).entries == [.init(key: "a", value: .bool(true))])
        let wrong: [[UInt8]] = [
            [0, 1, 1, 0x61, 1, 2],  // neither true nor false
            [0, 1, 1, 0x61, 4, 1],  // no such type
            [0, 2, 1, 0x62, 1, 1, 1, 0x61, 1, 1],  // not ascending
            [0, 2, 1, 0x61, 1, 1, 1, 0x61, 1, 1],  // twice
            [0, 1, 0, 1, 1],  // no name
            [0, 1, 1, 0x20, 1, 1],  // a blank in a name
            [0, 1, 1, 0x61, 2, 0, 1, 0xFF],  // not UTF-8
            [0, 1, 1, 0x61, 2, 0, 1, 0x0A],  // a control character
            [0, 1, 1, 0x61, 3, 0xFF, 0xFF],  // a list without end
            [0xFF, 0xFF],
        ]
        for bytes in wrong { #expect(throws: CodeSignatureError.malformed, "\(bytes)") { try read(bytes) } }
    }

    @Test func `entitlements are bounded`() throws {
        func list(_ count: Int, _ text: String = "x") -> Entitlements.Value {
            .list([String](repeating: text, count: count))
        }
        #expect(throws: EntitlementError.twice(key: "a")) {
            try Entitlements([("a", .bool(true)), ("a", .bool(true))])
        }
        #expect(throws: EntitlementError.longList(key: "a", limit: 128)) { try Entitlements([("a", list(129))]) }
        #expect(throws: EntitlementError.longText(key: "a", limit: 1024)) {
            try Entitlements([("a", .text(String(repeating: "x", count: 1025)))])
        }
        #expect(throws: EntitlementError.tooLarge(limit: 12_288)) {
            try Entitlements([("a", list(128, String(repeating: "x", count: 100)))])
        }
        #expect(throws: EntitlementError.tooMany(limit: 64)) {
            try Entitlements((0..<65).map { ("key\($0)", .bool(true)) })
        }
        #expect(throws: EntitlementError.name("a b")) { try Entitlements([("a b", .bool(true))]) }
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "a b", "ä", "a/b", String(repeating: "a", count: 156)])
    func `texts that are no signing identifier are refused`(text: String) {
        #expect(SigningIdentifier(text) == nil)
    }

    @Test func `a team gives away only what carries its identifier`() throws {
        func violation(_ key: String, _ value: Entitlements.Value) throws -> EntitlementRules.Violation? {
            do throws(EntitlementRules.Violation) {
                try EntitlementRules.check(try! Entitlements([(key, value)]), of: team)
                return nil
            } catch {
                return error
            }
        }
        #expect(throws: Never.self) { try EntitlementRules.check(entitlements(), of: team) }
        let groups = EntitlementRules.accessGroups
        #expect(try violation(groups, .list(["com.apple.token"])) == nil)
        for value in ["shared", "\(team)", "\(team).", "\(team)x", "\(team.text.lowercased()).a", "*", ""] {
            for key in [groups, EntitlementRules.applicationGroups] {
                #expect(try violation(key, .list([value])) == .foreign(key: key, value: value))
            }
            for key in EntitlementRules.applicationIdentifiers {
                #expect(try violation(key, .text(value)) == .foreign(key: key, value: value))
            }
        }
        #expect(try violation(EntitlementRules.applicationGroups, .list(["com.apple.token"])) != nil)
        #expect(try violation(groups, .text("\(team).a")) == .notAList(key: groups))
        #expect(
            try violation("application-identifier", .list(["\(team).a"])) == .notAText(key: "application-identifier"))
        #expect(try violation("org.example.else", .text("shared")) == nil)
    }

    @Test func `the digest counts the signature as zeros, wherever a piece ends`() throws {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        var zeroed = bytes
        zeroed.replaceSubrange(300..<700, with: [UInt8](repeating: 0, count: 400))
        let expected = Array(SHA256.hash(data: zeroed))
        for size in [1, 7, 300, 400, 999, 1000] {
            var digest = SignedFileDigest(zeroing: 300..<700)
            var rest = bytes[...]
            while !rest.isEmpty {
                digest.update(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(digest.finalize() == expected)
        }
        #expect(throws: ELFError.truncated) {
            try SignedFileDigest.digest(size: 1001, zeroing: 0..<0, read: reading(bytes))
        }
    }

    @Test func `the digest of a signed file matches the signature, and the digest of a changed file does not`() throws {
        let bytes = try signed(SampleProgram().bytes, entitlements())
        let range = try #require(try file(bytes).signatureRange)
        let signature = try CodeSignature(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        func digest(_ bytes: [UInt8]) throws -> [UInt8] {
            try SignedFileDigest.digest(size: UInt64(bytes.count), zeroing: range, read: reading(bytes))
        }
        #expect(try digest(bytes) == signature.digest)
        for place in bytes.indices where !range.contains(UInt64(place)) {
            var changed = bytes
            changed[place] ^= 0x10
            #expect(try digest(changed) != signature.digest)
        }
    }
}
