// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The address of an internet password: the part of a URL that its attributes can represent.
///
/// Two texts for the same address give equal values: the host is in lower case, the port of the scheme is no port, and
/// the path `/` is no path. Query and fragment count as part of the path.
struct WebAddress: Hashable {
    /// The value of `kSecAttrProtocol`, such as `"htps"`; nil for an address without a scheme.
    let protocolCode: String?
    /// The host, without the brackets of an IPv6 address.
    let host: String
    /// The port; 0: the default of the protocol.
    let port: UInt16
    /// The path: empty, or with its leading slash.
    let path: String

    init(host: String, protocolCode: String? = nil, port: UInt16 = 0, path: String = "") {
        self.host = Self.lowercased(host)
        self.protocolCode = protocolCode
        let usual = protocolCode.flatMap(URLScheme.init(protocolCode:))?.port
        self.port = port == usual ? 0 : port
        self.path = path.isEmpty || path == "/" ? "" : path.hasPrefix("/") ? path : "/" + path
    }

    /// Returns the address of a stored internet password; nil without a server.
    init?(_ attributes: ItemAttributes) {
        guard case .some(let server) = attributes[.server], let host = server.shownText, !host.isEmpty else {
            return nil
        }
        self.init(
            host: host, protocolCode: attributes[.protocol].flatMap(Self.protocolCode),
            port: attributes[.port]?.number.flatMap(UInt16.init(exactly:)) ?? 0,
            path: attributes[.path]?.shownText ?? "")
    }

    /// Returns the four characters, which other programs may have stored as their number.
    private static func protocolCode(_ value: AttributeValue) -> String? {
        switch value {
        case .string(let code): code.isEmpty ? nil : code
        case .number(let number):
            number == 0 ? nil : UInt32(exactly: number).map { AttributeKey(code: $0).name }
        case .data, .date, .accessControl: nil
        }
    }

    /// Compares bytes, as the service does: equivalent spellings of a letter are two addresses.
    static func == (left: Self, right: Self) -> Bool {
        left.protocolCode == right.protocolCode && left.port == right.port
            && left.host.utf8.elementsEqual(right.host.utf8) && left.path.utf8.elementsEqual(right.path.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(Array(host.utf8))
        hasher.combine(Array(path.utf8))
        hasher.combine(port)
        hasher.combine(protocolCode)
    }

    /// The address as a URL; without a scheme if the protocol has none.
    var text: String {
        let scheme = protocolCode.flatMap(URLScheme.init(protocolCode:))?.name
        let shownHost = host.contains(":") ? "[\(host)]" : host
        return (scheme.map { $0 + "://" } ?? "") + shownHost + (port == 0 ? "" : ":\(port)") + path
    }

    /// The attributes of an item for this address. Default values are left out.
    var entries: [ItemAttributes.Entry] {
        var entries: [ItemAttributes.Entry] = [.init(.server, .string(host))]
        if let protocolCode { entries.append(.init(.protocol, .string(protocolCode))) }
        if port != 0 { entries.append(.init(.port, .number(Int64(port)))) }
        if !path.isEmpty { entries.append(.init(.path, .string(path))) }
        return entries
    }

    /// The parts of a URL.
    struct Parsed: Hashable {
        let address: WebAddress
        /// The user before the `@`, percent-decoded.
        let user: String?
    }

    /// The reason why a text is not an address.
    enum Problem: Error, Hashable {
        /// Not a URL with a scheme for which `kSecAttrProtocol` has a value.
        case notWeb
        case noHost
        case badHost
        case badPort
        case badUser
        /// The URL contains a password, which other processes can see.
        case holdsPassword

        var reason: String {
            switch self {
            case .notWeb: "the text is not a URL with a protocol that the keychain knows"
            case .noHost: "the URL has no host"
            case .badHost: "the URL's host contains invalid characters"
            case .badPort: "the URL's port is not a number from 1 to 65535"
            case .badUser: "the user in the URL is not UTF-8"
            case .holdsPassword: "the URL contains a password, which lists would show"
            }
        }
    }

    /// Parses a URL, or a host with or without port and path.
    static func parse(_ text: String) throws(Problem) -> Parsed {
        guard let (scheme, rest) = splitScheme(text) else {
            // Without a scheme it is an address only if it cannot mean anything else.
            guard let parsed = try? parse(text[...], nil), parsed.user == nil else { throw .notWeb }
            return parsed
        }
        let name = lowercased(String(scheme))
        guard let known = URLScheme(name: name) else { throw .notWeb }
        return try parse(rest, known)
    }

    private static func splitScheme(_ text: String) -> (scheme: Substring, rest: Substring)? {
        // By bytes: the slash may be followed by combining characters, which would join it in a `Character`.
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            !bytes[..<colon].contains(where: { "/?#".utf8.contains($0) })
        else { return nil }
        let slashes = bytes.index(colon, offsetBy: 3)
        return (text[..<colon], text[slashes...])
    }

    private static func parse(_ text: Substring, _ scheme: URLScheme?) throws(Problem) -> Parsed {
        let end = text.utf8.firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
        var authority = text[..<end].utf8[...]
        var path = String(text[end...])
        if let first = path.utf8.first, first != UInt8(ascii: "/") { path = "/" + path }
        var user: String?
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            let name = authority[..<at]
            guard !name.contains(UInt8(ascii: ":")) else { throw .holdsPassword }
            guard let decoded = percentDecoded(name) else { throw .badUser }
            user = decoded
            authority = authority[authority.index(after: at)...]
        }
        let (host, port) = try splitPort(authority)
        return Parsed(
            address: WebAddress(host: host, protocolCode: scheme?.protocolCode, port: port, path: path), user: user)
    }

    private static func splitPort(_ authority: Substring.UTF8View) throws(Problem) -> (host: String, port: UInt16) {
        let host: Substring.UTF8View
        var rest = authority
        let isBracketed = authority.first == UInt8(ascii: "[")
        if isBracketed {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .badHost }
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[authority.index(after: end)...]
        } else {
            let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
            host = authority[..<end]
            rest = authority[end...]
        }
        guard !host.isEmpty else { throw .noHost }
        // Text in brackets is an IPv6 address (RFC 3986, 3.2.2), which always contains a colon. As text, other hosts
        // have no brackets.
        guard !isBracketed || host.contains(UInt8(ascii: ":")) else { throw .badHost }
        guard host.allSatisfy({ isBracketed ? isPartOfNumericHost($0) : isPartOfHost($0) }) else { throw .badHost }
        guard let text = String(validating: host, as: UTF8.self) else { throw .badHost }
        guard !rest.isEmpty else { return (text, 0) }
        guard rest.first == UInt8(ascii: ":") else { throw .badHost }
        let digits = rest.dropFirst()
        // A colon without digits is allowed, and means no port (RFC 3986, 3.2.3).
        if digits.isEmpty { return (text, 0) }
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(String(Substring(digits))), port > 0
        else { throw .badPort }
        return (text, port)
    }

    /// Returns whether a byte may be part of a host: letters, digits and the other characters of host names; bytes of
    /// international names.
    private static func isPartOfHost(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && !"\"%<>[]\\^`{|}@:/?#'()*,;=&$!+".utf8.contains(byte)
    }

    /// Returns whether a byte may be part of an IPv6 address with or without a zone.
    private static func isPartOfNumericHost(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || ":.%-_~".utf8.contains(byte)
    }

    private static func percentDecoded(_ bytes: Substring.UTF8View) -> String? {
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimalValue),
                let low = rest.popFirst().flatMap(hexadecimalValue)
            else { return nil }
            decoded.append(high << 4 | low)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Converts ASCII only, because the lower case of other letters depends on the language.
    private static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
}

/// Returns the value of a hexadecimal digit.
func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
}

extension AttributeValue {
    /// The text of a value for display; bytes that are not UTF-8 are replaced.
    var shownText: String? {
        switch self {
        case .string(let text): text
        case .data(let bytes): String(decoding: bytes, as: UTF8.self)
        case .number(let number): String(number)
        case .date, .accessControl: nil
        }
    }
}
