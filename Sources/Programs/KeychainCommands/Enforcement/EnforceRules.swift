// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTerminal

/// The rules for enforced clients: which programs are eligible, and what the kernel requires.
enum EnforceRules {
    static let groupName = "chatelaine-clients"

    /// Returns the mode that shields a program: set-group-id, and every user who could run the program still can.
    static func shieldedMode(_ mode: UInt32) -> UInt32 { 0o2010 | mode & 0o755 }

    /// Returns the reason why a program cannot be shielded; nil if it can.
    static func refusal(_ facts: InstalledProgram.Facts, clients: UInt32?) -> CommandFailure? {
        let name = "\"\(facts.path)\""
        guard facts.isRegular else { return CommandFailure("\(name) is no program") }
        if facts.head.starts(with: Array("#!".utf8)) {
            return CommandFailure(
                "\(name) is a script: the program that runs is its interpreter",
                hint: "a service of the system (a unit in system.slice) is shielded whatever it is written in")
        }
        guard facts.head == [0x7F, 0x45, 0x4C, 0x46] else { return CommandFailure("\(name) is no ELF program") }
        if Interpreters.include(facts.path) {
            return CommandFailure(
                "\(name) runs other people's programs, and would lend each of them its shield",
                hint: "a service of the system (a unit in system.slice) is shielded whatever it is written in")
        }
        if facts.mode & 0o4000 != 0 {
            return CommandFailure(
                "\(name) is set-user-id: it has its owner's rights", hint: "a client of the keychain needs none")
        }
        if facts.hasCapabilities {
            return CommandFailure(
                "\(name) has file capabilities: the kernel shields it while it keeps them",
                hint: "a change of its group would take them away (getcap shows them)")
        }
        if facts.mode & 0o2000 != 0, facts.group != clients {
            return CommandFailure(
                "\(name) is set-group-id already, for the group \(UserGroup.name(of: facts.group) ?? "\(facts.group)")",
                hint: "it is shielded as it is, unless users are members of that group")
        }
        guard facts.owner == 0, facts.mode & 0o022 == 0 else {
            return CommandFailure(
                "\(name) is not root's alone",
                hint: "install it as root, writable by nobody else (install -o root -m 755)")
        }
        if let directory = facts.openDirectory {
            return CommandFailure(
                "\"\(directory)\" is not root's alone, so others could put another program in the place of \(name)",
                hint: "install it below /usr or /opt")
        }
        guard facts.linkCount == 1 else {
            return CommandFailure(
                "\(name) has \(facts.linkCount) names, all of which would be shielded",
                hint: "copy it to a file of its own")
        }
        guard facts.mode & 0o001 != 0 else {
            return CommandFailure(
                "not everybody may run \(name), and its group says who",
                hint: "an enforced client needs its group for the shield"
            )
        }
        guard facts.path.utf8.allSatisfy({ $0 > 0x1F && $0 != 0x7F }) else {
            return CommandFailure("the path has control characters")
        }
        return nil
    }
}

/// The previous state of enforced programs, one per line: mode, number of the group, whether dpkg keeps the change,
/// path.
struct EnforcedRecord: Equatable {
    static let path = "/etc/chatelaine/enforced"

    struct Entry: Equatable {
        var mode: UInt32
        var group: UInt32
        var isKept: Bool
        var path: String
    }

    var entries: [Entry] = []

    /// Parses a record; nil for a text that this command did not write.
    init?(_ text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            guard fields.count == 4, let mode = UInt32(fields[0], radix: 8), mode <= 0o7777,
                let group = UInt32(fields[1]), ["kept", "-"].contains(fields[2]), fields[3].hasPrefix("/")
            else { return nil }
            entries.append(Entry(mode: mode, group: group, isKept: fields[2] == "kept", path: String(fields[3])))
        }
    }

    init() {}

    var text: String {
        entries.map { entry in
            let mode = String(entry.mode, radix: 8)
            return String(repeating: "0", count: max(0, 4 - mode.count)) + mode
                + " \(entry.group) \(entry.isKept ? "kept" : "-") \(entry.path)\n"
        }.joined()
    }

    subscript(path: String) -> Entry? {
        get { entries.first { $0.path == path } }
        set {
            entries.removeAll { $0.path == path }
            if let newValue { entries.append(newValue) }
        }
    }
}
