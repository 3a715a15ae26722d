// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import SecretMemory

/// A way to ask a person for a secret.
public protocol SecretPrompt {
    /// Asks once. The answer is shown nowhere and comes without the newline that ended it.
    ///
    /// - Throws: a failure with the reason when nobody can be asked, or when the person gave up.
    func ask(_ question: String) throws(CommandFailure) -> SecretBytes
}

/// Asks on a terminal without echo.
///
/// Whatever ends the question, signals included, the terminal gets its echo back first.
struct TerminalPrompt: SecretPrompt {
    let path: String

    /// The terminal that the process was started from, wherever its standard streams lead.
    static let controllingTerminal = TerminalPrompt(path: "/dev/tty")

    /// A line as long as this, with its newline, surely is one that the kernel did not cut (N_TTY_BUF_SIZE is 4096).
    private static let maximumLineBytes = 4095

    /// Whether there is such a terminal.
    var isAvailable: Bool {
        guard let descriptor = try? open() else { return false }
        close(descriptor)
        return true
    }

    func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
        let descriptor = try open()
        defer { close(descriptor) }
        let terminal = DescriptorStream(descriptor: descriptor)
        while true {
            let answer = try SignalGuard.reading { mask throws(CommandFailure) in
                try withoutEcho(descriptor) { () throws(CommandFailure) in
                    terminal.writeIfPossible(question)
                    let answer = try readLine(terminal, mask: mask)
                    terminal.writeIfPossible("\n")
                    return answer
                }
            }
            if let answer { return answer }
            // Here again after having been stopped (Ctrl-Z) and continued: ask once more.
        }
    }

    private func open() throws(CommandFailure) -> Int32 {
        // The path lives for the call.
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure("there is no terminal to ask on", hint: "pass the secret through standard input")
        }
        return descriptor
    }

    private func withoutEcho<R>(
        _ descriptor: Int32, _ body: () throws(CommandFailure) -> R
    ) throws(CommandFailure) -> R {
        var saved = termios()
        // Both calls get a structure of ours that lives for the call.
        guard unsafe tcgetattr(descriptor, &saved) == 0 else {
            throw CommandFailure("the terminal cannot be used: \(StreamError.last().reason)")
        }
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        silent.c_lflag |= tcflag_t(ICANON | ISIG)
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else {
            throw CommandFailure("the terminal cannot be used: \(StreamError.last().reason)")
        }
        defer { unsafe _ = tcsetattr(descriptor, TCSAFLUSH, &saved) }
        return try body()
    }

    /// Nil when a signal came first.
    private func readLine(_ terminal: DescriptorStream, mask: sigset_t) throws(CommandFailure) -> SecretBytes? {
        let line = SecretAccumulator()
        var buffer = [UInt8](repeating: 0, count: 4096)
        defer { wipe(&buffer) }
        while true {
            guard try wait(for: terminal.descriptor, mask: mask) else { return nil }
            let count: Int
            do { count = try terminal.read(into: &buffer) } catch {
                throw CommandFailure("the terminal cannot be read")
            }
            guard count > 0 else {
                terminal.writeIfPossible("\n")
                throw CommandFailure("nothing was entered")
            }
            line.append(buffer[..<count])
            // In canonical mode a read ends with the line's newline, unless Ctrl-D sent an unfinished line.
            guard buffer[count - 1] == UInt8(ascii: "\n") else { continue }
            // The kernel drops what exceeds this without a word, and half a secret must not be taken for the whole.
            guard line.bytes.count <= Self.maximumLineBytes else {
                terminal.writeIfPossible("\n")
                throw CommandFailure(
                    "a terminal takes no line of more than \(Self.maximumLineBytes - 1) bytes",
                    hint: "pass a longer secret through standard input")
            }
            return line.secret(droppingLast: 1)
        }
    }
}

extension TerminalPrompt {
    /// Waits until something can be read; false when a signal came first.
    ///
    /// Signals are let in only here, so none can slip in between a look at them and the wait.
    private func wait(for descriptor: Int32, mask: sigset_t) throws(CommandFailure) -> Bool {
        guard descriptor < FD_SETSIZE else { throw CommandFailure("too many open files") }
        var mask = mask
        var descriptors = fd_set()
        // An fd_set is an array of longs, a bit for each descriptor below FD_SETSIZE; checked above.
        unsafe withUnsafeMutableBytes(of: &descriptors) { bytes in
            let words = unsafe bytes.bindMemory(to: UInt.self)
            unsafe words[Int(descriptor) / UInt.bitWidth] |= 1 << (UInt(descriptor) % UInt(UInt.bitWidth))
        }
        // Both structures are ours and live for the call.
        if unsafe pselect(descriptor + 1, &descriptors, nil, nil, nil, &mask) > 0 { return true }
        guard errno == EINTR else { throw CommandFailure("the terminal cannot be read") }
        return false
    }
}

/// Holds back the signals that would end or stop the process while the terminal is silent, and delivers them afterwards.
private enum SignalGuard {
    private static let guarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    /// The last signal that came. A handler may do nothing but such a store; it runs in the one thread of the program,
    /// and only inside pselect.
    nonisolated(unsafe) private static var received: Int32 = 0

    /// Runs a closure that looks for signals only while it waits with the mask that it is given.
    ///
    /// - Returns: nil when the closure was interrupted by a signal that did not end the process.
    static func reading<R>(
        _ body: (_ mask: sigset_t) throws(CommandFailure) -> R?
    ) throws(CommandFailure) -> R? {
        let result: R?
        do {
            var blocked = sigset_t()
            var original = sigset_t()
            // All structures are ours and live for the calls; the handler touches one integer.
            unsafe sigemptyset(&blocked)
            for signal in guarded { unsafe sigaddset(&blocked, signal) }
            unsafe pthread_sigmask(SIG_BLOCK, &blocked, &original)
            defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &original, nil) }
            unsafe received = 0
            let actions = guarded.map(install)
            defer {
                for (signal, action) in zip(guarded, actions) {
                    var action = action
                    unsafe sigaction(signal, &action, nil)
                }
            }
            result = try body(original)
        }
        if unsafe received != 0 { unsafe raise(received) }
        return result
    }

    /// Gives back the action that was in force. An ignored signal stays ignored.
    private static func install(_ signal: Int32) -> sigaction {
        var previous = sigaction()
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { number in unsafe SignalGuard.received = number }
        unsafe sigaction(signal, &action, &previous)
        if unsafe unsafeBitCast(previous.__sigaction_handler.sa_handler, to: Int.self) == 1 {  // SIG_IGN
            unsafe sigaction(signal, &previous, nil)
        }
        return previous
    }
}
