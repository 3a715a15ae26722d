// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint
public import SecretMemory

/// A conversation on a terminal that is another program's: its own keys for signals stay without effect on that program, nothing that was
/// typed before counts, and nothing that was typed for it is left for others.
///
/// Whatever ends it, signals included, the terminal gets its settings back, unless somebody else has changed them meanwhile. For programs
/// of one thread. It waits no longer than it may, neither for a person nor for a terminal that takes no output.
public final class TerminalDialog {
    /// Why a conversation ended without an answer.
    public enum End: Error, Hashable, Sendable {
        /// There is no such terminal, it is not the user's, or it does not work.
        case unavailable
        /// Ctrl-C, or Ctrl-D on an empty line; or the terminal is gone, or who waits for the answer.
        case cancelled
        case timedOut
    }

    /// An answer has at most so many bytes. Longer ones are not taken.
    public static let maximumAnswerBytes = Terminal.maximumLineBytes - 1

    private let descriptor: Int32
    private let mask: sigset_t
    private let deadline: ContinuousClock.Instant
    private let requester: DescriptorStream?
    private var input = [UInt8](repeating: 0, count: 512)
    private var unread = 0..<0

    /// Opens the terminal and talks.
    ///
    /// - Parameters:
    ///   - path: only a terminal that belongs to the user of this process will do.
    ///   - timeout: for all of it.
    ///   - requester: the connection of who waits for the answer, on which nothing more is to come. Its end is one of the dialog.
    ///   - body: the conversation.
    public static func hold<R>(
        on path: String, timeout: Duration, requester: DescriptorStream? = nil,
        _ body: (TerminalDialog) throws(End) -> R
    ) throws(End) -> R {
        let deadline = ContinuousClock.now + timeout
        let descriptor = try open(path)
        defer { close(descriptor) }
        while true {
            let result = try SignalGuard.reading { mask throws(End) -> R? in
                let dialog = TerminalDialog(descriptor, mask, deadline, requester)
                do throws(Interruption) {
                    return try dialog.withOwnSettings { () throws(Interruption) in
                        do throws(End) {
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
            // Here again after having been stopped and continued: once more from the beginning.
        }
    }

    private enum Interruption: Error {
        case signal
        case end(End)
    }

    private var wasSignalled = false

    private init(
        _ descriptor: Int32, _ mask: sigset_t, _ deadline: ContinuousClock.Instant, _ requester: DescriptorStream?
    ) {
        self.requester = requester
        self.descriptor = descriptor
        self.mask = mask
        self.deadline = deadline
    }

    deinit { wipe(&input) }

    private static func open(_ path: String) throws(End) -> Int32 {
        // The path is only read. Without making it this process's own terminal; a description of its own, so that not waiting
        // concerns nobody else.
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

    private func withOwnSettings<R>(_ body: () throws(Interruption) -> R) throws(Interruption) -> R {
        var saved = termios()
        // All calls get structures of ours that live for them.
        guard unsafe tcgetattr(descriptor, &saved) == 0 else { throw .end(.unavailable) }
        var own = saved
        own.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        own.c_iflag |= tcflag_t(ICRNL)
        own.c_iflag &= ~tcflag_t(INLCR | IGNCR)
        own.c_oflag |= tcflag_t(OPOST | ONLCR)
        // What was typed before was not meant for this question. At once, not when all output is read: nobody may read it.
        tcflush(descriptor, TCIFLUSH)
        guard unsafe tcsetattr(descriptor, TCSANOW, &own) == 0 else { throw .end(.unavailable) }
        // As the terminal understood it: it may not have taken all.
        var taken = termios()
        guard unsafe tcgetattr(descriptor, &taken) == 0 else { throw .end(.unavailable) }
        defer {
            // A part of a passcode is not the next command of a shell.
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

    // MARK: Talking

    /// Shows a text as it is.
    public func show(_ text: String) throws(End) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // The bytes live across the call.
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

    /// A line that the person types, without its end. What cannot be a part of a line is passed over; a line that is too long is
    /// not taken, and sounds the bell.
    ///
    /// - Parameter isShown: whether printable ASCII appears as it is typed. Nothing else does.
    public func line(isShown: Bool) throws(End) -> SecretBytes {
        var line: [UInt8] = []
        // Never grown, so that growing leaves nothing behind.
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

    /// An arrow key and its like: what came in the same moment.
    private func passOverSequence() throws(End) {
        while !unread.isEmpty {
            let byte = try nextByte()
            // The final byte of a control sequence (ECMA-48, 5.4); `[` and `O` begin one.
            if (0x40...0x7E).contains(byte), byte != 0x5B, byte != 0x4F { return }
        }
    }

    private func nextByte() throws(End) -> UInt8 {
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

    private func wait(toWrite: Bool) throws(End) {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw .timedOut }
        let outcome: InputWait.Outcome
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
