// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// The settings of a terminal before a helper program used it.
public final class SavedTerminal: Sendable {
    private let terminal: OwnedDescriptor
    private let settings: termios

    /// Saves the settings; nil unless the path is that of a terminal which belongs to the user of this process.
    public init?(path: String) {
        // The path is only read. O_NONBLOCK and O_NOCTTY: the open does not wait, and does not make it this process's
        // controlling terminal.
        let number = unsafe open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard let terminal = try? OwnedDescriptor(number, from: "open"), let facts = try? terminal.status(),
            facts.st_mode & S_IFMT == S_IFCHR, facts.st_uid == geteuid()
        else { return nil }
        var settings = termios()
        // Fills the structure; fails for a file that is not a terminal.
        guard unsafe tcgetattr(terminal.number, &settings) == 0 else { return nil }
        self.terminal = terminal
        self.settings = settings
    }

    /// Restores the settings, without waiting for output that no program reads.
    func restore() {
        var settings = settings
        var (blocked, before) = (sigset_t(), sigset_t())
        // This function owns all structures. If the terminal is this process's own and another group has it, the kernel
        // would stop the process for this call, unless the signal is blocked (tcsetattr(3)).
        unsafe sigemptyset(&blocked)
        unsafe sigaddset(&blocked, SIGTTOU)
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
        unsafe tcsetattr(terminal.number, TCSANOW, &settings)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
