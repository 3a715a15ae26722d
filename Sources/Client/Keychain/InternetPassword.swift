// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The attributes of an internet password (`kSecClassInternetPassword`). They never include its secret.
///
/// Server, account, protocol, port, path, security domain, authentication type, access group and the synchronizable
/// setting are the primary key: no two items have the same nine values.
public struct InternetPassword: KeychainItem, DescribedPassword {
    /// `kSecAttrServer`: the host, such as `mail.example.com`.
    public var server: String
    /// `kSecAttrAccount`: the account of the password; may be empty.
    public var account: String
    /// `kSecAttrProtocol`
    public var `protocol`: InternetProtocol
    /// `kSecAttrPort`; 0: the default port of the protocol.
    public var port: UInt16
    /// `kSecAttrPath`: the path of the URL; empty: not specified.
    public var path: String
    /// `kSecAttrSecurityDomain`: the realm; empty: none.
    public var securityDomain: String
    /// `kSecAttrAuthenticationType`
    public var authenticationType: AuthenticationType
    /// `kSecAttrLabel`: the display name.
    public var label: String?
    /// `kSecAttrDescription`: the kind of item, for display.
    public var itemDescription: String?
    /// `kSecAttrComment`
    public var comment: String?
    /// Attributes of earlier systems; usually none is set.
    public var legacy = LegacyAttributes()
    /// `kSecAttrAccessGroup`; nil: the program's default group when the item is added, any of its groups in a search.
    public var accessGroup: String?
    /// `kSecAttrAccessible`
    public var accessibility: Accessibility
    /// `kSecAttrAccessControl`: the authentication that is required before the item is read or changed; nil: none.
    public var accessControl: AccessControl?
    /// `kSecAttrSynchronizable`
    public var isSynchronizable: Bool

    public init(
        server: String, account: String = "", protocol: InternetProtocol = .unspecified, port: UInt16 = 0,
        path: String = "", securityDomain: String = "", authenticationType: AuthenticationType = .unspecified,
        label: String? = nil, itemDescription: String? = nil, comment: String? = nil, accessGroup: String? = nil,
        accessibility: Accessibility = .whenUnlocked, accessControl: AccessControl? = nil,
        isSynchronizable: Bool = false
    ) {
        self.server = server
        self.account = account
        self.protocol = `protocol`
        self.port = port
        self.path = path
        self.securityDomain = securityDomain
        self.authenticationType = authenticationType
        self.label = label
        self.itemDescription = itemDescription
        self.comment = comment
        self.accessGroup = accessGroup
        self.accessibility = accessibility
        self.accessControl = accessControl
        self.isSynchronizable = isSynchronizable
    }

    public static var itemClass: ItemClass { .internetPassword }

    public var query: Query {
        Query(
            server: server, account: account, protocol: `protocol`, port: port, path: path,
            securityDomain: securityDomain, authenticationType: authenticationType, accessGroup: accessGroup,
            synchronizable: SynchronizableFilter(isSynchronizable))
    }

    public var encoded: EncodedAttributes {
        var encoded = EncodedAttributes(self)
        encoded.put(.server, server)
        encoded.put(.account, account)
        encoded.put(`protocol`)
        encoded.put(.port, port)
        encoded.put(.path, path)
        encoded.put(.securityDomain, securityDomain)
        encoded.put(.authenticationType, authenticationType.rawValue)
        encoded.put(accessibility, accessControl)
        encoded.put(.synchronizable, isSynchronizable)
        return encoded
    }

    public init(_ encoded: EncodedAttributes) {
        self.init(
            server: encoded.text(.server) ?? "", account: encoded.text(.account) ?? "",
            protocol: encoded.internetProtocol, port: encoded.number(.port) ?? 0,
            path: encoded.text(.path) ?? "", securityDomain: encoded.text(.securityDomain) ?? "",
            authenticationType: AuthenticationType(rawValue: encoded.text(.authenticationType) ?? ""),
            label: encoded.text(.label), itemDescription: encoded.text(.itemDescription),
            comment: encoded.text(.comment), accessGroup: encoded.text(.accessGroup),
            accessibility: encoded.accessibility, accessControl: encoded.accessControl,
            isSynchronizable: encoded.flag(.synchronizable) ?? false)
        legacy = LegacyAttributes(encoded)
    }
}
