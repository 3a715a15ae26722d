// SPDX-License-Identifier: Apache-2.0

/// Which attributes the items of a class have, of what type, and what may be done with each.
///
/// Source: semantics 1.3 to 1.8 and 1.10. A class without a schema is one that this version does not store.
public struct ItemSchema: Sendable {
    public let itemClass: ItemClass
    /// Ascending by key.
    public let attributes: [AttributeDefinition]
    /// What an item has that is added without these attributes.
    public let defaults: [ItemAttributes.Entry]
    private let codes: [UInt32]

    /// The schema of a class; nil for a class that is not stored.
    public static func schema(for itemClass: ItemClass) -> ItemSchema? {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .certificate: certificate
        case .key: key
        // What a certificate and a key are together; it has no items of its own.
        case .identity: nil
        }
    }

    /// The schema by which attributes in a dictionary of this use are read; nil where the class has no place.
    ///
    /// Identities are not stored, but searched and changed: a search may name all that their two halves have, a change what
    /// both of them have.
    static func schema(for itemClass: ItemClass, in use: AttributeUse) -> ItemSchema? {
        switch (itemClass, use) {
        case (.identity, .query): searchedIdentity
        case (.identity, .update): changedIdentity
        default: schema(for: itemClass)
        }
    }

    /// The definition of an attribute; nil if items of this class have no such attribute (`errSecNoSuchAttr`).
    public subscript(key: AttributeKey) -> AttributeDefinition? {
        // By halves: every attribute of every item that is read is looked up.
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
        // A key is made in a token, which is not said of other items.
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
        // Of items in keychain files.
        AttributeDefinition(.access, .bytes, uses: [.add, .update]),
        AttributeDefinition(.synchronizable, .flag, isUnique: true, default: .number(0)),
        AttributeDefinition(.creationDate, .date),
        AttributeDefinition(.modificationDate, .date),
        AttributeDefinition(.label, .blob),
        AttributeDefinition(.syncViewHint, .text, isUnique: true),
        AttributeDefinition(.tokenID, .text, isUnique: true, uses: [.query]),
        // Known to the keychain, but not for callers.
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
    /// Part of what makes two items the same item (`errSecDuplicateItem`).
    public let isUnique: Bool
    /// Where a caller may name it; elsewhere it is `errSecParam`.
    public let uses: AttributeUse
    /// What an item has that is added without it; nil: such an item does not have the attribute.
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

/// The functions in whose dictionaries an attribute may stand.
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

/// What an attribute accepts and what it stores (semantics 1.3).
public enum AttributeKind: Sendable {
    /// Text, data or a number, kept in the type given.
    case blob
    /// Text; data is read as UTF-8.
    case text
    /// Data; text is stored as its UTF-8 bytes.
    case bytes
    /// An integer; text that is a canonical decimal becomes one, other text stays text.
    case number
    /// A date only.
    case date
    /// An integer or text; 1 is true, everything else false.
    case flag
    /// The short name of a data-protection class.
    case accessibility
    /// An access control object.
    case accessControl

    /// The stored form of a value; nil if the kind cannot take it (`errSecParam`).
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
        default: nil
        }
    }
}
