// SPDX-License-Identifier: Apache-2.0

// The names of a certificate, by the rules of Apple's published sources.

extension Certificate {
    /// A line for display: the subject's common names; if there are none its organizational units, its organizations,
    /// or any other attribute of the name. Several of one kind are all included, the last one first, with commas.
    /// Descriptions follow a common name in parentheses. For an empty subject, the first e-mail address or host.
    ///
    /// Nil for a certificate without names.
    public var subjectSummary: String? {
        enum Rank: Comparable { case other, organization, unit, commonName }
        var summary: (rank: Rank, text: String)?
        var description: String?
        for attribute in subject.attributes {
            let rank: Rank =
                switch attribute.type {
                case .commonName: .commonName
                case .organizationalUnitName: .unit
                case .organizationName: .organization
                default: .other
                }
            if attribute.type == .attributeDescription { description = list(attribute.text, description) }
            if let best = summary, best.rank > rank { continue }
            summary = (rank, list(attribute.text, summary?.rank == rank ? summary?.text : nil))
        }
        guard let summary else { return emailAddresses.first ?? dnsNames.first }
        guard summary.rank == .commonName, let description else { return summary.text }
        return "\(summary.text) (\(description))"
    }

    /// The subject's last common name, which is the most specific one.
    public var commonName: String? { subject.texts(of: .commonName).last }

    /// The e-mail addresses: the alternative names first, then those in the subject's name. None if an alternative name
    /// is not text in ASCII.
    public var emailAddresses: [String] {
        texts(of: .rfc822Name).map { $0 + subject.texts(of: .emailAddress) } ?? []
    }

    /// The hosts: those alternative names that have the form of a host, with `*` and `_` allowed; if there are none,
    /// such common names (RFC 2818, 3.1).
    public var dnsNames: [String] {
        let alternatives = texts(of: .dNSName)?.filter(isHostName) ?? []
        return alternatives.isEmpty ? subject.texts(of: .commonName).filter(isHostName) : alternatives
    }

    /// The IP addresses, see ``GeneralName/text``. None if one has another length than 4 or 16 bytes.
    public var ipAddresses: [String] { texts(of: .iPAddress) ?? [] }

    /// The URIs among the alternative names. None if one is not in ASCII.
    public var uris: [String] { texts(of: .uniformResourceIdentifier) ?? [] }

    /// Returns the texts of a kind; nil if one of them cannot be read.
    private func texts(of kind: GeneralName.Kind) -> [String]? {
        var result: [String] = []
        for name in known.subjectAlternativeNames ?? [] where name.kind == kind {
            guard let text = name.text else { return nil }
            result.append(text)
        }
        return result
    }
}

private func list(_ text: String, _ others: String?) -> String { others.map { "\(text), \($0)" } ?? text }

/// Returns whether a text is a host name: labels of letters, digits, hyphens and underscores (RFC 1035, 2.3.1 and RFC
/// 1123, 2.1), and `*` for a letter; no empty label, no hyphen at the ends, and a letter in the last one, because an IP
/// address is not a host name.
private func isHostName(_ text: String) -> Bool {
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard text.utf8.count <= 255, let last = labels.last, last.contains(where: { isLetter($0) }) else { return false }
    return labels.allSatisfy { label in
        guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
        let hyphen = UInt8(ascii: "-")
        return first != hyphen && last != hyphen
            && label.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == hyphen || $0 == UInt8(ascii: "_") }
    }
}

private func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "*")
}
