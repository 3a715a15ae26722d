// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import KeychainCertificates
internal import KeychainKeys

/// A certificate (X.509; RFC 5280) and the values that are read from its bytes.
///
/// Nothing in it is verified: trust is evaluated separately. Two certificates are equal when their bytes are equal.
public struct KeychainCertificate: Hashable, Sendable {
    let content: Certificate

    init(_ content: Certificate) { self.content = content }

    /// Reads a certificate in DER.
    ///
    /// - Throws: the reason why the bytes are rejected: no DER, no certificate, trailing bytes, or over 256 KiB.
    public init(derRepresentation: some Collection<UInt8>) throws(CertificateError) {
        content = try Certificate(derRepresentation)
    }

    /// Reads the certificates of a PEM text (RFC 7468), in their order. Other content of the text is ignored.
    ///
    /// - Throws: for a text that is not PEM, and for a certificate that cannot be read; the error names the line.
    public static func certificates(
        pemRepresentation: some StringProtocol
    ) throws(CertificateError) -> [KeychainCertificate] {
        try Certificate.certificates(inPEM: Array(pemRepresentation.utf8)).map(KeychainCertificate.init)
    }

    public var derRepresentation: [UInt8] { content.encoded }

    public var pemRepresentation: String { content.pem }

    /// A name for display: the common name, or the most specific other part of the subject.
    public var subjectSummary: String? { content.subjectSummary }

    /// The last common name of the subject.
    public var commonName: String? { content.commonName }

    /// The email addresses of the subject and of its alternative names.
    public var emailAddresses: [String] { content.emailAddresses }

    /// The host names of the certificate, from its subject alternative names.
    public var dnsNames: [String] { content.dnsNames }

    /// The serial number in two's complement, highest byte first.
    public var serialNumber: [UInt8] { content.serialNumber }

    public var notValidBefore: Date { content.notBefore }

    public var notValidAfter: Date { content.notAfter }

    /// The public key; nil for a type of key that the keychain does not support.
    public var publicKey: KeychainPublicKey? { (try? content.publicKey()).map(KeychainPublicKey.init) }

    /// SHA-256 of ``derRepresentation``, 32 bytes.
    public var sha256Fingerprint: [UInt8] { content.sha256Fingerprint }
}
