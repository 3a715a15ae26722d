// SPDX-License-Identifier: Apache-2.0

extension AttributeKey {
    /// Finds the attribute of a class by any of its names: four characters, Apple's constant, or the title with or
    /// without spaces, in any case of letters. Nil for any other name.
    public init?(anyName text: String, in itemClass: ItemClass) {
        let wanted = text.filter { $0 != " " && $0 != "-" }.lowercased()
        let keys = ItemSchema.schema(for: itemClass)?.attributes.map(\.key) ?? []
        let match = keys.first { key in
            [key.name, key.constantName, key.title].contains { $0.filter { $0 != " " }.lowercased() == wanted }
        }
        guard let match else { return nil }
        self = match
    }

    /// The name of the attribute in sentences, such as "service"; the four characters for a rare attribute.
    public var title: String { Self.names[self]?.title ?? name }

    /// Apple's constant for the attribute, such as `kSecAttrService`; the four characters for a rare attribute.
    public var constantName: String { Self.names[self]?.constant ?? name }

    private static let names: [AttributeKey: (title: String, constant: String)] = [
        .accessGroup: ("access group", "kSecAttrAccessGroup"),
        .accessible: ("accessibility", "kSecAttrAccessible"),
        .accessControl: ("access control", "kSecAttrAccessControl"),
        .synchronizable: ("synchronizable", "kSecAttrSynchronizable"),
        .creationDate: ("creation date", "kSecAttrCreationDate"),
        .modificationDate: ("modification date", "kSecAttrModificationDate"),
        .label: ("label", "kSecAttrLabel"),
        .tokenID: ("token", "kSecAttrTokenID"),
        .syncViewHint: ("sync view hint", "kSecAttrSyncViewHint"),
        .account: ("account", "kSecAttrAccount"),
        .service: ("service", "kSecAttrService"),
        .generic: ("generic", "kSecAttrGeneric"),
        .itemDescription: ("description", "kSecAttrDescription"),
        .comment: ("comment", "kSecAttrComment"),
        .creator: ("creator", "kSecAttrCreator"),
        .type: ("type", "kSecAttrType"),
        .isInvisible: ("invisible", "kSecAttrIsInvisible"),
        .isNegative: ("negative", "kSecAttrIsNegative"),
        .lookup: ("lookup attributes", "lkup"),
        .alias: ("alias", "kSecAttrAlias"),
        .server: ("server", "kSecAttrServer"),
        .securityDomain: ("security domain", "kSecAttrSecurityDomain"),
        .protocol: ("protocol", "kSecAttrProtocol"),
        .authenticationType: ("authentication type", "kSecAttrAuthenticationType"),
        .port: ("port", "kSecAttrPort"),
        .path: ("path", "kSecAttrPath"),
        .scriptCode: ("script code", "kSecAttrScriptCode"),
        .hasCustomIcon: ("custom icon", "kSecAttrHasCustomIcon"),
        .certificateType: ("certificate type", "kSecAttrCertificateType"),
        .certificateEncoding: ("certificate encoding", "kSecAttrCertificateEncoding"),
        .issuer: ("issuer", "kSecAttrIssuer"),
        .serialNumber: ("serial number", "kSecAttrSerialNumber"),
        .subject: ("subject", "kSecAttrSubject"),
        .subjectKeyID: ("subject key ID", "kSecAttrSubjectKeyID"),
        .publicKeyHash: ("public key hash", "kSecAttrPublicKeyHash"),
        .keyClass: ("key class", "kSecAttrKeyClass"),
        .applicationLabel: ("application label", "kSecAttrApplicationLabel"),
        .applicationTag: ("application tag", "kSecAttrApplicationTag"),
        .keySizeInBits: ("key size", "kSecAttrKeySizeInBits"),
        .effectiveKeySize: ("effective key size", "kSecAttrEffectiveKeySize"),
        .startDate: ("start date", "kSecAttrStartDate"),
        .endDate: ("end date", "kSecAttrEndDate"),
        .isPermanent: ("permanent", "kSecAttrIsPermanent"),
        .isPrivate: ("private", "kSecAttrIsPrivate"),
        .isModifiable: ("modifiable", "kSecAttrIsModifiable"),
        .isSensitive: ("sensitive", "kSecAttrIsSensitive"),
        .wasAlwaysSensitive: ("always sensitive", "kSecAttrWasAlwaysSensitive"),
        .isExtractable: ("extractable", "kSecAttrIsExtractable"),
        .wasNeverExtractable: ("never extractable", "kSecAttrWasNeverExtractable"),
        .canEncrypt: ("can encrypt", "kSecAttrCanEncrypt"),
        .canDecrypt: ("can decrypt", "kSecAttrCanDecrypt"),
        .canDerive: ("can derive", "kSecAttrCanDerive"),
        .canSign: ("can sign", "kSecAttrCanSign"),
        .canVerify: ("can verify", "kSecAttrCanVerify"),
        .canSignRecover: ("can sign and recover", "kSecAttrCanSignRecover"),
        .canVerifyRecover: ("can verify and recover", "kSecAttrCanVerifyRecover"),
        .canWrap: ("can wrap", "kSecAttrCanWrap"),
        .canUnwrap: ("can unwrap", "kSecAttrCanUnwrap"),
    ]
}

extension ItemClass {
    /// The name of an item of the class in sentences, such as "generic password".
    public var title: String {
        switch self {
        case .genericPassword: "generic password"
        case .internetPassword: "internet password"
        case .certificate: "certificate"
        case .key: "key"
        case .identity: "identity"
        }
    }

    /// The plural of ``title``.
    public var pluralTitle: String { self == .identity ? "identities" : title + "s" }
}
