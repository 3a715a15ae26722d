// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Waits until a program that a test wrote can be run: the kernel runs no file that is open for writing (`ETXTBSY`),
/// and a process that another test is just starting has all descriptors of this process until its exec.
///
/// A file that cannot be opened is not waited for.
public func waitUntilRunnable(_ path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    // fcntl(2): a read lease is granted if no process has the file open for writing, and fails with EAGAIN until then.
    // If the file system has no leases, the function does not wait.
    let setLease: Int32 = 1024  // F_SETLEASE, which <fcntl.h> hides without _GNU_SOURCE
    while fcntl(file, setLease, Int32(F_RDLCK)) != 0, errno == EAGAIN { sched_yield() }
    _ = fcntl(file, setLease, Int32(F_UNLCK))
}
