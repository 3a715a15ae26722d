// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
@preconcurrency @unsafe internal import Glibc
internal import KeychainEndpoint
internal import KeychainPlatform
internal import SSHAgent

/// The start and the end of an agent, as ssh-agent(1) describes them.
enum AgentStart {
    /// The reason why an agent cannot be started or ended, and what to do.
    struct Failure: Error, CustomStringConvertible {
        let reason: String

        init(_ reason: String) { self.reason = reason }

        var description: String { reason }
    }

    // MARK: The socket

    /// Makes a folder for a socket, which only the user can enter.
    static func newFolder() throws(Failure) -> String {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/ssh-XXXXXXXXXXXX\0".utf8)
        // The call replaces the Xs, within the array.
        let isMade = unsafe template.withUnsafeMutableBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe mkdtemp($0.baseAddress!) != nil }
        }
        guard isMade else {
            throw Failure("\(SystemCallError.last("mkdtemp")): set TMPDIR to a folder that can be written")
        }
        return String(decoding: template.dropLast(), as: UTF8.self)
    }

    static func socket(in folder: String) -> String { "\(folder)/agent.\(getpid())" }

    static func folder(of socket: String) -> String {
        socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
    }

    /// Removes the socket of an agent that ends. Its connections keep the listening socket itself in use.
    ///
    /// - Parameter folder: the folder that was made for it.
    static func remove(_ socket: String, in folder: String?) {
        // The paths are only read.
        _ = unsafe unlink(socket)
        if let folder { _ = unsafe rmdir(folder) }
    }

    static func listener(at path: String) throws(Failure) -> ListeningSocket {
        do throws(ListeningSocket.Error) {
            return try ListeningSocket(bindingTo: path)
        } catch {
            throw Failure("cannot listen at \(path): \(error)")
        }
    }

    /// Returns the socket of the service manager; nil if it passed none.
    static func adoptedSocket() throws(Failure) -> ListeningSocket? {
        do throws(ListeningSocket.Error) {
            return try ListeningSocket.adoptFromServiceManager()
        } catch {
            throw Failure("the socket of the service manager cannot be used: \(error)")
        }
    }

    // MARK: Processes

    /// Starts an agent in the background, and waits until it listens.
    ///
    /// - Parameter parent: the process with which it ends.
    static func inBackground(
        _ line: AgentCommandLine, parent: Int32?
    ) throws(Failure) -> (socket: String, agent: Int32) {
        guard let path = OwnExecutable.path else { throw Failure("/proc is not mounted") }
        let folder = line.socket == nil ? try newFolder() : nil
        // The agent has another current folder.
        let socket = absolute(line.socket ?? self.socket(in: folder ?? ""))
        let words = line.words(
            of: .init(parent: parent, ownsFolder: folder != nil), socket: socket)
        let reason: String
        do throws(SystemCallError) {
            let (report, agent) = try DetachedStart.start(path, arguments: words)
            switch report {
            case .ready: return (socket, agent)
            case .failed(let text): reason = text
            case .ended: reason = "the agent ended without a report"
            }
        } catch {
            reason = "the agent cannot be started: \(error)"
        }
        if let folder { remove(socket, in: folder) }
        throw Failure(reason)
    }

    /// Returns the process that an agent in the background belongs to.
    static func parent(_ number: Int32) throws(Failure) -> PeerProcess {
        do throws(PeerProcess.Error) {
            let process = try PeerProcess(lookingAt: number)
            // Otherwise it has ended, and another process may have its number.
            guard getppid() == number else { throw .exited }
            return process
        } catch {
            throw Failure("the process for which the agent was started has ended")
        }
    }

    /// Replaces this process by a command, with the variables of an agent. Returns only by an error.
    static func execute(_ command: [String], socket: String, agent: Int32) throws(Failure) {
        // Only this thread exists; the texts are copied.
        unsafe setenv("SSH_AUTH_SOCK", socket, 1)
        unsafe setenv("SSH_AGENT_PID", "\(agent)", 1)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) } + [nil]
        // The array ends with nil and lives for the call.
        unsafe execvp(command[0], &words)
        throw Failure("\(command[0]): \(SystemCallError.last("execvp").reason)")
    }

    /// Ends the agent of the environment. Returns its process ID.
    static func killAgent() throws(Failure) -> Int32 {
        guard let text = ProcessInfo.processInfo.environment["SSH_AGENT_PID"] else {
            throw Failure("SSH_AGENT_PID not set, cannot kill agent")
        }
        // 1 is the first process, and 0 and negative numbers are groups.
        guard let agent = Int32(text), agent > 1 else {
            throw Failure("SSH_AGENT_PID=\"\(text)\", which is not a good PID")
        }
        guard kill(agent, SIGTERM) == 0 else { throw Failure("\(SystemCallError.last("kill"))") }
        return agent
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
