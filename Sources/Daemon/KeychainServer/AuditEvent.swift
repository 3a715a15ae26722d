// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
public import KeychainPolicy
internal import KeychainWire

/// One line of the audit log: who asked for what, and what came of it. Holds names of programs and access groups, never
/// an attribute's value or a secret.
public struct AuditEvent: Sendable {
    enum Outcome: Sendable {
        case granted(items: Int, accessGroups: [String])
        case refused(Refusal)
        /// Something was granted, but the caller went away before the answer was complete.
        case abandoned
        /// Something was done with the keychain as a whole.
        case carriedOut
        /// The request concerned no item.
        case served
    }

    let outcome: Outcome
    private let action: String
    private let itemClass: ItemClass?
    private let caller: AuditedCaller?

    init(_ request: borrowing Request<some Any>, by caller: AuditedCaller?, _ outcome: Outcome) {
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
        case .backup(let request): (action, itemClass) = (request.action, nil)
        case .restore(let request): (action, itemClass) = (request.action, nil)
        case .explainAddition(let attributes): (action, itemClass) = ("explain", attributes.itemClass)
        case .identity: (action, itemClass) = ("identity", nil)
        case .requireEntitlements: (action, itemClass) = ("require-entitlements", nil)
        case .administer(let request): (action, itemClass) = (request.administration.name, nil)
        }
    }

    /// Bytes that were no request, or one without this connection's nonce.
    init(malformed refusal: Refusal, by caller: AuditedCaller?) {
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
        // Room for a usual line without growing, even if every character of a group's name had to be escaped.
        var line = LineWriter(reserving: 960)
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
        case .carriedOut:
            line.raw(",\"outcome\":\"granted\"")
        case .abandoned:
            line.raw(",\"outcome\":\"abandoned\"")
        case .served:
            line.raw(",\"outcome\":\"served\"")
        }
        if let fields = caller?.fields { line.raw(fields.span) }
        line.raw("}")
        return line.bytes
    }
}

/// A caller, with what each of its audit lines says of it: made once for all its requests, and shared by them.
public final class AuditedCaller: Sendable {
    public let caller: Caller
    /// The fields of a line that tell about the caller, with the comma before them.
    fileprivate let fields: [UInt8]

    public init(_ caller: Caller) {
        self.caller = caller
        var line = LineWriter(reserving: 256)
        line.raw(",\"uid\":")
        line.number(Int64(caller.userID))
        line.raw(",\"pid\":")
        line.number(Int64(caller.processID))
        line.raw(",\"tier\":\"")
        line.raw(caller.tier.name)
        line.raw("\",\"program\":")
        line.quoted(caller.displayPath)
        switch caller.identity {
        case .signed(let team, let identifier):
            line.raw(",\"team\":")
            line.quoted(team)
            line.raw(",\"identifier\":")
            line.quoted(identifier)
        case .unsigned(let digest):
            line.raw(",\"sha256\":")
            line.quoted(digest.hexadecimal)
        case .unidentified, .command, .installed: break
        }
        fields = line.bytes
    }
}

/// Writes the pieces of a line.
private struct LineWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving size: Int) { bytes.reserveCapacity(size) }

    mutating func raw(_ text: String) { raw(text.utf8.span) }

    mutating func raw(_ text: Span<UInt8>) {
        bytes.append(addingCapacity: text.count) { output in
            for index in text.indices { output.append(text[index]) }
        }
    }

    /// In decimal.
    mutating func number(_ number: Int64) {
        // The largest has nineteen digits and a sign.
        bytes.append(addingCapacity: 20) { output in
            if number < 0 { output.append(UInt8(ascii: "-")) }
            var count = 1
            var rest = number.magnitude / 10
            while rest > 0 {
                rest /= 10
                count += 1
            }
            output.append(decimal: number.magnitude, count)
        }
    }

    /// A JSON string (RFC 8259, section 7).
    mutating func quoted(_ text: String) {
        let text = text.utf8.span
        // Only ASCII is ever escaped, as a backslash and at most five more characters, and in UTF-8 no other character
        // has such a byte in it.
        bytes.append(addingCapacity: 2 + 6 * text.count) { output in
            output.append(UInt8(ascii: "\""))
            for index in text.indices {
                let byte = text[index]
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    output.append(UInt8(ascii: "\\"))
                    output.append(byte)
                case 0..<0x20:
                    for character in "\\u00".utf8 { output.append(character) }
                    output.append(Self.digit(byte >> 4))
                    output.append(Self.digit(byte & 15))
                default:
                    output.append(byte)
                }
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// UTC with milliseconds (RFC 3339), such as `2026-01-31T23:59:59.999Z`.
    mutating func time(_ time: Timestamp) {
        // A clock outside the years 1 to 9999 is not set at all.
        guard let civil = CivilTime(time) else { return raw("0000-00-00T00:00:00.000Z") }
        let seconds = time.secondsSinceReferenceDate
        let fraction = Int64((seconds - seconds.rounded(.down)) * 1000)
        bytes.append(addingCapacity: 24) { output in
            output.append(decimal: civil.year.magnitude, 4)
            output.append(UInt8(ascii: "-"))
            output.append(decimal: civil.month.magnitude, 2)
            output.append(UInt8(ascii: "-"))
            output.append(decimal: civil.day.magnitude, 2)
            output.append(UInt8(ascii: "T"))
            output.append(decimal: civil.hour.magnitude, 2)
            output.append(UInt8(ascii: ":"))
            output.append(decimal: civil.minute.magnitude, 2)
            output.append(UInt8(ascii: ":"))
            output.append(decimal: civil.second.magnitude, 2)
            output.append(UInt8(ascii: "."))
            output.append(decimal: fraction.magnitude, 3)
            output.append(UInt8(ascii: "Z"))
        }
    }
}

extension OutputSpan<UInt8> {
    /// The last `count` decimal digits of a number.
    fileprivate mutating func append(decimal number: UInt64, _ count: Int) {
        if count > 1 { append(decimal: number / 10, count - 1) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension Timestamp {
    /// UTC with milliseconds, such as `2026-01-31T23:59:59.999Z`.
    var iso8601: String {
        var writer = LineWriter(reserving: 24)
        writer.time(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension BackupRequest {
    fileprivate var action: String {
        switch self {
        case .begin: "backup-begin"
        case .next: "backup"
        case .cancel: "backup-cancel"
        }
    }
}

extension RestoreRequest {
    fileprivate var action: String {
        switch self {
        case .begin(let order):
            switch order.mode {
            case .verify: "verify-backup-begin"
            case .dryRun: "restore-rehearsal-begin"
            case .apply: "restore-begin"
            }
        case .records: "restore"
        case .finish: "restore-finish"
        case .cancel: "restore-cancel"
        }
    }
}
