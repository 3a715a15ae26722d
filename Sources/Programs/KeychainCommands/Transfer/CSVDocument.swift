// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// A CSV file, read in full (RFC 4180): its records as ranges in the bytes, which are wiped with the document.
///
/// Lines end with LF or CRLF. A byte order mark of UTF-8 is skipped, and so are empty lines. Any other deviation from
/// the RFC is an error with its line, because passwords must not be guessed. The project has its own parser, because
/// libraries return fields as `String`, which cannot be wiped, and remove blanks, which passwords may begin with.
struct CSVDocument {
    struct Record {
        /// The line of the record's beginning; the first line of the file is 1.
        let line: Int
        let fields: [Field]
    }

    /// The range of a field's content, with each quote doubled if it contains any.
    struct Field {
        fileprivate let range: Range<Int>
        fileprivate let hasQuotes: Bool

        var isEmpty: Bool { range.isEmpty }
    }

    let records: [Record]
    private let source: SecretAccumulator

    /// Parses a file.
    ///
    /// - Throws: the first problem of the file as a whole.
    init(_ source: SecretAccumulator) throws(TextProblem) {
        self.source = source
        let start = try source.startOfText()
        var parser = Parser(position: start)
        records = try parser.records(source.bytes)
    }

    func text(_ field: Field) -> String {
        guard field.hasQuotes else { return String(decoding: source.bytes[field.range], as: UTF8.self) }
        var bytes = unquoted(field)
        defer { wipe(&bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func secret(_ field: Field) -> SecretBytes {
        guard field.hasQuotes else { return SecretBytes(copying: source.bytes[field.range]) }
        var bytes = unquoted(field)
        return SecretBytes(moving: &bytes)
    }

    private func unquoted(_ field: Field) -> [UInt8] {
        var bytes: [UInt8] = []
        // Room for all, because growing would leave an unwiped copy behind.
        bytes.reserveCapacity(field.range.count)
        var followsQuote = false
        for byte in source.bytes[field.range] {
            followsQuote = byte == quote && !followsQuote
            if !followsQuote { bytes.append(byte) }
        }
        return bytes
    }

    private struct Parser {
        var position: Int
        var line = 1

        mutating func records(_ bytes: [UInt8]) throws(TextProblem) -> [Record] {
            var records: [Record] = []
            while position < bytes.count {
                let isEmptyLine =
                    bytes[position] == newline || bytes[position...].starts(with: [carriageReturn, newline])
                let record = Record(line: line, fields: try fields(bytes))
                if !isEmptyLine { records.append(record) }
            }
            return records
        }

        /// Parses the fields up to the end of the record, and skips that end.
        private mutating func fields(_ bytes: [UInt8]) throws(TextProblem) -> [Field] {
            var fields: [Field] = []
            while true {
                fields.append(try position < bytes.count && bytes[position] == quote ? quoted(bytes) : plain(bytes))
                guard position < bytes.count else { return fields }
                let byte = bytes[position]
                position += 1
                if byte == comma { continue }
                if byte == carriageReturn {
                    guard position < bytes.count, bytes[position] == newline else {
                        throw TextProblem(line, "a carriage return is not followed by a line feed")
                    }
                    position += 1
                }
                line += 1
                return fields
            }
        }

        private mutating func plain(_ bytes: [UInt8]) throws(TextProblem) -> Field {
            let start = position
            while position < bytes.count, !endsField(bytes[position]) {
                guard bytes[position] != quote else {
                    throw TextProblem(line, "a field contains a quotation mark but does not begin with one")
                }
                position += 1
            }
            return Field(range: start..<position, hasQuotes: false)
        }

        private mutating func quoted(_ bytes: [UInt8]) throws(TextProblem) -> Field {
            let firstLine = line
            position += 1
            let start = position
            var hasQuotes = false
            while position < bytes.count {
                if bytes[position] == newline { line += 1 }
                guard bytes[position] == quote else {
                    position += 1
                    continue
                }
                guard position + 1 < bytes.count, bytes[position + 1] == quote else { break }
                hasQuotes = true
                position += 2
            }
            guard position < bytes.count else { throw TextProblem(firstLine, "a quotation mark is not closed") }
            let field = Field(range: start..<position, hasQuotes: hasQuotes)
            position += 1
            guard position == bytes.count || endsField(bytes[position]) else {
                throw TextProblem(line, "text follows the closing quotation mark of a field")
            }
            return field
        }
    }
}

private let quote = UInt8(ascii: "\"")
private let comma = UInt8(ascii: ",")
private let newline = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")

private func endsField(_ byte: UInt8) -> Bool { byte == comma || byte == newline || byte == carriageReturn }

/// A problem in a file, and its line. Contains nothing of the file, because any part of it may be a secret.
struct TextProblem: Error, Hashable {
    let line: Int
    let reason: String

    init(_ line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }
}

extension SecretAccumulator {
    /// Returns the position after a byte order mark.
    ///
    /// - Throws: if the bytes are not UTF-8, with the first invalid line.
    func startOfText() throws(TextProblem) -> Int {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw TextProblem(1, "the file is UTF-16; save it as UTF-8")
        }
        if !isUTF8(bytes) {
            // A newline is never part of another character.
            let lines = bytes.split(separator: newline, omittingEmptySubsequences: false)
            throw TextProblem((lines.firstIndex { !isUTF8($0) } ?? 0) + 1, "the text is not UTF-8")
        }
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }
}

/// Writes CSV (RFC 4180): fields in quotes where they need them, lines that end with CRLF.
struct CSVWriter {
    enum Field {
        case text(String)
        case secret(SecretBytes)
    }

    /// The text written so far.
    let output = SecretAccumulator()

    func append(_ record: [Field]) {
        for (index, field) in record.enumerated() {
            if index > 0 { output.append([comma]) }
            switch field {
            case .text(let text): append(text.utf8)
            case .secret(let secret): append(secret.bytes)
            }
        }
        output.append([carriageReturn, newline])
    }

    private func append(_ bytes: some Collection<UInt8>) {
        let needsQuotes =
            bytes.contains { $0 == quote || endsField($0) } || bytes.first == UInt8(ascii: " ")
        guard needsQuotes else { return output.append(bytes) }
        output.append([quote])
        for part in bytes.split(separator: quote, omittingEmptySubsequences: false) {
            // After each quote of the field a second quote, and none after the last part.
            output.append(part)
            if part.endIndex != bytes.endIndex { output.append([quote, quote]) }
        }
        output.append([quote])
    }
}
