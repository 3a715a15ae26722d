// SPDX-License-Identifier: Apache-2.0

extension ItemQuery {
    /// The two searches for the parts of an identity: an identity is a certificate and a private key of the same public
    /// key (semantics 1.9).
    ///
    /// Of the attributes that both have, the label and the token come from the certificate, and all others from the
    /// key. The access group and the synchronizable attribute apply to both.
    ///
    /// - Returns: nil for a search of another class, and for a search that no private key can match.
    public var identityParts: (certificate: ItemQuery, key: ItemQuery)? {
        guard itemClass == .identity else { return nil }
        var certificate = ItemQuery(.certificate)
        var key = ItemQuery(.key)
        for entry in attributes.entries {
            switch entry.key {
            case .accessGroup:
                certificate.attributes[entry.key] = entry.value
                key.attributes[entry.key] = entry.value
            case let name where name.isOfCertificateInIdentity: certificate.attributes[name] = entry.value
            case let name: key.attributes[name] = entry.value
            }
        }
        let isPrivate = AttributeValue.number(1)
        guard key.attributes[.keyClass] ?? isPrivate == isPrivate else { return nil }
        key.attributes[.keyClass] = isPrivate
        (certificate.accessGroup, key.accessGroup) = (accessGroup, accessGroup)
        (certificate.synchronizable, key.synchronizable) = (synchronizable, synchronizable)
        (certificate.textMatching, key.textMatching) = (textMatching, textMatching)
        certificate.persistentReference = persistentReference.map { $0.of(.certificate) }
        return (certificate, key)
    }
}

extension AttributeKey {
    /// Whether an identity has this attribute from its certificate, and not from its key.
    public var isOfCertificateInIdentity: Bool {
        switch self {
        case .label, .tokenID: true
        default: ItemSchema.schema(for: .key)?[self] == nil
        }
    }
}

extension ItemAttributes {
    /// Creates the attributes of the identity of a certificate and its private key.
    public init(identityOf certificate: ItemAttributes, and key: ItemAttributes) {
        self.init(empty: .identity)
        for entry in certificate.entries where entry.key.isOfCertificateInIdentity { self[entry.key] = entry.value }
        for entry in key.entries where !entry.key.isOfCertificateInIdentity { self[entry.key] = entry.value }
    }
}

extension PersistentReference {
    /// Returns the same target in another class: an identity has the identifier of its certificate.
    public func of(_ itemClass: ItemClass) -> PersistentReference {
        switch target {
        case .item(let item): PersistentReference(itemClass: itemClass, item: item)
        case .row(let row): PersistentReference(itemClass: itemClass, row: row)
        }
    }
}
