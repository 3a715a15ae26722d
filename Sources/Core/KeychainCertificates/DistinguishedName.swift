// SPDX-License-Identifier: Apache-2.0

internal import SwiftASN1

/// The name of a subject or an issuer (`Name` of X.501; RFC 5280, 4.1.2.4): a sequence of sets of attributes.
///
/// Two names are equal if their bytes are; compare ``normalizedContent`` if "MOUSE" and "mouse " must be equal.
public struct DistinguishedName: Hashable, Sendable {
    public struct Attribute: Hashable, Sendable {
        public let type: OID
        /// The value as text; see ``DistinguishedName`` for values that are not text.
        public let text: String
        /// The number of the set that contains the attribute, counted from 0.
        public let relativeName: Int
    }

    /// The whole SEQUENCE in DER, as given.
    public let encoded: [UInt8]
    /// All attributes in their order. Bytes that do not fit their string type, and values that are not strings, have as
    /// their text two hexadecimal digits for each byte, with spaces between.
    public let attributes: [Attribute]
    /// The form for comparisons, and the keychain's form of a name (`kSecAttrIssuer`, `kSecAttrSubject`): the content
    /// of the SEQUENCE, without its tag and length, in which each PrintableString is in upper case, has no blanks at
    /// its ends and one space for each row of spaces and tabs inside. Other string types do not change.
    public let normalizedContent: [UInt8]

    /// Reads one SEQUENCE in DER.
    ///
    /// - Throws: `tooLong` beyond ``Certificate/maximumByteCount``; `notDER`; `malformed`.
    public init(_ bytes: some Collection<UInt8>) throws(CertificateError) {
        guard bytes.count <= Certificate.maximumByteCount else { throw Certificate.tooLong }
        self = try Self(node: try parseDER(Array(bytes)[...], "the name"), "the name")
    }

    /// The normalised name as a whole SEQUENCE in DER.
    public var normalizedSequence: [UInt8] { encodeDER(0x30, normalizedContent) }

    /// Returns the texts of the attributes of one type, in their order.
    public func texts(of type: OID) -> [String] { attributes.filter { $0.type == type }.map(\.text) }

    init(node: ASN1Node, _ what: String) throws(CertificateError) {
        var attributes: [Attribute] = []
        var normalized: [UInt8] = []
        for (number, set) in try node.children(.sequence, what).enumerated() {
            var content: [UInt8] = []
            for pair in try set.children(.set, what) {
                let parts = try pair.children(.sequence, what)
                guard parts.count == 2 else { throw .unexpected(what) }
                attributes.append(
                    Attribute(type: try parts[0].oid(what), text: directoryText(parts[1]), relativeName: number))
                content += encodeDER(0x30, parts[0].encodedBytes + normalizedValue(parts[1]))
            }
            normalized += encodeDER(0x31, content)
        }
        encoded = Array(node.encodedBytes)
        self.attributes = attributes
        normalizedContent = normalized
    }
}

private func normalizedValue(_ node: ASN1Node) -> [UInt8] {
    guard node.identifier == .printableString, case .primitive(let bytes) = node.content else {
        return Array(node.encodedBytes)
    }
    let words = bytes.split { $0 == 0x20 || $0 == 0x09 }
    let upper = words.joined(separator: [0x20]).map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    return encodeDER(0x13, upper)
}

/// Returns the text of a value (RFC 5280, appendix A.1, DirectoryString and its relatives).
private func directoryText(_ node: ASN1Node) -> String {
    guard case .primitive(let bytes) = node.content else { return hexadecimal(node.encodedBytes) }
    // Programs in C leave a zero after the last character.
    let trimmed = bytes.last == 0 ? bytes.dropLast() : bytes
    let text: String? =
        switch node.identifier {
        case .printableString, .ia5String, .numericString: asciiText(trimmed)
        case .utf8String, .generalString: String(validating: trimmed, as: UTF8.self)
        // T.61 was never used as specified: the bytes are Latin 1.
        case .teletexString, .videotexString, .visibleString:
            String(String.UnicodeScalarView(trimmed.map(Unicode.Scalar.init)))
        case .bmpString:
            wideText(bytes, unitByteCount: 2).flatMap { String(validating: $0.map(UInt16.init), as: UTF16.self) }
        case .universalString: wideText(bytes, unitByteCount: 4).flatMap { String(validating: $0, as: UTF32.self) }
        default: nil
        }
    return text ?? hexadecimal(bytes)
}

func asciiText(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
}

private func wideText(_ bytes: ArraySlice<UInt8>, unitByteCount: Int) -> [UInt32]? {
    guard bytes.count.isMultiple(of: unitByteCount) else { return nil }
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: unitByteCount).map { start in
        bytes[start..<start + unitByteCount].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Returns two digits for each byte, with spaces between.
func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
}
