// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainEndpoint
internal import KeychainTerminal
internal import SecretMemory

struct SalvageCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Recover the readable items of a damaged keychain.",
        discussion: """
            For a keychain whose service no longer starts because its database is damaged. Reads every readable row, \
            adds missing rows from the newest snapshots, keeps the damaged files under another name, and lists the \
            lost items. Stop the service first.

            With the passcode, every item is verified. Without it, locked items are copied without verification. A \
            device key with a PIN opens only with the PIN.

            A keychain file stays in its place; its readable items are stored in a new file beside it. Enter its \
            password instead of the passcode.

            EXAMPLES:
              chatelaine salvage
              chatelaine salvage --keychain work --ask
              chatelaine salvage --ask
              chatelaine salvage --pin
            """)

    @Option(help: ArgumentHelp("Keychain file to recover.", valueName: "keychain"))
    var keychain: String?

    @Flag(help: "Ask for the passcode, to verify every item.")
    var ask = false

    @Option(
        name: .customLong("passcode-fd"),
        help: ArgumentHelp("Read the passcode from this file descriptor.", valueName: "n"))
    var passcodeDescriptor: Int32?

    @Flag(name: .customLong("pin"), help: "Ask for the PIN of the device key.")
    var asksForPIN = false

    @OptionGroup var pin: PINOptions

    @OptionGroup var asking: AskingOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        guard !context.keychain.isOfSystem else {
            throw CommandFailure(
                "the keychain belongs to the system service, so only root can recover it",
                hint:
                    "run as root: chatelained salvage --of-user USER; for your user service, set CHATELAINE_SERVICE=user",
                exitCode: .refused)
        }
        try checkDescriptors([passcodeDescriptor, pin.descriptor])
        var secrets: [(option: String, secret: SecretBytes)] = []
        let source = asking.source(context)
        if asksForPIN || pin.descriptor != nil {
            secrets.append(("--pin-fd", try source.text(.pin, descriptor: pin.descriptor)))
        }
        if ask || passcodeDescriptor != nil {
            secrets.append(("--passcode-fd", try source.text(.passcode, descriptor: passcodeDescriptor)))
        }
        guard let program = DaemonLauncher.current().locate() else {
            throw CommandFailure(
                "cannot find the program chatelained", hint: "install it beside chatelaine or in PATH",
                exitCode: .unavailable)
        }
        do throws(SystemCallError) {
            let chosen = keychain.map { ["--keychain", $0] } ?? []
            try CurrentProcess.become(program, arguments: [program, "salvage"] + chosen, lending: secrets)
        } catch {
            throw CommandFailure("cannot start \(program): \(error.reason)", exitCode: .unavailable)
        }
    }
}
