// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The rows of Tools/constants.csv, from which the module's constants are generated.
struct ConstantsTable {
    struct Row {
        var name: String
        var type: String
        var value: String
        var about: String
    }

    var rows: [Row] = []

    init() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Tools/constants.csv"), encoding: .utf8)
        for line in text.split(separator: "\n").dropFirst() {
            // Only the last column holds commas; it is quoted then.
            let fields = line.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            try #require(fields.count == 4)
            var about = fields[3]
            if about.hasPrefix("\"") { about = String(about.dropFirst().dropLast()) }
            rows.append(Row(name: fields[0], type: fields[1], value: fields[2], about: about))
        }
    }

    var strings: [Row] { rows.filter { $0.type == "CFString" } }
    var codes: [Row] { rows.filter { $0.type == "OSStatus" } }
}
