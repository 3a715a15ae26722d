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
            Asks for the passcode on the terminal, or by pinentry where there is none. The keychain stays unlocked until \
            `chatelaine lock`, the idle time of `chatelaine settings`, or the end of the service.

            EXAMPLES:
              chatelaine unlock
              chatelaine unlock --recovery-key
              chatelaine unlock --credential-fd 3 3< chatelaine.credential
            """)

    @OptionGroup var proof: ProofOptions

    @Option(
        name: .customLong("login-password-fd"),
        help: ArgumentHelp("Read the login password from this file descriptor.", valueName: "n"))
    var loginPasswordDescriptor: Int32?

    @Option(
        name: .customLong("credential-fd"),
        help: ArgumentHelp("Read a credential from this file descriptor.", valueName: "n"))
    var credentialDescriptor: Int32?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        let given = [
            proof.passcodeDescriptor != nil, proof.usesRecoveryKey || proof.recoveryKeyDescriptor != nil,
            loginPasswordDescriptor != nil, credentialDescriptor != nil,
        ]
        guard given.count(where: \.self) <= 1 else {
            throw ValidationError("one thing is enough to unlock the keychain with")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let secret = try secret(in: context)
        try context.administer(entering: secret.kind) { client throws(ClientError) in
            try client.unlock(with: secret)
        }
        try context.print(output.json ? LockStateText.document(.unlocked) : Array("Unlocked.\n".utf8))
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
            When the command ends, the keys of what needs an unlocked keychain are gone from the service's memory. Without \
            a passcode there is nothing to lock.
            """)

    @OptionGroup var output: OutputOptions

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
        }
    }

    static func word(_ state: LockState) -> String {
        switch state {
        case .noPasscode: "no-passcode"
        case .beforeFirstUnlock: "before-first-unlock"
        case .locked: "locked"
        case .unlocked: "unlocked"
        }
    }

    /// An object with the state and nothing else.
    static func document(_ state: LockState) -> [UInt8] {
        JSONText.object([("state", .text(word(state)))]).document()
    }
}
