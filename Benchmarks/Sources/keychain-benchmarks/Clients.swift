// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
import Glibc
import Measuring

/// Many processes at once.
enum Clients {
    static let counts = [1, 8, 64]
    /// The total number for all processes, so that each row takes about the same time.
    private static let changes = 8_192
    private static let lookups = 32_768
    private static let items = 1_000

    /// The throughput of many processes: operations per second, from the time when all had connected until the last one
    /// had finished, and the duration of each operation.
    struct Load {
        let rate: Double
        let timing: Timing
    }

    /// The figures for one number of processes. All processes may run on every core, and so may the other side.
    struct Figures {
        /// Bare round trips with a lookup's sizes, with a thread of the other side for each process.
        let trip: Load
        let lookup: Load
        let add: Load
        let delete: Load
        /// SQLite alone, with one writer that commits a row for each of the processes at once: the limit of a group
        /// commit.
        let rows: Load
    }

    /// Measures the total throughput of `count` programs with the service, and of SQLite with commits of the same
    /// number of rows.
    static func measure(directory: String) throws -> String {
        try Operations.fill(from: 0, to: items)
        var lines = [
            """
            | programs at once | bare round trips a second | lookups a second | p50, p99 µs | additions a second | p50, p99 µs \
            | raw SQLite, as many rows a commit | share |
            """,
            "|---:|---:|---:|---:|---:|---:|---:|---:|",
        ]
        for count in counts {
            let figures = try figures(count, among: items, directory: directory)
            let (found, added) = (figures.lookup, figures.add)
            lines.append(
                String(
                    format: "| %d | %.0f | %.0f | %.0f, %.0f | %.0f | %.0f, %.0f | %.0f | %.2f |", count,
                    figures.trip.rate, found.rate, found.timing.p50, found.timing.p99, added.rate, added.timing.p50,
                    added.timing.p99, figures.rows.rate, added.rate / figures.rows.rate))
        }
        return lines.joined(separator: "\n")
    }

    /// - Parameters:
    ///   - count: the number of processes.
    ///   - items: the number of items to look up. The processes delete the items that they add.
    static func figures(_ count: Int, among items: Int, directory: String) throws -> Figures {
        let own = Place.current
        Place.everywhere.enter()
        defer { own.enter() }
        let server = try EchoServer(.lookup, at: .everywhere)
        let trip = try together(count, "trip", total: lookups) { _ in server.path }
        server.end()
        let lookup = try together(count, "lookup", total: lookups) { _ in String(items) }
        // Each process has its own range of item numbers, one more than it adds while it is measured, above those of
        // all others.
        func first(_ number: Int) -> String { String(2 * Operations.spare + number * (changes / count + 1)) }
        return Figures(
            trip: trip, lookup: lookup, add: try together(count, "add", total: changes, first),
            delete: try together(count, "delete", total: changes, first),
            rows: try rows(eachCommit: count, total: changes, directory: directory))
    }

    private static func together(
        _ count: Int, _ operation: String, total: Int, _ argument: (Int) -> String
    ) throws -> Load {
        let each = total / count
        var programs: [(process: Process, output: FileHandle, start: FileHandle)] = []
        for number in 0..<count {
            let (process, output, start) = (Process(), Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL
            process.arguments = ["client", operation, String(each), argument(number)]
            process.standardOutput = output
            process.standardInput = start
            try process.run()
            programs.append((process, output.fileHandleForReading, start.fileHandleForWriting))
        }
        for program in programs {
            guard try program.output.read(upToCount: 1)?.count == 1 else {
                throw BenchmarkFailure("a program for \(operation) does not start")
            }
        }
        let begin = Timing.now()
        for program in programs { program.start.write(Data([1])) }
        for program in programs {
            // A second byte, because waiting for the end of a process takes longer with Foundation.
            guard try program.output.read(upToCount: 1)?.count == 1 else {
                throw BenchmarkFailure("a program failed at \(operation)")
            }
        }
        let seconds = Double(Timing.now() - begin) / 1e9
        var samples: [UInt64] = []
        for program in programs {
            program.start.write(Data([2]))
            let times = (try program.output.readToEnd() ?? Data()).split(separator: 0x0a).compactMap {
                UInt64(String(decoding: $0, as: UTF8.self))
            }
            guard times.count == each else { throw BenchmarkFailure("a program did not say all its times") }
            samples += times
            program.process.waitUntilExit()
        }
        return Load(rate: Double(count * each) / seconds, timing: Timing(operation, samples: samples))
    }

    /// Runs one of those programs.
    ///
    /// - Parameter argument: the number of the first item to add or delete, or of items to look up, or the socket of
    ///   the other side.
    static func run(_ operation: String, _ times: Int, argument: String) throws {
        let measured: MeasuredOperation
        switch (operation, Int(argument)) {
        case ("trip", nil): measured = try RoundTrip.Connection(to: argument, .lookup).operation
        case ("lookup", let count?): measured = Operations.lookup(among: count)
        case ("add", let first?): measured = Operations.addition(from: first)
        case ("delete", let first?): measured = Operations.deletion(from: first)
        default: throw BenchmarkFailure("no operation \(operation) \(argument)")
        }
        // This also connects. For changes, it uses the item after the last one.
        _ = try measured.run(times)
        FileHandle.standardOutput.write(Data([1]))
        guard try FileHandle.standardInput.read(upToCount: 1)?.count == 1 else { return }
        let samples = try (0..<times).map(measured.run)
        FileHandle.standardOutput.write(Data([2]))
        // Waits for the start signal: work before it would take processor time from programs that are not ready yet.
        guard try FileHandle.standardInput.read(upToCount: 1)?.count == 1 else { return }
        FileHandle.standardOutput.write(Data(samples.map { "\($0)\n" }.joined().utf8))
    }

    /// Measures rows per second, with this many rows in each commit, in the table of the other floor; the durations are
    /// those of commits.
    private static func rows(eachCommit count: Int, total: Int, directory: String) throws -> Load {
        let path = directory + "/floor-rows-\(count).db"
        let database = try Floors.Database(path)
        defer { unlink(path) }
        try database.run("CREATE TABLE t (id INTEGER PRIMARY KEY, k BLOB UNIQUE, a BLOB)")
        let insert = try database.prepare("INSERT INTO t (k, a) VALUES (randomblob(16), randomblob(400))")
        let begin = Timing.now()
        let timing = try Timing("commit of \(count) rows", times: total / count, warmUp: 0) { _ in
            try database.run("BEGIN IMMEDIATE")
            for _ in 0..<count {
                guard sqlite3_step(insert) == SQLITE_DONE else { throw BenchmarkFailure("SQLite refuses a row") }
                sqlite3_reset(insert)
            }
            try database.run("COMMIT")
        }
        return Load(rate: Double(total / count * count) / (Double(Timing.now() - begin) / 1e9), timing: timing)
    }
}
