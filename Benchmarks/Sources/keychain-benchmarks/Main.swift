// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Measures the keychain beside what the machine itself takes, in one run, and prints both and their ratios.
///
/// Usage: keychain-benchmarks DIRECTORY [ITEMS …]: the service of the environment's instance must run; the directory is
/// for the floors' own databases and should be on the file system of the keychain.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 5, arguments[1] == "echo" {
            return try Floors.echo(
                arguments[2], requestBytes: Int(arguments[3]) ?? 0, answerBytes: Int(arguments[4]) ?? 0)
        }
        guard arguments.count >= 2 else { throw BenchmarkFailure("usage: keychain-benchmarks DIRECTORY [ITEMS …]") }
        let counts = arguments.count > 2 ? arguments[2...].compactMap { Int($0) } : [1_000, 100_000]
        try run(directory: arguments[1], counts: counts.sorted())
    }

    private static func run(directory: String, counts: [Int]) throws {
        let times = 20_000
        var table = Table()
        let trip = try Floors.roundTrip(times: times, requestBytes: 135, answerBytes: 76)
        table.add(trip)
        table.add(try Floors.authenticatedOpen(times: times))
        for count in counts { table.add(try Floors.lookup(rows: count, times: times, directory: directory)) }
        var filled = 0
        var lookups: [Measurement] = []
        for count in counts {
            try Operations.fill(from: filled, to: count)
            filled = count
            let lookup = try Operations.lookup(among: count, times: times)
            table.add(lookup, floor: trip)
            lookups.append(lookup)
        }
        if let first = lookups.first, let last = lookups.last, lookups.count > 1 {
            table.note(
                "lookup p50 at \(counts.last!) items / at \(counts.first!) items", last.p50 / first.p50, atMost: 1.2)
        }
        table.note("lookup p50 / bare round trip p50", lookups.map(\.p50).max()! / trip.p50, atMost: 3)
        let commit = try Floors.durableCommit(times: 2_000, directory: directory)
        table.add(commit)
        let addition = try Operations.addition(from: filled, times: 2_000)
        table.add(addition, floor: commit)
        table.note("durable add p50 / bare commit p50", addition.p50 / commit.p50, atMost: 2)
        print(table.text)
    }
}

/// The results, as a table in Markdown.
struct Table {
    private var lines = ["| what | p50 µs | p99 µs | p50 / floor |", "|---|---:|---:|---:|"]
    private var notes: [String] = []

    mutating func add(_ measurement: Measurement, floor: Measurement? = nil) {
        let ratio = floor.map { Self.text(measurement.p50 / $0.p50) } ?? "floor"
        lines.append(
            "| \(measurement.name) | \(Self.text(measurement.p50)) | \(Self.text(measurement.p99)) | \(ratio) |")
    }

    mutating func note(_ name: String, _ value: Double, atMost limit: Double) {
        notes.append("- \(name): \(Self.text(value)) (target: at most \(Self.text(limit))) \(value <= limit ? "met" : "MISSED")")
    }

    var text: String { (lines + [""] + notes).joined(separator: "\n") }

    private static func text(_ number: Double) -> String {
        String(format: "%.2f", number)
    }
}
