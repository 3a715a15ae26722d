// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring
import Security

/// The measurements that `Tools/bench` compares with the committed figures: each operation together with a floor, in a
/// few minutes.
///
/// ``Sizes`` measures most operations. This type adds searches, identities, keychain files, imports and RSA signatures.
struct Comparison {
    static let sizes = [1_000, 10_000]
    /// Number of items for the operations that ``Sizes`` does not measure.
    private static let items = 10_000

    private let program: String
    private let command: String
    private let directory: String
    private var results = Results()

    /// - Parameters:
    ///   - program: the path of chatelained.
    ///   - command: the path of chatelaine.
    ///   - directory: an empty folder on the file system to measure.
    init(program: String, command: String, directory: String) {
        self.program = program
        self.command = command
        self.directory = directory
    }

    /// Measures all operations once.
    ///
    /// - Parameter path: the file for the figures, as lines of JSON.
    mutating func measure(writingTo path: String) async throws {
        var sizes = try Sizes(program: program, command: command, directory: directory)
        results = try await sizes.measure(Self.sizes, writingTo: path)
        let folder = directory + "/others"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let service = try ServiceProcess(program, data: folder)
        try service.start()
        // The floor of operations whose computation takes much longer than a round trip.
        let opening = try Floors.authenticatedOpen(bytes: 187, times: 10_000)
        try measureSearches(opening)
        try measureIdentities()
        try measureKeychainFiles()
        try measureImports(opening)
        let rsa = try Signing.measure(.rsa2048, times: 1_000)
        add("signature by a key in the keychain, RSA-2048", rsa.held, floor: rsa.bare)
        try service.stop()
        try results.write(to: path)
    }

    private mutating func add(_ what: String, _ timing: Timing, floor: Timing) {
        results.add(Self.items, what, timing, floor: floor)
    }

    /// Measures an operation and a round trip alternately.
    private mutating func addBesideRoundTrip(_ what: String, _ operation: MeasuredOperation) throws {
        let (trip, timing) = try RoundTrip.attributes.measure { trip in
            try Timing.alternating(trip, operation, times: 2_000, batch: 100)
        }
        add(what, timing, floor: trip)
    }

    private mutating func measureSearches(_ opening: Timing) throws {
        try Operations.fillForSearches(Self.items)
        for search in Operations.Search.allCases {
            try addBesideRoundTrip("search \(search.rawValue)", Operations.search(search, among: Self.items))
        }
        let all = try Timing("", times: 10, warmUp: 2) { _ in try Operations.stream(Self.items) }
        add("attributes of all items in one answer", all, floor: opening)
    }

    private mutating func measureIdentities() throws {
        try Identities.fill(Self.items)
        for search in Identities.Search.allCases {
            try addBesideRoundTrip("identity \(search.rawValue)", Identities.search(search, among: Self.items))
        }
    }

    /// Measures ten keychain files that contain the number of items in total.
    private mutating func measureKeychainFiles() throws {
        let count = Self.items / 10
        let names = (0..<10).map { "benchmark-\($0)" }
        let keychains = try names.map { try KeychainFiles.filled($0, count: count) }
        defer { SecKeychainDelete(keychains as CFArray) }
        for searched in [[keychains[9]], keychains] {
            let search = KeychainFiles.search(searched, names[9], count: count)
            try addBesideRoundTrip("search through \(searched.count) keychain files", search)
        }
    }

    private mutating func measureImports(_ opening: Timing) throws {
        for format in [SecExternalFormat.formatPEMSequence, .formatPKCS7] {
            let operation = try Importing.bundle(format)
            let samples = try (0..<60).map(operation.run).dropFirst(10)
            add(operation.name, Timing("", samples: Array(samples)), floor: opening)
        }
    }
}
