// SPDX-License-Identifier: Apache-2.0

/// Numbers under headings: the first column begins at the left, all others end at the right.
struct FigureTable {
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
                let space = String(repeating: " ", count: widths[column] - entry.count)
                line += column == 0 ? entry + space : "  " + space + entry
            }
            text += styled && number == 0 ? "\u{1B}[1m\(line)\u{1B}[0m\n" : line + "\n"
        }
        return text
    }
}
