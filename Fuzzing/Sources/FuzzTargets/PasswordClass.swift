// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The kinds of passwords that the commands know.
enum PasswordClass: CaseIterable {
    case generic
    case internet

    /// Nil for items that are no passwords.
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

    /// The attributes that make an item which it is, as far as a caller can choose them, each with the value of an item
    /// that was stored without it.
    var keyDefaults: [ItemAttributes.Entry] {
        (ItemSchema.schema(for: itemClass)?.attributes ?? []).compactMap { definition in
            guard definition.isUnique, definition.key != .synchronizable else { return nil }
            return definition.defaultValue.map { .init(definition.key, $0) }
        }
    }

    /// The values that these attributes have for an item, whether or not they are given.
    func keys(of entries: [ItemAttributes.Entry]) -> [ItemAttributes.Entry] {
        keyDefaults.map { standard in entries.first { $0.key == standard.key } ?? standard }
    }
}
