// SPDX-License-Identifier: Apache-2.0

internal import KeychainTerminal

/// The screen for text that must not go to a file or a pipe.
protocol Screen {
    /// Shows a text unchanged.
    func show(_ text: some Collection<UInt8>) throws(CommandFailure)
    /// Erases the last lines, as far as possible.
    func takeBack(lines: Int)
}

/// The terminal from which the process was started, regardless of its standard streams.
struct TerminalScreen: Screen {
    private let terminal: Terminal
    /// Whether the terminal supports control sequences (ECMA-48).
    private let canErase: Bool

    static var controllingTerminal: TerminalScreen? {
        guard Terminal.controlling.isAvailable else { return nil }
        let kind = CurrentProcess.environmentVariable("TERM") ?? ""
        return TerminalScreen(terminal: .controlling, canErase: !kind.isEmpty && kind != "dumb")
    }

    func show(_ text: some Collection<UInt8>) throws(CommandFailure) {
        do throws(TerminalError) {
            try terminal.show(text)
        } catch {
            throw CommandFailure(error)
        }
    }

    func takeBack(lines: Int) {
        // Cursor to the beginning of an earlier line, and erase all text after it.
        if canErase { try? terminal.show("\u{1B}[\(lines)F\u{1B}[J".utf8) }
    }
}
