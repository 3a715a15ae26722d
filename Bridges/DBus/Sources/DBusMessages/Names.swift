// SPDX-License-Identifier: Apache-2.0

/// A text that follows the rules for names (D-Bus Specification, "Valid Names" and "Valid Object Paths").
public protocol ValidName: RawRepresentable, Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral
where RawValue == String {
    static func isValid(_ bytes: some Collection<UInt8>) -> Bool
    /// Creates a name from a text that is known to be valid.
    init(unchecked rawValue: String)
}

extension ValidName {
    /// Creates a name; nil if the text violates the rules.
    public init?(rawValue: String) {
        guard Self.isValid(rawValue.utf8) else { return nil }
        self.init(unchecked: rawValue)
    }

    /// Creates a name from a literal in the source; an invalid literal is a programming error and traps.
    public init(stringLiteral value: String) {
        precondition(Self.isValid(value.utf8), "no valid \(Self.self): \(value)")
        self.init(unchecked: value)
    }

    public var description: String { rawValue }
}

/// The path of an object in a program, such as `/org/freedesktop/login1`.
public struct ObjectPath: ValidName {
    public let rawValue: String

    public init(unchecked rawValue: String) { self.rawValue = rawValue }

    public static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "/") else { return false }
        if bytes.count == 1 { return true }
        return bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && $0.allSatisfy(\.isNameByte)
        }
    }
}

/// The name of an interface, such as `org.freedesktop.login1.Session`; names of errors follow the same rules.
public struct InterfaceName: ValidName {
    public let rawValue: String

    public init(unchecked rawValue: String) { self.rawValue = rawValue }

    public static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        isDotted(bytes) { $0.first?.isDigit == false && $0.allSatisfy(\.isNameByte) }
    }
}

/// The name of a method or a signal.
public struct MemberName: ValidName {
    public let rawValue: String

    public init(unchecked rawValue: String) { self.rawValue = rawValue }

    public static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count <= CodingLimits.nameBytes && bytes.first?.isDigit == false && bytes.allSatisfy(\.isNameByte)
    }
}

/// The name of a connection: a unique name that the bus assigned, such as `:1.42`, or a well-known name.
public struct BusName: ValidName {
    public let rawValue: String

    public init(unchecked rawValue: String) { self.rawValue = rawValue }

    public var isUnique: Bool { rawValue.utf8.first == UInt8(ascii: ":") }

    public static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        func isElementByte(_ byte: UInt8) -> Bool { byte.isNameByte || byte == UInt8(ascii: "-") }
        if bytes.first == UInt8(ascii: ":") {
            return bytes.count <= CodingLimits.nameBytes
                && isDotted(bytes.dropFirst()) { !$0.isEmpty && $0.allSatisfy(isElementByte) }
        }
        return isDotted(bytes) { $0.first?.isDigit == false && $0.allSatisfy(isElementByte) }
    }
}

/// Whether the bytes are two or more elements separated by dots.
private func isDotted<Bytes: Collection<UInt8>>(_ bytes: Bytes, _ isElement: (Bytes.SubSequence) -> Bool) -> Bool {
    guard bytes.count <= CodingLimits.nameBytes else { return false }
    let elements = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return elements.count > 1 && elements.allSatisfy(isElement)
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether the byte is a letter of ASCII, a digit or an underscore.
    fileprivate var isNameByte: Bool {
        isDigit || self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
