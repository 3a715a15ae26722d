// SPDX-License-Identifier: Apache-2.0

/// Returns text that a terminal shows unchanged: invisible characters and those that could move the cursor, change
/// colours or reverse the writing direction are escaped as `\u{…}`.
///
/// Attributes may come from other programs, which must not be able to forge lines of the output, or names that look like
/// another item's. The joiners within emoji are escaped as well.
func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isDeceptive) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if isDeceptive(scalar) {
            result += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
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
