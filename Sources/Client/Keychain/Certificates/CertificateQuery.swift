// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// The conditions of a search among certificates, or among the certificates of identities. Nil properties are ignored.
///
/// ```swift
/// let signed = try await keychain.certificates(matching: CertificateQuery(issuer: authority))
/// ```
public struct CertificateQuery: Hashable, Sendable {
    /// `kSecAttrLabel`. A certificate that was added without a label has ``KeychainCertificate/subjectSummary`` as its
    /// label.
    public var label: String?
    /// The first of its ``KeychainCertificate/emailAddresses``.
    public var emailAddress: String?
    /// Certificates with this public key.
    public var publicKey: KeychainPublicKey?
    /// Certificates whose issuer is the subject of this certificate. Their signatures are not verified.
    public var issuer: KeychainCertificate?
    public var accessGroup: String?

    public init(
        label: String? = nil, emailAddress: String? = nil, publicKey: KeychainPublicKey? = nil,
        issuer: KeychainCertificate? = nil, accessGroup: String? = nil
    ) {
        self.label = label
        self.emailAddress = emailAddress
        self.publicKey = publicKey
        self.issuer = issuer
        self.accessGroup = accessGroup
    }

    /// - Parameter itemClass: the class of certificates or of identities.
    func itemQuery(_ itemClass: ItemClass) throws(AttributeError) -> ItemQuery {
        var encoded = EncodedAttributes()
        encoded.put(.label, label)
        encoded.put(.alias, emailAddress)
        encoded.put(.publicKeyHash, publicKey.map { PublicKeyHash(of: $0.externalRepresentation).bytes })
        encoded.put(.issuer, issuer?.content.subject.normalizedContent)
        var query = ItemQuery(itemClass)
        query.attributes = try encoded.checked(itemClass, for: .query)
        query.accessGroup = accessGroup
        return query
    }
}
