// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

struct UnlockCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the keychain.",
        discussion: """
            Asks for the PIN of the device key if the key has one and it was not entered since the start of the \
            service. Then asks for the passcode if one is set. The prompt is on the terminal, or by pinentry if there \
            is no terminal. The keychain stays unlocked until `chatelaine lock`, the idle time of `chatelaine \
            settings`, or the end of the service. The device key stays open until the end of the service.

            If the setting unlock-by-finger is on, the command asks for a fingerprint, or for the passcode if you \
            choose that. The passcode is required after each start of the service, after a change of the enrolment, \
            after five wrong fingerprints, after 48 hours without an unlock, and when the passcode was not entered for \
            156 hours and no fingerprint unlocked the keychain for 4 hours. A fingerprint does not unlock keychain \
            files.

            EXAMPLES:
              chatelaine unlock
              chatelaine unlock --recovery-key
              chatelaine unlock --credential-fd 3 3< chatelaine.credential
            """)

    @OptionGroup private var pin: PINOptions

    @OptionGroup private var proof: ProofOptions

    @Option(
        name: .customLong("login-password-fd"),
        help: ArgumentHelp("Read the login password from this file descriptor.", valueName: "n"))
    private var loginPasswordDescriptor: Int32?

    @Option(
        name: .customLong("credential-fd"),
        help: ArgumentHelp("Read a credential from this file descriptor.", valueName: "n"))
    private var credentialDescriptor: Int32?

    @OptionGroup private var output: OutputOptions

    func validate() throws {
        let given = [
            proof.passcodeDescriptor != nil, proof.usesRecoveryKey || proof.recoveryKeyDescriptor != nil,
            loginPasswordDescriptor != nil, credentialDescriptor != nil,
        ]
        guard given.count(where: \.self) <= 1 else {
            throw ValidationError("only one secret can be used to unlock the keychain")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        try checkDescriptors([
            pin.descriptor, proof.passcodeDescriptor, proof.recoveryKeyDescriptor, loginPasswordDescriptor,
            credentialDescriptor,
        ])
        let source = proof.asking.source(context)
        // Descriptors first: a closed descriptor must not become the connection to the service.
        let givenPIN: SecretBytes?
        if let descriptor = pin.descriptor {
            givenPIN = try source.text(.pin, descriptor: descriptor)
        } else {
            givenPIN = nil
        }
        let given = namesDescriptor ? try secret(in: context) : nil
        let before = try context.administer { client throws(ClientError) in try client.lockState() }
        let state = try context.openDeviceKey(givenPIN, source)
        // Only the PIN was requested, or there is nothing else to enter.
        if given == nil, state == .noPasscode || state == .unlocked, before == .awaitingPIN || givenPIN != nil {
            return try context.print(output.json ? LockStateText.document(state) : Array("Open.\n".utf8))
        }
        if given == nil, proof.leavesWayOpen, try context.unlockByFinger() {
            return try context.print(output.json ? LockStateText.document(.unlocked) : Array("Unlocked.\n".utf8))
        }
        try context.withTries(isTyped: given == nil && !proof.asking.prefersPinentry) {
            () throws(CommandFailure) -> ProtectorSecret<SecretBytes> in
            if let given { given } else { try secret(in: context) }
        } use: { secret throws(CommandFailure) in
            try context.administer(entering: secret.kind) { client throws(ClientError) in
                try client.unlock(with: secret)
            }
        }
        try context.print(output.json ? LockStateText.document(.unlocked) : Array("Unlocked.\n".utf8))
    }

    private var namesDescriptor: Bool {
        proof.passcodeDescriptor != nil || proof.recoveryKeyDescriptor != nil || loginPasswordDescriptor != nil
            || credentialDescriptor != nil
    }

    private func secret(in context: CommandContext) throws(CommandFailure) -> ProtectorSecret<SecretBytes> {
        let source = proof.asking.source(context)
        if let credentialDescriptor {
            return ProtectorSecret(.credential, try source.credential(descriptor: credentialDescriptor))
        }
        if let loginPasswordDescriptor {
            let password = try source.text(.loginPassword, descriptor: loginPasswordDescriptor)
            return ProtectorSecret(.loginPassword, password)
        }
        return try proof.proof(in: context)
    }
}

struct LockCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the keychain.",
        discussion: """
            When the command ends, the service has removed the keys of items that require an unlocked keychain from \
            its memory. Without a passcode, the command locks nothing. The device key stays open, even if it has a \
            PIN.
            """)

    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let state = try context.administer { client throws(ClientError) in
            try client.lock()
            return try client.lockState()
        }
        guard state != .noPasscode else {
            throw CommandFailure(
                .refused(Refusal(.authenticationFailed, .noPasscode)), message: context.statusMessage)
        }
        try context.print(output.json ? LockStateText.document(state) : Array("Locked.\n".utf8))
    }
}

/// The words for the states of a keychain.
enum LockStateText {
    static func sentence(_ state: LockState) -> String {
        switch state {
        case .noPasscode: "open (no passcode is set)"
        case .beforeFirstUnlock: "locked (not unlocked since the service was started)"
        case .locked: "locked"
        case .unlocked: "unlocked"
        case .awaitingPIN: "closed (the PIN of the device key is needed: chatelaine unlock)"
        }
    }

    static func word(_ state: LockState) -> String {
        switch state {
        case .noPasscode: "no-passcode"
        case .beforeFirstUnlock: "before-first-unlock"
        case .locked: "locked"
        case .unlocked: "unlocked"
        case .awaitingPIN: "awaiting-pin"
        }
    }

    /// Returns a JSON object with only the state.
    static func document(_ state: LockState) -> [UInt8] {
        JSONText.object([("state", .text(word(state)))]).document()
    }
}
