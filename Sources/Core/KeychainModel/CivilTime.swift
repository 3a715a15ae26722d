// SPDX-License-Identifier: Apache-2.0

/// A point in time in the Gregorian calendar, without Foundation, because loading its calendars and formatters takes
/// longer than all other work.
public struct CivilTime: Hashable, Sendable {
    public let year: Int64
    public let month: Int64
    public let day: Int64
    public let hour: Int64
    public let minute: Int64
    public let second: Int64

    /// Converts a timestamp.
    ///
    /// - Parameter secondsFromUTC: the offset of the time zone.
    /// - Returns: nil for times outside the years 1 to 9999, which no format here can represent.
    public init?(_ moment: Timestamp, secondsFromUTC: Int = 0) {
        let seconds = moment.secondsSinceReferenceDate.rounded(.down)
        guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
        let total = Int64(seconds) + Self.referenceDate + Int64(secondsFromUTC)
        let days = Self.floor(total, 86_400)
        let time = total - days * 86_400
        hour = time / 3600
        minute = time / 60 % 60
        second = time % 60
        (year, month, day) = Self.date(daysSince1970: days)
        guard (1...9999).contains(year) else { return nil }
    }

    /// 2001-01-01 00:00:00 UTC in seconds since 1970.
    public static let referenceDate: Int64 = 978_307_200

    /// `2024-01-31T23:59:59Z` (RFC 3339), for a time in UTC.
    public var rfc3339: String { "\(isoDate)T\(Self.two(hour)):\(Self.two(minute)):\(Self.two(second))Z" }

    /// `2024-01-31 23:59`, for display.
    public var short: String { "\(isoDate) \(Self.two(hour)):\(Self.two(minute))" }

    /// `20240131235959Z`, the form of dates in file keychains, for a time in UTC.
    public var compact: String {
        Self.padded(year, 4) + [month, day, hour, minute, second].map(Self.two).joined() + "Z"
    }

    /// Returns the time of a ``compact`` text; nil for any other text, and for days that no month has.
    public static func moment(compact text: some StringProtocol) -> Timestamp? {
        let digits = text.utf8.dropLast()
        guard digits.count == 14, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        func number(_ start: Int, _ count: Int) -> Int64 {
            digits.dropFirst(start).prefix(count).reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        let days = daysSince1970(year: number(0, 4), month: number(4, 2), day: number(6, 2))
        let seconds = days * 86_400 + number(8, 2) * 3600 + number(10, 2) * 60 + number(12, 2)
        let moment = Timestamp(secondsSinceReferenceDate: Double(seconds - referenceDate))
        // A day, hour or second out of range, or another last character, would give another text.
        return CivilTime(moment)?.compact == String(text) ? moment : nil
    }

    /// Returns the time of a text in UTC such as `2024-01-31T23:59:59.999Z` (RFC 3339); nil for any other text, and for
    /// days that no month has. Fractions of a second may be missing or have up to nine digits.
    public static func moment(rfc3339 text: some StringProtocol) -> Timestamp? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[4] == UInt8(ascii: "-"),
            bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":")
        else { return nil }
        let places = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19]
        let digits = places.flatMap { bytes[$0] } + [UInt8(ascii: "Z")]
        guard let whole = moment(compact: String(decoding: digits, as: UTF8.self)) else { return nil }
        let fraction = bytes[19..<(bytes.count - 1)]
        guard let point = fraction.first else { return whole }
        guard point == UInt8(ascii: "."), (2...10).contains(fraction.count) else { return nil }
        var (value, unit) = (0.0, 1.0)
        for digit in fraction.dropFirst() {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Double(digit - UInt8(ascii: "0"))
            unit *= 10
        }
        return Timestamp(secondsSinceReferenceDate: whole.secondsSinceReferenceDate + value / unit)
    }

    private var isoDate: String { "\(Self.padded(year, 4))-\(Self.two(month))-\(Self.two(day))" }

    private static func two(_ number: Int64) -> String { padded(number, 2) }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Counts in eras of 400 years that begin on 1 March, so that a leap day is the last day of its year.
    private static func date(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = daysSince1970 + 719_468  // from 0000-03-01 to 1970-01-01
        let era = floor(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// Inverts `date(daysSince1970:)`.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let fromMarch = month > 2 ? year : year - 1
        let era = floor(fromMarch, 400)
        let yearOfEra = fromMarch - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        (number >= 0 ? number : number - divisor + 1) / divisor
    }
}
