// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainTesting
import Security
import Testing

/// The events in all keychains of a user, as a sequence.
struct EventTests {
    private let mail = GenericPassword(service: "com.example.mail", account: "ann")

    private typealias Events = AsyncStream<KeychainEvent>.Iterator

    /// Starts to watch: all later events are seen.
    private func watch(
        _ memory: InMemoryKeychain, _ kinds: Set<KeychainEvent.Kind>
    ) async throws -> (Task<Void, any Error>, Events) {
        let (seen, sees) = AsyncStream<KeychainEvent>.makeStream()
        let keychain = memory.keychain
        let watching = Task {
            for try await event in keychain.events(kinds.union([.itemAdded])) { sees.yield(event) }
            sees.finish()
        }
        var events = seen.makeAsyncIterator()
        // The watch begins with the first call of `next`; that an event was seen proves that it has.
        let probe = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                try await keychain.add(GenericPassword(service: "probe", account: "\(number)"), secret: nil)
            }
        }
        _ = await events.next()
        probe.cancel()
        _ = try await probe.value
        return (watching, events)
    }

    /// Watches while something is done, until the event that ends it.
    private func events(
        _ memory: InMemoryKeychain, _ kinds: Set<KeychainEvent.Kind>, until last: KeychainEvent.Kind,
        _ act: () async throws -> Void
    ) async throws -> [KeychainEvent] {
        var (watching, stream) = try await watch(memory, kinds)
        try await act()
        var events: [KeychainEvent] = []
        while let event = await stream.next() {
            events.append(event)
            if event.kind == last { break }
        }
        watching.cancel()
        try await watching.value
        // Without those that showed that watching had begun.
        let probes = try await memory.keychain.findAll(GenericPassword.Query(service: "probe")).map(\.reference)
        return events.filter { event in
            event.item(of: GenericPassword.self).map { !probes.contains($0) } ?? true
        }
    }

    @Test func `changes of items of this keychain come in order, and each change once`() async throws {
        let memory = try InMemoryKeychain()
        var added: ItemReference<GenericPassword>?
        let events = try await events(memory, Set(KeychainEvent.Kind.allCases), until: .itemDeleted) {
            let reference = try await memory.keychain.add(mail, secret: SecretData(utf8: "1"))
            try await memory.keychain.update(reference, secret: SecretData(utf8: "2"))
            try await memory.keychain.delete(reference)
            added = reference
        }
        #expect(events.map(\.kind) == [.itemAdded, .itemChanged, .itemDeleted])
        for event in events {
            #expect(event.keychain == .dataProtection)
            #expect(event.item(of: GenericPassword.self) == added)
            #expect(event.item(of: InternetPassword.self) == nil)
            #expect(event.persistentReference == added?.bytes)
            #expect(event.processIdentifier == 1)
        }
    }

    @Test func `changes of items of a file come with the file, and with the names of the item`() async throws {
        try await withKeychainFolder { memory, folder in
            let place = KeychainEvent.Place.file(folder + "/work.keychain-db")
            var item: SecKeychainItem?
            let events = try await events(memory, [.unlocked, .locked, .itemAdded], until: .locked) {
                memory.run {
                    var keychain: SecKeychain?
                    SecKeychainCreate("work.keychain", 1, "a", false, nil, &keychain)
                    SecKeychainAddGenericPassword(keychain, 4, "mail", 3, "ann", 1, "1", &item)
                    SecKeychainLock(keychain)
                }
            }
            #expect(events.map(\.kind) == [.unlocked, .itemAdded, .locked])
            #expect(events.map(\.keychain) == [place, place, place])
            #expect(events[1].item(of: GenericPassword.self) == nil)
            var reference: CFData?
            SecKeychainItemCreatePersistentReference(try #require(item), &reference)
            #expect(events[1].persistentReference.map { Data($0) } == reference as Data?)
            #expect(events[0].persistentReference == nil)
        }
    }

    @Test func `a list is of no keychain, and the default one is a file or none`() async throws {
        try await withKeychainFolder { memory, folder in
            let kinds: Set<KeychainEvent.Kind> = [.defaultKeychainChanged, .searchListChanged]
            let events = try await events(memory, kinds, until: .searchListChanged) {
                memory.run {
                    var keychain: SecKeychain?
                    SecKeychainCreate("work.keychain", 1, "a", false, nil, &keychain)
                    SecKeychainSetDefault(keychain)
                    SecKeychainDelete(keychain)
                    SecKeychainOpen("other.keychain", &keychain)
                    if let keychain { SecKeychainSetSearchList([keychain] as CFArray) }
                }
            }
            #expect(events.map(\.kind) == [.defaultKeychainChanged, .defaultKeychainChanged, .searchListChanged])
            #expect(events.map(\.keychain) == [.file(folder + "/work.keychain-db"), nil, nil])
        }
    }

    @Test func `a service that stops ends it with an error`() async throws {
        let memory = try InMemoryKeychain()
        let (watching, _) = try await watch(memory, [])
        memory.endChangeStreams()
        await #expect(throws: KeychainError.self) { try await watching.value }
    }

    @Test func `a program that cannot be identified is told so`() async throws {
        let memory = try InMemoryKeychain()
        do {
            for try await _ in memory.keychain(accessGroups: []).events() {}
            Issue.record("it was told something")
        } catch {
            #expect(error.code == .missingEntitlement)
        }
    }
}
