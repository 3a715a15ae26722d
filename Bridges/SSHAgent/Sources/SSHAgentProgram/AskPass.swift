// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
// environ is a mutable global of C. It is read once per start of a program, and this program does not change it.
@preconcurrency @unsafe internal import Glibc
internal import KeychainEndpoint
internal import SSHAgent

/// The program that asks the user for OpenSSH's programs (ssh-askpass, named by SSH_ASKPASS).
enum AskPass {
    /// The programs that are used without SSH_ASKPASS.
    private static let candidates = [
        "/usr/bin/ssh-askpass", "/usr/libexec/openssh/ssh-askpass", "/usr/lib/ssh/ssh-askpass",
        "/usr/libexec/ssh-askpass",
    ]
    private static let answerBytes = 1024

    /// Asks for a confirmation; nil if the user denies it. As in OpenSSH, an empty answer and the word "yes" confirm.
    static func confirm(_ text: String) throws(AgentError) -> Void? {
        guard let answer = try answer(to: text, prompt: "confirm") else { return nil }
        return answer.isEmpty || String(decoding: answer, as: UTF8.self).lowercased() == "yes" ? () : nil
    }

    /// Asks for a secret; nil if the user does not enter it.
    static func secret(_ text: String) throws(AgentError) -> [UInt8]? { try answer(to: text, prompt: nil) }

    /// Returns the first line of the answer; nil if the user declined.
    ///
    /// - Parameter prompt: the kind of prompt, in the variable SSH_ASKPASS_PROMPT.
    private static func answer(to text: String, prompt: String?) throws(AgentError) -> [UInt8]? {
        let environment = ProcessInfo.processInfo.environment
        guard
            environment["SSH_ASKPASS_REQUIRE"] == "force" || environment["DISPLAY"]?.isEmpty == false
                || environment["WAYLAND_DISPLAY"]?.isEmpty == false
        else { throw AgentError("the agent has no display; start it in a desktop session") }
        let path = environment["SSH_ASKPASS"] ?? candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let path, !path.isEmpty else {
            throw AgentError("there is no program that can ask; install ssh-askpass or set SSH_ASKPASS")
        }
        // env(1) adds the variable for the program alone.
        let words = ["/usr/bin/env"] + (prompt.map { ["SSH_ASKPASS_PROMPT=\($0)"] } ?? []) + [path, text]
        do throws(SystemCallError) {
            return try run(words)
        } catch {
            throw AgentError("\(path) cannot be started: \(error)")
        }
    }

    /// Runs a program, and returns the first line that it writes; nil if it ends with another status than 0.
    private static func run(_ words: [String]) throws(SystemCallError) -> [UInt8]? {
        var ends: [Int32] = [-1, -1]
        // Two descriptors are written. Sockets, because pipe(2) has no option that closes them in other new programs.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .last("socketpair") }
        defer { close(ends[0]) }
        let child: pid_t
        do {
            defer { close(ends[1]) }
            child = try start(words, output: ends[1])
        }
        let line = readLine(from: ends[0])
        var status: Int32 = 0
        // The status is written.
        while unsafe waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw .last("waitpid") }
        }
        return status == 0 ? line : nil
    }

    private static func start(_ words: [String], output: Int32) throws(SystemCallError) -> pid_t {
        var child: pid_t = 0
        // The two objects are initialised before use and destroyed on every path; all texts outlive the call.
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        // This process blocks signals that it reads from a descriptor.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        let code = unsafe posix_spawn(&child, words[0], &actions, &attributes, &arguments, environ)
        guard code == 0 else { throw SystemCallError(call: "posix_spawn", code: code) }
        return child
    }

    /// Reads to the end, and returns the bytes before the end of the first line.
    private static func readLine(from descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(answerBytes)
        var piece = [UInt8](repeating: 0, count: answerBytes)
        while true {
            // At most the array's size is written.
            let count = unsafe read(descriptor, &piece, piece.count)
            guard count > 0 || (count < 0 && errno == EINTR) else { break }
            bytes += piece[..<max(0, count)].prefix(answerBytes - bytes.count)
        }
        return Array(bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
    }
}
