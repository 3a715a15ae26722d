// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct ProtectCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Have an item ask for its owner before it is given out.",
        discussion: """
            Whoever reads the item then has to show to be there each time, programs too. Without a passcode nothing can be \
            shown, so one has to be set first. Several conditions are all needed, with --any one of them.

            A password of the item's own is part of the key that the item is encrypted with: without it nobody opens the \
            item, not even with the passcode. If it is forgotten, the item is lost.

            What is protected already asks for its owner once more before it is changed.

            EXAMPLES:
              chatelaine protect bank --user-presence
              chatelaine protect bank --biometry --passcode --any
              chatelaine protect vault --app-password
              chatelaine protect bank --none
            """)

    @OptionGroup var item: ItemNameArguments

    @Flag(help: "The passcode or a finger.")
    var userPresence = false

    @Flag(help: "Any finger that is enrolled.")
    var biometry = false

    @Flag(help: "A finger, and only as long as the same ones are enrolled as now: with another the item is lost.")
    var currentBiometry = false

    @Flag(help: "The passcode.")
    var passcode = false

    @Flag(help: "A password of the item's own.")
    var appPassword = false

    @Flag(name: .customLong("any"), help: "One of several conditions is enough.")
    var oneIsEnough = false

    @Flag(name: .customLong("none"), help: "Nobody has to show anything any more.")
    var none = false

    @OptionGroup var password: ItemPasswordOptions
    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var output: OutputOptions

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
                    ? "--none goes with no other condition"
                    : "say what the item shall ask for: --user-presence, --biometry, --passcode, --app-password; or --none"
            )
        }
        guard none || AccessControl(protection: .whenUnlocked, flags: flags) != nil, flags != .or else {
            throw ValidationError(
                "these conditions do not go together: --user-presence is one by itself, and fingers are any or the current ones"
            )
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let name = try item.itemName()
        let client = try password.client(in: context, besides: [unlocking.passcodeDescriptor])
        try unlocking.unlockIfWanted(in: context)
        let found = try findItem(name, in: context)
        // The flags that validate() accepts are compatible with every protection.
        guard let control = AccessControl(protection: found.attributes.accessibility, flags: flags) else { return }
        do throws(ClientError) {
            var changes = ItemAttributes(empty: found.reference.itemClass)
            changes[.accessControl] = .accessControl(control)
            try client.update(found.query, changes: changes, secret: nil)
        } catch {
            throw CommandFailure(error, name: name, group: found.group, message: context.statusMessage)
        }
        if output.json {
            let conditions = JSONText.array(flags.conditionNames.map(JSONText.text))
            return try context.print(JSONText.object(name.json + [("asksFor", conditions)]).document())
        }
        let text = flags.isEmpty ? "asks for nobody any more" : "asks for \(flags.conditionText)"
        try context.print("\(visible(name.quoted)) \(text).\n")
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
        if contains(.userPresence) { parts.append("the passcode or a finger") }
        var factors: [String] = []
        if contains(.biometryAny) { factors.append("a finger") }
        if contains(.biometryCurrentSet) { factors.append("one of the fingers enrolled when it was protected") }
        if contains(.devicePasscode) { factors.append("the passcode") }
        if contains(.companion) { factors.append("a paired device") }
        if !factors.isEmpty { parts.append(factors.joined(separator: contains(.or) ? " or " : " and ")) }
        if contains(.applicationPassword) { parts.append("its own password") }
        let text = parts.joined(separator: ", and ")
        return contains(.privateKeyUsage) ? text + " when the key is used" : text
    }
}

extension ListedItem {
    /// The constraints that the command line requests.
    var constraints: AccessControl.Flags {
        if case .accessControl(let control) = attributes[.accessControl] { control.flags } else { [] }
    }
}
