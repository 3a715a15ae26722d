// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEndpoint
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import Logging
import Synchronization
import TestSupport
import Testing

@testable import KeychainServer

/// The keychains of a system service, on real files.
@Suite struct `Keychains of many users` {
    private final class World: Sendable {
        private let state = Mutex((time: UInt64(0), log: [String](), work: [@Sendable () -> Void]()))
        var clock: MonotonicClock { MonotonicClock { self.state.withLock { $0.time } } }
        func pass(_ duration: Duration) { state.withLock { $0.time += duration.nanoseconds } }
        var log: [String] { state.withLock { $0.log } }
        func add(_ line: String) { state.withLock { $0.log.append(line) } }
        func later(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.work.append(body) } }
        /// Runs the deferred work.
        func work() {
            for body in state.withLock({ state in
                defer { state.work = [] }
                return state.work
            }) {
                body()
            }
        }
    }

    private struct Recorder: LogHandler {
        let world: World
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]
        init(_ world: World) { self.world = world }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { world.add("\(event.message)") }
    }

    private let world = World()
    private let root: String
    private let directories: SystemDirectories
    private let keychains: UserKeychains

    init() throws {
        root = try makeScratchFolder("ck")
        directories = SystemDirectories(runtime: root + "/run", state: root + "/state")
        try directories.prepare()
        let world = world
        var limits = UserKeychains.Limits()
        limits.open = 2
        keychains = UserKeychains(
            directories, protections: [], logger: Logger(label: "") { _ in Recorder(world) }, limits: limits,
            clock: world.clock,
            start: { body in
                world.later(body)
                return true
            })
    }

    private func remove() {
        keychains.closeAll()
        try? FileManager.default.removeItem(atPath: root)
    }

    private func caller(_ user: UInt32, tier: CallerTier = .unsigned) -> Caller {
        Caller(
            userID: user, processID: 1, tier: tier, identity: .installed(path: "/p"), accessGroups: ["g"],
            displayPath: "/p")
    }

    private func begin(_ user: UInt32) throws { _ = try keychains.source.begin(caller(user)) }
    private func end(_ user: UInt32) { keychains.source.end(caller(user)) }

    /// Whether a user's keychain is open, by its lock.
    /// A program that another test starts at this moment has the locks of this process until it is that program (flock(2)), so one
    /// look is not enough.
    private func isClosed(_ user: UInt32) -> Bool {
        for _ in 0..<20_000 {
            if !isOpen(user) { return true }
            sched_yield()
        }
        return false
    }

    private func isOpen(_ user: UInt32) -> Bool {
        let path = directories.keychain(of: user).lockPath
        do {
            return try withExtendedLifetime(InstanceLock(path: path)) { false }
        } catch {
            return true
        }
    }

    private func refusal(_ body: () throws -> Void) -> Refusal? {
        do {
            try body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    @Test func `each is opened when its user comes, in a folder of its own that is private`() throws {
        defer { remove() }
        try begin(7)
        #expect(isOpen(7))
        #expect(!FileManager.default.fileExists(atPath: directories.keychain(of: 8).path))
        try begin(8)
        #expect(isOpen(8))
        let mode = try FileManager.default.attributesOfItem(atPath: directories.keychain(of: 8).path)[.posixPermissions]
        #expect(mode as? Int == 0o700)
    }

    @Test func `due work of a keychain that was just opened can begin when the loop is woken`() throws {
        defer { remove() }
        let begun = Mutex<[Duration?]>([])
        let keychains = keychains
        keychains.whenRescheduled {
            let next = keychains.housekeeping()
            begun.withLock { $0.append(next) }
        }
        try begin(7)
        keychains.whenRescheduled {}
        #expect(!begun.withLock { $0 }.isEmpty)
        keychains.closeAll()
        // The day's snapshot was begun, and closing waited for it.
        #expect(FileManager.default.fileExists(atPath: directories.keychain(of: 7).snapshotsPath))
    }

    @Test func `the longest unused keychain makes room, and opens again`() throws {
        defer { remove() }
        for user: UInt32 in [7, 8] {
            try begin(user)
            world.pass(.seconds(1))
        }
        end(8)
        world.pass(.seconds(1))
        end(7)
        try begin(9)
        #expect(isOpen(7) && isClosed(8) && isOpen(9))
        world.pass(.seconds(1))
        end(9)
        try begin(8)
        #expect(isOpen(8) && isOpen(9) && isClosed(7))
    }

    @Test func `when all are in use another user has to wait, and those who are served already go on`() throws {
        defer { remove() }
        try begin(7)
        try begin(8)
        #expect(refusal { try begin(9) } == Refusal(.notAvailable, .tooManyConnections))
        try begin(7)
        end(8)
        try begin(9)
    }

    @Test func `an unused keychain is closed after a while, unless a request arrives in the meantime`() throws {
        defer { remove() }
        try begin(7)
        world.pass(.seconds(3600))
        _ = keychains.housekeeping()
        world.work()
        #expect(isOpen(7))
        end(7)
        #expect(try #require(keychains.housekeeping()) <= .seconds(600))
        world.pass(.seconds(601))
        _ = keychains.housekeeping()
        try begin(7)
        world.work()
        #expect(isOpen(7))
        end(7)
        world.pass(.seconds(601))
        _ = keychains.housekeeping()
        world.work()
        #expect(isClosed(7))
    }

    @Test func `a keychain that cannot be opened is refused to its user alone, and tried again later`() throws {
        defer { remove() }
        let folder = directories.keychain(of: 7)
        try folder.prepare()
        try Data("nothing that opens".utf8).write(to: URL(fileURLWithPath: folder.deviceKeyPath))
        chmod(folder.deviceKeyPath, 0o600)
        let unavailable = Refusal(.notAvailable, .storeUnavailable)
        #expect(refusal { try begin(7) } == unavailable)
        try begin(8)
        #expect(refusal { try begin(7) } == unavailable)
        // Tried once, and logged once.
        #expect(world.log.count { $0.contains("user 7 cannot be opened") } == 1)
        try FileManager.default.removeItem(atPath: folder.deviceKeyPath)
        #expect(refusal { try begin(7) } == unavailable)
        world.pass(.seconds(6))
        try begin(7)
        #expect(isOpen(7))
    }

    @Test func `who is not identified makes no keychain`() throws {
        defer { remove() }
        let stranger = caller(7, tier: .unidentified)
        #expect(
            refusal { _ = try keychains.source.begin(stranger) }
                == Refusal(.missingEntitlement, .unidentifiedCaller))
        #expect(!FileManager.default.fileExists(atPath: directories.keychain(of: 7).path))
        try begin(7)
        end(7)
        // There is one, of which it may learn the state.
        _ = try keychains.source.begin(stranger)
        keychains.source.end(stranger)
    }
}
