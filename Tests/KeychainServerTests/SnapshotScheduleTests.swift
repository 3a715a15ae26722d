// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainPlatform
import KeychainSealing
import KeychainStore
import Synchronization
import Testing

@testable import KeychainServer

@Suite struct `The schedule of snapshots` {
    /// The time of day and the time since the start, in seconds.
    private final class Time: Sendable {
        private let state = Mutex((day: 800_000_000.0, running: UInt64(0)))
        func pass(_ seconds: Double) {
            state.withLock { $0 = ($0.day + seconds, $0.running + UInt64(seconds * 1_000_000_000)) }
        }
        func set(_ day: Double) { state.withLock { $0.day = day } }
        var now: Timestamp { Timestamp(secondsSinceReferenceDate: state.withLock { $0.day }) }
        var clock: MonotonicClock { MonotonicClock { self.state.withLock { $0.running } } }
    }

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schedule-\(UUID().uuidString)")
    private let time = Time()
    private let log = Log()
    private let store: ItemStore
    private let snapshots: Snapshots
    private let schedule: SnapshotSchedule

    private final class Log: Sendable {
        private let state = Mutex<[String]>([])
        func add(_ line: String) { state.withLock { $0.append(line) } }
        var lines: [String] { state.withLock { $0 } }
    }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (time, log, storage) = (time, log, PlainKeyStorage())
        let path = folder.appendingPathComponent("keychain.db").path
        snapshots = Snapshots(
            of: path, in: folder.appendingPathComponent("snapshots").path, synchronize: { _ in }, log: { log.add($0) })
        store = try ItemStore(
            at: .file(path), deviceKey: try DeviceKey.generate(in: storage), keyStorage: storage, snapshots: snapshots,
            clock: { time.now }, makeIdentifier: { ItemIdentifier(bytes: RandomSource.live.bytes(16))! })
        schedule = SnapshotSchedule(
            snapshots, settings: { [store] () throws(StoreError) in try store.settings() }, wallClock: { time.now },
            clock: time.clock, log: { log.add($0) }, start: Self.atOnce)
    }

    private static let atOnce: @Sendable (@escaping @Sendable () -> Void) -> Bool = { body in
        body()
        return true
    }

    private func schedule(
        start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool, ended: @escaping @Sendable () -> Void = {}
    ) -> SnapshotSchedule {
        SnapshotSchedule(
            snapshots, settings: { [store] () throws(StoreError) in try store.settings() },
            wallClock: { [time] in time.now }, clock: time.clock, log: { [log] in log.add($0) }, start: start,
            ended: ended)
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    @Test func `makes one at the start and one when a day begins, however often it is asked`() throws {
        defer { remove() }
        for _ in 0..<100 {
            #expect(try #require(schedule.run()) <= .seconds(3600))
            #expect(snapshots.paths.count == 1)
        }
        // The start is at 06:13:20 UTC.
        time.pass(17 * 3600)
        _ = schedule.run()
        #expect(snapshots.paths.count == 1)
        time.pass(3600)
        _ = schedule.run()
        #expect(snapshots.paths.count == 2)
        #expect(log.lines.isEmpty)
    }

    @Test func `looks at the clock now and then, since it may be set`() throws {
        defer { remove() }
        _ = schedule.run()
        time.set(800_500_000)
        _ = schedule.run()
        #expect(snapshots.paths.count == 1)
        time.pass(3600)
        _ = schedule.run()
        #expect(snapshots.paths.count == 2)
    }

    @Test func `keeps as many as the settings say`() throws {
        defer { remove() }
        try store.change([.snapshotCount: 2])
        for _ in 0..<5 {
            _ = schedule.run()
            time.pass(86_400)
        }
        #expect(snapshots.paths.count == 2)
        try store.change([.snapshotCount: 0])
        _ = schedule.run()
        #expect(snapshots.paths.isEmpty)
    }

    @Test func `says so when there is no room, and tries again`() throws {
        defer { remove() }
        // A file in the place of the folder.
        try Data().write(to: URL(fileURLWithPath: snapshots.folder))
        #expect(schedule.run() == .seconds(3600))
        #expect(log.lines.count == 1)
        try FileManager.default.removeItem(atPath: snapshots.folder)
        time.pass(3600)
        _ = schedule.run()
        #expect(snapshots.paths.count == 1 && log.lines.count == 1)
    }

    @Test func `does not delay requests, and makes one snapshot at a time`() throws {
        defer { remove() }
        let work = Mutex<[@Sendable () -> Void]>([])
        let told = Mutex(0)
        let schedule = schedule(
            start: { body in
                work.withLock { $0.append(body) }
                return true
            }, ended: { told.withLock { $0 += 1 } })
        #expect(schedule.run() == nil)
        #expect(schedule.run() == nil)
        let bodies = work.withLock { $0 }
        #expect(bodies.count == 1 && snapshots.paths.isEmpty && told.withLock { $0 } == 0)
        bodies[0]()
        #expect(snapshots.paths.count == 1 && told.withLock { $0 } == 1)
        #expect(try #require(schedule.run()) > .zero)
    }

    @Test func `waits for the one under way when it ends, and begins no other`() throws {
        defer { remove() }
        let schedule = schedule { SystemThread.start($0) }
        _ = schedule.run()
        schedule.end()
        #expect(snapshots.paths.count == 1)
        time.pass(86_400)
        #expect(schedule.run() == nil)
        #expect(snapshots.paths.count == 1)
    }

    @Test func `says so when no thread can be had, and tries again`() throws {
        defer { remove() }
        let schedule = schedule { _ in false }
        #expect(schedule.run() == .seconds(3600))
        #expect(log.lines.count == 1)
        schedule.end()
    }
}
