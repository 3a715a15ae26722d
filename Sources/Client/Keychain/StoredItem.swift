// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import KeychainModel

/// An item as it is stored. The attributes can be read as properties of its own: `found.account`.
@dynamicMemberLookup
public struct StoredItem<Item: KeychainItem>: SingleItemSelector {
    public let reference: ItemReference<Item>
    public let attributes: Item
    /// `kSecAttrCreationDate`
    public let creationDate: Date?
    /// `kSecAttrModificationDate`: later with each update.
    public let modificationDate: Date?

    public subscript<Value>(dynamicMember attribute: KeyPath<Item, Value>) -> Value { attributes[keyPath: attribute] }

    public var selection: ItemSelection<Item> { reference.selection }

    init(_ reference: PersistentReference, _ stored: ItemAttributes?) {
        let encoded = stored.map(EncodedAttributes.init) ?? EncodedAttributes()
        self.reference = ItemReference(reference)
        attributes = Item(encoded)
        creationDate = encoded.date(.creationDate)
        modificationDate = encoded.date(.modificationDate)
    }
}

/// An item together with its secret.
@dynamicMemberLookup
public struct RevealedItem<Item: KeychainItem>: Sendable {
    public let item: StoredItem<Item>
    /// Nil if the item was stored without one.
    public let secret: SecretData?

    public subscript<Value>(dynamicMember property: KeyPath<StoredItem<Item>, Value>) -> Value {
        item[keyPath: property]
    }

    public subscript<Value>(dynamicMember attribute: KeyPath<Item, Value>) -> Value {
        item.attributes[keyPath: attribute]
    }
}

/// Names one stored item for as long as it exists, whatever of it changes (`kSecValuePersistentRef`).
public struct ItemReference<Item: KeychainItem>: SingleItemSelector {
    private let reference: PersistentReference

    init(_ reference: PersistentReference) {
        self.reference = reference
    }

    /// The reference with these bytes, as ``bytes`` gave them, now or in another run of the program.
    ///
    /// Nil if they are no persistent reference, or one to an item of another class.
    public init?(bytes: some Collection<UInt8>) {
        guard let reference = PersistentReference(bytes: Array(bytes)), reference.itemClass == Item.itemClass
        else { return nil }
        self.reference = reference
    }

    /// 20 bytes to keep; they hold nothing secret.
    public var bytes: [UInt8] { reference.bytes }

    public var selection: ItemSelection<Item> { ItemSelection(reference) }
}
