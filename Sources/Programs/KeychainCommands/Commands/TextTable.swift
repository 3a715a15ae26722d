// SPDX-License-Identifier: Apache-2.0

/// Rows of text under headings, the columns as wide as their widest entry.
struct TextTable {
    private var rows: [[String]]

    init(_ headings: [String]) {
        rows = [headings]
    }

    /// Takes as many entries as there are headings.
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
                line += entry
                if column < row.count - 1 {
                    line += String(repeating: " ", count: widths[column] - entry.count + 2)
                }
            }
            text += styled && number == 0 ? "\u{1B}[1m\(line)\u{1B}[0m\n" : line + "\n"
        }
        return text
    }
}
