// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
import Glibc
import Measuring

/// Many processes at once.
enum Clients {
    static let counts = [1, 8, 64]
    /// Of all of them together, so that each row takes about as long.
    private static let additions = 16_384
    private static let lookups = 65_536
    private static let items = 1_000

    /// What `count` programs get from the service together, and from SQLite who commits as many rows at once.
    static func measure(directory: String) throws -> String {
        try Operations.fill(from: 0, to: items)
        var lines = [
            "| programs at once | lookups a second | additions a second | raw SQLite, as many rows a commit | share |",
            "|---:|---:|---:|---:|---:|",
        ]
        for count in counts {
            let found = try together(count, "lookup", each: lookups / count)
            let added = try together(count, "add", each: additions / count)
            let raw = try rows(eachCommit: count, total: additions, directory: directory)
            lines.append(
                String(format: "| %d | %.0f | %.0f | %.0f | %.2f |", count, found, added, raw, added / raw))
        }
        return lines.joined(separator: "\n")
    }

    /// Operations a second, from when all have connected until the last one has finished.
    private static func together(_ count: Int, _ operation: String, each: Int) throws -> Double {
        var programs: [(process: Process, ready: Pipe, start: Pipe)] = []
        for number in 0..<count {
            let (process, ready, start) = (Process(), Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL
            process.arguments = ["client", operation, String(each), String(firstItem(count, number, each))]
            process.standardOutput = ready
            process.standardInput = start
            try process.run()
            programs.append((process, ready, start))
        }
        for program in programs {
            guard try program.ready.fileHandleForReading.read(upToCount: 1)?.count == 1 else {
                throw BenchmarkFailure("a program for \(operation) does not start")
            }
        }
        let begin = Timing.now()
        for program in programs { program.start.fileHandleForWriting.write(Data([1])) }
        for program in programs {
            // A second byte, since to wait for the end of a process takes Foundation longer.
            guard try program.ready.fileHandleForReading.read(upToCount: 1)?.count == 1 else {
                throw BenchmarkFailure("a program failed at \(operation)")
            }
        }
        let seconds = Double(Timing.now() - begin) / 1e9
        for program in programs { program.process.waitUntilExit() }
        return Double(count * each) / seconds
    }

    /// Each adds items of its own, beyond all that others have.
    private static func firstItem(_ count: Int, _ number: Int, _ each: Int) -> Int {
        items + count * 1_000_000 + number * (each + 1)
    }

    /// One of those programs.
    static func run(_ operation: String, times: Int, from first: Int) throws {
        let measured = operation == "add" ? Operations.addition(from: first) : Operations.lookup(among: items)
        // Connects, too. Of additions it is the item after the last one.
        _ = try measured.run(times)
        FileHandle.standardOutput.write(Data([1]))
        guard try FileHandle.standardInput.read(upToCount: 1)?.count == 1 else { return }
        for index in 0..<times { _ = try measured.run(index) }
        FileHandle.standardOutput.write(Data([2]))
    }

    /// Rows a second, so many in one commit each, in the table of the other floor.
    private static func rows(eachCommit count: Int, total: Int, directory: String) throws -> Double {
        let database = try Floors.Database(directory + "/floor-rows-\(count).db")
        try database.run("CREATE TABLE t (id INTEGER PRIMARY KEY, k BLOB UNIQUE, a BLOB)")
        let insert = try database.prepare("INSERT INTO t (k, a) VALUES (randomblob(16), randomblob(400))")
        let begin = Timing.now()
        for _ in 0..<total / count {
            try database.run("BEGIN IMMEDIATE")
            for _ in 0..<count {
                guard sqlite3_step(insert) == SQLITE_DONE else { throw BenchmarkFailure("SQLite refuses a row") }
                sqlite3_reset(insert)
            }
            try database.run("COMMIT")
        }
        return Double(total / count * count) / (Double(Timing.now() - begin) / 1e9)
    }
}
