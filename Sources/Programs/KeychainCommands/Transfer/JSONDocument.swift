// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// A JSON text, read in full (RFC 8259): its values as ranges in the bytes, which are wiped with the document.
///
/// Numbers are integers of 64 bits, an object has each name once, and values are nested at most ``maximumDepth`` deep.
/// The project has its own parser, because Foundation's parser leaves strings behind that cannot be wiped, and reports
/// no lines.
struct JSONDocument {
    indirect enum Value {
        case null
        case boolean(Bool)
        case integer(Int64)
        case text(Text)
        case array([Element])
        case object([Member])
    }

    struct Element {
        /// The line of the value's beginning; the first line of the file is 1.
        let line: Int
        let value: Value
    }

    struct Member {
        let name: String
        let element: Element
        /// The range from the quote before the name to the end of the value.
        let range: Range<Int>
    }

    /// The range of a string, between its quotes.
    struct Text {
        fileprivate let range: Range<Int>
        fileprivate let hasEscapes: Bool
    }

    static let maximumDepth = 16

    let root: Element
    private let source: SecretAccumulator

    /// Parses a file.
    ///
    /// - Throws: the first problem of the file as a whole.
    init(_ source: SecretAccumulator) throws(TextProblem) {
        self.source = source
        let start = try source.startOfText()
        var parser = JSONParser(bytes: source.bytes, position: start)
        root = try parser.document()
    }

    func text(_ text: Text) -> String {
        guard text.hasEscapes else { return String(decoding: source.bytes[text.range], as: UTF8.self) }
        let decoded = SecretAccumulator()
        unescape(text, into: decoded)
        return String(decoding: decoded.bytes, as: UTF8.self)
    }

    func secret(_ text: Text) -> SecretBytes {
        guard text.hasEscapes else { return SecretBytes(copying: source.bytes[text.range]) }
        let decoded = SecretAccumulator()
        unescape(text, into: decoded)
        return decoded.secret()
    }

    /// Returns the bytes that a string encodes in base64 with padding; nil if it is not base64.
    func bytes(base64 text: Text) -> SecretBytes? {
        guard !text.hasEscapes else { return nil }
        return decodedBase64(source.bytes[text.range])
    }

    /// Removes the escapes, all of which are complete, because the parser has validated them.
    private func unescape(_ text: Text, into output: SecretAccumulator) {
        var rest = source.bytes[text.range]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
                output.append([byte])
                continue
            }
            guard letter == UInt8(ascii: "u") else {
                output.append([JSONParser.escapes[letter] ?? letter])
                continue
            }
            var unit = Self.unit(&rest)
            if (0xD800..<0xDC00).contains(unit) {
                rest = rest.dropFirst(2)
                unit = 0x10000 + (unit - 0xD800) << 10 + (Self.unit(&rest) - 0xDC00)
            }
            if let scalar = Unicode.Scalar(unit) { output.append(UTF8.encode(scalar)!) }
        }
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        return digits.reduce(0) { $0 << 4 | UInt32(hexadecimalValue($1) ?? 0) }
    }

    private struct JSONParser {
        let bytes: [UInt8]
        var position: Int
        var line = 1

        static let escapes: [UInt8: UInt8] = [
            UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
            UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
            UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
        ]

        mutating func document() throws(TextProblem) -> Element {
            let root = try element(depth: 0)
            skipBlanks()
            guard position == bytes.count else { throw problem("text follows the end of the document") }
            return root
        }

        private func problem(_ reason: String) -> TextProblem { TextProblem(line, reason) }

        private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        private mutating func skipBlanks() {
            while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                if byte == 0x0A { line += 1 }
                position += 1
            }
        }

        /// Skips a character if it is the next one after blanks.
        private mutating func pass(_ character: Unicode.Scalar) -> Bool {
            skipBlanks()
            guard next == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        private mutating func element(depth: Int) throws(TextProblem) -> Element {
            skipBlanks()
            let first = line
            return Element(line: first, value: try value(depth: depth))
        }

        private mutating func value(depth: Int) throws(TextProblem) -> Value {
            guard depth <= JSONDocument.maximumDepth else { throw problem("values are nested too deeply") }
            switch next {
            case UInt8(ascii: "{"): return .object(try members(depth: depth))
            case UInt8(ascii: "["): return .array(try elements(depth: depth))
            case UInt8(ascii: "\""): return .text(try text())
            case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
                return .integer(try integer())
            default: break
            }
            for (word, value) in [("null", Value.null), ("true", .boolean(true)), ("false", .boolean(false))]
            where bytes[position...].starts(with: word.utf8) {
                position += word.utf8.count
                return value
            }
            throw problem(next == nil ? "the document ends too early" : "a JSON value is expected")
        }

        private mutating func members(depth: Int) throws(TextProblem) -> [Member] {
            position += 1
            var members: [Member] = []
            var names: Set<[UInt8]> = []
            if pass("}") { return members }
            repeat {
                skipBlanks()
                guard next == UInt8(ascii: "\"") else { throw problem("a name in quotes is expected") }
                let start = position
                let name = try text()
                // Names are words of a format: none of them needs an escape, and none of them is a secret.
                guard !name.hasEscapes else { throw problem("a name contains an escape sequence") }
                guard names.insert(Array(bytes[name.range])).inserted else {
                    throw problem("a name occurs twice in an object")
                }
                guard pass(":") else { throw problem("a colon is expected") }
                let text = String(decoding: bytes[name.range], as: UTF8.self)
                let element = try element(depth: depth + 1)
                members.append(Member(name: text, element: element, range: start..<position))
            } while pass(",")
            guard pass("}") else { throw problem("a comma or the end of an object is expected") }
            return members
        }

        private mutating func elements(depth: Int) throws(TextProblem) -> [Element] {
            position += 1
            var elements: [Element] = []
            if pass("]") { return elements }
            repeat { elements.append(try element(depth: depth + 1)) } while pass(",")
            guard pass("]") else { throw problem("a comma or the end of an array is expected") }
            return elements
        }

        private mutating func integer() throws(TextProblem) -> Int64 {
            let start = position
            if next == UInt8(ascii: "-") { position += 1 }
            let digits = bytes[position...].prefix { (0x30...0x39).contains($0) }
            position = digits.endIndex
            if let byte = next, ".eE".utf8.contains(byte) { throw problem("a number is not an integer") }
            guard !digits.isEmpty, digits.count == 1 || digits.first != 0x30 else {
                throw problem("a number is not valid JSON")
            }
            guard let number = Int64(String(decoding: bytes[start..<position], as: UTF8.self)) else {
                throw problem("a number does not fit in 64 bits")
            }
            return number
        }

        private mutating func text() throws(TextProblem) -> Text {
            position += 1
            let start = position
            var hasEscapes = false
            while let byte = next, byte != UInt8(ascii: "\"") {
                guard byte >= 0x20 else { throw problem("a string contains a control character") }
                position += 1
                if byte == UInt8(ascii: "\\") {
                    hasEscapes = true
                    try escape()
                }
            }
            guard next != nil else { throw problem("a string is not closed") }
            position += 1
            return Text(range: start..<position - 1, hasEscapes: hasEscapes)
        }

        /// Skips the rest of an escape, after its backslash.
        private mutating func escape() throws(TextProblem) {
            guard let letter = next else { throw problem("a string is not closed") }
            position += 1
            if letter != UInt8(ascii: "u") {
                guard Self.escapes[letter] != nil else { throw problem("a string contains an unknown escape sequence") }
                return
            }
            let first = try unit()
            guard (0xD800..<0xE000).contains(first) else { return }
            guard first < 0xDC00, bytes[position...].starts(with: "\\u".utf8) else {
                throw problem("a string contains half of a surrogate pair")
            }
            position += 2
            guard (0xDC00..<0xE000).contains(try unit()) else {
                throw problem("a string contains half of a surrogate pair")
            }
        }

        private mutating func unit() throws(TextProblem) -> UInt32 {
            let digits = bytes[position...].prefix(4).compactMap(hexadecimalValue)
            guard digits.count == 4 else { throw problem("a string contains an unknown escape sequence") }
            position += 4
            return digits.reduce(0) { $0 << 4 | UInt32($1) }
        }
    }
}

/// Decodes base64 text with padding (RFC 4648, section 4); nil if the text is not base64, or not its canonical form.
func decodedBase64(_ text: some BidirectionalCollection<UInt8>) -> SecretBytes? {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    let output = SecretAccumulator()
    var group: UInt32 = 0
    var count = 0
    for character in text.dropLast(padding) {
        guard let value = base64Value(character) else { return nil }
        group = group << 6 | UInt32(value)
        count += 1
        guard count == 4 else { continue }
        output.append([UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)])
        (group, count) = (0, 0)
    }
    switch padding {
    case 1:
        guard group & 0b11 == 0 else { return nil }
        output.append([UInt8(group >> 10 & 255), UInt8(group >> 2 & 255)])
    case 2:
        guard group & 0b1111 == 0 else { return nil }
        output.append([UInt8(group >> 4 & 255)])
    default: break
    }
    return output.secret()
}

private func base64Value(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x41...0x5A: character - 0x41
    case 0x61...0x7A: character - 0x61 + 26
    case 0x30...0x39: character - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
}
