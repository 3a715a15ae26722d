// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Waits until a program that a test wrote can be run: the kernel runs no file that somebody has open for writing (`ETXTBSY`), and a
/// process that another test is just starting has all descriptors of this one until its exec.
///
/// A file that cannot be opened is not waited for.
public func waitUntilRunnable(_ path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    // fcntl(2): a lease for reading is given when nobody has the file open for writing, and refused with EAGAIN until then. Where the
    // file system has no leases, nothing is waited for.
    let setLease: Int32 = 1024  // F_SETLEASE, which <fcntl.h> hides without _GNU_SOURCE
    while fcntl(file, setLease, Int32(F_RDLCK)) != 0, errno == EAGAIN { sched_yield() }
    _ = fcntl(file, setLease, Int32(F_UNLCK))
}
