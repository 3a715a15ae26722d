// SPDX-License-Identifier: Apache-2.0

/// Attributes of one item class, checked against its schema and in their stored types.
///
/// Made only by the checked initialiser, so later code does not check again whether an attribute exists in the class or
/// has the right type.
public struct ItemAttributes: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public let key: AttributeKey
        public let value: AttributeValue

        public init(_ key: AttributeKey, _ value: AttributeValue) {
            self.key = key
            self.value = value
        }
    }

    public let itemClass: ItemClass
    /// Strictly ascending by key.
    public private(set) var entries: [Entry]

    /// Checks and converts the attributes that a caller gave.
    ///
    /// - Throws: `.unsupportedClass`, `.noSuchAttribute`, `.notAllowed` (the attribute is not allowed in this use),
    ///   `.wrongType`, `.repeated`, `.tooLarge` (all attributes together over ``ItemLimits/attributeBytes``).
    public init(
        _ itemClass: ItemClass, for use: AttributeUse, _ given: some Sequence<Entry>
    ) throws(AttributeError) {
        guard let schema = ItemSchema.schema(for: itemClass, in: use) else { throw .unsupportedClass(itemClass) }
        self.itemClass = itemClass
        entries = []
        entries.reserveCapacity(given.underestimatedCount)
        let limit = use.isEmpty ? ItemLimits.storedAttributeBytes : ItemLimits.attributeBytes
        var size = 0
        for entry in given {
            let key = entry.key
            guard let definition = schema[key] else { throw .noSuchAttribute(key, itemClass) }
            guard definition.uses.isSuperset(of: use) else { throw .notAllowed(key) }
            guard let value = definition.kind.convert(entry.value) else { throw .wrongType(key) }
            size += ItemLimits.size(of: value)
            guard size <= limit else { throw .tooLarge(key) }
            // The keychain writes attributes in order.
            if let last = entries.last, last.key >= key {
                let place = entries.firstIndex { $0.key >= key } ?? entries.endIndex
                guard entries[place].key != key else { throw .repeated(key) }
                entries.insert(Entry(key, value), at: place)
            } else {
                entries.append(Entry(key, value))
            }
        }
    }

    /// Reads the attributes of a stored item, as the keychain itself wrote them.
    ///
    /// - Throws: the errors of the checked initialiser, except that every attribute of the class is allowed, and all of
    ///   them together may have ``ItemLimits/storedAttributeBytes``.
    public init(stored itemClass: ItemClass, _ entries: some Sequence<Entry>) throws(AttributeError) {
        try self.init(itemClass, for: [], entries)
    }

    public init(empty itemClass: ItemClass) {
        self.itemClass = itemClass
        entries = []
    }

    /// The value of an attribute. Only the keychain's own code sets it: the value is stored without a check.
    public subscript(key: AttributeKey) -> AttributeValue? {
        get { entries.first { $0.key == key }?.value }
        set {
            let place = entries.firstIndex { $0.key >= key } ?? entries.endIndex
            let exists = place < entries.endIndex && entries[place].key == key
            if exists { entries.remove(at: place) }
            if let newValue { entries.insert(Entry(key, newValue), at: place) }
        }
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// The size that counts against ``ItemLimits``.
    public var byteCount: Int { entries.reduce(0) { $0 + ItemLimits.size(of: $1.value) } }

    /// Returns these attributes with those of `changes` replacing them.
    public func merging(_ changes: ItemAttributes) -> ItemAttributes {
        var merged = self
        for entry in changes.entries { merged[entry.key] = entry.value }
        return merged
    }

    /// The data-protection class; the default of the class if the attribute is missing.
    public var accessibility: Accessibility {
        self[.accessible]?.string.flatMap(Accessibility.init(code:)) ?? itemClass.defaultAccessibility
    }

    public var accessGroup: String? { self[.accessGroup]?.string }

    public var isSynchronizable: Bool { self[.synchronizable]?.number == 1 }
}

/// The reason why attributes were refused. Names attributes, never values.
public enum AttributeError: Error, Hashable, Sendable {
    case unsupportedClass(ItemClass)
    case noSuchAttribute(AttributeKey, ItemClass)
    case notAllowed(AttributeKey)
    case wrongType(AttributeKey)
    case repeated(AttributeKey)
    case tooLarge(AttributeKey)

    /// The status that a caller of the keychain gets.
    public var status: StatusCode {
        switch self {
        case .unsupportedClass: .unimplemented
        case .noSuchAttribute: .noSuchAttribute
        case .notAllowed, .wrongType, .repeated: .parameter
        case .tooLarge: .dataTooLarge
        }
    }
}

extension AttributeError: CustomStringConvertible {
    /// The attribute by Apple's constant, and the fault. Never a value.
    public var description: String {
        func name(_ key: AttributeKey) -> String {
            key.constantName == key.name ? "the key \"\(key.name)\"" : key.constantName
        }
        return switch self {
        case .unsupportedClass(let itemClass): "this version does not store items of the class \(itemClass.title)"
        case .noSuchAttribute(let key, let itemClass): "an item of the class \(itemClass.title) has no \(name(key))"
        case .notAllowed(let key): "\(name(key)) is not allowed in this dictionary"
        case .wrongType(let key): "the value of \(name(key)) has a wrong type or is not valid"
        case .repeated(let key): "\(name(key)) occurs twice"
        case .tooLarge: "the attributes together are larger than \(ItemLimits.attributeBytes) bytes"
        }
    }
}

/// The limits of the keychain. Beyond them: `errSecDataTooLarge`.
public enum ItemLimits {
    /// The secret (`kSecValueData`) of one item: 16 MiB.
    public static let secretBytes = 16 << 20
    /// All attribute values of one item or query together: 1 MiB.
    public static let attributeBytes = 1 << 20
    /// All attribute values of a stored item: the caller's limit, and room for the attributes that the keychain adds
    /// (dates, the access group, defaults). An update that would make an item larger is refused, because the item could
    /// not be read again.
    public static let storedAttributeBytes = attributeBytes + 65_536
    /// Entries in one dictionary (semantics 1.2).
    public static let entries = 128

    static func size(of value: AttributeValue) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .number, .date, .accessControl: 8
        }
    }
}
