// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint
public import SecretMemory

/// A dialog on a terminal that another program uses: its signal keys do not affect that program, earlier input is
/// discarded, and the input for the dialog is not left for other programs.
///
/// The terminal's settings are restored however the dialog ends, also by signals, unless another process has changed
/// them meanwhile. For single-threaded programs. All waits have a limit, both for the user and for a terminal that
/// accepts no output.
public final class TerminalDialog {
    /// The reason why a dialog ended without an answer.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The terminal does not exist, does not belong to the user, or does not work.
        case unavailable
        /// Ctrl-C, or Ctrl-D on an empty line; or the terminal or the requester's connection was closed.
        case cancelled
        case timedOut
    }

    /// The longest answer in bytes. Longer ones are refused.
    public static let maximumAnswerBytes = Terminal.maximumLineBytes - 1

    private let descriptor: Int32
    private let mask: sigset_t
    private let deadline: ContinuousClock.Instant
    private let requester: DescriptorStream?
    private var input = [UInt8](repeating: 0, count: 512)
    private var unread = 0..<0

    /// Opens the terminal and runs the dialog.
    ///
    /// - Parameters:
    ///   - path: the path of a terminal that belongs to the user of this process.
    ///   - timeout: for the whole dialog.
    ///   - requester: the connection of the requester, which sends no more data. Closing it ends the dialog.
    ///   - body: the dialog.
    public static func hold<R>(
        on path: String, timeout: Duration, requester: DescriptorStream? = nil,
        _ body: (TerminalDialog) throws(Error) -> R
    ) throws(Error) -> R {
        let deadline = ContinuousClock.now + timeout
        let descriptor = try open(path)
        defer { close(descriptor) }
        while true {
            let result = try SignalGuard.reading { mask throws(Error) -> R? in
                let dialog = TerminalDialog(descriptor, mask, deadline: deadline, requester: requester)
                do throws(DialogError) {
                    return try dialog.withOwnSettings { () throws(DialogError) in
                        do throws(Error) {
                            return try body(dialog)
                        } catch {
                            throw dialog.wasSignalled ? .signal : .end(error)
                        }
                    }
                } catch {
                    switch error {
                    case .signal: return nil
                    case .end(let end): throw end
                    }
                }
            }
            if let result { return result }
            // Reached after the process was stopped and continued: restart the dialog.
        }
    }

    private enum DialogError: Swift.Error {
        case signal
        case end(Error)
    }

    private var wasSignalled = false

    private init(
        _ descriptor: Int32, _ mask: sigset_t, deadline: ContinuousClock.Instant, requester: DescriptorStream?
    ) {
        self.requester = requester
        self.descriptor = descriptor
        self.mask = mask
        self.deadline = deadline
    }

    deinit { wipe(&input) }

    private static func open(_ path: String) throws(Error) -> Int32 {
        // The path is only read. O_NOCTTY: the terminal does not become this process's own. The new file description
        // keeps O_NONBLOCK from affecting other processes.
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unavailable }
        var facts = stat()
        // fstat fills the structure.
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFCHR, facts.st_uid == geteuid(),
            isatty(descriptor) == 1, descriptor < FD_SETSIZE
        else {
            close(descriptor)
            throw .unavailable
        }
        return descriptor
    }

    // MARK: Settings

    private func withOwnSettings<R>(_ body: () throws(DialogError) -> R) throws(DialogError) -> R {
        var saved = termios()
        // This function owns all structures, and they live for the calls.
        guard unsafe tcgetattr(descriptor, &saved) == 0 else { throw .end(.unavailable) }
        var own = saved
        own.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        own.c_iflag |= tcflag_t(ICRNL)
        own.c_iflag &= ~tcflag_t(INLCR | IGNCR)
        own.c_oflag |= tcflag_t(OPOST | ONLCR)
        // Earlier input was not meant for this prompt. Flushed immediately, without waiting for output, which may never
        // be read.
        tcflush(descriptor, TCIFLUSH)
        guard unsafe tcsetattr(descriptor, TCSANOW, &own) == 0 else { throw .end(.unavailable) }
        // The settings that the terminal accepted: it may have refused some.
        var taken = termios()
        guard unsafe tcgetattr(descriptor, &taken) == 0 else { throw .end(.unavailable) }
        defer {
            // A part of a passcode must not become the next command of a shell.
            tcflush(descriptor, TCIFLUSH)
            var current = termios()
            if unsafe tcgetattr(descriptor, &current) == 0, Self.areSame(current, taken) {
                unsafe tcsetattr(descriptor, TCSANOW, &saved)
            }
        }
        return try body()
    }

    private static func areSame(_ one: termios, _ other: termios) -> Bool {
        one.c_lflag == other.c_lflag && one.c_iflag == other.c_iflag && one.c_oflag == other.c_oflag
    }

    // MARK: Input and output

    /// Shows a text unchanged.
    public func show(_ text: String) throws(Error) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // The bytes outlive the call.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try wait(toWrite: true)
            } else if errno != EINTR {
                throw .cancelled
            }
        }
    }

    /// Reads a line from the user, without its end. Characters that cannot be part of a line are ignored; a line that
    /// is too long is refused with a bell.
    ///
    /// - Parameter isShown: whether printable ASCII is shown as it is typed. Other characters never are.
    public func line(isShown: Bool) throws(Error) -> SecretBytes {
        var line: [UInt8] = []
        // Reserved at full size, because growing would leave copies behind.
        line.reserveCapacity(Self.maximumAnswerBytes + 1)
        defer { wipe(&line) }
        var isTooLong = false
        while true {
            let byte = try nextByte()
            switch byte {
            case 0x03: throw .cancelled
            case 0x04: if line.isEmpty, !isTooLong { throw .cancelled }
            case 0x0A, 0x0D:
                guard isTooLong else {
                    try show("\n")
                    return SecretBytes(copying: line)
                }
                try show("\u{7}")
                isTooLong = false
                for index in line.indices { line[index] = 0 }
                line.removeAll(keepingCapacity: true)
            case 0x08, 0x7F:
                guard !line.isEmpty else { continue }
                let wasShown = isShown && line.last! < 0x80
                // All bytes of the character.
                while let last = line.popLast(), last & 0xC0 == 0x80 {}
                if wasShown { try show("\u{8} \u{8}") }
            case 0x15, 0x17:
                if isShown { for _ in line { try show("\u{8} \u{8}") } }
                for index in line.indices { line[index] = 0 }
                line.removeAll(keepingCapacity: true)
                isTooLong = false
            case 0x1B: try passOverSequence()
            case 0x00..<0x20: continue
            default:
                guard line.count < Self.maximumAnswerBytes, !(isShown && byte >= 0x80) else {
                    isTooLong = line.count >= Self.maximumAnswerBytes
                    continue
                }
                line.append(byte)
                if isShown { try show(String(UnicodeScalar(byte))) }
            }
        }
    }

    /// Skips the bytes of an arrow key or similar, which arrive at the same moment.
    private func passOverSequence() throws(Error) {
        while !unread.isEmpty {
            let byte = try nextByte()
            // The final byte of a control sequence (ECMA-48, 5.4); `[` and `O` begin one.
            if (0x40...0x7E).contains(byte), byte != 0x5B, byte != 0x4F { return }
        }
    }

    private func nextByte() throws(Error) -> UInt8 {
        while unread.isEmpty {
            try wait(toWrite: false)
            // The kernel writes at most the array's size into the array's own storage.
            let count = unsafe input.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                unread = 0..<count
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                // The other end of the terminal is closed.
                throw .cancelled
            }
        }
        let byte = input[unread.lowerBound]
        input[unread.lowerBound] = 0
        unread = unread.dropFirst()
        return byte
    }

    private func wait(toWrite: Bool) throws(Error) {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw .timedOut }
        let outcome: InputWait.Event
        do throws(SystemCallError) {
            outcome = try InputWait.wait(
                for: descriptor, mask: mask, timeout: left, toWrite: toWrite,
                requester: requester?.descriptor)
        } catch {
            throw .unavailable
        }
        switch outcome {
        case .ready: return
        case .timedOut: throw .timedOut
        case .signal:
            wasSignalled = true
            throw .cancelled
        case .abandoned: throw .cancelled
        }
    }
}
