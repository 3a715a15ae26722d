// SPDX-License-Identifier: Apache-2.0

/// Returns text that a terminal shows unchanged: invisible characters and those that could move the cursor, change
/// colours or reverse the writing direction are escaped as `\u{…}`.
///
/// Attributes may come from other programs, which must not be able to forge lines of the output, names that look like
/// another item's, or a character of thousands of combining marks. The joiners within emoji are escaped as well.
///
/// - Parameter limit: the maximum number of scalars. A longer text is cut, and an ellipsis follows.
func visible(_ text: String, atMost limit: Int = VisibleTextLimits.scalars) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    guard !isPlain || text.utf8.count > limit else { return text }
    let ellipsis: Unicode.Scalar = "\u{2026}"
    var result = String.UnicodeScalarView()
    var count = 0
    for character in text {
        var piece = String.UnicodeScalarView()
        for scalar in character.unicodeScalars.prefix(VisibleTextLimits.scalarsOfCharacter) {
            if isDeceptive(scalar) {
                piece.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                piece.append(scalar)
            }
        }
        if !character.unicodeScalars.dropFirst(VisibleTextLimits.scalarsOfCharacter).isEmpty { piece.append(ellipsis) }
        count += piece.count
        guard count <= limit else {
            result.append(ellipsis)
            break
        }
        result.append(contentsOf: piece)
    }
    return String(result)
}

/// The limits of ``visible(_:atMost:)``.
enum VisibleTextLimits {
    /// Enough for the longest messages with paths.
    static let scalars = 4096
    /// The maximum number of scalars of one character, such as a letter with its combining marks: enough for every
    /// script and for emoji of several persons. An ellipsis replaces the others.
    static let scalarsOfCharacter = 16
}

/// A highlighted text on a terminal.
enum TextStyle: String {
    case red = "1;31"
    case yellow = "33"
    case green = "32"
    case bold = "1"

    /// Returns the text in this style.
    ///
    /// - Parameter isOn: false for a file, a pipe, or a terminal without colours.
    func text(_ text: String, _ isOn: Bool) -> String { isOn ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text }
}

/// Returns whether a character could make a terminal show other text than it received.
func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F...0x9F: true  // control characters
    case 0x20..<0x7F: false
    case 0x2028, 0x2029: true  // line and paragraph separator
    default: isInvisibleFormat(scalar.properties)
    }
}

/// Returns whether a character has no glyph: those that change the writing direction, joiners, spaces without width, and
/// tags. The tags include unassigned characters.
private func isInvisibleFormat(_ properties: Unicode.Scalar.Properties) -> Bool {
    guard properties.isDefaultIgnorableCodePoint else { return false }
    return properties.generalCategory == .format || properties.generalCategory == .unassigned
}
