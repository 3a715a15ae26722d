// SPDX-License-Identifier: Apache-2.0

/// The errors of a format in which a ``ByteReader`` finds its own faults.
public protocol ByteFormatError: Error {
    /// The bytes end before the value does.
    static var truncated: Self { get }
    /// Bytes follow the last value.
    static var trailingBytes: Self { get }
    /// A length or a count is above its limit.
    static var tooLarge: Self { get }
    /// A value that the format does not define.
    static var malformed: Self { get }
}

/// The errors of a ``ByteReader`` for a format that reports them in its own way.
public enum ByteError: ByteFormatError {
    case truncated, trailingBytes, tooLarge, malformed
}

/// Reads the values of a format or a message, with big-endian integers. Total: any bytes give a value or an error, never
/// a trap, and nothing is allocated that the bytes do not contain.
///
/// All functions can be inlined, because requests and replies are read with them.
public struct ByteReader<Failure: ByteFormatError>: Sendable {
    @usableFromInline let content: [UInt8]
    @usableFromInline var offset: Int
    @usableFromInline let end: Int

    /// Creates a reader of all bytes.
    @inlinable public init(_ bytes: [UInt8]) {
        self.init(bytes, from: 0, to: bytes.count)
    }

    /// Creates a reader of a part of the bytes.
    ///
    /// - Precondition: the part is in the bytes.
    @inlinable public init(_ bytes: [UInt8], from start: Int, to end: Int) {
        content = bytes
        offset = start
        self.end = end
    }

    /// The index of the next byte.
    @inlinable public var position: Int { offset }

    @inlinable public var isAtEnd: Bool { offset == end }

    /// The number of bytes that are left.
    @inlinable public var remaining: Int { end - offset }

    /// The bytes that are left.
    @inlinable public var rest: ArraySlice<UInt8> { content[offset..<end] }

    /// Ends reading.
    ///
    /// - Throws: `.trailingBytes` if bytes are left.
    @inlinable public func finish() throws(Failure) {
        guard offset == end else { throw .trailingBytes }
    }

    // MARK: Bytes

    /// Reads this many bytes.
    ///
    /// - Precondition: the count is not negative; those that formats contain are unsigned.
    /// - Throws: `.truncated`.
    @inlinable public mutating func take(_ count: Int) throws(Failure) -> ArraySlice<UInt8> {
        guard count <= end - offset else { throw .truncated }
        defer { offset += count }
        return content[offset..<offset + count]
    }

    /// Reads as many bytes as expected, and returns whether they are these.
    ///
    /// - Throws: `.truncated`.
    @inlinable public mutating func take(_ expected: [UInt8]) throws(Failure) -> Bool {
        guard expected.count <= end - offset else { throw .truncated }
        defer { offset += expected.count }
        for index in expected.indices where content[offset + index] != expected[index] { return false }
        return true
    }

    // MARK: Integers

    @inlinable public mutating func u8() throws(Failure) -> UInt8 {
        guard offset < end else { throw .truncated }
        defer { offset += 1 }
        return content[offset]
    }

    @inlinable public mutating func u16() throws(Failure) -> UInt16 { try integer(UInt16.self) }

    @inlinable public mutating func u32() throws(Failure) -> UInt32 { try integer(UInt32.self) }

    @inlinable public mutating func u64() throws(Failure) -> UInt64 { try integer(UInt64.self) }

    /// Reads an integer of the type's size.
    ///
    /// - Throws: `.truncated`.
    @inlinable public mutating func integer<T: FixedWidthInteger>(_: T.Type) throws(Failure) -> T {
        guard T.bitWidth / 8 <= end - offset else { throw .truncated }
        var value: T = 0
        for index in offset..<offset + T.bitWidth / 8 { value = value << 8 | T(truncatingIfNeeded: content[index]) }
        offset += T.bitWidth / 8
        return value
    }

    /// Reads a byte that is 0 or 1.
    ///
    /// - Throws: `.truncated`, `.malformed`.
    @inlinable public mutating func flag() throws(Failure) -> Bool {
        switch try u8() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    /// Reads the byte of a case.
    ///
    /// - Throws: `.truncated`, `.malformed`.
    @inlinable public mutating func value<T: RawRepresentable>(_: T.Type) throws(Failure) -> T
    where T.RawValue == UInt8 {
        guard let value = T(rawValue: try u8()) else { throw .malformed }
        return value
    }

    // MARK: Lengths and contents

    /// Reads a 32-bit length and as many bytes.
    ///
    /// - Throws: `.truncated`, `.tooLarge`.
    @inlinable public mutating func block(atMost limit: Int) throws(Failure) -> ArraySlice<UInt8> {
        let count = Int(try u32())
        guard count <= limit else { throw .tooLarge }
        return try take(count)
    }

    /// Reads a 32-bit length and as many bytes, which are copied.
    ///
    /// - Throws: `.truncated`, `.tooLarge`.
    @inlinable public mutating func bytes(atMost limit: Int) throws(Failure) -> [UInt8] {
        Array(try block(atMost: limit))
    }

    /// Reads a 32-bit length and a text in UTF-8.
    ///
    /// - Throws: `.truncated`, `.tooLarge`, `.malformed`.
    @inlinable public mutating func text(atMost limit: Int) throws(Failure) -> String {
        let count = Int(try u32())
        guard count <= limit else { throw .tooLarge }
        return try text(count: count)
    }

    /// Reads a text of this many bytes of UTF-8.
    ///
    /// - Throws: `.truncated`, `.malformed`.
    @inlinable public mutating func text(count: Int) throws(Failure) -> String {
        guard count <= end - offset else { throw .truncated }
        let range = offset..<offset + count
        offset += count
        do {
            return String(copying: try UTF8Span(validating: content.span.extracting(range)))
        } catch {
            throw .malformed
        }
    }

    /// Reads a flag, and a value if it is true.
    @inlinable public mutating func optional<T>(
        _ read: (inout Self) throws(Failure) -> T
    ) throws(Failure) -> T? {
        try flag() ? try read(&self) : nil
    }

    /// Reads a 16-bit count and as many values.
    ///
    /// - Throws: `.truncated`, `.tooLarge`, and the errors of `read`.
    @inlinable public mutating func list<T>(
        atMost limit: Int, _ read: (inout Self) throws(Failure) -> T
    ) throws(Failure) -> [T] {
        let count = Int(try u16())
        guard count <= limit else { throw .tooLarge }
        var values: [T] = []
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }
}
