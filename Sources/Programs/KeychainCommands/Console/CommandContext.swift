// SPDX-License-Identifier: Apache-2.0

public import KeychainClient
internal import KeychainModel

/// All that a command uses of the world. Tests put their own pieces in.
public struct CommandContext {
    public var client: KeychainClient
    public var input: CommandInput
    public var output: any ByteSink
    public var diagnostics: any ByteSink
    /// Where a person can be asked; nil without a terminal.
    public var prompt: (any SecretPrompt)?
    /// The user's pinentry; nil without one. Looked for only when it is needed.
    public var pinentry: () -> (any SecretPrompt)?
    /// The pinentry can ask without a terminal.
    public var pinentryHasWindows: Bool
    /// Where something may be shown that belongs into no file and no pipe; nil without a terminal.
    public var screen: (any Screen)?
    /// Standard input is a terminal, so a secret is asked for and not read from it.
    public var inputIsTerminal: Bool
    /// Standard output is a terminal, where passwords must not show by accident.
    public var outputIsTerminal: Bool
    /// Headings in tables are set off.
    public var outputIsStyled: Bool
    /// Standard error is a terminal, where progress is shown.
    public var diagnosticsAreTerminal: Bool
    /// The word `error` is set off.
    public var diagnosticsAreStyled: Bool
    /// Where the keychain is. Looked for only when it is needed, which few commands do.
    public var keychain: KeychainPlace { findKeychain() }
    private let findKeychain: () -> KeychainPlace
    /// The files that arguments name.
    public var files: any FileAccess
    /// Starts what asks for the user's password on the terminal for polkit, and returns what ends it; nil where nothing can.
    var startAuthenticationAgent: () -> (() -> Void)? = { nil }
    /// What `doctor` looks at.
    var machine: any Machine = ThisMachine()
    /// The text that belongs to an `OSStatus`.
    public var statusMessage: (Int32) -> String
    /// How wide help is set; nil: as wide as the terminal.
    public var columns: Int?
    /// The local time's distance from UTC in seconds at a moment, given in seconds since 1970.
    public var secondsFromUTC: (Int64) -> Int
    /// Seconds since 1970-01-01 00:00 UTC now.
    public var secondsSince1970: () -> Int64

    public init(
        client: KeychainClient, input: CommandInput, output: any ByteSink, diagnostics: any ByteSink,
        prompt: (any SecretPrompt)?, pinentry: @escaping () -> (any SecretPrompt)? = { nil },
        pinentryHasWindows: Bool = false, screen: (any Screen)? = nil, inputIsTerminal: Bool,
        outputIsTerminal: Bool = false,
        outputIsStyled: Bool = false, diagnosticsAreTerminal: Bool = false, diagnosticsAreStyled: Bool = false,
        keychain: @escaping @autoclosure () -> KeychainPlace,
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

    /// Writes what a command has to say.
    ///
    /// - Throws: a failure when standard output is closed or full. A reader that went away usually ends the process by
    ///   SIGPIPE before, silently, as is custom.
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

    /// A moment for people, in local time; nil for one that no calendar has.
    func localTime(_ moment: Timestamp) -> String? {
        guard abs(moment.secondsSinceReferenceDate) < 1e12 else { return nil }
        let seconds = Int64(moment.secondsSinceReferenceDate) + CivilTime.referenceDate
        return CivilTime(moment, secondsFromUTC: secondsFromUTC(seconds))?.short
    }
}
