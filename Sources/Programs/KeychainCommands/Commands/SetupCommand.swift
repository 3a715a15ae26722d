// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct SetupCommand: ParsableCommand {
    // A group without options of its own: options of a group take those of its subcommands, such as --dry-run.
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Choose where to store the device key, or use this keychain for the desktop, at login or for SSH.",
        subcommands: [
            SetupDeviceKeyCommand.self, SetupDesktopCommand.self, SetupLoginCommand.self, SetupSSHCommand.self,
        ],
        defaultSubcommand: SetupDeviceKeyCommand.self)
}

struct SetupDeviceKeyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "device-key",
        abstract: "Choose where to store the device key, and set its PIN.",
        discussion: """
            The device key ties the keychain to this machine. If the key is in a file, each copy of the disk contains \
            it. If the key is sealed to the TPM, the keychain opens on this machine only: after the TPM is cleared or \
            the machine is lost, you need a backup (chatelaine backup). A key with a PIN opens when you enter the PIN \
            after each start of the service (chatelaine unlock). Until then no item can be read, and a forgotten PIN \
            cannot be replaced. The TPM counts wrong PINs. The token without hardware cannot prevent an attacker with \
            a copy of its file from trying all PINs.

            Without options, the command asks on the terminal.

            EXAMPLES:
              chatelaine setup
              chatelaine setup --device-key tpm --dry-run
              chatelaine setup --device-key tpm --pin
              chatelaine setup --pin                  # sets another PIN
              chatelaine setup --device-key file      # removes the seal and the PIN
            """)

    @Option(help: ArgumentHelp("Where to store the device key: file, tpm or software.", valueName: "place"))
    private var deviceKey: DeviceKeyChoice?

    @Flag(name: .customLong("pin"), help: "Set or change the PIN. Asks twice.")
    private var setsPIN = false

    @OptionGroup private var pin: PINOptions

    @Option(
        name: .customLong("new-pin-fd"),
        help: ArgumentHelp("Read the new PIN from this file descriptor, to change a PIN.", valueName: "n"))
    private var newPINDescriptor: Int32?

    @Flag(help: "Report the changes without making them.")
    private var dryRun = false

    @OptionGroup private var proof: ProofOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try checkDescriptors([
            pin.descriptor, newPINDescriptor, proof.passcodeDescriptor, proof.recoveryKeyDescriptor,
        ])
        guard !context.keychain.isOfSystem else {
            throw CommandFailure(
                "the device key of the system service stays in its file",
                hint: "only the system service can read that file; a user service can seal its device key",
                exitCode: .unavailable)
        }
        let asksNothing = deviceKey == nil && !setsPIN && newPINDescriptor == nil
        guard !asksNothing || (context.inputIsTerminal && pin.descriptor == nil) else {
            throw CommandFailure(
                "--device-key or --pin is required",
                hint: "use --device-key file, tpm or software, and --pin for a PIN, or run the command on a terminal",
                exitCode: .usage
            )
        }
        let report = try context.administer { client throws(ClientError) in
            let report = try client.tokens()
            // The key cannot be moved before it is open.
            if report.pin != nil, try client.lockState() == .awaitingPIN {
                throw ClientError.refused(Refusal(.interactionNotAllowed, .pinNeeded))
            }
            return report
        }
        guard asksNothing else {
            let place = deviceKey?.place ?? report.deviceKey
            let getsPIN = setsPIN || newPINDescriptor != nil || (pin.descriptor != nil && report.pin == nil)
            return try carryOut(SetupPlan(place: place, hasPIN: getsPIN), report, in: context)
        }
        let interview = SetupInterview(context: context, report: report)
        guard let plan = try interview.plan() else { return try context.print("Nothing was changed.\n") }
        try carryOut(plan, report, in: context)
    }

    private func carryOut(
        _ plan: SetupPlan, _ report: TokenReport, in context: CommandContext
    ) throws(CommandFailure) {
        if !plan.hasPIN, report.pin == nil, plan.place == report.deviceKey {
            return try context.print("The device key is already \(plan.place.sentence).\n")
        }
        try plan.check(report)
        if dryRun { return try context.print(plan.sentence(from: report) + "\n") }
        let source = proof.asking.source(context)
        let secret = try proof.proofIfProtected(in: context, besides: [pin.descriptor, newPINDescriptor])
        var move = DeviceKeyMove<SecretBytes>(to: plan.place)
        if report.pin != nil { move.pin = try source.text(.pin, descriptor: pin.descriptor) }
        if plan.hasPIN {
            move.newPIN =
                report.pin == nil
                ? try source.newText(.firstPIN, descriptor: pin.descriptor)
                : try source.newText(.newPIN, descriptor: newPINDescriptor)
        }
        if report.pin == nil {
            try context.administer(entering: secret?.kind) { client throws(ClientError) in
                try client.moveDeviceKey(move, proof: secret)
            }
        } else {
            try context.enteringPIN { client throws(ClientError) in try client.moveDeviceKey(move, proof: secret) }
        }
        try context.print("The device key is \(plan.place.sentence)\(plan.hasPIN ? ", with a PIN" : "") now.\n")
        guard plan.place != .file else { return }
        context.diagnostics.writeIfPossible(
            plan.hasPIN
                ? "If you have no backup, make one: the keychain opens only with this machine and this PIN "
                    + "(chatelaine backup).\n"
                : "If you have no backup, make one: the keychain opens only with this TPM (chatelaine backup).\n")
    }
}

/// The new place of the device key.
struct SetupPlan {
    let place: DeviceKeyLocation
    let hasPIN: Bool

    /// Checks the plan.
    ///
    /// - Throws: a failure with the reason why the key cannot be stored there.
    func check(_ report: TokenReport) throws(CommandFailure) {
        if place == .file, hasPIN {
            throw CommandFailure(
                "a PIN requires a token: a device key in a file can be read without a PIN",
                hint: "use --device-key tpm --pin, or --device-key software --pin", exitCode: .usage)
        }
        if place == .software, !hasPIN {
            throw CommandFailure(
                "the token without hardware requires a PIN, because otherwise it protects no more than a file on the same disk",
                hint: "use --device-key software --pin, or --device-key file", exitCode: .usage)
        }
        guard let kind = place.token else { return }
        guard let token = report.tokens.first(where: { $0.kind == kind }) else {
            throw kind == .tpm
                ? CommandFailure(
                    "cannot seal the device key: no TPM is available",
                    hint: "you need permission to open /dev/tpmrm0; on most systems the group tss has it",
                    exitCode: .unavailable)
                : CommandFailure("cannot seal the device key: no token is available", exitCode: .unavailable)
        }
        if case .unavailable(let reason) = token.state {
            throw CommandFailure(
                "the \(kind == .tpm ? "TPM" : "token") cannot seal the device key: \(visible(reason))",
                exitCode: .unavailable)
        }
    }

    /// Returns a description of the change.
    func sentence(from report: TokenReport) -> String {
        let first = report.pin == nil ? "" : "The command would ask for the current PIN. "
        switch (place, hasPIN) {
        case (.file, _): return first + "The device key would be stored in its file in plaintext."
        case (.tpm, false):
            return first + "The device key would be sealed to the TPM, and its current file would be replaced."
        case (.tpm, true):
            return first + "The device key would be sealed to the TPM with a new PIN, and its current file would be "
                + "replaced."
        case (.software, _):
            return first
                + "The device key would be sealed to the token without hardware with a new PIN, and its current "
                + "file would be replaced."
        }
    }
}

extension DeviceKeyLocation {
    /// The kind of token to which the key is sealed; nil for none.
    fileprivate var token: TokenReport.Token.Kind? {
        switch self {
        case .file: nil
        case .tpm: .tpm
        case .software: .software
        }
    }
}

enum DeviceKeyChoice: String, ExpressibleByArgument, CaseIterable {
    case file
    case tpm
    case software

    var place: DeviceKeyLocation {
        switch self {
        case .file: .file
        case .tpm: .tpm
        case .software: .software
        }
    }
}
