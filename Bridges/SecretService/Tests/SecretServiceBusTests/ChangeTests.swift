// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Glibc
import SecretService
import SecretServiceBus
import Testing

/// Changes that programs make through other interfaces of the keychain.
@Suite(.timeLimit(.minutes(5))) struct ChangeTests {
    private static let work = CollectionID("work")
    private static let path = ObjectName.collection(.login).path

    /// Connects a program that receives all signals, and calls no method.
    private static func watcher(_ server: SecretServer) throws -> SecretClient {
        let watcher = SecretClient(try server.bus.connect())
        try watcher.connection.add(MatchRule(sender: SecretServiceProvider.name))
        return watcher
    }

    private static func waitForWatch(of programs: [String], _ server: SecretServer) throws {
        try wait(for: "a watch with the rights of \(programs)") { server.keychain.watchers == programs }
    }

    @Test func `changes of items, collections and locks are announced to all programs by paths alone`() async throws {
        try await onThread {
            let server = try SecretServer()
            let item = try server.client().store(["user": "ann"])
            let client = try server.client()
            _ = try client.search(["user": "ann"])
            let watcher = try Self.watcher(server)
            _ = try client.search(["user": "ann"])
            try wait(for: "a watch") { server.keychain.watchers.count == 1 }
            guard case .item(let id)? = ObjectName(item) else { throw BusError.unexpectedAnswer }
            let changes: [(StorageEvent.Change, MemberName, ObjectPath, ObjectPath)] = [
                (.itemCreated(id), "ItemCreated", Self.path, item),
                (.itemChanged(id), "ItemChanged", Self.path, item),
                (.itemDeleted(id), "ItemDeleted", Self.path, item),
                (
                    .collectionCreated(Self.work), "CollectionCreated", ObjectName.root,
                    ObjectName.collection(Self.work).path
                ),
                (.collectionLocked(.login), "CollectionChanged", ObjectName.root, Self.path),
                (.collectionUnlocked(.login), "CollectionChanged", ObjectName.root, Self.path),
                (
                    .collectionDeleted(Self.work), "CollectionDeleted", ObjectName.root,
                    ObjectName.collection(Self.work).path
                ),
            ]
            for (change, signal, path, argument) in changes {
                server.keychain.happens(change)
                #expect(try watcher.signal(signal, at: path) == [.objectPath(argument)])
            }
        }
    }

    @Test func `a change by the process of a client is announced once, with its call`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            _ = try client.store(["user": "ann"])
            let watcher = try Self.watcher(server)
            try Self.waitForWatch(of: ["mail"], server)
            server.keychain.happens(.itemChanged(ItemID(.login, "own")), by: UInt32(getpid()))
            server.keychain.happens(.itemChanged(ItemID(.login, "other")))
            #expect(
                try watcher.signal("ItemChanged", at: Self.path)
                    == [.objectPath(ObjectName.item(ItemID(.login, "other")).path)])
        }
    }

    @Test func `the watch goes on with another client's rights when a client disconnects, and ends with the last one`()
        async throws
    {
        try await onThread {
            let server = try SecretServer()
            var first: SecretClient? = try server.client("mail")
            _ = try first?.search(["user": "ann"])
            _ = try first?.search(["user": "ann"])
            try Self.waitForWatch(of: ["mail"], server)
            var second: SecretClient? = try server.client("browser")
            _ = try second?.search(["user": "ann"])
            _ = try second?.search(["user": "ann"])
            #expect(server.keychain.watchers == ["mail"])
            first = nil
            try Self.waitForWatch(of: ["browser"], server)
            second = nil
            try Self.waitForWatch(of: [], server)
        }
    }

    @Test func `an application in a sandbox watches nothing, and does not keep another program from it`() async throws {
        try await onThread {
            let server = try SecretServer()
            let application = try server.client("sandboxed")
            for _ in 0..<3 { _ = try application.search(["user": "ann"]) }
            let client = try server.client("mail")
            try wait(for: "the watch of the other program") {
                _ = try client.search(["user": "ann"])
                return server.keychain.watchers == ["mail"]
            }
        }
    }
}
