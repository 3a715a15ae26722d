// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Measuring
import Security

/// Measures the keychain and the minimum durations of the machine in one run, and prints both and their ratios.
///
/// Usage: keychain-benchmarks DIRECTORY [ITEMS …]: the service of the environment's instance must be running. The
/// directory is for the databases of the floors and should be on the file system of the keychain.
///
/// `keychain-benchmarks locking DATABASE` measures locking and unlocking of a keychain with the passcode "benchmark".
///
/// `keychain-benchmarks clients DIRECTORY` measures 1, 8 and 64 concurrent programs.
///
/// `keychain-benchmarks adding DIRECTORY` measures only additions, together with bare commits.
///
/// `keychain-benchmarks sizes [--million] CHATELAINED CHATELAINE DIRECTORY RESULTS` measures every operation at each
/// size, with a service that it starts itself, and also writes the figures to the file RESULTS.
///
/// `keychain-benchmarks comparison CHATELAINED CHATELAINE DIRECTORY RESULTS` measures each operation once together with
/// a floor, for `Tools/bench` without arguments, and writes the figures to the file RESULTS.
///
/// `keychain-benchmarks rates CHATELAINED DIRECTORY ITEMS …` prints the figures that `Benchmarks/others/compare`
/// compares; the environment variable CHATELAINE is the path of the command.
///
/// `keychain-benchmarks identities` measures only searches for identities, and adds their items first.
///
/// `keychain-benchmarks keychains` measures only searches in keychain files, and creates the files first.
///
/// `keychain-benchmarks repeat lookup|add|sign|stream TIMES [ITEMS]` repeats one operation, for a profiler, after it
/// has added the items (default 1000).
@main
enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 5, arguments[1] == "echo" {
            let sizes = RoundTrip(requestBytes: Int(arguments[3]) ?? 0, answerBytes: Int(arguments[4]) ?? 0)
            return try EchoServer.run(arguments[2], sizes)
        }
        if arguments.count >= 5, arguments[1] == "process" {
            let row = try Operations.process(arguments[2], Array(arguments[4...]), times: Int(arguments[3]) ?? 100)
            return print(Table.row(row))
        }
        if arguments.count >= 4, arguments[1] == "repeat" {
            return try Operations.repeating(
                arguments[2], times: Int(arguments[3]) ?? 1_000,
                items: arguments.count > 4 ? Int(arguments[4]) ?? 0 : 1_000)
        }
        if arguments.count == 2, arguments[1] == "identities" {
            var table = Table()
            try findIdentities(&table)
            return print(table.text)
        }
        if arguments.count == 5, arguments[1] == "client" {
            return try Clients.run(arguments[2], Int(arguments[3]) ?? 0, argument: arguments[4])
        }
        if arguments.count == 3, arguments[1] == "clients" {
            return print(try Clients.measure(directory: arguments[2]))
        }
        if arguments.count >= 6, arguments[1] == "sizes" { return try await compareSizes(Array(arguments[2...])) }
        if arguments.count == 6, arguments[1] == "comparison" {
            var comparison = Comparison(program: arguments[2], command: arguments[3], directory: arguments[4])
            return try await comparison.measure(writingTo: arguments[5])
        }
        if arguments.count >= 5, arguments[1] == "rates" {
            return try Rates.measure(
                program: arguments[2], directory: arguments[3],
                command: ProcessInfo.processInfo.environment["CHATELAINE"],
                counts: arguments[4...].compactMap { Int($0) })
        }
        if arguments.count == 3, arguments[1] == "adding" {
            var table = Table()
            try addDurably(directory: arguments[2], from: 0, &table)
            return print(table.text)
        }
        if arguments.count == 2, arguments[1] == "keychains" {
            var table = Table()
            try searchKeychainFiles(&table)
            return print(table.text)
        }
        if arguments.count == 3, arguments[1] == "locking" {
            return print(try await Locking.measure(database: arguments[2]).text)
        }
        guard arguments.count >= 2 else { throw BenchmarkFailure("usage: keychain-benchmarks DIRECTORY [ITEMS …]") }
        let counts = arguments.count > 2 ? arguments[2...].compactMap { Int($0) } : [1_000, 100_000]
        try run(directory: arguments[1], counts: counts.sorted())
    }

    private static func run(directory: String, counts: [Int]) throws {
        let times = 20_000
        var table = Table()
        table.add(try Floors.authenticatedOpen(bytes: 32, times: times))
        for count in counts { table.add(try Floors.lookup(rows: count, times: times, directory: directory)) }
        var filled = 0
        var lookups: [Timing] = []
        for count in counts {
            try Operations.fill(from: filled, to: count)
            filled = count
            let (trip, lookup) = try RoundTrip.lookup.measure { trip in
                try Timing.alternating(trip, Operations.lookup(among: count), times: times, batch: 500)
            }
            table.add(trip)
            table.add(lookup, floor: trip)
            table.note("lookup p50 / bare round trip p50, \(count) items", lookup.p50 / trip.p50, atMost: 3)
            lookups.append(lookup)
        }
        if let first = lookups.first, let last = lookups.last, lookups.count > 1 {
            table.note(
                "lookup p50 at \(counts.last!) items / at \(counts.first!) items", last.p50 / first.p50, atMost: 1.2)
        }
        try compareSearches(among: filled, &table)
        try findIdentities(&table)
        try searchKeychainFiles(&table)
        try importBundles(&table)
        try measureSigning(&table)
        try addDurably(directory: directory, from: filled, &table)
        print(table.text)
    }

    private static func addDurably(directory: String, from start: Int, _ table: inout Table) throws {
        let (commit, addition) = try Timing.alternating(
            Floors.durableCommit(directory: directory), Operations.addition(from: start), times: 2_000, batch: 100)
        table.add(commit)
        table.add(addition, floor: commit)
        table.note("durable add p50 / bare commit p50", addition.p50 / commit.p50, atMost: 2)
    }
}

extension Main {
    private static func compareSizes(_ words: [String]) async throws {
        let names = words.filter { !$0.hasPrefix("--") }
        let options = words.filter { $0.hasPrefix("--") }
        guard names.count == 4, options.allSatisfy({ $0 == "--million" }) else {
            throw BenchmarkFailure(
                "usage: keychain-benchmarks sizes [--million] CHATELAINED CHATELAINE DIRECTORY RESULTS")
        }
        var sizes = try Sizes(program: names[0], command: names[1], directory: names[2])
        let results = try await sizes.measure(
            Sizes.usual + (options.isEmpty ? [] : [Sizes.million]), writingTo: names[3])
        print(results.text)
    }
}

extension Main {
    /// Measures searches by each single indexed attribute, compared with one by the whole primary key, and a long
    /// answer.
    private static func compareSearches(among count: Int, _ table: inout Table) throws {
        guard count >= 10_000 else { return }
        try Operations.fillForSearches(count)
        for search in Operations.Search.allCases {
            let (key, single) = try Timing.alternating(
                Operations.search(.key, among: count), Operations.search(search, among: count), times: 4_000, batch: 200
            )
            if search == .key { continue }
            table.add(single, floor: key)
            table.note("\(search.rawValue) / by key, \(count) items", single.p50 / key.p50, atMost: 2)
        }
        let items = 10_000
        let all = try Timing("all attributes of \(items) items", times: 10, warmUp: 2) { _ in
            try Operations.stream(items)
        }
        table.add(all)
        table.note("microseconds for each of \(items) items of one answer", all.p50 / Double(items), atMost: 15)
    }
}

extension Main {
    fileprivate static func findIdentities(_ table: inout Table) throws {
        let count = 10_000
        try Identities.fill(count)
        for search in Identities.Search.allCases {
            let operation = try Identities.search(search, among: count)
            let samples = try (0..<4_100).map(operation.run).dropFirst(100)
            let timing = Timing(operation.name, samples: Array(samples))
            table.add(timing)
            table.note("identity \(search.rawValue), µs", timing.p50, atMost: 200)
        }
    }
}

extension Main {
    fileprivate static func searchKeychainFiles(_ table: inout Table) throws {
        let (count, run) = (10_000, UInt32.random(in: 0 ... .max))
        let names = (0..<10).map { "benchmark-\(run)-\($0)" }
        let keychains = try names.map { try KeychainFiles.filled($0, count: count) }
        defer { SecKeychainDelete(keychains as CFArray) }
        let (one, ten) = try Timing.alternating(
            KeychainFiles.search([keychains[9]], names[9], count: count),
            KeychainFiles.search(keychains, names[9], count: count), times: 2_000, batch: 100)
        table.add(one)
        table.add(ten, floor: one)
        table.note("10 keychains of \(count) items / one", ten.p50 / one.p50, atMost: 10)
    }
}

extension Main {
    fileprivate static func importBundles(_ table: inout Table) throws {
        for format in [SecExternalFormat.formatPEMSequence, .formatPKCS7] {
            let operation = try Importing.bundle(format)
            let samples = try (0..<110).map(operation.run).dropFirst(10)
            let timing = Timing(operation.name, samples: Array(samples))
            table.add(timing)
            table.note("\(operation.name), s", timing.p50 / 1e6, atMost: 1)
        }
    }
}

extension Main {
    /// Measures signatures with keys that the service holds, together with keys in memory and a round trip of the same
    /// sizes.
    private static func measureSigning(_ table: inout Table) throws {
        for kind in Signing.Kind.allCases {
            let figures = try Signing.measure(kind, times: kind.times)
            table.add(figures.bare)
            table.add(figures.trip)
            table.add(figures.held, floor: figures.bare)
            guard let limit = kind.limit else { continue }
            table.note("microseconds more than both for a signature, \(kind)", figures.more, atMost: limit)
        }
    }
}

/// The results, as a Markdown table.
struct Table {
    private var lines = ["| what | p50 µs | p99 µs | p50 / floor |", "|---|---:|---:|---:|"]
    private var notes: [String] = []

    mutating func add(_ measurement: Timing, floor: Timing? = nil) {
        lines.append(Self.row(measurement, floor: floor))
    }

    static func row(_ measurement: Timing, floor: Timing? = nil) -> String {
        let ratio = floor.map { text(measurement.p50 / $0.p50) } ?? "–"
        return "| \(measurement.name) | \(text(measurement.p50)) | \(text(measurement.p99)) | \(ratio) |"
    }

    mutating func note(_ name: String, _ value: Double, atMost limit: Double) {
        notes.append(
            "- \(name): \(Self.text(value)) (target: at most \(Self.text(limit))) \(value <= limit ? "met" : "MISSED")")
    }

    var text: String { (lines + [""] + notes).joined(separator: "\n") }

    private static func text(_ number: Double) -> String {
        String(format: "%.2f", number)
    }
}
