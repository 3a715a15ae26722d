// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The attributes of passwords from the time of the Common Security Services Manager (CSSM) and earlier.
///
/// The keychain stores them and searches by them, but gives none of them a meaning. New programs do not need them. Nil
/// attributes are not set; in a query they are ignored, and in an update they stay unchanged.
public struct LegacyAttributes: Hashable, Sendable {
    /// `kSecAttrCreator`: a four-character code as a number.
    public var creator: UInt32?
    /// `kSecAttrType`: a four-character code as a number.
    public var type: UInt32?
    /// `kSecAttrScriptCode`: the Script Manager encoding in which the item's texts are displayed.
    public var scriptCode: UInt32?
    /// `kSecAttrAlias`: another name, as bytes.
    public var alias: [UInt8]?
    /// `kSecAttrIsInvisible`: the item should not be displayed.
    public var isInvisible: Bool?
    /// `kSecAttrIsNegative`: the password is deliberately not stored; the program must ask the user each time.
    public var isNegative: Bool?
    /// `kSecAttrHasCustomIcon`: the file system has an icon for the item.
    public var hasCustomIcon: Bool?

    public init(
        creator: UInt32? = nil, type: UInt32? = nil, scriptCode: UInt32? = nil, alias: [UInt8]? = nil,
        isInvisible: Bool? = nil, isNegative: Bool? = nil, hasCustomIcon: Bool? = nil
    ) {
        self.creator = creator
        self.type = type
        self.scriptCode = scriptCode
        self.alias = alias
        self.isInvisible = isInvisible
        self.isNegative = isNegative
        self.hasCustomIcon = hasCustomIcon
    }

    init(_ encoded: EncodedAttributes) {
        self.init(
            creator: encoded.number(.creator), type: encoded.number(.type), scriptCode: encoded.number(.scriptCode),
            alias: encoded.bytes(.alias), isInvisible: encoded.flag(.isInvisible),
            isNegative: encoded.flag(.isNegative), hasCustomIcon: encoded.flag(.hasCustomIcon))
    }
}

extension EncodedAttributes {
    mutating func put(_ legacy: LegacyAttributes) {
        put(.creator, legacy.creator)
        put(.type, legacy.type)
        put(.isInvisible, legacy.isInvisible)
        put(.isNegative, legacy.isNegative)
        put(.hasCustomIcon, legacy.hasCustomIcon)
        put(.alias, legacy.alias)
        put(.scriptCode, legacy.scriptCode)
    }
}
