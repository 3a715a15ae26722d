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

    /// Opens a process as a pidfd.
    ///
    /// - Parameter number: the number of the process, as a message bus names it.
    /// - Returns: nil if there is no such process, or if it cannot be opened.
    @Sendable public static func openProcess(_ number: UInt32) -> Descriptor? {
        guard let number = Int32(exactly: number), let process = try? PeerProcess(lookingAt: number) else { return nil }
        let copy = fcntl(process.endDescriptor, F_DUPFD_CLOEXEC, 0)
        withExtendedLifetime(process) {}
        return copy < 0 ? nil : Descriptor(owning: copy)
    }

    /// Writes a text to standard error, which systemd adds to the journal.
    public static func writeLog(_ text: String) {
        // A failure to write the log cannot be reported.
        try? DescriptorStream.standardError.write(text.utf8)
    }
}
