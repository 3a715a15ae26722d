// SPDX-License-Identifier: Apache-2.0

/// An operation that an entry of an access object authorizes: Apple's `kSecACLAuthorization…`. The raw value is the
/// number of the bit in its encoding; it never changes.
public enum AccessAuthorization: UInt8, CaseIterable, Hashable, Sendable {
    /// All other authorizations.
    case any = 0
    case login = 1
    case genKey = 2
    case delete = 3
    case exportWrapped = 4
    case exportClear = 5
    case importWrapped = 6
    case importClear = 7
    case sign = 8
    case encrypt = 9
    case decrypt = 10
    case mac = 11
    case derive = 12
    case keychainCreate = 13
    case keychainDelete = 14
    case keychainItemRead = 15
    case keychainItemInsert = 16
    case keychainItemModify = 17
    case keychainItemDelete = 18
    /// Changing the access object itself.
    case changeACL = 19
    case changeOwner = 20
    /// Changing the kinds of programs that may use the item (``AccessObject/partitions``).
    case partitionID = 21
    /// Apple's entry with the digest of an item's attributes. Unused here, because the attributes are sealed.
    case integrity = 22

    /// The end of Apple's constant: "Decrypt" of `kSecACLAuthorizationDecrypt`.
    public var name: String {
        switch self {
        case .any: "Any"
        case .login: "Login"
        case .genKey: "GenKey"
        case .delete: "Delete"
        case .exportWrapped: "ExportWrapped"
        case .exportClear: "ExportClear"
        case .importWrapped: "ImportWrapped"
        case .importClear: "ImportClear"
        case .sign: "Sign"
        case .encrypt: "Encrypt"
        case .decrypt: "Decrypt"
        case .mac: "MAC"
        case .derive: "Derive"
        case .keychainCreate: "KeychainCreate"
        case .keychainDelete: "KeychainDelete"
        case .keychainItemRead: "KeychainItemRead"
        case .keychainItemInsert: "KeychainItemInsert"
        case .keychainItemModify: "KeychainItemModify"
        case .keychainItemDelete: "KeychainItemDelete"
        case .changeACL: "ChangeACL"
        case .changeOwner: "ChangeOwner"
        case .partitionID: "PartitionID"
        case .integrity: "Integrity"
        }
    }

    /// The word for it in listings of `security dump-keychain -a`.
    public var word: String {
        switch self {
        case .any: "any"
        case .login: "login"
        case .genKey: "genkey"
        case .delete: "delete"
        case .exportWrapped: "export_wrapped"
        case .exportClear: "export_clear"
        case .importWrapped: "import_wrapped"
        case .importClear: "import_clear"
        case .sign: "sign"
        case .encrypt: "encrypt"
        case .decrypt: "decrypt"
        case .mac: "mac"
        case .derive: "derive"
        case .keychainCreate: "dbs_create"
        case .keychainDelete: "dbs_delete"
        case .keychainItemRead: "db_read"
        case .keychainItemInsert: "db_insert"
        case .keychainItemModify: "db_modify"
        case .keychainItemDelete: "db_delete"
        case .changeACL: "change_acl"
        case .changeOwner: "change_owner"
        case .partitionID: "partition_id"
        case .integrity: "integrity"
        }
    }

    /// The authorizations that reveal or use an item's secret: those of the third entry that SecAccessCreate makes.
    public static let restricted: Set<AccessAuthorization> = [
        .decrypt, .sign, .mac, .derive, .exportClear, .exportWrapped,
    ]
}
