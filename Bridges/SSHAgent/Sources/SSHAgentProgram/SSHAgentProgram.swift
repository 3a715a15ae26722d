// SPDX-License-Identifier: Apache-2.0

internal import CWipingAllocator
internal import FoundationEssentials
@preconcurrency @unsafe internal import Glibc
internal import KeychainEndpoint
internal import KeychainPlatform
internal import SSHAgent

/// The main program: OpenSSH's command line for an agent on the keychain.
@main struct SSHAgentProgram {
    static func main() {
        _ = ProcessHardening.resetCrashSignals()
        // Linking this library makes freed memory be overwritten.
        _ = cwa_is_wiping()
        do throws(AgentCommandLine.UsageError) {
            let line = try AgentCommandLine(
                Array(CommandLine.arguments.dropFirst()), shell: ProcessInfo.processInfo.environment["SHELL"])
            run(line)
        } catch {
            fail(error.reason, usage: true)
        }
    }

    private static func run(_ line: AgentCommandLine) {
        do throws(AgentStart.Failure) {
            switch line.action {
            case .showUsage: output(AgentCommandLine.usage)
            case .kill: output(line.shell.removal(agent: try AgentStart.killAgent()))
            case .serve: try serve(line, socket: line.socket)
            case .start:
                let (socket, agent) = try AgentStart.inBackground(line, parent: nil)
                output(line.shell.settings(socket: socket, agent: agent))
            case .run(let command):
                let (socket, agent) = try AgentStart.inBackground(line, parent: getpid())
                try AgentStart.execute(command, socket: socket, agent: agent)
            case .background(let background): serve(line, background)
            }
        } catch {
            fail(error.reason, usage: false)
        }
    }

    // MARK: Serving

    /// Serves in the foreground: at the socket of the service manager, at a given path, or in a new folder.
    private static func serve(_ line: AgentCommandLine, socket: String?) throws(AgentStart.Failure) {
        harden(keepingDescriptorsTo: 3)
        if socket == nil, let adopted = try AgentStart.adoptedSocket() {
            return try AgentServer(line, listener: adopted, parent: nil, report: log).run {}
        }
        let folder = socket == nil ? try AgentStart.newFolder() : nil
        let path = socket ?? AgentStart.socket(in: folder ?? "")
        let listener = try AgentStart.listener(at: path)
        defer { AgentStart.remove(path, in: folder) }
        try AgentServer(line, listener: listener, parent: nil, report: log).run {
            output(line.shell.foregroundSettings(socket: path, agent: getpid()))
        }
    }

    /// Serves in the background, and reports the start to the process that waits for it.
    private static func serve(_ line: AgentCommandLine, _ background: AgentCommandLine.Background) {
        guard let path = line.socket else { fail(nil, usage: true) }
        harden(keepingDescriptorsTo: DetachedStart.reportDescriptor)
        do throws(AgentStart.Failure) {
            // A folder that was current is not kept in use.
            _ = unsafe chdir("/")
            let parent = try background.parent.map { number throws(AgentStart.Failure) in
                try AgentStart.parent(number)
            }
            let listener = try AgentStart.listener(at: path)
            defer { AgentStart.remove(path, in: background.ownsFolder ? AgentStart.folder(of: path) : nil) }
            try AgentServer(line, listener: listener, parent: parent, report: { _ in }).run {
                DetachedStart.report(.ready)
            }
        } catch {
            DetachedStart.report(.failed(error.reason))
            exit(EXIT_FAILURE)
        }
    }

    /// Protects the process. The keychain service must be able to inspect it, so it stays dumpable.
    private static func harden(keepingDescriptorsTo last: Int32) {
        _ = ProcessHardening.ignoreBrokenPipes()
        _ = ProcessHardening.closeInheritedDescriptors(from: last + 1)
        _ = ProcessHardening.raiseDescriptorLimit()
        _ = ProcessHardening.forbidNewPrivileges()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // No core files. The kernel reads the structure.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        // The socket and its folder are the user's alone.
        umask(0o077)
    }

    // MARK: Messages

    private static func output(_ text: String) {
        do throws(SystemCallError) {
            try DescriptorStream.standardOutput.write(text.utf8)
        } catch {
            fail("standard output: \(error)", usage: false)
        }
    }

    /// Writes a sentence to standard error, which systemd adds to the journal.
    @Sendable private static func log(_ sentence: String) {
        StandardError.write("chatelaine-ssh-agent: \(sentence)")
    }

    private static func fail(_ reason: String?, usage: Bool) -> Never {
        if let reason { StandardError.write("chatelaine-ssh-agent: \(reason)") }
        if usage { StandardError.write(String(AgentCommandLine.usage.dropLast())) }
        exit(EXIT_FAILURE)
    }
}
