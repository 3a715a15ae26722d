// SPDX-License-Identifier: Apache-2.0

internal import KeychainTerminal

/// Where a person reads what belongs into no file and no pipe.
public protocol Screen {
    /// Shows a text as it is.
    func show(_ text: some Collection<UInt8>) throws(CommandFailure)
    /// Takes the last lines away again, as far as it can.
    func takeBack(lines: Int)
}

/// The terminal that the process was started from, wherever its standard streams lead.
struct TerminalScreen: Screen {
    private let terminal: Terminal
    /// It understands control sequences (ECMA-48).
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
        // Cursor to the beginning of an earlier line, and erase all behind it.
        if canErase { try? terminal.show("\u{1B}[\(lines)F\u{1B}[J".utf8) }
    }
}
