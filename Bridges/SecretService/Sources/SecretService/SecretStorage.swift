// SPDX-License-Identifier: Apache-2.0

/// A collection: the name of a keychain in the storage.
public struct CollectionID: Hashable, Sendable {
    public let name: String

    public init(_ name: String) { self.name = name }

    /// The keychain of the user, which always exists.
    public static let login = CollectionID("login")
    /// Items in memory, which end with the provider.
    public static let session = CollectionID("session")
}

/// An item: its collection, and the name that the storage gave it.
public struct ItemID: Hashable, Sendable {
    public let collection: CollectionID
    public let name: String

    public init(_ collection: CollectionID, _ name: String) {
        self.collection = collection
        self.name = name
    }
}

/// The program of a client.
public struct ClientProgram: Hashable, Sendable {
    public let name: String
    /// Whether it is an application in a sandbox, which finds its own items alone.
    public let isSandboxed: Bool

    public init(_ name: String, isSandboxed: Bool = false) {
        self.name = name
        self.isSandboxed = isSandboxed
    }
}

/// What every client may see of a collection.
public struct StoredCollection: Hashable, Sendable {
    public let id: CollectionID
    public var label: String
    public var isLocked: Bool
    /// Seconds since 1970.
    public var created: Double
    public var modified: Double

    public init(_ id: CollectionID, label: String, isLocked: Bool, created: Double, modified: Double) {
        self.id = id
        self.label = label
        self.isLocked = isLocked
        self.created = created
        self.modified = modified
    }
}

/// What a client may see of an item without its secret.
public struct StoredItem: Hashable, Sendable {
    public let id: ItemID
    public var label: String
    public var attributes: [String: String]
    /// Whether this client needs an approval, or an unlocked keychain, to read the secret.
    public var isLocked: Bool
    /// Seconds since 1970.
    public var created: Double
    public var modified: Double

    public init(
        _ id: ItemID, label: String, attributes: [String: String], isLocked: Bool, created: Double, modified: Double
    ) {
        self.id = id
        self.label = label
        self.attributes = attributes
        self.isLocked = isLocked
        self.created = created
        self.modified = modified
    }
}

/// A result of a search.
public struct FoundItem: Hashable, Sendable {
    public let id: ItemID
    public let isLocked: Bool
    /// Seconds since 1970.
    public let modified: Double

    public init(_ id: ItemID, isLocked: Bool, modified: Double) {
        self.id = id
        self.isLocked = isLocked
        self.modified = modified
    }

    /// Sorts by the date of the last change, the newest first, because clients take the first result. The name decides
    /// between equal dates, so that repeated searches have the same order.
    public static func newestFirst(_ items: [FoundItem]) -> [FoundItem] {
        items.sorted { ($0.modified, $0.id.name) > ($1.modified, $1.id.name) }
    }
}

/// A secret: bytes, and a content type that the client chose.
public struct Secret: Hashable, Sendable {
    public var value: [UInt8]
    public var contentType: String

    public init(_ value: [UInt8], contentType: String) {
        self.value = value
        self.contentType = contentType
    }
}

/// A new item.
public struct NewItem: Hashable, Sendable {
    public var label: String
    public var attributes: [String: String]
    public var secret: Secret

    public init(label: String, attributes: [String: String], secret: Secret) {
        self.label = label
        self.attributes = attributes
        self.secret = secret
    }

    /// The bytes of all its texts and its value.
    public var byteCount: Int {
        attributes.reduce(label.utf8.count + secret.value.count + secret.contentType.utf8.count) {
            $0 + $1.key.utf8.count + $1.value.utf8.count
        }
    }
}

/// A change of an item.
public enum ItemChange: Hashable, Sendable {
    case label(String)
    case attributes([String: String])
    case secret(Secret)
}

/// An object that a client locks and unlocks.
public enum LockTarget: Hashable, Sendable {
    case collection(CollectionID)
    case item(ItemID)
}

/// Whether an operation may prompt the user.
public enum Interaction: Sendable {
    /// The operation fails with ``StorageError/locked`` instead.
    case none
    case allowed(Cancellation)

    public var isAllowed: Bool { if case .allowed = self { true } else { false } }
}

/// The reason for a failed operation of the storage. The texts contain no secret and no attribute.
public enum StorageError: Error, Hashable, Sendable {
    case noSuchObject
    /// The operation needs an approval or an unlocked keychain, and may not prompt.
    case locked
    /// The user denied the operation, or no prompt is possible.
    case dismissed
    /// The client may not do this, and a prompt does not help.
    case denied(String)
    case unsupported(String)
    case invalid(String)
    case limitExceeded(String)
    /// The keychain service cannot be reached, or does not accept this client.
    case unavailable(String)
}

/// The keychain as one client sees it. Each function blocks, and is called for one client at a time, except for operations
/// that prompt, which run beside the others on threads of their own.
public protocol SecretStorage: Sendable {
    /// Returns the program of the client, as the keychain service identifies it. Items in memory belong to it.
    func program() throws(StorageError) -> ClientProgram

    func collections() throws(StorageError) -> [StoredCollection]
    /// Returns a collection; nil if there is none of this name.
    func collection(_ id: CollectionID) throws(StorageError) -> StoredCollection?
    /// - Parameter password: protects the collection; nil to let the storage choose, which may prompt.
    func createCollection(
        label: String, password: [UInt8]?, _ interaction: Interaction
    ) throws(StorageError) -> CollectionID
    func deleteCollection(_ id: CollectionID, _ interaction: Interaction) throws(StorageError)
    func setLabel(of collection: CollectionID, _ label: String) throws(StorageError)
    func lock(_ collection: CollectionID) throws(StorageError)
    /// Unlocks a collection with its password, without a prompt.
    func unlock(_ collection: CollectionID, password: [UInt8]) throws(StorageError)
    func changePassword(
        of collection: CollectionID, from old: [UInt8], to new: [UInt8]
    ) throws(StorageError)

    /// Unlocks collections, and items for this client.
    ///
    /// - Returns: those that are unlocked now.
    /// - Throws: `.locked` if at least one needs a prompt that is not allowed. If none is unlocked, also `.dismissed`
    ///   if the user denied one, and `.unsupported` if one cannot be unlocked.
    func unlock(_ targets: [LockTarget], _ interaction: Interaction) throws(StorageError) -> [LockTarget]

    /// Lists the items of a collection.
    ///
    /// - Parameter limit: the largest number of items to return; nil for all.
    func items(in collection: CollectionID, limit: Int?) throws(StorageError) -> [ItemID]
    /// Finds the items that have all of the given attributes.
    ///
    /// - Parameters:
    ///   - attributes: at least one.
    ///   - collection: nil for all.
    func search(
        _ attributes: [String: String], in collection: CollectionID?
    ) throws(StorageError) -> [FoundItem]
    /// Returns an item; nil if it does not exist.
    func item(_ id: ItemID) throws(StorageError) -> StoredItem?
    /// Returns the secret, without a prompt.
    func secret(of id: ItemID) throws(StorageError) -> Secret
    /// Stores an item.
    ///
    /// - Parameter replaces: whether an item with exactly these attributes is replaced.
    /// - Returns: the item, and whether it is new.
    func create(
        _ item: NewItem, in collection: CollectionID, replaces: Bool, _ interaction: Interaction
    ) throws(StorageError) -> (id: ItemID, isNew: Bool)
    func change(_ id: ItemID, _ change: ItemChange) throws(StorageError)
    func delete(_ id: ItemID, _ interaction: Interaction) throws(StorageError)

    /// Delivers the changes that are made from now on through any interface, beside the other functions.
    ///
    /// - Parameter cancellation: ends the function.
    /// - Throws: `.denied` for an application in a sandbox; `.dismissed` after a cancellation; `.unavailable` when the
    ///   storage or the client's process has ended.
    func watch(until cancellation: Cancellation, _ deliver: (StorageEvent) -> Void) throws(StorageError)

    /// Ends the use by this client.
    func close()
}
