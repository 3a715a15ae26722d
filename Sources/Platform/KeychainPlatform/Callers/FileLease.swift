// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// Read leases (fcntl(2)), by which a process learns that another process opens a file for writing.
enum FileLease {
    /// F_SETLEASE and F_GETLEASE, which the Glibc module omits.
    private static let (set, get): (Int32, Int32) = (1024, 1025)

    /// Takes a lease. Fails while any process has the file open for writing, or mapped for writing. A process that then
    /// opens it for writing waits until the lease ends. Requires the file's owner, or CAP_LEASE.
    static func take(_ file: OwnedDescriptor) -> Bool {
        _ = ignoresSignal
        return fcntl(file.number, set, F_RDLCK) == 0
    }

    /// Returns false once a process waits for the end of the lease.
    static func isHeld(_ file: OwnedDescriptor) -> Bool { fcntl(file.number, get) == F_RDLCK }

    static func end(_ file: OwnedDescriptor) { _ = fcntl(file.number, set, F_UNLCK) }

    /// SIGIO is ignored unless the program handles it, because the kernel's request to end a lease would end the
    /// process.
    private static let ignoresSignal: Void = {
        var action = sigaction()
        // Fills the structure. SIG_DFL is the null pointer.
        guard unsafe sigaction(SIGIO, nil, &action) == 0, unsafe action.__sigaction_handler.sa_handler == nil
        else { return }
        signal(SIGIO, SIG_IGN)
    }()
}
