// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

struct ExportCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the passwords to a file in plaintext.",
        discussion: """
            JSON contains everything, and `chatelaine import` creates the same items from it. CSV contains the columns \
            that Apple Passwords, Chrome or Firefox import. Only the owner of a new file can read it.

            `chatelaine` cannot read the passwords of other programs. It counts them, and the exit status is 6; with \
            --own it skips them.

            EXAMPLES:
              chatelaine export backup.json --own
              chatelaine export Passwords.csv --format apple
              chatelaine export | gpg -c > backup.json.gpg
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case json
        case apple
        case chrome
        case firefox
    }

    @Argument(help: "Output file; standard output if missing or -.", completion: .file())
    private var file: String?

    @Option(name: .shortAndLong, help: "Format of the file.")
    private var format = Format.json

    @Flag(help: "Skip the passwords of other programs without counting them.")
    private var own = false

    @Flag(help: "Replace an existing file.")
    private var force = false

    @Flag(help: "Show the passwords on a terminal.")
    private var toTerminal = false

    @OptionGroup private var unlocking: UnlockOptions

    func run(in context: CommandContext) throws(CommandFailure) {
        let path = file.flatMap { $0 == "-" ? nil : $0 }
        guard path != nil || !context.outputIsTerminal || toTerminal else {
            throw CommandFailure(
                "the passwords would be shown on the terminal", hint: "name a file, or add --to-terminal",
                exitCode: .usage)
        }
        try unlocking.unlockIfWanted(in: context)
        var leftOut: [String] = []
        let passwords = try read(&leftOut, in: context)
        var count = passwords.count
        switch format {
        case .json:
            var document = JSONPasswords.document(passwords)
            defer { wipe(&document) }
            try write(document, to: path, in: context)
        case .apple: try write(.apple, passwords, count: &count, leftOut: &leftOut, to: path, in: context)
        case .chrome: try write(.chrome, passwords, count: &count, leftOut: &leftOut, to: path, in: context)
        case .firefox: try write(.firefox, passwords, count: &count, leftOut: &leftOut, to: path, in: context)
        }
        if let path {
            context.diagnostics.writeIfPossible(
                visible(
                    "Exported \(count) passwords to \"\(path)\". Any process that can read the file can read the passwords."
                ) + "\n")
        } else {
            context.diagnostics.writeIfPossible("Exported \(count) passwords in plaintext.\n")
        }
        guard leftOut.isEmpty else {
            throw CommandFailure(
                "the export is incomplete: " + leftOut.joined(separator: "; "), hint: hint, exitCode: .partial)
        }
    }

    private var hint: String? { format == .json ? nil : "--format json exports every item" }

    /// Reads the items that this command may read, and counts the others.
    private func read(
        _ leftOut: inout [String], in context: CommandContext
    ) throws(CommandFailure) -> [ExportedPassword] {
        var passwords: [ExportedPassword] = []
        do {
            let groups = try context.client.status().accessGroups
            let items = try context.client.listPasswords()
            // The service would refuse them one by one, and log each refusal.
            let foreignCount = items.count { !groups.contains($0.group) }
            if foreignCount > 0, !own { leftOut.append("\(foreignCount) belong to other programs") }
            var refusedCount = 0
            for item in items where groups.contains(item.group) {
                do {
                    passwords.append(ExportedPassword(item: item, secret: try context.client.secret(of: item)))
                } catch .refused(let refusal) {
                    // An item that was deleted meanwhile is not missing.
                    if refusal.status != .itemNotFound { refusedCount += 1 }
                }
            }
            if refusedCount > 0 { leftOut.append("the service refused \(refusedCount)") }
        } catch {
            throw CommandFailure(error, message: context.statusMessage)
        }
        return passwords
    }

    private func write(
        _ layout: CSVLayout, _ passwords: [ExportedPassword], count: inout Int, leftOut: inout [String],
        to path: String?, in context: CommandContext
    ) throws(CommandFailure) {
        let csv = CSVPasswords(passwords, layout)
        if csv.binaryCount > 0 { leftOut.append("\(csv.binaryCount) are not text") }
        if csv.unfitCount > 0 {
            leftOut.append("\(csv.unfitCount) do not fit the columns of \(layout.rawValue)")
        }
        count -= csv.binaryCount + csv.unfitCount
        try write(csv.output.bytes, to: path, in: context)
    }

    private func write(_ bytes: [UInt8], to path: String?, in context: CommandContext) throws(CommandFailure) {
        guard let path else { return try context.print(bytes) }
        do {
            try context.files.writePrivate(bytes, to: path, replacing: force)
        } catch {
            throw CommandFailure(
                "cannot write \"\(path)\": \(error.reason)",
                hint: force ? nil : "add --force to replace an existing file")
        }
    }
}
