// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text with a question mark in place of each character that a terminal acts on or that changes the writing
    /// direction, because other users may have chosen the names of files and items.
    package var printable: String {
        func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        return String(UnicodeScalarView(unicodeScalars.map { isDeceptive($0) ? "?" : $0 }))
    }
}
