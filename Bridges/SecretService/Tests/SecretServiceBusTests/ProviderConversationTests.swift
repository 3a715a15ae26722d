// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Glibc
import KeychainHelperWire
import SecretService
import SecretServiceBus
import SecretServiceClient
import Synchronization
import Testing

/// The session of the helper with which `chatelaine setup desktop` reads another provider.
@Suite(.timeLimit(.minutes(5))) struct ProviderConversationTests {
    private static func conversation() throws -> ProviderConversation {
        ProviderConversation(until: try Wakeup()) { count in (0..<count).map { _ in .random(in: 0...255) } }
    }

    private static func ask(_ request: ProviderRequest, _ conversation: ProviderConversation) throws -> ProviderReply {
        try ProviderReply(conversation.answer(request.frame))
    }

    @Test func `a session names the owner, and reads each item`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            for number in 0..<70 { try client.store(["number": "\(number)"], "secret \(number)") }
            let conversation = try Self.conversation()
            guard case .owner(let owner) = try Self.ask(.connect(bus: server.bus.addressText), conversation) else {
                Issue.record("no owner")
                return
            }
            // The provider is in the process of the test.
            #expect(owner.process == UInt32(getpid()) && !owner.canStart)
            #expect(
                try Self.ask(.collections, conversation)
                    == .collections([
                        ProvidedCollection(label: "Login", isLocked: false, isTemporary: false, itemCount: 70),
                        ProvidedCollection(label: "Session", isLocked: false, isTemporary: true, itemCount: 0),
                    ]))
            guard case .items(let first) = try Self.ask(.items(collection: 0, first: 0), conversation),
                case .items(let second) = try Self.ask(.items(collection: 0, first: 64), conversation)
            else {
                Issue.record("no items")
                return
            }
            #expect(first.count == 64 && second.count == 6)
            #expect(try Self.ask(.items(collection: 0, first: 70), conversation) == .items([]))
            let item = try #require(ProvidedItem(label: "Mail", attributes: ["number": "69"], modified: 1070))
            #expect(second.last == .item(item))
            #expect(
                try Self.ask(.secret(collection: 0, item: 69), conversation)
                    == .secret(ProvidedSecret(value: Array("secret 69".utf8), contentType: "text/plain")))
            #expect(try Self.ask(.unlock(collection: 0), conversation) == .unlocked(true))
        }
    }

    @Test func `an item that cannot be read does not hide the others`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            try client.store(["a": String(repeating: "x", count: 8193)])
            let gone = try client.store(["b": "1"])
            try client.store(["c": "1"])
            let conversation = try Self.conversation()
            _ = try Self.ask(.connect(bus: server.bus.addressText), conversation)
            _ = try Self.ask(.collections, conversation)
            guard case .item(let id)? = ObjectName(gone) else {
                Issue.record("no item")
                return
            }
            _ = server.keychain.state.withLock { $0.entries.removeValue(forKey: id) }
            guard case .items(let items) = try Self.ask(.items(collection: 0, first: 0), conversation) else {
                Issue.record("no items")
                return
            }
            #expect(
                items == [
                    .unreadable("its label or its attributes are too large"), .unreadable("it does not exist any more"),
                    .item(ProvidedItem(label: "Mail", attributes: ["c": "1"], modified: 1003)!),
                ])
            #expect(
                try Self.ask(.secret(collection: 0, item: 1), conversation)
                    == .refusal(HelperRefusal(reason: "it does not exist any more")))
        }
    }

    @Test func `a second connection reads the provider on the other bus`() async throws {
        try await onThread {
            let (first, second) = (try SecretServer(), try SecretServer())
            try first.client().store(["a": "1"], "first")
            try second.client().store(["a": "1"], "second")
            let conversation = try Self.conversation()
            for (server, value) in [(first, "first"), (second, "second")] {
                _ = try Self.ask(.connect(bus: server.bus.addressText), conversation)
                #expect(
                    try Self.ask(.secret(collection: 0, item: 0), conversation)
                        == .refusal(HelperRefusal(reason: "the collection was not listed")))
                _ = try Self.ask(.collections, conversation)
                #expect(
                    try Self.ask(.secret(collection: 0, item: 0), conversation)
                        == .secret(ProvidedSecret(value: Array(value.utf8), contentType: "text/plain")))
            }
        }
    }

    @Test func `a content type that is too long is named`() async throws {
        try await onThread {
            let server = try SecretServer()
            let client = try server.client()
            let session = try client.openSession()
            let type = String(repeating: "x", count: ProviderLimits.contentTypeBytes + 1)
            _ = try client.collection(
                "CreateItem",
                [
                    SecretClient.properties("Item", label: "Mail", ["a": "1"]),
                    SecretClient.secret(session, [1], contentType: type), .boolean(false),
                ])
            let conversation = try Self.conversation()
            _ = try Self.ask(.connect(bus: server.bus.addressText), conversation)
            _ = try Self.ask(.collections, conversation)
            #expect(
                try Self.ask(.secret(collection: 0, item: 0), conversation)
                    == .refusal(
                        HelperRefusal(reason: "the content type of its secret is longer than 1024 bytes")))
        }
    }

    @Test func `requests out of order, and a bus that is missing, are refused with the reason`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let conversation = try Self.conversation()
            func reason(_ request: ProviderRequest) throws -> String? {
                guard case .refusal(let refusal) = try Self.ask(request, conversation) else { return nil }
                return refusal.reason
            }
            #expect(try reason(.owner) == "no bus is connected")
            #expect(try reason(.connect(bus: "tcp:host=a")) == "the address of the session bus names no Unix socket")
            #expect(
                try reason(.connect(bus: "unix:path=/nonexistent/bus")) == "there is no session bus at its address")
            #expect(
                try Self.ask(.connect(bus: bus.addressText), conversation)
                    == .owner(ProviderOwner(process: nil, canStart: false)))
            #expect(try reason(.items(collection: 0, first: 0)) == "the collection was not listed")
            #expect(try reason(.secret(collection: 0, item: 0)) == "the collection was not listed")
            // The bus knows no program for the name.
            #expect(
                try reason(.collections)
                    == "the provider answered with the error org.freedesktop.DBus.Error.ServiceUnknown")
            #expect(try Self.ask(.reload, conversation) == .owner(ProviderOwner(process: nil, canStart: false)))
            #expect(
                try ProviderReply(conversation.answer([1, 2, 3]))
                    == .refusal(HelperRefusal(reason: "the message is incomplete")))
        }
    }
}
