// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct WhoamiCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Say how the keychain service sees a program.",
        discussion: """
            Which program it is to the service, how surely that is known, which access groups and entitlements it has, and \
            what would make the service surer. Without a word it is about this command. A number is a process of yours, \
            anything else a program: what a process would be that runs it.

            EXAMPLES:
              chatelaine whoami
              chatelaine whoami firefox
              chatelaine whoami ./mail
              chatelaine whoami 4711 --json
            """)

    @Argument(
        help: ArgumentHelp(
            "The number of a process, or a program: a path, or a name that is looked up in PATH.",
            valueName: "pid|program"),
        completion: .file())
    var subject: String?

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let subject = try self.subject.map { name throws(CommandFailure) in try Self.subject(name, context) } ?? .caller
        let report: CallerReport
        do throws(ClientError) {
            report = try context.client.identity(of: subject)
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        if output.json {
            try context.print(Self.json(report).document())
        } else {
            try context.print(Self.text(report))
        }
    }

    private static func subject(_ name: String, _ context: CommandContext) throws(CommandFailure) -> IdentitySubject {
        if !name.isEmpty, name.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard let number = Int32(name), number > 0 else {
                throw CommandFailure(
                    "\(name) is the number of no process", hint: "a program of that name is ./\(name)", exitCode: .usage
                )
            }
            return .process(number)
        }
        do throws(StreamError) {
            return .program(path: try context.files.programPath(name))
        } catch {
            throw CommandFailure(
                "there is no program \"\(name)\": \(error.reason)",
                hint: name.contains("/") ? nil : "a name without a slash is looked up in PATH")
        }
    }

    // MARK: Text

    private static func text(_ report: CallerReport) -> String {
        var lines: [(String, String)] = [("program", report.path.isEmpty ? "not known" : report.path)]
        if report.processID != 0 { lines.append(("process", "\(report.processID) of user \(report.userID)")) }
        switch report.identity {
        case .unidentified: break
        case .command: lines.append(("known as", "the command that came with the service"))
        case .signed(let team, let identifier):
            lines.append(("identifier", identifier))
            lines.append(("team", team))
        case .installed(let path): lines.append(("known as", path))
        case .unsigned(let digest): lines.append(("SHA-256", digest.hexadecimal))
        }
        lines.append(("tier", "\(report.tier.name): \(report.tierMeaning)"))
        if let enforcement = report.enforcement { lines.append(("shielded by", enforcement.name)) }
        for (place, group) in report.accessGroups.enumerated() {
            lines.append(("group", place == 0 && report.accessGroups.count > 1 ? "\(group) (default)" : group))
        }
        if report.accessGroups.isEmpty { lines.append(("group", "none, so it can use no items")) }
        for entitlement in report.entitlements {
            lines.append(("entitlement", "\(entitlement.key): \(entitlement.value.text)"))
        }
        if report.tier == .enforced {
            lines.append(("to raise it", "nothing: there is no higher tier"))
        }
        for finding in report.findings {
            let advice = finding.advice(for: report)
            lines.append(("to raise it", advice.sentence))
            if let command = advice.command { lines.append(("", "    " + command)) }
        }
        return lines.map { label, value in
            label + String(repeating: " ", count: 13 - label.count) + visible(value) + "\n"
        }.joined()
    }

    // MARK: JSON

    private static func json(_ report: CallerReport) -> JSONText {
        .object([
            ("program", .text(report.path)),
            ("pid", report.processID == 0 ? .null : .integer(Int64(report.processID))),
            ("uid", .integer(Int64(report.userID))),
            ("identity", report.identity.json),
            ("tier", .text(report.tier.name)),
            ("enforcement", report.enforcement.map { .text($0.name) } ?? .null),
            ("groups", .array(report.accessGroups.map(JSONText.text))),
            ("groupsAreEntitled", .boolean(report.hasEntitledGroups)),
            ("entitlements", .object(report.entitlements.map { ($0.key, $0.value.json) })),
            (
                "findings",
                .array(
                    report.findings.map { finding in
                        let advice = finding.advice(for: report)
                        return .object([
                            ("finding", .text(finding.name)), ("advice", .text(advice.sentence)),
                            ("command", advice.command.map(JSONText.text) ?? .null),
                        ])
                    })
            ),
        ])
    }
}

extension CallerReport {
    fileprivate var tierMeaning: String {
        // Identified by its place beside the service, not by the content of its file.
        if isAdministrationTool, tier == .unsigned {
            return "known by its place beside the service, which is its user's"
        }
        return tier.meaning
    }
}

extension CallerTier {
    /// The meaning, as the rest of a sentence.
    fileprivate var meaning: String {
        switch self {
        case .unidentified: "nothing is known for sure but its user"
        case .interpreter: "it runs scripts, which all look alike to the service"
        case .unsigned: "known by what is in its file, so an update makes another program of it"
        case .installed: "known by its path, where only root can put a program"
        case .signed: "known by its team's signature, through all updates"
        case .enforced: "known, and shielded by the kernel from its user's other programs"
        }
    }
}

extension ProgramIdentity {
    /// The JSON members, including the access group that a program of this identity has by itself, which is unique to
    /// it.
    var json: JSONText {
        let group = ("group", implicitGroup.map(JSONText.text) ?? .null)
        return switch self {
        case .unidentified: .object([("kind", .text("unidentified"))])
        case .command: .object([("kind", .text("command")), group])
        case .signed(let team, let identifier):
            .object([("kind", .text("signed")), group, ("team", .text(team)), ("identifier", .text(identifier))])
        case .installed(let path): .object([("kind", .text("installed")), group, ("path", .text(path))])
        case .unsigned(let digest):
            .object([("kind", .text("unsigned")), group, ("sha256", .text(digest.hexadecimal))])
        }
    }
}

extension Entitlement.Value {
    fileprivate var text: String {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .text(let text): text
        case .list(let texts): texts.joined(separator: ", ")
        }
    }

    fileprivate var json: JSONText {
        switch self {
        case .bool(let value): .boolean(value)
        case .text(let text): .text(text)
        case .list(let texts): .array(texts.map(JSONText.text))
        }
    }
}
