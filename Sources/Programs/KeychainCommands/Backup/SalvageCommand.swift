// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainEndpoint
internal import KeychainTerminal
internal import SecretMemory

struct SalvageCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Save what can be read of a damaged keychain.",
        discussion: """
            For a keychain whose service does not start any more because its database is damaged. Reads every row that \
            can be read, fills up from the newest snapshots, keeps the damaged files under another name, and lists what is \
            lost. No service may run.

            With the passcode every item is checked; without it, those that are locked are taken over as they are. A device \
            key that has a PIN opens only with that.

            A keychain file stays where it is; what can be read of it goes into a new one beside it. Its password takes the \
            place of the passcode.

            EXAMPLES:
              chatelaine salvage
              chatelaine salvage --keychain work --ask
              chatelaine salvage --ask
              chatelaine salvage --pin
            """)

    @Option(help: ArgumentHelp("Save this keychain file.", valueName: "keychain"))
    var keychain: String?

    @Flag(help: "Ask for the passcode, so that every item can be checked.")
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
                "the keychain is in the service of the system, where only root can save it",
                hint: "root runs: chatelained salvage --of-user USER; CHATELAINE_SERVICE=user means your own keychain",
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
                "chatelained is not there", hint: "it is looked for beside chatelaine and in PATH",
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
