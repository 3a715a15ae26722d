// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The access object of an item of a keychain file, as `security dump-keychain -a` shows it.
struct AccessListing {
    /// The access object; nil for an item without one.
    let access: AccessObject?

    init(of item: ListedItem) {
        access = if case .data(let bytes)? = item.attributes[.access] { try? AccessObject(encoded: bytes) } else { nil }
    }

    var text: String {
        guard access != nil else { return "no access control for this item\n" }
        return head + entries.joined()
    }

    /// The text before the entries.
    var head: String { "access: \(entries.count) entries\n" }

    /// The entries of the access object, its owner, and its partition list.
    var entries: [String] {
        guard let access else { return [] }
        var entries = (access.entries + [access.owner]).map(Self.text)
        if let partitions = access.partitions {
            // On macOS the list is in the description of a separate entry.
            let list = partitions.map(\.text).joined(separator: ", ")
            entries.append(Self.head([.partitionID], requiresPassword: false, list) + "        applications: <null>\n")
        }
        return entries.enumerated().map { "    entry \($0):\n" + $1 }
    }

    private static func text(_ entry: AccessEntry) -> String {
        let head = head(
            entry.authorizations, requiresPassword: entry.promptSelector.contains(.requirePassphrase),
            entry.description)
        switch entry.subject {
        case .anyApplication: return head + "        applications: <null>\n"
        case .process(let owner):
            return head + "        processes: uid \(owner.userID) gid \(owner.groupID)\n"
        case .applications(let programs):
            let lines = programs.enumerated().map { number, program in
                "            \(number): \(visible(program.displayPath)) (OK)\n"
                    + "                requirement: \(visible(requirement(of: program)))\n"
            }
            return head + "        applications (\(programs.count)):\n" + lines.joined()
        }
    }

    private static func head(
        _ authorizations: Set<AccessAuthorization>, requiresPassword: Bool, _ description: String
    ) -> String {
        let words = authorizations.map(\.word).sorted().joined(separator: " ")
        return "        authorizations (\(authorizations.count)): \(words)\n"
            + "        \(requiresPassword ? "require-password" : "don't-require-password")\n"
            + "        description: \(visible(description))\n"
    }

    private static func requirement(of program: TrustedApplication) -> String {
        switch program.requirement {
        case .group(let name): "group \"\(name)\""
        case .program(.command): "the command of the keychain"
        case .program(.signed(let team, let identifier)): "team \(team) and identifier \"\(identifier)\""
        case .program(.installed(let path)): "installed at \"\(path)\""
        case .program(.unsigned(let digest)): "sha256 \(digest.hexadecimal)"
        case .program(.unidentified), .program(.application): "none"
        }
    }
}
