// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainTerminal
internal import SecretMemory

/// The clipboard of the user's display or terminal, and the programs that access it. Secrets pass through their
/// standard input, never through arguments.
enum Clipboard: Hashable {
    /// wl-clipboard
    case wayland(copy: String, paste: String)
    case xclip(String)
    case xsel(String)
    /// tmux(1), which also passes the text to the clipboard of its terminal.
    case tmux(String)
    /// The clipboard of a terminal, by the control sequence OSC 52. It cannot be read.
    case terminal(path: String)

    /// A longer text does not fit into the clipboards of some terminals.
    static let textLimit = 65_536
    /// A larger earlier content is not restored.
    private static let earlierLimit = 1 << 20
    /// The time for a program to end.
    private static let patience = Duration.seconds(5)
    /// The buffer of tmux.
    private static let buffer = "chatelaine"

    /// Finds the clipboard.
    ///
    /// - Parameter terminal: the path of the terminal; nil for none.
    static func find(on machine: any Machine, terminal: String?) throws(CommandFailure) -> Clipboard {
        func isSet(_ name: String) -> Bool { machine.environment(name)?.isEmpty == false }
        if isSet("WAYLAND_DISPLAY"), let copy = machine.program("wl-copy"), let paste = machine.program("wl-paste") {
            return .wayland(copy: copy, paste: paste)
        }
        if isSet("DISPLAY") {
            if let program = machine.program("xclip") { return .xclip(program) }
            if let program = machine.program("xsel") { return .xsel(program) }
        }
        guard !isSet("WAYLAND_DISPLAY"), !isSet("DISPLAY") else {
            throw CommandFailure(
                "cannot find a program for the clipboard",
                hint: isSet("WAYLAND_DISPLAY") ? "install wl-clipboard" : "install xclip or xsel")
        }
        if isSet("TMUX"), let program = machine.program("tmux") { return .tmux(program) }
        guard let terminal else {
            throw CommandFailure(
                "there is no clipboard: neither a display nor a terminal",
                hint: "set WAYLAND_DISPLAY or DISPLAY, or use `chatelaine get`")
        }
        return .terminal(path: terminal)
    }

    /// Whether the earlier text is restored. Otherwise it is unknown, and the clipboard is cleared.
    var isRestored: Bool {
        switch self {
        case .wayland, .xclip, .xsel: true
        case .tmux, .terminal: false
        }
    }

    /// Returns the text; nil for no text, for other contents, and for a text that is too large.
    func text() -> SecretBytes? {
        switch self {
        case .wayland(_, let paste): output(paste, ["--no-newline", "--type", "text"])
        case .xclip(let program): output(program, ["-selection", "clipboard", "-out"])
        case .xsel(let program): output(program, ["--clipboard", "--output"])
        case .tmux(let program): output(program, ["show-buffer", "-b", Self.buffer])
        case .terminal: nil
        }
    }

    /// Returns whether the content is the secret, as far as it can be read. Another text was copied by the user
    /// meanwhile.
    func mayHave(_ secret: SecretBytes) -> Bool {
        if case .terminal = self { return true }
        return text()?.isSameEntry(as: secret) ?? false
    }

    /// Replaces the content by a secret. Clipboard managers are asked not to keep it, where the program can.
    func set(secret: SecretBytes) throws(CommandFailure) {
        if case .wayland(let copy, _) = self {
            // wl-clipboard has the option since version 2.3; older versions refuse it.
            if (try? run(copy, ["--sensitive", "--type", "text/plain"], secret.bytes)) == true { return }
        }
        try set(secret)
    }

    /// Replaces the content by a text.
    func set(_ text: SecretBytes) throws(CommandFailure) {
        switch self {
        case .wayland(let copy, _): try runOrFail(copy, ["--type", "text/plain"], text.bytes)
        case .xclip(let program): try runOrFail(program, ["-selection", "clipboard", "-in"], text.bytes)
        case .xsel(let program): try runOrFail(program, ["--clipboard", "--input"], text.bytes)
        case .tmux(let program): try runOrFail(program, ["load-buffer", "-w", "-b", Self.buffer, "-"], text.bytes)
        case .terminal(let path): try Self.show(text.bytes, path)
        }
    }

    /// Removes the content.
    func clear() throws(CommandFailure) {
        switch self {
        case .wayland(let copy, _): try runOrFail(copy, ["--clear"], [])
        case .xclip(let program): try runOrFail(program, ["-selection", "clipboard", "-in"], [])
        case .xsel(let program): try runOrFail(program, ["--clipboard", "--clear"], [])
        case .tmux(let program):
            // tmux passes no empty text to its terminal.
            try runOrFail(program, ["load-buffer", "-w", "-b", Self.buffer, "-"], [UInt8(ascii: " ")])
            try runOrFail(program, ["delete-buffer", "-b", Self.buffer], [])
        case .terminal(let path): try Self.show([], path)
        }
    }

    /// Sends the control sequence OSC 52 of xterm.
    private static func show(_ text: some Collection<UInt8>, _ path: String) throws(CommandFailure) {
        var sequence: [UInt8] = []
        // Reserved at full size, because growing would leave copies behind.
        sequence.reserveCapacity(text.count / 3 * 4 + 16)
        defer { wipe(&sequence) }
        sequence += "\u{1B}]52;c;".utf8
        // A terminal deletes its clipboard for a text that is not Base64.
        if text.isEmpty { sequence.append(UInt8(ascii: "!")) } else { writeBase64(text, to: &sequence) }
        sequence.append(0x07)
        do throws(TerminalError) {
            try Terminal(path: path).show(sequence)
        } catch {
            throw CommandFailure(error)
        }
    }

    // MARK: Programs

    private func output(_ program: String, _ arguments: [String]) -> SecretBytes? {
        guard let conversation = try? HelperConversation(with: program, arguments: arguments, environment: nil) else {
            return nil
        }
        var text: [UInt8] = []
        defer { wipe(&text) }
        do throws(HelperError.Reason) {
            try conversation.answer(
                to: [], until: .now + Self.patience, limit: Self.earlierLimit, into: &text, size: { _ in nil })
        } catch .ended {
            guard conversation.program.end(within: Self.patience) == .exited(status: 0), !text.isEmpty else {
                return nil
            }
            return SecretBytes(moving: &text)
        } catch {}
        return nil
    }

    /// Returns whether a program took the input and succeeded. It may continue in the background.
    private func run(
        _ program: String, _ arguments: [String], _ input: some Collection<UInt8>
    ) throws(SystemCallError) -> Bool {
        let conversation = try HelperConversation(with: program, arguments: arguments, environment: nil)
        var bytes = Array(input)
        defer { wipe(&bytes) }
        let isTaken = conversation.send(bytes)
        conversation.hangUp()
        return conversation.program.end(within: Self.patience) == .exited(status: 0) && isTaken
    }

    private func runOrFail(
        _ program: String, _ arguments: [String], _ input: some Collection<UInt8>
    ) throws(CommandFailure) {
        let succeeded: Bool
        do throws(SystemCallError) {
            succeeded = try run(program, arguments, input)
        } catch {
            throw CommandFailure("cannot run \(program): \(error.reason)")
        }
        guard succeeded else {
            throw CommandFailure(
                "\(program) could not use the clipboard", hint: "run `\(program)` to see the reason")
        }
    }
}
