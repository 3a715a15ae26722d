// SPDX-License-Identifier: Apache-2.0

/// Random numbers that are the same in every run (SplitMix64), so that what fails can be run again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }

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
