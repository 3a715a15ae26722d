// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring

/// Figures of several sizes, as a table with a column for each size, and as lines of JSON.
struct Results {
    /// One figure, with the contents of its line of JSON.
    private struct Figure: Encodable {
        let items: Int
        let what: String
        let unit: String
        /// The median of durations; for all others, the value itself.
        let value: Double
        let p99: Double?
        /// The median of the minimum duration on this machine, measured alternately with it.
        let floor: Double?
    }

    private var figures: [Figure] = []
    private var notes: [String] = []

    mutating func add(_ items: Int, _ what: String, _ timing: Timing, floor: Timing? = nil) {
        figures.append(
            Figure(items: items, what: what, unit: "µs", value: timing.p50, p99: timing.p99, floor: floor?.p50))
    }

    mutating func add(_ items: Int, _ what: String, _ value: Double, unit: String, floor: Double? = nil) {
        figures.append(Figure(items: items, what: what, unit: unit, value: value, p99: nil, floor: floor))
    }

    mutating func note(_ name: String, _ value: Double, atMost limit: Double) {
        notes.append(
            String(
                format: "- %@: %.2f (target: at most %.1f) %@", name, value, limit, value <= limit ? "met" : "MISSED"))
    }

    func value(_ items: Int, _ what: String) -> Double? {
        figures.first { $0.items == items && $0.what == what }?.value
    }

    /// Returns the largest of the figures whose names begin with this text.
    func largest(_ items: Int, _ beginning: String) -> Double? {
        figures.filter { $0.items == items && $0.what.hasPrefix(beginning) }.map(\.value).max()
    }

    /// A Markdown table: each measurement and its figure at each size, followed by its p99 and its ratio to the floor.
    var text: String {
        var (sizes, rows): ([Int], [String]) = ([], [])
        for figure in figures {
            if !sizes.contains(figure.items) { sizes.append(figure.items) }
            if !rows.contains(figure.what) { rows.append(figure.what) }
        }
        let head = "| items | unit | " + sizes.map(Self.grouped).joined(separator: " | ") + " |"
        let rule = "|---|---|" + sizes.map { _ in "---:|" }.joined()
        let lines = rows.map { row in
            let cells = sizes.map { size in
                guard let figure = figures.first(where: { $0.items == size && $0.what == row }) else { return "" }
                let slow = figure.p99.map { String(format: ", p99 %.1f", $0) } ?? ""
                let ratio = figure.floor.map { String(format: " (%.2f)", figure.value / $0) } ?? ""
                return String(format: "%.1f", figure.value) + slow + ratio
            }
            let unit = figures.first { $0.what == row }?.unit ?? ""
            return "| \(row) | \(unit) | " + cells.joined(separator: " | ") + " |"
        }
        return ([head, rule] + lines + [""] + notes).joined(separator: "\n")
    }

    /// Writes one line of JSON for each figure.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try figures.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func grouped(_ number: Int) -> String {
        var (digits, text) = (String(number), "")
        while digits.count > 3 {
            text = "," + digits.suffix(3) + text
            digits.removeLast(3)
        }
        return digits + text
    }
}
