// SPDX-License-Identifier: Apache-2.0

// environ is a mutable global of C. It is read once per launch, and POSIX forbids programs to change it meanwhile.
@preconcurrency @unsafe internal import Glibc

/// A child process. Whoever starts one ends it with ``end()``, or waits for it.
struct SpawnedProgram {
    let process: pid_t

    /// Where a new program reads and writes.
    enum Streams {
        /// Everything at /dev/null.
        case none
        /// Standard input and output are this descriptor, standard error is /dev/null.
        case connected(to: Int32)
    }

    /// Starts a program by its path. Signals that this program blocks or ignores are its own affair. Other descriptors without
    /// close-on-exec reach the new program too: glibc's call that would close them is not importable, so it closes them itself.
    ///
    /// - Parameter inheritsEnvironment: it gets this process's environment, or an empty one.
    init(
        _ path: String, arguments: [String] = [], streams: Streams, inheritsEnvironment: Bool
    ) throws(SystemCallError) {
        var child: pid_t = 0
        // The two objects are initialised before use and destroyed on every way out; all strings live across the call.
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
        case .connected(let descriptor):
            // Also where the descriptor has the number already: then this takes away that exec closes it.
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
            unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
            unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_RDWR, 0)
        }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGTERM, SIGINT, SIGCHLD, SIGHUP, SIGALRM, SIGXCPU] {
            unsafe sigaddset(&signals, signal)
        }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var nothing: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        let code =
            if inheritsEnvironment {
                unsafe posix_spawn(&child, path, &actions, &attributes, &words, environ)
            } else {
                unsafe posix_spawn(&child, path, &actions, &attributes, &words, &nothing)
            }
        guard code == 0 else { throw SystemCallError(call: "posix_spawn", code: code) }
        process = child
    }

    /// Kills it, unless it has ended, and takes its status from the kernel. A program that ignores SIGCHLD, or waits for all
    /// children itself, has none to take.
    func end() {
        var status: Int32 = 0
        // Fills the status. Zero: the child runs, so the number is still its own.
        guard unsafe waitpid(process, &status, WNOHANG) == 0 else { return }
        kill(process, SIGKILL)
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}

/// The file that this process runs; nil where the kernel does not say.
func ownExecutablePath() -> String? {
    // readlink writes at most the capacity and no terminating zero.
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        let count = unsafe readlink("/proc/self/exe", buffer.baseAddress!, buffer.count)
        guard count > 0 else { return nil }
        return unsafe String(decoding: buffer[..<count], as: UTF8.self)
    }
}

/// The first of the paths that is a file this user may run.
func firstProgram(of paths: [String]) -> String? {
    paths.first { path in
        var facts = stat()
        // Both calls read the path and write nothing but `facts`.
        return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
