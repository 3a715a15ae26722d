// SPDX-License-Identifier: Apache-2.0

import KeychainModel

/// The table of an item class: its name and its columns with digests of attributes. It is an object, because every
/// request passes one around.
final class ItemTable: Sendable {
    let itemClass: ItemClass
    let name: String
    /// The columns in the order in which an index is chosen: attributes that are rarely set are more selective than
    /// those of all items. The seal of the contents uses the same order (Documentation/Formats/database.md), so it
    /// never changes.
    let columns: [SearchColumn]
    /// The places in ``columns`` of the attributes that make an item unique in addition to group and synchronizable, in
    /// the order in which an item's parts are bound to them.
    let uniqueness: [Int]
    /// The bits of the columns that usually identify a single item: the first columns of the unique index.
    let key: UInt32
    /// The column contents of an item without attributes, and the folded ones of an item whose texts are not changed by
    /// folding.
    let absent: [ColumnContent]
    let unfolded: [ColumnContent]
    let statements: ItemStatements

    /// The keys alone, which are compared without accessing the names.
    private let keys: [UInt32]

    private init(_ itemClass: ItemClass, uniqueness: [AttributeKey], key: [AttributeKey], _ columns: [SearchColumn]) {
        let keys = columns.map(\.key)
        // Both lists are defined below, in this file.
        func place(_ key: AttributeKey) -> Int { keys.firstIndex(of: key)! }
        self.itemClass = itemClass
        name = itemClass.code
        let schema = ItemSchema.schema(for: itemClass)
        var foldedCount = 0
        self.columns = columns.map { column in
            defer { if column.isFolded { foldedCount += 1 } }
            return column.completed(by: schema, foldedPlace: column.isFolded ? foldedCount : nil)
        }
        unfolded = [ColumnContent](repeating: .null, count: foldedCount)
        self.keys = keys.map(\.code)
        self.uniqueness = uniqueness.map(place)
        self.key = key.reduce(0) { $0 | 1 << UInt32(place($1)) }
        absent = columns.map { $0.isUnique ? .noBytes : .null }
        statements = ItemStatements(itemClass, columns, unique: uniqueness.map(\.name))
    }

    func position(of key: AttributeKey) -> Int? { keys.firstIndex(of: key.code) }

    /// Returns the table of a class; nil for identities, which have none.
    static func of(_ itemClass: ItemClass) -> ItemTable? {
        switch itemClass {
        case .genericPassword: genericPasswords
        case .internetPassword: internetPasswords
        case .certificate: certificates
        case .key: keys
        case .identity: nil
        }
    }

    static let all = [genericPasswords, internetPasswords, certificates, keys]

    private static let genericPasswords = ItemTable(
        .genericPassword, uniqueness: [.account, .service, .syncViewHint, .tokenID], key: [.account, .service],
        [
            SearchColumn(.generic, isIndexed: true, isFolded: true),
            SearchColumn(.label, isIndexed: true, isFolded: true),
            SearchColumn(.account, isIndexed: true, isFolded: true, isUnique: true),
            SearchColumn(.service, isIndexed: true, isFolded: true, isUnique: true),
        ] + passwordCommon + common)

    private static let internetPasswords = ItemTable(
        .internetPassword,
        uniqueness: [
            .account, .securityDomain, .server, .protocol, .authenticationType, .port, .path, .syncViewHint, .tokenID,
        ],
        key: [.server, .account],
        [
            SearchColumn(.label, isIndexed: true, isFolded: true),
            SearchColumn(.account, isIndexed: true, isFolded: true, isUnique: true),
            SearchColumn(.server, isIndexed: true, isFolded: true, isUnique: true),
            SearchColumn(.securityDomain, isUnique: true),
            SearchColumn(.path, isUnique: true),
            SearchColumn(.port, isUnique: true),
            SearchColumn(.protocol, isUnique: true),
            SearchColumn(.authenticationType, isUnique: true),
        ] + passwordCommon + common)

    private static let certificates = ItemTable(
        .certificate, uniqueness: [.issuer, .serialNumber, .certificateType, .syncViewHint, .tokenID],
        key: [.issuer, .serialNumber],
        [
            SearchColumn(.publicKeyHash, isIndexed: true, digestedAs: .applicationLabel, of: .key),
            SearchColumn(.subjectKeyID, isIndexed: true),
            SearchColumn(.subject, isIndexed: true),
            SearchColumn(.label, isIndexed: true, isFolded: true),
            SearchColumn(.alias, isIndexed: true, isFolded: true),
            SearchColumn(.serialNumber, isIndexed: true, isUnique: true),
            SearchColumn(.issuer, isIndexed: true, isUnique: true),
            SearchColumn(.certificateType, isUnique: true),
            SearchColumn(.certificateEncoding),
            SearchColumn(.syncViewHint, isUnique: true),
            SearchColumn(.tokenID, isUnique: true),
        ] + common)

    private static let keys = ItemTable(
        .key,
        uniqueness: [
            .applicationLabel, .keyClass, .applicationTag, .type, .keySizeInBits, .effectiveKeySize, .creator,
            .startDate, .endDate, .syncViewHint, .tokenID,
        ],
        key: [.applicationLabel, .keyClass],
        [
            SearchColumn(.applicationLabel, isIndexed: true, isUnique: true),
            SearchColumn(.applicationTag, isIndexed: true, isFolded: true, isUnique: true),
            SearchColumn(.label, isIndexed: true, isFolded: true),
            SearchColumn(.keyClass, isUnique: true),
            SearchColumn(.type, isUnique: true),
            SearchColumn(.keySizeInBits, isUnique: true),
            SearchColumn(.effectiveKeySize, isUnique: true),
            SearchColumn(.creator, isUnique: true),
            SearchColumn(.startDate, isUnique: true),
            SearchColumn(.endDate, isUnique: true),
            SearchColumn(.syncViewHint, isUnique: true),
            SearchColumn(.tokenID, isUnique: true),
        ]
            + [
                .isPermanent, .isPrivate, .isModifiable, .isSensitive, .wasAlwaysSensitive, .isExtractable,
                .wasNeverExtractable, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover,
                .canVerifyRecover, .canWrap, .canUnwrap,
            ].map { SearchColumn($0) } + common)

    private static let passwordCommon = [
        SearchColumn(.comment, isIndexed: true, isFolded: true),
        SearchColumn(.itemDescription, isIndexed: true, isFolded: true),
        SearchColumn(.creator, isIndexed: true),
        SearchColumn(.type, isIndexed: true),
        SearchColumn(.syncViewHint, isUnique: true),
        SearchColumn(.tokenID, isUnique: true),
        SearchColumn(.isInvisible),
        SearchColumn(.isNegative),
        SearchColumn(.scriptCode),
        SearchColumn(.alias),
        SearchColumn(.hasCustomIcon),
        SearchColumn(.isProtected),
    ]

    private static let common = [
        SearchColumn(.accessControl),
        SearchColumn(.creationDate),
        SearchColumn(.modificationDate),
    ]
}

/// A column with the digest of an attribute, named like the attribute. An object, like the table.
final class SearchColumn: Sendable {
    let name: String
    let key: AttributeKey
    /// Whether an index begins with access group and this column.
    let isIndexed: Bool
    /// Whether a second column, `…_folded`, has the digest of the folded text if folding changes the text. The index is
    /// then on the folded digests, and serves exact searches too.
    let isFolded: Bool
    /// The place among the folded columns.
    let foldedPlace: Int?
    /// The attribute, and the class if it differs, under which the value is digested. Digests of a certificate's and a
    /// key's attribute are equal if the values are, so that identities are found without opening items.
    let digestKey: AttributeKey
    let digestClass: ItemClass?
    /// Whether the column is part of the uniqueness key: never NULL, and empty if the attribute has its default.
    let isUnique: Bool
    /// For an attribute of the uniqueness key: the value of an item that was added without it.
    let defaultValue: AttributeValue?

    init(
        _ key: AttributeKey, isIndexed: Bool = false, isFolded: Bool = false, isUnique: Bool = false,
        digestedAs digestKey: AttributeKey? = nil, of digestClass: ItemClass? = nil
    ) {
        name = key.name
        self.key = key
        self.digestKey = digestKey ?? key
        self.digestClass = digestClass
        self.isIndexed = isIndexed
        self.isFolded = isFolded
        self.isUnique = isUnique
        foldedPlace = nil
        defaultValue = nil
    }

    private init(_ column: SearchColumn, foldedPlace: Int?, defaultValue: AttributeValue?) {
        name = column.name
        key = column.key
        digestKey = column.digestKey
        digestClass = column.digestClass
        isIndexed = column.isIndexed
        isFolded = column.isFolded
        isUnique = column.isUnique
        self.foldedPlace = foldedPlace
        self.defaultValue = defaultValue
    }

    /// Returns the column as it is in the table of a class.
    func completed(by schema: ItemSchema?, foldedPlace: Int?) -> SearchColumn {
        // An absent view or token is the same as an empty one.
        SearchColumn(
            self, foldedPlace: foldedPlace,
            defaultValue: isUnique ? schema?[key]?.defaultValue ?? .string("") : nil)
    }

    /// Whether `TextMatching` applies: to the user's texts, not to names defined by the system.
    var overlooksDifferences: Bool {
        switch key {
        case .protocol, .authenticationType, .syncViewHint, .tokenID: false
        default: true
        }
    }

    var foldedName: String { "\(name)_folded" }

    /// Returns the expression as the indexes spell it; SQLite finds an index on an expression by its text.
    func foldedExpression(of alias: String = "") -> String {
        isFolded ? "ifnull(\(alias)\(foldedName), \(alias)\(name))" : alias + name
    }
}
