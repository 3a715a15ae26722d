// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import KeychainWire
import Testing

/// Identities through the client and the service's pipeline.
struct IdentityItemTests {
    private let keychain: InMemoryKeychain
    private var client: KeychainClient { keychain.client }
    private let certificate: PersistentReference
    private let key: PersistentReference

    init() throws {
        keychain = try InMemoryKeychain(accessGroups: ["mine", "ours"])
        certificate = try Self.addCertificate(to: keychain.client)
        key = try keychain.client.add(
            ItemAttributes(
                .key, for: .add,
                [
                    .init(.applicationLabel, Self.hash), .init(.keyClass, .number(1)), .init(.label, .string("K")),
                    .init(.accessGroup, .string("ours")),
                ]), secret: [2])
    }

    private static let hash = AttributeValue.data([UInt8](repeating: 1, count: 20))

    @discardableResult
    private static func addCertificate(
        to client: KeychainClient, serial: UInt8 = 1
    ) throws -> PersistentReference {
        try client.add(
            ItemAttributes(
                .certificate, for: .add,
                [
                    .init(.publicKeyHash, hash), .init(.serialNumber, .data([serial])), .init(.label, .string("C")),
                    .init(.accessGroup, .string("mine")),
                ]), secret: [serial])
    }

    private let query = ItemQuery(.identity)
    private let notFound = Refusal(.itemNotFound, .none)
    private let locked = Refusal(.interactionNotAllowed, .locked)

    private func copy(
        _ query: ItemQuery, as client: KeychainClient? = nil, limit: MatchLimit = .all,
        returning parts: ReturnedParts = [.data, .attributes]
    ) throws -> [ReturnedIdentity<[UInt8]>] {
        try (client ?? self.client).copyIdentities(query, limit: limit, returning: parts) { Array($0) }
    }

    private func delete(_ query: ItemQuery, as client: KeychainClient? = nil) throws {
        try (client ?? self.client).delete(query)
    }

    private func label(_ label: String) throws -> ItemAttributes {
        try ItemAttributes(.identity, for: .update, [.init(.label, .string(label))])
    }

    @Test func `an identity comes as its certificate and its key, each with what was asked for`() throws {
        let whole = try #require(try copy(query).first)
        #expect(whole.certificate.reference == certificate && whole.key.reference == key)
        #expect(whole.certificate.secret == [1] && whole.key.secret == [2])
        #expect(whole.certificate.attributes?.accessGroup == "mine" && whole.key.attributes?.accessGroup == "ours")
        #expect(whole.item.reference == certificate.of(.identity))
        #expect(whole.item.attributes?[.label] == .string("C") && whole.item.secret == [2])
        let bare = try #require(try copy(query, limit: .one, returning: []).first)
        #expect(bare.certificate.secret == nil && bare.key.secret == nil && bare.item.attributes == nil)
    }

    @Test func `an identity cannot be added as such`() throws {
        let refused = Refusal(.unimplemented, .notSupportedYet)
        #expect(
            try refusal { try client.add(ItemAttributes(empty: .identity), secret: [1]) } == refused)
        #expect(try copy(query).count == 1)
    }

    @Test func `an update by reference, and one with data, is errSecParam and changes nothing`() throws {
        let parameter = Refusal(.parameter, .none)
        let byReference = ItemQuery(certificate.of(.identity))
        let changes = try label("new")
        #expect(
            try refusal { try client.update(byReference, changes: changes, secret: [UInt8]?.none) } == parameter)
        #expect(try refusal { try client.update(query, changes: changes, secret: [7]) } == parameter)
        #expect(try copy(query).map(\.item.attributes?[.label]) == [.string("C")])
        try client.update(query, changes: changes, secret: [UInt8]?.none)
        #expect(try copy(query).map(\.certificate.attributes?[.label]) == [.string("new")])
        #expect(try copy(query).map(\.key.attributes?[.label]) == [.string("new")])
        #expect(try copy(query).map(\.key.secret) == [[2]])
    }

    @Test func `programs see identities of which they see both halves`() throws {
        #expect(try copy(query, as: keychain.client(accessGroups: ["mine", "ours"])).count == 1)
        for groups in [["mine"], ["ours"], ["other"]] {
            let other = keychain.client(accessGroups: groups)
            #expect(try refusal { _ = try copy(query, as: other) } == notFound)
            #expect(try refusal { try delete(query, as: other) } == notFound)
            #expect(
                try refusal { try other.update(query, changes: label("x"), secret: [UInt8]?.none) } == notFound)
        }
        let nobody = keychain.client(accessGroups: [])
        #expect(
            try refusal { _ = try copy(query, as: nobody) } == Refusal(.missingEntitlement, .unidentifiedCaller))
    }

    @Test func `the administration tool reads what identities there are, and asks before it reads or deletes one`()
        throws
    {
        let tool = keychain.administrationClient()
        #expect(try copy(query, as: tool, returning: .attributes).map(\.item.attributes?[.label]) == [.string("C")])
        let othersItem = Refusal(.interactionNotAllowed, .otherProgramsItem)
        #expect(try refusal { _ = try copy(query, as: tool) } == othersItem)
        #expect(try refusal { try delete(query, as: tool) } == othersItem)
        #expect(try copy(query).count == 1)
    }

    @Test func `locked, an identity is found and deleted as far as its key allows`() async throws {
        try await keychain.setPasscode(SecretData(utf8: "1234"))
        let tool = keychain.administrationClient()
        try await UserKeychain(tool).administration.lock()
        // A certificate of no other protection can be read, its key cannot.
        #expect(try refusal { _ = try copy(query) } == locked)
        #expect(try refusal { _ = try copy(query, returning: .attributes) } == locked)
        #expect(try refusal { _ = try copy(query, returning: []) } == locked)
        #expect(
            try refusal { try client.update(query, changes: label("x"), secret: [UInt8]?.none) } == locked)
        try delete(query)
        #expect(try refusal { _ = try copy(query) } == notFound)
    }

    @Test func `a deletion is told to who watches as one of each half that is gone`() throws {
        try Self.addCertificate(to: client, serial: 2)
        let stream = try client.watch()
        var first = query
        first.attributes = try ItemAttributes(.identity, for: .query, [.init(.serialNumber, .data([1]))])
        try delete(first)
        #expect(try stream.next() == .item(ItemChange(.deleted, certificate)))
        try client.update(query, changes: label("x"), secret: [UInt8]?.none)
        guard case .item(let changed)? = try stream.next() else {
            Issue.record("no change")
            return
        }
        #expect(changed.kind == .updated && changed.item.itemClass == .certificate)
        #expect(try stream.next() == .item(ItemChange(.updated, key)))
        try delete(query)
        #expect(try stream.next() == .item(ItemChange(.deleted, changed.item)))
        #expect(try stream.next() == .item(ItemChange(.deleted, key)))
        stream.cancel()
    }

    @Test func `the audit log names both halves`() throws {
        _ = try copy(query)
        let line = try fields(try #require(keychain.auditLog.last))
        #expect(line["class"] == "idnt" && line["action"] == "read-data")
        #expect(line["items"] == "2")
        let references = try #require(line["references"])
        for reference in [certificate, key] {
            let digits = reference.bytes.dropFirst(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            #expect(references.contains(digits.joined()))
        }
    }

    @Test func `a reference gives the key out, and the audit log says so`() throws {
        let identity = try #require(try copy(query, returning: [.reference]).first)
        #expect(identity.certificate.secret == [1] && identity.key.secret == [2])
        #expect(try fields(try #require(keychain.auditLog.last))["action"] == "read-key")
        _ = try copy(query, returning: .attributes)
        #expect(try fields(try #require(keychain.auditLog.last))["action"] == "read-attributes")
    }

    @Test func `an explanation counts pairs`() throws {
        var named = query
        named.attributes = try ItemAttributes(.identity, for: .query, [.init(.label, .string("nobody"))])
        let facts = try client.explainSearch(named).facts
        #expect(facts.contains(.candidates(1)))
        #expect(facts.contains(.narrowed(by: .attribute(.label), to: 0)))
    }
}
