// SPDX-License-Identifier: Apache-2.0

/// Rows of text under headings, the columns as wide as their widest entry.
struct TextTable {
    private var rows: [[String]]
    private let hasNumbers: Bool

    /// Creates a table.
    ///
    /// - Parameter ofNumbers: aligns all columns but the first to the right.
    init(_ headings: [String], ofNumbers hasNumbers: Bool = false) {
        rows = [headings]
        self.hasNumbers = hasNumbers
    }

    /// Appends a row, with as many entries as there are headings.
    mutating func append(_ row: [String]) {
        precondition(row.count == rows[0].count, "a row has an entry for each column")
        rows.append(row.map(visible))
    }

    func text(styled: Bool) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var text = ""
        for (number, row) in rows.enumerated() {
            var line = ""
            for (column, entry) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - entry.count)
                let isLast = column == row.count - 1
                line += hasNumbers && column > 0 ? space + entry : isLast ? entry : entry + space
                if !isLast { line += "  " }
            }
            text += styled && number == 0 ? "\u{1B}[1m\(line)\u{1B}[0m\n" : line + "\n"
        }
        return text
    }
}
