// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// The way of prompting the user.
struct AskingOptions: ParsableArguments {
    @Flag(name: .customLong("pinentry"), help: "Ask by pinentry even on a terminal.")
    private(set) var prefersPinentry = false

    func source(_ context: CommandContext) -> SecretSource {
        SecretSource(context: context, prefersPinentry: prefersPinentry)
    }
}

/// The proof of the keychain's owner: the passcode, or the recovery key if the passcode is forgotten.
struct ProofOptions: ParsableArguments {
    @Option(
        name: .customLong("passcode-fd"),
        help: ArgumentHelp("Read the passcode from this file descriptor.", valueName: "n"))
    private(set) var passcodeDescriptor: Int32?

    @Flag(name: .customLong("recovery-key"), help: "Ask for the recovery key instead of the passcode.")
    private(set) var usesRecoveryKey = false

    @Option(
        name: .customLong("recovery-key-fd"),
        help: ArgumentHelp("Read the recovery key from this file descriptor.", valueName: "n"))
    private(set) var recoveryKeyDescriptor: Int32?

    @OptionGroup private(set) var asking: AskingOptions

    func validate() throws {
        guard passcodeDescriptor == nil || (recoveryKeyDescriptor == nil && !usesRecoveryKey) else {
            throw ValidationError("use either the passcode or the recovery key, not both")
        }
    }

    /// Returns the proof, from a descriptor or a prompt.
    ///
    /// - Parameter others: other descriptors that the command reads.
    func proof(
        in context: CommandContext, besides others: [Int32?] = []
    ) throws(CommandFailure) -> ProtectorSecret<SecretBytes> {
        try checkDescriptors([passcodeDescriptor, recoveryKeyDescriptor] + others)
        let source = asking.source(context)
        // Descriptors first: a closed descriptor must not become the connection to the service.
        if passcodeDescriptor == nil, recoveryKeyDescriptor == nil {
            try context.checkEntry(counted: !usesRecoveryKey)
        }
        guard usesRecoveryKey || recoveryKeyDescriptor != nil else {
            return ProtectorSecret(.passcode, try source.text(.passcode, descriptor: passcodeDescriptor))
        }
        return ProtectorSecret(.recoveryKey, try source.recoveryKey(descriptor: recoveryKeyDescriptor))
    }
}

extension ProofOptions {
    /// Whether no option selects the secret, so that a fingerprint may be used.
    var leavesWayOpen: Bool {
        passcodeDescriptor == nil && recoveryKeyDescriptor == nil && !usesRecoveryKey && !asking.prefersPinentry
    }

    /// Whether the secret is read from a descriptor.
    var namesDescriptor: Bool { passcodeDescriptor != nil || recoveryKeyDescriptor != nil }

    /// Returns the proof if a passcode is set, otherwise nil. Like ``proof(in:besides:)``.
    func proofIfProtected(
        in context: CommandContext, besides others: [Int32?] = []
    ) throws(CommandFailure) -> ProtectorSecret<SecretBytes>? {
        let given = namesDescriptor ? try proof(in: context, besides: others) : nil
        let report = try context.administer { client throws(ClientError) in try client.protectors() }
        guard report.hasPasscode else { return nil }
        if let given { return given }
        return try proof(in: context, besides: others)
    }
}

/// Unlocking before a command that reads or stores items.
struct UnlockOptions: ParsableArguments {
    @Flag(name: .customLong("unlock"), help: "Ask for the passcode or a fingerprint if the keychain is locked.")
    private(set) var unlocks = false

    @Option(
        name: .customLong("passcode-fd"),
        help: ArgumentHelp(
            "Read the passcode from this file descriptor if the keychain is locked.", valueName: "n"))
    private(set) var passcodeDescriptor: Int32?

    @OptionGroup private(set) var asking: AskingOptions

    /// Unlocks the keychain if that is requested and it is locked; it stays unlocked then.
    ///
    /// - Parameter readsInput: whether the command reads other data from standard input.
    func unlockIfWanted(in context: CommandContext, readsInput: Bool = false) throws(CommandFailure) {
        guard unlocks || asking.prefersPinentry || passcodeDescriptor != nil else { return }
        guard !readsInput || passcodeDescriptor != 0 else {
            throw CommandFailure(
                "standard input cannot supply both the secret and the passcode",
                hint: "open another descriptor, as in 3< FILE",
                exitCode: .usage)
        }
        let source = asking.source(context)
        if let path = context.client.keychainPath {
            return try unlockFile(path, source, in: context)
        }
        let given: SecretBytes?
        if let passcodeDescriptor {
            given = try source.text(.passcode, descriptor: passcodeDescriptor)
        } else {
            given = nil
        }
        switch try context.openDeviceKey(nil, source) {
        case .noPasscode, .unlocked: return
        case .beforeFirstUnlock, .locked, .awaitingPIN: break
        }
        if given == nil {
            if !asking.prefersPinentry, try context.unlockByFinger() { return }
            try context.checkEntry(counted: true)
        }
        try context.withTries(isTyped: given == nil && !asking.prefersPinentry) {
            () throws(CommandFailure) -> SecretBytes in
            if let given { given } else { try source.text(.passcode, descriptor: nil) }
        } use: { passcode throws(CommandFailure) in
            try context.administer(entering: .passcode) { client throws(ClientError) in
                try client.unlock(with: ProtectorSecret(.passcode, passcode))
            }
        }
    }

    /// Does the same for a keychain file, with its password.
    private func unlockFile(
        _ path: String, _ source: SecretSource, in context: CommandContext
    ) throws(CommandFailure) {
        do throws(ClientError) {
            guard try context.client.keychain(at: path).state == .locked else { return }
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        try context.withTries(isTyped: passcodeDescriptor == nil && !asking.prefersPinentry) {
            () throws(CommandFailure) in
            try source.text(.keychainPassword, descriptor: passcodeDescriptor)
        } use: { password throws(CommandFailure) in
            try context.ofKeychains { client throws(ClientError) in
                try client.unlockKeychain(at: path, password: password)
            }
        }
    }
}

/// The password of an item with its own password. Without the option the service prompts, if possible.
struct ItemPasswordOptions: ParsableArguments {
    @Option(
        name: .customLong("app-password-fd"),
        help: ArgumentHelp("Read the application password of the item from this file descriptor.", valueName: "n"))
    private(set) var descriptor: Int32?

    /// Returns the client with the password.
    ///
    /// - Parameter others: other descriptors that the command reads.
    func client(in context: CommandContext, besides others: [Int32?]) throws(CommandFailure) -> KeychainClient {
        try checkDescriptors([descriptor] + others)
        guard let descriptor else { return context.client }
        let password = try SecretSource(context: context).text(.itemPassword, descriptor: descriptor)
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.applicationPassword = password.bytes
        do throws(ClientError) {
            return try context.client.authenticating(ClientAuthentication(fields))
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
    }
}

/// Checks that descriptors are distinct.
///
/// - Throws: a usage failure if a descriptor is named twice, because its data can be read only once.
func checkDescriptors(_ descriptors: [Int32?]) throws(CommandFailure) {
    let named = descriptors.compactMap(\.self)
    guard Set(named).count == named.count else {
        throw CommandFailure("two options name the same descriptor", exitCode: .usage)
    }
}
