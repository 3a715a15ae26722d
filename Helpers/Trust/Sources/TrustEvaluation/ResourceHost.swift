// SPDX-License-Identifier: Apache-2.0

/// The host of a URI to which a name constraint can be applied.
struct ResourceHost: Hashable {
    let name: DNSName

    /// Nil if the URI has no authority, or if its host is an IP address, is percent-encoded, or follows a user name:
    /// programs read such URIs in different ways, and RFC 5280, 4.2.1.10, requires that URIs without a host name are
    /// rejected.
    init?(_ address: String) {
        let bytes = Substring(address).utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(bytes[..<colon]) else { return nil }
        let rest = bytes[bytes.index(after: colon)...]
        guard rest.starts(with: "//".utf8) else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
        let host = authority.prefix { $0 != UInt8(ascii: ":") }
        let port = authority.dropFirst(host.count + 1)
        guard port.count <= 5, port.allSatisfy(Self.digits.contains), let name = DNSName(String(Substring(host))),
            !name.isWildcard
        else { return nil }
        self.name = name
    }

    /// Whether a constraint permits the host: a constraint that begins with a dot permits the names below it, any other
    /// constraint this name alone.
    func isWithin(_ constraint: DNSConstraint) -> Bool {
        guard constraint.isAboutNamesBelow else { return name.labels == constraint.labels }
        return name.labels.count > constraint.labels.count
            && name.labels.suffix(constraint.labels.count) == constraint.labels[...]
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let smallLetters = UInt8(ascii: "a")...UInt8(ascii: "z")
    private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")

    /// Whether the text is a scheme (RFC 3986, 3.1).
    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, smallLetters.contains(first) || capitals.contains(first) else { return false }
        return text.allSatisfy {
            smallLetters.contains($0) || capitals.contains($0) || digits.contains($0) || "+-.".utf8.contains($0)
        }
    }
}
