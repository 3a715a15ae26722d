// SPDX-License-Identifier: Apache-2.0

extension AttributeKey {
    /// The attribute of a class by any of its names: four characters, Apple's constant, or the title with or without
    /// spaces, in any case of letters. Nil for a name that is none of these.
    public init?(anyName text: String, in itemClass: ItemClass) {
        let wanted = text.filter { $0 != " " && $0 != "-" }.lowercased()
        let keys = ItemSchema.schema(for: itemClass)?.attributes.map(\.key) ?? []
        let match = keys.first { key in
            [key.name, key.constantName, key.title].contains { $0.filter { $0 != " " }.lowercased() == wanted }
        }
        guard let match else { return nil }
        self = match
    }

    /// What the attribute is called in sentences for people, such as "service"; the four characters of a rarer one.
    public var title: String {
        switch self {
        case .accessGroup: "access group"
        case .accessible: "accessibility"
        case .accessControl: "access control"
        case .synchronizable: "synchronizable"
        case .creationDate: "creation date"
        case .modificationDate: "modification date"
        case .label: "label"
        case .tokenID: "token"
        case .syncViewHint: "sync view hint"
        case .account: "account"
        case .service: "service"
        case .generic: "generic"
        case .itemDescription: "description"
        case .comment: "comment"
        case .creator: "creator"
        case .type: "type"
        case .isInvisible: "invisible"
        case .isNegative: "negative"
        case .alias: "alias"
        case .server: "server"
        case .securityDomain: "security domain"
        case .protocol: "protocol"
        case .authenticationType: "authentication type"
        case .port: "port"
        case .path: "path"
        default: name
        }
    }

    /// The constant of Apple's that names the attribute, such as `kSecAttrService`; the four characters of a rarer one.
    public var constantName: String {
        switch self {
        case .accessGroup: "kSecAttrAccessGroup"
        case .accessible: "kSecAttrAccessible"
        case .accessControl: "kSecAttrAccessControl"
        case .synchronizable: "kSecAttrSynchronizable"
        case .creationDate: "kSecAttrCreationDate"
        case .modificationDate: "kSecAttrModificationDate"
        case .label: "kSecAttrLabel"
        case .tokenID: "kSecAttrTokenID"
        case .syncViewHint: "kSecAttrSyncViewHint"
        case .account: "kSecAttrAccount"
        case .service: "kSecAttrService"
        case .generic: "kSecAttrGeneric"
        case .itemDescription: "kSecAttrDescription"
        case .comment: "kSecAttrComment"
        case .creator: "kSecAttrCreator"
        case .type: "kSecAttrType"
        case .isInvisible: "kSecAttrIsInvisible"
        case .isNegative: "kSecAttrIsNegative"
        case .alias: "kSecAttrAlias"
        case .server: "kSecAttrServer"
        case .securityDomain: "kSecAttrSecurityDomain"
        case .protocol: "kSecAttrProtocol"
        case .authenticationType: "kSecAttrAuthenticationType"
        case .port: "kSecAttrPort"
        case .path: "kSecAttrPath"
        default: name
        }
    }
}

extension ItemClass {
    /// What an item of the class is called in sentences for people, such as "generic password".
    public var title: String {
        switch self {
        case .genericPassword: "generic password"
        case .internetPassword: "internet password"
        case .certificate: "certificate"
        case .key: "key"
        case .identity: "identity"
        }
    }
}
