// SPDX-License-Identifier: Apache-2.0

/// The layout of texts for a pinentry. Programs with windows do not break long words, some of them no lines at all, and
/// a window that is larger than the screen has no buttons on it.
public enum PinentryText {
    /// The width of a line in a window, in columns. pinentry-gtk-2 makes its window as wide as the longest word, and
    /// with a long word its buttons are outside the screen.
    public static let windowColumns = 60

    /// The most lines of a window, without empty lines. With more lines its buttons may be below the screen.
    public static let windowLines = 24

    /// Returns whether a window shows the whole text: a line of the Assuan protocol is long enough for it, and the
    /// buttons are on the screen.
    public static func fitsWindow(_ text: String) -> Bool {
        let lineEnds = text.utf8.count { $0 == UInt8(ascii: "\n") }
        // A line end takes three bytes.
        return "SETDESC ".utf8.count + size(of: text) + 2 * lineEnds <= AssuanLine.limit
            && text.split(separator: "\n").count <= windowLines
    }

    /// Returns the text, cut at its end if it is too long.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that the text may take in a line of the Assuan protocol, including the mark.
    ///   - mark: the text in place of the part that is cut off.
    public static func shortened(_ text: some StringProtocol, _ limit: Int, mark: String = "\u{2026}") -> String {
        guard size(of: text) > limit else { return String(text) }
        var shown = ""
        var left = limit - size(of: mark)
        for character in text {
            left -= size(of: String(character))
            guard left >= 0 else { break }
            shown.append(character)
        }
        return shown + mark
    }

    /// Returns the size in a line of the Assuan protocol, where a percent sign takes three bytes.
    public static func size(of text: some StringProtocol) -> Int {
        text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "%") ? 3 : 1) }
    }

    /// Breaks a text into lines between words, and within a word if the word is too long for a line.
    public static func wrap(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var (line, width) = ("", 0)
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let needed = word.reduce(0) { $0 + Self.width(of: $1) }
            if width > 0, width + 1 + needed > columns {
                lines.append(line)
                (line, width) = ("", 0)
            } else if width > 0 {
                line.append(" ")
                width += 1
            }
            for character in word {
                let more = Self.width(of: character)
                if width + more > columns {
                    lines.append(line)
                    (line, width) = ("", 0)
                }
                line.append(character)
                width += more
            }
        }
        return lines + [line]
    }

    /// Returns the width in columns of a terminal: two for East Asian characters and pictures.
    public static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
