// SPDX-License-Identifier: Apache-2.0

/// An error answer to a call: a name, which programs understand, and a sentence for the user.
public struct MethodError: Error, Hashable, Sendable, CustomStringConvertible {
    public let name: InterfaceName
    public let text: String

    /// - Parameter text: a text without zero characters, which D-Bus cannot express; they are left out.
    public init(_ name: InterfaceName, _ text: String) {
        self.name = name
        self.text = text.contains("\0") ? text.replacing("\0", with: "") : text
    }

    /// Takes the error of a handler. An error of another type becomes `org.freedesktop.DBus.Error.Failed` without its
    /// description, because the description may contain data that the caller must not see.
    public init(_ error: any Error) {
        self = (error as? MethodError) ?? .failed("The method failed.")
    }

    public var description: String { text.isEmpty ? name.rawValue : "\(text) (\(name))" }
}

/// The standard errors, as libdbus, GLib and systemd name them.
extension MethodError {
    /// A failure without a name of its own.
    public static func failed(_ text: String) -> MethodError {
        MethodError("org.freedesktop.DBus.Error.Failed", text)
    }

    /// Arguments of other types than declared, or arguments without a meaning.
    public static func invalidArguments(_ text: String) -> MethodError {
        MethodError("org.freedesktop.DBus.Error.InvalidArgs", text)
    }

    public static func accessDenied(_ text: String) -> MethodError {
        MethodError("org.freedesktop.DBus.Error.AccessDenied", text)
    }

    public static func notSupported(_ text: String) -> MethodError {
        MethodError("org.freedesktop.DBus.Error.NotSupported", text)
    }

    /// A bound of the server is reached.
    public static func limitsExceeded(_ text: String) -> MethodError {
        MethodError("org.freedesktop.DBus.Error.LimitsExceeded", text)
    }

    public static func unknownObject(_ path: ObjectPath) -> MethodError {
        MethodError("org.freedesktop.DBus.Error.UnknownObject", "The object \(path) does not exist.")
    }

    static func unknownInterface(_ name: String) -> MethodError {
        MethodError("org.freedesktop.DBus.Error.UnknownInterface", "The object has no interface \(name).")
    }

    static func unknownMethod(_ name: MemberName) -> MethodError {
        MethodError("org.freedesktop.DBus.Error.UnknownMethod", "The object has no method \(name).")
    }

    static func unknownProperty(_ name: String) -> MethodError {
        MethodError("org.freedesktop.DBus.Error.UnknownProperty", "The interface has no property \(name).")
    }

    static func propertyReadOnly(_ name: MemberName) -> MethodError {
        MethodError("org.freedesktop.DBus.Error.PropertyReadOnly", "The property \(name) cannot be written.")
    }
}
