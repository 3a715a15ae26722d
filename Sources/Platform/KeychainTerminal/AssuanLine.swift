// SPDX-License-Identifier: Apache-2.0

/// A line of the Assuan protocol, which GnuPG's programs use among each other.
///
/// Source: The GnuPG Project, "Developing with Assuan", https://www.gnupg.org/documentation/manuals/assuan/, chapter 1.
enum AssuanLine {
    /// In bytes, without the line end.
    static let limit = 1000

    /// A server's response.
    enum Reply: Hashable {
        /// The command succeeded.
        case ok
        /// The command failed. The code is one of libgpg-error without the part that names its source; the text is for
        /// display, and may be missing.
        case error(code: UInt16, text: String)
        /// A part of the response: the range of the escaped bytes in the line.
        case data(Range<Int>)
        /// A status keyword about the response that follows.
        case status(String)
        /// The server requests data, and waits: the keyword, and the range of its arguments in the line.
        case inquiry(String, Range<Int>)
        /// A comment, or an empty line.
        case comment
    }

    /// Parses a line; nil for a line that a server may not send here.
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

    /// Returns a command's line with its line end. Characters of the argument that are not printable are escaped; the
    /// excess over the line limit is cut.
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

    /// Decodes the bytes of a part of a response. Returns whether all escapes are valid.
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

    /// Decodes the bytes of a password that a pinentry sends with an inquiry (version 1.2.1, tested): a space is a plus
    /// sign, a plus sign and unprintable characters are escaped, and a percent sign is not.
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
