// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A keychain whose database was found damaged, as shown to the user.
enum DamagedKeychain {
    case dataProtection
    /// A keychain file.
    case file(path: String)

    /// A word that stands out in a table.
    static let mark = "DAMAGED"

    var sentence: String { "\(Self.mark): some rows are unreadable or missing (\(advice))" }

    var advice: String {
        switch self {
        case .dataProtection: "stop the service, then recover the readable items: chatelaine salvage"
        case .file(let path): "stop the service, then recover the readable items: chatelaine salvage --keychain \(path)"
        }
    }
}

extension FileKeychainReport {
    /// The state, with a mark if the database is damaged.
    var stateText: String { isDamaged ? "\(state.word), \(DamagedKeychain.mark)" : state.word }
}
