// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel

struct SetupLoginCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Unlock the keychain when you log in.",
        discussion: """
            Adds your login password to the keychain as a protector, beside the passcode, and checks whether PAM passes \
            login passwords on. You type the passcode once and the login password twice. If you change the login \
            password with passwd or at login, the protector changes with it. If the administrator sets another login \
            password, run this command again.

            --undo removes the protector. The passcode is not changed.

            EXAMPLES:
              chatelaine setup login
              chatelaine setup login --undo
            """)

    @Flag(help: "Remove the login password from the keychain.")
    private var undo = false

    @Flag(help: "Report the changes without making them.")
    private var dryRun = false

    @OptionGroup private var proof: ProofOptions

    @Option(
        name: .customLong("login-password-fd"),
        help: ArgumentHelp("Read the login password from this file descriptor.", valueName: "n"))
    private var loginPasswordDescriptor: Int32?

    func validate() throws {
        guard !undo || loginPasswordDescriptor == nil else {
            throw ValidationError("--undo and --login-password-fd cannot be combined")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        if undo { return try remove(in: context) }
        if dryRun {
            try context.print(
                try protector(in: context) == nil
                    ? "The login password would be added to the keychain.\n"
                    : "The login password of the keychain would be replaced.\n")
        } else {
            _ = try proof.addLoginPassword(descriptor: loginPasswordDescriptor, in: context)
            try context.print("The login password unlocks the keychain now.\n")
        }
        let module = LoginModule(machine: context.machine)
        guard module.isEnabled else {
            throw CommandFailure(
                "PAM does not pass the login password on, so a login does not unlock the keychain yet",
                hint: module.advice, exitCode: .partial)
        }
    }

    private func remove(in context: CommandContext) throws(CommandFailure) {
        // A closed descriptor must not become the connection to the service.
        let given = proof.namesDescriptor ? try proof.proof(in: context) : nil
        guard let protector = try protector(in: context) else {
            return try context.print("There is nothing to undo.\n")
        }
        if dryRun { return try context.print("The login password would be removed from the keychain.\n") }
        let secret = if let given { given } else { try proof.proof(in: context) }
        try context.administer(entering: secret.kind) { client throws(ClientError) in
            try client.removeProtector(protector.number, proof: secret)
        }
        try context.print("A login does not unlock the keychain any more.\n")
    }

    private func protector(in context: CommandContext) throws(CommandFailure) -> ProtectorDescription? {
        try context.administer { client throws(ClientError) in try client.protectors() }
            .known.first { $0.kind == .loginPassword }
    }
}

extension ProofOptions {
    /// Adds the login password as a protector, in place of an earlier one.
    ///
    /// - Parameter descriptor: the descriptor to read it from; nil to ask for it twice.
    /// - Returns: the number of the protector.
    func addLoginPassword(descriptor: Int32?, in context: CommandContext) throws(CommandFailure) -> UInt32 {
        let source = asking.source(context)
        // A closed descriptor must not become the connection to the service.
        let given = try descriptor.map { number throws(CommandFailure) in
            try source.newText(.loginPassword, descriptor: number)
        }
        let secret = try proof(in: context, besides: [descriptor])
        let password =
            if let given { given } else { try source.newText(.loginPassword, descriptor: nil) }
        return try context.administer(entering: secret.kind) { client throws(ClientError) in
            try client.addProtector(ProtectorSecret(.loginPassword, password), proof: secret)
        }
    }
}
