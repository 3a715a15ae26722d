// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import KeychainCertificates
internal import KeychainKeys

/// A certificate (X.509; RFC 5280), and what is read from its bytes.
///
/// Nothing in it is verified: who trusts it is another question. Two are equal when their bytes are.
public struct KeychainCertificate: Hashable, Sendable {
    let content: Certificate

    init(_ content: Certificate) { self.content = content }

    /// Reads a certificate in DER.
    ///
    /// - Throws: what is wrong with the bytes: they are no DER, no certificate, followed by others, or over 256 KiB.
    public init(derRepresentation: some Collection<UInt8>) throws(CertificateError) {
        content = try Certificate(derRepresentation)
    }

    /// Reads the certificates of a PEM text (RFC 7468), in their order. What else is in the text is passed over.
    ///
    /// - Throws: for a text that is no PEM, and for a certificate that cannot be read; the error names the line.
    public static func certificates(
        pemRepresentation: some StringProtocol
    ) throws(CertificateError) -> [KeychainCertificate] {
        try Certificate.certificates(inPEM: Array(pemRepresentation.utf8)).map(KeychainCertificate.init)
    }

    public var derRepresentation: [UInt8] { content.encoded }

    public var pemRepresentation: String { content.pem }

    /// What a person would call it: the common name, or the next best part of the subject.
    public var subjectSummary: String? { content.subjectSummary }

    /// The last common name of the subject.
    public var commonName: String? { content.commonName }

    /// Of the subject and of its alternative names.
    public var emailAddresses: [String] { content.emailAddresses }

    /// The hosts it is for, by its subject alternative names.
    public var dnsNames: [String] { content.dnsNames }

    /// Two's complement, the highest byte first.
    public var serialNumber: [UInt8] { content.serialNumber }

    public var notValidBefore: Date { content.notBefore }

    public var notValidAfter: Date { content.notAfter }

    /// Nil for a key of a kind that the keychain does not know.
    public var publicKey: KeychainPublicKey? { (try? content.publicKey()).map(KeychainPublicKey.init) }

    /// SHA-256 of ``derRepresentation``, 32 bytes.
    public var sha256Fingerprint: [UInt8] { content.sha256Fingerprint }
}
