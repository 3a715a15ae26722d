// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import KeychainPasswords
internal import SecretMemory

struct GenerateCommand: ContextCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate passwords.",
        discussion: """
            Prints one password per line and stores none. All passwords that a style and a length allow are equally likely; \
            they come from the operating system's random numbers. --strength prints the entropy in bits. Lengths are 8 to 128 \
            characters, for digits 4 to 128; rules can set other limits.

            Rules are Apple's password rules, such as "minlength: 12; required: upper; required: digit, [-!?]; \
            max-consecutive: 2".

            EXAMPLES:
              chatelaine generate
              chatelaine generate --digits 6
              chatelaine generate --memorable --count 5 --strength
              chatelaine generate | chatelaine set github --user octo
              chatelaine generate --rules "maxlength: 16; required: lower; required: digit"
            """)

    enum StyleFlag: String, EnumerableFlag {
        case random
        case memorable
        case lettersAndNumbers
        case digits

        var style: PasswordGenerator.Style {
            switch self {
            case .random: .random
            case .memorable: .memorable
            case .lettersAndNumbers: .lettersAndNumbers
            case .digits: .numbers
            }
        }

        static func help(for value: StyleFlag) -> ArgumentHelp? {
            switch value {
            case .random: "Letters, digits and symbols, at least one of each; 20 characters. The default."
            case .memorable: "Words in English with a digit and a symbol between them; 28 characters."
            case .lettersAndNumbers: "Letters and digits, at least one of each; 20 characters."
            case .digits: "Digits only; 20 characters."
            }
        }
    }

    @Flag private var style: StyleFlag?

    @Argument(help: ArgumentHelp("Length of each password in characters.", valueName: "length"))
    private var givenLength: Int?

    @Option(
        name: [.customShort("l"), .customLong("length")], help: ArgumentHelp("The same as LENGTH.", valueName: "length")
    )
    private var lengthOption: Int?

    @Option(help: ArgumentHelp("Password rules, instead of a style.", valueName: "text"))
    private var rules: String?

    @Option(name: .shortAndLong, help: "Number of passwords, 1 to 1000.")
    private var count = 1

    @Flag(help: "Print the strength on standard error.")
    private var strength = false

    @OptionGroup private var output: OutputOptions

    func validate() throws {
        guard rules == nil || style == nil else {
            throw ValidationError("--rules and --\(style?.rawValue ?? "") cannot be combined")
        }
        guard givenLength == nil || lengthOption == nil else {
            throw ValidationError("LENGTH and --length cannot be combined")
        }
        guard (1...1000).contains(count) else { throw ValidationError("--count must be between 1 and 1000") }
    }

    func run(in context: CommandContext) throws(CommandFailure) {
        let generator = try generator()
        let bits = StrengthText.tenths(generator.entropyBits)
        if output.json {
            let passwords = (0..<count).map { _ in generator.secret() }
            let json = JSONText.object([
                ("passwords", .array(passwords.map { .secret($0) })),
                ("length", .integer(Int64(generator.length))), ("entropyBits", bits),
            ])
            // A control character takes six bytes in JSON, and each password has a line of its own.
            var document = json.document(reserving: count * (6 * generator.length + 16) + 256)
            defer { wipe(&document) }
            try context.print(document)
        } else {
            for _ in 0..<count {
                try context.print(generator.secret().bytes)
                try context.print("\n")
            }
        }
        if strength {
            let tenths = Int(generator.entropyBits * 10)
            let each = count == 1 ? "" : " each"
            context.diagnostics.writeIfPossible(
                "\(generator.length) characters, \(tenths / 10).\(tenths % 10) bits\(each): "
                    + "\(StrengthText.guesses(generator.entropyBits * 0.301_03)) for an attacker who knows this command and its options\n"
            )
        }
    }

    private var length: Int? { givenLength ?? lengthOption }

    private func generator() throws(CommandFailure) -> PasswordGenerator {
        let parsed = try parsedRules()
        do throws(PasswordGeneratorError) {
            if let parsed { return try PasswordGenerator(following: parsed, length: length) }
            guard let length else { return PasswordGenerator(style?.style ?? .random) }
            return try PasswordGenerator(style?.style ?? .random, length: length)
        } catch {
            throw CommandFailure("\(error)", exitCode: .usage)
        }
    }

    private func parsedRules() throws(CommandFailure) -> PasswordRules? {
        guard let rules else { return nil }
        do throws(PasswordRulesSyntaxError) {
            return try PasswordRules(parsing: rules)
        } catch {
            throw CommandFailure("\(error)", exitCode: .usage)
        }
    }
}

extension PasswordGenerator {
    /// Returns a new password, with the operating system's random numbers.
    func secret() -> SecretBytes {
        var system = SystemRandomNumberGenerator()
        var password = generate(using: &system)
        return SecretBytes(moving: &password)
    }
}
