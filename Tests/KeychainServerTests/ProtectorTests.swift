// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainPlatform
import KeychainSealing
import KeychainStore
import KeychainTesting
import SecretMemory
import Synchronization
import Testing

@testable import KeychainServer

/// The operations that callers may perform on a keychain, and their proofs.
struct ProtectorTests {
    private let memory: InMemoryKeychain
    private let client: KeychainClient
    private let tool: KeychainClient
    private let passcode = ProtectorSecret(.passcode, SecretBytes(copying: "1234".utf8))
    private let wrong = ProtectorSecret(.passcode, SecretBytes(copying: "4321".utf8))
    private let recoveryKey = ProtectorSecret(.recoveryKey, SecretBytes(copying: [UInt8](repeating: 7, count: 16)))
    private let login = ProtectorSecret(.loginPassword, SecretBytes(copying: "login".utf8))
    private let credential = ProtectorSecret(.credential, SecretBytes(copying: [UInt8](repeating: 9, count: 32)))

    init() throws {
        memory = try InMemoryKeychain()
        client = memory.client
        tool = memory.administrationClient()
    }

    @Test func `only the command that comes with the service sets the first passcode`() throws {
        #expect(
            try refusal { try client.setPasscode(passcode.bytes, proof: nil) }
                == Refusal(.missingEntitlement, .administrationOnly))
        // A proof proves nothing where there is no passcode.
        #expect(
            try refusal { try client.setPasscode(passcode.bytes, proof: passcode) }.reason == .administrationOnly)
        try tool.setPasscode(passcode.bytes, proof: nil)
        #expect(try client.lockState() == .unlocked)
    }

    @Test func `without a passcode there is nothing to unlock, verify, remove or add to`() throws {
        let none = Refusal(.authenticationFailed, .noPasscode)
        #expect(try refusal { try tool.unlock(with: passcode) } == none)
        #expect(try refusal { try tool.verify(passcode) } == none)
        #expect(try refusal { try tool.removePasscode(proof: passcode) } == none)
        #expect(try refusal { _ = try tool.addProtector(recoveryKey, proof: passcode) } == none)
        #expect(try refusal { try tool.removeProtector(1, proof: passcode) } == none)
        #expect(try tool.protectors().protectors.map(\.kind) == [.deviceKey])
    }

    @Test func `a login password never makes a keychain or a protector of its own`() throws {
        #expect(try refusal { try tool.unlock(with: login) }.reason == .noPasscode)
        try tool.setPasscode(passcode.bytes, proof: nil)
        #expect(try refusal { try tool.unlock(with: login) } == Refusal(.authenticationFailed, .noSuchProtector))
        #expect(try refusal { _ = try tool.addProtector(login, proof: login) }.reason == .noSuchProtector)
        #expect(try tool.protectors().protectors.map(\.kind) == [.passcode])
    }

    @Test func `with a passcode everything that changes something needs a proof, of the command too`() throws {
        try tool.setPasscode(passcode.bytes, proof: nil)
        let required = Refusal(.authenticationFailed, .proofRequired)
        #expect(try refusal { try tool.setPasscode(wrong.bytes, proof: nil) } == required)
        #expect(try refusal { try tool.change([.locksOnSleep: 0], proof: nil) } == required)
        #expect(try refusal { try tool.setPasscode(wrong.bytes, proof: credential) } == required)
        let refused = Refusal(.authenticationFailed, .wrongSecret)
        #expect(try refusal { try tool.setPasscode(wrong.bytes, proof: wrong) } == refused)
        #expect(try refusal { try tool.removePasscode(proof: wrong) } == refused)
        #expect(try refusal { _ = try tool.addProtector(recoveryKey, proof: wrong) } == refused)
        #expect(try refusal { try tool.change([.locksOnSleep: 0], proof: wrong) } == refused)
        #expect(try client.settings()[.locksOnSleep] == 1)
        #expect(try tool.protectors().protectors.map(\.kind) == [.passcode])
    }

    @Test func `each protector unlocks, and the recovery key sets another passcode`() throws {
        try tool.setPasscode(passcode.bytes, proof: nil)
        _ = try client.addProtector(recoveryKey, proof: passcode)
        _ = try client.addProtector(login, proof: recoveryKey)
        let number = try client.addProtector(credential, label: "rack 7", proof: passcode)
        for secret in [recoveryKey, login, credential, passcode] {
            try client.lock()
            try client.unlock(with: secret)
            #expect(try client.lockState() == .unlocked)
        }
        let report = try tool.protectors()
        #expect(report.protectors.map(\.kind) == [.passcode, .recoveryKey, .loginPassword, .credential])
        #expect(report.protectors.last.map { [$0.label, "\($0.number)"] } == ["rack 7", "\(number)"])
        try client.setPasscode(wrong.bytes, proof: recoveryKey)
        try client.verify(wrong)
        #expect(try refusal { try client.verify(passcode) }.reason == .wrongSecret)

        try client.removeProtector(number, proof: wrong)
        try client.lock()
        #expect(try refusal { try client.unlock(with: credential) }.reason == .noSuchProtector)
        #expect(
            try refusal { try client.removeProtector(number, proof: wrong) } == Refusal(.itemNotFound, .noSuchProtector)
        )
        try client.unlock(with: login)
    }

    @Test func `a login password changes itself and nothing else, a credential nothing at all`() throws {
        try tool.setPasscode(passcode.bytes, proof: nil)
        _ = try client.addProtector(login, proof: passcode)
        _ = try client.addProtector(credential, proof: passcode)
        let new = ProtectorSecret(.loginPassword, SecretBytes(copying: "new login".utf8))
        _ = try client.addProtector(new, proof: login)
        try client.verify(new)
        let required = Refusal(.authenticationFailed, .proofRequired)
        #expect(try refusal { try client.setPasscode(wrong.bytes, proof: new) } == required)
        #expect(try refusal { _ = try client.addProtector(recoveryKey, proof: new) } == required)
        #expect(try refusal { try client.removePasscode(proof: new) } == required)
        #expect(try refusal { _ = try client.addProtector(login, proof: credential) } == required)
    }

    @Test func `a passcode that cannot be typed again is not set`() throws {
        func status(_ bytes: [UInt8]) throws -> Refusal {
            try refusal { try tool.setPasscode(SecretBytes(copying: bytes), proof: nil) }
        }
        let unusable = Refusal(.parameter, .unusableSecret)
        #expect(try status([]) == unusable)
        #expect(try status([0xC3, 0x28]) == unusable)
        #expect(try status([49, 0, 50]) == unusable)
        #expect(try status([UInt8](repeating: 49, count: 1025)) == unusable)
        #expect(try status([UInt8](repeating: 49, count: 1 << 20)) == unusable)
        #expect(try client.lockState() == .noPasscode)
        #expect(try status([UInt8](repeating: 49, count: 1024)) == Refusal(.success, .none))
        // As an entry, a long one is just a wrong one, and is not even sent.
        let long = ProtectorSecret(.passcode, SecretBytes(copying: [UInt8](repeating: 49, count: 1 << 20)))
        #expect(try refusal { try client.unlock(with: long) } == Refusal(.authenticationFailed, .wrongSecret))
        #expect(try tool.protectors().failedAttempts == 0)
    }

    @Test func `settings have ranges`() throws {
        #expect(
            try refusal { try tool.change([.passcodeMilliseconds: 49, .snapshotDays: 7], proof: nil) }
                == Refusal(.parameter, .unusableSetting))
        #expect(try tool.settings()[.snapshotDays] == 30)
        try tool.change([.passcodeMilliseconds: 50, .snapshotDays: 7], proof: nil)
        #expect(try tool.settings()[.snapshotDays] == 7)
        #expect(
            try refusal { try client.change([.snapshotDays: 8], proof: nil) }
                == Refusal(.missingEntitlement, .administrationOnly))
    }

    @Test func `what opens the keychain, and its settings, only the command reads, but for the lock on sleep`() throws {
        try tool.setPasscode(passcode.bytes, proof: nil)
        #expect(try refusal { _ = try client.protectors() } == Refusal(.missingEntitlement, .administrationOnly))
        #expect(try client.settings() == [.locksOnSleep: 1])
        #expect(try tool.settings().count == Setting.allCases.count)
    }

    @Test func `a program that cannot be identified can do none of it`() throws {
        let nobody = memory.client(accessGroups: [])
        let refused = Refusal(.missingEntitlement, .unidentifiedCaller)
        #expect(try refusal { try nobody.lock() } == refused)
        #expect(try refusal { try nobody.unlock(with: passcode) } == refused)
        #expect(try refusal { _ = try nobody.protectors() } == refused)
    }

    @Test func `what was done is in the audit log, without secrets`() throws {
        try tool.setPasscode(passcode.bytes, proof: nil)
        _ = try? client.unlock(with: wrong)
        try client.lock()
        try client.unlock(with: passcode)
        let lines = try memory.auditLog.map(fields)
        #expect(lines.map { $0["action"] } == ["set-passcode", "unlock", "lock", "unlock"])
        #expect(lines.map { $0["outcome"] } == ["granted", "refused", "granted", "granted"])
        #expect(lines[1]["reason"] == "wrongSecret")
        #expect(memory.auditLog.allSatisfy { !$0.contains("1234") && !$0.contains("4321") })
    }
}

/// Wrong entries are counted, and wait.
struct AttemptTests {
    private final class Clocks: Sendable {
        let wall = Mutex(800_000_000.0)
        let boot = Mutex<UInt64>(1_000_000_000_000)

        func pass(_ seconds: Double) {
            wall.withLock { $0 += seconds }
            boot.withLock { $0 += UInt64(seconds * 1_000_000_000) }
        }
    }

    /// Counts the keys that are put into memory.
    private final class CountingKeyStorage: SecretKeyStorage {
        let count = Atomic<Int>(0)

        func store(_ bytes: UnsafeRawBufferPointer) throws(SealingError) -> any StoredKey {
            count.add(1, ordering: .relaxed)
            return try PlainKeyStorage().store(bytes)
        }
    }

    private static let cheap = ScryptCost(logN: 4, blockSize: 8, parallelism: 1)!

    private let clocks = Clocks()
    private let storage = CountingKeyStorage()
    private let store: ItemStore
    private let passcode = ProtectorSecret(.passcode, SecretBytes(copying: "1234".utf8))
    private let wrong = ProtectorSecret(.passcode, SecretBytes(copying: "4321".utf8))
    private let recoveryKey = ProtectorSecret(.recoveryKey, SecretBytes(copying: [UInt8](repeating: 7, count: 16)))

    init() throws {
        let (clocks, storage) = (clocks, storage)
        store = try ItemStore(
            at: .memory, deviceKey: try DeviceKey.generate(in: storage), keyStorage: storage,
            clock: { Timestamp(secondsSinceReferenceDate: clocks.wall.withLock { $0 }) },
            makeIdentifier: { ItemIdentifier(bytes: RandomSource.live.bytes(16))! })
        try store.setFirstPasscode(passcode.bytes.bytes, cost: Self.cheap)
        let key = try store.keybagKey(for: ProtectorSecret(.passcode, passcode.bytes.bytes))
        _ = try store.addProtector(
            ProtectorSecret(.recoveryKey, recoveryKey.bytes.bytes), label: "", cost: Self.cheap, with: key)
    }

    /// A service that has just been started with the same database.
    private func start() -> LockController {
        let clocks = clocks
        return LockController(
            store, changes: ChangeFeed(),
            wallClock: { Timestamp(secondsSinceReferenceDate: clocks.wall.withLock { $0 }) },
            clock: MonotonicClock { clocks.boot.withLock { $0 } }, minimumCost: Self.cheap)
    }

    private func reason(_ body: () throws -> Void) throws -> Refusal.Reason {
        do { try body() } catch let refusal as Refusal { return refusal.reason }
        return .none
    }

    @Test func `an unlock opens each class key once`() throws {
        let lock = start()
        #expect(lock.lock())
        let before = storage.count.load(ordering: .relaxed)
        try lock.unlock(with: recoveryKey)
        // A class has a key for its items and a key for their attributes.
        #expect(storage.count.load(ordering: .relaxed) - before == 2 * Accessibility.allCases.count)
        #expect(store.lockState == .unlocked)
    }

    @Test func `the schedule is what the documents say`() throws {
        let lock = start()
        for minutes in [0, 0, 0, 0, 1, 5, 15, 15, 60, 60, 60] as [Double] {
            #expect(try reason { try lock.verify(wrong) } == .wrongSecret)
            guard minutes > 0 else { continue }
            clocks.pass(minutes * 60 - 1)
            // Even the right passcode is not checked, and the wait does not grow.
            #expect(try reason { try lock.verify(passcode) } == .tooManyAttempts)
            clocks.pass(1)
        }
        #expect(try reason { try lock.verify(passcode) } == .none)
        #expect(try store.attempts(of: .protector(.passcode)).failed == 0)
    }

    @Test func `a restart forgets neither the count nor the wait`() throws {
        var lock = start()
        for _ in 0..<5 { #expect(try reason { try lock.verify(wrong) } == .wrongSecret) }
        lock = start()
        #expect(try reason { try lock.verify(passcode) } == .tooManyAttempts)
        clocks.pass(59)
        #expect(try reason { try lock.verify(passcode) } == .tooManyAttempts)
        clocks.pass(1)
        #expect(try reason { try lock.verify(wrong) } == .wrongSecret)
        lock = start()
        clocks.pass(60)
        #expect(try reason { try lock.verify(passcode) } == .tooManyAttempts, "five minutes after the sixth")
        clocks.pass(240)
        #expect(try reason { try lock.verify(passcode) } == .none)
    }

    @Test func `setting the clock forward does not shorten a delay while the service runs`() throws {
        let lock = start()
        for _ in 0..<5 { _ = try? lock.verify(wrong) }
        clocks.wall.withLock { $0 += 1_000_000 }
        #expect(try reason { try lock.verify(passcode) } == .tooManyAttempts)
        clocks.pass(60)
        #expect(try reason { try lock.verify(passcode) } == .none)
    }

    @Test func `a clock that was set back locks no user out`() throws {
        var lock = start()
        for _ in 0..<9 {
            _ = try? lock.verify(wrong)
            clocks.pass(3600)
        }
        _ = try? lock.verify(wrong)
        clocks.wall.withLock { $0 -= 10 * 365 * 86_400 }
        clocks.pass(3600)
        #expect(try reason { try lock.verify(passcode) } == .none)
        for _ in 0..<5 { _ = try? lock.verify(wrong) }
        // Set back, and started anew: the wait begins again, and no more than that.
        clocks.wall.withLock { $0 -= 1000 }
        lock = start()
        #expect(try reason { try lock.verify(passcode) } == .tooManyAttempts)
        clocks.pass(59)
        #expect(try reason { try lock.verify(passcode) } == .tooManyAttempts)
        clocks.pass(1)
        #expect(try reason { try lock.verify(passcode) } == .none)
    }

    /// The system service closes unused keychains. The next process would let the user wait again.
    @Test func `a wait that the database cannot measure, because the clock was set back, is known`() throws {
        let lock = start()
        for _ in 0..<5 { _ = try? lock.verify(wrong) }
        #expect(!lock.ledger.hasDelaysOfMemoryOnly)
        clocks.wall.withLock { $0 -= 1000 }
        #expect(lock.ledger.hasDelaysOfMemoryOnly)
        clocks.pass(60)
        #expect(lock.ledger.hasDelaysOfMemoryOnly)
        #expect(try reason { try lock.verify(passcode) } == .none)
        #expect(!lock.ledger.hasDelaysOfMemoryOnly)
    }

    @Test func `a wait from before the start ends by no setting of the clock once it was looked at`() throws {
        for added in [1_000_000.0, -1_000_000] {
            var lock = start()
            for _ in 0..<5 { _ = try? lock.verify(wrong) }
            lock = start()
            #expect(try reason { try lock.verify(passcode) } == .tooManyAttempts)
            clocks.wall.withLock { $0 += added }
            clocks.pass(59)
            #expect(try reason { try lock.verify(passcode) } == .tooManyAttempts)
            clocks.pass(1)
            #expect(try reason { try lock.verify(passcode) } == .none)
        }
    }

    @Test func `the recovery key waits for nothing, and does not count`() throws {
        let lock = start()
        for _ in 0..<5 { _ = try? lock.verify(wrong) }
        let other = ProtectorSecret(.recoveryKey, SecretBytes(copying: [UInt8](repeating: 8, count: 16)))
        for _ in 0..<20 { #expect(try reason { try lock.verify(other) } == .wrongSecret) }
        #expect(try reason { try lock.unlock(with: recoveryKey) } == .none)
        #expect(try store.attempts(of: .protector(.passcode)).failed == 5)
    }

    @Test func `an entry is counted before it is looked at`() throws {
        let (store, clocks) = (store, clocks)
        let seen = Mutex<[UInt32]>([])
        // The clock is read just before the look, and after it.
        let lock = LockController(
            store, changes: ChangeFeed(),
            wallClock: { Timestamp(secondsSinceReferenceDate: clocks.wall.withLock { $0 }) },
            clock: MonotonicClock {
                if let attempts = try? store.attempts(of: .protector(.passcode)) {
                    seen.withLock { $0.append(attempts.failed) }
                }
                return clocks.boot.withLock { $0 }
            }, minimumCost: Self.cheap)
        seen.withLock { $0 = [] }
        try lock.verify(passcode)
        #expect(seen.withLock { $0.first } == 1)
        #expect(try store.attempts(of: .protector(.passcode)).failed == 0)
    }

    @Test func `a passcode that has become too cheap is stretched more at the next entry`() throws {
        let before = try #require(store.cost(of: .passcode))
        let described = store.protectors
        clocks.wall.withLock { $0 += 86_400 }
        let (store, clocks) = (store, clocks)
        try store.change([.passcodeMilliseconds: 50])
        // Each look at the clock takes five milliseconds.
        let lock = LockController(
            store, changes: ChangeFeed(),
            wallClock: { Timestamp(secondsSinceReferenceDate: clocks.wall.withLock { $0 }) },
            clock: MonotonicClock {
                clocks.boot.withLock {
                    $0 += 5_000_000
                    return $0
                }
            }, minimumCost: Self.cheap)
        try lock.unlock(with: passcode)
        let after = try #require(store.cost(of: .passcode))
        #expect(after.work >= 4 * before.work)
        try lock.verify(passcode)
        // To its owner it is still the one of then.
        #expect(store.protectors == described)
    }
}
