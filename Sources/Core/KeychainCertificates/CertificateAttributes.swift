// SPDX-License-Identifier: Apache-2.0

public import KeychainKeys

/// What the keychain keeps beside a certificate to find it: the attributes of the class `cert` that follow from its bytes.
public struct CertificateAttributes: Hashable, Sendable {
    /// `kSecAttrCertificateType`: the version, 1 to 3.
    public let certificateType: Int
    /// `kSecAttrCertificateEncoding`: 3 is DER.
    public let certificateEncoding: Int
    /// `kSecAttrIssuer` and `kSecAttrSubject`: see ``DistinguishedName/normalizedContent``.
    public let issuer: [UInt8]
    public let subject: [UInt8]
    /// `kSecAttrSerialNumber`: the content of the INTEGER. With type and issuer it makes a certificate unique.
    public let serialNumber: [UInt8]
    /// `kSecAttrSubjectKeyID`: the content of the extension; nil without it.
    public let subjectKeyID: [UInt8]?
    /// `kSecAttrPublicKeyHash`: what a private key with this certificate has as its `kSecAttrApplicationLabel`.
    public let publicKeyHash: PublicKeyHash
    /// `kSecAttrAlias`: the first e-mail address.
    public let alias: String?
    /// `kSecAttrLabel`, unless the caller names one: the summary of the subject.
    public let label: String?

    public init(_ certificate: Certificate) {
        certificateType = certificate.version
        certificateEncoding = 3
        issuer = certificate.issuer.normalizedContent
        subject = certificate.subject.normalizedContent
        serialNumber = certificate.serialNumber
        subjectKeyID = certificate.known.subjectKeyIdentifier
        publicKeyHash = certificate.publicKeyInfo.hash
        alias = certificate.emailAddresses.first
        label = certificate.subjectSummary
    }
}

extension DistinguishedName {
    /// The form in which a name in a query is compared (`kSecAttrIssuer`, `kSecAttrSubject`): a complete Name SEQUENCE becomes its
    /// ``normalizedContent``; other bytes are taken to be such a content and stay as they are.
    public static func queryValue(_ bytes: some Collection<UInt8>) -> [UInt8] {
        // A content begins with the tag of a SET, so the two cannot be taken for each other. Of an empty name the
        // SEQUENCE is 30 00, and the content nothing.
        (try? DistinguishedName(bytes))?.normalizedContent ?? Array(bytes)
    }
}
