// SPDX-License-Identifier: Apache-2.0

internal import CWipingAllocator
public import DBus
internal import Glibc
internal import KeychainEndpoint
internal import KeychainPlatform

/// The process of a program that makes requests of the keychain for its own clients.
public enum BridgeProcess {
    /// Protects the secrets that pass through the process. Protections that the kernel does not support are left out.
    ///
    /// The process stays dumpable, because the keychain service must be able to inspect it.
    public static func harden() {
        _ = ProcessHardening.resetCrashSignals()
        _ = ProcessHardening.ignoreBrokenPipes()
        _ = ProcessHardening.closeInheritedDescriptors()
        // Each client has a few.
        _ = ProcessHardening.raiseDescriptorLimit()
        _ = ProcessHardening.disableCoreFiles()
        // The link to this function makes the program overwrite freed memory.
        _ = cwa_is_wiping()
    }

    /// Opens a process as a pidfd, and reads its start.
    ///
    /// - Parameter number: the number of the process, as a message bus names it.
    /// - Returns: nil if there is no such process, or if it cannot be opened.
    @Sendable public static func openProcess(_ number: UInt32) -> NumberedProcess? {
        guard let number = Int32(exactly: number), let process = try? PeerProcess(lookingAt: number) else { return nil }
        let copy = fcntl(process.endDescriptor, F_DUPFD_CLOEXEC, 0)
        withExtendedLifetime(process) {}
        guard copy >= 0 else { return nil }
        // It was read before the process was found alive.
        return NumberedProcess(pidfd: Descriptor(owning: copy), start: ProcessTime(ticks: process.start))
    }

    /// Ends a process of the same program and user with SIGTERM, and waits for its end for at most ten seconds.
    ///
    /// - Returns: whether it has ended; false for a process of another program.
    @Sendable public static func endOwnProgram(_ number: UInt32) -> Bool {
        guard let number = Int32(exactly: number), let process = try? PeerProcess(lookingAt: number) else {
            return false
        }
        return process.endIfOwnProgram(within: .seconds(10))
    }

    /// Writes a text to standard error, which systemd adds to the journal.
    public static func writeLog(_ text: String) {
        // A failure to write the log cannot be reported.
        try? DescriptorStream.standardError.write(text.utf8)
    }
}
