// SPDX-License-Identifier: Apache-2.0

/// The value of an item attribute, in the type in which the caller gave it.
public enum AttributeValue: Hashable, Sendable {
    case string(String)
    case data([UInt8])
    case number(Int64)
    case date(Timestamp)
    case accessControl(AccessControl)

    /// The bytes a string or data value stands for; nil for the other types.
    public var bytes: [UInt8]? {
        switch self {
        case .string(let string): Array(string.utf8)
        case .data(let bytes): bytes
        case .number, .date, .accessControl: nil
        }
    }

    /// The text of a string value.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The integer of a number value.
    public var number: Int64? {
        if case .number(let number) = self { number } else { nil }
    }
}

/// A moment: seconds since 2001-01-01 00:00:00 UTC, the reference date of Apple's `CFDate`, so that a date that comes
/// back to the caller equals the one that was stored bit for bit.
public struct Timestamp: Hashable, Comparable, Sendable {
    public let secondsSinceReferenceDate: Double

    public init(secondsSinceReferenceDate: Double) {
        self.secondsSinceReferenceDate = secondsSinceReferenceDate
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.secondsSinceReferenceDate < right.secondsSinceReferenceDate
    }

    /// The later of `self` and one millisecond after `previous`: modification dates strictly increase
    /// (semantics 2.5).
    public func strictlyAfter(_ previous: Timestamp) -> Timestamp {
        self > previous
            ? self : Timestamp(secondsSinceReferenceDate: previous.secondsSinceReferenceDate + 0.001)
    }
}
