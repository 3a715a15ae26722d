// SPDX-License-Identifier: Apache-2.0

// environ is a mutable global of C. It is read once per start, and POSIX forbids programs to change it meanwhile.
@preconcurrency @unsafe internal import Glibc
internal import KeychainEndpoint

/// A child process whose standard input and output are one socket of this process. It ends with this object at the
/// latest.
///
/// A socket and not two pipes, because writing to a pipe without a reader would end this program with a signal.
final class SpokenProcess {
    private let child: pid_t
    private let descriptor: Int32
    private var isReaped = false

    /// The time for a process to end before it is killed.
    private static let patience = Duration.seconds(1)

    /// Starts a program with this process's environment and nothing else: all descriptors except the three standard
    /// ones are closed in it, and its standard error is discarded.
    ///
    /// Throws the error of the failed call.
    init(_ program: String) throws(SystemCallError) {
        var ends: (Int32, Int32) = (-1, -1)
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        // socketpair writes two descriptors, and the tuple has room for two.
        let outcome = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
            unsafe socketpair(AF_UNIX, type, 0, bytes.bindMemory(to: Int32.self).baseAddress)
        }
        guard outcome == 0 else { throw .last("socketpair") }
        defer { close(ends.1) }
        do throws(SystemCallError) {
            child = try Self.spawn(program, speakingTo: ends.1)
        } catch {
            close(ends.0)
            throw error
        }
        descriptor = ends.0
    }

    deinit { _ = end() }

    /// Sends a line. Returns false if the process has closed its input.
    func send(_ line: [UInt8]) -> Bool {
        var sent = 0
        while sent < line.count {
            // The pointer stays inside the closure, and the size is that of the rest.
            let count = unsafe line[sent...].withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    func wait(
        mask: sigset_t, until deadline: ContinuousClock.Instant, requester: Int32?
    ) throws(SystemCallError) -> InputWait.Outcome {
        try InputWait.wait(
            for: descriptor, mask: mask, timeout: ContinuousClock.now.duration(to: deadline), requester: requester)
    }

    /// Reads into the buffer from a position on; returns 0 if the process has closed the connection.
    func read(into buffer: inout [UInt8], from start: Int) -> Int {
        while true {
            // The kernel writes at most the bytes after `start`, into the array's own storage.
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
            }
            if count >= 0 { return count }
            // Any other error ends the connection.
            guard errno == EINTR else { return 0 }
        }
    }

    /// Waits for the process to end after its input is closed; kills it if it does not.
    ///
    /// - Parameter isInterrupted: whether to send SIGINT, at which programs restore the terminal.
    /// - Returns: whether it ended by itself.
    @discardableResult
    func end(isInterrupted: Bool = false) -> Bool {
        guard !isReaped else { return true }
        isReaped = true
        close(descriptor)
        if isInterrupted {
            kill(child, SIGINT)
            // A process that was stopped together with this one must continue to receive the signal.
            kill(child, SIGCONT)
        }
        let deadline = ContinuousClock.now + Self.patience
        var status: Int32 = 0
        while true {
            let result = unsafe waitpid(child, &status, WNOHANG)
            if result == child { return status & 0x7F == 0 }
            // ECHILD: the program that started this one ignores SIGCHLD, so the kernel reaps.
            if result < 0, errno != EINTR { return true }
            guard ContinuousClock.now < deadline else { break }
            var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
            // A signal may shorten the pause, which does no harm.
            unsafe nanosleep(&pause, nil)
        }
        kill(child, SIGKILL)
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        return false
    }

    private static func spawn(_ program: String, speakingTo descriptor: Int32) throws(SystemCallError) -> pid_t {
        var child: pid_t = 0
        // The two objects are initialised before use and destroyed on every path; all strings outlive the call.
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // One of them may be a pipe with a passcode, or the connection to the service.
        for other in try openDescriptors() { unsafe posix_spawn_file_actions_addclose(&actions, other) }
        // The child does not inherit the signals that this program blocks.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGTERM, SIGINT, SIGQUIT, SIGTSTP, SIGCHLD, SIGHUP] {
            unsafe sigaddset(&signals, signal)
        }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(program), nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        let code = unsafe posix_spawn(&child, program, &actions, &attributes, &arguments, environ)
        guard code == 0 else { throw SystemCallError(call: "posix_spawn", code: code) }
        return child
    }

    /// Returns all descriptors of this process above the standard ones.
    static func openDescriptors() throws(SystemCallError) -> [Int32] {
        guard let folder = unsafe opendir("/proc/self/fd") else { throw .last("opendir") }
        defer { unsafe _ = closedir(folder) }
        var descriptors: [Int32] = []
        // An entry is valid until the next call; its name ends with a zero byte.
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name), number > STDERR_FILENO { descriptors.append(number) }
        }
        return descriptors
    }
}
