// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Show the tokens, which make and use private keys.",
        discussion: """
            Programs request keys of a token as keys of the secure enclave. If there is a TPM that you have permission \
            to use, it makes and uses these keys. Otherwise a separate process does, without hardware protection.

            EXAMPLES:
              chatelaine token status
              chatelaine token status --json
            """,
        subcommands: [TokenStatusCommand.self], defaultSubcommand: TokenStatusCommand.self)
}

struct TokenStatusCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the tokens, and where the device key is stored.")

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let report = try context.administer { client throws(ClientError) in try client.tokens() }
        try context.print(output.json ? Self.json(report).document() : Array(Self.text(report).utf8))
    }

    private static func text(_ report: TokenReport) -> String {
        var lines: [(String, String)] = []
        for (index, token) in report.tokens.enumerated() {
            lines.append(("token", token.kind.sentence + (index == 0 ? "; makes new keys" : "")))
            switch token.state {
            case .unavailable(let reason): lines.append(("", "not available: \(reason)"))
            case .available(let facts):
                lines.append(("", facts.place))
                let maker = [facts.manufacturer, facts.firmware].filter { !$0.isEmpty }
                if !maker.isEmpty { lines.append(("", "made by \(maker.joined(separator: ", firmware "))")) }
                if let lockout = facts.lockout {
                    lines.append(
                        (
                            "",
                            "\(lockout.failures) of \(lockout.limit) wrong passwords; one is forgotten every "
                                + "\(lockout.interval) seconds"
                        ))
                }
            }
        }
        if report.tokens.isEmpty { lines.append(("token", "none")) }
        lines.append(("device key", report.deviceKeySentence))
        if let attempts = report.pin?.attempts.attemptsText { lines.append(("", attempts)) }
        return lines.map { label, value in
            label + String(repeating: " ", count: 12 - label.count) + visible(value) + "\n"
        }.joined()
    }

    private static func json(_ report: TokenReport) -> JSONText {
        .object([
            ("tokens", .array(report.tokens.map(json))), ("deviceKey", .text(report.deviceKey.word)),
            ("deviceKeyHasPIN", .boolean(report.pin != nil)),
        ])
    }

    private static func json(_ token: TokenReport.Token) -> JSONText {
        var members: [(String, JSONText)] = [("kind", .text(token.kind.word))]
        switch token.state {
        case .unavailable(let reason): members += [("available", .boolean(false)), ("reason", .text(reason))]
        case .available(let facts):
            members += [
                ("available", .boolean(true)), ("place", .text(facts.place)),
                ("manufacturer", facts.manufacturer.isEmpty ? .null : .text(facts.manufacturer)),
                ("firmware", facts.firmware.isEmpty ? .null : .text(facts.firmware)),
                (
                    "lockout",
                    facts.lockout.map { lockout in
                        .object([
                            ("failures", .integer(Int64(lockout.failures))), ("limit", .integer(Int64(lockout.limit))),
                            ("intervalSeconds", .integer(Int64(lockout.interval))),
                        ])
                    } ?? .null
                ),
            ]
        }
        return .object(members)
    }
}

extension TokenReport.Token.Kind {
    fileprivate var word: String {
        switch self {
        case .software: "software"
        case .tpm: "tpm"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .software: "software, without hardware protection"
        case .tpm: "TPM 2.0"
        }
    }
}

extension DeviceKeyLocation {
    var word: String {
        switch self {
        case .file: "file"
        case .tpm: "tpm"
        case .software: "software"
        }
    }

    var sentence: String {
        switch self {
        case .file: "in a file, readable from a copy of the disk"
        case .tpm: "sealed to the TPM"
        case .software: "sealed to the token without hardware"
        }
    }
}

extension TokenReport {
    var deviceKeySentence: String { deviceKey.sentence + (pin == nil ? "" : ", with a PIN") }
}
