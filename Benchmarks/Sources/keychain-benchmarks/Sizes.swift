// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Measuring
import Security

/// All operations with keychains of a thousand items, ten thousand, and so on: shows which durations grow with the
/// number of items.
///
/// One keychain grows from size to size. It is filled while no service has it open (``StoreFilling``); all measurements
/// use a running service.
struct Sizes {
    static let usual = [1_000, 10_000, 100_000]
    static let million = 1_000_000

    private let service: ServiceProcess
    /// The path of chatelaine.
    private let command: String
    /// The folder of the keychain.
    private let folder: String
    /// The folder for the databases of the floors.
    private let directory: String
    private var results = Results()

    /// - Parameters:
    ///   - program: the path of chatelained.
    ///   - command: the path of chatelaine.
    ///   - directory: an empty folder on the file system to measure.
    init(program: String, command: String, directory: String) throws {
        self.command = command
        self.directory = directory
        folder = directory + "/chatelaine"
        service = try ServiceProcess(program, data: directory)
    }

    /// Measures at all of these sizes, which are in ascending order.
    ///
    /// - Parameter path: the file for the figures, as lines of JSON. It is written after each size, because larger ones
    ///   take long.
    mutating func measure(_ sizes: [Int], writingTo path: String) async throws -> Results {
        try service.start()
        try Operations.fill(from: 0, to: 1)
        try service.stop()
        var present = 1
        for size in sizes {
            let begin = Timing.now()
            try StoreFilling.fill(folder, present..<size, account: Operations.account)
            present = size
            results.add(size, "filling it, to this size", Double(Timing.now() - begin) / 1e9, unit: "s")
            try await measure(size)
            try results.write(to: path)
        }
        if let largest = sizes.last { judge(largest, sizes) }
        return results
    }

    private mutating func measure(_ size: Int) async throws {
        say(size, "starts")
        try measureStarts(size)
        try service.start()
        let seconds = try service.waitUntilIdle()
        results.add(size, "computing after a start, in all", seconds, unit: "s")
        try addMemory(size, "after its start")
        say(size, "reading")
        let floors = try measureReading(size)
        try measureMisses(size, floors)
        say(size, "changes")
        try measureChanges(size)
        say(size, "keys")
        try measureSigning(size)
        try await measureLocking(size)
        try service.stop()
        say(size, "programs")
        try measurePrograms(size)
        let bytes = ["", "-wal"].reduce(0) { $0 + Self.bytes(of: "\(folder)/keychain.db\($1)") }
        results.add(size, "size on the disk", Double(bytes) / 1e6, unit: "MB")
        results.add(size, "the same, for each item", Double(bytes) / Double(size), unit: "bytes")
    }

    /// Prints the next step, separately from the results.
    private func say(_ size: Int, _ part: String) {
        FileHandle.standardError.write(Data("\(size) items: \(part)\n".utf8))
    }

    // MARK: Starts

    /// Measures from the start of the program to the answer to a lookup with data.
    private mutating func measureStarts(_ size: Int) throws {
        let bare = try Operations.process("", ["/bin/true"], times: 100)
        results.add(size, "whole process: /bin/true", bare)
        func start() throws -> UInt64 {
            let begin = Timing.now()
            try service.start()
            try Operations.find(size - 1)
            return Timing.now() - begin
        }
        // The first start of the day, which creates a snapshot of the database in parallel with its answers.
        let first = try (0..<5).map { _ in
            try? FileManager.default.removeItem(atPath: folder + "/snapshots")
            let time = try start()
            try service.stop()
            return time
        }
        results.add(size, "start to first answer, the day's first", Timing("", samples: first), floor: bare)
        let usual = try (0..<20).map { _ in
            let time = try start()
            try service.stop()
            return time
        }
        results.add(size, "start to first answer", Timing("", samples: usual), floor: bare)
        let killed = try (0..<10).map { number in
            // An entry for the next start to find in the log.
            try service.start()
            try Operations.fill(from: Operations.spare + number, to: Operations.spare + number + 1)
            try service.kill()
            let time = try start()
            try Operations.delete(Operations.spare + number)
            try service.stop()
            return time
        }
        results.add(size, "start to first answer, after it was killed", Timing("", samples: killed), floor: bare)
    }

    // MARK: Reading

    /// Returns a round trip, the floor of short searches, and an authenticated open, the floor of searches that compute for long.
    private mutating func measureReading(_ size: Int) throws -> (trip: Timing, opening: Timing) {
        let times = 10_000
        let raw = try Floors.lookup(rows: size, times: times, directory: directory)
        results.add(size, "raw SQLite lookup", raw)
        unlink(directory + "/floor-lookup-\(size).db")
        let boxes = try Floors.boxes(of: "\(folder)/keychain.db")
        let secret = try Floors.authenticatedOpen(bytes: boxes.secret, times: times)
        let description = try Floors.authenticatedOpen(bytes: boxes.attributes, times: times)
        results.add(size, "bare AES-256-GCM open, \(boxes.secret) B: an item's secret", secret)
        results.add(size, "bare AES-256-GCM open, \(boxes.attributes) B: its attributes", description)
        let (trip, lookup) = try RoundTrip.lookup.measure { trip in
            try Timing.alternating(trip, Operations.lookup(among: size), times: times, batch: 250)
        }
        results.add(size, "bare round trip", trip)
        results.add(size, "lookup with data", lookup, floor: trip)
        try addMemory(size, "after \(times) lookups")
        let (longer, attributes) = try RoundTrip.attributes.measure { trip in
            try Timing.alternating(trip, Operations.attributes(among: size), times: times, batch: 250)
        }
        results.add(size, "lookup of attributes only", attributes, floor: longer)
        let page = try Timing("", times: 50, warmUp: 5) { _ in try Operations.page(1_000) }
        results.add(size, "attributes of the first 1,000 items", page, floor: description)
        return (longer, description)
    }

    /// Measures searches that find nothing, and searches without an index.
    private mutating func measureMisses(_ size: Int, _ floors: (trip: Timing, opening: Timing)) throws {
        let indexed = try Timing("", times: 2_000) { index in
            try Operations.miss([kSecAttrAccount as String: "nobody-\(index)"])
        }
        results.add(size, "search for an account that nobody has", indexed, floor: floors.trip)
        let scan = try Timing("", times: 3, warmUp: 0) { _ in
            try Operations.miss([kSecAttrIsInvisible as String: true])
        }
        results.add(size, "search for what no index has and no item is", scan, floor: floors.opening)
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

    // MARK: Keys

    private mutating func measureSigning(_ size: Int) throws {
        let figures = try Signing.measure(.p256, times: 4_000)
        results.add(size, "bare signature, P-256", figures.bare)
        results.add(size, "signature by a key in the keychain, P-256", figures.held, floor: figures.bare)
        results.add(size, "the same, beyond a bare signature and a round trip", figures.more, unit: "µs")
    }

    private mutating func measureLocking(_ size: Int) async throws {
        try Operations.command([command, "passcode", "set", "--passcode-fd", "0"], input: Locking.passcode)
        let figures = try await Locking.figures(database: "\(folder)/keychain.db", times: 10)
        // A keychain can be filled only without a passcode, when the device key alone opens it.
        try await Locking.end()
        results.add(size, "bare round trip, once in a while", figures.trip)
        results.add(size, "lock", figures.lock, floor: figures.trip)
        results.add(size, "bare scrypt of the same cost", figures.stretching)
        results.add(size, "unlock", figures.unlock, floor: figures.stretching)
        results.add(size, "the same, beyond its scrypt", figures.beyondStretching, unit: "µs")
    }

    // MARK: Programs

    /// Measures whole programs, and many concurrent programs. The scheduler chooses their cores and those of the service.
    private mutating func measurePrograms(_ size: Int) throws {
        try service.start(at: .everywhere)
        try service.waitUntilIdle()
        let whole = try Rates.wholeProgram(command)
        let bare = try Operations.process("", ["/bin/true"], times: 100)
        results.add(size, whole.name, whole, floor: bare)
        let byPart = try Rates.wholeProgramByPart(command)
        results.add(size, byPart.name, byPart, floor: whole)
        results.add(size, Self.beyondWholeName, byPart.p50 - whole.p50, unit: "µs")
        for count in Clients.counts {
            let figures = try Clients.figures(count, among: size, directory: directory)
            func add(_ what: String, _ load: Clients.Load, floor: Clients.Load? = nil) {
                let name = "\(count) at once: \(what)"
                results.add(size, name, load.timing, floor: floor?.timing)
                results.add(size, "\(name), by all", load.rate, unit: "1/s", floor: floor?.rate)
            }
            add("bare round trip", figures.trip)
            add("lookup with data", figures.lookup, floor: figures.trip)
            add("raw SQLite, \(count) rows a commit", figures.rows)
            add("add", figures.add, floor: figures.rows)
            add("delete", figures.delete, floor: figures.rows)
        }
        try addMemory(size, "after all these programs")
        try service.stop()
    }

    private static let beyondWholeName = "the same, beyond a lookup by the whole name"

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
            for (what, limit) in [("lock", 10.0), ("the same, beyond its scrypt", 5)] {
                guard let time = results.value(size, what) else { continue }
                let name = what == "lock" ? what : "unlock beyond its scrypt"
                results.note("\(name), \(size) items, ms", time / 1000, atMost: limit)
            }
        }
        if let time = results.value(10_000, Self.beyondWholeName) {
            results.note("finding by a part of a name among 10000 items, beyond a lookup, ms", time / 1000, atMost: 5)
        }
        if let memory = results.largest(largest, "resident") {
            results.note("resident memory at \(largest) items, MiB, the most", memory, atMost: 60)
        }
        if let start = results.value(largest, "start to first answer") {
            results.note("start to first answer at \(largest) items, ms", start / 1000, atMost: 30)
        }
    }
}
