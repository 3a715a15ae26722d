// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Keychain
import KeychainClient
import KeychainModel
@testable import KeychainTesting
import SecretService
import SecretServiceKeychain
import Synchronization
import Testing

/// What a client of the Secret Service has to do with the items, files and changes of other programs.
@Suite(.timeLimit(.minutes(5))) final class OtherProgramTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)")
    private let memory: InMemoryKeychain
    private let storage: KeychainStorage

    private static let allowed = Interaction.allowed(Cancellation())

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        memory = try InMemoryKeychain(keychainFolder: folder.path)
        storage = try Self.storage(memory, folder, of: "tests")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func storage(
        _ memory: InMemoryKeychain, _ folder: URL, of program: String, isSandboxed: Bool = false
    ) throws -> KeychainStorage {
        let names = CollectionNames(path: folder.appending(path: "names").path) { Issue.record("\($0)") }
        return try KeychainStorage(
            memory.bridgeClient(accessGroups: [program], isSandboxed: isSandboxed), names: names,
            filesFolder: { folder.path })
    }

    private func program(_ name: String) throws -> KeychainStorage { try Self.storage(memory, folder, of: name) }

    private func create(
        _ attributes: [String: String], in collection: CollectionID = .login, by program: KeychainStorage? = nil
    ) throws -> ItemID {
        let secret = Secret(Array("secret".utf8), contentType: "text/plain")
        return try (program ?? storage).create(
            NewItem(label: "Mail", attributes: attributes, secret: secret), in: collection, replaces: true, .none
        ).id
    }

    private func found(_ attributes: [String: String]) throws -> [ItemID] {
        try storage.search(attributes, in: nil).map(\.id)
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

    // MARK: Keychain files

    @Test
    func `an approval of another program's item in a keychain file holds for the client until the file is locked`()
        async throws
    {
        // The password that the simulated user types.
        try await memory.setPasscode(SecretData(utf8: "1234"))
        let work = try storage.createCollection(label: "Work", password: Array("1234".utf8), .none)
        let id = try create(["user": "ann"], in: work)
        let other = try program("other")
        #expect(try other.item(id)?.isLocked == true)
        #expect(failure { try other.secret(of: id) } == .locked)
        memory.person = .approving
        #expect(try other.unlock([.item(id)], Self.allowed) == [.item(id)])
        #expect(memory.questions.count == 1)
        #expect(try other.item(id)?.isLocked == false)
        #expect(try other.search(["user": "ann"], in: nil).map(\.isLocked) == [false])
        #expect(try other.secret(of: id).value == Array("secret".utf8))
        #expect(try program("third").item(id)?.isLocked == true)
        try storage.lock(work)
        try storage.unlock(work, password: Array("1234".utf8))
        #expect(try other.item(id)?.isLocked == true)
        #expect(memory.questions.count == 1)
    }

    @Test func `a search finds items in keychain files that appear, change and disappear between searches`() throws {
        #expect(try found(["user": "ann"]).isEmpty)
        let work = try storage.createCollection(label: "Work", password: [], .none)
        let id = try create(["user": "ann"], in: work)
        #expect(try found(["user": "ann"]) == [id])
        // The list of files is kept by a search that comes more than a second after the last change of the folder.
        let changed = try #require(
            try FileManager.default.attributesOfItem(atPath: folder.path)[.modificationDate] as? Date)
        while Date.now.timeIntervalSince(changed) < 2.5 { #expect(try found(["user": "ann"]) == [id]) }
        try memory.client.copyKeychain(at: "Work.keychain", to: folder.appending(path: "copy.keychain-db").path)
        try storage.unlock(CollectionID("copy"), password: [])
        #expect(try found(["user": "ann"]).map(\.collection.name).sorted() == ["Work", "copy"])
        try memory.client.deleteKeychain(at: "Work.keychain")
        #expect(try found(["user": "ann"]).map(\.collection.name) == ["copy"])
    }

    // MARK: Sandboxes

    @Test func `an application in a sandbox finds its own item that requires authentication for each use as locked`()
        async throws
    {
        try await memory.setPasscode(SecretData(utf8: "1234"))
        let control = try #require(AccessControl(protection: .whenUnlocked, flags: .userPresence))
        let application = memory.bridgeClient(accessGroups: ["application"], isSandboxed: true)
        for entries in [[], [ItemAttributes.Entry(.accessControl, .accessControl(control))]] {
            let account = ItemAttributes.Entry(.account, .string("\(entries.count)"))
            _ = try application.add(
                try ItemAttributes(
                    .genericPassword, for: .add, [.init(.service, .string("bank")), account] + entries),
                secret: [1], returning: []
            ) { _ in }
        }
        let storage = try Self.storage(memory, folder, of: "application", isSandboxed: true)
        #expect(try storage.program() == ClientProgram("application", isSandboxed: true))
        // It does not hide the other one, whose attributes are shown.
        #expect(try storage.search(["service": "bank"], in: nil).map(\.isLocked) == [false])
        let items = try storage.items(in: .login, limit: nil).compactMap { try storage.item($0) }
        #expect(Set(items.map(\.label)) == ["", "bank"])
        let isDenied =
            if case .denied? = failure({ try storage.watch(until: Cancellation()) { _ in } }) { true } else { false }
        #expect(isDenied)
    }

    // MARK: Events

    @Test func `changes by other programs are delivered, and end with the cancellation`() throws {
        let events = Mutex<[StorageEvent.Change]>([])
        let ended = DispatchSemaphore(value: 0)
        let cancellation = Cancellation()
        Thread.detachNewThread { [storage] in
            try? storage.watch(until: cancellation) { event in events.withLock { $0.append(event.change) } }
            ended.signal()
        }
        func waitFor(_ change: StorageEvent.Change, _ make: () throws -> Void = {}) throws -> Bool {
            let deadline = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < deadline {
                try make()
                if events.withLock({ $0.contains(change) }) { return true }
            }
            return false
        }
        let other = try program("other")
        let id = try create(["user": "ann"], by: other)
        // Repeated until the watch has begun.
        #expect(try waitFor(.itemChanged(id)) { try other.change(id, .label("New")) })
        try other.delete(id, .none)
        #expect(try waitFor(.itemDeleted(id)))
        let work = try other.createCollection(label: "Work", password: [], .none)
        #expect(try waitFor(.collectionCreated(work)))
        let item = try create(["user": "bob"], in: work, by: other)
        #expect(try waitFor(.itemCreated(item)))
        try other.lock(work)
        #expect(try waitFor(.collectionLocked(work)))
        try other.unlock(work, password: [])
        #expect(try waitFor(.collectionUnlocked(work)))
        try other.deleteCollection(work, .none)
        #expect(try waitFor(.collectionDeleted(work)))
        cancellation.cancel()
        #expect(ended.wait(timeout: .now() + 60) == .success)
    }
}
