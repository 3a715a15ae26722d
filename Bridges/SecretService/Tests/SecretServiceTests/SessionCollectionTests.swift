// SPDX-License-Identifier: Apache-2.0

public import SecretService
import Synchronization
import Testing

@Suite struct SessionCollectionTests {
    /// A clock that advances by a second with each reading.
    private final class Clock: Sendable {
        private let time = Mutex(1000.0)

        func now() -> Double {
            time.withLock { time in
                time += 1
                return time
            }
        }
    }

    private let collection: SessionCollection

    init() {
        var limits = SessionCollection.Limits()
        limits.items = 3
        limits.bytes = 4096
        collection = SessionCollection(limits: limits, now: Clock().now)
    }

    private func item(_ attributes: [String: String], _ secret: String = "secret") -> NewItem {
        NewItem(label: "Mail", attributes: attributes, secret: Secret(Array(secret.utf8), contentType: "text/plain"))
    }

    @Test func `an item belongs to the program that created it`() throws {
        let (id, isNew) = try collection.create(item(["user": "ann"]), replaces: false, for: "mail")
        #expect(isNew)
        #expect(collection.item(id, for: "mail")?.isLocked == false)
        #expect(collection.item(id, for: "other")?.isLocked == true)
        #expect(try collection.secret(of: id, for: "mail").value == Array("secret".utf8))
        #expect(throws: StorageError.locked) { try collection.secret(of: id, for: "other") }
        #expect(throws: StorageError.locked) { try collection.change(id, .label("Mine"), for: "other") }
        #expect(throws: StorageError.locked) { try collection.delete(id, for: "other") }
        #expect(collection.search(["user": "ann"], for: "other").map(\.isLocked) == [true])
        #expect(collection.item(id, for: "mail")?.label == "Mail")
    }

    @Test func `for an application in a sandbox, items of other programs do not exist`() throws {
        let application = ClientProgram("flatpak:org.example.Mail", isSandboxed: true)
        let foreign = try collection.create(item(["user": "ann"]), replaces: false, for: "mail").id
        let own = try collection.create(item(["user": "ann"]), replaces: false, for: application).id
        #expect(collection.items(limit: nil, for: application) == [own])
        #expect(collection.search(["user": "ann"], for: application).map(\.id) == [own])
        #expect(collection.item(foreign, for: application) == nil)
        #expect(throws: StorageError.noSuchObject) { try collection.secret(of: foreign, for: application) }
        #expect(throws: StorageError.noSuchObject) { try collection.change(foreign, .label(""), for: application) }
        #expect(throws: StorageError.noSuchObject) { try collection.delete(foreign, for: application) }
        #expect(collection.items(limit: nil, for: "mail") == [foreign, own])
    }

    @Test func `programs and attributes that are equal as text, but not as bytes, are different`() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let id = try collection.create(item(["user": composed]), replaces: true, for: ClientProgram(composed)).id
        #expect(collection.item(id, for: ClientProgram(decomposed))?.isLocked == true)
        #expect(collection.search(["user": composed], for: ClientProgram(decomposed)).map(\.isLocked) == [true])
        #expect(throws: StorageError.locked) { try collection.secret(of: id, for: ClientProgram(decomposed)) }
        #expect(throws: StorageError.locked) { try collection.delete(id, for: ClientProgram(decomposed)) }
        #expect(try collection.create(item(["user": composed]), replaces: true, for: ClientProgram(decomposed)).isNew)
        #expect(try collection.create(item(["user": decomposed]), replaces: true, for: ClientProgram(composed)).isNew)
        #expect(collection.search(["user": decomposed], for: ClientProgram(composed)).count == 1)
        try collection.delete(id, for: ClientProgram(composed))
        let named = try collection.create(item([composed: "x"]), replaces: true, for: ClientProgram(composed)).id
        #expect(collection.search([decomposed: "x"], for: ClientProgram(composed)) == [])
        #expect(collection.search([composed: "x"], for: ClientProgram(composed)).map(\.id) == [named])
    }

    @Test func `an item is replaced if its attributes are exactly the same`() throws {
        let first = try collection.create(item(["user": "ann"]), replaces: true, for: "mail")
        let second = try collection.create(item(["user": "ann", "host": "a"]), replaces: true, for: "mail")
        #expect(second.isNew && second.id != first.id)
        let other = try collection.create(item(["user": "ann"]), replaces: true, for: "other")
        #expect(other.isNew)
        let third = try collection.create(item(["user": "ann"], "new"), replaces: true, for: "mail")
        #expect(!third.isNew && third.id == first.id)
        #expect(try collection.secret(of: first.id, for: "mail").value == Array("new".utf8))
        #expect(collection.items(limit: nil, for: "mail") == [first.id, second.id, other.id])
        #expect(collection.items(limit: 2, for: "mail") == [first.id, second.id])
    }

    @Test func `a search compares all given attributes`() throws {
        let id = try collection.create(item(["user": "ann", "host": "a"]), replaces: false, for: "mail").id
        #expect(collection.search(["host": "a"], for: "mail").map(\.id) == [id])
        #expect(collection.search(["host": "a", "user": "ann"], for: "mail").map(\.id) == [id])
        #expect(collection.search(["host": "b"], for: "mail") == [])
        #expect(collection.search(["host": "a", "port": "1"], for: "mail") == [])
    }

    @Test func `a change renews the date, and a deletion ends the item`() throws {
        let id = try collection.create(item(["user": "ann"]), replaces: false, for: "mail").id
        let before = try #require(collection.item(id, for: "mail"))
        try collection.change(id, .attributes(["user": "bob"]), for: "mail")
        let after = try #require(collection.item(id, for: "mail"))
        #expect(after.attributes == ["user": "bob"])
        #expect(after.created == before.created)
        #expect(after.modified > before.modified)
        #expect(collection.collection.modified == after.modified)
        try collection.delete(id, for: "mail")
        #expect(throws: StorageError.noSuchObject) { try collection.secret(of: id, for: "mail") }
        #expect(throws: StorageError.noSuchObject) { try collection.delete(id, for: "mail") }
    }

    @Test func `number and size of the items are bounded, and a refusal changes nothing`() throws {
        let id = try collection.create(item(["n": "1"]), replaces: false, for: "mail").id
        let large = String(repeating: "x", count: 4096)
        #expect(throws: StorageError.self) {
            try collection.change(id, .secret(Secret(Array(large.utf8), contentType: "")), for: "mail")
        }
        #expect(throws: StorageError.self) {
            try collection.create(item(["n": "2"], large), replaces: false, for: "mail")
        }
        #expect(try collection.secret(of: id, for: "mail").value == Array("secret".utf8))
        #expect(collection.items(limit: nil, for: "mail") == [id])
        for number in 2...3 { _ = try collection.create(item(["n": "\(number)"]), replaces: false, for: "mail") }
        #expect(throws: StorageError.self) {
            try collection.create(item(["n": "4"]), replaces: false, for: "mail")
        }
        try collection.delete(id, for: "mail")
        #expect(throws: Never.self) { try collection.create(item(["n": "4"]), replaces: false, for: "mail") }
    }

    @Test func `the newest result comes first, and equal dates have a fixed order`() {
        func found(_ name: String, _ modified: Double) -> FoundItem {
            FoundItem(ItemID(.login, name), isLocked: false, modified: modified)
        }
        let sorted = FoundItem.newestFirst([found("a", 1), found("c", 2), found("b", 3), found("d", 2)])
        #expect(sorted.map(\.id.name) == ["b", "d", "c", "a"])
    }
}

extension ClientProgram: ExpressibleByStringLiteral {
    public init(stringLiteral name: String) { self.init(name) }
}
