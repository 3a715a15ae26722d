// SPDX-License-Identifier: Apache-2.0

/// Which keychain the words at the end of a `security` command mean. This system has one for each user.
enum KeychainArgument {
    case absent
    /// The keychain, under this name.
    case own(String)
    /// There is no keychain of this name.
    case unknown(String)

    /// Takes all names given; the first that is unknown decides.
    init(_ names: ArraySlice<String>, ownPath: String) {
        guard let first = names.first else {
            self = .absent
            return
        }
        let unknown = names.first { !Self.isOwn($0, ownPath: ownPath) }
        self = unknown.map { .unknown($0) } ?? .own(first)
    }

    /// Scripts name the login keychain with and without suffixes, and often by its path on a Mac.
    private static func isOwn(_ name: String, ownPath: String) -> Bool {
        if name == ownPath { return true }
        return ["login", "login.keychain", "login.keychain-db"].contains(name.split(separator: "/").last ?? "")
    }

    var name: String? {
        switch self {
        case .absent: nil
        case .own(let name), .unknown(let name): name
        }
    }

    var isKnown: Bool {
        switch self {
        case .absent, .own: true
        case .unknown: false
        }
    }
}
