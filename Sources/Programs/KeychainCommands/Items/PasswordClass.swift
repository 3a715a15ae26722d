// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The kinds of passwords that the commands support.
enum PasswordClass: CaseIterable {
    case generic
    case internet

    /// Returns the class; nil for items that are not passwords.
    init?(_ itemClass: ItemClass) {
        switch itemClass {
        case .genericPassword: self = .generic
        case .internetPassword: self = .internet
        case .certificate, .key, .identity: return nil
        }
    }

    var itemClass: ItemClass {
        switch self {
        case .generic: .genericPassword
        case .internet: .internetPassword
        }
    }

    /// The identifying attributes of an item that a caller can choose, each with its default.
    var keyDefaults: [ItemAttributes.Entry] {
        (ItemSchema.schema(for: itemClass)?.attributes ?? []).compactMap { definition in
            guard definition.isUnique, definition.key != .synchronizable else { return nil }
            return definition.defaultValue.map { .init(definition.key, $0) }
        }
    }

    /// Returns the values of these attributes for an item, given or default.
    func keys(of entries: [ItemAttributes.Entry]) -> [ItemAttributes.Entry] {
        keyDefaults.map { standard in entries.first { $0.key == standard.key } ?? standard }
    }
}
