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
        case .explainSearch(let query): (action, itemClass) = ("explain", query.itemClass)
        case .explainAddition(let attributes): (action, itemClass) = ("explain", attributes.itemClass)
        }
    }

    /// Bytes that were no request, or one without this connection's nonce.
    init(malformed refusal: Refusal, by caller: Caller?) {
        outcome = .refused(refusal)
        action = "malformed"
        itemClass = nil
        self.caller = caller
    }

    /// The line for the log, as JSON without the newline (Documentation/Formats/audit-log.md).
    ///
    /// Written byte by byte: a line belongs to every access, and putting it together from strings took longer than the
    /// lookup in the database.
    func line(at time: Timestamp) -> [UInt8] {
        var line = LineWriter()
        line.raw("{\"time\":\"")
        line.time(time)
        line.raw("\",\"action\":\"")
        line.raw(action)
        line.raw("\"")
        if let itemClass {
            line.raw(",\"class\":\"")
            line.raw(itemClass.code)
            line.raw("\"")
        }
        switch outcome {
        case .granted(let items, let groups):
            line.raw(",\"outcome\":\"granted\",\"items\":")
            line.number(Int64(items))
            line.raw(",\"groups\":[")
            for (index, group) in groups.enumerated() {
                if index > 0 { line.raw(",") }
                line.quoted(group)
            }
            line.raw("]")
        case .refused(let refusal):
            line.raw(",\"outcome\":\"refused\",\"status\":")
            line.number(Int64(refusal.status.rawValue))
            line.raw(",\"reason\":\"\(refusal.reason)\"")
        case .abandoned:
            line.raw(",\"outcome\":\"abandoned\"")
        case .served:
            line.raw(",\"outcome\":\"served\"")
        }
        if let caller {
            line.raw(",\"uid\":")
            line.number(Int64(caller.userID))
            line.raw(",\"pid\":")
            line.number(Int64(caller.processID))
            line.raw(",\"tier\":\"")
            line.raw(caller.tier.name)
            line.raw("\",\"program\":")
            line.quoted(caller.displayPath)
        }
        line.raw("}")
        return line.bytes
    }
}

/// Writes the pieces of a line.
private struct LineWriter {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(512) }

    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func number(_ number: Int64, width: Int = 1) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var power: UInt64 = 1
        for _ in 1..<width { power *= 10 }
        while number.magnitude / power >= 10 { power *= 10 }
        while power > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number.magnitude / power % 10))
            power /= 10
        }
    }

    /// A JSON string (RFC 8259, section 7).
    mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        // Only ASCII is ever escaped, and in UTF-8 no other character has such a byte in it.
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                raw("\\u00")
                bytes.append(Self.digit(byte >> 4))
                bytes.append(Self.digit(byte & 15))
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// UTC with milliseconds (RFC 3339), such as `2026-01-31T23:59:59.999Z`.
    mutating func time(_ time: Timestamp) {
        // A clock outside the years 1 to 9999 is not set at all.
        guard let civil = CivilTime(time) else { return raw("0000-00-00T00:00:00.000Z") }
        let seconds = time.secondsSinceReferenceDate
        number(civil.year, width: 4)
        part("-", civil.month)
        part("-", civil.day)
        part("T", civil.hour)
        part(":", civil.minute)
        part(":", civil.second)
        part(".", Int64((seconds - seconds.rounded(.down)) * 1000), width: 3)
        raw("Z")
    }
}

extension LineWriter {
    private mutating func part(_ separator: String, _ value: Int64, width: Int = 2) {
        raw(separator)
        number(value, width: width)
    }
}

extension Timestamp {
    /// UTC with milliseconds, such as `2026-01-31T23:59:59.999Z`.
    var iso8601: String {
        var writer = LineWriter()
        writer.time(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
