// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient

/// The names of items that a shell offers when it completes a command line.
enum ItemNameCompletion {
    /// For the argument NAME. The completion functions of ArgumentParser get no context, so the keychain is
    /// ``KeychainClient/current``.
    static let kind = CompletionKind.custom { _, _, prefix in names(beginningWith: prefix, in: .current) }

    /// The most names that are offered.
    static let limit = 1000

    /// Returns the names, sorted; none if the keychain is locked or no service runs.
    static func names(beginningWith prefix: String, in client: KeychainClient) -> [String] {
        guard let items = try? client.listItems(.generic) else { return [] }
        let names = Set(items.map(\.name)).filter { $0.hasPrefix(prefix) && isPlain($0) }
        return Array(names.sorted().prefix(limit))
    }

    /// Returns whether a shell takes a name as it is.
    ///
    /// bash expands the words that it completes, and so would run the command in a name such as `$(…)`, which another
    /// program may have chosen.
    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, first != "-" else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "+", "@", "/": true
            default: !scalar.isASCII && scalar.properties.isAlphabetic
            }
        }
    }
}
