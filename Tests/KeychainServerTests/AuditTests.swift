// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainTesting
import KeychainWire
import Testing

/// Each grant and each refusal leaves one line with the caller and the operation, and without an item's contents.
struct AuditTests {
    private let keychain: InMemoryKeychain
    private var client: KeychainClient { keychain.client }

    init() throws { keychain = try InMemoryKeychain(accessGroups: ["gr\"oup\n"]) }

    /// The lines that a call adds.
    private func lines(_ body: () throws -> Void) throws -> [[String: String]] {
        let before = keychain.auditLog.count
        do { try body() } catch is ClientError {}
        return try keychain.auditLog[before...].map(fields)
    }

    @Test func `every call on items leaves exactly one line`() throws {
        let foreign = try query(group: "foreign")
        let calls: [(String, String, () throws -> Void)] = [
            ("delete", "refused", { try client.delete(try query()) }),
            ("read-data", "refused", { _ = try client.secrets(try query()) }),
            ("add", "granted", { try client.addPassword() }),
            ("add", "refused", { try client.addPassword() }),
            ("read-data", "granted", { _ = try client.secrets(try query()) }),
            ("read-attributes", "granted", { _ = try client.attributeSets(try query()) }),
            ("probe", "granted", { _ = try client.copyMatching(try query(), limit: .one, returning: []) { _ in } }),
            ("read-data", "refused", { _ = try client.secrets(foreign) }),
            (
                "update", "granted",
                { try client.update(try query(), changes: ItemAttributes(empty: .genericPassword), secret: [1]) }
            ),
            (
                "update", "refused",
                { try client.update(foreign, changes: ItemAttributes(empty: .genericPassword), secret: [1]) }
            ),
            ("explain", "granted", { _ = try client.explainSearch(try query(service: "x")) }),
            ("explain", "refused", { _ = try client.explainSearch(foreign) }),
            ("explain", "granted", { _ = try client.explainAddition(try attributes([(.service, .string("mail"))])) }),
            ("delete", "granted", { try client.delete(try query()) }),
        ]
        for (action, outcome, call) in calls {
            let lines = try lines(call)
            #expect(lines.count == 1, "\(action) \(outcome)")
            #expect(lines.first?["action"] == action)
            #expect(lines.first?["outcome"] == outcome)
            #expect(lines.first?["class"] == "genp")
            #expect(lines.first?["time"] == "2026-05-09T06:13:20.000Z")
            #expect(lines.first?["program"] == "/test" && lines.first?["tier"] == "unsigned")
            #expect(lines.first?["uid"] == "1000" && lines.first?["pid"] == "1")
        }
    }

    @Test func `a refusal names its status and reason, a grant how many items of which groups`() throws {
        let refused = try lines { _ = try client.secrets(try query(group: "foreign")) }[0]
        #expect(refused["status"] == "-34018" && refused["reason"] == "foreignAccessGroup")
        let added = try lines { try client.addPassword() }[0]
        #expect(added["items"] == "1")
        let line = try JSONSerialization.jsonObject(with: Data(try #require(keychain.auditLog.last).utf8))
        #expect((line as? [String: Any])?["groups"] as? [String] == ["gr\"oup\n"])
    }

    /// The identifiers of items that a line names.
    private func references(_ line: String?) throws -> [String] {
        let text = try #require(line)
        return try #require(AuditRecord(text.utf8)).items.map(\.hexadecimal)
    }

    @Test func `a grant names the items, and so does a refusal where there were any`() throws {
        func identifier(_ reference: PersistentReference) throws -> String {
            guard case .item(let item) = reference.target else { throw ClientError.unavailable("no identifier") }
            return item.hexadecimal
        }
        let mail = try identifier(try client.addPassword())
        let other = try identifier(try client.addPassword(service: "other"))
        let all = try lines { _ = try client.attributeSets(ItemQuery(.genericPassword)) }
        #expect(all[0]["items"] == "2")
        #expect(Set(try references(keychain.auditLog.last)) == [mail, other])
        _ = try lines { try client.update(try query(), changes: ItemAttributes(empty: .genericPassword), secret: [1]) }
        #expect(Set(try references(keychain.auditLog.last)) == [mail, other])
        // The command may not have another program's data, and may not change it.
        let administration = keychain.administrationClient()
        let refusals: [() throws -> Void] = [
            { _ = try administration.secrets(try query(service: "mail")) },
            { try administration.delete(try query(service: "mail")) },
            {
                try administration.update(
                    try query(service: "mail"), changes: ItemAttributes(empty: .genericPassword), secret: [1])
            },
        ]
        for refused in refusals {
            let line = try lines(refused)[0]
            #expect(line["reason"] == "otherProgramsItem" && line["items"] == "1")
            #expect(try references(keychain.auditLog.last) == [mail])
        }
        let none = try lines { _ = try client.secrets(try query(service: "none")) }[0]
        #expect(none["items"] == nil && none["references"] == nil)
        _ = try lines { try client.delete(try query(service: "other")) }
        #expect(try references(keychain.auditLog.last) == [other])
    }

    @Test func `the first sixteen items are named, and all are counted`() throws {
        for number in 0..<20 { try client.addPassword(service: "\(number)") }
        let line = try lines { _ = try client.attributeSets(ItemQuery(.genericPassword)) }[0]
        #expect(line["items"] == "20")
        #expect(Set(try references(keychain.auditLog.last)).count == 16)
    }

    @Test func `a keychain without files refuses to show its log, and other callers cannot read it`() throws {
        let administration = keychain.administrationClient()
        let damaged = Refusal(.notAvailable, .damagedLog)
        let only = Refusal(.missingEntitlement, .administrationOnly)
        for (client, expected) in [(administration, damaged), (client, only)] {
            let calls: [() throws -> Void] = [
                { _ = try client.auditPage(AuditFilter(), .oldestFirst, from: nil, limit: 1) },
                { _ = try client.verifyAuditLog() }, { _ = try client.followAuditLog() },
            ]
            for call in calls { #expect(try refusal(call) == expected) }
        }
    }

    @Test func `requests that concern no item leave no line unless they are refused`() throws {
        #expect(try lines { _ = try client.status() }.isEmpty)
        #expect(try lines { try client.watch().cancel() }.isEmpty)
    }

    @Test func `no line holds anything of an item`() throws {
        let marker = "MARKER"
        func value(_ name: String) -> AttributeValue { .string(marker + name) }
        let item = try attributes([
            (.account, value("account")), (.service, value("service")), (.label, value("label")),
            (.comment, value("comment")), (.itemDescription, value("description")), (.generic, value("generic")),
        ])
        let secret = Array((marker + "secret").utf8)
        _ = try client.add(item, secret: secret, returning: .all) { _ in }
        _ = try? client.add(item, secret: secret)
        let found = try query(service: marker + "service", account: marker + "account")
        _ = try client.secrets(found)
        _ = try client.attributeSets(found)
        _ = try? client.secrets(try query(service: marker + "absent"))
        _ = try? client.secrets(try query(service: marker + "service", group: marker + "group"))
        let changes = try attributes(.update, [(.label, value("new"))])
        try client.update(found, changes: changes, secret: secret)
        _ = try? keychain.administrationClient().delete(found)
        _ = try? keychain.client(accessGroups: []).delete(found)
        try client.delete(found)
        #expect(keychain.auditLog.count == 10)
        for line in keychain.auditLog { #expect(!line.contains(marker), "\(line)") }
    }

    @Test func `an access group that was refused is not repeated`() throws {
        let line = try lines { try client.addPassword(group: "MARKER") }[0]
        #expect(line["reason"] == "foreignAccessGroup" && line["groups"] == nil)
        #expect(!keychain.auditLog.joined().contains("MARKER"))
    }
}
