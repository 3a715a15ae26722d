// SPDX-License-Identifier: Apache-2.0

// environ is a mutable global of C. It is read once per launch, and POSIX forbids programs to change it meanwhile.
@preconcurrency @unsafe internal import Glibc

/// A child process. It is ended and reaped with this object at the latest, unless it is detached.
package final class ChildProcess {
    /// The process ID. Another process can get it once this process is reaped.
    package let identifier: Int32
    private var ending: Ending?

    /// The standard streams of a new program.
    package enum Streams {
        /// All streams are /dev/null.
        case none
        /// Standard input and output are this descriptor, standard error is /dev/null.
        case connected(to: Int32)
        /// Standard output is this descriptor, the other streams are /dev/null.
        case output(to: Int32)
        /// All streams are /dev/null, and descriptor `number` of the program is this descriptor.
        case reporting(to: Int32, as: Int32)
        /// Standard input and output are /dev/null, standard error is that of this process.
        case errorsOnly
        /// Standard error is this descriptor, the other streams are /dev/null.
        case errors(to: Int32)
    }

    /// How a process ended.
    package enum Ending: Hashable, Sendable {
        case exited(status: Int32)
        case killed(signal: Int32)
        /// This program ignores SIGCHLD, or waits for all children itself.
        case notReported
    }

    /// The deviations from a program that ends up in this process's session, with all its rights and descriptors.
    package struct Options: OptionSet {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The program becomes the leader of a session without a terminal, and of a process group.
        package static let newSession = Options(rawValue: 1 << 0)
        /// The program runs as the user and group who started this program, for example if this program is
        /// set-group-id.
        package static let droppedPrivileges = Options(rawValue: 1 << 1)
        /// The program inherits no descriptors except its streams. For a program with one thread.
        package static let closedDescriptors = Options(rawValue: 1 << 2)
        /// The program inherits the blocked and ignored signals of this process.
        package static let inheritedSignals = Options(rawValue: 1 << 3)
    }

    /// Starts a program by its path. Descriptors without close-on-exec are inherited unless the options close them:
    /// glibc's call that would close them is not importable, so the program must close them itself.
    ///
    /// - Parameter environment: each entry as `NAME=value`; nil for this process's own.
    /// - Throws: the error of the failed call.
    package init(
        _ path: String, arguments: [String] = [], streams: Streams, environment: [String]?, options: Options = []
    ) throws(SystemCallError) {
        var child: pid_t = 0
        // The two objects are initialised before use and destroyed on every path; all strings outlive the call.
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe Self.connect(streams, &actions)
        if options.contains(.closedDescriptors) {
            // One of them may be a pipe with a passcode, or the connection to the service. The actions come in this
            // order, and a descriptor that is closed meanwhile is no error.
            for other in try Self.openDescriptors() { unsafe posix_spawn_file_actions_addclose(&actions, other) }
        }
        var flags: Int32 = 0
        if !options.contains(.inheritedSignals) {
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe posix_spawnattr_setsigmask(&attributes, &signals)
            let reset = [
                SIGPIPE, SIGTERM, SIGINT, SIGQUIT, SIGTSTP, SIGCHLD, SIGHUP, SIGALRM, SIGXCPU, SIGTTOU,
            ]
            for signal in reset { unsafe sigaddset(&signals, signal) }
            unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
            flags |= Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        }
        // POSIX_SPAWN_SETSID of spawn.h, which shows it to C with GNU's extensions only.
        if options.contains(.newSession) { flags |= 0x80 }
        // Skipped if there are no privileges to drop, because the system service may not make the calls for it.
        let hasPrivileges = geteuid() != getuid() || getegid() != getgid()
        if options.contains(.droppedPrivileges), hasPrivileges { flags |= Int32(POSIX_SPAWN_RESETIDS) }
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe (environment ?? []).map { unsafe strdup($0) } + [nil]
        defer { unsafe variables.forEach { unsafe free($0) } }
        let code =
            if environment == nil {
                unsafe posix_spawn(&child, path, &actions, &attributes, &words, environ)
            } else {
                unsafe posix_spawn(&child, path, &actions, &attributes, &words, &variables)
            }
        guard code == 0 else { throw SystemCallError(call: "posix_spawn", code: code) }
        identifier = child
    }

    deinit { end() }

    private static func connect(_ streams: Streams, _ actions: inout posix_spawn_file_actions_t) {
        var discarded: [Int32] = []
        switch streams {
        case .none: discarded = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        case .errorsOnly: discarded = [STDIN_FILENO, STDOUT_FILENO]
        case .errors(let descriptor):
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDERR_FILENO)
            discarded = [STDIN_FILENO, STDOUT_FILENO]
        case .output(let descriptor):
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
            discarded = [STDIN_FILENO, STDERR_FILENO]
        case .connected(let descriptor):
            // Also needed if the descriptor has the number already, because it removes close-on-exec.
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
            unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
            discarded = [STDERR_FILENO]
        case .reporting(let descriptor, let number):
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            discarded = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        }
        for stream in discarded { unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) }
    }

    /// Returns all descriptors of this process above the standard ones.
    private static func openDescriptors() throws(SystemCallError) -> [Int32] {
        try FolderContents.names(in: "/proc/self/fd").compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
    }

    /// Sends a signal, unless the process is reaped.
    package func signal(_ number: Int32) {
        if ending == nil { kill(identifier, number) }
    }

    /// Sends a signal to the program's process group (see ``Options/newSession``), unless the process is reaped.
    package func signalGroup(_ number: Int32) {
        if ending == nil { kill(-identifier, number) }
    }

    /// Lets the process outlive this object, which then neither signals nor reaps it.
    package func detach() { ending = .notReported }

    /// Returns how the process ended, and reaps it; nil while it runs. Does not wait.
    package func reapIfEnded() -> Ending? { reap(WNOHANG) }

    /// Waits until the process has ended.
    package func wait() -> Ending {
        // Without WNOHANG the call returns only with an ending or with an error.
        reap(0) ?? .notReported
    }

    private func reap(_ options: Int32) -> Ending? {
        if let ending { return ending }
        var status: Int32 = 0
        var result: pid_t
        // Fills the status.
        repeat { result = unsafe waitpid(identifier, &status, options) } while result < 0 && errno == EINTR
        guard result != 0 else { return nil }
        let ending: Ending =
            result < 0
            ? .notReported
            : status & 0x7F == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
        self.ending = ending
        return ending
    }

    /// Waits at most `patience` for the process to end by itself, then kills it. Reaps it in both cases.
    ///
    /// - Returns: how it ended by itself; nil if it was killed.
    @discardableResult
    package func end(within patience: Duration = .zero) -> Ending? {
        if let ending = wait(atMost: patience) { return ending }
        signal(SIGKILL)
        _ = wait()
        return nil
    }

    /// Waits at most `patience` for the process to end by itself, and reaps it then.
    ///
    /// - Returns: how it ended; nil if it still runs.
    package func wait(atMost patience: Duration) -> Ending? {
        let deadline = ContinuousClock.now + patience
        while true {
            if let ending = reapIfEnded() { return ending }
            guard ContinuousClock.now < deadline else { return nil }
            var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
            // A signal may shorten the pause, which does no harm.
            unsafe nanosleep(&pause, nil)
        }
    }
}

/// Returns the path of the file that this process runs; nil if the kernel does not report it.
package func ownExecutablePath() -> String? { try? linkTarget("/proc/self/exe", AT_FDCWD) }

/// Returns the first path that is a file and that this user may run.
func firstProgram(of paths: [String]) -> String? {
    paths.first { path in
        var facts = stat()
        // Both calls read the path and write only `facts`.
        return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
