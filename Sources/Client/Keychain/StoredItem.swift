// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import KeychainModel

/// A stored item. Its attributes are available as its own properties: `found.account`.
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

/// An item and its secret.
@dynamicMemberLookup
public struct RevealedItem<Item: KeychainItem>: Sendable {
    public let item: StoredItem<Item>
    /// Nil if the item was stored without a secret.
    public let secret: SecretData?

    public subscript<Value>(dynamicMember property: KeyPath<StoredItem<Item>, Value>) -> Value {
        item[keyPath: property]
    }

    public subscript<Value>(dynamicMember attribute: KeyPath<Item, Value>) -> Value {
        item.attributes[keyPath: attribute]
    }
}

/// A name of one stored item, which is valid as long as the item exists, even if its attributes change
/// (`kSecValuePersistentRef`).
public struct ItemReference<Item: KeychainItem>: SingleItemSelector {
    private let reference: PersistentReference

    init(_ reference: PersistentReference) {
        self.reference = reference
    }

    /// Creates the reference from the bytes that ``bytes`` returned, in this or in another run of the program.
    ///
    /// Nil if the bytes are no persistent reference, or refer to an item of another class.
    public init?(bytes: some Collection<UInt8>) {
        guard let reference = PersistentReference(bytes: Array(bytes)), reference.itemClass == Item.itemClass
        else { return nil }
        self.reference = reference
    }

    /// The 20 bytes of the reference, which may be stored; they contain no secret.
    public var bytes: [UInt8] { reference.bytes }

    public var selection: ItemSelection<Item> { ItemSelection(reference) }
}
