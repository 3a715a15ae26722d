// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring

/// The measurements of the keychain for `Benchmarks/others/compare`, which makes the same ones with other stores.
enum Rates {
    private struct Line: Encodable {
        let store = "chatelaine"
        let title = "Chatelaine"
        let items: Int
        /// In seconds; the medians.
        let lookup: Double
        let add: Double
        let program: Double?
    }

    /// Prints a line of JSON for each count, each with a separate service and keychain.
    ///
    /// - Parameters:
    ///   - program: the path of chatelained.
    ///   - directory: the folder in which a folder for each keychain is created.
    ///   - command: the path of chatelaine; nil: whole programs are not measured.
    static func measure(program: String, directory: String, command: String?, counts: [Int]) throws {
        for count in counts {
            let folder = "\(directory)/\(count)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let service = try ServiceProcess(program, data: folder)
            try service.start()
            try Operations.fill(from: 0, to: count)
            try service.waitUntilIdle()
            let lookups = try samples(2_000, Operations.lookup(among: count))
            let additions = try samples(500, Operations.addition(from: Operations.spare))
            let whole = try command.map { try wholeProgram($0) }
            let line = Line(
                items: count, lookup: lookups.p50 / 1e6, add: additions.p50 / 1e6, program: whole.map { $0.p50 / 1e6 })
            print(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))
            try service.stop()
        }
    }

    private static func samples(_ times: Int, _ operation: MeasuredOperation) throws -> Timing {
        Timing(operation.name, samples: try (0..<times).map(operation.run))
    }

    /// Measures reading an item of the command itself, because an item of another program would require a prompt.
    static func wholeProgram(_ command: String) throws -> Timing {
        try Operations.command([command, "set", "process", "--user", "test"], input: "secret")
        return try Operations.process(
            "whole process: chatelaine get", [command, "get", "process", "--user", "test"], times: 100)
    }

    /// Measures reading the same item by a part of its name, which is compared with the names of all items.
    static func wholeProgramByPart(_ command: String) throws -> Timing {
        try Operations.process(
            "whole process: chatelaine get, by a part of the name", [command, "get", "roces"], times: 100)
    }
}
