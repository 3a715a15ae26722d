// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainPolicy
import KeychainSealing
import SQLiteStatements
import Testing

@testable import KeychainStore

@Suite struct `Identities in the store` {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    /// Returns a placeholder for the hash of a public key.
    private func hash(_ number: UInt8) -> AttributeValue { .data([UInt8](repeating: number, count: 20)) }

    @discardableResult
    private func addCertificate(
        _ number: UInt8, serial: UInt8 = 1, _ more: [AttributeKey: AttributeValue] = [:], group: String = team
    ) throws(StoreError) -> ItemIdentifier {
        let own: [AttributeKey: AttributeValue] = [
            .publicKeyHash: hash(number), .serialNumber: .data([number, serial]),
        ]
        return try fixture.add(own.merging(more) { $1 }, .certificate, group: group, secret: "cert \(number).\(serial)")
            .identifier
    }

    @discardableResult
    private func addKey(
        _ number: UInt8, isPrivate: Bool = true, _ more: [AttributeKey: AttributeValue] = [:], group: String = team
    ) throws(StoreError) -> ItemIdentifier {
        let own: [AttributeKey: AttributeValue] = [
            .applicationLabel: hash(number), .keyClass: .number(isPrivate ? 1 : 0),
        ]
        return try fixture.add(own.merging(more) { $1 }, .key, group: group, secret: "key \(number)").identifier
    }

    private func query(
        _ entries: [ItemAttributes.Entry] = [], sync: ItemQuery.SynchronizableFilter = .localOnly,
        matching: TextMatching = []
    ) throws -> ItemQuery {
        var query = ItemQuery(.identity)
        query.attributes = try ItemAttributes(.identity, for: .query, entries)
        query.synchronizable = sync
        query.textMatching = matching
        return query
    }

    /// The data of the halves.
    private func found(
        _ query: ItemQuery, in scope: SearchScope = Fixture.own, limit: MatchLimit = .all
    ) throws -> [String] {
        var found = try fixture.store.findIdentities(query, in: scope, limit: limit)
        if found.needsOpening {
            found = try fixture.store.matching(found, limit: limit, with: Fixture.grant(.readAttributes))
        }
        var items: [String] = []
        try fixture.store.open(found, parts: [.data, .attributes], with: Fixture.grant(.readData)) { certificate, key in
            items.append(
                [certificate.data, key.data].map { String(decoding: $0 ?? Data(), as: UTF8.self) }
                    .joined(separator: ", "))
        }
        return items
    }

    @Test func `a certificate's hash is digested as a key's label is, and as no other attribute of any class`() throws {
        func digest(_ key: AttributeKey, _ itemClass: ItemClass) throws -> IndexDigest? {
            let table = try #require(ItemTable.of(itemClass))
            let column = table.columns[try #require(table.position(of: key))]
            return fixture.store.digests.column(hash(1), column, itemClass).digest
        }
        let label = try #require(try digest(.applicationLabel, .key))
        #expect(try digest(.publicKeyHash, .certificate) == label)
        for (key, itemClass) in [
            (.subjectKeyID, .certificate), (.subject, .certificate), (.applicationTag, .key),
            (.generic, .genericPassword),
        ] as [(AttributeKey, ItemClass)] {
            #expect(try digest(key, itemClass) != label)
        }
    }

    @Test func `a certificate and a private key of one public key are an identity`() throws {
        try addCertificate(1)
        try addKey(2)
        try addKey(1, isPrivate: false)
        #expect(try found(query()).isEmpty)
        try addKey(1)
        #expect(try found(query()) == ["cert 1.1, key 1"])
        try addCertificate(2)
        #expect(try found(query()) == ["cert 1.1, key 1", "cert 2.1, key 2"])
        #expect(try found(query(), limit: .one).count == 1)
        #expect(try found(query(), limit: .atMost(2)).count == 2)
    }

    @Test func `a certificate without a hash and a key without a label have nothing in common`() throws {
        try fixture.add([.serialNumber: .data([1])], .certificate)
        try fixture.add([.serialNumber: .data([2]), .publicKeyHash: .data([])], .certificate)
        try fixture.add([.keyClass: .number(1)], .key)
        #expect(try found(query()).isEmpty)
    }

    @Test func `filters are those of the certificate and those of the key`() throws {
        for number: UInt8 in 1...4 {
            try addCertificate(number, [.label: .string("Cert \(number)"), .alias: .string("c")])
            try addKey(number, [.label: .string("Key \(number)"), .applicationTag: .string("tag \(number % 2)")])
        }
        func numbers(_ entries: ItemAttributes.Entry..., matching: TextMatching = []) throws -> [String] {
            try found(query(entries, matching: matching)).map { String($0.suffix(1)) }
        }
        #expect(try numbers(.init(.label, .string("Cert 3"))) == ["3"])
        #expect(try numbers(.init(.label, .string("Key 3"))).isEmpty)
        #expect(try numbers(.init(.serialNumber, .data([2, 1]))) == ["2"])
        #expect(try numbers(.init(.publicKeyHash, hash(4))) == ["4"])
        #expect(try numbers(.init(.applicationLabel, hash(4))) == ["4"])
        #expect(try numbers(.init(.applicationTag, .string("tag 1"))) == ["1", "3"])
        #expect(try numbers(.init(.applicationTag, .string("tag 1")), .init(.label, .string("Cert 1"))) == ["1"])
        #expect(try numbers(.init(.applicationTag, .string("tag 0")), .init(.label, .string("Cert 1"))).isEmpty)
        #expect(try numbers(.init(.keyClass, .number(0))).isEmpty)
        #expect(try numbers(.init(.keyClass, .number(1))).count == 4)
        #expect(try numbers(.init(.label, .string("CERT 2")), matching: .caseInsensitive) == ["2"])
        #expect(
            try numbers(
                .init(.applicationTag, .string("TAG 1")), .init(.alias, .string("C")), matching: .caseInsensitive)
                == ["1", "3"])
        // A half of the key's accessibility does not answer for the certificate's.
        #expect(try numbers(.init(.accessible, .string("ak"))).count == 4)
        #expect(try numbers(.init(.accessible, .string("dk"))).isEmpty)
    }

    @Test func `a limit counts identities that match, not what was compared`() throws {
        for number: UInt8 in 1...5 {
            try addCertificate(number, [.label: .string(number == 5 ? "Last" : "other")])
            try addKey(number)
        }
        let last = [ItemAttributes.Entry(.label, .string("last"))]
        #expect(try found(query(last, matching: .caseInsensitive), limit: .one) == ["cert 5.1, key 5"])
    }

    @Test func `several certificates of a key are several identities, and so are several keys of a certificate`() throws
    {
        try addCertificate(1, serial: 1)
        try addCertificate(1, serial: 2)
        try addKey(1)
        #expect(try found(query()) == ["cert 1.1, key 1", "cert 1.2, key 1"])
        try addKey(1, [.applicationTag: .string("again")])
        #expect(try found(query()).count == 4)
        let facts = try fixture.store.findIdentities(query(), in: Fixture.own, limit: .all).facts
        #expect(facts.count == 4)
    }

    @Test func `a reference of an identity names its certificate`() throws {
        try addCertificate(1, serial: 1)
        let second = try addCertificate(1, serial: 2)
        try addKey(1)
        var byReference = try query(sync: .any)
        byReference.persistentReference = PersistentReference(itemClass: .identity, item: second)
        #expect(try found(byReference) == ["cert 1.2, key 1"])
        byReference.persistentReference = PersistentReference(itemClass: .certificate, item: second)
        #expect(try found(byReference) == ["cert 1.2, key 1"])
        byReference.persistentReference = PersistentReference(itemClass: .identity, row: 1)
        #expect(try found(byReference) == ["cert 1.1, key 1"])
        byReference.persistentReference = PersistentReference(itemClass: .identity, row: 3)
        #expect(try found(byReference).isEmpty)
    }

    @Test func `both halves have to be in the groups searched`() throws {
        try addCertificate(1, group: team)
        try addKey(1, group: other)
        #expect(try found(query(), in: .groups([team, other])).count == 1)
        #expect(try found(query(), in: .groups([team])).isEmpty)
        #expect(try found(query(), in: .groups([other])).isEmpty)
        #expect(try found(query(), in: .everything(own: [team])) == ["cert 1.1, key 1"])
        #expect(try found(query(), in: .everything(own: ["nobody"])) == ["cert 1.1, key 1"])
        var named = try query()
        named.accessGroup = team
        #expect(try found(named, in: .groups([team, other])).isEmpty)
        try addKey(1, group: team)
        #expect(try found(named, in: .groups([team, other])).count == 1)
        #expect(try found(query(), in: .everything(own: [team])).count == 2)
        #expect(try found(query(), in: .everything(own: [team]), limit: .one).count == 1)
    }

    @Test func `what cannot be read is set aside, and the identity with it`() throws {
        let directory = try Directory()
        let fixture = try Fixture(at: .file(directory.database))
        let own = `Identities in the store`(fixture)
        try own.addCertificate(1)
        try own.addKey(1)
        try directory.edit("UPDATE keys SET attributes = x'00'")
        #expect(try own.found(query()).isEmpty)
        #expect(try fixture.store.statistics().unreadable == 1)
        try own.addKey(1)
        #expect(try own.found(query()) == ["cert 1.1, key 1"])
        try directory.edit("UPDATE cert SET data = x'00'")
        #expect(try own.found(query()).isEmpty)
        #expect(try fixture.store.statistics().unreadable == 2)
    }

    private init(_ fixture: Fixture) { self.fixture = fixture }

    // MARK: Changes

    private func update(
        _ query: ItemQuery, _ label: String, judge: (KeychainPolicy.Operation, [ItemFacts]) -> Decision = Fixture.allow
    ) throws -> IdentityChangeResult {
        let changes = try ItemAttributes(.identity, for: .update, [.init(.label, .string(label))])
        return try fixture.store.updateIdentities(query, in: Fixture.own, changes: changes, judge: judge)
    }

    private func labels(_ itemClass: ItemClass) throws -> [String?] {
        try fixture.read(ItemQuery(itemClass)).map { $0.attributes?[.label]?.string }
    }

    @Test func `an update changes each half once, and nothing else`() throws {
        try addCertificate(1, serial: 1)
        try addCertificate(1, serial: 2)
        try addKey(1)
        try addCertificate(2)
        try addKey(3)
        guard case .changed(let certificates, let keys) = try update(query(), "new") else {
            Issue.record("nothing was changed")
            return
        }
        #expect(certificates.count == 2 && keys.count == 1)
        #expect(try labels(.certificate) == ["new", "new", nil])
        #expect(try labels(.key) == ["new", nil])
        #expect(try fixture.read(ItemQuery(.key)).map(\.secret) == ["key 1", "key 3"])
        #expect(throws: StoreError.notFound) { try update(query([.init(.label, .string("x"))]), "y") }
    }

    @Test func `a judgement is over both halves, and what it refuses is not changed`() throws {
        let certificate = try addCertificate(1)
        let key = try addKey(1)
        var judged: [PersistentReference] = []
        let outcome = try update(query(), "new") { _, items in
            judged = items.compactMap(\.reference)
            return .refuse(Refusal(.interactionNotAllowed, .locked))
        }
        #expect(
            judged == [
                PersistentReference(itemClass: .certificate, item: certificate),
                PersistentReference(itemClass: .key, item: key),
            ])
        guard case .refused(_, let items) = outcome else {
            Issue.record("it was changed")
            return
        }
        #expect(items == [certificate, key])
        #expect(try labels(.certificate) == [nil])
        #expect(try labels(.key) == [nil])
    }

    private func delete(
        _ query: ItemQuery, in scope: SearchScope = Fixture.own
    ) throws -> (certificates: Int, keys: Int, judged: Int)? {
        var judged = 0
        let outcome = try fixture.store.deleteIdentities(query, in: scope) { operation, items in
            judged = items.count
            return Fixture.allow(operation, items)
        }
        guard case .changed(let certificates, let keys) = outcome else { return nil }
        return (certificates.count, keys.count, judged)
    }

    @Test func `a key goes with the last of its certificates`() throws {
        for serial: UInt8 in 1...3 { try addCertificate(1, serial: serial) }
        try addKey(1)
        let first = try query([.init(.serialNumber, .data([1, 1]))])
        // The remaining key needs no approval.
        #expect(try #require(try delete(first)) == (1, 0, 1))
        #expect(try found(query()).count == 2)
        #expect(try #require(try delete(query())) == (2, 1, 3))
        #expect(try fixture.store.statistics().items[.key] == 0)
        #expect(throws: StoreError.notFound) { try delete(query()) }
    }

    @Test func `a certificate in a group that is not searched keeps no key`() throws {
        try addCertificate(1, group: team)
        try addCertificate(1, serial: 2, group: "third")
        try addKey(1, group: team)
        #expect(try #require(try delete(query(), in: .groups([team]))) == (1, 1, 2))
        try addCertificate(2, group: team)
        try addCertificate(2, serial: 2, group: "third")
        try addKey(2, group: team)
        let own = try query([.init(.serialNumber, .data([2, 1]))])
        #expect(try #require(try delete(own, in: .everything(own: [team]))) == (1, 0, 1))
    }

    @Test func `halves that synchronize belong to halves that do`() throws {
        let synchronizing: [AttributeKey: AttributeValue] = [.synchronizable: .number(1)]
        try addCertificate(1)
        try addCertificate(1, synchronizing)
        try addKey(1)
        try addKey(1, synchronizing)
        #expect(try found(query(sync: .any)).count == 2)
        #expect(try found(query(sync: .synchronizableOnly)).count == 1)
        #expect(try #require(try delete(query())) == (1, 1, 2))
        #expect(try found(query(sync: .any)).count == 1)
        // Of these tombstones stay.
        #expect(try #require(try delete(query(sync: .any))) == (1, 1, 2))
        #expect(try found(query(sync: .any)).isEmpty)
        try addCertificate(1, synchronizing)
        #expect(try found(query(sync: .any)).isEmpty)
    }

    // MARK: How it is searched

    @Test func `each search for identities goes by indexes on both sides`() throws {
        let shapes: [[ItemAttributes.Entry]] = [
            [], [.init(.label, .string("a"))], [.init(.applicationTag, .string("a"))],
            [.init(.applicationLabel, hash(1))],
            [.init(.publicKeyHash, hash(1))], [.init(.issuer, .data([1])), .init(.serialNumber, .data([1]))],
            [.init(.type, .number(73))], [.init(.certificateEncoding, .number(3))],
        ]
        for matching in [[], TextMatching.caseInsensitive] {
            for shape in shapes {
                let query = try query(shape, matching: matching)
                let search = try #require(
                    IdentitySearch(query, in: Fixture.own, reading: .all, digest: fixture.store.digests))
                let sql = IdentityShape(search.certificates, search.keys).sql
                let plan = try fixture.store.reader.access { db in try db.plan(of: sql) }
                // On each side the index alone, and then the rows that it names.
                try #require(plan.count == 4)
                for place in [0, 2] {
                    #expect(plan[place].hasPrefix("SEARCH") && plan[place].contains("INDEX"), "\(plan)")
                    #expect(plan[place].contains("agrp=?"), "\(plan)")
                    #expect(plan[place + 1].contains("USING INTEGER PRIMARY KEY (rowid=?)"), "\(plan)")
                }
                #expect(plan[2].contains("pkhh=?") || plan[2].contains("klbl=?"), "\(plan)")
            }
        }
    }
}
