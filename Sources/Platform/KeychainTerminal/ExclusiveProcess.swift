// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// The role of a process that exists once for each user: it holds the lock of a file until it ends.
///
/// The kernel names the holder of the lock, so the file has no content, and no other process can be mistaken for it.
public final class ExclusiveProcess {
    private let file: OwnedDescriptor

    /// Takes over the role. The current holder gets SIGTERM, and has the given time to end.
    ///
    /// - Parameter path: the file, which is created if it is missing. Its folder belongs to the user alone.
    ///
    /// Throws the errors of open(2) and fcntl(2); EAGAIN if the holder does not end.
    public init(takingOver path: String, within patience: Duration) throws(SystemCallError) {
        // The path is only read.
        file = try OwnedDescriptor(unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600), from: "open")
        let deadline = ContinuousClock.now + patience
        var asked: pid_t = 0
        while true {
            var lock = Self.wholeFile
            // Both calls read and fill this function's own structure.
            if unsafe fcntl(file.number, F_SETLK, &lock) == 0 { return }
            guard errno == EAGAIN || errno == EACCES else { throw .last("fcntl") }
            guard ContinuousClock.now < deadline else { throw SystemCallError(call: "fcntl", code: EAGAIN) }
            lock = Self.wholeFile
            guard unsafe fcntl(file.number, F_GETLK, &lock) == 0 else { throw .last("fcntl") }
            if lock.l_type != Int16(F_UNLCK), lock.l_pid > 0, lock.l_pid != asked {
                asked = lock.l_pid
                kill(asked, SIGTERM)
            }
            var pause = timespec(tv_sec: 0, tv_nsec: 5_000_000)
            // A signal may shorten the pause, which does no harm.
            unsafe nanosleep(&pause, nil)
        }
    }

    private static var wholeFile: flock {
        flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    }
}
