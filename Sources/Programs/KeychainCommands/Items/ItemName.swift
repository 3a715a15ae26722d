// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What a person calls a secret: a name (the item's service) and a user (its account).
struct ItemName: Hashable {
    let name: String
    let user: String

    /// - Throws: a usage failure for an empty name, and for a NUL byte in either, which no argument can hold.
    init(_ name: String, user: String) throws(CommandFailure) {
        guard !name.isEmpty else { throw CommandFailure("NAME must not be empty", exitCode: .usage) }
        guard !name.utf8.contains(0), !user.utf8.contains(0) else {
            throw CommandFailure("names must not contain NUL bytes", exitCode: .usage)
        }
        self.name = name
        self.user = user
    }

    /// `"github"`, or `"github" (user octo)`.
    var quoted: String { user.isEmpty ? "\"\(name)\"" : "\"\(name)\" (user \(user))" }

    /// The attributes that make an item this one.
    var entries: [ItemAttributes.Entry] {
        [.init(.service, .string(name)), .init(.account, .string(user))]
    }

    var json: [(String, JSONText)] { [("name", .text(name)), ("user", .text(user))] }
}
