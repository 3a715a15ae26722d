// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import SecretService
import SecretServiceBus
import Testing

@Suite(.timeLimit(.minutes(5))) struct ItemTests {
    @Test(arguments: PrivateBus.Kind.allCases)
    func `an item is stored, found and read in an encrypted session`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let server = try SecretServer(kind)
            let client = try server.client()
            let (session, cipher) = try client.openEncryptedSession()
            let sent = try cipher.encrypt(Array("secret".utf8)) { .init(repeating: 9, count: $0) }
            let created = try client.collection(
                "CreateItem",
                [
                    SecretClient.properties("Item", label: "Mail", ["user": "ann"]),
                    SecretClient.secret(session, sent.value, parameters: sent.parameters), .boolean(false),
                ])
            let path = try #require(created[0].objectPath)
            #expect(created[1] == .objectPath("/"))
            #expect(try client.search(["user": "ann"]).unlocked == [path])
            let secrets = try client.service("GetSecrets", [SecretClient.paths([path]), .objectPath(session)])[0]
            guard case .dictionary(.objectPath, "(oayays)", let entries) = secrets,
                let members = entries.first?.value.members, case .bytes(let parameters) = members[1],
                case .bytes(let value) = members[2]
            else {
                Issue.record("no secret: \(secrets)")
                return
            }
            #expect(entries.map(\.key) == [.objectPath(path)])
            #expect(members[0] == .objectPath(session))
            #expect(value != Array("secret".utf8))
            #expect(try cipher.decrypt(.init(parameters: parameters, value: value)) == Array("secret".utf8))
        }
    }

    @Test(arguments: [[], [0], Array("a\0b\n".utf8), [0xff, 0xfe, 0x0a], .init(repeating: 7, count: 100_000)])
    func `every value returns as it was, with its content type`(_ value: [UInt8]) async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let session = try client.openSession()
            for path in [SecretClient.login, ObjectName.collection(.session).path] {
                for type in ["text/plain; charset=utf8", "", "application/octet-stream"] {
                    let item = try client.store(["type": type], in: path)
                    try client.item(
                        "SetSecret", [SecretClient.secret(session, value, contentType: type)], at: item)
                    #expect(
                        try client.item("GetSecret", [.objectPath(session)], at: item)
                            == [SecretClient.secret(session, value, contentType: type)])
                }
            }
        }
    }

    @Test func `a search has the newest item first, and needs attributes`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let first = try client.store(["user": "ann", "host": "a"])
            let second = try client.store(["user": "ann", "host": "b"])
            let third = try client.store(["user": "bob", "host": "b"])
            #expect(try client.search(["user": "ann"]).unlocked == [second, first])
            #expect(try client.search(["user": "ann", "host": "a"]).unlocked == [first])
            #expect(try client.search(["user": "eve"]).unlocked == [])
            #expect(try client.search([:]).unlocked == [])
            try client.set("Label", of: "Item", at: first, .string("Newer"))
            #expect(try client.search(["user": "ann"]).unlocked == [first, second])
            let inCollection = try client.collection(
                "SearchItems", [SecretClient.attributes(["host": "b"])], at: "/org/freedesktop/secrets/aliases/default")
            #expect(inCollection == [SecretClient.paths([third, second])])
            #expect(try client.collection("SearchItems", [SecretClient.attributes([:])]) == [SecretClient.paths([])])
        }
    }

    @Test func `replace needs exactly the same attributes`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let first = try client.store(["user": "ann"], "one")
            let second = try client.store(["user": "ann", "host": "a"], "two")
            #expect(second != first)
            #expect(try client.store(["user": "ann"], "three") == first)
            #expect(try client.read(first) == Array("three".utf8))
            #expect(try client.read(second) == Array("two".utf8))
            #expect(try client.store(["user": "ann"], "four", replace: false) != first)
        }
    }

    @Test func `properties are complete, and Attributes and Label can be set`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let item = try client.store(["xdg:schema": "org.example.Mail", "user": "ann"])
            func all(_ interface: String, _ path: ObjectPath) throws -> Value {
                try client.call(
                    "GetAll", of: StandardInterface.properties.name, at: path,
                    [.string("org.freedesktop.Secret.\(interface)")])[0]
            }
            let before = try all("Item", item)
            #expect(before["Label"]?.unwrapped == .string("Mail"))
            #expect(before["Type"]?.unwrapped == .string("org.example.Mail"))
            #expect(before["Locked"]?.unwrapped == .boolean(false))
            #expect(before["Created"]?.unwrapped == .uint64(1001))
            #expect(before["Modified"]?.unwrapped == .uint64(1001))
            try client.set("Label", of: "Item", at: item, .string("Work"))
            try client.set("Attributes", of: "Item", at: item, SecretClient.attributes(["user": "bob"]))
            let after = try all("Item", item)
            #expect(after["Label"]?.unwrapped == .string("Work"))
            #expect(after["Attributes"]?.unwrapped == SecretClient.attributes(["user": "bob"]))
            #expect(after["Type"]?.unwrapped == .string("org.freedesktop.Secret.Generic"))
            #expect(after["Modified"]?.unwrapped == .uint64(1003))
            let collection = try all("Collection", SecretClient.login)
            #expect(collection["Items"]?.unwrapped == SecretClient.paths([item]))
            #expect(collection["Label"]?.unwrapped == .string("Login"))
            #expect(collection["Locked"]?.unwrapped == .boolean(false))
            #expect(collection["Created"]?.unwrapped == .uint64(1000))
        }
    }

    @Test func `clients are told of changes`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let watcher = try server.client()
            try watcher.connection.add(MatchRule(sender: SecretServiceProvider.name))
            let item = try client.store(["user": "ann"])
            #expect(try watcher.signal("ItemCreated", at: SecretClient.login) == [.objectPath(item)])
            let listed = try #require(try watcher.signal("PropertiesChanged", at: SecretClient.login))
            #expect(listed[1]["Items"]?.unwrapped == SecretClient.paths([item]))
            try client.set("Label", of: "Item", at: item, .string("Work"))
            #expect(try watcher.signal("ItemChanged", at: SecretClient.login) == [.objectPath(item)])
            #expect(try client.item("Delete", at: item) == [.objectPath("/")])
            #expect(try watcher.signal("ItemDeleted", at: SecretClient.login) == [.objectPath(item)])
            let empty = try #require(try watcher.signal("PropertiesChanged", at: SecretClient.login))
            #expect(empty[1]["Items"]?.unwrapped == SecretClient.paths([]))
            #expect(try client.error { try $0.item("Delete", at: item) } == "NoSuchObject")
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `labels and attributes are announced to the client that changed them alone`(
        _ kind: PrivateBus.Kind
    ) async throws {
        try await onThread {
            let server = try SecretServer(kind)
            let client = try server.client()
            let watcher = try server.client("browser")
            try watcher.connection.add(MatchRule(sender: SecretServiceProvider.name))
            let item = try client.store(["user": "ann"])
            func announced(_ property: String, at path: ObjectPath) throws -> Value? {
                try client.signal("PropertiesChanged", at: path) { $0[1][property] != nil }?[1][property]?.unwrapped
            }
            try client.set("Label", of: "Item", at: item, .string("Work"))
            #expect(try announced("Label", at: item) == .string("Work"))
            try client.set("Attributes", of: "Item", at: item, SecretClient.attributes(["user": "bob"]))
            #expect(try announced("Attributes", at: item) == SecretClient.attributes(["user": "bob"]))
            try client.item("SetSecret", [SecretClient.secret(try client.openSession(), [1])], at: item)
            let date = try client.signal("PropertiesChanged", at: item) { arguments in
                arguments[1]["Modified"]?.unwrapped == .uint64(1004)
            }
            #expect(date != nil)
            try client.set("Label", of: "Collection", at: SecretClient.login, .string("Mine"))
            #expect(try announced("Label", at: SecretClient.login) == .string("Mine"))
            try client.item("Delete", at: item)
            var members: Set<MemberName> = []
            while let message = try watcher.connection.next(until: .now + .seconds(60), or: nil)?.message {
                guard message.kind == .signal, let member = message.member,
                    message.path?.rawValue.hasPrefix(ObjectName.root.rawValue) == true
                else { continue }
                members.insert(member)
                var arguments = try message.arguments()
                if member == "PropertiesChanged" {
                    guard case .dictionary(_, _, let entries) = arguments[1] else { throw BusError.unexpectedAnswer }
                    arguments = entries.flatMap { $0.value.unwrapped.elements ?? [$0.value] }
                }
                #expect(arguments.allSatisfy { $0.objectPath != nil }, "\(member): \(arguments)")
                if member == "ItemDeleted" { break }
            }
            #expect(
                members == ["ItemCreated", "ItemChanged", "ItemDeleted", "CollectionChanged", "PropertiesChanged"])
        }
    }

    @Test func `objects that do not exist have the error of the specification`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let session = Value.objectPath(try client.openSession())
            let item: ObjectPath = "/org/freedesktop/secrets/collection/login/77"
            let collection: ObjectPath = "/org/freedesktop/secrets/collection/none"
            #expect(try client.error { try $0.item("GetSecret", [session], at: item) } == "NoSuchObject")
            #expect(try client.error { _ = try $0.property("Label", of: "Item", at: item) } == "NoSuchObject")
            #expect(
                try client.error {
                    try $0.call(
                        "GetAll", of: StandardInterface.properties.name, at: item,
                        [.string("org.freedesktop.Secret.Item")])
                } == "NoSuchObject")
            #expect(try client.error { try $0.store(["a": "b"], in: collection) } == "NoSuchObject")
            #expect(try client.error { try $0.collection("Delete", at: collection) } == "NoSuchObject")
            #expect(
                try client.error { try $0.collection("Delete", at: "/org/freedesktop/secrets/aliases/no") }
                    == "NoSuchObject")
            #expect(
                try client.error {
                    try $0.call(
                        "Prompt", of: "org.freedesktop.Secret.Prompt", at: "/org/freedesktop/secrets/prompt/p9",
                        [.string("")])
                }
                    == "NoSuchObject")
            // A path that no object can have.
            #expect(
                try client.error { try $0.item("GetSecret", [session], at: "/org/freedesktop/secrets/x") }
                    == "UnknownObject")
            // Unknown items are left out of an answer, as items that cannot be read.
            let known = try client.store(["user": "ann"])
            guard
                case .dictionary(_, _, let entries) = try client.service(
                    "GetSecrets", [SecretClient.paths([item, known, collection]), session])[0]
            else { throw BusError.unexpectedAnswer }
            #expect(entries.map(\.key) == [.objectPath(known)])
            #expect(try client.unlock([item, collection]).unlocked == SecretClient.paths([]))
        }
    }

    @Test func `attributes beyond the bound are refused, and the provider keeps running`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let many = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("name\($0)", "") })
            #expect(try client.error { _ = try $0.search(many) } == "LimitsExceeded")
            #expect(try client.error { try $0.store(many) } == "LimitsExceeded")
            let allowed = Dictionary(uniqueKeysWithValues: (0..<1024).map { ("name\($0)", "") })
            let item = try client.store(allowed)
            #expect(try client.search(allowed).unlocked == [item])
        }
    }
}
