// SPDX-License-Identifier: Apache-2.0

/// A DNS name of a certificate. Name constraints and the host matcher compare values of this type only.
///
/// Labels of 1 to 63 letters, digits, hyphens and underscores of ASCII that begin and end with no hyphen; 253 bytes at most; no dot at the
/// end; the last label is no number (RFC 1034, 3.5; RFC 5280, 4.2.1.6). `*` may be the first label as a whole, above at least two others
/// (RFC 9525, 6.3). swift-certificates takes at least these names for valid when it compares them with constraints.
struct DNSName: Hashable {
    /// The labels in small letters; without the `*`.
    let labels: [String]
    /// The name stands for all names with one more label.
    let isWildcard: Bool

    /// The name of a certificate; nil where the text is none.
    init?(_ text: String) {
        var labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        isWildcard = labels.first.map { $0.elementsEqual("*".utf8) } ?? false
        if isWildcard { labels.removeFirst() }
        guard text.utf8.count <= 253, labels.count >= (isWildcard ? 2 : 1), labels.allSatisfy(Self.isLabel),
            let last = labels.last, !last.allSatisfy(Self.isDigit)
        else { return nil }
        self.labels = labels.map { String(Substring($0)).lowercased() }
    }

    /// The name of a host that a program asks about; nil for an address and where the text is no name. A dot at the end says only that
    /// nothing is to be added. A host has no underscore.
    init?(host text: String) {
        // Split as bytes, because a dot and a combining mark are one Swift character.
        self.init(text.utf8.last == UInt8(ascii: ".") ? String(Substring(text.utf8.dropLast())) : text)
        guard !isWildcard, !text.utf8.contains(UInt8(ascii: "_")),
            // What begins with a digit may be read as an address: 0x7f000001.
            let first = labels[labels.count - 1].utf8.first, !Self.isDigit(first)
        else { return nil }
    }

    /// Whether the name is the host's, or a wildcard that stands for it.
    func matches(_ host: DNSName) -> Bool {
        isWildcard ? labels[...] == host.labels.dropFirst() : labels == host.labels
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), hyphen,
                    UInt8(ascii: "_"):
                    true
                default: isDigit(byte)
                }
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// A name constraint on DNS names or on the hosts of addresses of resources (RFC 5280, 4.2.1.10).
struct DNSConstraint: Hashable {
    /// The labels in small letters; none where the constraint is about all names.
    let labels: [String]
    /// The constraint began with a dot: it is about names below this one, and not about the name itself.
    let isAboutNamesBelow: Bool

    /// Nil where the text is no constraint.
    init?(_ text: String) {
        isAboutNamesBelow = text.utf8.first == UInt8(ascii: ".")
        guard !text.isEmpty else {
            labels = []
            return
        }
        guard let name = DNSName(isAboutNamesBelow ? String(Substring(text.utf8.dropFirst())) : text), !name.isWildcard
        else { return nil }
        labels = name.labels
    }

    /// Whether a name that the wildcard stands for is within the constraint, though the labels of the wildcard themselves need not be.
    func mayContainName(of wildcard: DNSName) -> Bool {
        wildcard.isWildcard && !isAboutNamesBelow && labels.dropFirst() == wildcard.labels[...]
    }
}
