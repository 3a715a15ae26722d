// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

struct StatusCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the keychain service.",
        discussion: """
            Starts the service if it is not running.

            EXAMPLES:
              chatelaine status
              chatelaine status --json
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let (status, report) = try context.administer { client throws(ClientError) in
            (try client.status(), try client.protectors())
        }
        if output.json {
            try context.print(Self.json(status, report, context).document())
        } else {
            try context.print(Self.text(status, report, context))
        }
    }

    private static func text(_ status: ServiceStatus, _ report: ProtectorReport, _ context: CommandContext) -> String {
        var lines: [(String, String)] = [
            ("service", "chatelained \(status.version)"),
            ("keychain", context.keychainPath),
            ("state", LockStateText.sentence(status.lockState)),
            ("caller", "\(status.callerPath) (\(tierName(status.callerTier)))"),
        ]
        let ways = ProtectorKind.allCases.compactMap { kind -> String? in
            let count = report.known.count { $0.kind == kind }
            return count == 0 ? nil : count == 1 ? kind.name : "\(kind.name) (\(count))"
        }
        if !ways.isEmpty { lines.insert(("opened by", ways.joined(separator: ", ")), at: 3) }
        if let attempts = report.attemptsText { lines.insert(("attempts", attempts), at: ways.isEmpty ? 3 : 4) }
        lines += status.accessGroups.map { ("group", $0) }
        if let count = status.itemCount { lines.append(("items", String(count))) }
        if let count = status.unreadableCount, count > 0 {
            lines.append(("unreadable", "\(count) (set aside; they are kept, but cannot be opened)"))
        }
        lines += status.protections.map { ("protection", $0) }
        return lines.map { label, value in
            label + String(repeating: " ", count: 12 - label.count) + visible(value) + "\n"
        }.joined()
    }

    private static func json(
        _ status: ServiceStatus, _ report: ProtectorReport, _ context: CommandContext
    ) -> JSONText {
        .object(
            [
                ("version", .text(status.version)),
                ("keychain", .text(context.keychainPath)),
                ("state", .text(LockStateText.word(status.lockState))),
                ("protectors", .array(report.known.map { .text($0.kind.name) })),
            ] + report.attemptsJSON + [
                ("callerPath", .text(status.callerPath)),
                ("callerTier", .text(tierName(status.callerTier))),
                ("groups", .array(status.accessGroups.map(JSONText.text))),
                ("items", status.itemCount.map { .integer(Int64(clamping: $0)) } ?? .null),
                ("unreadable", status.unreadableCount.map { .integer(Int64(clamping: $0)) } ?? .null),
                ("protections", .array(status.protections.map(JSONText.text))),
            ])
    }

    /// How surely the service knows the caller. Newer services may know more ways than this command.
    private static func tierName(_ tier: UInt8) -> String {
        switch tier {
        case 0: "unidentified"
        case 1: "unsigned"
        case 2: "installed"
        default: "tier \(tier)"
        }
    }
}
