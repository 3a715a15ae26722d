// SPDX-License-Identifier: Apache-2.0

public import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// The dependencies of a command. Tests replace them.
public struct CommandContext {
    public var client: KeychainClient
    public var input: CommandInput
    public var output: any ByteSink
    public var diagnostics: any ByteSink
    /// The prompt on the terminal; nil without a terminal.
    public var prompt: (any SecretPrompt)?
    /// The user's pinentry; nil without one. Searched for only when it is needed.
    public var pinentry: () -> (any SecretPrompt)?
    /// Whether the pinentry can prompt without a terminal.
    public var pinentryHasWindows: Bool
    /// The screen for text that must not go to a file or a pipe; nil without a terminal.
    public var screen: (any Screen)?
    /// Whether standard input is a terminal, so that a secret is prompted for and not read from it.
    public var inputIsTerminal: Bool
    /// Whether standard output is a terminal, where passwords must not appear by accident.
    public var outputIsTerminal: Bool
    /// Whether headings in tables are highlighted.
    public var outputIsStyled: Bool
    /// Whether standard error is a terminal, where progress is shown.
    public var diagnosticsAreTerminal: Bool
    /// Whether the word `error` is highlighted.
    public var diagnosticsAreStyled: Bool
    /// The place of the keychain. Determined only when it is needed, which is rare.
    public var keychain: KeychainLocation { findKeychain() }
    private let findKeychain: () -> KeychainLocation
    /// The files that arguments name.
    public var files: any FileAccess
    /// Starts the agent that asks for the user's password on the terminal for polkit, and returns the function that
    /// ends it; nil if none can be started.
    var startAuthenticationAgent: () -> (() -> Void)? = { nil }
    /// Puts a secret into the clipboard for some seconds; with the path of the terminal. Returns when the clipboard has it.
    var keepInClipboard: (SecretBytes, UInt32, String?) throws(CommandFailure) -> Void = { secret, seconds, terminal in
        try ClipboardKeeper.start(secret, seconds: seconds, terminal: terminal)
    }
    /// The machine that `doctor` checks, with the programs for the clipboard.
    var machine: any Machine = ThisMachine()
    /// Returns the text of an `OSStatus`.
    public var statusMessage: (Int32) -> String
    /// The width of help; nil: the width of the terminal.
    public var columns: Int?
    /// Returns the local time's offset from UTC in seconds at a time, given in seconds since 1970.
    public var secondsFromUTC: (Int64) -> Int
    /// Returns the current seconds since 1970-01-01 00:00 UTC.
    public var secondsSince1970: () -> Int64

    public init(
        client: KeychainClient, input: CommandInput, output: any ByteSink, diagnostics: any ByteSink,
        prompt: (any SecretPrompt)?, pinentry: @escaping () -> (any SecretPrompt)? = { nil },
        pinentryHasWindows: Bool = false, screen: (any Screen)? = nil, inputIsTerminal: Bool,
        outputIsTerminal: Bool = false,
        outputIsStyled: Bool = false, diagnosticsAreTerminal: Bool = false, diagnosticsAreStyled: Bool = false,
        keychain: @escaping @autoclosure () -> KeychainLocation,
        files: any FileAccess, statusMessage: @escaping (Int32) -> String,
        columns: Int? = nil, secondsFromUTC: @escaping (Int64) -> Int = { _ in 0 },
        secondsSince1970: @escaping () -> Int64 = { 0 }
    ) {
        self.client = client
        self.input = input
        self.output = output
        self.diagnostics = diagnostics
        self.prompt = prompt
        self.pinentry = pinentry
        self.pinentryHasWindows = pinentryHasWindows
        self.screen = screen
        self.inputIsTerminal = inputIsTerminal
        self.outputIsTerminal = outputIsTerminal
        self.outputIsStyled = outputIsStyled
        self.diagnosticsAreTerminal = diagnosticsAreTerminal
        self.diagnosticsAreStyled = diagnosticsAreStyled
        findKeychain = keychain
        self.files = files
        self.statusMessage = statusMessage
        self.columns = columns
        self.secondsFromUTC = secondsFromUTC
        self.secondsSince1970 = secondsSince1970
    }

    /// Writes the output of a command.
    ///
    /// - Throws: a failure if standard output is closed or full. If the reader has exited, SIGPIPE usually ends the
    ///   process silently before, as is customary.
    func print(_ bytes: some Collection<UInt8>) throws(CommandFailure) {
        do {
            try output.write(bytes)
        } catch {
            throw CommandFailure("cannot write to standard output: \(error.reason)")
        }
    }

    func print(_ text: String) throws(CommandFailure) {
        try print(text.utf8)
    }

    /// States in a sentence that a list is empty, for a user on a terminal. Scripts see the empty output.
    func tellEmpty(_ sentence: String) {
        guard diagnosticsAreTerminal else { return }
        diagnostics.writeIfPossible(sentence + "\n")
    }

    /// Returns a time for display, in local time; nil for a time that no calendar has.
    func localTime(_ moment: Timestamp) -> String? {
        guard abs(moment.secondsSinceReferenceDate) < 1e12 else { return nil }
        let seconds = Int64(moment.secondsSinceReferenceDate) + CivilTime.referenceDate
        return CivilTime(moment, secondsFromUTC: secondsFromUTC(seconds))?.short
    }
}
