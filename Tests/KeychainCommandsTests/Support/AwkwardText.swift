// SPDX-License-Identifier: Apache-2.0

import TestSupport

extension SeededGenerator {
    /// Text of characters that formats have trouble with.
    mutating func awkwardText(atMost count: Int) -> String {
        let characters: [Character] = [
            "a", "B", "7", " ", ",", ";", "\"", "'", "\n", "\r", "\r\n", "\t", "\u{0}", "\u{7F}", "\\", "/", "é", "日",
            "\u{301}", "🔑", "\u{FEFF}", "\u{2028}", "=", "{", "[", ":",
        ]
        let count = Int.random(in: 0...count, using: &self)
        return String((0..<count).map { _ in characters.randomElement(using: &self)! })
    }
}
