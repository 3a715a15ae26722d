// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The attributes of a generic password item (`kSecClassGenericPassword`). Its secret is never part of this.
///
/// Service and account, with the access group and the synchronizable setting, make an item the same item.
public struct GenericPassword: Hashable, Sendable {
    /// `kSecAttrService`: what the password is for, such as `com.example.mail`.
    public var service: String
    /// `kSecAttrAccount`: whose password it is; may be empty.
    public var account: String
    /// `kSecAttrLabel`: what people see.
    public var label: String?
    /// `kSecAttrDescription`: the kind of item, for people.
    public var itemDescription: String?
    /// `kSecAttrComment`
    public var comment: String?
    /// `kSecAttrGeneric`: bytes of the program's own. Not secret.
    public var generic: [UInt8]?
    /// `kSecAttrCreator`: a four-character code as a number.
    public var creator: UInt32?
    /// `kSecAttrType`: a four-character code as a number.
    public var type: UInt32?
    /// `kSecAttrIsInvisible`
    public var isInvisible: Bool?
    /// `kSecAttrIsNegative`: there is deliberately no password; the user is to be asked each time.
    public var isNegative: Bool?
    /// `kSecAttrAccessGroup`; nil: the program's default group.
    public var accessGroup: String?
    /// `kSecAttrAccessible`
    public var accessibility: Accessibility
    /// `kSecAttrSynchronizable`
    public var isSynchronizable: Bool

    public init(
        service: String, account: String = "", label: String? = nil, comment: String? = nil,
        accessGroup: String? = nil, accessibility: Accessibility = .whenUnlocked, isSynchronizable: Bool = false
    ) {
        self.service = service
        self.account = account
        self.label = label
        self.comment = comment
        self.accessGroup = accessGroup
        self.accessibility = accessibility
        self.isSynchronizable = isSynchronizable
    }

    /// The query that finds exactly this item.
    public var query: Query {
        Query(
            service: service, account: account, accessGroup: accessGroup,
            synchronizable: isSynchronizable ? .synchronizableOnly : .localOnly)
    }

    /// What to look for. Nil means: whatever the value.
    public struct Query: Hashable, Sendable {
        public var service: String?
        public var account: String?
        public var label: String?
        public var generic: [UInt8]?
        /// Nil: all of the program's access groups.
        public var accessGroup: String?
        /// By default only items that do not synchronize, as in Apple's keychain.
        public var synchronizable: ItemQuery.SynchronizableFilter

        public init(
            service: String? = nil, account: String? = nil, label: String? = nil, generic: [UInt8]? = nil,
            accessGroup: String? = nil, synchronizable: ItemQuery.SynchronizableFilter = .localOnly
        ) {
            self.service = service
            self.account = account
            self.label = label
            self.generic = generic
            self.accessGroup = accessGroup
            self.synchronizable = synchronizable
        }
    }
}

/// A generic password as it is stored.
public struct StoredPassword: Hashable, Sendable {
    public let reference: ItemReference
    public let attributes: GenericPassword
    public let creationDate: Timestamp?
    public let modificationDate: Timestamp?
}

/// Names one stored item for as long as it exists, whatever of it changes (`kSecValuePersistentRef`).
public struct ItemReference: Hashable, Sendable {
    let reference: PersistentReference

    init(_ reference: PersistentReference) {
        self.reference = reference
    }

    /// The reference with these bytes, as ``bytes`` gave them; nil if they are none.
    public init?(bytes: [UInt8]) {
        guard let reference = PersistentReference(bytes: bytes) else { return nil }
        self.reference = reference
    }

    /// 20 bytes to keep; they hold nothing secret.
    public var bytes: [UInt8] { reference.bytes }
}
