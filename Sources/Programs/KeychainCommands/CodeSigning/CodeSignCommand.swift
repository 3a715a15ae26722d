// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainClient
internal import KeychainCodeSigning
internal import KeychainModel
internal import SecretMemory

struct CodeSignCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "codesign",
        abstract: "Sign programs, and verify or show their signatures.",
        discussion: """
            A signature names the team and the entitlements of a program. It is stored in the program itself, so \
            copies and packages keep it. Each later change of the program, for example by strip, makes the signature \
            void. Entitlements without an application-identifier get one: the team and the identifier of the program.

            EXAMPLES:
              chatelaine codesign --sign work --entitlements mail.entitlements ./mail
              chatelaine codesign --verify ./mail
              chatelaine codesign --display --entitlements - ./mail
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Sign with the team key that has this identifier or label.", valueName: "team"))
    private var sign: String?

    @Flag(name: [.customShort("v"), .long], help: "Verify that a program is unchanged since it was signed.")
    private var verify = false

    @Flag(name: .shortAndLong, help: "Show the team, the identifier and other properties of a signature.")
    private var display = false

    @Flag(help: "Remove the signature.")
    private var removeSignature = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("With --sign: the signing identifier, such as org.example.mail.", valueName: "id"))
    private var identifier: String?

    @Option(
        help: ArgumentHelp(
            "With --sign: a property list. With --display: - prints only the property list.", valueName: "file"),
        completion: .file())
    private var entitlements: String?

    @Option(help: ArgumentHelp("With --verify: the required team.", valueName: "id"))
    private var team: String?

    @Argument(help: ArgumentHelp("Programs.", valueName: "program"), completion: .file())
    private var programs: [String]

    @OptionGroup private var unlocking: UnlockOptions
    @OptionGroup private var output: OutputOptions

    func validate() throws {
        let count = [sign != nil, verify, display, removeSignature].count { $0 }
        guard count == 1 else {
            throw ValidationError("one of --sign, --verify, --display and --remove-signature is required")
        }
        guard identifier == nil || sign != nil else { throw ValidationError("--identifier requires --sign") }
        guard entitlements == nil || sign != nil || (display && entitlements == "-") else {
            throw ValidationError("--entitlements FILE requires --sign, and --entitlements - requires --display")
        }
        guard team == nil || verify else { throw ValidationError("--team requires --verify") }
        guard identifier == nil || programs.count == 1 else {
            throw ValidationError("--identifier requires exactly one program")
        }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        if let sign { return try signPrograms(sign, in: context) }
        let team = try requiredTeam()
        for path in programs {
            let signature = try ProgramSignature(path, in: context)
            if verify {
                try verify(signature, team, in: context)
            } else if display {
                try show(signature, in: context)
            } else {
                let isRemoved = try signature.remove(in: context)
                try report(path, isRemoved ? "removed" : "not-signed", signer: nil, in: context) {
                    isRemoved ? "The signature of \($0) is removed." : "\($0) is not signed."
                }
            }
        }
    }

    // MARK: Signing

    private func signPrograms(_ name: String, in context: CommandContext) throws(CommandFailure) {
        let readsInput = entitlements == "-"
        let list: [UInt8]?
        if readsInput {
            list = try context.readInput(limit: EntitlementsFile.byteLimit)
        } else if let entitlements {
            list = try context.readFile(entitlements, limit: EntitlementsFile.byteLimit)
        } else {
            list = nil
        }
        // All checks of the arguments, before any change.
        let signatures = try programs.map { path throws(CommandFailure) in
            (try ProgramSignature(path, in: context), try self.identifier(of: path))
        }
        try unlocking.unlockIfWanted(in: context, readsInput: readsInput)
        let key = try TeamKey.find(name, in: context)
        let checked = try signatures.map { signature, identifier throws(CommandFailure) in
            var granted = Entitlements.none
            if let list {
                granted = try EntitlementsFile.read(
                    list, path: entitlements ?? "", team: key.team, identifier: identifier)
            }
            do throws(EntitlementRules.Violation) {
                try EntitlementRules.check(granted, of: key.team)
            } catch {
                throw error.failure(of: key.team)
            }
            do throws(EntitlementError) {
                return (signature, identifier, try EntitlementRules.completed(granted, of: key.team, identifier))
            } catch {
                throw CommandFailure(
                    "\"\(entitlements ?? "")\" has no room for the application-identifier: \(error.sentence)")
            }
        }
        let privateKey = try TeamKey.privateKey(key.seed(in: context))
        for (signature, identifier, granted) in checked {
            try signature.sign(as: identifier, granted, by: privateKey, in: context)
            try report(signature.path, "signed", signer: (key.team, identifier), in: context) {
                "Signed \($0) as \(identifier) of the team \(key.team)."
            }
        }
    }

    private func identifier(of path: String) throws(CommandFailure) -> SigningIdentifier {
        let name = identifier ?? path.split(separator: "/").last.map(String.init) ?? ""
        guard let identifier = SigningIdentifier(name) else {
            throw CommandFailure(
                "\"\(name)\" is not a valid signing identifier",
                hint:
                    "it must consist of letters, digits, - and _ in parts joined by full stops; set it with --identifier",
                exitCode: .usage)
        }
        return identifier
    }

    // MARK: Displaying and verifying

    private func requiredTeam() throws(CommandFailure) -> TeamIdentifier? {
        guard let team else { return nil }
        guard let identifier = TeamIdentifier(team) else {
            throw CommandFailure(
                "\"\(team)\" is not a team identifier", hint: "a team identifier has 26 characters, A to Z and 2 to 7",
                exitCode: .usage)
        }
        return identifier
    }

    private func verify(
        _ program: ProgramSignature, _ team: TeamIdentifier?, in context: CommandContext
    ) throws(CommandFailure) {
        let signature = try program.verified()
        if let team, team != signature.team {
            throw CommandFailure("\"\(program.path)\" is signed by the team \(signature.team), not by \(team)")
        }
        try report(program.path, "valid", signer: (signature.team, signature.statement.identifier), in: context) {
            "\($0) is unchanged since the team \(signature.team) signed it."
        }
    }

    private func show(_ program: ProgramSignature, in context: CommandContext) throws(CommandFailure) {
        let signature = try program.stated()
        let statement = signature.statement
        if entitlements != nil { return try context.print(EntitlementsFile.xml(statement.entitlements)) }
        // No calendar has the times that a clock cannot show.
        let seconds = Int64(exactly: statement.time) ?? .max
        let moment = CivilTime(Timestamp(secondsSinceReferenceDate: Double(seconds) - Double(CivilTime.referenceDate)))
        try output.print(
            [
                ("program", .text(program.path)),
                ("identifier", .text(statement.identifier.text)),
                ("team", .text(signature.team.text)),
                ("signed", moment.map { .text($0.rfc3339) } ?? .null),
                ("machine", .text(program.machine)),
                ("digest", .text(signature.digest.hexadecimal)),
                ("entitlements", .object(statement.entitlements.entries.map { ($0.key, $0.value.json) })),
            ],
            or: """
                Executable=\(visible(program.path))
                Identifier=\(statement.identifier)
                Format=ELF 64-bit (\(program.machine))
                TeamIdentifier=\(signature.team)
                Signed=\(moment?.rfc3339 ?? "unknown")
                Digest=sha256:\(signature.digest.hexadecimal)
                Entitlements=\(statement.entitlements.entries.count)

                """, in: context)
    }

    private func report(
        _ path: String, _ result: String, signer: (TeamIdentifier, SigningIdentifier)?, in context: CommandContext,
        sentence: (String) -> String
    ) throws(CommandFailure) {
        guard output.json else { return try context.print(visible(sentence("\"\(path)\"")) + "\n") }
        var fields: [(String, JSONText)] = [("result", .text(result)), ("program", .text(path))]
        if let signer { fields += [("team", .text(signer.0.text)), ("identifier", .text(signer.1.text))] }
        try context.print(JSONText.object(fields).document())
    }
}

extension ProgramSignature {
    /// The processor, by its uname(1) name.
    fileprivate var machine: String {
        switch file.machine {
        case 62: "x86_64"
        case 183: "aarch64"
        case 243: "riscv64"
        default: "machine \(file.machine)"
        }
    }
}

extension Entitlements.Value {
    fileprivate var json: JSONText {
        switch self {
        case .bool(let value): .boolean(value)
        case .text(let text): .text(text)
        case .list(let texts): .array(texts.map(JSONText.text))
        }
    }
}

extension CommandContext {
    /// Reads all of standard input.
    fileprivate func readInput(limit: Int) throws(CommandFailure) -> [UInt8] {
        do throws(StreamError) {
            guard let all = try input.readAll(limit: limit) else {
                throw StreamError(reason: "it has more than \(limit) bytes")
            }
            return all.bytes
        } catch {
            throw CommandFailure("cannot read standard input: \(error.reason)")
        }
    }
}
