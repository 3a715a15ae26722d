// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Measuring
import Security

/// Every operation with keychains of a thousand items, ten thousand, and so on: what grows with their number, and what must not.
///
/// One keychain grows from size to size. It is filled while no service has it open (``StoreFilling``); everything that is measured
/// goes through a service that runs.
struct Sizes {
    static let usual = [1_000, 10_000, 100_000]
    static let million = 1_000_000

    private let service: ServiceProcess
    /// Of the keychain.
    private let folder: String
    /// For the floors' own databases.
    private let directory: String
    private var results = Results()

    /// - Parameters:
    ///   - program: the path of chatelained.
    ///   - directory: an empty folder on the file system that is to be measured.
    init(program: String, directory: String) throws {
        self.directory = directory
        folder = directory + "/chatelaine"
        service = try ServiceProcess(program, data: directory)
    }

    /// Measures at all of these sizes, which ascend.
    mutating func measure(_ sizes: [Int]) throws -> Results {
        try service.start()
        try Operations.fill(from: 0, to: 1)
        try service.stop()
        var present = 1
        for size in sizes {
            let begin = Timing.now()
            try StoreFilling.fill(folder, present..<size, account: Operations.account)
            present = size
            results.add(size, "filling it, to this size", Double(Timing.now() - begin) / 1e9, unit: "s")
            try measure(size)
        }
        if let largest = sizes.last { judge(largest, sizes) }
        return results
    }

    private mutating func measure(_ size: Int) throws {
        try measureStarts(size)
        try service.start()
        let seconds = try service.waitUntilIdle()
        results.add(size, "computing after a start, in all", seconds, unit: "s")
        try addMemory(size, "after its start")
        try measureReading(size)
        try measureMisses(size)
        try measureChanges(size)
        try service.stop()
        let bytes = ["", "-wal"].reduce(0) { $0 + Self.bytes(of: "\(folder)/keychain.db\($1)") }
        results.add(size, "size on the disk", Double(bytes) / 1e6, unit: "MB")
        results.add(size, "the same, for each item", Double(bytes) / Double(size), unit: "bytes")
    }

    // MARK: Starts

    /// From starting the program to the answer to a lookup with data.
    private mutating func measureStarts(_ size: Int) throws {
        func start() throws -> UInt64 {
            let begin = Timing.now()
            try service.start()
            try Operations.find(size - 1)
            return Timing.now() - begin
        }
        // The day's first, which makes a snapshot of the database beside its answers.
        let first = try (0..<5).map { _ in
            try? FileManager.default.removeItem(atPath: folder + "/snapshots")
            let time = try start()
            try service.stop()
            return time
        }
        results.add(size, "start to first answer, the day's first", Timing("", samples: first))
        let usual = try (0..<20).map { _ in
            let time = try start()
            try service.stop()
            return time
        }
        results.add(size, "start to first answer", Timing("", samples: usual))
        let killed = try (0..<10).map { number in
            // Something for the next start to find in the log.
            try service.start()
            try Operations.fill(from: Operations.spare + number, to: Operations.spare + number + 1)
            try service.kill()
            let time = try start()
            try Operations.delete(Operations.spare + number)
            try service.stop()
            return time
        }
        results.add(size, "start to first answer, after it was killed", Timing("", samples: killed))
    }

    // MARK: Reading

    private mutating func measureReading(_ size: Int) throws {
        let times = 10_000
        let raw = try Floors.lookup(rows: size, times: times, directory: directory)
        results.add(size, "raw SQLite lookup", raw)
        unlink(directory + "/floor-lookup-\(size).db")
        let (trip, lookup) = try Floors.withRoundTrip(requestBytes: 135, answerBytes: 76) { trip in
            try Timing.alternating(trip, Operations.lookup(among: size), times: times, batch: 250)
        }
        results.add(size, "bare round trip", trip)
        results.add(size, "lookup with data", lookup, floor: trip)
        try addMemory(size, "after \(times) lookups")
        let (longer, attributes) = try Floors.withRoundTrip(requestBytes: 135, answerBytes: 330) { trip in
            try Timing.alternating(trip, Operations.attributes(among: size), times: times, batch: 250)
        }
        results.add(size, "lookup of attributes only", attributes, floor: longer)
        let page = try Timing("", times: 50, warmUp: 5) { _ in try Operations.page(1_000) }
        results.add(size, "attributes of the first 1,000 items", page)
    }

    /// What is not there, and what no index helps to find.
    private mutating func measureMisses(_ size: Int) throws {
        let indexed = try Timing("", times: 2_000) { index in
            try Operations.miss([kSecAttrAccount as String: "nobody-\(index)"])
        }
        results.add(size, "search for an account that nobody has", indexed)
        let scan = try Timing("", times: 3, warmUp: 0) { _ in
            try Operations.miss([kSecAttrIsInvisible as String: true])
        }
        results.add(size, "search for what no index has and no item is", scan)
        try addMemory(size, "after a search that looks at all items")
    }

    // MARK: Changes

    private mutating func measureChanges(_ size: Int) throws {
        let (times, first) = (1_000, Operations.spare)
        let flush = try Floors.flush(directory: directory)
        let (flushed, added) = try Timing.alternating(
            flush, Operations.addition(from: first), times: times, batch: 100)
        results.add(size, "bare write and flush of 4 KiB", flushed)
        let commit = try Floors.durableCommit(directory: directory)
        let (committed, updated) = try Timing.alternating(
            commit, Operations.change(from: first), times: times, batch: 100)
        results.add(size, "bare durable one-row commit", committed)
        results.add(size, "add", added, floor: committed)
        results.add(size, "update of the data", updated, floor: committed)
        let (again, deleted) = try Timing.alternating(
            commit, Operations.deletion(from: first), times: times, batch: 100)
        results.add(size, "delete", deleted, floor: again)
        try addMemory(size, "after \(times) each of adding, updating, deleting")
    }

    // MARK: Memory and disk

    private mutating func addMemory(_ size: Int, _ when: String) throws {
        let memory = try service.memory()
        results.add(size, "resident \(when)", Double(memory.resident) / 1024, unit: "MiB")
        results.add(size, "its own, in no file, \(when)", Double(memory.anonymous) / 1024, unit: "MiB")
        if let share = memory.proportional {
            results.add(size, "its share (Pss) \(when)", Double(share) / 1024, unit: "MiB")
        }
    }

    private static func bytes(of path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    private mutating func judge(_ largest: Int, _ sizes: [Int]) {
        for size in sizes {
            guard let lookup = results.value(size, "lookup with data"),
                let trip = results.value(size, "bare round trip")
            else { continue }
            results.note("lookup / bare round trip, \(size) items", lookup / trip, atMost: 2.5)
        }
        if let memory = results.largest(largest, "resident") {
            results.note("resident memory at \(largest) items, MiB, the most", memory, atMost: 60)
        }
        if let start = results.value(largest, "start to first answer") {
            results.note("start to first answer at \(largest) items, ms", start / 1000, atMost: 30)
        }
    }
}
