// SPDX-License-Identifier: Apache-2.0

/// Text that keeps to the rules for names (D-Bus Specification, "Valid Names" and "Valid Object Paths").
public protocol ValidName: RawRepresentable, Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral
where RawValue == String {
    static func isValid(_ bytes: some Collection<UInt8>) -> Bool
    /// For text that is known to be valid.
    init(unchecked rawValue: String)
}

extension ValidName {
    /// Nil where the text breaks the rules.
    public init?(rawValue: String) {
        guard Self.isValid(rawValue.utf8) else { return nil }
        self.init(unchecked: rawValue)
    }

    /// A name in the source text; traps where it breaks the rules, which is our own mistake.
    public init(stringLiteral value: String) {
        precondition(Self.isValid(value.utf8), "no valid \(Self.self): \(value)")
        self.init(unchecked: value)
    }

    public var description: String { rawValue }
}

/// Where an object lives in a program, such as `/org/freedesktop/login1`.
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

/// The name of an interface, such as `org.freedesktop.login1.Session`; errors are named by the same rules.
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

/// The name of a connection: a unique one that the bus gave, such as `:1.42`, or a well-known one.
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

/// Two elements or more, with dots between them.
private func isDotted<Bytes: Collection<UInt8>>(_ bytes: Bytes, _ isElement: (Bytes.SubSequence) -> Bool) -> Bool {
    guard bytes.count <= CodingLimits.nameBytes else { return false }
    let elements = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return elements.count > 1 && elements.allSatisfy(isElement)
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// A letter of ASCII, a digit or an underscore.
    fileprivate var isNameByte: Bool {
        isDigit || self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
