// SPDX-License-Identifier: Apache-2.0

/// Draws from all texts of one length that meet the demands, each with the same probability.
///
/// It first counts them, from the end: the number of ways to continue, for the demands that are met and the last
/// character. Then it draws piece by piece, each with a probability proportional to the number of ways to continue with
/// it. No text is discarded and drawn again, so the time does not depend on the demands. Counts are floating point
/// numbers, so probabilities differ from each other by parts in 10¹³ at most.
struct CharacterSampler: Sendable {
    /// More demands than this would need too much memory, because each doubles it.
    static let demandLimit = 6
    static let lengthLimit = 128

    /// Characters that meet the same demands.
    private struct Kind: Sendable {
        let characters: [UInt8]
        /// The demands that they meet, a bit for each.
        let met: Int
    }

    private let kinds: [Kind]
    private let length: Int
    private let longestRun: Int
    private let allMet: Int
    /// ways[rest][met][last], flat: the number of ways in which `rest` characters can follow. `last` is a kind, or one
    /// more for none.
    private let ways: [Double]

    /// Counts the texts; nil if no text meets the demands.
    ///
    /// - Parameter demands: at most ``demandLimit``.
    /// - Parameter length: at least 1, at most ``lengthLimit``.
    init?(alphabet: ASCIICharacters, demands: [ASCIICharacters], length: Int, longestRun: Int?) {
        precondition(demands.count <= Self.demandLimit && (1...Self.lengthLimit).contains(length))
        var charactersByDemands: [Int: [UInt8]] = [:]
        for character in alphabet.characters {
            var met = 0
            for (number, demand) in demands.enumerated() where demand.contains(character) { met |= 1 << number }
            charactersByDemands[met, default: []].append(character)
        }
        kinds = charactersByDemands.sorted { $0.key < $1.key }.map { Kind(characters: $0.value, met: $0.key) }
        self.length = length
        self.longestRun = min(longestRun ?? length, length)
        allMet = 1 << demands.count - 1
        ways = Self.count(kinds, length: length, longestRun: self.longestRun, allMet: allMet)
        guard count >= 1 else { return nil }
    }

    /// The number of texts.
    var count: Double { ways[index(rest: length, met: 0, last: kinds.count)] }

    private func index(rest: Int, met: Int, last: Int) -> Int {
        (rest * (allMet + 1) + met) * (kinds.count + 1) + last
    }

    /// Counts the ways. A text is a sequence of runs of one character each, and neighbouring runs have different
    /// characters.
    private static func count(_ kinds: [Kind], length: Int, longestRun: Int, allMet: Int) -> [Double] {
        let (masks, lasts) = (allMet + 1, kinds.count + 1)
        var ways = [Double](repeating: 0, count: (length + 1) * masks * lasts)
        for last in 0..<lasts { ways[allMet * lasts + last] = 1 }
        for rest in stride(from: 1, through: length, by: 1) {
            for met in 0..<masks {
                // The sum over the next run: each kind and each length.
                var total = 0.0
                var afterRun = [Double](repeating: 0, count: kinds.count)
                for (number, kind) in kinds.enumerated() {
                    for run in 1...min(longestRun, rest) {
                        afterRun[number] += ways[((rest - run) * masks + (met | kind.met)) * lasts + number]
                    }
                    total += Double(kind.characters.count) * afterRun[number]
                }
                for last in 0..<kinds.count { ways[(rest * masks + met) * lasts + last] = total - afterRun[last] }
                ways[(rest * masks + met) * lasts + kinds.count] = total
            }
        }
        return ways
    }

    func draw(using generator: inout some RandomNumberGenerator) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(length)
        var (met, last) = (0, kinds.count)
        while text.count < length {
            let (kind, run) = drawRun(rest: length - text.count, met: met, last: last, using: &generator)
            let characters = kinds[kind].characters
            // A character other than the previous one.
            let before = kind == last ? characters.firstIndex(of: text[text.count - 1]) : nil
            var choice = Int.random(
                in: 0..<(before == nil ? characters.count : characters.count - 1), using: &generator)
            if let before, choice >= before { choice += 1 }
            for _ in 0..<run { text.append(characters[choice]) }
            (met, last) = (met | kinds[kind].met, kind)
        }
        return text
    }

    private func drawRun(
        rest: Int, met: Int, last: Int, using generator: inout some RandomNumberGenerator
    ) -> (kind: Int, length: Int) {
        var target = generator.fraction() * ways[index(rest: rest, met: met, last: last)]
        // A remainder from rounding selects the last possible run.
        var choice: (kind: Int, length: Int)?
        for (number, kind) in kinds.enumerated() {
            let starts = Double(kind.characters.count - (number == last ? 1 : 0))
            for run in 1...min(longestRun, rest) {
                let share = starts * ways[index(rest: rest - run, met: met | kind.met, last: number)]
                guard share > 0 else { continue }
                choice = (number, run)
                target -= share
                if target < 0 { return (number, run) }
            }
        }
        guard let choice else {
            preconditionFailure("a place is only reached if the password can be completed from there")
        }
        return choice
    }
}

extension RandomNumberGenerator {
    /// Returns a number from 0 to less than 1, in steps of 2⁻⁵³.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
