// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainTesting
import Testing

/// Each grant and each refusal leaves one line, which tells who and what, and nothing of an item's contents.
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
