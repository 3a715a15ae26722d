// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// The dependencies of a command. Tests replace them.
struct CommandContext {
    var client: KeychainClient
    var input: CommandInput
    var output: any ByteSink
    var diagnostics: any ByteSink
    /// The prompt on the terminal; nil without a terminal.
    var prompt: (any SecretPrompt)?
    /// The user's pinentry; nil without one. Searched for only when it is needed.
    var pinentry: () -> (any SecretPrompt)? = { nil }
    /// Whether the pinentry can prompt without a terminal.
    var pinentryHasWindows = false
    /// The screen for text that must not go to a file or a pipe; nil without a terminal.
    var screen: (any Screen)?
    /// Whether standard input is a terminal, so that a secret is prompted for and not read from it.
    var inputIsTerminal: Bool
    /// Whether standard output is a terminal, where passwords must not appear by accident.
    var outputIsTerminal = false
    /// Whether headings in tables are highlighted.
    var outputIsStyled = false
    /// Whether standard error is a terminal, where progress is shown.
    var diagnosticsAreTerminal = false
    /// Whether the word `error` is highlighted.
    var diagnosticsAreStyled = false
    /// The place of the keychain. Determined only when it is needed, which is rare.
    var keychain: KeychainLocation { findKeychain() }
    let findKeychain: () -> KeychainLocation
    /// The files that arguments name.
    var files: any FileAccess
    /// Starts the agent that asks for the user's password on the terminal for polkit, and returns the function that
    /// ends it; nil if none can be started.
    var startAuthenticationAgent: () -> (() -> Void)? = { nil }
    /// Puts a secret into the clipboard for some seconds; with the path of the terminal. Returns when the clipboard has it.
    var keepInClipboard: (SecretBytes, UInt32, String?) throws(CommandFailure) -> Void = { secret, seconds, terminal in
        try ClipboardKeeper.start(secret, seconds: seconds, terminal: terminal)
    }
    /// The machine that `doctor` checks, with the programs for the clipboard.
    var machine: any Machine = ThisMachine()
    /// The session bus, on which `setup desktop` takes over and `doctor` looks.
    var desktop: any DesktopSession = ThisDesktop()
    /// Returns the text of an `OSStatus`.
    var statusMessage: (Int32) -> String
    /// The width of help; nil: the width of the terminal.
    var columns: Int?
    /// Returns the local time's offset from UTC in seconds at a time, given in seconds since 1970.
    var secondsFromUTC: (Int64) -> Int = { _ in 0 }
    /// Returns the current seconds since 1970-01-01 00:00 UTC.
    var secondsSince1970: () -> Int64 = { 0 }

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
