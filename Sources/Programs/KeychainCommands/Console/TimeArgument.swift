// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A time in an argument.
enum TimeArgument {
    /// Parses a time; nil for an invalid text. A span such as `2h` is relative to now; a time without `Z` is local.
    static func moment(_ text: String, _ context: CommandContext) -> Timestamp? {
        if let seconds = span(text) {
            return Timestamp(
                secondsSinceReferenceDate: Double(context.secondsSince1970() - CivilTime.referenceDate - seconds))
        }
        let (date, time) = parts(text)
        var complete = date + "T" + (time.isEmpty ? "00:00:00" : time)
        let isUTC = complete.hasSuffix("Z")
        if isUTC { complete.removeLast() }
        if complete.utf8.count == "2026-01-31T23:59".utf8.count { complete += ":00" }
        guard let moment = CivilTime.moment(rfc3339: complete + "Z") else { return nil }
        return isUTC ? moment : inUTC(moment, context)
    }

    private static func parts(_ text: String) -> (String, String) {
        guard let separator = text.firstIndex(where: { $0 == "T" || $0 == " " }) else { return (text, "") }
        return (String(text[..<separator]), String(text[text.index(after: separator)...]))
    }

    /// Returns the seconds of a number with a unit.
    private static func span(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), text.utf8.count <= 10, let number = UInt32(text.dropLast())
        else { return nil }
        return Int64(number) * unit
    }

    /// Returns the time at which local clocks show the time that the argument is in UTC.
    private static func inUTC(_ shown: Timestamp, _ context: CommandContext) -> Timestamp {
        let seconds = Int64(shown.secondsSinceReferenceDate.rounded(.down)) + CivilTime.referenceDate
        // The offset at about that time, and then at exactly that time: they differ where clocks change.
        let first = Int64(context.secondsFromUTC(seconds))
        let distance = context.secondsFromUTC(seconds - first)
        return Timestamp(secondsSinceReferenceDate: shown.secondsSinceReferenceDate - Double(distance))
    }
}
