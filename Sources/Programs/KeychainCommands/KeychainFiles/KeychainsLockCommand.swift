// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct KeychainsLockCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock a keychain.",
        discussion: "When the command ends, the service has removed the keys of the keychain from its memory.")

    @Argument(help: "Name in your keychain folder, or a path.")
    private var keychain: String?

    @Flag(help: "Lock all keychain files.")
    private var all = false

    @OptionGroup private var output: OutputOptions

    func validate() throws {
        guard (keychain != nil) != all else { throw ValidationError("either a keychain or --all is required") }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        try context.ofKeychains { client throws(ClientError) in
            if let keychain { try client.lockKeychain(at: keychain) } else { try client.lockAllKeychains() }
        }
        try context.print(output.json ? LockStateText.document(.locked) : Array("Locked.\n".utf8))
    }
}

struct KeychainsUnlockCommand: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "unlock", abstract: "Unlock a keychain.")

    @OptionGroup private var name: KeychainName

    @Option(
        name: .customLong("password-fd"),
        help: ArgumentHelp("Read the password from this file descriptor.", valueName: "n"))
    private var passwordDescriptor: Int32?

    @OptionGroup private var asking: AskingOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let path = try context.existingKeychain(name.keychain).path
        let source = asking.source(context)
        try context.withTries(isTyped: passwordDescriptor == nil && !asking.prefersPinentry) {
            () throws(CommandFailure) in
            try source.text(.keychainPassword, descriptor: passwordDescriptor)
        } use: { password throws(CommandFailure) in
            try context.ofKeychains { client throws(ClientError) in
                try client.unlockKeychain(at: path, password: password)
            }
        }
        try context.print(output.json ? LockStateText.document(.unlocked) : Array("Unlocked.\n".utf8))
    }
}

struct KeychainsSettingsCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show or change when a keychain locks itself.",
        discussion: """
            Settings that you do not give stay. A change requires an unlocked keychain.

            EXAMPLES:
              chatelaine keychains settings build
              chatelaine keychains settings build --idle-lock 15m --lock-on-sleep off
            """)

    @OptionGroup private var name: KeychainName

    @Option(help: ArgumentHelp("Time without use until the keychain locks, such as 15m; or never.", valueName: "time"))
    private var idleLock: String?

    @Option(help: ArgumentHelp("Lock the keychain before the machine sleeps: on or off.", valueName: "on|off"))
    private var lockOnSleep: String?

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let idleSeconds = try Self.number(idleLock, .idleLockSeconds)
        let locksOnSleep = try Self.number(lockOnSleep, .locksOnSleep)
        var report = try context.existingKeychain(name.keychain)
        if var settings = report.settings, idleSeconds != nil || locksOnSleep != nil {
            if let idleSeconds { settings.idleLockSeconds = idleSeconds == 0 ? nil : UInt32(clamping: idleSeconds) }
            if let locksOnSleep { settings.locksOnSleep = locksOnSleep != 0 }
            report = try context.ofKeychains { client throws(ClientError) in
                try client.changeKeychain(at: report.path, settings)
                return try client.keychain(at: report.path)
            }
        }
        try output.print(
            report.jsonMembers, or: "\(visible(report.path)) locks itself \(report.settings?.text ?? "never").\n",
            in: context)
    }

    /// Parses a number like `chatelaine settings` does for the setting of this kind.
    private static func number(_ text: String?, _ setting: Setting) throws(CommandFailure) -> UInt64? {
        guard let text else { return nil }
        guard let number = setting.number(text), setting.range.contains(number) else {
            throw CommandFailure(
                "\"\(text)\" is not a valid value of \(setting.commandName)",
                hint:
                    "use a value from \(setting.text(setting.range.lowerBound)) to \(setting.text(setting.range.upperBound))",
                exitCode: .usage)
        }
        return number
    }
}

struct KeychainsPasswordCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Change the password of a keychain.",
        discussion: "Items are not encrypted again, so their number does not matter. The keychain may be locked.")

    @OptionGroup private var name: KeychainName

    @Option(
        name: .customLong("password-fd"),
        help: ArgumentHelp("Read the current password from this file descriptor.", valueName: "n"))
    private var passwordDescriptor: Int32?

    @Option(
        name: .customLong("new-password-fd"),
        help: ArgumentHelp("Read the new password from this file descriptor.", valueName: "n"))
    private var newPasswordDescriptor: Int32?

    @OptionGroup private var asking: AskingOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try checkDescriptors([passwordDescriptor, newPasswordDescriptor])
        let path = try context.existingKeychain(name.keychain).path
        let source = asking.source(context)
        let old = try source.text(.keychainPassword, descriptor: passwordDescriptor)
        let new = try source.newText(.newKeychainPassword, descriptor: newPasswordDescriptor)
        let report = try context.ofKeychains { client throws(ClientError) in
            try client.changePassword(ofKeychainAt: path, old: old, new: new)
            return try client.keychain(at: path)
        }
        try output.print(report.jsonMembers, or: "The password of the keychain is changed.\n", in: context)
    }
}
