// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The attributes of a generic password (`kSecClassGenericPassword`). They never include its secret.
///
/// Service, account, access group and the synchronizable setting are the primary key: no two items have the same four
/// values.
public struct GenericPassword: KeychainItem, DescribedPassword {
    /// `kSecAttrService`: the purpose of the password, such as `com.example.mail`.
    public var service: String
    /// `kSecAttrAccount`: the account of the password; may be empty.
    public var account: String
    /// `kSecAttrLabel`: the display name.
    public var label: String?
    /// `kSecAttrDescription`: the kind of item, for display.
    public var itemDescription: String?
    /// `kSecAttrComment`
    public var comment: String?
    /// `kSecAttrGeneric`: bytes that the program defines. Not secret.
    public var generic: [UInt8]?
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
        service: String, account: String = "", label: String? = nil, itemDescription: String? = nil,
        comment: String? = nil, generic: [UInt8]? = nil, accessGroup: String? = nil,
        accessibility: Accessibility = .whenUnlocked, accessControl: AccessControl? = nil,
        isSynchronizable: Bool = false
    ) {
        self.service = service
        self.account = account
        self.label = label
        self.itemDescription = itemDescription
        self.comment = comment
        self.generic = generic
        self.accessGroup = accessGroup
        self.accessibility = accessibility
        self.accessControl = accessControl
        self.isSynchronizable = isSynchronizable
    }

    public static var itemClass: ItemClass { .genericPassword }

    public var query: Query {
        Query(
            service: service, account: account, accessGroup: accessGroup,
            synchronizable: SynchronizableFilter(isSynchronizable))
    }

    public var encoded: EncodedAttributes {
        var encoded = EncodedAttributes(self)
        encoded.put(.service, service)
        encoded.put(.account, account)
        encoded.put(.generic, generic)
        encoded.put(accessibility, accessControl)
        encoded.put(.synchronizable, isSynchronizable)
        return encoded
    }

    public init(_ encoded: EncodedAttributes) {
        self.init(
            service: encoded.text(.service) ?? "", account: encoded.text(.account) ?? "",
            label: encoded.text(.label), itemDescription: encoded.text(.itemDescription),
            comment: encoded.text(.comment), generic: encoded.bytes(.generic),
            accessGroup: encoded.text(.accessGroup), accessibility: encoded.accessibility,
            accessControl: encoded.accessControl,
            isSynchronizable: encoded.flag(.synchronizable) ?? false)
        legacy = LegacyAttributes(encoded)
    }
}
