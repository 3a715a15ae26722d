// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// What to look for among certificates, or among the certificates of identities. What is nil does not count.
///
/// ```swift
/// let signed = try await keychain.certificates(CertificateQuery(issuer: authority))
/// ```
public struct CertificateQuery: Hashable, Sendable {
    /// `kSecAttrLabel`; where nothing else was said when it was added, ``KeychainCertificate/subjectSummary``.
    public var label: String?
    /// The first of its ``KeychainCertificate/emailAddresses``.
    public var emailAddress: String?
    /// With this key in it.
    public var publicKey: KeychainPublicKey?
    /// With the subject of this one as the issuer. Whether it was really signed by it is not looked at.
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

    /// - Parameter itemClass: of certificates or of identities.
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
