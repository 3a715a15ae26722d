// SPDX-License-Identifier: Apache-2.0

/// A line of the Assuan protocol, in which GnuPG's programs speak to each other.
///
/// Source: The GnuPG Project, "Developing with Assuan", https://www.gnupg.org/documentation/manuals/assuan/, chapter 1.
enum AssuanLine {
    /// In bytes, without the line end.
    static let limit = 1000

    /// What a server says.
    enum Reply: Hashable {
        /// The command was done.
        case ok
        /// The command was not done. The code is one of libgpg-error without the part that names its source; the text is for
        /// people, and may be missing.
        case error(code: UInt16, text: String)
        /// A part of the answer: the place of the escaped bytes in the line.
        case data(Range<Int>)
        /// Something about the answer that is to come: a word.
        case status(String)
        /// The server asks something back, and waits: what, and the place of what it says of it in the line.
        case inquiry(String, Range<Int>)
        /// A comment, or nothing.
        case comment
    }

    /// What a line says; nil for what no server may say here.
    static func reply(_ line: ArraySlice<UInt8>) -> Reply? {
        if line.isEmpty || line.first == UInt8(ascii: "#") { return .comment }
        let word = line.prefix { $0 != UInt8(ascii: " ") }
        let rest = line[word.endIndex...].dropFirst()
        switch String(decoding: word.prefix(8), as: UTF8.self) {
        case "OK": return .ok
        case "D": return .data(rest.startIndex..<rest.endIndex)
        case "S": return .status(String(decoding: rest.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
        case "INQUIRE":
            let word = rest.prefix { $0 != UInt8(ascii: " ") }
            let argument = rest[word.endIndex...].dropFirst()
            return .inquiry(String(decoding: word, as: UTF8.self), argument.startIndex..<argument.endIndex)
        case "ERR":
            let number = rest.prefix { $0 != UInt8(ascii: " ") }
            guard let code = UInt32(String(decoding: number, as: UTF8.self)) else { return nil }
            let text = rest[number.endIndex...].dropFirst()
            return .error(
                code: UInt16(truncatingIfNeeded: code), text: String(decoding: text.prefix(200), as: UTF8.self))
        default: return nil
        }
    }

    /// A command's line with its line end. What is not printable in the argument is escaped; what exceeds a line is cut.
    static func command(_ word: String, _ argument: String = "") -> [UInt8] {
        var line = Array(word.utf8)
        if !argument.isEmpty { line.append(UInt8(ascii: " ")) }
        for character in argument {
            let escaped = character.utf8.flatMap { byte -> [UInt8] in
                guard byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "%") else { return [byte] }
                return [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
            guard line.count + escaped.count <= limit else { break }
            line += escaped
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// The bytes that a part of an answer stands for; nil when an escape is broken.
    static func unescape(_ bytes: ArraySlice<UInt8>, into answer: (UInt8) -> Void) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                answer(byte)
            } else if let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) {
                answer(high << 4 | low)
            } else {
                return false
            }
        }
        return true
    }

    /// The bytes of a password that a pinentry tells with an inquiry (version 1.2.1, by trial): a space is a plus sign, a plus sign and
    /// what is not printable are escaped, and a percent sign is itself.
    static func unescapeInquired(_ bytes: ArraySlice<UInt8>, into password: (UInt8) -> Void) {
        var rest = bytes
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(value)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                password(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                password(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
