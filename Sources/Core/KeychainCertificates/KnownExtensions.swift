// SPDX-License-Identifier: Apache-2.0

internal import SwiftASN1

/// The extensions of RFC 5280, 4.2.1 that a keychain shows and searches for. Nil is absent.
public struct KnownExtensions: Hashable, Sendable {
    /// 4.2.1.2.
    public private(set) var subjectKeyIdentifier: [UInt8]?
    public private(set) var authorityKeyIdentifier: AuthorityKeyIdentifier?
    public private(set) var basicConstraints: BasicConstraints?
    public private(set) var keyUsage: KeyUsage?
    /// The purposes, 4.2.1.12.
    public private(set) var extendedKeyUsage: [OID]?
    /// 4.2.1.6.
    public private(set) var subjectAlternativeNames: [GeneralName]?

    /// 4.2.1.1, without the issuer's names.
    public struct AuthorityKeyIdentifier: Hashable, Sendable {
        public let keyIdentifier: [UInt8]?
        public let serialNumber: [UInt8]?
    }

    /// 4.2.1.9.
    public struct BasicConstraints: Hashable, Sendable {
        public let isAuthority: Bool
        /// The largest number of authorities between this one and an end certificate.
        public let pathLength: Int?
    }

    /// 4.2.1.3. Bit 0 of the standard is the lowest here.
    public struct KeyUsage: OptionSet, Hashable, Sendable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
        public static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
        public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
        public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
        public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
        public static let keyCertSign = KeyUsage(rawValue: 1 << 5)
        public static let cRLSign = KeyUsage(rawValue: 1 << 6)
        public static let encipherOnly = KeyUsage(rawValue: 1 << 7)
        public static let decipherOnly = KeyUsage(rawValue: 1 << 8)
    }

    init(_ extensions: [Certificate.Extension]) throws(CertificateError) {
        for found in extensions {
            do throws(CertificateError) {
                try read(found)
            } catch  where !found.isCritical {
                continue
            }
        }
    }

    private mutating func read(_ found: Certificate.Extension) throws(CertificateError) {
        let what = "the extension \(found.type)"
        switch found.type {
        case .subjectKeyIdentifier:
            subjectKeyIdentifier = Array(try parseDER(found.value[...], what).primitive(.octetString, what))
        case .authorityKeyIdentifier:
            authorityKeyIdentifier = try Self.authority(try parseDER(found.value[...], what), what)
        case .basicConstraints:
            basicConstraints = try Self.constraints(try parseDER(found.value[...], what), what)
        case .keyUsage:
            keyUsage = try Self.usage(try parseDER(found.value[...], what), what)
        case .extendedKeyUsage:
            extendedKeyUsage = try parseDER(found.value[...], what).children(.sequence, what).map {
                node throws(CertificateError) in try node.oid(what)
            }
        case .subjectAlternativeName:
            subjectAlternativeNames = try parseDER(found.value[...], what).children(.sequence, what).map {
                node throws(CertificateError) in try GeneralName(node, what)
            }
        default: break
        }
    }

    private static func authority(_ node: ASN1Node, _ what: String) throws(CertificateError) -> AuthorityKeyIdentifier {
        var keyIdentifier: [UInt8]?
        var serialNumber: [UInt8]?
        for part in try node.children(.sequence, what) {
            switch part.identifier {
            case .context(0): keyIdentifier = Array(try part.primitive(.context(0), what))
            case .context(1): break
            case .context(2): serialNumber = Array(try part.primitive(.context(2), what))
            default: throw .unexpected(what)
            }
        }
        return AuthorityKeyIdentifier(keyIdentifier: keyIdentifier, serialNumber: serialNumber)
    }

    private static func constraints(_ node: ASN1Node, _ what: String) throws(CertificateError) -> BasicConstraints {
        var parts = try node.children(.sequence, what)[...]
        let isAuthority = parts.first?.identifier == .boolean ? try parts.removeFirst().bool(what) : false
        let length = try parts.popFirst().map { node throws(CertificateError) in
            let bytes = try node.primitive(.integer, what)
            guard let first = bytes.first, first < 0x80, bytes.count <= 5 else { throw .unexpected(what) }
            return bytes.reduce(0) { $0 << 8 | Int($1) }
        }
        guard parts.isEmpty else { throw .unexpected(what) }
        return BasicConstraints(isAuthority: isAuthority, pathLength: length)
    }

    private static func usage(_ node: ASN1Node, _ what: String) throws(CertificateError) -> KeyUsage {
        let content = try node.primitive(.bitString, what)
        guard let unused = content.first, unused < 8, (2...3).contains(content.count) else { throw .unexpected(what) }
        var usage: KeyUsage = []
        for (number, byte) in content.dropFirst().enumerated() {
            for bit in 0..<8 where byte & 0x80 >> bit != 0 {
                let place = number * 8 + bit
                guard place < (content.count - 1) * 8 - Int(unused) else { continue }
                usage.insert(KeyUsage(rawValue: 1 << place))
            }
        }
        return usage
    }
}

/// One of the alternative names (RFC 5280, 4.2.1.6).
public struct GeneralName: Hashable, Sendable {
    /// The numbers are those of the standard.
    public enum Kind: UInt, Hashable, Sendable, CaseIterable {
        case otherName, rfc822Name, dNSName, x400Address, directoryName, ediPartyName, uniformResourceIdentifier,
            iPAddress
        case registeredID
    }

    public let kind: Kind
    /// The content, without tag and length, for texts and bytes; the whole DER value for other kinds.
    public let bytes: [UInt8]

    init(_ node: ASN1Node, _ what: String) throws(CertificateError) {
        guard node.identifier.tagClass == .contextSpecific, let kind = Kind(rawValue: node.identifier.tagNumber) else {
            throw .unexpected(what)
        }
        self.kind = kind
        switch kind {
        case .otherName, .x400Address, .directoryName, .ediPartyName:
            guard case .constructed = node.content else { throw .unexpected(what) }
            bytes = Array(node.encodedBytes)
        case .rfc822Name, .dNSName, .uniformResourceIdentifier, .iPAddress, .registeredID:
            bytes = Array(try node.primitive(node.identifier, what))
        }
    }

    /// The text of an e-mail address, a host's name or a URI, which are ASCII; of an IP address four decimal numbers or
    /// eight of four hexadecimal digits, as Apple writes them. Nil for other kinds, and for invalid texts.
    public var text: String? {
        switch kind {
        case .rfc822Name, .uniformResourceIdentifier: asciiText(bytes[...])
        case .dNSName: String(validating: bytes, as: UTF8.self)
        case .iPAddress: addressText
        case .otherName, .x400Address, .directoryName, .ediPartyName, .registeredID: nil
        }
    }

    private var addressText: String? {
        switch bytes.count {
        case 4: bytes.map { String($0) }.joined(separator: ".")
        case 16:
            stride(from: 0, to: 16, by: 2).map { hexadecimal(bytes[$0..<$0 + 2]).filter { $0 != " " } }
                .joined(separator: ":")
        default: nil
        }
    }
}
