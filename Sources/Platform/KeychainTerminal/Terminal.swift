// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint
public import SecretMemory

/// A terminal on which a prompt can ask for a secret.
///
/// The terminal's echo is restored however the prompt ends, also by signals. For single-threaded programs: while it
/// waits, it handles the signals that would end or stop the process itself.
public struct Terminal: Hashable, Sendable {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// The terminal from which the process was started, regardless of its standard streams.
    public static let controlling = Terminal(path: "/dev/tty")

    /// The kernel cannot have cut a line of this length, with its newline (N_TTY_BUF_SIZE is 4096).
    static let maximumLineBytes = 4095

    /// Whether the terminal exists.
    public var isAvailable: Bool {
        guard let descriptor = try? open() else { return false }
        close(descriptor)
        return true
    }

    /// Prompts once. The answer is returned without its final newline.
    ///
    /// - Parameter isShown: whether the terminal shows the answer as it is typed.
    ///
    /// Throws `.unavailable` if there is no such terminal, `.endOfInput` if the user ended the input (Ctrl-D),
    /// `.lineTooLong` if the terminal may have cut the answer, `.failed` if a system call failed.
    public func ask(_ question: String, isShown: Bool = false) throws(TerminalError) -> SecretBytes {
        let descriptor = try open()
        defer { close(descriptor) }
        let terminal = DescriptorStream(descriptor: descriptor)
        while true {
            let answer = try SignalGuard.reading { mask throws(TerminalError) in
                try withEcho(isShown, descriptor) { () throws(TerminalError) in
                    try? terminal.write(question.utf8)
                    let answer = try readLine(terminal, mask: mask)
                    // A shown answer ends with the newline that the user typed.
                    if !isShown { try? terminal.write("\n".utf8) }
                    return answer
                }
            }
            if let answer { return answer }
            // Reached after the process was stopped (Ctrl-Z) and continued: prompt again.
        }
    }

    /// Shows a text unchanged.
    ///
    /// Throws `.unavailable` if there is no such terminal, `.failed` if it cannot be written to.
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

    private func withEcho<R>(
        _ isShown: Bool, _ descriptor: Int32, _ body: () throws(TerminalError) -> R
    ) throws(TerminalError) -> R {
        var saved = termios()
        // This function owns the structure, which lives for both calls.
        guard unsafe tcgetattr(descriptor, &saved) == 0 else {
            throw .failed(reason: SystemCallError.last("tcgetattr").reason)
        }
        var own = saved
        own.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        own.c_lflag |= tcflag_t(ICANON | ISIG) | (isShown ? tcflag_t(ECHO | ECHOE | ECHOK) : 0)
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &own) == 0 else {
            throw .failed(reason: SystemCallError.last("tcsetattr").reason)
        }
        defer { unsafe _ = tcsetattr(descriptor, TCSAFLUSH, &saved) }
        return try body()
    }

    /// Reads a line; nil if a signal arrived first.
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
            // The kernel drops the excess silently, and half a secret must not be taken for the whole.
            guard line.bytes.count <= Self.maximumLineBytes else {
                try? terminal.write("\n".utf8)
                throw .lineTooLong(limit: Self.maximumLineBytes - 1)
            }
            return line.secret(droppingLast: 1)
        }
    }
}
