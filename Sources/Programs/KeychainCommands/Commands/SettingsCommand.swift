// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show and change the settings of the keychain.",
        discussion: """
            idle-lock        time without use until the keychain locks, such as 15m; never
            lock-on-sleep    lock before the machine sleeps: on or off
            passcode-time    time to check one passcode, such as 300ms
            snapshot-count   number of database snapshots to keep
            snapshot-age     age at which a snapshot is deleted, such as 30d
            audit-log-size   maximum size of an audit log file, such as 8MiB
            audit-log-files  number of audit log files to keep
            unlock-by-finger allow unlock by fingerprint: on or off
            private-items    store new items of this command as private items: on or off
            bridges          other programs' items for programs that use a bridge, such as the Secret
                             Service: ask (prompt), learn (allow and record) or open (allow)
            require-entitlements
                             refuse programs that have no entitlements: on or off
            require-enforced-callers
                             require an approval for programs that are not enforced: on or off

            EXAMPLES:
              chatelaine settings
              chatelaine settings set idle-lock 15m
              chatelaine settings get lock-on-sleep
            """,
        subcommands: [SettingsListCommand.self, SettingsGetCommand.self, SettingsSetCommand.self],
        defaultSubcommand: SettingsListCommand.self)
}

struct SettingsListCommand: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Show all settings.")

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let settings = try context.administer { client throws(ClientError) in try client.settings() }
        if output.json {
            let members = Setting.allCases.map { ($0.jsonName, $0.json(settings[$0] ?? $0.defaultValue)) }
            return try context.print(JSONText.object(members).document())
        }
        for setting in Setting.allCases {
            let padding = String(repeating: " ", count: 26 - setting.commandName.count)
            try context.print(
                setting.commandName + padding + setting.text(settings[setting] ?? setting.defaultValue) + "\n")
        }
    }
}

struct SettingsGetCommand: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Show one setting.")

    @Argument(help: "Name of the setting.")
    private var name: SettingName

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let settings = try context.administer { client throws(ClientError) in try client.settings() }
        let name = name.setting
        let value = settings[name] ?? name.defaultValue
        try output.print([(name.jsonName, name.json(value))], or: name.text(value) + "\n", in: context)
    }
}

struct SettingsSetCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a setting.",
        discussion: """
            Requires the passcode or the recovery key if a passcode is set. Without a passcode, in the system service, \
            you authorize the change by polkit, with your login password.
            """)

    @Argument(help: "Name of the setting.")
    private var name: SettingName

    @Argument(help: "New value.")
    private var value: String

    @OptionGroup private var proof: ProofOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let name = name.setting
        guard let number = name.number(value), name.range.contains(number) else {
            throw CommandFailure(
                "\"\(value)\" is not a valid value of \(name.commandName)",
                hint: name.unit == .bridgeMode ? "use \(name.choices)" : "use a value from \(name.choices)",
                exitCode: .usage)
        }
        let secret = try proof.proofIfProtected(in: context)
        try context.loosen(with: secret) { client throws(ClientError) in
            try client.change([name: number], proof: secret)
        }
        try output.print(
            [(name.jsonName, name.json(number))], or: "\(name.commandName) is \(name.text(number)) now.\n", in: context)
        if name == .makesItemsPrivate, number != 0 { try context.warnWithoutPasscode() }
    }
}

/// The JSON output of the command line for settings.
extension Setting {
    var jsonName: String {
        switch self {
        case .idleLockSeconds: "idleLockSeconds"
        case .locksOnSleep: "lockOnSleep"
        case .passcodeMilliseconds: "passcodeMilliseconds"
        case .snapshotCount: "snapshotCount"
        case .snapshotDays: "snapshotDays"
        case .requiresEntitlements: "requireEntitlements"
        case .requiresEnforcedCallers: "requireEnforcedCallers"
        case .auditLogKibibytes: "auditLogKibibytes"
        case .auditLogFiles: "auditLogFiles"
        case .unlocksByFinger: "unlockByFinger"
        case .makesItemsPrivate: "privateItems"
        case .bridges: "bridges"
        }
    }

    func json(_ value: UInt64) -> JSONText {
        switch unit {
        case .onOff: .boolean(value != 0)
        case .bridgeMode: .text(text(value))
        case .seconds, .milliseconds, .days, .kibibytes, .count: .integer(Int64(clamping: value))
        }
    }
}

/// A setting by its name on the command line.
struct SettingName: ExpressibleByArgument {
    let setting: Setting

    init?(argument: String) {
        guard let setting = Setting.allCases.first(where: { $0.commandName == argument })
        else { return nil }
        self.setting = setting
    }

    static var allValueStrings: [String] { Setting.allCases.map(\.commandName) }
}
