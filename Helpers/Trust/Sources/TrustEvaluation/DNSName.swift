// SPDX-License-Identifier: Apache-2.0

/// A DNS name of a certificate. Name constraints and the host matcher compare values of this type only.
///
/// A name has labels of 1 to 63 ASCII letters, digits, hyphens and underscores that neither begin nor end with a
/// hyphen. It has 253 bytes at most and no dot at the end, and its last label is not a number (RFC 1034, 3.5; RFC 5280,
/// 4.2.1.6). `*` may be the whole first label, above at least two others (RFC 9525, 6.3). swift-certificates accepts at
/// least these names when it compares them with constraints.
struct DNSName: Hashable {
    /// The labels in lower case, without the `*`.
    let labels: [String]
    /// Whether the name stands for all names with one more label.
    let isWildcard: Bool

    /// Creates a name of a certificate; nil if the text is not a name.
    init?(_ text: String) {
        var labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        isWildcard = labels.first.map { $0.elementsEqual("*".utf8) } ?? false
        if isWildcard { labels.removeFirst() }
        guard text.utf8.count <= 253, labels.count >= (isWildcard ? 2 : 1), labels.allSatisfy(Self.isLabel),
            let last = labels.last, !last.allSatisfy(Self.isDigit)
        else { return nil }
        self.labels = labels.map { String(Substring($0)).lowercased() }
    }

    /// Creates the name of a host that a program requests; nil for an address and for a text that is not a name. A dot
    /// at the end only marks the name as complete. A host has no underscore.
    init?(host text: String) {
        // Split as bytes, because a dot and a combining mark are one Swift character.
        self.init(text.utf8.last == UInt8(ascii: ".") ? String(Substring(text.utf8.dropLast())) : text)
        guard !isWildcard, !text.utf8.contains(UInt8(ascii: "_")),
            // A text that begins with a digit can be read as an address: 0x7f000001.
            let first = labels[labels.count - 1].utf8.first, !Self.isDigit(first)
        else { return nil }
    }

    /// Whether the name is the host's name, or a wildcard that stands for it.
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

/// A name constraint on DNS names or on the hosts of URIs (RFC 5280, 4.2.1.10).
struct DNSConstraint: Hashable {
    /// The labels in lower case; none if the constraint applies to all names.
    let labels: [String]
    /// Whether the constraint began with a dot: it applies to names below this one, and not to the name itself.
    let isAboutNamesBelow: Bool

    /// Creates a constraint; nil if the text is not a constraint.
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

    /// Whether a name that the wildcard stands for can be within the constraint. The labels of the wildcard themselves
    /// need not be.
    func mayContainName(of wildcard: DNSName) -> Bool {
        wildcard.isWildcard && !isAboutNamesBelow && labels.dropFirst() == wildcard.labels[...]
    }
}
