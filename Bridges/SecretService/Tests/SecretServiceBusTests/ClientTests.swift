// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import SecretService
import SecretServiceBus
import Synchronization
import Testing

/// Sessions, prompts and the access of several programs.
@Suite(.timeLimit(.minutes(5))) struct ClientTests {
    @Test func `another program's item is locked, and shows its label and attributes alone`() async throws {
        try await onThread {
            let server = try SecretServer()
            let owner = try server.client("mail")
            let item = try owner.store(["user": "ann"])
            let other = try server.client("browser")
            #expect(try other.search(["user": "ann"]).unlocked == [])
            #expect(try other.search(["user": "ann"]).locked == [item])
            #expect(try other.property("Locked", of: "Item", at: item) == .boolean(true))
            #expect(try other.property("Label", of: "Item", at: item) == .string("Mail"))
            #expect(
                try other.property("Attributes", of: "Item", at: item) == SecretClient.attributes(["user": "ann"]))
            let session = try other.openSession()
            #expect(try other.error { try $0.item("GetSecret", [.objectPath(session)], at: item) } == "IsLocked")
            #expect(
                try other.error { try $0.item("SetSecret", [SecretClient.secret(session, [1])], at: item) }
                    == "IsLocked")
            #expect(try other.error { try $0.set("Label", of: "Item", at: item, .string("Mine")) } == "IsLocked")
            #expect(
                try other.service("GetSecrets", [SecretClient.paths([item]), .objectPath(session)])
                    == [.dictionary(key: .objectPath, value: "(oayays)", [])])
            // GetSecret alone has prompted, and no prompt was possible.
            #expect(server.keychain.state.withLock(\.promptCount) == 1)
            #expect(try owner.read(item) == Array("secret".utf8))
        }
    }

    @Test func `GetSecret of another program's item waits for the user, and a locked collection does not prompt`()
        async throws
    {
        try await onThread {
            let server = try SecretServer()
            let item = try server.client("mail").store(["user": "ann"])
            let other = try server.client("browser")
            server.keychain.state.withLock { $0.answer = .deny }
            #expect(try other.error { _ = try $0.read(item) } == "IsLocked")
            #expect(try other.property("Locked", of: "Item", at: item) == .boolean(true))
            server.keychain.state.withLock { $0.answer = .allow }
            #expect(try other.read(item) == Array("secret".utf8))
            #expect(try other.property("Locked", of: "Item", at: item) == .boolean(false))
            #expect(try other.read(item) == Array("secret".utf8))
            #expect(server.keychain.state.withLock(\.promptCount) == 2)
            server.keychain.state.withLock { $0.collections[.login]?.isLocked = true }
            #expect(try other.error { _ = try $0.read(item) } == "IsLocked")
            #expect(server.keychain.state.withLock(\.promptCount) == 2)
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `an allowed prompt unlocks an item for the client that asked`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let server = try SecretServer(kind)
            let item = try server.client("mail").store(["user": "ann"])
            let other = try server.client("browser")
            let third = try server.client("editor")
            server.keychain.state.withLock { $0.answer = .allow }
            let (unlocked, prompt) = try other.unlock([item])
            #expect(unlocked == SecretClient.paths([]))
            #expect(server.keychain.state.withLock(\.promptCount) == 0)
            // A prompt is an object of its client.
            #expect(try third.error { try $0.prompt("Prompt", at: prompt) } == "NoSuchObject")
            #expect(try third.error { try $0.prompt("Dismiss", at: prompt) } == "NoSuchObject")
            try other.prompt("Prompt", at: prompt)
            let completed = try #require(try other.completed(prompt))
            #expect(!completed.isDismissed)
            #expect(completed.result == SecretClient.paths([item]))
            #expect(try other.read(item) == Array("secret".utf8))
            #expect(try other.unlock([item]).unlocked == SecretClient.paths([item]))
            #expect(try third.search(["user": "ann"]).locked == [item])
            // The prompt has ended.
            #expect(try other.error { try $0.prompt("Prompt", at: prompt) } == "NoSuchObject")
        }
    }

    @Test(arguments: [MemoryKeychain.PromptAnswer.deny, .impossible])
    func `a denied or impossible prompt is dismissed`(_ answer: MemoryKeychain.PromptAnswer) async throws {
        try await onThread {
            let server = try SecretServer()
            let item = try server.client("mail").store(["user": "ann"])
            let other = try server.client("browser")
            server.keychain.state.withLock { $0.answer = answer }
            let prompt = try other.unlock([item]).prompt
            try other.prompt("Prompt", at: prompt)
            let completed = try #require(try other.completed(prompt))
            #expect(completed.isDismissed)
            #expect(completed.result == SecretClient.paths([]))
            let deletion = try #require(try other.item("Delete", at: item)[0].objectPath)
            try other.prompt("Prompt", at: deletion)
            #expect(try #require(try other.completed(deletion)).isDismissed)
            #expect(try other.search(["user": "ann"]).locked == [item])
        }
    }

    @Test func `a client may dismiss a prompt before and during it, and is served meanwhile`() async throws {
        try await onThread {
            let server = try SecretServer()
            let item = try server.client("mail").store(["user": "ann"])
            let other = try server.client("browser")
            server.keychain.state.withLock { $0.answer = .wait }
            let early = try other.unlock([item]).prompt
            try other.prompt("Dismiss", at: early)
            #expect(try #require(try other.completed(early)).isDismissed)
            #expect(server.keychain.state.withLock(\.promptCount) == 0)
            let late = try other.unlock([item]).prompt
            try other.prompt("Prompt", at: late)
            // The calls of the client do not wait for its prompt.
            #expect(try other.search(["user": "ann"]).locked == [item])
            try other.prompt("Dismiss", at: late)
            #expect(try #require(try other.completed(late)).isDismissed)
            #expect(try other.error { try $0.prompt("Dismiss", at: late) } == "NoSuchObject")
        }
    }

    @Test func `a client that exits during a prompt ends it and its view of the keychain`() async throws {
        try await onThread {
            let server = try SecretServer()
            let owner = try server.client("mail")
            let item = try owner.store(["user": "ann"])
            server.keychain.state.withLock { $0.answer = .wait }
            do {
                let other = try server.client("browser")
                let prompt = try other.unlock([item]).prompt
                try other.prompt("Prompt", at: prompt)
                // Wait until the prompt is shown.
                while server.keychain.state.withLock(\.promptCount) == 0 { _ = try other.search(["user": "ann"]) }
            }
            // The connection is closed; calls of another client are answered until the end has been handled.
            while server.keychain.state.withLock({ $0.cancelledPromptCount == 0 || $0.closedCount == 0 }) {
                _ = try owner.search(["user": "ann"])
            }
            #expect(try owner.read(item) == Array("secret".utf8))
        }
    }

    @Test func `a session belongs to its client, and ends when it is closed`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let other = try server.client()
            let item = try client.store(["user": "ann"])
            let session = try client.openSession()
            for path in [session, "/org/freedesktop/secrets/session/s999", "/", SecretClient.login] {
                #expect(
                    try other.error { try $0.item("GetSecret", [.objectPath(path)], at: item) } == "NoSession")
                #expect(
                    try other.error { try $0.service("GetSecrets", [SecretClient.paths([]), .objectPath(path)]) }
                        == "NoSession")
                #expect(
                    try other.error { try $0.item("SetSecret", [SecretClient.secret(path, [1])], at: item) }
                        == "NoSession")
            }
            #expect(
                try other.error { try $0.call("Close", of: "org.freedesktop.Secret.Session", at: session) }
                    == "NoSession")
            #expect(
                try client.item("GetSecret", [.objectPath(session)], at: item)
                    == [SecretClient.secret(session, Array("secret".utf8))])
            try client.call("Close", of: "org.freedesktop.Secret.Session", at: session)
            #expect(
                try client.error { try $0.item("GetSecret", [.objectPath(session)], at: item) } == "NoSession")
        }
    }

    @Test func `a secret that is not encrypted for its session changes nothing`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let item = try client.store(["user": "ann"])
            let (session, _) = try client.openEncryptedSession()
            let bad: [(parameters: Int, value: Int)] = [(16, 15), (16, 0), (0, 16), (15, 16), (16, 17)]
            for (parameters, value) in bad {
                let secret = SecretClient.secret(
                    session, .init(repeating: 1, count: value), parameters: .init(repeating: 1, count: parameters))
                #expect(try client.error { try $0.item("SetSecret", [secret], at: item) } == "InvalidArgs")
            }
            #expect(try client.read(item) == Array("secret".utf8))
        }
    }

    @Test func `an unknown algorithm is not supported, so that clients try plain`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            func open(_ algorithm: String, _ input: Value) throws -> String? {
                try client.error { try $0.service("OpenSession", [.string(algorithm), .variant(input)]) }
            }
            #expect(try open("dh-ietf4096", .bytes([2])) == "NotSupported")
            #expect(try open("dh-ietf1024-sha256-aes128-cbc-pkcs7", .bytes([1])) == "InvalidArgs")
            #expect(try open("dh-ietf1024-sha256-aes128-cbc-pkcs7", .string("")) == "InvalidArgs")
            #expect(try open("plain", .string("")) == nil)
        }
    }

    @Test func `sessions and prompts of a client are bounded`() async throws {
        try await onThread {
            let server = try SecretServer()
            let item = try server.client("mail").store(["user": "ann"])
            let client = try server.client("browser")
            let first = try client.openSession()
            for _ in 1..<256 { _ = try client.openSession() }
            #expect(try client.error { _ = try $0.openSession() } == "LimitsExceeded")
            try client.call("Close", of: "org.freedesktop.Secret.Session", at: first)
            #expect(try client.error { _ = try $0.openSession() } == nil)
            for _ in 0..<64 { #expect(try client.unlock([item]).prompt != "/") }
            #expect(try client.error { _ = try $0.unlock([item]) } == "LimitsExceeded")
            // Others are served.
            #expect(try server.client("mail").read(item) == Array("secret".utf8))
        }
    }

    @Test func `the connections of one process are bounded`() async throws {
        try await onThread {
            let server = try SecretServer()
            var clients: [SecretClient] = []
            for _ in 0..<64 { clients.append(try server.client("mail")) }
            let more = SecretClient(try server.bus.connect())
            // Also for a call that needs no keychain.
            #expect(try more.error { _ = try $0.openSession() } == "LimitsExceeded")
            #expect(try clients[0].error { _ = try $0.openSession() } == nil)
            clients.removeLast()
            try wait(for: "a place for a connection") { try more.error { _ = try $0.openSession() } == nil }
        }
    }

    @Test func `a client without calls, sessions and prompts gives way to a new one`() async throws {
        try await onThread {
            var limits = BusServer.Limits()
            limits.watches = 2
            let server = try SecretServer(on: PrivateBus(), limits: limits)
            let first = try server.client("mail")
            let item = try first.store(["user": "ann"])
            let session = try first.openSession()
            let (second, third) = (try server.bus.connect(), try server.bus.connect())
            for connection in [second, third, second] {
                let client = SecretClient(connection)
                // A client is idle soon after the answer to its last call.
                try wait(for: "the end of an idle client") {
                    try client.error { try $0.service("ReadAlias", [.string("default")]) } == nil
                }
            }
            #expect(try first.error { try $0.item("GetSecret", [.objectPath(session)], at: item) } == nil)
            try wait(for: "a session of the third client") {
                try SecretClient(third).error { _ = try $0.openSession() } == nil
            }
            #expect(
                try SecretClient(second).error { try $0.service("ReadAlias", [.string("default")]) }
                    == "LimitsExceeded")
            #expect(try first.error { try $0.item("GetSecret", [.objectPath(session)], at: item) } == nil)
        }
    }

    @Test func `the prompts of all clients together are bounded`() async throws {
        try await onThread {
            let server = try SecretServer()
            let item = try server.client("mail").store(["user": "ann"])
            let last = try server.client("editor")
            var clients: [SecretClient] = []
            var first: ObjectPath?
            for _ in 0..<8 {
                let client = try server.client("browser")
                clients.append(client)
                for _ in 0..<64 {
                    let prompt = try client.unlock([item]).prompt
                    first = first ?? prompt
                }
            }
            #expect(try last.error { _ = try $0.unlock([item]) } == "LimitsExceeded")
            // Operations without a prompt are served.
            #expect(try last.search(["user": "ann"]).locked == [item])
            try clients[0].prompt("Dismiss", at: try #require(first))
            #expect(try last.error { _ = try $0.unlock([item]) } == nil)
            #expect(try last.error { _ = try $0.unlock([item]) } == "LimitsExceeded")
            // A client that exits leaves no prompts. Calls are answered until its end has been handled.
            clients.removeLast()
            while try last.error({ _ = try $0.unlock([item]) }) != nil {}
        }
    }

    @Test func `the items that prompts of all clients keep are bounded in bytes`() async throws {
        try await onThread {
            let server = try SecretServer()
            server.keychain.state.withLock { $0.collections[.login]?.isLocked = true }
            func create(_ client: SecretClient, _ byteCount: Int) throws -> ObjectPath? {
                try client.collection(
                    "CreateItem",
                    [
                        SecretClient.properties("Item", label: "Mail", ["user": "ann"]),
                        SecretClient.secret(
                            try client.openSession(), .init(repeating: 1, count: byteCount)), .boolean(true),
                    ])[1].objectPath
            }
            // Four items of different clients, which leave less than 4096 bytes of 32 MiB.
            var prompts: [ObjectPath] = []
            let clients = try (0..<4).map { _ in try server.client() }
            for client in clients { prompts.append(try #require(try create(client, 8 << 20 - 1024))) }
            let other = try server.client("browser")
            #expect(try other.error { _ = try create($0, 4096) } == "LimitsExceeded")
            #expect(try create(other, 100) != "/")
            try clients[0].prompt("Dismiss", at: prompts[0])
            #expect(try other.error { _ = try create($0, 4096) } == nil)
            #expect(server.keychain.state.withLock(\.entries).isEmpty)
        }
    }

    @Test func `a client is identified again after a failure`() async throws {
        try await onThread {
            let server = try SecretServer()
            server.keychain.state.withLock { $0.isReachable = false }
            let client = SecretClient(try server.bus.connect())
            // A session needs no keychain.
            _ = try client.openSession()
            #expect(try client.error { _ = try $0.search(["user": "ann"]) } == "Failed")
            server.keychain.state.withLock { $0.isReachable = true }
            #expect(try client.search(["user": "ann"]).unlocked == [])
            _ = try client.search(["user": "ann"])
            #expect(server.keychain.state.withLock(\.openedCount) == 1)
        }
    }

    @Test func `items in memory belong to the program that stored them`() async throws {
        try await onThread {
            let server = try SecretServer()
            let session = ObjectName.collection(.session).path
            let item = try server.client("mail").store(["user": "ann"], in: session)
            #expect(try server.client("mail").read(item) == Array("secret".utf8))
            let other = try server.client("browser")
            server.keychain.state.withLock { $0.answer = .allow }
            #expect(try other.search(["user": "ann"]).locked == [item])
            let prompt = try other.unlock([item]).prompt
            try other.prompt("Prompt", at: prompt)
            #expect(try #require(try other.completed(prompt)).isDismissed)
            #expect(try other.error { _ = try $0.read(item) } == "IsLocked")
            #expect(server.keychain.state.withLock(\.promptCount) == 0)
        }
    }
}
