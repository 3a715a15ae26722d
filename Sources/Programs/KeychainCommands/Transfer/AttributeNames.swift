// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The names of attributes in exported JSON: those of Apple's constants without `kSecAttr`
/// (Documentation/Formats/export.md). They never change.
enum AttributeNames {
    /// Returns the name of an attribute: its four characters if it has no other name.
    static func name(of key: AttributeKey) -> String { names[key] ?? key.name }

    /// Returns the attribute with a name; nil for a text that is neither a name nor four characters.
    static func key(named name: String) -> AttributeKey? {
        // One spelling for each attribute, because otherwise it could occur twice.
        keys[name] ?? AttributeKey(name: name).flatMap { names[$0] == nil ? $0 : nil }
    }

    private static let names: [AttributeKey: String] = [
        .accessGroup: "accessGroup", .accessible: "accessible", .accessControl: "accessControl",
        .synchronizable: "synchronizable", .creationDate: "creationDate", .modificationDate: "modificationDate",
        .label: "label", .tokenID: "tokenID", .syncViewHint: "syncViewHint", .account: "account",
        .service: "service", .generic: "generic", .itemDescription: "description", .comment: "comment",
        .creator: "creator", .type: "type", .isInvisible: "isInvisible", .isNegative: "isNegative",
        .scriptCode: "scriptCode", .alias: "alias", .hasCustomIcon: "hasCustomIcon", .isProtected: "isProtected",
        .server: "server", .securityDomain: "securityDomain", .protocol: "protocol",
        .authenticationType: "authenticationType", .port: "port", .path: "path",
    ]

    private static let keys = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })
}
