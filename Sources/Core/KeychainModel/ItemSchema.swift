// SPDX-License-Identifier: Apache-2.0

/// The attributes of an item class: their types and the functions that accept them.
///
/// Source: semantics 1.3 to 1.8 and 1.10. This version does not store a class without a schema.
public struct ItemSchema: Sendable {
    public let itemClass: ItemClass
    /// Ascending by key.
    public let attributes: [AttributeDefinition]
    /// The defaults of an item that is added without these attributes.
    public let defaults: [ItemAttributes.Entry]
    private let codes: [UInt32]

    /// Returns the schema of a class; nil for a class that is not stored.
    public static func schema(for itemClass: ItemClass) -> ItemSchema? {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .certificate: certificate
        case .key: key
        // An identity is a certificate and a key; it has no items of its own.
        case .identity: nil
        }
    }

    /// Returns the schema for attributes in a dictionary of this use; nil if the class is not allowed there.
    ///
    /// Identities are not stored, but searched and changed: a search may name all attributes of either part, a change
    /// only those of both parts.
    static func schema(for itemClass: ItemClass, in use: AttributeUse) -> ItemSchema? {
        switch (itemClass, use) {
        case (.identity, .query): searchedIdentity
        case (.identity, .update): changedIdentity
        default: schema(for: itemClass)
        }
    }

    /// The definition of an attribute; nil if items of this class have no such attribute (`errSecNoSuchAttr`).
    public subscript(key: AttributeKey) -> AttributeDefinition? {
        // Binary search, because every attribute of every item that is read is looked up.
        var range = codes.indices
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            if codes[middle] == key.code { return attributes[middle] }
            range = codes[middle] < key.code ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    init(_ itemClass: ItemClass, _ attributes: [AttributeDefinition]) {
        self.itemClass = itemClass
        self.attributes = attributes.sorted { $0.key < $1.key }
        codes = self.attributes.map(\.key.code)
        defaults = self.attributes.compactMap { definition in
            definition.defaultValue.map { ItemAttributes.Entry(definition.key, $0) }
        }
    }

    static let genericPassword = ItemSchema(
        .genericPassword,
        common + passwordCommon + [
            AttributeDefinition(.service, .blob, isUnique: true, default: .string("")),
            AttributeDefinition(.generic, .blob),
            AttributeDefinition(.lookup, .lookupAttributes),
        ])

    static let internetPassword = ItemSchema(
        .internetPassword,
        common + passwordCommon + [
            AttributeDefinition(.securityDomain, .blob, isUnique: true, default: .string("")),
            AttributeDefinition(.server, .blob, isUnique: true, default: .string("")),
            AttributeDefinition(.protocol, .number, isUnique: true, default: .number(0)),
            AttributeDefinition(.authenticationType, .blob, isUnique: true, default: .string("")),
            AttributeDefinition(.port, .number, isUnique: true, default: .number(0)),
            AttributeDefinition(.path, .blob, isUnique: true, default: .string("")),
        ])

    static let certificate = ItemSchema(
        .certificate,
        common + [
            AttributeDefinition(.certificateType, .number, isUnique: true, default: .number(0)),
            AttributeDefinition(.issuer, .bytes, isUnique: true, default: .data([])),
            AttributeDefinition(.serialNumber, .bytes, isUnique: true, default: .data([])),
            AttributeDefinition(.certificateEncoding, .number),
            AttributeDefinition(.subject, .bytes),
            AttributeDefinition(.subjectKeyID, .bytes),
            AttributeDefinition(.publicKeyHash, .bytes),
            AttributeDefinition(.alias, .blob),
        ])

    static let key = ItemSchema(
        .key,
        // A key is made in a token; other items have no token.
        common.filter { $0.key != .tokenID } + [
            AttributeDefinition(.tokenID, .text, isUnique: true, uses: [.add, .query]),
            AttributeDefinition(.keyClass, .number, isUnique: true, default: .number(0)),
            AttributeDefinition(.applicationLabel, .bytes, isUnique: true, default: .data([])),
            AttributeDefinition(.applicationTag, .blob, isUnique: true, default: .string("")),
            AttributeDefinition(.type, .number, isUnique: true, default: .number(0)),
            AttributeDefinition(.keySizeInBits, .number, isUnique: true, default: .number(0)),
            AttributeDefinition(.effectiveKeySize, .number, isUnique: true, default: .number(0)),
            AttributeDefinition(.creator, .number, isUnique: true, default: .number(0)),
            AttributeDefinition(
                .startDate, .date, isUnique: true, default: .date(Timestamp(secondsSinceReferenceDate: 0))),
            AttributeDefinition(
                .endDate, .date, isUnique: true, default: .date(Timestamp(secondsSinceReferenceDate: 0))),
        ]
            + [
                .isPermanent, .isPrivate, .isModifiable, .isSensitive, .wasAlwaysSensitive, .isExtractable,
                .wasNeverExtractable, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover,
                .canVerifyRecover, .canWrap, .canUnwrap,
            ].map { AttributeDefinition($0, .number) })

    private static let searchedIdentity = ItemSchema(
        .identity, certificate.attributes + key.attributes.filter { certificate[$0.key] == nil })

    private static let changedIdentity = ItemSchema(.identity, common)

    private static let common: [AttributeDefinition] = [
        AttributeDefinition(.accessGroup, .text, isUnique: true),
        AttributeDefinition(.accessible, .accessibility),
        AttributeDefinition(.accessControl, .accessControl),
        // Used by items in file keychains.
        AttributeDefinition(.access, .bytes, uses: [.add, .update]),
        AttributeDefinition(.synchronizable, .flag, isUnique: true, default: .number(0)),
        AttributeDefinition(.creationDate, .date),
        AttributeDefinition(.modificationDate, .date),
        AttributeDefinition(.label, .blob),
        AttributeDefinition(.syncViewHint, .text, isUnique: true),
        AttributeDefinition(.tokenID, .text, isUnique: true, uses: [.query]),
        // Known to the keychain, but not accepted from callers.
        AttributeDefinition(.appClip, .flag, uses: []),
        AttributeDefinition(.tombstone, .flag, uses: []),
        AttributeDefinition(.multiUser, .bytes, isUnique: true, uses: []),
        AttributeDefinition(.sharingGroup, .text, isUnique: true, uses: []),
    ]

    private static let passwordCommon: [AttributeDefinition] = [
        AttributeDefinition(.account, .blob, isUnique: true, default: .string("")),
        AttributeDefinition(.itemDescription, .blob),
        AttributeDefinition(.comment, .blob),
        AttributeDefinition(.creator, .number),
        AttributeDefinition(.type, .number),
        AttributeDefinition(.isInvisible, .number),
        AttributeDefinition(.isNegative, .number),
        AttributeDefinition(.scriptCode, .number),
        AttributeDefinition(.alias, .blob),
        AttributeDefinition(.hasCustomIcon, .number),
        AttributeDefinition(.isProtected, .blob),
    ]
}

/// One attribute of an item class.
public struct AttributeDefinition: Sendable {
    public let key: AttributeKey
    public let kind: AttributeKind
    /// Whether the attribute is part of the uniqueness of an item (`errSecDuplicateItem`).
    public let isUnique: Bool
    /// The functions in which a caller may name it; in others it is `errSecParam`.
    public let uses: AttributeUse
    /// The value of an item that is added without the attribute; nil: such an item does not have it.
    public let defaultValue: AttributeValue?

    init(
        _ key: AttributeKey, _ kind: AttributeKind, isUnique: Bool = false,
        default defaultValue: AttributeValue? = nil, uses: AttributeUse = [.add, .update, .query]
    ) {
        self.key = key
        self.kind = kind
        self.isUnique = isUnique
        self.uses = uses
        self.defaultValue = defaultValue
    }
}

/// The functions whose dictionaries may contain an attribute.
public struct AttributeUse: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `SecItemAdd`
    public static let add = AttributeUse(rawValue: 1)
    /// The second dictionary of `SecItemUpdate`
    public static let update = AttributeUse(rawValue: 2)
    /// A query
    public static let query = AttributeUse(rawValue: 4)
}

/// The values that an attribute accepts, and the type that it stores (semantics 1.3).
public enum AttributeKind: Sendable {
    /// Text, data or a number, kept in the type given.
    case blob
    /// Text; data is read as UTF-8.
    case text
    /// Data; text is stored as its UTF-8 bytes.
    case bytes
    /// An integer; text that is a canonical decimal becomes an integer, other text stays text.
    case number
    /// A date only.
    case date
    /// An integer or text; 1 is true, everything else false.
    case flag
    /// The short name of a data-protection class.
    case accessibility
    /// An access control object.
    case accessControl
    /// Encoded ``LookupAttributes``.
    case lookupAttributes

    /// Returns the stored form of a value; nil if the kind does not accept it (`errSecParam`).
    func convert(_ value: AttributeValue) -> AttributeValue? {
        switch (self, value) {
        case (.blob, .string), (.blob, .data), (.blob, .number): value
        case (.text, .string): value
        case (.text, .data(let bytes)): String(validating: bytes, as: UTF8.self).map(AttributeValue.string)
        case (.bytes, .data): value
        case (.bytes, .string(let text)): .data(Array(text.utf8))
        case (.number, .number): value
        case (.number, .string(let text)):
            if let number = Int64(text), String(number) == text { .number(number) } else { value }
        case (.date, .date(let date)): date.secondsSinceReferenceDate.isFinite ? value : nil
        case (.flag, .number(let number)): .number(number == 1 ? 1 : 0)
        case (.flag, .string(let text)): .number(text == "1" ? 1 : 0)
        case (.accessibility, .string(let code)): Accessibility(code: code) == nil ? nil : value
        case (.accessControl, .accessControl): value
        case (.lookupAttributes, .data(let bytes)): LookupAttributes(encoded: bytes) == nil ? nil : value
        default: nil
        }
    }
}
