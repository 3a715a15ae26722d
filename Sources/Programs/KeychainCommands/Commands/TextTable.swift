// SPDX-License-Identifier: Apache-2.0

/// Rows of text under headings, the columns as wide as their widest entry, up to a limit.
struct TextTable {
    /// The number of characters to which a column is padded at most. A longer entry would otherwise lengthen all rows, and
    /// any program can store one.
    static let widthLimit = 80
    /// The number of characters at the end of a shortened entry, by which long entries often differ.
    private static let endOfShortened = 20

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
        // A file or a pipe gets the whole text of an entry.
        rows.append(row.map { visible($0, atMost: .max) })
    }

    /// Returns the lines.
    ///
    /// - Parameter shortened: whether an ellipsis replaces the middle of an entry that is longer than ``widthLimit``, for
    ///   a person on a terminal.
    func text(styled: Bool, shortened: Bool = false) -> String {
        let rows = rows.map { row in row.map { Entry($0, shortened: shortened) } }
        let widths = rows[0].indices.map { column in
            min(rows.map { $0[column].width }.max() ?? 0, Self.widthLimit)
        }
        var text = ""
        for (number, row) in rows.enumerated() {
            var line = ""
            for (column, entry) in row.enumerated() {
                let space = String(repeating: " ", count: max(0, widths[column] - entry.width))
                let isLast = column == row.count - 1
                line += hasNumbers && column > 0 ? space + entry.text : isLast ? entry.text : entry.text + space
                if !isLast { line += "  " }
            }
            text += styled && number == 0 ? "\u{1B}[1m\(line)\u{1B}[0m\n" : line + "\n"
        }
        return text
    }

    private struct Entry {
        let text: String
        let width: Int

        init(_ text: String, shortened: Bool) {
            let width = text.count
            guard shortened, width > widthLimit else {
                (self.text, self.width) = (text, width)
                return
            }
            self.text = text.prefix(widthLimit - endOfShortened - 1) + "…" + text.suffix(endOfShortened)
            self.width = widthLimit
        }
    }
}
