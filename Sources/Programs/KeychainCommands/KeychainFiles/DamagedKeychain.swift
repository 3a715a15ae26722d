// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A keychain whose database was found damaged, as shown to the user.
enum DamagedKeychain {
    case dataProtection
    /// A keychain file.
    case file(path: String)

    /// A word that stands out in a table.
    static let mark = "DAMAGED"

    var sentence: String { "\(Self.mark): some rows cannot be read or found (\(advice))" }

    var advice: String {
        switch self {
        case .dataProtection: "end the service; chatelaine salvage saves what is whole"
        case .file(let path): "end the service; chatelaine salvage --keychain \(path) saves what is whole"
        }
    }
}

extension FileKeychainReport {
    /// The state, with a mark if the database is damaged.
    var stateText: String { isDamaged ? "\(state.word), \(DamagedKeychain.mark)" : state.word }
}
