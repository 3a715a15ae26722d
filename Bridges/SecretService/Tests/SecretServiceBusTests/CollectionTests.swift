// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import SecretService
import SecretServiceBus
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct CollectionTests {
    private static let session = ObjectName.collection(.session).path
    private static let keyring: InterfaceName = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"

    @Test(arguments: PrivateBus.Kind.allCases)
    func `default, login and session exist without a prompt`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let server = try SecretServer(kind)
            let client = try server.client()
            for (alias, path) in [
                ("default", SecretClient.login), ("login", SecretClient.login), ("session", Self.session),
                ("other", "/"),
            ] {
                #expect(try client.service("ReadAlias", [.string(alias)]) == [.objectPath(path)])
            }
            #expect(
                try client.property("Collections", of: "Service", at: ObjectName.root)
                    == SecretClient.paths([SecretClient.login, Self.session]))
            // The specification: a collection that has the alias already is returned.
            #expect(
                try client.service(
                    "CreateCollection", [SecretClient.properties("Collection", label: "Mine"), .string("default")])
                    == [.objectPath(SecretClient.login), .objectPath("/")])
            let item = try client.store(["user": "ann"], in: "/org/freedesktop/secrets/aliases/default")
            #expect(item.rawValue.hasPrefix(SecretClient.login.rawValue + "/"))
            #expect(server.keychain.state.withLock(\.promptCount) == 0)
        }
    }

    @Test func `a collection is created, announced and deleted, and is never the default`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            try client.connection.add(MatchRule(sender: SecretServiceProvider.name, path: ObjectName.root))
            server.keychain.state.withLock { $0.answer = .allow }
            let answer = try client.service(
                "CreateCollection", [SecretClient.properties("Collection", label: "Work 1"), .string("")])
            #expect(answer[0] == .objectPath("/"))
            let prompt = try #require(answer[1].objectPath)
            try client.prompt("Prompt", at: prompt)
            let path: ObjectPath = "/org/freedesktop/secrets/collection/Work_201"
            #expect(try client.signal("CollectionCreated", at: ObjectName.root) == [.objectPath(path)])
            #expect(try #require(try client.completed(prompt)).result == .objectPath(path))
            #expect(try client.property("Label", of: "Collection", at: path) == .string("Work 1"))
            for (alias, path) in [("default", path), ("login", path), ("default", "/"), ("other", path)] {
                #expect(
                    try client.error { try $0.service("SetAlias", [.string(alias), .objectPath(path)]) }
                        == "NotSupported")
            }
            try client.service("SetAlias", [.string("default"), .objectPath(SecretClient.login)])
            #expect(try client.service("ReadAlias", [.string("default")]) == [.objectPath(SecretClient.login)])
            let deletion = try #require(try client.collection("Delete", at: path)[0].objectPath)
            try client.prompt("Prompt", at: deletion)
            #expect(try !#require(try client.completed(deletion)).isDismissed)
            #expect(try client.error { _ = try $0.property("Label", of: "Collection", at: path) } == "NoSuchObject")
            #expect(try client.error { try $0.collection("Delete") } == "NotSupported")
            #expect(try client.error { try $0.collection("Delete", at: Self.session) } == "NotSupported")
        }
    }

    @Test func `a collection without a label is refused`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            for properties in [
                Value.dictionary(key: .string, value: .variant, []), SecretClient.properties("Collection", label: ""),
            ] {
                #expect(
                    try client.error { try $0.service("CreateCollection", [properties, .string("")]) } == "InvalidArgs")
            }
            let wrongType = Value.dictionary(
                key: .string, value: .variant,
                [.init(.string("org.freedesktop.Secret.Collection.Label"), .variant(.uint32(1)))])
            #expect(
                try client.error { try $0.service("CreateCollection", [wrongType, .string("")]) } == "InvalidArgs")
        }
    }

    @Test func `everything in a locked collection is locked until a prompt unlocks it`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let item = try client.store(["user": "ann"])
            #expect(
                try client.service("Lock", [SecretClient.paths([SecretClient.login, Self.session])])
                    == [SecretClient.paths([SecretClient.login]), .objectPath("/")])
            #expect(try client.property("Locked", of: "Collection", at: SecretClient.login) == .boolean(true))
            #expect(try client.search(["user": "ann"]).locked == [item])
            // A new item needs a prompt, which stores it.
            server.keychain.state.withLock { $0.answer = .allow }
            let answer = try client.collection(
                "CreateItem",
                [
                    SecretClient.properties("Item", label: "New", ["user": "bob"]),
                    SecretClient.secret(try client.openSession(), [1]), .boolean(true),
                ])
            #expect(answer[0] == .objectPath("/"))
            let prompt = try #require(answer[1].objectPath)
            #expect(try client.search(["user": "bob"]).locked == [])
            try client.prompt("Prompt", at: prompt)
            let created = try #require(try client.completed(prompt)?.result.objectPath)
            #expect(try client.search(["user": "bob"]).unlocked == [created])
            // Already unlocked: no prompt.
            let (unlocked, none) = try client.unlock([SecretClient.login, item, Self.session])
            #expect(unlocked == SecretClient.paths([SecretClient.login, item, Self.session]))
            #expect(none == "/")
        }
    }

    @Test func `passwords create, unlock and change collections without a display`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let (session, cipher) = try client.openEncryptedSession()
            func secret(_ text: String) throws -> Value {
                let sent = try cipher.encrypt(Array(text.utf8)) { .init(repeating: 3, count: $0) }
                return SecretClient.secret(session, sent.value, parameters: sent.parameters)
            }
            func call(_ member: MemberName, _ arguments: [Value]) throws -> [Value] {
                try client.call(member, of: Self.keyring, at: ObjectName.root, arguments)
            }
            let login = Value.objectPath(SecretClient.login)
            try client.service("Lock", [SecretClient.paths([SecretClient.login])])
            #expect(
                try client.error { _ in _ = try call("UnlockWithMasterPassword", [login, try secret("wrong")]) }
                    == "InvalidArgs")
            #expect(try call("ChangeWithMasterPassword", [login, try secret("old"), try secret("new")]) == [])
            try client.service("Lock", [SecretClient.paths([SecretClient.login])])
            #expect(try call("UnlockWithMasterPassword", [login, try secret("new")]) == [])
            #expect(try client.property("Locked", of: "Collection", at: SecretClient.login) == .boolean(false))
            let created = try call(
                "CreateWithMasterPassword", [SecretClient.properties("Collection", label: "Work"), try secret("w")])
            #expect(created == [.objectPath("/org/freedesktop/secrets/collection/Work")])
            #expect(server.keychain.state.withLock(\.promptCount) == 0)
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `programs that explore the bus find every object`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let server = try SecretServer(kind)
            let client = try server.client()
            let item = try client.store(["user": "ann"])
            func introspect(_ path: ObjectPath) throws -> String {
                try client.call("Introspect", of: StandardInterface.introspectable.name, at: path)[0].string ?? ""
            }
            #expect(try introspect("/org/freedesktop").contains("<node name=\"secrets\"/>"))
            let root = try introspect(ObjectName.root)
            #expect(root.contains("<interface name=\"org.freedesktop.Secret.Service\">"))
            #expect(root.contains("<node name=\"collection\"/>"))
            #expect(try introspect("/org/freedesktop/secrets/collection").contains("<node name=\"login\"/>"))
            #expect(try introspect("/org/freedesktop/secrets/collection").contains("<node name=\"session\"/>"))
            let name = try #require(item.rawValue.split(separator: "/").last)
            #expect(try introspect(SecretClient.login).contains("<node name=\"\(name)\"/>"))
            #expect(try introspect(item).contains("<interface name=\"org.freedesktop.Secret.Item\">"))
        }
    }
}
