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
        guard facts.isRegular else { return CommandFailure("\(name) is not a program") }
        if facts.head.starts(with: Array("#!".utf8)) {
            return CommandFailure(
                "\(name) is a script: the kernel runs its interpreter",
                hint: "a systemd unit in system.slice is shielded in any language")
        }
        guard facts.head == [0x7F, 0x45, 0x4C, 0x46] else { return CommandFailure("\(name) is not an ELF program") }
        if Interpreters.include(facts.path) {
            return CommandFailure(
                "\(name) runs other programs, and would extend its shield to each of them",
                hint: "a systemd unit in system.slice is shielded in any language")
        }
        if facts.mode & 0o4000 != 0 {
            return CommandFailure(
                "\(name) is set-user-id, so it has its owner's rights",
                hint: "a client of the keychain needs no such rights")
        }
        if facts.hasCapabilities {
            return CommandFailure(
                "\(name) has file capabilities, which a change of its group would remove",
                hint: "all of them except cap_wake_alarm (getcap shows them) already shield it")
        }
        if facts.mode & 0o2000 != 0, facts.group != clients {
            return CommandFailure(
                "\(name) is already set-group-id for the group \(UserGroup.name(of: facts.group) ?? "\(facts.group)")",
                hint: "it is already shielded, unless users are members of that group")
        }
        guard facts.owner == 0, facts.mode & 0o022 == 0 else {
            return CommandFailure(
                "users other than root can change \(name)",
                hint: "install it as root, writable by root only (install -o root -m 755)")
        }
        if let directory = facts.openDirectory {
            return CommandFailure(
                "users other than root can change \"\(directory)\", so they could replace \(name)",
                hint: "install it below /usr or /opt")
        }
        guard facts.linkCount == 1 else {
            return CommandFailure(
                "\(name) has \(facts.linkCount) names, all of which would be shielded",
                hint: "copy it to a separate file")
        }
        guard facts.mode & 0o001 != 0 else {
            return CommandFailure(
                "only members of its group may run \(name)",
                hint: "an enforced program needs its group for the shield"
            )
        }
        guard facts.path.utf8.allSatisfy({ $0 > 0x1F && $0 != 0x7F }) else {
            return CommandFailure("the path contains control characters")
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
