// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

struct BackupCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write all items of all programs to an encrypted file.",
        discussion: """
            The file opens with its own passphrase or with the keychain's recovery key. Creating it requires the \
            passcode or the recovery key. Without a passcode, the file can be restored on this device only, unless \
            --portable is given and you approve the backup in a prompt. The command says this before it asks for the \
            passphrase. The keychain must be unlocked.

            Items that may not leave this device can be restored on it only. Items that require a passcode, a token or \
            owner authentication are left out and listed.

            EXAMPLES:
              chatelaine backup keychain.backup
              chatelaine backup keychain.backup --recovery-key
              chatelaine backup keychain.backup --portable
              chatelaine backup keychain.backup --passphrase-fd 3 3< passphrase.txt
            """)

    @Argument(help: "Output file.", completion: .file())
    var file: String

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the backup's passphrase from this file descriptor.", valueName: "n"))
    var passphraseDescriptor: Int32?

    @OptionGroup var proof: ProofOptions

    @Flag(help: "Without a passcode: make a file for any device, after your approval.")
    var portable = false

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let proven = try BackupProof(proof, passphraseDescriptor, in: context)
        // With a passcode each backup is portable, and the passcode proves the owner.
        let approval = portable && proven.proof == nil ? try approve(in: context) : nil
        let secret: BackupSecret<SecretBytes>
        if let key = proven.recoveryKey, passphraseDescriptor == nil {
            secret = BackupSecret(.recoveryKey, key)
        } else if let given = proven.passphrase {
            secret = BackupSecret(.passphrase, given)
        } else {
            if proven.proof == nil, approval == nil {
                context.diagnostics.writeIfPossible(
                    "note: no passcode is set, so the backup will contain all items of all programs, and can be "
                        + "restored on this device only; for another device, add --portable\n")
            }
            secret = BackupSecret(
                .passphrase, try proof.asking.source(context).newText(.backupPassphrase, descriptor: nil))
        }
        var report = BackupReport(file: file)
        try write(secret, proven.proof, approval, &report, in: context)
        try context.print(output.json ? report.json.document() : Array(report.text.utf8))
        // Keychain files have their own passwords, which the user who makes a backup need not know.
        guard let files = try? context.client.keychains(), !files.isEmpty else { return }
        context.diagnostics.writeIfPossible(
            "note: \(files.count) keychain \(files.count == 1 ? "file is" : "files are") not in the backup; "
                + "`chatelaine keychains backup` copies one\n")
    }

    /// Says what a portable backup contains, and asks the owner for it.
    ///
    /// - Returns: the token of the approval.
    private func approve(in context: CommandContext) throws(CommandFailure) -> JobToken {
        context.diagnostics.writeIfPossible(
            "note: no passcode is set, so your approval is required. The backup will contain the secrets of all items of "
                + "all programs, and each person and program that knows its passphrase can read them on any device. Items "
                + "that may not leave this device (ThisDeviceOnly) can be restored on this device only\n")
        let approved = try context.loosen(with: nil) { client throws(ClientError) in
            try client.approvePortableBackup()
        }
        context.diagnostics.writeIfPossible("note: the keychain has \(approved.itemCount) items\n")
        return approved.token
    }

    private func write(
        _ secret: BackupSecret<SecretBytes>, _ proof: ProtectorSecret<SecretBytes>?, _ approval: JobToken?,
        _ report: inout BackupReport, in context: CommandContext
    ) throws(CommandFailure) {
        let output: any PrivateFileSink
        do {
            output = try context.files.createPrivate(file, replacing: force)
        } catch {
            throw CommandFailure(
                "cannot write \"\(file)\": \(error.reason)",
                hint: force ? nil : "add --force to replace an existing file")
        }
        let begun = try context.administer { client throws(ClientError) in
            if let approval { return try client.beginPortableBackup(secret, approval: approval) }
            return try client.beginBackup(secret, proof: proof)
        }
        report.form = begun.form
        var progress = ProgressLine(context, total: begun.itemCount)
        defer { progress.end() }
        while true {
            let piece: BackupPiece
            do {
                piece = try context.client.nextPiece(of: begun.token)
            } catch {
                throw CommandFailure(error, message: context.statusMessage)
            }
            do {
                try output.write(piece.bytes)
                if piece.isLast { try output.commit() }
            } catch {
                try? context.client.cancelBackup(begun.token)
                throw CommandFailure("cannot write \"\(file)\": \(error.reason)")
            }
            report.omitted += piece.omitted
            report.counts = piece.counts
            progress.show(piece.counts.items + piece.counts.leftOut)
            if piece.isLast { return }
        }
    }
}

/// The secrets for a command on a backup, from descriptors and prompts.
struct BackupProof {
    /// The proof; nil for a keychain without a passcode.
    private(set) var proof: ProtectorSecret<SecretBytes>?
    let passphrase: SecretBytes?

    var recoveryKey: SecretBytes? { proof.flatMap { $0.kind == .recoveryKey ? $0.bytes : nil } }

    /// Reads the secrets.
    ///
    /// - Throws: a failure for a locked keychain, before the user types a secret for it.
    init(
        _ options: ProofOptions, _ passphraseDescriptor: Int32?, in context: CommandContext
    ) throws(CommandFailure) {
        try checkDescriptors([options.passcodeDescriptor, options.recoveryKeyDescriptor, passphraseDescriptor])
        // Descriptors first: a closed descriptor must not become the connection to the service.
        let source = options.asking.source(context)
        if let passphraseDescriptor {
            passphrase = try source.text(.backupPassphrase, descriptor: passphraseDescriptor)
        } else {
            passphrase = nil
        }
        if let descriptor = options.passcodeDescriptor {
            proof = ProtectorSecret(.passcode, try source.text(.passcode, descriptor: descriptor))
        } else if let descriptor = options.recoveryKeyDescriptor {
            proof = ProtectorSecret(.recoveryKey, try source.recoveryKey(descriptor: descriptor))
        } else {
            proof = nil
        }
        let state = try context.administer { client throws(ClientError) in try client.lockState() }
        guard state == .noPasscode || state == .unlocked else {
            throw CommandFailure(
                "the keychain is locked", hint: "unlock it with `chatelaine unlock`", exitCode: .refused)
        }
        guard proof == nil else { return }
        if options.usesRecoveryKey {
            proof = ProtectorSecret(.recoveryKey, try source.recoveryKey(descriptor: nil))
        } else if state == .unlocked {
            proof = try options.proof(in: context)
        }
    }
}
