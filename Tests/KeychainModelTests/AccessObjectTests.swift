// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import TestSupport
import Testing

/// Documentation/Formats/access-object.md, and the objects of semantics 8.6.
struct AccessObjectTests {
    private static let command = TrustedApplication(.command, displayPath: "/usr/bin/chatelaine")!
    private static let applications = [
        command,
        TrustedApplication(.signed(team: "TEAM", identifier: "org.example.mail"), displayPath: "/home/ann/mail")!,
        TrustedApplication(.installed(path: "/usr/bin/mutt"), displayPath: "/usr/bin/mutt")!,
        TrustedApplication(.unsigned(digest: [UInt8](repeating: 7, count: 32)), displayPath: "/home/ann/t\u{FC}r")!,
        TrustedApplication(group: "TEAM.org.example")!,
    ]

    private static func entry(_ subject: AccessEntry.Subject = .anyApplication, _ text: String = "mail") -> AccessEntry
    {
        AccessEntry([.decrypt], subject, description: text)!
    }

    // MARK: Results of Apple's functions

    @Test func `the usual object has an owner whom only a person is, encrypting for all, and the rest for the trusted`()
        throws
    {
        let object = try #require(AccessObject(description: "mail", trusting: Self.applications))
        #expect(object.owner == AccessEntry([.changeACL], .applications([]), description: "mail"))
        #expect(
            object.entries == [
                AccessEntry([.encrypt], .anyApplication, description: "mail"),
                AccessEntry(
                    [.decrypt, .sign, .mac, .derive, .exportClear, .exportWrapped], .applications(Self.applications),
                    description: "mail"),
            ])
        #expect(object.partitions == nil)
        #expect(([object.owner] + object.entries).allSatisfy { $0.isSimple })
    }

    @Test func `an object for a user has an owner and one entry, neither of them in the simple form`() throws {
        let owner = AccessOwner(userID: 1000, groupID: 100, kind: [.useUserID, .honorRoot])
        let object = try #require(AccessObject(owner: owner, authorizing: [.decrypt, .sign]))
        #expect(object.owner.subject == .process(owner) && object.owner.authorizations == [.changeACL])
        #expect(object.entries.map(\.subject) == [.process(owner)])
        #expect(object.entries.map(\.authorizations) == [[.decrypt, .sign]])
        #expect(!([object.owner] + object.entries).contains { $0.isSimple })
    }

    @Test func `the owner's entry allows only changes of the access object`() {
        let owner = AccessEntry([.any, .decrypt], .anyApplication, description: "mail")!
        #expect(AccessObject(owner: owner, entries: [])?.owner.authorizations == [.changeACL])
    }

    @Test func `an entry for everything authorizes each thing, and any other what it names`() {
        let all = AccessEntry([.any], .anyApplication, description: "")!
        let none = AccessEntry([], .anyApplication, description: "")!
        for authorization in AccessAuthorization.allCases {
            #expect(all.authorizes(authorization))
            #expect(!none.authorizes(authorization))
            #expect(none.authorizing([authorization]).authorizes(authorization))
        }
    }

    @Test func `authorizations have Apple's names and the words of the tool`() {
        #expect(
            AccessAuthorization.allCases.map(\.word).joined(separator: " ")
                == "any login genkey delete export_wrapped export_clear import_wrapped import_clear sign encrypt decrypt mac "
                + "derive dbs_create dbs_delete db_read db_insert db_modify db_delete change_acl change_owner partition_id "
                + "integrity")
        #expect(
            AccessAuthorization.allCases.map(\.name).joined(separator: " ")
                == "Any Login GenKey Delete ExportWrapped ExportClear ImportWrapped ImportClear Sign Encrypt Decrypt MAC "
                + "Derive KeychainCreate KeychainDelete KeychainItemRead KeychainItemInsert KeychainItemModify "
                + "KeychainItemDelete ChangeACL ChangeOwner PartitionID Integrity")
        #expect(AccessAuthorization.allCases.map { Int($0.rawValue) } == Array(0...22))
    }

    // MARK: Trusted applications

    @Test func `what cannot be known cannot be trusted`() {
        let long = String(repeating: "a", count: AccessLimits.textBytes + 1)
        #expect(TrustedApplication(.unidentified, displayPath: "/bin/p") == nil)
        #expect(TrustedApplication(.unsigned(digest: [1, 2, 3]), displayPath: "/bin/p") == nil)
        for path in ["", "a\0b", long] {
            #expect(TrustedApplication(.command, displayPath: path) == nil)
            #expect(TrustedApplication(.installed(path: path), displayPath: "/bin/p") == nil)
            #expect(TrustedApplication(.signed(team: path, identifier: "i"), displayPath: "/bin/p") == nil)
            #expect(TrustedApplication(.signed(team: "T", identifier: path), displayPath: "/bin/p") == nil)
            #expect(TrustedApplication(group: path) == nil)
        }
        #expect(TrustedApplication(group: "TEAM.g")?.displayPath == "group://TEAM.g")
    }

    @Test func `the same program is the same wherever it is shown to be, and to the last byte`() {
        let moved = TrustedApplication(.command, displayPath: "/opt/chatelaine")!
        #expect(moved.isSame(as: Self.command))
        for (place, one) in Self.applications.enumerated() {
            for (otherPlace, other) in Self.applications.enumerated() {
                #expect(one.isSame(as: other) == (place == otherPlace))
            }
        }
        let (composed, decomposed) = ("TEAM.\u{E9}", "TEAM.e\u{301}")
        #expect(!TrustedApplication(group: composed)!.isSame(as: TrustedApplication(group: decomposed)!))
    }

    @Test func `a partition is printable without blanks and commas`() {
        #expect(PartitionID.team("ABC")?.text == "teamid:ABC")
        #expect(PartitionID.digest([0, 255])?.text == "cdhash:00ff")
        #expect(PartitionID("codesign:") != nil)
        #expect(PartitionID(String(repeating: "a", count: 255)) != nil)
        for text in ["", "a b", "a,b", "a\u{7F}", "\u{E9}", String(repeating: "a", count: 256)] {
            #expect(PartitionID(text) == nil)
        }
    }

    // MARK: Limits

    @Test func `nothing is made beyond the limits`() {
        let (entries, applications) = (AccessLimits.entries, AccessLimits.applications)
        let owner = Self.entry()
        func list(_ count: Int) -> AccessEntry.Subject { .applications(Array(repeating: Self.command, count: count)) }
        #expect(AccessEntry([], list(applications), description: "") != nil)
        #expect(AccessEntry([], list(applications + 1), description: "") == nil)
        #expect(AccessEntry([], .anyApplication, description: "a\0b") == nil)
        let longest = String(repeating: "a", count: AccessLimits.textBytes)
        #expect(AccessEntry([], .anyApplication, description: longest) != nil)
        #expect(AccessEntry([], .anyApplication, description: longest + "a") == nil)
        #expect(AccessObject(owner: owner, entries: Array(repeating: owner, count: entries)) != nil)
        #expect(AccessObject(owner: owner, entries: Array(repeating: owner, count: entries + 1)) == nil)
        let partitions = Array(repeating: PartitionID.installed, count: AccessLimits.partitions)
        #expect(AccessObject(owner: owner, entries: [], partitions: partitions) != nil)
        #expect(AccessObject(owner: owner, entries: [], partitions: partitions + [.unsigned]) == nil)
        // Each entry within the limits, and all of them beyond.
        let large = Self.entry(.anyApplication, longest)
        #expect(AccessObject(owner: owner, entries: Array(repeating: large, count: 31)) != nil)
        #expect(AccessObject(owner: owner, entries: Array(repeating: large, count: 32)) == nil)
    }

    // MARK: Encoding

    @Test func `what was written is read again`() throws {
        for owner in [Self.entry(), Self.entry(.applications(Self.applications))] {
            for partitions in [nil, [], [PartitionID.installed, .commandLineTool]] as [[PartitionID]?] {
                let object = try #require(
                    AccessObject(owner: owner, entries: [Self.entry(), owner], partitions: partitions))
                #expect(try AccessObject(encoded: object.encoded) == object)
            }
        }
        for application in Self.applications {
            #expect(try TrustedApplication(encoded: application.encoded) == application)
        }
    }

    @Test func `every beginning of an encoding is refused, and so is every end that is too much`() throws {
        let whole = try #require(AccessObject(description: "mail", trusting: Self.applications)).encoded
        for count in 0..<whole.count {
            #expect(throws: count < 7 ? AccessEncodingError.foreign : .truncated) {
                try AccessObject(encoded: whole[..<count])
            }
        }
        #expect(throws: AccessEncodingError.trailingBytes) { try AccessObject(encoded: whole + [0]) }
        #expect(throws: AccessEncodingError.tooLarge) {
            try AccessObject(encoded: whole + [UInt8](repeating: 0, count: AccessLimits.bytes))
        }
    }

    @Test func `any bytes are read without a trap, and an access object that is read has one encoding`() throws {
        var generator = SeededGenerator(searchFrom: 2)
        let whole = try #require(
            AccessObject(description: "mail", trusting: Self.applications)?.with(partitions: [.installed])
        ).encoded
        var readable = 0
        for round in 0..<5_000 {
            var bytes = round & 1 == 0 ? whole : Array(Self.applications[round / 2 % 5].encoded)
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let place = Int.random(in: 7..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                }
            }
            do throws(AccessEncodingError) {
                if round & 1 == 0 {
                    let object = try AccessObject(encoded: bytes)
                    #expect(object.encoded == bytes)
                } else {
                    let application = try TrustedApplication(encoded: bytes)
                    #expect(application.encoded == bytes)
                }
                readable += 1
            } catch {
                continue
            }
        }
        // A letter of a text that is another letter is still a text.
        #expect(readable > 50)
    }

    @Test(arguments: Vector.all) func `the vectors hold`(vector: Vector) throws {
        let isObject = vector.object != nil
        let bytes = try #require(Vector.bytes(vector.object ?? vector.application ?? "?"))
        do throws(AccessEncodingError) {
            let again =
                isObject
                ? try AccessObject(encoded: bytes).encoded : try TrustedApplication(encoded: bytes).encoded
            #expect(vector.outcome == "reads")
            #expect(again == bytes)
        } catch {
            let outcome =
                switch error {
                case .foreign: "foreign"
                case .unsupportedVersion: "unsupported-version"
                case .truncated: "truncated"
                case .trailingBytes: "trailing-bytes"
                case .malformed: "malformed"
                case .tooLarge: "too-large"
                }
            #expect(vector.outcome == outcome)
        }
    }

    @Test func `the first vectors say what they were made of`() throws {
        let objects = try Vector.all.prefix(2).map {
            try AccessObject(encoded: #require(Vector.bytes($0.object ?? "?")))
        }
        let mutt = TrustedApplication(.installed(path: "/usr/bin/mutt"), displayPath: "/usr/bin/mutt")!
        #expect(
            objects[0]
                == AccessObject(description: "mail", trusting: [mutt])?.with(partitions: [.installed]))
        let entries = objects[1].entries
        #expect(
            entries[0].promptSelector == [.requirePassphrase, .unsigned, .unsignedCounts, .invalid, .invalidCounts])
        #expect(entries[0].description == "\u{43A}\u{43B}\u{44E}\u{447}" && entries[0].authorizations == [.any])
        let team = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        #expect(
            entries[0].subject
                == .applications([
                    Self.command,
                    TrustedApplication(
                        .signed(team: team, identifier: "org.example.mail"), displayPath: "/home/ann/bin/mail")!,
                    mutt,
                    TrustedApplication(.unsigned(digest: Array(0..<32)), displayPath: "/home/ann/t\u{FC}r")!,
                    TrustedApplication(group: team + ".org.example.suite")!,
                ]))
        #expect(entries[1].authorizations == Set(AccessAuthorization.allCases))
        #expect(
            entries[2].subject
                == .process(AccessOwner(userID: 1000, groupID: 100, kind: [.useUserID, .useGroupID, .honorRoot])))
        #expect(
            objects[1].partitions
                == [.commandLineTool, .team(team)!, .digest(Array(0..<32))!, PartitionID("codesign:")!])
    }

    /// TestVectors/access-objects-v1.json, which is never changed.
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let about: String
        let object: String?
        let application: String?
        let outcome: String

        var testDescription: String { about }

        static func bytes(_ text: String) -> [UInt8]? {
            let digits = Array(text.utf8)
            guard digits.count % 2 == 0 else { return nil }
            let bytes = stride(from: 0, to: digits.count, by: 2).map { place in
                UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
            }
            return bytes.contains(nil) ? nil : bytes.compactMap(\.self)
        }

        static let all: [Vector] = {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            // Without its vectors the test must not pass.
            let data = try! Data(contentsOf: root.appending(path: "TestVectors/access-objects-v1.json"))
            return try! JSONDecoder().decode([Vector].self, from: data)
        }()
    }
}
