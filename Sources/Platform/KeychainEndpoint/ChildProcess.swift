// SPDX-License-Identifier: Apache-2.0

// environ is a mutable global of C. It is read once per launch, and POSIX forbids programs to change it meanwhile.
@preconcurrency @unsafe internal import Glibc

/// A child process. The code that starts one must call ``end()`` or wait for it.
package struct SpawnedProgram: Sendable {
    package let process: Int32

    /// The standard streams of a new program.
    package enum Streams {
        /// All streams are /dev/null.
        case none
        /// Standard input and output are this descriptor, standard error is /dev/null.
        case connected(to: Int32)
        /// Standard output is this descriptor, the other streams are /dev/null.
        case output(to: Int32)
    }

    /// Starts a program by its path. The program does not inherit the caller's blocked and ignored signals. Other
    /// descriptors without close-on-exec are inherited: glibc's call that would close them is not importable, so the
    /// program must close them itself.
    ///
    /// - Parameters:
    ///   - environment: each entry as `NAME=value`; nil for this process's own.
    ///   - startsSession: whether it becomes the leader of a session without a terminal, and of a process group.
    ///   - closing: descriptors that the program does not inherit.
    ///   - dropsPrivileges: whether it runs as the user and group who started this program, for example if this program
    ///     is set-group-id.
    package init(
        _ path: String, arguments: [String] = [], streams: Streams, environment: [String]?,
        startsSession: Bool = false, dropsPrivileges: Bool = false, closing: [Int32] = []
    ) throws(SystemCallError) {
        var child: pid_t = 0
        // The two objects are initialised before use and destroyed on every path; all strings outlive the call.
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        switch streams {
        case .none:
            for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
                unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
            }
        case .output(let descriptor):
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
            for stream in [STDIN_FILENO, STDERR_FILENO] {
                unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
            }
        case .connected(let descriptor):
            // Also needed if the descriptor has the number already, because it removes close-on-exec.
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
            unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
            unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_RDWR, 0)
        }
        for descriptor in closing { unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGTERM, SIGINT, SIGCHLD, SIGHUP, SIGALRM, SIGXCPU, SIGTTOU] {
            unsafe sigaddset(&signals, signal)
        }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        // POSIX_SPAWN_SETSID of spawn.h, which shows it to C with GNU's extensions only.
        let session: Int32 = startsSession ? 0x80 : 0
        // Skipped if there are no privileges to drop, because the system service may not make the calls for it.
        let hasPrivileges = geteuid() != getuid() || getegid() != getgid()
        let identity = dropsPrivileges && hasPrivileges ? Int32(POSIX_SPAWN_RESETIDS) : 0
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | session | identity))
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
        process = child
    }

    /// Waits at most `patience` for the program to end by itself, then ends it as ``end()`` does.
    package func end(within patience: Duration) {
        let deadline = ContinuousClock.now + patience
        var facts = unsafe siginfo_t()
        // Fills the structure, and leaves the process to be reaped below.
        while unsafe waitid(P_PID, id_t(process), &facts, WEXITED | WNOHANG | WNOWAIT) == 0,
            unsafe facts._sifields._sigchld.si_pid == 0, ContinuousClock.now < deadline
        {
            var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
            // A signal may shorten the pause, which does no harm.
            unsafe nanosleep(&pause, nil)
        }
        end()
    }

    /// Kills the process, unless it has ended, and reaps it. A program that ignores SIGCHLD, or waits for all children
    /// itself, leaves no status to reap.
    package func end() {
        var status: Int32 = 0
        // Fills the status. Zero: the child runs, so its ID is not reused.
        guard unsafe waitpid(process, &status, WNOHANG) == 0 else { return }
        kill(process, SIGKILL)
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}

/// Returns the path of the file that this process runs; nil if the kernel does not report it.
func ownExecutablePath() -> String? {
    // readlink writes at most the capacity and no terminating zero.
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        let count = unsafe readlink("/proc/self/exe", buffer.baseAddress!, buffer.count)
        guard count > 0 else { return nil }
        return unsafe String(decoding: buffer[..<count], as: UTF8.self)
    }
}

/// Returns the first path that is a file and that this user may run.
func firstProgram(of paths: [String]) -> String? {
    paths.first { path in
        var facts = stat()
        // Both calls read the path and write only `facts`.
        return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
