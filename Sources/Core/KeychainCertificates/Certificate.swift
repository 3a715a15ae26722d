// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import KeychainKeys
internal import SwiftASN1

/// A certificate of X.509 (RFC 5280) and its contents. Nothing here is trusted: no signature is verified.
///
/// Two certificates are equal if their bytes are. Reading is total: any bytes give a certificate or an error, and need
/// at most some hundred times the memory of the bytes.
public struct Certificate: Hashable, Sendable {
    /// 256 KiB: room for some ten thousand names.
    public static let maximumByteCount = 256 << 10

    /// The DER encoding, as given.
    public let encoded: [UInt8]
    /// 1, 2 or 3.
    public let version: Int
    /// The content of the INTEGER, big-endian in two's complement, unchanged: 1 to 37 bytes. RFC 5280 allows at most 20
    /// and no negative numbers, but certificates exist that violate either rule.
    public let serialNumber: [UInt8]
    /// The algorithm that the issuer declares for its signature.
    public let signatureAlgorithm: Algorithm
    public let issuer: DistinguishedName
    public let subject: DistinguishedName
    /// The validity period; both dates belong to it.
    public let notBefore: Date
    public let notAfter: Date
    public let publicKeyInfo: PublicKeyInfo
    /// The contents of the bit strings with which X.509 version 2 distinguished issuers and subjects of one name, with
    /// their first byte (the number of unused bits).
    public let issuerUniqueID: [UInt8]?
    public let subjectUniqueID: [UInt8]?
    /// In their order; no duplicates.
    public let extensions: [Extension]
    /// The parsed known extensions. A malformed extension counts as absent, as in Apple's implementation, unless it is
    /// critical.
    public let known: KnownExtensions
    public let signature: [UInt8]

    /// An algorithm and, in DER, its parameters.
    public struct Algorithm: Hashable, Sendable {
        public let type: OID
        public let parameters: [UInt8]?
    }

    /// SubjectPublicKeyInfo.
    public struct PublicKeyInfo: Hashable, Sendable {
        /// The whole structure in DER.
        public let encoded: [UInt8]
        public let algorithm: Algorithm
        /// The content of the bit string.
        public let bits: [UInt8]

        public var hash: PublicKeyHash { PublicKeyHash(of: bits) }
    }

    public struct Extension: Hashable, Sendable {
        public let type: OID
        /// A program that does not support a critical extension must not use the certificate.
        public let isCritical: Bool
        /// The content of the OCTET STRING.
        public let value: [UInt8]
    }

    /// Reads one certificate in DER, without trailing bytes.
    ///
    /// - Throws: `tooLong`; `notDER`; `malformed`, also for a known critical extension that is malformed;
    ///   `duplicateExtension`.
    public init(_ bytes: some Collection<UInt8>) throws(CertificateError) {
        guard bytes.count <= Self.maximumByteCount else { throw Self.tooLong }
        try self.init(encoded: Array(bytes))
    }

    /// Compiled once for all collections.
    private init(encoded: [UInt8]) throws(CertificateError) {
        self.encoded = encoded
        let root = try parseDER(encoded[...], "the certificate").children(.sequence, "the certificate")
        guard root.count == 3 else { throw .unexpected("the certificate") }
        _ = try Algorithm(root[1])
        signature = Array(try root[2].wholeBytes("the signature"))

        var fields = try root[0].children(.sequence, "the signed part of the certificate")[...]
        version = try Self.version(&fields)
        serialNumber = Array(try next(&fields, "the serial number").primitive(.integer, "the serial number"))
        guard (1...37).contains(serialNumber.count) else {
            throw CertificateError(.malformed, "the serial number: it must have 1 to 37 bytes")
        }
        signatureAlgorithm = try Algorithm(try next(&fields, "the signature's algorithm"))
        issuer = try DistinguishedName(node: try next(&fields, "the issuer"), "the issuer")
        let validity = try next(&fields, "the validity").children(.sequence, "the validity")
        guard validity.count == 2 else { throw .unexpected("the validity") }
        notBefore = try certificateDate(validity[0], "the beginning of validity")
        notAfter = try certificateDate(validity[1], "the end of validity")
        subject = try DistinguishedName(node: try next(&fields, "the subject"), "the subject")
        publicKeyInfo = try PublicKeyInfo(try next(&fields, "the public key"))
        issuerUniqueID = try optional(&fields, 1).map { node throws(CertificateError) in
            Array(try node.primitive(.context(1), "the issuer's unique identifier"))
        }
        subjectUniqueID = try optional(&fields, 2).map { node throws(CertificateError) in
            Array(try node.primitive(.context(2), "the subject's unique identifier"))
        }
        extensions = try optional(&fields, 3).map(Self.extensions) ?? []
        known = try KnownExtensions(extensions)
        guard fields.isEmpty else { throw .unexpected("the signed part of the certificate") }
    }

    /// Returns the public key.
    ///
    /// - Throws: the errors of ``PublicKey/init(subjectPublicKeyInfo:)``; in particular for unsupported algorithms and
    ///   curves.
    public func publicKey() throws(KeyError) -> PublicKey {
        try PublicKey(subjectPublicKeyInfo: publicKeyInfo.encoded)
    }

    public static func == (left: Certificate, right: Certificate) -> Bool { left.encoded == right.encoded }

    public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }

    static var tooLong: CertificateError {
        CertificateError(.tooLong, "a certificate must have at most \(maximumByteCount) bytes")
    }

    private static func version(_ fields: inout ArraySlice<ASN1Node>) throws(CertificateError) -> Int {
        guard let node = optional(&fields, 0) else { return 1 }
        let parts = try node.children(.context(0), "the version")
        guard parts.count == 1 else { throw .unexpected("the version") }
        // Version 1 is the default, which DER does not encode.
        switch try parts[0].primitive(.integer, "the version") {
        case [1]: return 2
        case [2]: return 3
        default: throw CertificateError(.malformed, "the version: it must be 1, 2 or 3")
        }
    }

    private static func extensions(_ node: ASN1Node) throws(CertificateError) -> [Extension] {
        let wrapped = try node.children(.context(3), "the extensions")
        guard wrapped.count == 1 else { throw .unexpected("the extensions") }
        let nodes = try wrapped[0].children(.sequence, "the extensions")
        guard !nodes.isEmpty else { throw .unexpected("the extensions") }
        var seen: Set<OID> = []
        return try nodes.map { node throws(CertificateError) in
            let found = try Extension(node)
            guard seen.insert(found.type).inserted else {
                throw CertificateError(.duplicateExtension, "the extension \(found.type) occurs twice")
            }
            return found
        }
    }
}

extension Certificate.Algorithm {
    init(_ node: ASN1Node) throws(CertificateError) {
        let parts = try node.children(.sequence, "an algorithm")
        guard (1...2).contains(parts.count) else { throw .unexpected("an algorithm") }
        type = try parts[0].oid("an algorithm")
        parameters = parts.count == 2 ? Array(parts[1].encodedBytes) : nil
    }
}

extension Certificate.PublicKeyInfo {
    init(_ node: ASN1Node) throws(CertificateError) {
        let parts = try node.children(.sequence, "the public key")
        guard parts.count == 2 else { throw .unexpected("the public key") }
        encoded = Array(node.encodedBytes)
        algorithm = try Certificate.Algorithm(parts[0])
        bits = Array(try parts[1].wholeBytes("the public key"))
    }
}

extension Certificate.Extension {
    init(_ node: ASN1Node) throws(CertificateError) {
        var parts = try node.children(.sequence, "an extension")[...]
        type = try next(&parts, "an extension").oid("an extension")
        // FALSE is the default, which DER does not encode; some certificates encode it.
        isCritical =
            parts.first?.identifier == .boolean
            ? try parts.removeFirst().bool("whether the extension \(type) is critical") : false
        value = Array(try next(&parts, "an extension").primitive(.octetString, "the extension \(type)"))
        guard parts.isEmpty else { throw .unexpected("the extension \(type)") }
    }
}

private func next(_ nodes: inout ArraySlice<ASN1Node>, _ what: String) throws(CertificateError) -> ASN1Node {
    guard let node = nodes.popFirst() else { throw CertificateError(.malformed, "\(what): missing") }
    return node
}

private func optional(_ nodes: inout ArraySlice<ASN1Node>, _ number: UInt) -> ASN1Node? {
    nodes.first?.identifier == .context(number) ? nodes.removeFirst() : nil
}
