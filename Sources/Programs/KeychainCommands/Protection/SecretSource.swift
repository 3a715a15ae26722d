// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import SecretMemory

/// Where a command gets the secrets that open a keychain: a descriptor that the command line names, else a person.
///
/// A person is asked on the terminal; by pinentry where there is none, or where that is wanted. Where nobody can be asked the
/// command fails at once. Never an argument, never the environment.
struct SecretSource {
    let context: CommandContext
    var prefersPinentry = false

    /// What is wanted.
    enum Kind {
        case passcode
        /// Where there is none yet.
        case firstPasscode
        /// In place of another one.
        case newPasscode
        case loginPassword
        case recoveryKey
        case credential
        /// Of a file with a team key.
        case teamKeyPassphrase
        /// What opens a backup, and no keychain.
        case backupPassphrase
        /// What goes into an item's key beside the keychain's.
        case itemPassword
        /// Of a keychain that is a file. May be empty.
        case keychainPassword
        /// For one that is made, or in place of another.
        case newKeychainPassword
        /// One that is only looked at.
        case anyPassword
        /// What opens the device key.
        case pin
        /// Where there is none yet.
        case firstPIN
        /// In place of another one.
        case newPIN

        /// What people call it.
        var title: String {
            switch self {
            case .passcode: "passcode"
            case .firstPasscode, .newPasscode: "new passcode"
            case .loginPassword: "login password"
            case .recoveryKey: "recovery key"
            case .credential: "credential"
            case .teamKeyPassphrase: "passphrase of the team key"
            case .backupPassphrase: "backup's passphrase"
            case .itemPassword: "item's own password"
            case .keychainPassword: "keychain's password"
            case .newKeychainPassword: "new password of the keychain"
            case .anyPassword: "password"
            case .pin: "PIN"
            case .firstPIN, .newPIN: "new PIN"
            }
        }

        /// The option that names a descriptor with it.
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

        /// Whoever enters it makes it up now, and it withstands only as many tries as it takes guesses. A login password is what it
        /// is, and a token lets nobody try a PIN often.
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

        /// How many bytes its text may have.
        var byteLimit: Int {
            switch self {
            case .passcode, .firstPasscode, .newPasscode, .loginPassword, .backupPassphrase, .teamKeyPassphrase,
                .itemPassword, .keychainPassword, .newKeychainPassword, .anyPassword, .pin, .firstPIN, .newPIN:
                PasscodeText.byteLimit
            // With spaces and hyphens wherever they may be.
            case .recoveryKey, .credential: 256
            }
        }
    }

    /// A passcode or a login password: text, as it was entered.
    func text(_ kind: Kind, descriptor: Int32?) throws(CommandFailure) -> SecretBytes {
        if let descriptor { return try PasscodeText.checked(read(kind, descriptor), kind) }
        return try PasscodeText.checked(person(kind).ask(Self.question(kind)), kind)
    }

    /// A text that will be stored. A person types it twice, and is told how strong it is.
    func newText(_ kind: Kind, descriptor: Int32?) throws(CommandFailure) -> SecretBytes {
        if let descriptor { return try PasscodeText.checked(read(kind, descriptor), kind) }
        let text = try PasscodeText.checked(person(kind).askNew(Self.question(kind)), kind)
        if kind.isChosenHere { context.tellStrength(of: text) }
        return text
    }

    /// The 16 bytes of a recovery key.
    func recoveryKey(descriptor: Int32?) throws(CommandFailure) -> SecretBytes {
        let text: SecretBytes
        if let descriptor {
            text = try read(.recoveryKey, descriptor)
        } else {
            text = try person(.recoveryKey).ask(Self.question(.recoveryKey))
        }
        return try Self.recoveryKey(text)
    }

    /// The 32 bytes of a credential.
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

    /// Who can be asked.
    private func person(_ kind: Kind) throws(CommandFailure) -> any SecretPrompt {
        if !prefersPinentry, let prompt = context.prompt { return prompt }
        if prefersPinentry || context.pinentryHasWindows, let pinentry = context.pinentry() { return pinentry }
        if prefersPinentry {
            throw CommandFailure(
                "there is no pinentry", hint: "install one, or name it in CHATELAINE_PINENTRY", exitCode: .refused)
        }
        throw CommandFailure(
            "the \(kind.title) is needed, and there is nobody to ask",
            hint: "\(kind.option) N reads it from descriptor N", exitCode: .refused)
    }

    private static func question(_ kind: Kind) -> String {
        kind.title.prefix(1).uppercased() + kind.title.dropFirst() + ": "
    }

    /// All that can be read from a descriptor, without one newline at its end.
    private func read(_ kind: Kind, _ descriptor: Int32) throws(CommandFailure) -> SecretBytes {
        guard descriptor >= 0, ![1, 2].contains(descriptor) else {
            throw CommandFailure(
                "the \(kind.title) cannot be read from descriptor \(descriptor)",
                hint: "0 is standard input; 3 and above are opened by the shell, as in 3< FILE", exitCode: .usage)
        }
        let input: SecretAccumulator?
        do throws(StreamError) {
            // Room for the newline that does not belong to it.
            input = try CommandInput(context.files.read(descriptor: descriptor)).readAll(limit: kind.byteLimit + 1)
        } catch {
            throw CommandFailure("cannot read the \(kind.title) from descriptor \(descriptor): \(error.reason)")
        }
        guard let input else { throw PasscodeText.tooLong(kind) }
        return input.secret(droppingLast: input.bytes.last == UInt8(ascii: "\n") ? 1 : 0)
    }
}

/// What a passcode may be: 1 to 1024 bytes of UTF-8 in one line, taken as they are.
enum PasscodeText {
    static let byteLimit = 1024

    /// The text itself.
    ///
    /// - Throws: a failure that says what is wrong with it.
    static func checked(_ text: SecretBytes, _ kind: SecretSource.Kind) throws(CommandFailure) -> SecretBytes {
        guard text.count > 0 || kind.mayBeEmpty else { throw CommandFailure("the \(kind.title) is empty") }
        guard text.count <= byteLimit else { throw tooLong(kind) }
        guard isUTF8(text.bytes) else {
            throw CommandFailure(
                "the \(kind.title) is not UTF-8", hint: "it is text; a terminal may be set to another encoding")
        }
        // Whoever sets such a one could never type it.
        guard !text.bytes.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            throw CommandFailure("the \(kind.title) has a line end or a NUL in it")
        }
        return text
    }

    static func tooLong(_ kind: SecretSource.Kind) -> CommandFailure {
        CommandFailure("the \(kind.title) is longer than \(kind.byteLimit) bytes")
    }
}

extension CommandFailure {
    /// What is wrong with a key that was written down. The key itself is not told.
    init(_ error: KeyTextError, _ kind: SecretSource.Kind) {
        switch error {
        case .length(let count, let expected):
            self.init("the \(kind.title) has \(count) characters instead of \(expected)")
        case .character(let position):
            self.init(
                "character \(position) of the \(kind.title) is none that occurs there",
                hint: "there are digits and the letters A to Z, without U; spaces and hyphens do not count")
        case .checksum:
            self.init(
                "the \(kind.title) has a wrong character",
                hint: "all of them are possible, but they do not belong together; compare them with the original")
        case .prefix:
            self.init("that is not a \(kind.title) of this version")
        }
    }
}
