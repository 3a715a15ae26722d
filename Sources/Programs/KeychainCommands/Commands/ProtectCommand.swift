// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct ProtectCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Require owner authentication before an item is read.",
        discussion: """
            Afterwards each read of the item requires owner authentication, also by programs. Owner authentication \
            requires a passcode, so set one first. Several conditions must all be met; with --any, one of them is \
            enough.

            An application password is part of the key that encrypts the item. Without it the item cannot be opened, \
            even with the passcode. If you forget the application password, the item is lost.

            A protected item requires owner authentication again before its protection is changed.

            EXAMPLES:
              chatelaine protect bank --user-presence
              chatelaine protect bank --biometry --passcode --any
              chatelaine protect vault --app-password
              chatelaine protect bank --none
            """)

    @OptionGroup private var item: ItemChoice

    @Flag(help: "Require the passcode or a fingerprint.")
    private var userPresence = false

    @Flag(help: "Require any enrolled fingerprint.")
    private var biometry = false

    @Flag(help: "Require a fingerprint of the current enrolment. If the enrolment changes, the item is lost.")
    private var currentBiometry = false

    @Flag(help: "Require the passcode.")
    private var passcode = false

    @Flag(help: "Require an application password.")
    private var appPassword = false

    @Flag(name: .customLong("any"), help: "Require only one of several conditions.")
    private var oneIsEnough = false

    @Flag(name: .customLong("none"), help: "Remove the protection.")
    private var none = false

    @OptionGroup private var password: ItemPasswordOptions
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    private var flags: AccessControl.Flags {
        var flags: AccessControl.Flags = []
        if userPresence { flags.insert(.userPresence) }
        if biometry { flags.insert(.biometryAny) }
        if currentBiometry { flags.insert(.biometryCurrentSet) }
        if passcode { flags.insert(.devicePasscode) }
        if appPassword { flags.insert(.applicationPassword) }
        if oneIsEnough { flags.insert(.or) }
        return flags
    }

    func validate() throws {
        guard none != !flags.isEmpty else {
            throw ValidationError(
                none
                    ? "--none cannot be combined with a condition"
                    : "a condition is required: --user-presence, --biometry, --passcode, --app-password; or --none"
            )
        }
        guard none || AccessControl(protection: .whenUnlocked, flags: flags) != nil, flags != .or else {
            throw ValidationError(
                "these conditions cannot be combined: --user-presence excludes the others except --app-password, and --biometry excludes --current-biometry"
            )
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        try item.names.check()
        let client = try password.client(in: context, besides: [unlocking.passcodeDescriptor])
        try unlocking.unlockIfWanted(in: context)
        let found = try item.find(in: context, by: .whole)
        // The flags that validate() accepts are compatible with every protection.
        guard let control = AccessControl(protection: found.item.attributes.accessibility, flags: flags) else { return }
        do throws(ClientError) {
            var changes = ItemAttributes(empty: found.item.reference.itemClass)
            changes[.accessControl] = .accessControl(control)
            try client.update(found.query, changes: changes, secret: nil)
        } catch {
            throw CommandFailure(error, name: found.name, group: found.group, message: context.statusMessage)
        }
        if output.json {
            let conditions = JSONText.array(flags.conditionNames.map(JSONText.text))
            return try context.print(JSONText.object(found.name.json + [("asksFor", conditions)]).document())
        }
        let text = flags.isEmpty ? "no longer requires authentication" : "requires \(flags.conditionText)"
        try context.print("\(visible(found.name.quoted)) \(text).\n")
    }
}

extension AccessControl.Flags {
    /// Words for scripts.
    var conditionNames: [String] {
        var names: [String] = []
        if contains(.userPresence) { names.append("user-presence") }
        if contains(.biometryAny) { names.append("biometry") }
        if contains(.biometryCurrentSet) { names.append("current-biometry") }
        if contains(.devicePasscode) { names.append("passcode") }
        if contains(.companion) { names.append("companion") }
        if contains(.applicationPassword) { names.append("app-password") }
        if contains(.or) { names.append("any") }
        if contains(.privateKeyUsage) { names.append("key-use") }
        return names
    }

    /// A phrase for display.
    var conditionText: String {
        var parts: [String] = []
        if contains(.userPresence) { parts.append("the passcode or a fingerprint") }
        var factors: [String] = []
        if contains(.biometryAny) { factors.append("a fingerprint") }
        if contains(.biometryCurrentSet) {
            factors.append("a fingerprint that was enrolled when the item was protected")
        }
        if contains(.devicePasscode) { factors.append("the passcode") }
        if contains(.companion) { factors.append("a paired device") }
        if !factors.isEmpty { parts.append(factors.joined(separator: contains(.or) ? " or " : " and ")) }
        if contains(.applicationPassword) { parts.append("its application password") }
        let text = parts.joined(separator: ", and ")
        return contains(.privateKeyUsage) ? text + " when the key is used" : text
    }
}

extension ListedItem {
    /// The constraints of the item's access control object.
    var constraints: AccessControl.Flags { attributes.constraints }
}
