// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Writes the parts of a line of the audit log.
struct LineWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving size: Int) { bytes.reserveCapacity(size) }

    /// Continues a line.
    init(_ line: consuming [UInt8]) { bytes = line }

    consuming func finish() -> [UInt8] { bytes }

    mutating func raw(_ text: String) { raw(text.utf8.span) }

    mutating func raw(_ text: Span<UInt8>) {
        bytes.append(addingCapacity: text.count) { output in
            for index in text.indices { output.append(text[index]) }
        }
    }

    /// Writes a number in decimal.
    mutating func number(_ number: Int64) {
        // The largest number has nineteen digits and a sign.
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

    /// Writes a number as 32 hexadecimal digits.
    mutating func hexadecimal(_ number: UInt128) {
        bytes.append(addingCapacity: 32) { output in
            for half in [UInt64(truncatingIfNeeded: number >> 64), UInt64(truncatingIfNeeded: number)] {
                var shift: UInt64 = 64
                while shift > 0 {
                    shift -= 4
                    output.append(Self.digit(UInt8(truncatingIfNeeded: half >> shift) & 15))
                }
            }
        }
    }

    /// Writes a JSON string (RFC 8259, section 7).
    mutating func quoted(_ text: String) {
        let text = text.utf8.span
        // A character is escaped as a backslash and at most five more characters.
        bytes.append(addingCapacity: 2 + 6 * text.count) { output in
            output.append(UInt8(ascii: "\""))
            var index = 0
            while index < text.count {
                let byte = text[index]
                index += 1
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    output.append(UInt8(ascii: "\\"))
                    output.append(byte)
                case 0..<0x20, 0x7F: output.append(escaped: byte)
                // The control characters U+0080 to U+009F have two bytes, of which the second is their number.
                case 0xC2 where index < text.count && text[index] < 0xA0:
                    output.append(escaped: text[index])
                    index += 1
                default: output.append(byte)
                }
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    fileprivate static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Writes UTC with milliseconds (RFC 3339), such as `2026-01-31T23:59:59.999Z`.
    mutating func time(_ time: Timestamp) {
        // A clock outside the years 1 to 9999 was never set.
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
    /// Appends the escape of a control character.
    fileprivate mutating func append(escaped character: UInt8) {
        for part in "\\u00".utf8 { append(part) }
        append(LineWriter.digit(character >> 4))
        append(LineWriter.digit(character & 15))
    }

    /// Appends the last `count` decimal digits of a number.
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
        return String(decoding: writer.finish(), as: UTF8.self)
    }
}
