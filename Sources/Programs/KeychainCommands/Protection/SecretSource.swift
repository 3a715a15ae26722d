// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import SecretMemory

/// The source of the secrets that open a keychain: a descriptor that the command line names, otherwise a prompt.
///
/// The prompt is on the terminal; by pinentry if there is no terminal, or if requested. If no prompt can be shown, the
/// command fails at once. Secrets never come from an argument or the environment.
struct SecretSource {
    let context: CommandContext
    var prefersPinentry = false

    /// The kind of secret.
    enum Kind {
        case passcode
        /// A passcode for a keychain without one.
        case firstPasscode
        /// A passcode that replaces another one.
        case newPasscode
        case loginPassword
        case recoveryKey
        case credential
        /// The passphrase of a file with a team key.
        case teamKeyPassphrase
        /// The passphrase that opens a backup, and no keychain.
        case backupPassphrase
        /// The item's own password, which is part of the key of the item in addition to the keychain's.
        case itemPassword
        /// The password of a keychain file. May be empty.
        case keychainPassword
        /// The password of a new keychain file, or a replacement.
        case newKeychainPassword
        /// A password that is only checked for strength.
        case anyPassword
        /// The PIN that opens the device key.
        case pin
        /// A PIN for a device key without one.
        case firstPIN
        /// A PIN that replaces another one.
        case newPIN

        /// The name for display.
        var title: String {
            switch self {
            case .passcode: "passcode"
            case .firstPasscode, .newPasscode: "new passcode"
            case .loginPassword: "login password"
            case .recoveryKey: "recovery key"
            case .credential: "credential"
            case .teamKeyPassphrase: "passphrase of the team key"
            case .backupPassphrase: "passphrase of the backup"
            case .itemPassword: "application password of the item"
            case .keychainPassword: "password of the keychain"
            case .newKeychainPassword: "new password of the keychain"
            case .anyPassword: "password"
            case .pin: "PIN"
            case .firstPIN, .newPIN: "new PIN"
            }
        }

        /// The option that names a descriptor with the secret.
        var option: String {
            switch self {
            case .passcode, .firstPasscode: "--passcode-fd"
            case .newPasscode: "--new-passcode-fd"
            case .loginPassword: "--login-password-fd"
            case .recoveryKey: "--recovery-key-fd"
            case .credential: "--credential-fd"
            case .teamKeyPassphrase: "--passphrase-fd"
            case .backupPassphrase: "--passphrase-fd"
            case .itemPassword: "--app-password-fd"
            case .keychainPassword: "--password-fd"
            case .newKeychainPassword: "--new-password-fd"
            case .anyPassword: "--fd"
            case .pin, .firstPIN: "--pin-fd"
            case .newPIN: "--new-pin-fd"
            }
        }

        /// Whether the user chooses the secret now, and only the number of guesses protects it. A login password is
        /// given, and a token limits the attempts on a PIN.
        var isChosenHere: Bool {
            switch self {
            case .firstPasscode, .newPasscode, .teamKeyPassphrase, .backupPassphrase, .itemPassword,
                .newKeychainPassword:
                true
            case .passcode, .loginPassword, .recoveryKey, .credential, .keychainPassword, .anyPassword, .pin, .firstPIN,
                .newPIN:
                false
            }
        }

        var mayBeEmpty: Bool { self == .keychainPassword || self == .newKeychainPassword }

        /// The maximum number of bytes of its text.
        var byteLimit: Int {
            switch self {
            case .passcode, .firstPasscode, .newPasscode, .loginPassword, .backupPassphrase, .teamKeyPassphrase,
                .itemPassword, .keychainPassword, .newKeychainPassword, .anyPassword, .pin, .firstPIN, .newPIN:
                PasscodeText.byteLimit
            // With spaces and hyphens at any place.
            case .recoveryKey, .credential: 256
            }
        }
    }

    /// Returns a passcode or a login password: text, as it was entered.
    func text(_ kind: Kind, descriptor: Int32?) throws(CommandFailure) -> SecretBytes {
        if let descriptor { return try PasscodeText.checked(read(kind, descriptor), kind) }
        return try PasscodeText.checked(person(kind).ask(Self.question(kind)), kind)
    }

    /// Returns a text to be stored. The user types it twice, and its strength is shown.
    func newText(_ kind: Kind, descriptor: Int32?) throws(CommandFailure) -> SecretBytes {
        if let descriptor { return try PasscodeText.checked(read(kind, descriptor), kind) }
        let text = try PasscodeText.checked(person(kind).askNew(Self.question(kind)), kind)
        if kind.isChosenHere { context.tellStrength(of: text) }
        return text
    }

    /// Returns the 16 bytes of a recovery key.
    func recoveryKey(descriptor: Int32?) throws(CommandFailure) -> SecretBytes {
        let text: SecretBytes
        if let descriptor {
            text = try read(.recoveryKey, descriptor)
        } else {
            text = try person(.recoveryKey).ask(Self.question(.recoveryKey))
        }
        return try Self.recoveryKey(text)
    }

    /// Returns the 32 bytes of a credential.
    func credential(descriptor: Int32) throws(CommandFailure) -> SecretBytes {
        let text = try read(.credential, descriptor)
        var credential: [UInt8] = []
        defer { wipe(&credential) }
        do throws(KeyTextError) {
            try CredentialText.read(text.bytes, into: &credential)
        } catch {
            throw CommandFailure(error, .credential)
        }
        return SecretBytes(moving: &credential)
    }

    static func recoveryKey(_ text: SecretBytes) throws(CommandFailure) -> SecretBytes {
        var key: [UInt8] = []
        defer { wipe(&key) }
        do throws(KeyTextError) {
            try RecoveryKey.read(text.bytes, into: &key)
        } catch {
            throw CommandFailure(error, .recoveryKey)
        }
        return SecretBytes(moving: &key)
    }

    /// Returns the available prompt.
    private func person(_ kind: Kind) throws(CommandFailure) -> any SecretPrompt {
        if !prefersPinentry, let prompt = context.prompt { return prompt }
        if prefersPinentry || context.pinentryHasWindows, let pinentry = context.pinentry() { return pinentry }
        if prefersPinentry {
            throw CommandFailure(
                "cannot find a pinentry program", hint: "install one, or name it in CHATELAINE_PINENTRY",
                exitCode: .refused)
        }
        throw CommandFailure(
            "the \(kind.title) is required, and there is no terminal or pinentry to ask for it",
            hint: "\(kind.option) N reads it from descriptor N", exitCode: .refused)
    }

    private static func question(_ kind: Kind) -> String {
        kind.title.prefix(1).uppercased() + kind.title.dropFirst() + ": "
    }

    /// Reads all data of a descriptor, without one newline at its end.
    private func read(_ kind: Kind, _ descriptor: Int32) throws(CommandFailure) -> SecretBytes {
        guard descriptor >= 0, ![1, 2].contains(descriptor) else {
            throw CommandFailure(
                "the \(kind.title) cannot be read from descriptor \(descriptor)",
                hint: "0 is standard input; the shell opens 3 and above, as in 3< FILE", exitCode: .usage)
        }
        let input: CommandInput
        do throws(StreamError) {
            input = CommandInput(try context.files.read(descriptor: descriptor))
        } catch {
            throw CommandFailure("cannot read the \(kind.title) from descriptor \(descriptor): \(error.reason)")
        }
        return try Self.read(kind, input, named: "descriptor \(descriptor)")
    }

    /// Returns the text that standard input contains.
    func inputText(_ kind: Kind) throws(CommandFailure) -> SecretBytes {
        try PasscodeText.checked(Self.read(kind, context.input, named: "standard input"), kind)
    }

    private static func read(
        _ kind: Kind, _ input: CommandInput, named name: String
    ) throws(CommandFailure) -> SecretBytes {
        let bytes: SecretAccumulator?
        do throws(StreamError) {
            // Room for the newline that is not part of the secret.
            bytes = try input.readAll(limit: kind.byteLimit + 1)
        } catch {
            throw CommandFailure("cannot read the \(kind.title) from \(name): \(error.reason)")
        }
        guard let bytes else { throw PasscodeText.tooLong(kind) }
        return bytes.secret(droppingLast: bytes.bytes.last == UInt8(ascii: "\n") ? 1 : 0)
    }
}

/// The rules for a passcode: 1 to 1024 bytes of UTF-8 in one line, unchanged.
enum PasscodeText {
    static let byteLimit = 1024

    /// Returns the text itself.
    ///
    /// - Throws: a failure with the problem of the text.
    static func checked(_ text: SecretBytes, _ kind: SecretSource.Kind) throws(CommandFailure) -> SecretBytes {
        guard text.count > 0 || kind.mayBeEmpty else { throw CommandFailure("the \(kind.title) is empty") }
        guard text.count <= byteLimit else { throw tooLong(kind) }
        guard isUTF8(text.bytes) else {
            throw CommandFailure(
                "the \(kind.title) is not UTF-8", hint: "it must be text; the terminal may use another encoding")
        }
        // A user who sets such a text could never type it.
        guard !text.bytes.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            throw CommandFailure("the \(kind.title) contains a line end or a NUL")
        }
        return text
    }

    static func tooLong(_ kind: SecretSource.Kind) -> CommandFailure {
        CommandFailure("the \(kind.title) is longer than \(kind.byteLimit) bytes")
    }
}

extension CommandFailure {
    /// Creates the failure for an invalid written key, without the key itself.
    init(_ error: KeyTextError, _ kind: SecretSource.Kind) {
        switch error {
        case .length(let count, let expected):
            self.init("the \(kind.title) has \(count) characters instead of \(expected)")
        case .character(let position):
            self.init(
                "character \(position) of the \(kind.title) is invalid",
                hint: "use digits and the letters A to Z without U; spaces and hyphens are ignored")
        case .checksum:
            self.init(
                "the \(kind.title) has a wrong character",
                hint: "each character is valid, but the check over all of them fails; compare them with the original")
        case .prefix:
            self.init("the \(kind.title) has an unknown version")
        }
    }
}
