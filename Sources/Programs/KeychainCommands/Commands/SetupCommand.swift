// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct SetupCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Choose where the device key is kept, and what opens it.",
        discussion: """
            The device key ties the keychain to this machine. In its file, who copies the disk has it. Sealed to the TPM, the \
            keychain opens on this machine alone: when the TPM is cleared or the machine is lost, only a backup helps \
            (chatelaine backup). With a PIN it opens only once that was given after each start of the service (chatelaine \
            unlock): nothing can be read before, and a PIN that is forgotten cannot be replaced. The TPM counts wrong PINs; the \
            token without hardware cannot keep anybody who copies its file from trying them all.

            Without options this asks on the terminal.

            EXAMPLES:
              chatelaine setup
              chatelaine setup --device-key tpm --dry-run
              chatelaine setup --device-key tpm --pin
              chatelaine setup --pin                  # another PIN
              chatelaine setup --device-key file      # gives all of it up
            """)

    @Option(help: ArgumentHelp("Where it shall be: file, tpm or software.", valueName: "place"))
    var deviceKey: DeviceKeyChoice?

    @Flag(name: .customLong("pin"), help: "Give it a PIN, or another one. Asks twice.")
    var setsPIN = false

    @OptionGroup var pin: PINOptions

    @Option(
        name: .customLong("new-pin-fd"),
        help: ArgumentHelp("Read the PIN that takes another one's place from this file descriptor.", valueName: "n"))
    var newPINDescriptor: Int32?

    @Flag(help: "Say what would be done, and do nothing.")
    var dryRun = false

    @OptionGroup var proof: ProofOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try checkDescriptors([
            pin.descriptor, newPINDescriptor, proof.passcodeDescriptor, proof.recoveryKeyDescriptor,
        ])
        guard !context.keychain.isOfSystem else {
            throw CommandFailure(
                "in the service of the system the device key stays in its file",
                hint: "only the service itself can read that file; a service of your own can seal its key",
                exitCode: .unavailable)
        }
        let asksNothing = deviceKey == nil && !setsPIN && newPINDescriptor == nil
        guard !asksNothing || (context.inputIsTerminal && pin.descriptor == nil) else {
            throw CommandFailure(
                "setup has to be told where the device key shall be",
                hint: "--device-key file, tpm or software, and --pin for a PIN; on a terminal it asks", exitCode: .usage
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
            return try context.print("The device key is \(plan.place.sentence) already.\n")
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
                ? "Make a backup if there is none: without this machine and this PIN the keychain does not open "
                    + "(chatelaine backup).\n"
                : "Make a backup if there is none: without this TPM the keychain does not open (chatelaine backup).\n")
    }
}

/// The new place of the device key.
struct SetupPlan {
    let place: DeviceKeyPlace
    let hasPIN: Bool

    /// Checks the plan.
    ///
    /// - Throws: a failure with the reason why the key cannot be stored there.
    func check(_ report: TokenReport) throws(CommandFailure) {
        if place == .file, hasPIN {
            throw CommandFailure(
                "a PIN takes a token that wants it: the file is read by whoever has it",
                hint: "--device-key tpm --pin, or --device-key software --pin", exitCode: .usage)
        }
        if place == .software, !hasPIN {
            throw CommandFailure(
                "without a PIN the token without hardware is worth no more than the file: both lie beside each other",
                hint: "--device-key software --pin, or --device-key file", exitCode: .usage)
        }
        guard let kind = place.token else { return }
        guard let token = report.tokens.first(where: { $0.kind == kind }) else {
            throw kind == .tpm
                ? CommandFailure(
                    "there is no TPM that could keep the device key",
                    hint: "a TPM is used if you may open /dev/tpmrm0; on most systems the group tss may",
                    exitCode: .unavailable)
                : CommandFailure("there is no token that could keep the device key", exitCode: .unavailable)
        }
        if case .unavailable(let reason) = token.state {
            throw CommandFailure(
                "the \(kind == .tpm ? "TPM" : "token") cannot keep the device key: \(visible(reason))",
                exitCode: .unavailable)
        }
    }

    /// Returns a description of the change.
    func sentence(from report: TokenReport) -> String {
        let first = report.pin == nil ? "" : "The PIN of now would be asked for. "
        switch (place, hasPIN) {
        case (.file, _): return first + "The device key would be opened, and be in its file in clear again."
        case (.tpm, false):
            return first + "The device key would be sealed to the TPM, and the file with the one of now replaced."
        case (.tpm, true):
            return first + "The device key would be sealed to the TPM with a new PIN, and the file with the one of now "
                + "replaced."
        case (.software, _):
            return first + "The device key would be sealed to the token without hardware with a new PIN, and the file "
                + "with the one of now replaced."
        }
    }
}

extension DeviceKeyPlace {
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

    var place: DeviceKeyPlace {
        switch self {
        case .file: .file
        case .tpm: .tpm
        case .software: .software
        }
    }
}
