// SPDX-License-Identifier: Apache-2.0

public import DBusMessages

/// An object of the Secret Service: the meaning of its path.
public enum ObjectName: Hashable, Sendable {
    case service
    case collection(CollectionID)
    /// A collection by an alias, such as `default`.
    case alias(String)
    case item(ItemID)
    case session(UInt64)
    case prompt(UInt64)

    /// The path of the service, with which the paths of all objects begin.
    public static let root: ObjectPath = "/org/freedesktop/secrets"
    /// The path that stands for no object.
    public static let none: ObjectPath = "/"

    /// Takes a path; nil if no object can have it.
    public init?(_ path: ObjectPath) {
        let root = Self.root.rawValue
        guard path.rawValue.hasPrefix(root) else { return nil }
        let rest = path.rawValue.dropFirst(root.count)
        if rest.isEmpty {
            self = .service
            return
        }
        guard rest.first == "/" else { return nil }
        let elements = rest.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch (elements.first, elements.count) {
        case ("collection", 2):
            guard let name = Self.decode(elements[1]) else { return nil }
            self = .collection(CollectionID(name))
        case ("collection", 3):
            guard let collection = Self.decode(elements[1]), let name = Self.decode(elements[2]) else { return nil }
            self = .item(ItemID(CollectionID(collection), name))
        case ("aliases", 2):
            guard let name = Self.decode(elements[1]) else { return nil }
            self = .alias(name)
        case ("session", 2):
            guard let number = Self.number(elements[1], after: "s") else { return nil }
            self = .session(number)
        case ("prompt", 2):
            guard let number = Self.number(elements[1], after: "p") else { return nil }
            self = .prompt(number)
        default: return nil
        }
    }

    public var path: ObjectPath {
        switch self {
        case .service: Self.root
        case .collection(let id): Self.path("collection/" + Self.encode(id.name))
        case .alias(let name): Self.path("aliases/" + Self.encode(name))
        case .item(let id): Self.path("collection/" + Self.encode(id.collection.name) + "/" + Self.encode(id.name))
        case .session(let number): Self.path("session/s\(number)")
        case .prompt(let number): Self.path("prompt/p\(number)")
        }
    }

    private static func path(_ rest: String) -> ObjectPath {
        // The elements consist of letters, digits and underscores alone.
        ObjectPath(unchecked: "\(root)/\(rest)")
    }

    private static func number(_ element: String, after letter: String) -> UInt64? {
        guard element.hasPrefix(letter), let number = UInt64(element.dropFirst()), "\(letter)\(number)" == element
        else {
            return nil
        }
        return number
    }

    /// Writes a text as an element of a path: bytes other than letters and digits of ASCII become `_` and two digits in
    /// base 16. An empty text is a single underscore.
    static func encode(_ text: String) -> String {
        if text.isEmpty { return "_" }
        var element: [UInt8] = []
        for byte in text.utf8 {
            if byte.isLetterOrDigit {
                element.append(byte)
            } else {
                element.append(UInt8(ascii: "_"))
                element += [byte >> 4, byte & 15].map { hexDigits[Int($0)] }
            }
        }
        return String(decoding: element, as: UTF8.self)
    }

    /// Reads an element; nil if ``encode(_:)`` does not write it, so that an object has one path alone.
    static func decode(_ element: String) -> String? {
        if element == "_" { return "" }
        var text: [UInt8] = []
        var rest = Array(element.utf8)[...]
        while let byte = rest.popFirst() {
            if byte.isLetterOrDigit {
                text.append(byte)
                continue
            }
            guard byte == UInt8(ascii: "_"), let high = rest.popFirst().flatMap(hexDigits.firstIndex),
                let low = rest.popFirst().flatMap(hexDigits.firstIndex)
            else { return nil }
            text.append(UInt8(high << 4 | low))
        }
        guard let name = String(validating: text, as: UTF8.self), encode(name) == element else { return nil }
        return name
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
