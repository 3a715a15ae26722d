// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

struct ImportCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the passwords of a file.",
        discussion: """
            Reads the CSV exports of Apple Passwords, Chrome and Firefox, which it identifies by their first line, and \
            the JSON of `chatelaine export`. Reads the whole file and compares it with the keychain before it stores \
            anything. An existing item with a different secret stays as it is unless you add --replace, which asks \
            before it replaces the seeds of one-time passwords. A seed is replaced by another seed only. A password from \
            a CSV export that is stored for the same site and user is a duplicate, whatever the path of its URL, because \
            browsers export different paths.

            EXAMPLES:
              chatelaine import Passwords.csv --dry-run
              chatelaine import Passwords.csv
              gpg -d backup.json.gpg | chatelaine import
            """)

    @Argument(help: "Input file; standard input if missing or -.", completion: .file())
    private var file: String?

    @Flag(help: "Report the changes without making them.")
    private var dryRun = false

    @Flag(help: "Overwrite the secrets of existing items.")
    private var replace = false

    @Flag(help: "Store the valid records even if others are invalid.")
    private var skipInvalid = false

    @OptionGroup private var confirmation: ConfirmationOptions
    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        try unlocking.unlockIfWanted(in: context, readsInput: file == nil || file == "-")
        let passwords = try read(in: context)
        let plan: ImportPlan
        do {
            plan = try Self.plan(passwords, context.client)
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        var report = ImportReport(isDryRun: dryRun, ignoredColumns: passwords.ignoredColumns)
        passwords.problems.forEach { report.append($0) }
        let isRefused = !passwords.problems.isEmpty && !skipInvalid
        let changes = !dryRun && !isRefused
        if changes, replace { try confirmSeeds(plan.differentSeeds, in: context) }
        for (record, step) in plan.steps {
            try take(step, record, into: &report, changes: changes, context)
        }
        try output.json
            ? context.print(report.json(isDone: !isRefused).document())
            : context.print(report.text(isDone: !isRefused))
        if isRefused {
            throw CommandFailure(
                "the file has invalid records (\(passwords.problems.count))",
                hint: "correct them, or skip them with --skip-invalid")
        }
        let leftOut = report.count(.conflict) + report.count(.invalid)
        guard leftOut == 0 else {
            throw CommandFailure(
                "some records of the file were not stored (\(leftOut))",
                hint: report.count(.conflict) > 0 && !replace
                    ? "add --replace to overwrite the secrets of existing items" : nil,
                exitCode: .partial)
        }
    }

    /// Asks before seeds are replaced, because many sites show a seed only once.
    private func confirmSeeds(_ names: [ItemName], in context: CommandContext) throws(CommandFailure) {
        guard !names.isEmpty else { return }
        let shown = names.prefix(8).map(\.quoted).joined(separator: ", ")
        let rest = names.count > 8 ? " and \(names.count - 8) others" : ""
        try confirmation.confirm(
            "This replaces the seeds of one-time passwords of \(shown)\(rest), and the keychain does not keep the old seeds.",
            in: context)
    }

    /// Larger than any file of a password manager, and small enough to be held several times.
    static let maximumFileBytes = 256 << 20

    private func read(in context: CommandContext) throws(CommandFailure) -> PasswordFile {
        let source: SecretAccumulator?
        let name = file.flatMap { $0 == "-" ? nil : $0 }
        do throws(StreamError) {
            if let name {
                source = try CommandInput(try context.files.read(name)).readAll(limit: Self.maximumFileBytes)
            } else {
                guard !context.inputIsTerminal else { throw StreamError(reason: "it is a terminal") }
                source = try context.input.readAll(limit: Self.maximumFileBytes)
            }
        } catch {
            throw CommandFailure(
                "cannot read \(name.map { "\"\($0)\"" } ?? "standard input"): \(error.reason)",
                hint: name == nil ? "`chatelaine import FILE` reads a file" : nil)
        }
        guard let source else { throw CommandFailure("the file is larger than \(Self.maximumFileBytes >> 20) MiB") }
        do {
            let isJSON = source.bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) } == UInt8(ascii: "{")
            return isJSON ? try PasswordFile(json: source) : try PasswordFile(csv: source)
        } catch {
            throw CommandFailure("line \(error.line): \(error.reason)", hint: "nothing was stored")
        }
    }

    private static func plan(
        _ passwords: PasswordFile, _ client: KeychainClient
    ) throws(ClientError) -> ImportPlan {
        let existing = try client.ownItems(try client.listPasswords())
        return try ImportPlan(
            passwords.records, existing: existing, mergesLogins: passwords.isOfAnotherProgram
        ) { item throws(ClientError) in
            // Comparing secrets is not worth an approval for each item.
            item.isPrivate ? nil : try client.secret(of: item)
        }
    }

    private func take(
        _ step: ImportPlan.Step, _ record: PasswordRecord, into report: inout ImportReport, changes: Bool,
        _ context: CommandContext
    ) throws(CommandFailure) {
        do {
            switch step {
            case .add:
                if changes { try context.client.add(record.attributes, secret: record.secret) }
                report.append(record, .added)
            case .duplicate: report.append(record, .duplicate)
            case .sameLogin(let item): report.append(record, .duplicate, "stored for \(item.name)")
            case .repeated(let line): report.append(record, .duplicate, "the same as line \(line)")
            case .contradiction(let line):
                report.append(record, .conflict, "line \(line) has a different secret for this item")
            case .otherKind(let item):
                report.append(record, .conflict, OneTimePassword.mismatch(item).message)
            case .conflict(let item):
                guard replace else {
                    let reason = item.isPrivate ? "stored as a private item" : "stored with a different secret"
                    return report.append(record, .conflict, reason)
                }
                if changes { try context.client.replace(item, with: record) }
                let isSeed = OneTimePassword.subject(item.attributes) != nil
                report.append(record, .replaced, isSeed ? "it is a seed of one-time passwords" : nil)
            }
        } catch .refused(let refusal) where refusal.status == .duplicateItem {
            // Another program has stored it since the plan was made.
            report.append(record, .conflict, "another program stored it during the import")
        } catch .refused(let refusal) where refusal.status == .itemNotFound {
            report.append(record, .conflict, "another program deleted it during the import")
        } catch {
            let failure = CommandFailure(error, message: context.statusMessage)
            let done = report.count(.added) + report.count(.replaced)
            throw CommandFailure(
                "line \(record.line): \(failure.message)",
                hint: "\(done) records before this line were stored; run the same command again to continue",
                exitCode: failure.exitCode)
        }
    }
}

extension KeychainClient {
    /// Gives an item the secret and the attributes of a record for the same item.
    fileprivate func replace(_ item: ListedItem, with record: PasswordRecord) throws(ClientError) {
        guard let passwordClass = PasswordClass(record.attributes.itemClass) else { return }
        // The identifying attributes are the same by now.
        let keys = Set(passwordClass.keyDefaults.map(\.key) + [.synchronizable, .syncViewHint])
        let changes = record.attributes.entries.filter { !keys.contains($0.key) }
        try update(item.query, changes: try attributes(passwordClass, for: .update, changes), secret: record.secret)
    }
}
