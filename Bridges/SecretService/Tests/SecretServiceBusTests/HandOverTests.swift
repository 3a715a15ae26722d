// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import SecretService
import SecretServiceBus
import Testing

/// The name on the bus, and its hand-over between providers.
@Suite(.timeLimit(.minutes(5))) struct HandOverTests {
    @Test(arguments: PrivateBus.Kind.allCases)
    func `a second provider leaves the name alone unless it replaces the first`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let first = try SecretServer(kind)
            let client = try first.client()
            let item = try client.store(["user": "ann"])
            let second = try SecretServer(on: first.bus, keychain: first.keychain)
            #expect(try second.waitForEnd() == .nameIsTaken)
            #expect(try client.read(item) == Array("secret".utf8))
            // A program that wants the name does not get it from a running provider.
            let thief = try first.bus.connect()
            #expect(
                try thief.perform(.name(SecretServiceProvider.name, [.replaceExisting, .doNotQueue])) == .exists)
            let stop = first.stopper
            let third = try SecretServer(on: first.bus, keychain: first.keychain, replaces: true) { _ in stop() }
            #expect(try first.waitForEnd() == .stopped)
            // The client opens a session of the new provider, and finds the item that it stored before.
            #expect(try client.search(["user": "ann"]).unlocked == [item])
            #expect(try client.read(item) == Array("secret".utf8))
            third.stop()
            #expect(try third.waitForEnd() == .stopped)
        }
    }

    @Test func `a provider that does not allow it is not replaced`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let other = try bus.connect()
            #expect(try other.perform(.name(SecretServiceProvider.name, .doNotQueue)) == .primaryOwner)
            #expect(try SecretServer(on: bus, replaces: true).waitForEnd() == .nameIsTaken)
        }
    }

    @Test func `calls that arrived before a hand-over are answered`() async throws {
        try await onThread {
            let first = try SecretServer()
            let client = try first.client()
            let serials = try (0..<32).map { number in
                try client.connection.send(
                    .call(
                        "ReadAlias", of: "org.freedesktop.Secret.Service", at: ObjectName.root,
                        on: SecretServiceProvider.name, [.string("default")]))
            }
            // The bus passes the calls on before it handles the request for the name.
            _ = try client.connection.perform(.hasOwner(SecretServiceProvider.name))
            let stop = first.stopper
            let second = try SecretServer(on: first.bus, keychain: first.keychain, replaces: true) { _ in stop() }
            var answered: Set<UInt32> = []
            while answered.count < serials.count,
                let next = try client.connection.next(until: .now + .seconds(60), or: nil)
            {
                guard next.message.kind == .methodReturn, let serial = next.message.replySerial else { continue }
                #expect(try next.message.arguments() == [.objectPath(SecretClient.login)])
                answered.insert(serial)
            }
            #expect(answered == Set(serials))
            withExtendedLifetime(second) {}
        }
    }

    @Test func `a bus that ends ends the provider with an error`() async throws {
        try await onThread {
            let server = try SecretServer()
            server.bus.stop()
            #expect(throws: BusError.self) { try server.waitForEnd() }
        }
    }
}
