// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
@testable import KeychainTesting
import SecretService
import SecretServiceKeychain
import Testing

/// The storage of the Secret Service in a keychain in memory.
@Suite(.timeLimit(.minutes(5))) final class KeychainStorageTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)")
    private let memory: InMemoryKeychain
    private let storage: KeychainStorage

    private static let allowed = Interaction.allowed(Cancellation())

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        memory = try InMemoryKeychain(keychainFolder: folder.path)
        storage = try Self.storage(memory, folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func storage(_ memory: InMemoryKeychain, _ folder: URL) throws -> KeychainStorage {
        let names = CollectionNames(path: folder.appending(path: "names").path) { Issue.record("\($0)") }
        return try KeychainStorage(
            memory.bridgeClient(accessGroups: ["tests"]), names: names, filesFolder: { folder.path })
    }

    private func new(
        _ attributes: [String: String], _ value: String = "secret", label: String = "Mail",
        contentType: String = "text/plain"
    ) -> NewItem {
        NewItem(label: label, attributes: attributes, secret: Secret(Array(value.utf8), contentType: contentType))
    }

    @discardableResult
    private func create(
        _ item: NewItem, in collection: CollectionID = .login, replaces: Bool = true
    ) throws -> (id: ItemID, isNew: Bool) {
        try storage.create(item, in: collection, replaces: replaces, .none)
    }

    private func found(
        _ attributes: [String: String], in collection: CollectionID? = nil
    ) throws -> [ItemID] {
        try storage.search(attributes, in: collection).map(\.id)
    }

    /// Returns the error of an operation.
    private func failure<R>(_ body: () throws -> R) -> StorageError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? StorageError
        }
    }

    // MARK: Items

    @Test func `an item is found by each of its attributes, and keeps its label, attributes and secret`() throws {
        let attributes = ["user": "ann", "server": "example.org", "xdg:schema": "org.example"]
        let (id, isNew) = try create(new(attributes, "a\0b", contentType: "application/x"))
        #expect(isNew)
        for (name, value) in attributes { #expect(try found([name: value]) == [id]) }
        #expect(try found(attributes) == [id])
        #expect(try found(["user": "bob"]) == [])
        #expect(try found(["user": "ann", "color": "red"]) == [])
        let item = try #require(try storage.item(id))
        #expect(item.attributes == attributes)
        #expect(item.label == "Mail")
        #expect(!item.isLocked)
        // 800,000,000 seconds after 2001-01-01.
        #expect(item.created == 1_778_307_200)
        #expect(try storage.secret(of: id) == Secret(Array("a\0b".utf8), contentType: "application/x"))
        #expect(try storage.items(in: .login, limit: nil) == [id])
        try storage.delete(id, .none)
        #expect(try storage.item(id) == nil)
        #expect(failure { try storage.secret(of: id) } == .noSuchObject)
        #expect(try storage.items(in: .login, limit: nil) == [])
    }

    @Test func `the item is a generic password of the client, with readable names`() throws {
        try create(new(["service": "mail", "username": "ann"]))
        try create(new(["service": "mail", "username": "ann", "color": "red"]))
        let stored = try memory.run {
            try KeychainClient.current.copyMatching(
                ItemQuery(.genericPassword), limit: .all, returning: .attributes
            ) { _ in }.compactMap(\.attributes)
        }
        #expect(Set(stored.map { $0[.account] }) == [.string("ann"), .string("ann (2)")])
        #expect(stored.allSatisfy { $0[.service] == .string("mail") && $0[.label] == .string("Mail") })
        #expect(try found(["service": "mail"]).count == 2)
    }

    @Test func `many items with the same attributes can exist`() throws {
        for _ in 0..<12 { #expect(try create(new(["user": "ann"]), replaces: false).isNew) }
        #expect(try found(["user": "ann"]).count == 12)
        #expect(try create(new([:]), replaces: false).isNew)
        #expect(try create(new([:]), replaces: false).isNew)
        #expect(try storage.items(in: .login, limit: nil).count == 14)
        #expect(try storage.items(in: .login, limit: 1).count == 1)
    }

    @Test func `an item is replaced only if the attributes are exactly the same`() throws {
        let first = try create(new(["user": "ann"], "1", contentType: "application/x"))
        let second = try create(new(["user": "ann", "color": "red"], "2"))
        #expect(second.isNew)
        let third = try create(new(["user": "ann"], "3", label: "Work"))
        #expect(third == (first.id, false))
        #expect(try storage.secret(of: first.id) == Secret(Array("3".utf8), contentType: "text/plain"))
        #expect(try storage.item(first.id)?.label == "Work")
        #expect(try storage.secret(of: second.id).value == Array("2".utf8))
        // An item without attributes, too.
        let empty = try create(new([:], "4"))
        #expect(try create(new([:], "5")) == (empty.id, false))
    }

    @Test func `results are sorted by the last change, the newest first`() throws {
        var ids: [ItemID] = []
        for number in 0..<3 {
            memory.setTime(to: Date(timeIntervalSinceReferenceDate: 800_000_100 + Double(number)))
            ids.append(try create(new(["user": "ann"]), replaces: false).id)
        }
        #expect(try found(["user": "ann"]) == ids.reversed())
        memory.setTime(to: Date(timeIntervalSinceReferenceDate: 800_000_200))
        try storage.change(ids[0], .secret(Secret([1], contentType: "text/plain")))
        #expect(try found(["user": "ann"]).first == ids[0])
    }

    @Test func `label, attributes, secret and content type change`() throws {
        let id = try create(new(["user": "ann"])).id
        try storage.change(id, .label("Work"))
        try storage.change(id, .attributes(["user": "bob"]))
        try storage.change(id, .secret(Secret([], contentType: "application/x")))
        let item = try #require(try storage.item(id))
        #expect((item.label, item.attributes) == ("Work", ["user": "bob"]))
        #expect(try storage.secret(of: id) == Secret([], contentType: "application/x"))
        try storage.change(id, .secret(Secret([0xFF], contentType: "text/plain")))
        #expect(try storage.secret(of: id) == Secret([0xFF], contentType: "text/plain"))
        #expect(try found(["user": "ann"]) == [])
        #expect(try found(["user": "bob"]) == [id])
    }

    @Test func `an item of another interface is found by libsecret's attributes`() throws {
        try memory.run {
            _ = try KeychainClient.current.add(
                try ItemAttributes(
                    .genericPassword, for: .add,
                    [
                        .init(.service, .string("mail")), .init(.account, .string("ann")),
                        .init(.generic, .data([1, 2])),
                    ]), secret: Array("1".utf8), returning: []
            ) { _ in }
            _ = try KeychainClient.current.add(
                try ItemAttributes(
                    .internetPassword, for: .add,
                    [.init(.server, .string("example.org")), .init(.protocol, .string("htps"))]),
                secret: Array("2".utf8), returning: []
            ) { _ in }
        }
        let mail = try found(["service": "mail", "username": "ann"])
        #expect(mail.count == 1)
        #expect(try found(["service": "mail", "xdg:schema": "org.freedesktop.Secret.Generic"]) == mail)
        #expect(try found(["service": "mail", "xdg:schema": "org.example"]) == [])
        let site = try found(["server": "example.org", "protocol": "https"])
        #expect(site.count == 1)
        #expect(try storage.secret(of: site[0]) == Secret(Array("2".utf8), contentType: "text/plain"))
        // A new secret leaves the other attributes alone.
        try storage.change(mail[0], .secret(Secret([3], contentType: "application/x")))
        let generic = try memory.run {
            var query = ItemQuery(.genericPassword)
            query.attributes[.service] = .string("mail")
            return try KeychainClient.current.copyMatching(query, limit: .one, returning: .attributes) { _ in }
        }
        #expect(generic.first?.attributes?[.generic] == .data([1, 2]))
        // An internet password has no other attributes.
        try storage.change(site[0], .attributes(["server": "example.com", "user": "ann"]))
        #expect(try storage.item(site[0])?.attributes["user"] == "ann")
        #expect(try storage.item(site[0])?.attributes["protocol"] == nil)
        let refused = failure { try storage.change(site[0], .attributes(["color": "red"])) }
        guard case .unsupported = refused else { throw try #require(refused) }
        // Given attributes of its own, a generic password is found by them.
        try storage.change(mail[0], .attributes(["color": "red"]))
        #expect(try found(["color": "red"]) == mail)
        #expect(try found(["service": "mail"]) == [])
    }

    @Test func `attributes beyond the limits are refused when stored and find nothing`() throws {
        let long = ["name": String(repeating: "x", count: LookupLimits.valueBytes + 1)]
        let refused = failure { try create(new(long)) }
        guard case .limitExceeded = refused else { throw try #require(refused) }
        #expect(try found(long) == [])
        #expect(try storage.items(in: .login, limit: nil) == [])
    }

    @Test(arguments: ["", "g", "x" + String(repeating: "0", count: 32), "g" + String(repeating: "A", count: 32), "1"])
    func `a name that no item can have names none`(_ name: String) throws {
        let id = ItemID(.login, name)
        #expect(try storage.item(id) == nil)
        #expect(failure { try storage.secret(of: id) } == .noSuchObject)
        #expect(failure { try storage.delete(id, .none) } == .noSuchObject)
    }

    // MARK: The lock

    @Test func `a locked keychain finds items as locked, and a prompt unlocks it`() async throws {
        let id = try create(new(["user": "ann"])).id
        try await memory.setPasscode(SecretData(utf8: "1234"))
        try storage.lock(.login)
        #expect(try storage.collection(.login)?.isLocked == true)
        let locked = try storage.search(["user": "ann"], in: nil)
        #expect(locked.map(\.id) == [id])
        #expect(locked.map(\.isLocked) == [true])
        #expect(try storage.item(id)?.isLocked == true)
        #expect(try storage.items(in: .login, limit: nil) == [id])
        #expect(failure { try storage.secret(of: id) } == .locked)
        #expect(failure { try create(new(["user": "bob"])) } == .locked)
        #expect(failure { try storage.unlock([.item(id)], .none) } == .locked)
        // No prompt is possible, or the user denies it.
        for person in [TestPerson.absent, .denying, .cancelling] {
            memory.person = person
            #expect(failure { try storage.unlock([.collection(.login)], Self.allowed) } == .dismissed)
        }
        memory.person = .approving
        #expect(try storage.unlock([.item(id)], Self.allowed) == [.item(id)])
        #expect(try storage.secret(of: id).value == Array("secret".utf8))
        try storage.lock(.login)
        #expect(try storage.create(new(["user": "bob"]), in: .login, replaces: true, Self.allowed).isNew)
    }

    @Test func `an item that requires authentication for each use stays locked and hides no other item`() async throws {
        try await memory.setPasscode(SecretData(utf8: "1234"))
        let control = try #require(AccessControl(protection: .whenUnlocked, flags: .userPresence))
        try memory.run {
            for entries in [
                [ItemAttributes.Entry(.account, .string("1"))],
                [.init(.account, .string("2")), .init(.accessControl, .accessControl(control))],
            ] {
                _ = try KeychainClient.current.add(
                    try ItemAttributes(.genericPassword, for: .add, [.init(.service, .string("bank"))] + entries),
                    secret: [1], returning: []
                ) { _ in }
            }
        }
        let all = try storage.search(["service": "bank"], in: nil)
        let open = all.filter { !$0.isLocked }
        #expect(all.count == 2 && open.count == 1)
        let locked = all.filter(\.isLocked)
        let protected = try #require(locked.first).id
        let item = try #require(try storage.item(protected))
        #expect(item.isLocked && item.label == "bank" && item.attributes["account"] == "2")
        #expect(failure { try storage.secret(of: protected) } == .locked)
        memory.person = .approving
        let refused = failure { try storage.unlock([.item(protected)], Self.allowed) }
        guard case .unsupported = refused else { throw try #require(refused) }
        #expect(memory.questions.isEmpty)
        // It does not hide that the other item can be read.
        #expect(
            try storage.unlock([.item(protected)] + open.map { .item($0.id) }, Self.allowed)
                == open.map { .item($0.id) })
    }

    @Test func `an item that two searches found in a locked keychain must have the attributes of both`() async throws {
        let id = try create(new(["user": "ann", "server": "mail"])).id
        try await memory.setPasscode(SecretData(utf8: "1234"))
        try storage.lock(.login)
        #expect(try found(["user": "ann"]) == [id])
        #expect(try found(["server": "mail"]) == [id])
        try storage.unlock(.login, password: Array("1234".utf8))
        #expect(try storage.secret(of: id).value == Array("secret".utf8))
    }

    @Test func `the passcode unlocks the collection, and can be changed`() async throws {
        // Without a passcode there is nothing to lock, and nothing to unlock.
        let refused = failure { try storage.lock(.login) }
        guard case .unsupported = refused else { throw try #require(refused) }
        try storage.unlock(.login, password: Array("any".utf8))
        try await memory.setPasscode(SecretData(utf8: "1234"))
        try storage.lock(.login)
        let wrong = failure { try storage.unlock(.login, password: Array("no".utf8)) }
        guard case .invalid = wrong else { throw try #require(wrong) }
        try storage.unlock(.login, password: Array("1234".utf8))
        try storage.changePassword(of: .login, from: Array("1234".utf8), to: Array("5678".utf8))
        try storage.lock(.login)
        try storage.unlock(.login, password: Array("5678".utf8))
        #expect(try storage.collection(.login)?.isLocked == false)
    }

    // MARK: Collections

    @Test func `a collection is a keychain file with its own items`() throws {
        let work = try storage.createCollection(label: "Work/2", password: Array("pw".utf8), .none)
        #expect(work == CollectionID("Work_2"))
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: "Work_2.keychain-db").path))
        #expect(try storage.collection(work)?.label == "Work/2")
        #expect(try storage.collections().map(\.label) == ["Login", "Work/2"])
        let id = try create(new(["user": "ann"], "1"), in: work).id
        #expect(try create(new(["user": "ann"], "2"), in: work) == (id, false))
        #expect(try found(["user": "ann"]) == [id])
        #expect(try found(["user": "ann"], in: .login) == [])
        #expect(try storage.secret(of: id).value == Array("2".utf8))
        try storage.lock(work)
        #expect(try storage.collection(work)?.isLocked == true)
        // Its attributes can be read while it is locked.
        #expect(try storage.item(id)?.attributes == ["user": "ann"])
        #expect(try storage.search(["user": "ann"], in: work).map(\.isLocked) == [true])
        let refusal = failure { try storage.secret(of: id) }
        #expect(refusal == .locked)
        try storage.unlock(work, password: Array("pw".utf8))
        #expect(try storage.secret(of: id).value == Array("2".utf8))
        try storage.changePassword(of: work, from: Array("pw".utf8), to: Array("new".utf8))
        try storage.deleteCollection(work, .none)
        #expect(try storage.collection(work) == nil)
        #expect(try storage.collections().count == 1)
        #expect(failure { try create(new([:]), in: work) } == .noSuchObject)
    }

    @Test func `a new collection needs a prompt for its password`() throws {
        #expect(failure { try storage.createCollection(label: "Work", password: nil, .none) } == .locked)
        let none = failure { try storage.createCollection(label: "Work", password: nil, Self.allowed) }
        #expect(none == .dismissed)
        memory.person = .typing(applicationPassword: SecretData(utf8: "pw"))
        let work = try storage.createCollection(label: "Work", password: nil, Self.allowed)
        #expect(try storage.createCollection(label: "Work", password: nil, Self.allowed).name == "Work 2")
        #expect(try storage.collection(work)?.isLocked == false)
    }

    @Test func `labels stay over restarts until their collection is deleted`() throws {
        let work = try storage.createCollection(label: "Work", password: [], .none)
        try storage.setLabel(of: .login, "Mine\t\\\r\n")
        try storage.setLabel(of: work, "Office")
        let next = try Self.storage(memory, folder)
        #expect(try next.collection(.login)?.label == "Mine\t\\\r\n")
        #expect(try next.collection(work)?.label == "Office")
        try next.deleteCollection(work, .none)
        let last = try Self.storage(memory, folder)
        #expect(try last.createCollection(label: "Work", password: [], .none) == work)
        #expect(try last.collection(work)?.label == "Work")
        let long = failure { try storage.setLabel(of: .login, String(repeating: "x", count: 2000)) }
        guard case .limitExceeded = long else { throw try #require(long) }
    }

    @Test func `a damaged file of labels is reported, and its valid lines count`() throws {
        let path = folder.appending(path: "damaged").path
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data("label\tlogin\tMine\nnonsense\n".utf8),
                attributes: [.posixPermissions: 0o600]))
        var reports: [String] = []
        let names = CollectionNames(path: path) { reports.append($0) }
        #expect(reports.count == 1)
        let storage = try memory.run { try KeychainStorage(KeychainClient.current, names: names) }
        #expect(try storage.collection(.login)?.label == "Mine")
    }

    @Test func `the default collection of an older file of labels is left out`() throws {
        let path = folder.appending(path: "older").path
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data("default\tWork\nlabel\tlogin\tMine\n".utf8),
                attributes: [.posixPermissions: 0o600]))
        let names = CollectionNames(path: path) { Issue.record("\($0)") }
        let storage = try memory.run { try KeychainStorage(KeychainClient.current, names: names) }
        #expect(try storage.collection(.login)?.label == "Mine")
        try storage.setLabel(of: .login, "Other")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "label\tlogin\tOther\n")
    }

    @Test func `the file of labels is private, and its faults are named`() throws {
        let path = folder.appending(path: "new/folder/names").path
        var reports: [String] = []
        let names = CollectionNames(path: path) { reports.append($0) }
        let storage = try memory.run { try KeychainStorage(KeychainClient.current, names: names) }
        try storage.setLabel(of: .login, "Mine")
        #expect(reports.isEmpty)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        _ = CollectionNames(path: path) { reports.append($0) }
        #expect(reports.count == 1 && reports[0].contains("\(path) can be read by other users (mode 644)"))
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(count: (4 << 20) + 1), attributes: [.posixPermissions: 0o600]))
        _ = CollectionNames(path: path) { reports.append($0) }
        #expect(reports.count == 2 && reports[1].contains("\(path) has more than 4194304 bytes"))

        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let refused = failure { try storage.setLabel(of: .login, "Other") }
        guard case .unavailable(let reason) = refused else { throw try #require(refused) }
        #expect(reason.contains("\(path): rename: Is a directory"))
        #expect(try storage.collection(.login)?.label == "Mine")
    }

    @Test(arguments: ["../login", "/etc/passwd", ".hidden", "", "no such", "Work.keychain-db"])
    func `a name that no collection has names none`(_ name: String) throws {
        #expect(try storage.collection(CollectionID(name)) == nil)
        #expect(failure { try storage.items(in: CollectionID(name), limit: nil) } == .noSuchObject)
    }

    @Test func `the program is known by its first access group`() throws {
        #expect(try storage.program() == ClientProgram("tests"))
        let fixed = failure { try storage.deleteCollection(.login, .none) }
        guard case .unsupported = fixed else { throw try #require(fixed) }
    }
}
