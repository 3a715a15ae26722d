// SPDX-License-Identifier: Apache-2.0

/// The positions of neighbouring keys.
struct Keyboard: Sendable {
    /// The key of each character: its row and column, and whether it needs shift.
    private let places: [UInt32: (x: Int, y: Int, shifted: Bool)]
    /// The directions from a key to its neighbours, in the order around it.
    private let directions: [(x: Int, y: Int)]
    /// The number of possible first characters: a key counts once for each of its characters.
    let startCount: Double
    let averageNeighbours: Double
    let hasShift: Bool

    /// Creates a keyboard.
    ///
    /// - Parameter rows: the characters of each key; an empty one is a gap.
    private init(hasShift: Bool, rows: [String], directions: [(x: Int, y: Int)]) {
        var places: [UInt32: (x: Int, y: Int, shifted: Bool)] = [:]
        for (y, row) in rows.enumerated() {
            let scalars = row.unicodeScalars.map(\.value)
            for (index, scalar) in scalars.enumerated() where scalar != 0x20 {
                places[scalar] =
                    hasShift ? (index / 2, y, index % 2 == 1) : (index, y, false)
            }
        }
        (self.places, self.directions, self.hasShift) = (places, directions, hasShift)
        startCount = Double(places.count)
        var taken: Set<[Int]> = []
        for place in places.values { taken.insert([place.x, place.y]) }
        var neighbours = 0
        for place in places.values {
            for way in directions where taken.contains([place.x + way.x, place.y + way.y]) { neighbours += 1 }
        }
        averageNeighbours = Double(neighbours) / startCount
    }

    func isShifted(_ scalar: UInt32) -> Bool { places[scalar]?.shifted ?? false }

    /// Returns the direction from one character to another; nil if their keys are not neighbours.
    func direction(from first: UInt32, to second: UInt32) -> Int? {
        guard let here = places[first], let there = places[second] else { return nil }
        return directions.firstIndex { here.x + $0.x == there.x && here.y + $0.y == there.y }
    }

    // Rows are shifted half a key to the right of those above them: a key has two neighbours above and two below. In
    // these coordinates each row is moved so that the key below left has the same x.
    private static let slanted: [(x: Int, y: Int)] = [(x: -1, y: 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)]
    private static let straight: [(x: Int, y: Int)] = [
        (x: -1, y: 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1),
    ]

    static let qwerty = Keyboard(
        hasShift: true,
        rows: [
            #"`~1!2@3#4$5%6^7&8*9(0)-_=+"#,
            #"  qQwWeErRtTyYuUiIoOpP[{]}\|"#,
            #"  aAsSdDfFgGhHjJkKlL;:'""#,
            #"  zZxXcCvVbBnNmM,<.>/?"#,
        ], directions: slanted)
    static let dvorak = Keyboard(
        hasShift: true,
        rows: [
            #"`~1!2@3#4$5%6^7&8*9(0)[{]}"#,
            #"  '",<.>pPyYfFgGcCrRlL/?=+\|"#,
            #"  aAoOeEuUiIdDhHtTnNsS-_"#,
            #"  ;:qQjJkKxXbBmMwWvVzZ"#,
        ], directions: slanted)
    static let keypad = Keyboard(
        hasShift: false, rows: [" /*-", "789+", "456", "123", " 0."], directions: straight)
    static let macKeypad = Keyboard(
        hasShift: false, rows: [" =/*", "789-", "456+", "123", " 0."], directions: straight)
}

/// Finds runs of neighbouring keys, such as `qwerty` or `147852`.
struct KeyboardMatcher {
    let password: PasswordCharacters

    func matches() -> [GuessableMatch] {
        // Neighbours are found for each layout, but guesses are counted for the two kinds of keyboard.
        find(.qwerty, as: .qwerty) + find(.dvorak, as: .qwerty)
            + find(.keypad, as: .keypad) + find(.macKeypad, as: .keypad)
    }

    private func find(_ keyboard: Keyboard, as kind: Keyboard) -> [GuessableMatch] {
        var result: [GuessableMatch] = []
        let scalars = password.scalars
        var start = 0
        while start + 1 < scalars.count {
            var end = start + 1
            var turns = 0
            var shifted = keyboard.isShifted(scalars[start]) ? 1 : 0
            var last: Int?
            while end < scalars.count, let way = keyboard.direction(from: scalars[end - 1], to: scalars[end]) {
                if way != last { turns += 1 }
                last = way
                if keyboard.isShifted(scalars[end]) { shifted += 1 }
                end += 1
            }
            if end - start > 2 {
                result.append(
                    GuessableMatch(
                        start..<end, .keys(turns: turns),
                        guesses: Self.guesses(kind, length: end - start, turns: turns, shifted: shifted)))
            }
            start = end
        }
        return result
    }

    /// Counts all patterns that are not longer and have no more turns.
    private static func guesses(_ keyboard: Keyboard, length: Int, turns: Int, shifted: Int) -> Double {
        var guesses = 0.0
        for length in 2...length {
            var branches = keyboard.startCount
            for turn in stride(from: 1, through: min(turns, length - 1), by: 1) {
                branches *= keyboard.averageNeighbours
                guesses += choices(length - 1, turn - 1) * branches
            }
        }
        guard shifted > 0 else { return guesses }
        return guesses * (shifted == length ? 2 : variations(shifted, length - shifted))
    }
}
