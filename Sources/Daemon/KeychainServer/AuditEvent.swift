// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire

/// One line of the audit log: who asked for what, and what came of it. Holds names of programs and access groups, never
/// an attribute's value or a secret.
public struct AuditEvent: Sendable {
    enum Outcome: Sendable {
        case granted(items: Int, accessGroups: [String])
        case refused(Refusal)
        /// Something was granted, but the caller went away before the answer was complete.
        case abandoned
        /// The request concerned no item.
        case served
    }

    let outcome: Outcome
    private let action: String
    private let itemClass: ItemClass?
    private let caller: Caller?

    init(_ request: borrowing Request<some Any>, by caller: Caller?, _ outcome: Outcome) {
        self.outcome = outcome
        self.caller = caller
        switch copy request {
        case .add(let attributes, _, _): (action, itemClass) = ("add", attributes.itemClass)
        case .copyMatching(let query, _, let parts):
            let name = parts.contains(.data) ? "read-data" : parts.contains(.attributes) ? "read-attributes" : "probe"
            (action, itemClass) = (name, query.itemClass)
        case .update(let query, _, _): (action, itemClass) = ("update", query.itemClass)
        case .delete(let query): (action, itemClass) = ("delete", query.itemClass)
        case .status: (action, itemClass) = ("status", nil)
        case .watch: (action, itemClass) = ("watch", nil)
        }
    }

    /// Bytes that were no request, or one without this connection's nonce.
    init(malformed refusal: Refusal, by caller: Caller?) {
        outcome = .refused(refusal)
        action = "malformed"
        itemClass = nil
        self.caller = caller
    }

    /// The line for the log, as JSON (Documentation/Formats/audit-log.md).
    func line(at time: Timestamp) -> String {
        var line = "{\"time\":\"\(time.iso8601)\",\"action\":\"\(action)\""
        if let itemClass { line += ",\"class\":\"\(itemClass.code)\"" }
        switch outcome {
        case .granted(let items, let groups):
            line += ",\"outcome\":\"granted\",\"items\":\(items),\"groups\":["
            line += groups.map(Self.quoted).joined(separator: ",") + "]"
        case .refused(let refusal):
            line += ",\"outcome\":\"refused\",\"status\":\(refusal.status.rawValue),\"reason\":\"\(refusal.reason)\""
        case .abandoned:
            line += ",\"outcome\":\"abandoned\""
        case .served:
            line += ",\"outcome\":\"served\""
        }
        if let caller {
            line += ",\"uid\":\(caller.userID),\"pid\":\(caller.processID),\"tier\":\"\(caller.tier.name)\""
            line += ",\"program\":" + Self.quoted(caller.displayPath)
        }
        return line + "}"
    }

    /// A JSON string (RFC 8259, section 7).
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..."\u{1F}":
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension Timestamp {
    /// UTC with milliseconds, such as `2026-01-31T23:59:59.999Z`.
    var iso8601: String {
        // From the reference date to the Unix epoch, then days and the time of day.
        let milliseconds = Int64((secondsSinceReferenceDate * 1000).rounded(.down)) + 978_307_200_000
        let (days, rest) = milliseconds.flooredDivision(by: 86_400_000)
        // The civil date of a day number: the algorithm of Howard Hinnant's "chrono-Compatible Low-Level Date
        // Algorithms", with years that begin in March, so that the leap day comes last.
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time.joined(separator: ":"))"
            + ".\(padded(rest % 1000, 3))Z"
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
