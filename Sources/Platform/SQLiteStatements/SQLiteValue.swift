// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// A value of a column, or an argument of a statement.
public enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// As an argument only: a blob of the 16 bytes of the number, big-endian. Columns return it as ``bytes(_:)``.
    case number(UInt128)
    case bytes(Data)

    // The content, nil for another type: no value is converted.

    public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    public var real: Double? { if case .real(let real) = self { real } else { nil } }
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    public var bytes: Data? { if case .bytes(let bytes) = self { bytes } else { nil } }
}
