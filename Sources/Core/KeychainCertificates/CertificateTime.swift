// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import SwiftASN1

/// Reads UTCTime or GeneralizedTime (X.680, 46 and 47; RFC 5280, 4.1.2.5).
///
/// RFC 5280 has one form of each, with seconds and Z. The forms of older certificates are also read: no seconds, a
/// difference to UTC such as +0100, fractions of seconds, and second 60. Years of two digits are 1950 to 2049. A time
/// without a zone is refused, because it is ambiguous.
func certificateDate(_ node: ASN1Node, _ what: String) throws(CertificateError) -> Date {
    guard case .primitive(let bytes) = node.content, let text = asciiText(bytes) else { throw .unexpected(what) }
    let date: Date? =
        switch node.identifier {
        case .utcTime: TimeReader(text).utcTime()
        case .generalizedTime: TimeReader(text).generalizedTime()
        default: nil
        }
    guard let date else { throw CertificateError(.malformed, "\(what): the value is not a time with a time zone") }
    return date
}

private struct TimeReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    func utcTime() -> Date? {
        var reader = self
        guard let year = reader.number(2) else { return nil }
        return reader.date(year: year + (year < 50 ? 2000 : 1900), mayHaveFraction: false)
    }

    func generalizedTime() -> Date? {
        var reader = self
        guard let year = reader.number(4) else { return nil }
        return reader.date(year: year, mayHaveFraction: true)
    }

    private mutating func date(year: Int, mayHaveFraction: Bool) -> Date? {
        guard let month = number(2), (1...12).contains(month),
            let day = number(2), (1...dayCount(year: year, month: month)).contains(day),
            let hour = number(2), hour < 24, let minute = number(2), minute < 60
        else { return nil }
        var second = 0.0
        if let first = rest.first, isDigit(first) {
            guard let whole = number(2), whole <= 60 else { return nil }
            second = Double(whole)
            if mayHaveFraction, rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
                rest.removeFirst()
                let digits = rest.prefix(while: isDigit)
                guard !digits.isEmpty else { return nil }
                rest.removeFirst(digits.count)
                second += Double("0." + String(decoding: digits.prefix(9), as: UTF8.self)) ?? 0
            }
        }
        guard let offset = zone() else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return Date(timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute - offset) * 60) + second)
    }

    /// Returns minutes east of Greenwich; nil if there is no zone, or if text follows it.
    private mutating func zone() -> Int? {
        switch rest.popFirst() {
        case UInt8(ascii: "Z"): return rest.isEmpty ? 0 : nil
        case UInt8(ascii: "+"): return offset()
        case UInt8(ascii: "-"): return offset().map { -$0 }
        default: return nil
        }
    }

    private mutating func offset() -> Int? {
        guard let hours = number(2), hours < 24, let minutes = number(2), minutes < 60, rest.isEmpty else { return nil }
        return hours * 60 + minutes
    }

    private mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

private func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

/// Counts in the Gregorian calendar, also before it was introduced. Years begin in March here, so that the leap day is
/// the last day; 400 years have 146097 days.
private func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    // 400 years more keep every number positive, from the year 0 on.
    let year = year + 400 - (month <= 2 ? 1 : 0)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
}
