// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct WhoamiCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Show how the keychain service identifies a program.",
        discussion: """
            Shows the identity of the program, its tier, its access groups and entitlements, and how to raise the \
            tier. Without an argument, the command describes itself. A number means a process of yours. Any other \
            argument means a program; the output describes a process that would run it.

            EXAMPLES:
              chatelaine whoami
              chatelaine whoami firefox
              chatelaine whoami ./mail
              chatelaine whoami 4711 --json
            """)

    @Argument(
        help: ArgumentHelp(
            "Process ID, or a program: a path, or a name to search for in PATH.",
            valueName: "pid|program"),
        completion: .file())
    private var subject: String?

    @OptionGroup private var output: OutputOptions

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
                    "no process has the ID \(name)", hint: "for a program of this name, use ./\(name)", exitCode: .usage
                )
            }
            return .process(number)
        }
        do throws(StreamError) {
            return .program(path: try context.files.programPath(name))
        } catch {
            throw CommandFailure(
                "cannot find the program \"\(name)\": \(error.reason)",
                hint: name.contains("/") ? nil : "a name without a slash is searched for in PATH")
        }
    }

    // MARK: Text

    private static func text(_ report: CallerReport) -> String {
        var lines: [(String, String)] = [("program", report.path.isEmpty ? "not known" : report.path)]
        if report.processID != 0 { lines.append(("process", "\(report.processID) of user \(report.userID)")) }
        switch report.identity {
        case .unidentified: break
        case .command: lines.append(("known as", "the command that was installed with the service"))
        case .signed(let team, let identifier):
            lines.append(("identifier", identifier))
            lines.append(("team", team))
        case .installed(let path): lines.append(("known as", path))
        case .unsigned(let digest): lines.append(("SHA-256", digest.hexadecimal))
        case .application(let name): lines.append(("known as", name))
        }
        lines.append(("tier", "\(report.tier.name): \(report.tierMeaning)"))
        if let enforcement = report.enforcement { lines.append(("shielded by", enforcement.name)) }
        for (place, group) in report.accessGroups.enumerated() {
            lines.append(("group", place == 0 && report.accessGroups.count > 1 ? "\(group) (default)" : group))
        }
        if let path = report.accessGroups.lazy.compactMap(DevelopmentFolder.path(ofGroup:)).first {
            lines.append(
                (
                    "development",
                    "the items of \(path) stay over rebuilds; any of your programs can write there and read them"
                ))
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
            return "identified by its place beside the service, which belongs to the user"
        }
        if case .application = identity {
            return "known by the name of its sandbox, which any of your programs can take"
        }
        return tier.meaning
    }
}

extension CallerTier {
    /// The meaning, as the rest of a sentence.
    fileprivate var meaning: String {
        switch self {
        case .unidentified: "only the user of the process is known for certain"
        case .interpreter: "it runs scripts, which the service cannot distinguish"
        case .unsigned: "identified by the content of its file, so an update makes it a different program"
        case .installed: "identified by its path, where only root can install programs"
        case .signed: "identified by its team's signature, also after updates"
        case .enforced: "identified, and shielded by the kernel from the user's other programs"
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
        case .application(let name): .object([("kind", .text("application")), group, ("name", .text(name))])
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
