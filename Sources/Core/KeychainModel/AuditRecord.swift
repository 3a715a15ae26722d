// SPDX-License-Identifier: Apache-2.0

/// The value that links a line of the audit log into its chain: 128 bits (Documentation/Formats/audit-log.md).
public struct AuditLink: Hashable, Sendable {
    public let value: UInt128

    public init(value: UInt128) { self.value = value }

    /// The link before the first line of a log.
    public static let beginning = AuditLink(value: 0)

    /// 32 lowercase hexadecimal digits.
    public var hexadecimal: String { value.fixedHexadecimal }

    /// Reads a link; nil unless the digits are 32 lowercase hexadecimal digits.
    public init?(hexadecimal digits: some Sequence<UInt8>) {
        guard let value = UInt128(fixedHexadecimal: digits) else { return nil }
        self.value = value
    }
}

extension ItemIdentifier {
    /// 32 lowercase hexadecimal digits, as the audit log names an item.
    public var hexadecimal: String { value.fixedHexadecimal }

    /// Reads an identifier; nil unless the digits are 32 lowercase hexadecimal digits.
    public init?(hexadecimal digits: some Sequence<UInt8>) {
        guard let value = UInt128(fixedHexadecimal: digits) else { return nil }
        self.init(value: value)
    }
}

extension UInt128 {
    fileprivate var fixedHexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 32 - digits.utf8.count) + digits
    }

    fileprivate init?(fixedHexadecimal digits: some Sequence<UInt8>) {
        self = 0
        var count = 0
        for digit in digits {
            count += 1
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = self << 4 | UInt128(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): self = self << 4 | UInt128(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
            guard count <= 32 else { return nil }
        }
        guard count == 32 else { return nil }
    }
}

/// A parsed line of the audit log: a JSON object whose values are texts, integers, and lists of texts.
///
/// Reading is total, because any process with access to the file may have changed it.
public struct AuditRecord: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        case text(String)
        case number(Int64)
        case texts([String])
    }

    private let fields: [String: Value]

    /// Parses a line; nil for bytes that the service would not write: another form of JSON, a repeated field, control
    /// characters, invalid UTF-8.
    public init?(_ line: some Collection<UInt8>) {
        var reader = AuditLineReader(line)
        guard let fields = reader.object() else { return nil }
        self.fields = fields
    }

    public subscript(_ name: String) -> Value? { fields[name] }

    public func text(_ name: String) -> String? {
        if case .text(let text) = fields[name] { text } else { nil }
    }

    public func number(_ name: String) -> Int64? {
        if case .number(let number) = fields[name] { number } else { nil }
    }

    public func texts(_ name: String) -> [String]? {
        if case .texts(let texts) = fields[name] { texts } else { nil }
    }

    // MARK: Fields of a line

    /// The number of the line, counted from 1.
    public var sequence: UInt64? { number("seq").flatMap { UInt64(exactly: $0) } }
    public var time: Timestamp? { text("time").flatMap { CivilTime.moment(rfc3339: $0) } }
    public var action: String? { text("action") }
    public var outcome: String? { text("outcome") }
    public var program: String? { text("program") }

    /// The action of lines that the log writes about itself.
    public static let logAction = "audit-log"

    /// Whether the line is about the log itself.
    public var concernsLog: Bool { action == Self.logAction }

    /// The items that the line names; the event may have concerned more.
    public var items: [ItemIdentifier] {
        (texts("references") ?? []).compactMap { ItemIdentifier(hexadecimal: $0.utf8) }
    }
}

/// The position of a line's number and link: its last two fields, `,"seq":N,"chain":"…"}`.
public struct AuditLineEnding: Hashable, Sendable {
    public let sequence: UInt64
    public let link: AuditLink
    /// The number of bytes of the line that the link covers.
    public let linkedByteCount: Int

    /// Finds the ending; nil for a line with another ending.
    public init?(_ line: Span<UInt8>) {
        // `,"chain":"` and 32 digits and `"}`
        let linkStart = line.count - 34
        guard linkStart > 20, line[line.count - 2] == UInt8(ascii: "\""), line[line.count - 1] == UInt8(ascii: "}"),
            Self.hasText(",\"chain\":\"", in: line, before: linkStart),
            let link = Self.link(in: line, at: linkStart)
        else { return nil }
        let end = linkStart - 10
        var start = end
        while start > 0, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[start - 1]) { start -= 1 }
        guard (1...19).contains(end - start), Self.hasText(",\"seq\":", in: line, before: start) else { return nil }
        sequence = (start..<end).reduce(0) { $0 * 10 + UInt64(line[$1] - UInt8(ascii: "0")) }
        guard sequence > 0, line[start] != UInt8(ascii: "0") else { return nil }
        self.link = link
        linkedByteCount = end
    }

    private static func link(in line: Span<UInt8>, at start: Int) -> AuditLink? {
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        for index in start..<start + 32 { digits.append(line[index]) }
        return AuditLink(hexadecimal: digits)
    }

    private static func hasText(_ text: StaticString, in line: Span<UInt8>, before end: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard end >= count else { return false }
        var index = end - count
        for byte in "\(text)".utf8 {
            guard line[index] == byte else { return false }
            index += 1
        }
        return true
    }
}

/// Reads the restricted form of JSON in which the log is written.
private struct AuditLineReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ line: some Collection<UInt8>) { bytes = Array(line) }

    mutating func object() -> [String: AuditRecord.Value]? {
        var fields: [String: AuditRecord.Value] = [:]
        guard take("{") else { return nil }
        repeat {
            guard let name = string(), take(":"), let value = value(), fields.updateValue(value, forKey: name) == nil
            else {
                return nil
            }
        } while take(",")
        guard take("}"), position == bytes.count else { return nil }
        return fields
    }

    private mutating func value() -> AuditRecord.Value? {
        switch peek {
        case UInt8(ascii: "\""): return string().map(AuditRecord.Value.text)
        case UInt8(ascii: "["): return list().map(AuditRecord.Value.texts)
        default: return number().map(AuditRecord.Value.number)
        }
    }

    private mutating func list() -> [String]? {
        guard take("[") else { return nil }
        var texts: [String] = []
        if take("]") { return texts }
        repeat {
            guard let text = string() else { return nil }
            texts.append(text)
        } while take(",")
        return take("]") ? texts : nil
    }

    private mutating func number() -> Int64? {
        let start = position
        _ = take("-")
        while let digit = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { position += 1 }
        return Int64(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escapedCharacter() else { return nil }
                text += escaped.utf8
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    /// Reads an escape: the service escapes these two characters and control characters.
    private mutating func escapedCharacter() -> Unicode.Scalar? {
        if take("\"") { return "\"" }
        if take("\\") { return "\\" }
        guard take("u"), take("0"), take("0"), position + 2 <= bytes.count else { return nil }
        guard let value = UInt8(String(decoding: bytes[position..<position + 2], as: UTF8.self), radix: 16),
            value < 0x20 || (0x7F..<0xA0).contains(value)
        else { return nil }
        position += 2
        return Unicode.Scalar(value)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
