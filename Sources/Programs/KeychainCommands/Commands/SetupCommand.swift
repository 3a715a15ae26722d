// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct SetupCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Choose where the device key is kept.",
        discussion: """
            The device key ties the keychain to this machine. In its file, who copies the disk has it. Sealed to the TPM, the \
            keychain opens on this machine alone: when the TPM is cleared or the machine is lost, only a backup helps \
            (chatelaine backup). Without options this says what is, and changes nothing.

            EXAMPLES:
              chatelaine setup
              chatelaine setup --device-key tpm --dry-run
              chatelaine setup --device-key tpm
              chatelaine setup --device-key software
            """)

    @Option(help: ArgumentHelp("Where it shall be: tpm or software.", valueName: "place"))
    var deviceKey: DeviceKeyChoice?

    @Flag(help: "Say what would be done, and do nothing.")
    var dryRun = false

    @OptionGroup var proof: ProofOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let report = try context.administer { client throws(ClientError) in try client.tokens() }
        guard let place = deviceKey?.place else {
            try context.print("The device key is \(report.deviceKey.sentence).\n")
            try context.print(Self.advice(report))
            return
        }
        guard place != report.deviceKey else {
            return try context.print("The device key is \(place.sentence) already.\n")
        }
        if place == .tpm { try Self.checkTPM(report) }
        if dryRun {
            return try context.print(
                place == .tpm
                    ? "The device key would be sealed to the TPM, and the file with the clear one replaced.\n"
                    : "The device key would be opened by the TPM, and be in its file in clear again.\n")
        }
        let secret = try proof.proofIfProtected(in: context)
        try context.administer(entering: secret?.kind) { client throws(ClientError) in
            try client.moveDeviceKey(to: place, proof: secret)
        }
        try context.print("The device key is \(place.sentence) now.\n")
        if place == .tpm {
            context.diagnostics.writeIfPossible(
                "Make a backup if there is none: without this TPM the keychain does not open (chatelaine backup).\n")
        }
    }

    private static func advice(_ report: TokenReport) -> String {
        guard report.deviceKey == .file else { return "chatelaine setup --device-key software takes it out again.\n" }
        let hasTPM = report.tokens.contains { token in
            if case .available = token.state { token.kind == .tpm } else { false }
        }
        return hasTPM
            ? "chatelaine setup --device-key tpm seals it to the TPM of this machine.\n"
            : "There is no TPM here that it could be sealed to.\n"
    }

    private static func checkTPM(_ report: TokenReport) throws(CommandFailure) {
        guard let token = report.tokens.first(where: { $0.kind == .tpm }) else {
            throw CommandFailure(
                "there is no TPM that could keep the device key",
                hint: "a TPM is used if you may open /dev/tpmrm0; on most systems the group tss may",
                exitCode: .unavailable)
        }
        if case .unavailable(let reason) = token.state {
            throw CommandFailure("the TPM cannot keep the device key: \(visible(reason))", exitCode: .unavailable)
        }
    }
}

enum DeviceKeyChoice: String, ExpressibleByArgument, CaseIterable {
    case tpm
    case software

    var place: DeviceKeyPlace {
        switch self {
        case .tpm: .tpm
        case .software: .file
        }
    }
}
