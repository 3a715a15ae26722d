// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

struct RestoreCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the items of a backup.",
        discussion: """
            Checks the whole file before it changes anything. Then adds one item after another, with its persistent \
            reference and dates. Older items are replaced. Newer items stay and are reported, unless you add \
            --replace-newer. A second restore changes nothing, so you can repeat an interrupted restore.

            Requires the passcode or the recovery key of this keychain. A keychain without a passcode accepts backups \
            of this device, and other backups after your approval in a prompt; in the system service you authorize \
            both by polkit.

            EXAMPLES:
              chatelaine restore keychain.backup --dry-run
              chatelaine restore keychain.backup
            """)

    @Argument(help: "File that `chatelaine backup` wrote.", completion: .file())
    var file: String

    @Flag(help: "Report the changes without making them.")
    var dryRun = false

    @Flag(help: "Overwrite newer items of the keychain.")
    var replaceNewer = false

    @OptionGroup var opening: BackupOpeningOptions

    @OptionGroup var proof: ProofOptions

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let reading = try BackupReading(file, in: context)
        let proven = try BackupProof(proof, opening.passphraseDescriptor, in: context)
        let secret = try reading.secret(proven, proof.asking.source(context))
        // The whole file is verified before any item is restored.
        let checked = try reading.run(.verify, secret, nil, replacesNewer: false, in: context)
        let report = try reading.run(
            dryRun ? .dryRun : .apply, secret, proven.proof, replacesNewer: replaceNewer,
            total: checked.end?.items, in: context)
        try context.print(output.json ? report.json.document() : Array(report.text.utf8))
        guard report.leftOut == 0 else {
            throw CommandFailure(
                "some items of the backup were not restored (\(report.leftOut))", hint: report.hint, exitCode: .partial)
        }
    }
}

struct VerifyCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a backup without restoring it.",
        discussion: """
            Checks that the file is complete and unchanged, and that it opens with its passphrase or recovery key. \
            Shows how many items could be restored on this device. Changes nothing and requires no passcode.

            EXAMPLES:
              chatelaine verify keychain.backup
              chatelaine verify keychain.backup --passphrase-fd 3 3< passphrase.txt
            """)

    @Argument(help: "File that `chatelaine backup` wrote.", completion: .file())
    var file: String

    @OptionGroup var opening: BackupOpeningOptions

    @Option(
        name: .customLong("recovery-key-fd"),
        help: ArgumentHelp("Read the recovery key from this file descriptor.", valueName: "n"))
    var recoveryKeyDescriptor: Int32?

    @OptionGroup var asking: AskingOptions

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try checkDescriptors([opening.passphraseDescriptor, recoveryKeyDescriptor])
        let reading = try BackupReading(file, in: context)
        let source = asking.source(context)
        let secret: BackupSecret<SecretBytes>
        switch reading.kind {
        case .passphrase:
            let passphrase = try source.text(.backupPassphrase, descriptor: opening.passphraseDescriptor)
            secret = BackupSecret(.passphrase, passphrase)
        case .recoveryKey:
            secret = BackupSecret(.recoveryKey, try source.recoveryKey(descriptor: recoveryKeyDescriptor))
        }
        let report = try reading.run(.verify, secret, nil, replacesNewer: false, in: context)
        try context.print(output.json ? report.json.document() : Array(report.text.utf8))
    }
}

/// The options for opening a backup.
struct BackupOpeningOptions: ParsableArguments {
    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the backup's passphrase from this file descriptor.", valueName: "n"))
    var passphraseDescriptor: Int32?
}

/// The transfer of a backup's file to the service.
struct BackupReading {
    private let file: String
    private let header: [UInt8]
    let kind: BackupSecretKind

    /// Opens the file.
    ///
    /// - Throws: a failure if the file cannot be read or is not a backup.
    init(_ file: String, in context: CommandContext) throws(CommandFailure) {
        self.file = file
        var source = try Self.open(file, context)
        header = try Self.read(&source, atMost: BackupFile.headerBytes, file)
        switch BackupFile.kind(header) {
        case .backup(let kind): self.kind = kind
        case .notABackup: throw CommandFailure("\"\(file)\" is not a backup of a keychain")
        case .newer: throw CommandFailure(.refused(Refusal(.decode, .newerBackup)), message: context.statusMessage)
        case .damaged: throw CommandFailure(.refused(Refusal(.decode, .damagedBackup)), message: context.statusMessage)
        }
    }

    /// Returns the secret that opens the file: from a descriptor, or from a prompt.
    func secret(
        _ proven: BackupProof, _ source: SecretSource
    ) throws(CommandFailure) -> BackupSecret<SecretBytes> {
        switch kind {
        case .passphrase:
            if let given = proven.passphrase { return BackupSecret(.passphrase, given) }
            return BackupSecret(.passphrase, try source.text(.backupPassphrase, descriptor: nil))
        case .recoveryKey:
            if let given = proven.recoveryKey { return BackupSecret(.recoveryKey, given) }
            return BackupSecret(.recoveryKey, try source.recoveryKey(descriptor: nil))
        }
    }

    /// Sends the whole file.
    ///
    /// - Parameter total: the number of items, if known.
    func run(
        _ mode: RestoreMode, _ secret: BackupSecret<SecretBytes>, _ proof: ProtectorSecret<SecretBytes>?,
        replacesNewer: Bool, total: UInt64? = nil, in context: CommandContext
    ) throws(CommandFailure) -> RestoreReport {
        var source = try Self.open(file, context)
        let start = try Self.read(&source, atMost: header.count, file)
        guard start == header else { throw CommandFailure("\"\(file)\" was changed while it was read") }
        let order = RestoreOrder(
            header: header, secret: secret, proof: proof, mode: mode, replacesNewer: replacesNewer)
        func begin(_ client: KeychainClient) throws(ClientError) -> RestoreBegun { try client.beginRestore(order) }
        // Verifying a file changes nothing.
        let begun = mode == .verify ? try context.administer(begin) : try context.loosen(with: proof, begin)
        var report = RestoreReport(file: file, mode: mode, facts: begun.facts)
        var progress = ProgressLine(context, total: total)
        defer { progress.end() }
        do {
            while true {
                let piece = try Self.read(&source, atMost: WireLimits.restorePieceBytes, file)
                guard !piece.isEmpty else { break }
                report.take(try context.client.restore(piece[...], of: begun.token))
                progress.show(report.counts.total)
            }
            report.take(try context.client.finishRestore(begun.token))
        } catch let error as ClientError {
            try? context.client.cancelRestore(begun.token)
            let failure = CommandFailure(error, message: context.statusMessage)
            let changed = report.counts[.added] + report.counts[.addedWithNewIdentifier] + report.counts[.replaced]
            guard mode == .apply, changed > 0 else { throw failure }
            throw CommandFailure(
                failure.message,
                hint: "\(changed) items were restored before this error; run the same command again to continue",
                exitCode: failure.exitCode)
        } catch let error as CommandFailure {
            try? context.client.cancelRestore(begun.token)
            throw error
        } catch {
            throw CommandFailure("cannot read \"\(file)\"")
        }
        return report
    }

    private static func open(_ file: String, _ context: CommandContext) throws(CommandFailure) -> any ByteSource {
        do {
            return try context.files.read(file)
        } catch {
            throw CommandFailure("cannot read \"\(file)\": \(error.reason)")
        }
    }

    /// Reads the requested number of bytes; fewer only at the end of the file.
    private static func read(
        _ source: inout any ByteSource, atMost count: Int, _ file: String
    ) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while bytes.count < count {
                var buffer = [UInt8](repeating: 0, count: count - bytes.count)
                let got = try source.read(into: &buffer)
                guard got > 0 else { break }
                bytes += buffer.prefix(got)
            }
        } catch {
            throw CommandFailure("cannot read \"\(file)\": \(error.reason)")
        }
        return bytes
    }
}
