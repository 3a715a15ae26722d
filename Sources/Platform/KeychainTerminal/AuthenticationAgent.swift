// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// polkit's authentication agent for terminals (pkttyagent(1)). When polkit requires the password of this process's
/// user, the agent asks for it on the controlling terminal. An agent of the desktop takes precedence if there is one.
public final class AuthenticationAgent {
    private let child: ChildProcess
    private let terminal = TerminalState(path: Terminal.controlling.path)

    /// The time for the agent to register with polkit, and to end.
    private static let patience = Duration.seconds(5)

    /// The paths of the programs, which run only if root owns the files and their paths.
    private static let (agent, launcher) = ("/usr/bin/pkttyagent", "/usr/bin/setpriv")

    /// Starts the agent and waits until it has registered with polkit, or has ended. Nil if there is no agent, or no
    /// terminal with this process in its foreground.
    ///
    /// - Parameter yields: Whether an agent of the desktop takes precedence. polkit never uses an agent that yields for a
    ///   process without a logind session, so set this only where there may be a desktop.
    public init?(yieldingToDesktop yields: Bool) {
        guard Self.isInForeground, Self.isRoots(Self.agent) else { return nil }
        var words = [Self.agent, "--process", String(getpid()), "--notify-fd", "1"]
        if yields { words.append("--fallback") }
        // The agent ends with this process, however this process ends.
        if Self.isRoots(Self.launcher) { words = [Self.launcher, "--pdeathsig", "TERM", "--"] + words }
        do throws(SystemCallError) {
            let notification = try Notification()
            child = try ChildProcess(
                words[0], arguments: Array(words.dropFirst()), streams: .output(to: notification.writing),
                environment: nil, options: [.droppedPrivileges, .closedDescriptors])
            notification.wait(until: .now + Self.patience)
        } catch {
            return nil
        }
    }

    /// Ends the agent, and restores the terminal's settings if the agent was prompting.
    public func end() {
        child.signal(SIGTERM)
        // An agent that was stopped together with this process must continue to receive the signal.
        child.signal(SIGCONT)
        child.end(within: Self.patience)
        terminal.restore()
    }

    /// A process in the background would be stopped when it reads from the terminal.
    private static var isInForeground: Bool {
        // The path is only read.
        let descriptor = unsafe open(Terminal.controlling.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return tcgetpgrp(descriptor) == getpgrp()
    }

    private static func isRoots(_ path: String) -> Bool {
        guard let facts = (try? InstalledProgram(path))?.facts else { return false }
        return facts.owner == 0 && facts.mode & 0o022 == 0 && facts.isRegular && facts.openDirectory == nil
    }

    /// A stream whose writing end the agent closes when it has registered with polkit; the kernel closes it when the
    /// agent ends.
    private final class Notification {
        private let reading: Int32
        private(set) var writing: Int32

        init() throws(SystemCallError) {
            (reading, writing) = try SocketPair.make()
        }

        deinit {
            close(reading)
            if writing >= 0 { close(writing) }
        }

        func wait(until deadline: ContinuousClock.Instant) {
            close(writing)
            writing = -1
            while true {
                let left = ContinuousClock.now.duration(to: deadline)
                guard left > .zero else { return }
                var state = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
                // One structure, as the count says.
                if unsafe poll(&state, 1, left.pollTimeout) != 0, errno != EINTR || state.revents != 0 { return }
            }
        }
    }
}
