// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainHelperWire
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainTesting
import SecretMemory
import Synchronization
import Testing

@testable import KeychainServer
@testable import KeychainWire

@Suite struct `The figures of the service` {
    private static let command = Caller(
        userID: getuid(), processID: getpid(), tier: .unsigned, identity: .command, accessGroups: ["chatelaine"],
        displayPath: "/chatelaine")

    private func requests(_ kind: RequestKind, _ figures: ServiceFigures) -> ServiceFigures.Requests? {
        figures.requests.first { $0.kind == kind }
    }

    private func queue(_ kind: ServiceFigures.Queue.Kind, _ figures: ServiceFigures) -> ServiceFigures.Queue? {
        figures.queues.first { $0.kind == kind }
    }

    @Test func `are the administration tool's alone`() throws {
        let keychain = try InMemoryKeychain()
        #expect(throws: ClientError.refused(Refusal(.missingEntitlement, .administrationOnly))) {
            try keychain.client.figures()
        }
        #expect(throws: ClientError.refused(Refusal(.missingEntitlement, .unidentifiedCaller))) {
            try keychain.client(accessGroups: []).figures()
        }
        #expect(try keychain.administrationClient().figures().version == ProductVersion.current)
    }

    @Test func `leave a line in the audit log only where they are refused`() throws {
        let keychain = try InMemoryKeychain()
        _ = try keychain.administrationClient().figures()
        #expect(keychain.auditLog.isEmpty)
        _ = try? keychain.client.figures()
        #expect(keychain.auditLog.map { $0.contains("\"action\":\"read-figures\",\"outcome\":\"refused\"") } == [true])
    }

    @Test func `are no use of the keychain, which locks when it is idle`() async throws {
        let keychain = try InMemoryKeychain()
        let administration = keychain.administrationClient()
        try administration.change([.idleLockSeconds: 60], proof: nil)
        try await keychain.setPasscode(SecretData(utf8: "1234"))
        let start = 800_000_000.0
        try keychain.client.addPassword()
        keychain.setTime(to: Timestamp(secondsSinceReferenceDate: start + 50))
        #expect(try administration.figures().lockState == .unlocked)
        keychain.setTime(to: Timestamp(secondsSinceReferenceDate: start + 61))
        keychain.passTime()
        #expect(try administration.figures().lockState == .locked)
    }

    @Test func `show that an owner is asked within the one request that needs it, or in one before it`() async throws {
        let keychain = try InMemoryKeychain()
        let administration = keychain.administrationClient()
        try await keychain.setPasscode(SecretData(utf8: "1234"))
        keychain.person = .approving
        let control = try #require(AccessControl(protection: .whenUnlocked, flags: .userPresence))
        try keychain.client.add(
            try attributes([(.account, .string("ann")), (.accessControl, .accessControl(control))]),
            secret: Array("secret".utf8))
        func counts() throws -> [RequestKind: UInt64] {
            let figures = try administration.figures()
            let kinds = figures.requests.filter { $0.kind != .status }.map {
                ($0.kind, $0.served + $0.refused + $0.notFound)
            }
            return Dictionary(uniqueKeysWithValues: kinds)
        }
        func requests(_ body: () throws -> Void) throws -> [RequestKind: UInt64] {
            let before = try counts()
            try body()
            return try counts().merging(before) { $0 - $1 }.filter { $0.value > 0 }
        }
        let reading = try requests { _ = try keychain.client.secrets(query(account: "ann"), limit: .one) }
        #expect(reading == [.lookup: 1])
        let evaluating = try requests { _ = try keychain.client.authenticate(.evaluate(.owner)) }
        #expect(evaluating == [.authenticate: 1])
        #expect(keychain.questions.count == 2)
        // By a finger or in vain, unlocking is unlocking.
        let unlocking = try requests { _ = try? keychain.client.authenticate(.unlock) }
        #expect(unlocking == [.unlock: 1])
    }

    @Test func `count items by class, and requests by kind`() throws {
        let keychain = try InMemoryKeychain()
        try keychain.client.addPassword()
        try keychain.client.addPassword(account: "bob")
        _ = try keychain.client.secrets(query(account: "ann"), limit: .one)
        _ = try keychain.client.secrets(query())
        _ = try? keychain.client.secrets(query(account: "nobody"), limit: .one)
        _ = try? keychain.client.addPassword()
        let figures = try keychain.administrationClient().figures()
        #expect(figures.items == [.genericPassword: 2, .internetPassword: 0, .certificate: 0, .key: 0])
        #expect(figures.unreadable == 0 && figures.lockState == .noPasscode)
        let lookups = try #require(requests(.lookup, figures))
        #expect((lookups.served, lookups.notFound, lookups.refused) == (1, 1, 0))
        #expect(lookups.histogram.reduce(0, +) == 2 && lookups.nanoseconds >= lookups.slowestNanoseconds)
        #expect(requests(.list, figures)?.served == 1)
        let additions = try #require(requests(.add, figures))
        #expect((additions.served, additions.refused) == (2, 1))
        #expect(requests(.delete, figures) == nil)
        #expect(
            figures.refusals.map(\.refusal) == [Refusal(.duplicateItem, .none), Refusal(.itemNotFound, .none)])
        #expect(figures.refusals.allSatisfy { $0.last == Timestamp(secondsSinceReferenceDate: 800_000_000) })
    }

    @Test func `count searches that were prepared already, and pages`() throws {
        let keychain = try InMemoryKeychain()
        try keychain.client.addPassword()
        let administration = keychain.administrationClient()
        let before = try administration.figures().caches
        for _ in 0..<5 { _ = try keychain.client.secrets(query(account: "ann"), limit: .one) }
        let after = try administration.figures().caches
        // One connection for all, as the database is in memory.
        #expect(after.map(\.kind) == [.searches, .lookupPages])
        #expect(after[0].hits - before[0].hits == 4 && after[0].misses - before[0].misses == 1)
        #expect(after[0].size == before[0].size + 1 && after[0].bound == 128)
        #expect(after[1].hits > before[1].hits && after[1].bound == 8_192_000)
    }

    @Test func `name the keychain files that are open, with their sizes, and count requests for their items`() throws {
        let folder = NSTemporaryDirectory() + "figures-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keychain = try InMemoryKeychain(keychainFolder: folder)
        defer { keychain.closeKeychainFiles() }
        let path = folder + "/work.keychain-db"
        _ = try keychain.client.createKeychain(at: path, password: SecretBytes(copying: Array("sesame".utf8)))
        try keychain.client.inKeychain(path).addPassword()
        // A missing keychain is not open.
        #expect(throws: ClientError.self) { try keychain.client.inKeychain(folder + "/missing").addPassword() }
        let figures = try keychain.administrationClient().figures()
        #expect(figures.keychainFiles.map(\.path) == [path])
        #expect(figures.keychainFiles.allSatisfy { $0.bytes + $0.logBytes > 4096 })
        #expect(queue(.keychainFiles, figures) == .init(.keychainFiles, now: 1, bound: 64))
        #expect(requests(.keychainFile, figures)?.served == 1 && requests(.add, figures)?.served == 1)
    }

    @Test func `hold nothing of an item and no name of another program`() throws {
        let keychain = try InMemoryKeychain(accessGroups: ["GROUP-OF-THEIRS"])
        try keychain.client.addPassword(service: "SERVICE-OF-THEIRS", account: "ACCOUNT-OF-THEIRS", secret: "SECRET")
        _ = try? keychain.client.addPassword(service: "SERVICE-OF-THEIRS", account: "ACCOUNT-OF-THEIRS")
        let bytes = try keychain.administrationClient().figures().frame
        let text = String(decoding: bytes, as: UTF8.self)
        for word in ["OF-THEIRS", "SECRET", "/test"] { #expect(!text.contains(word)) }
    }

    @Test func `tell of connections and of those who watch, and of what came to no end`() throws {
        var limits = KeychainService.Limits()
        limits.connections = 16
        let service = try RunningService(limits: limits, identifier: .constant(Self.command))
        defer { service.stop() }
        let (first, second) = (try service.raw(), try service.raw())
        let nonce = try first.hello()
        _ = try second.hello()
        first.send(Request<[UInt8]>.watch.frame(nonce: nonce))
        #expect(try first.answer() == nil)
        let client = service.client()
        let figures = try counted(.watch, client)
        #expect(queue(.connections, figures) == .init(.connections, now: 3, most: 3, bound: 16))
        #expect(queue(.watchers, figures) == .init(.watchers, now: 1, bound: 16))
        #expect(queue(.changes, figures) == .init(.changes, now: 0, most: 0, bound: 16))
        #expect(requests(.watch, figures)?.served == 1)
        second.send([1, 0x77, 0, 0, 0, 0, 0, 0])
        _ = try second.answer()
        #expect(try requests(.malformed, counted(.malformed, client))?.refused == 1)
    }

    /// The figures, when a request of this kind counts: on another connection that is a moment after its answer.
    private func counted(_ kind: RequestKind, _ client: KeychainClient) throws -> ServiceFigures {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let figures = try client.figures()
            guard requests(kind, figures) == nil, ContinuousClock.now < end else { return figures }
        }
    }

    @Test func `time requests from their arrival to their answer, but for the time of persons`() throws {
        let clock = ManualClock(1000)
        let service = try RunningService(
            identifier: CallerIdentifier { _ in
                IdentifiedCaller(Self.command) { _ in
                    clock.advance(7000)
                    return true
                }
            },
            clock: clock.clock,
            prompter: Prompter(way: { _ in "window" }) { _, _, _ in
                clock.advance(90_000_000_000)
                return .cancelled
            })
        defer { service.stop() }
        let client = service.client()
        let constrained = try attributes([
            (.service, .string("s")),
            (.accessControl, .accessControl(AccessControl(protection: .whenUnlocked, flags: .applicationPassword)!)),
        ])
        #expect(try refusal { try client.add(constrained, secret: [1]) }.status == .userCanceled)
        try client.addPassword()
        let additions = try #require(requests(.add, try client.figures()))
        #expect((additions.refused, additions.served) == (1, 1))
        #expect(additions.slowestNanoseconds == 7000 && additions.nanoseconds == 14_000)
    }

    @Test func `tell how many prompts wait, including the shown prompt`() {
        let state = Mutex<[ServiceFigures.Queue?]>([])
        let prompter = Mutex<Prompter?>(nil)
        let queue = PromptQueue(
            clock: .live, ownDisplay: nil,
            prompters: [
                { _, _, _ in
                    let shown = prompter.withLock { $0 }?.queue()
                    state.withLock { $0.append(shown) }
                    return .denied
                }
            ])
        prompter.withLock { $0 = queue.prompter }
        let place = CallerLocation { PromptLocation(terminal: "/dev/pts/1") }
        let prompt = Prompt(.passcode(wasWrong: false), caller: Self.command, operation: nil, items: [])
        _ = queue.prompter.ask(prompt, for: place)
        #expect(state.withLock { $0 } == [.init(.questions, now: 1, most: 1, bound: 9)])
        #expect(queue.prompter.queue() == .init(.questions, now: 0, most: 1, bound: 9))
        #expect(Prompter.unavailable.queue() == nil)
        prompter.withLock { $0 = nil }
    }
}
