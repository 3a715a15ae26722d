// SPDX-License-Identifier: Apache-2.0

/// Untrusted text in a form that is safe in a prompt: on one line, of bounded length, and without characters that move
/// a cursor, change the writing direction or are invisible.
///
/// The type does not verify that the words are true.
public struct PromptText: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// The longest text; longer texts are cut, and then end with an ellipsis.
    public static let limit = 512

    /// The replacement for a character that cannot be shown: U+FFFD.
    static let substitute: Unicode.Scalar = "\u{FFFD}"

    /// Makes a text safe.
    ///
    /// - Parameter limit: of the text in UTF-8.
    public init(_ text: String, atMost limit: Int = PromptText.limit) {
        var scalars = String.UnicodeScalarView()
        var (size, marks, spaces) = (0, 0, 0)
        let ellipsis: Unicode.Scalar = "\u{2026}"
        // The positions at which the text could end with room for the ellipsis.
        var cut = scalars.endIndex
        for scalar in text.unicodeScalars {
            var shown = scalar
            switch Self.role(of: scalar) {
            case .space:
                // Many spaces would push the following text out of sight.
                spaces += 1
                marks = 0
                if spaces > 1 || scalars.isEmpty { continue }
                shown = " "
            case .mark:
                // Enough marks for every script, and too few to cover the lines around.
                marks += 1
                guard marks <= 4 else { continue }
            case .hidden:
                (marks, spaces) = (0, 0)
                shown = Self.substitute
            case .visible: (marks, spaces) = (0, 0)
            }
            let width = UTF8.width(shown)
            guard size + width <= limit else {
                scalars.removeSubrange(cut...)
                scalars.append(ellipsis)
                break
            }
            scalars.append(shown)
            size += width
            if size + UTF8.width(ellipsis) <= limit { cut = scalars.endIndex }
        }
        while scalars.last == " " { scalars.removeLast() }
        self.text = String(scalars)
    }

    /// Takes text that is in this form already; nil for any other.
    public init?(neutral text: String, atMost limit: Int = PromptText.limit) {
        let own = PromptText(text, atMost: limit)
        guard own.text.utf8.elementsEqual(text.utf8) else { return nil }
        self = own
    }

    public var description: String { text }

    private enum Role { case visible, space, mark, hidden }

    private static func role(of scalar: Unicode.Scalar) -> Role {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return .space
        case .nonspacingMark, .enclosingMark, .spacingMark: return .mark
        case .control: return (0x09...0x0D).contains(scalar.value) || scalar.value == 0x85 ? .space : .hidden
        // Direction overrides and isolates, joiners, tags, and characters without a glyph in current fonts.
        case .format, .surrogate, .privateUse, .unassigned: return .hidden
        default: return scalar.properties.isDefaultIgnorableCodePoint ? .hidden : .visible
        }
    }
}
