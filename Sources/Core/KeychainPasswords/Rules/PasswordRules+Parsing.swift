// SPDX-License-Identifier: Apache-2.0

extension PasswordRules {
    /// The longest text; it is bounded because rules also come from web pages.
    public static let byteLimit = 4096
    static let numberLimit = 65_535

    /// Reads rules. An empty text means no rules: all printable ASCII.
    ///
    /// - Throws: the fault in the text, and its position.
    public init(parsing text: String) throws(PasswordRulesSyntaxError) {
        let bytes = Array(text.utf8.prefix(Self.byteLimit + 1))
        guard bytes.count <= Self.byteLimit else { throw PasswordRulesSyntaxError(.tooLong, at: Self.byteLimit) }
        var reader = RulesReader(bytes: bytes)
        self.init()
        while try reader.hasProperty() { try read(from: &reader) }
        guard minimumLength ?? 0 <= maximumLength ?? .max else {
            throw PasswordRulesSyntaxError(.lengthsContradict, at: bytes.count)
        }
    }

    private mutating func read(from reader: inout RulesReader) throws(PasswordRulesSyntaxError) {
        let (name, start) = reader.word()
        guard !name.isEmpty else { throw PasswordRulesSyntaxError(.expectedProperty, at: start) }
        guard ["minlength", "maxlength", "max-consecutive", "required", "allowed"].contains(name) else {
            throw PasswordRulesSyntaxError(.unknownProperty, at: start)
        }
        try reader.colon()
        switch name {
        case "minlength": minimumLength = max(minimumLength ?? 0, try reader.number())
        case "maxlength": maximumLength = min(maximumLength ?? .max, try reader.number())
        case "max-consecutive":
            reader.skipSpace()
            let place = reader.place
            let number = try reader.number()
            guard number > 0 else { throw PasswordRulesSyntaxError(.zeroConsecutive, at: place) }
            maximumConsecutive = min(maximumConsecutive ?? .max, number)
        case "required": required.append(try reader.classes())
        default: allowed += try reader.classes()
        }
        try reader.propertyEnd()
    }
}

/// The text of rules and the read position. In bytes, because all syntax is ASCII.
private struct RulesReader {
    let bytes: [UInt8]
    private(set) var place = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func skipSpace() {
        while let next, [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(next) { place += 1 }
    }

    private mutating func take(_ sign: UInt8) -> Bool {
        skipSpace()
        guard next == sign else { return false }
        place += 1
        return true
    }

    /// Returns whether another property follows. Repeated semicolons are ignored.
    mutating func hasProperty() throws(PasswordRulesSyntaxError) -> Bool {
        while take(UInt8(ascii: ";")) {}
        return next != nil
    }

    /// Returns letters and hyphens, in lower case, and their position. Empty if there are none.
    mutating func word() -> (String, at: Int) {
        skipSpace()
        let start = place
        while let next, (0x41...0x5A).contains(next & 0xDF) || next == UInt8(ascii: "-") { place += 1 }
        return (String(decoding: bytes[start..<place].map { $0 | 0x20 }, as: UTF8.self), start)
    }

    mutating func colon() throws(PasswordRulesSyntaxError) {
        guard take(UInt8(ascii: ":")) else { throw PasswordRulesSyntaxError(.expectedColon, at: place) }
    }

    mutating func propertyEnd() throws(PasswordRulesSyntaxError) {
        guard take(UInt8(ascii: ";")) || next == nil else { throw PasswordRulesSyntaxError(.expectedEnd, at: place) }
    }

    mutating func number() throws(PasswordRulesSyntaxError) -> Int {
        skipSpace()
        let start = place
        var value = 0
        while let digit = next, (0x30...0x39).contains(digit) {
            value = 10 * value + Int(digit & 0x0F)
            guard value <= PasswordRules.numberLimit else { throw PasswordRulesSyntaxError(.numberTooLarge, at: start) }
            place += 1
        }
        guard place > start else { throw PasswordRulesSyntaxError(.expectedNumber, at: start) }
        return value
    }

    mutating func classes() throws(PasswordRulesSyntaxError) -> [PasswordRules.CharacterClass] {
        var classes = [try characterClass()]
        while take(UInt8(ascii: ",")) { classes.append(try characterClass()) }
        return classes
    }

    private mutating func characterClass() throws(PasswordRulesSyntaxError) -> PasswordRules.CharacterClass {
        if take(UInt8(ascii: "[")) { return try customClass() }
        let (name, start) = word()
        switch name {
        case "upper": return .upper
        case "lower": return .lower
        case "digit": return .digit
        case "special": return .special
        case "ascii-printable": return .asciiPrintable
        case "unicode": return .unicode
        default: throw PasswordRulesSyntaxError(name.isEmpty ? .expectedClass : .unknownClass, at: start)
        }
    }

    /// Reads the characters in brackets. A closing bracket directly before another one belongs to the characters.
    private mutating func customClass() throws(PasswordRulesSyntaxError) -> PasswordRules.CharacterClass {
        let start = place
        while let sign = next {
            if sign == UInt8(ascii: "]"), place + 1 == bytes.count || bytes[place + 1] != UInt8(ascii: "]") { break }
            guard (0x20...0x7E).contains(sign) else { throw PasswordRulesSyntaxError(.characterInClass, at: place) }
            guard sign != UInt8(ascii: "-") || place == start else {
                throw PasswordRulesSyntaxError(.hyphenNotFirst, at: place)
            }
            place += 1
        }
        guard next != nil else { throw PasswordRulesSyntaxError(.unclosedClass, at: place) }
        guard place > start else { throw PasswordRulesSyntaxError(.emptyClass, at: place) }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        place += 1
        return .custom(text)
    }
}
