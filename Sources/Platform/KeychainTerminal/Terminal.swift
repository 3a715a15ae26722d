// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint
public import SecretMemory

/// A terminal on which a person can be asked for a secret.
///
/// Whatever ends the question, signals included, the terminal gets its echo back first. For programs of one thread: while
/// it waits, the signals that would end or stop the process are its own.
public struct Terminal: Hashable, Sendable {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// The terminal that the process was started from, wherever its standard streams lead.
    public static let controlling = Terminal(path: "/dev/tty")

    /// A line as long as this, with its newline, surely is one that the kernel did not cut (N_TTY_BUF_SIZE is 4096).
    static let maximumLineBytes = 4095

    /// Whether there is such a terminal.
    public var isAvailable: Bool {
        guard let descriptor = try? open() else { return false }
        close(descriptor)
        return true
    }

    /// Asks once. The answer is shown nowhere and comes without the newline that ended it.
    ///
    /// Throws `.unavailable` where there is no such terminal, `.endOfInput` when the person gave up (Ctrl-D), `.lineTooLong`
    /// when the terminal may have cut the answer, `.failed` when a system call failed.
    public func ask(_ question: String) throws(TerminalError) -> SecretBytes {
        let descriptor = try open()
        defer { close(descriptor) }
        let terminal = DescriptorStream(descriptor: descriptor)
        while true {
            let answer = try SignalGuard.reading { mask throws(TerminalError) in
                try withoutEcho(descriptor) { () throws(TerminalError) in
                    try? terminal.write(question.utf8)
                    let answer = try readLine(terminal, mask: mask)
                    try? terminal.write("\n".utf8)
                    return answer
                }
            }
            if let answer { return answer }
            // Here again after having been stopped (Ctrl-Z) and continued: ask once more.
        }
    }

    /// Shows a text as it is.
    ///
    /// Throws `.unavailable` where there is no such terminal, `.failed` when it cannot be written to.
    public func show(_ text: some Collection<UInt8>) throws(TerminalError) {
        let descriptor = try open()
        defer { close(descriptor) }
        do throws(SystemCallError) {
            try DescriptorStream(descriptor: descriptor).write(text)
        } catch {
            throw .failed(reason: error.reason)
        }
    }

    private func open() throws(TerminalError) -> Int32 {
        // The path lives for the call.
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .unavailable
        }
        return descriptor
    }

    private func withoutEcho<R>(
        _ descriptor: Int32, _ body: () throws(TerminalError) -> R
    ) throws(TerminalError) -> R {
        var saved = termios()
        // Both calls get a structure of ours that lives for the call.
        guard unsafe tcgetattr(descriptor, &saved) == 0 else {
            throw .failed(reason: SystemCallError.last("tcgetattr").reason)
        }
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        silent.c_lflag |= tcflag_t(ICANON | ISIG)
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else {
            throw .failed(reason: SystemCallError.last("tcsetattr").reason)
        }
        defer { unsafe _ = tcsetattr(descriptor, TCSAFLUSH, &saved) }
        return try body()
    }

    /// Nil when a signal came first.
    private func readLine(_ terminal: DescriptorStream, mask: sigset_t) throws(TerminalError) -> SecretBytes? {
        let line = SecretAccumulator()
        var buffer = [UInt8](repeating: 0, count: 4096)
        defer { wipe(&buffer) }
        while true {
            do throws(SystemCallError) {
                guard try InputWait.wait(for: terminal.descriptor, mask: mask) == .ready else { return nil }
            } catch {
                throw .failed(reason: error.reason)
            }
            let count: Int
            do throws(SystemCallError) {
                count = try terminal.read(into: &buffer)
            } catch {
                throw .failed(reason: error.reason)
            }
            guard count > 0 else {
                try? terminal.write("\n".utf8)
                throw .endOfInput
            }
            line.append(buffer[..<count])
            // In canonical mode a read ends with the line's newline, unless Ctrl-D sent an unfinished line.
            guard buffer[count - 1] == UInt8(ascii: "\n") else { continue }
            // The kernel drops what exceeds this without a word, and half a secret must not be taken for the whole.
            guard line.bytes.count <= Self.maximumLineBytes else {
                try? terminal.write("\n".utf8)
                throw .lineTooLong(limit: Self.maximumLineBytes - 1)
            }
            return line.secret(droppingLast: 1)
        }
    }
}
