// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainEndpoint
internal import KeychainPlatform
internal import KeychainServer
internal import SecretMemory

/// Saves the data of a damaged database instead of running the service: `chatelaine salvage` starts it.
struct SalvageMode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Recover the readable items of a damaged keychain, while no service runs.",
        discussion: """
            Missing rows are added from the newest snapshots. The damaged files are kept under another name. A \
            keychain file stays in its place, and its readable items are stored in a new file beside it.
            """)

    @Option(
        help: ArgumentHelp(
            "Keychain file to recover instead of the data-protection keychain; its password replaces the passcode.",
            valueName: "keychain"))
    var keychain: String?

    @Option(
        name: .customLong("passcode-fd"),
        help: ArgumentHelp(
            "Read the passcode from this descriptor, to verify every item.", valueName: "number"))
    var passcodeDescriptor: Int32?

    @Option(
        name: .customLong("pin-fd"),
        help: ArgumentHelp("Read the PIN of the device key from this descriptor.", valueName: "number"))
    var pinDescriptor: Int32?

    @Option(
        help: ArgumentHelp(
            "User of the system service whose keychain to recover; run by root.", valueName: "user"))
    var ofUser: String?

    @Option(
        help: ArgumentHelp("Folder of all keychains of the system service.", valueName: "folder"))
    var systemDirectory = SystemDirectories.usual.state

    func start() -> Never {
        do throws(StartError) {
            var passcode: SecretBytes?
            if let passcodeDescriptor { passcode = try read(passcodeDescriptor) }
            var pin: SecretBytes?
            if let pinDescriptor { pin = try read(pinDescriptor) }
            let program =
                if let ofUser {
                    try SalvageProgram(
                        ofUser: ofUser,
                        in: SystemDirectories(
                            runtime: SystemDirectories.usual.runtime, state: systemDirectory))
                } else {
                    SalvageProgram(directories: .current())
                }
            let lines =
                if let keychain {
                    try program.run(keychain: keychain, password: passcode, pin: pin)
                } else {
                    try program.run(passcode: passcode, pin: pin)
                }
            for line in lines { print(line) }
            Self.exit()
        } catch {
            var text = "error: \(error)"
            if let hint = error.hint { text += "\nhint: \(hint)" }
            Chatelained.exit(withMessage: text)
        }
    }

    /// Without the newline at the end, if there is one.
    private func read(_ descriptor: Int32) throws(StartError) -> SecretBytes {
        do throws(SecretInput.Error) {
            let text = try SecretInput.read(descriptor: descriptor, limit: 1025)
            guard text.bytes.last == UInt8(ascii: "\n") else { return text }
            return SecretBytes(copying: text.bytes.dropLast())
        } catch {
            throw StartError(passcode: error)
        }
    }
}
