// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainTesting
import Testing

/// Streams of changes, and observed queries.
struct ChangesTests {
    private let memory: InMemoryKeychain
    private let keychain: UserKeychain
    private let mail = GenericPassword(service: "com.example.mail", account: "ann")

    init() throws {
        memory = try InMemoryKeychain()
        keychain = memory.keychain
    }

    // MARK: Changes

    @Test func `changes are delivered in order until the task is cancelled`() async throws {
        let (seen, sees) = AsyncStream<ItemChange<GenericPassword>>.makeStream()
        let keychain = keychain
        let watching = Task {
            for try await change in keychain.changes(of: GenericPassword.self) { sees.yield(change) }
            sees.finish()
        }
        var changes = seen.makeAsyncIterator()
        try await untilSeen(by: &changes)
        let other = try await keychain.add(InternetPassword(server: "s"), secret: nil)
        let reference = try await keychain.add(mail, secret: SecretData(utf8: "1"))
        try await keychain.update(reference, secret: SecretData(utf8: "2"))
        try await keychain.delete(other)
        try await keychain.delete(reference)
        var kinds: [ItemChange<GenericPassword>.Kind] = []
        while kinds.count < 3, let change = await changes.next() {
            if change.item == reference { kinds.append(change.kind) }
        }
        #expect(kinds == [.added, .updated, .deleted])
        watching.cancel()
        try await watching.value
        while await changes.next() != nil {}
    }

    /// The watch begins with the first call of `next`; that a change was seen proves that it has.
    private func untilSeen(
        by changes: inout AsyncStream<ItemChange<GenericPassword>>.Iterator
    ) async throws {
        let keychain = keychain
        let probe = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                try await keychain.add(GenericPassword(service: "probe", account: "\(number)"), secret: nil)
            }
        }
        _ = await changes.next()
        probe.cancel()
        _ = try await probe.value
    }

    @Test func `a stream of changes ends with an error when the service stops`() async throws {
        var changes = keychain.changes(of: GenericPassword.self).makeAsyncIterator()
        let (memory, keychain) = (memory, keychain)
        let probe = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                try await keychain.add(GenericPassword(service: "probe", account: "\(number)"), secret: nil)
            }
        }
        _ = try await changes.next()
        probe.cancel()
        try await probe.value
        memory.endChangeStreams()
        do throws(KeychainError) {
            while try await changes.next() != nil {}
            Issue.record("the stream ended without an error")
        } catch {
            #expect(error.code == .notAvailable && error.attempt == "observe the keychain")
        }
    }

    // MARK: Observing

    @Test func `observing returns the existing items, and again after each change`() async throws {
        var observed = keychain.observe(GenericPassword.Query(service: mail.service)).makeAsyncIterator()
        #expect(try await observed.next() == [])
        try await keychain.add(mail, secret: SecretData(utf8: "1"))
        let added = try #require(try await observed.next()?.first)
        #expect(added.account == "ann")
        try await keychain.update(mail, applying: .init(label: "l"))
        #expect(try await observed.next()?.map(\.label) == ["l"])
        try await keychain.update(mail, secret: SecretData(utf8: "2"))
        let changed = try #require(try await observed.next()?.first)
        #expect(changed.attributes.label == "l")
        let (before, after) = (try #require(added.modificationDate), try #require(changed.modificationDate))
        #expect(after > before)
        try await keychain.delete(mail)
        #expect(try await observed.next() == [])
    }

    @Test func `changes that follow each other fast come as the last state`() async throws {
        var observed = keychain.observe(GenericPassword.Query()).makeAsyncIterator()
        #expect(try await observed.next() == [])
        for number in 0..<50 {
            try await keychain.add(GenericPassword(service: "s", account: "\(number)"), secret: nil)
        }
        #expect(try await observed.next()?.count == 50)
    }

    @Test func `changes of items that do not match give nothing`() async throws {
        var observed = keychain.observe(InternetPassword.Query(server: "s")).makeAsyncIterator()
        #expect(try await observed.next() == [])
        try await keychain.add(mail, secret: nil)
        try await keychain.add(InternetPassword(server: "other"), secret: nil)
        try await keychain.add(InternetPassword(server: "s"), secret: nil)
        #expect(try await observed.next()?.count == 1)
    }

    @Test func `observing goes on when the service was stopped in between`() async throws {
        var observed = keychain.observe(mail).makeAsyncIterator()
        #expect(try await observed.next() == [])
        memory.endChangeStreams()
        try await keychain.add(mail, secret: nil)
        #expect(try await observed.next()?.count == 1)
        try await keychain.delete(mail)
        #expect(try await observed.next() == [])
    }

    @Test func `observing ends with an error when there is no service any more`() async throws {
        var observed = keychain.observe(mail).makeAsyncIterator()
        #expect(try await observed.next() == [])
        memory.refuseCalls(with: .notAvailable)
        memory.endChangeStreams()
        do throws(KeychainError) {
            _ = try await observed.next()
            Issue.record("no error")
        } catch {
            #expect(error.code == .notAvailable)
        }
        #expect(try await observed.next() == nil, "after an error, the end")
    }

    @Test func `observing ends when its task is cancelled`() async throws {
        let (seen, sees) = AsyncStream<Int>.makeStream()
        let keychain = keychain
        let observing = Task {
            for try await items in keychain.observe(GenericPassword.Query()) { sees.yield(items.count) }
            sees.finish()
        }
        var counts = seen.makeAsyncIterator()
        #expect(await counts.next() == 0)
        observing.cancel()
        try await observing.value
        #expect(await counts.next() == nil)
    }
}
