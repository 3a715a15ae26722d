// SPDX-License-Identifier: Apache-2.0

public import KeychainKeys

/// The searchable attributes that the keychain stores with a certificate: the attributes of the class `cert` that
/// follow from its bytes.
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
    /// `kSecAttrPublicKeyHash`: the `kSecAttrApplicationLabel` of a private key with this certificate.
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
    /// Returns the form in which a name in a query is compared (`kSecAttrIssuer`, `kSecAttrSubject`): a complete Name
    /// SEQUENCE becomes its ``normalizedContent``; other bytes are assumed to be such a content and do not change.
    public static func queryValue(_ bytes: some Collection<UInt8>) -> [UInt8] {
        // A content begins with the tag of a SET, so the two cannot be confused. For an empty name the SEQUENCE is 30
        // 00, and the content is empty.
        (try? DistinguishedName(bytes))?.normalizedContent ?? Array(bytes)
    }
}
