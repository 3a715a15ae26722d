// SPDX-License-Identifier: Apache-2.0

/// Finds years of the last century and of this one, and dates: with and without separators.
struct DateMatcher {
    let password: PasswordCharacters

    /// The year that dates in passwords are near to. A constant, so that an estimate is the same every day.
    static let referenceYear = 2026
    private static let leastYears = 20

    func years() -> [GuessableMatch] {
        var result: [GuessableMatch] = []
        var start = 0
        while start + 4 <= password.count {
            guard let year = number(start..<start + 4), (1900...2029).contains(year) else {
                start += 1
                continue
            }
            result.append(GuessableMatch(start..<start + 4, .recentYear, guesses: Double(Self.distance(of: year))))
            start += 4
        }
        return result
    }

    func dates() -> [GuessableMatch] {
        let found = withoutSeparators() + withSeparators()
        // A date can contain shorter dates: 5_06_04 is in 2015_06_04.
        return found.filter { inner in
            !found.contains {
                $0.range != inner.range && $0.range.lowerBound <= inner.range.lowerBound
                    && $0.range.upperBound >= inner.range.upperBound
            }
        }
    }

    /// The positions where digits may be split, by their number.
    private static let splits: [Int: [(Int, Int)]] = [
        4: [(1, 2), (2, 3)], 5: [(1, 3), (2, 3)], 6: [(1, 2), (2, 4), (4, 5)], 7: [(1, 3), (2, 3), (4, 5), (4, 6)],
        8: [(2, 4), (4, 6)],
    ]

    private func withoutSeparators() -> [GuessableMatch] {
        var result: [GuessableMatch] = []
        for start in 0..<password.count {
            for length in 4...8 where start + length <= password.count {
                let years = (Self.splits[length] ?? []).compactMap { split -> Int? in
                    guard let first = number(start..<start + split.0),
                        let middle = number(start + split.0..<start + split.1),
                        let last = number(start + split.1..<start + length)
                    else { return nil }
                    return Self.year(first, middle, last)
                }
                guard let nearest = years.min(by: { Self.rawDistance(of: $0) < Self.rawDistance(of: $1) }) else {
                    continue
                }
                result.append(
                    GuessableMatch(
                        start..<start + length, .date, guesses: Double(Self.distance(of: nearest)) * 365))
            }
        }
        return result
    }

    private func withSeparators() -> [GuessableMatch] {
        var result: [GuessableMatch] = []
        for start in 0..<password.count {
            for first in 1...4 {
                let separatorAt = start + first
                guard separatorAt < password.count, Self.separates(password.scalars[separatorAt]) else { continue }
                for middle in 1...2 {
                    let secondAt = separatorAt + 1 + middle
                    guard secondAt < password.count, password.scalars[secondAt] == password.scalars[separatorAt]
                    else { continue }
                    for last in 1...4 where first + middle + last >= 4 && secondAt + last < password.count {
                        let end = secondAt + 1 + last
                        guard let first = number(start..<separatorAt), let middle = number(separatorAt + 1..<secondAt),
                            let last = number(secondAt + 1..<end), let year = Self.year(first, middle, last)
                        else { continue }
                        result.append(
                            GuessableMatch(start..<end, .date, guesses: Double(Self.distance(of: year)) * 365 * 4))
                    }
                }
            }
        }
        return result
    }

    private static func separates(_ scalar: UInt32) -> Bool {
        switch Unicode.Scalar(scalar) {
        case " ", "\t", "/", "\\", "_", ".", "-": true
        default: false
        }
    }

    /// Returns the number of some digits; nil if there is any other character.
    private func number(_ range: Range<Int>) -> Int? {
        var value = 0
        for place in range {
            guard let digit = password.digit(at: place) else { return nil }
            value = 10 * value + digit
        }
        return value
    }

    private static func rawDistance(of year: Int) -> Int { abs(year - referenceYear) }
    private static func distance(of year: Int) -> Int { max(rawDistance(of: year), leastYears) }

    /// Returns the year if three numbers can be a date: with the year first or last, and day and month in either order.
    private static func year(_ first: Int, _ middle: Int, _ last: Int) -> Int? {
        guard (1...31).contains(middle) else { return nil }
        let all = [first, middle, last]
        guard all.allSatisfy({ $0 <= 99 || (1000...2050).contains($0) }),
            all.count(where: { $0 > 31 }) < 2, all.count(where: { $0 > 12 }) < 3, all.count(where: { $0 == 0 }) < 2
        else { return nil }
        let orders = [(year: last, first, middle), (year: first, middle, last)]
        for (year, one, other) in orders where year >= 1000 { return areDayAndMonth(one, other) ? year : nil }
        for (year, one, other) in orders where areDayAndMonth(one, other) {
            return year > 50 ? year + 1900 : year + 2000
        }
        return nil
    }

    private static func areDayAndMonth(_ one: Int, _ other: Int) -> Bool {
        ((1...31).contains(one) && (1...12).contains(other)) || ((1...31).contains(other) && (1...12).contains(one))
    }
}
