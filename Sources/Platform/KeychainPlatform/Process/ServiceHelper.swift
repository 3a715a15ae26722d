// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
internal import KeychainEndpoint
internal import SecretMemory

/// A helper program that the service runs itself: one process per request, with the request on its standard input and
/// the reply on its standard output (Documentation/Protocols/helper.md).
public struct ServiceHelper: Hashable, Sendable {
    public let path: String

    /// Finds the helper of this name in the first of the folders that has one. Nil if no folder has one, or if another
    /// user could change the helper: root or this user must own the file and every folder above it, and no other user
    /// may write them (for folders further above it is enough that others can only add entries).
    public init?(_ name: String, in folders: [String]) {
        for folder in folders where folder.hasPrefix("/") {
            guard let path = try? absolutePath("\(folder)/\(name)") else { continue }
            guard Self.isTrustworthy(path) else { return nil }
            self.path = path
            return
        }
        return nil
    }

    /// Returns the folder of the service's own executable, and before it the folder that the service was started with,
    /// if any.
    public static func folders(named folder: String?) -> [String] {
        var folders = [folder].compactMap { $0 }
        if let own = OwnExecutable.path, let slash = own.lastIndex(of: "/") { folders.append(String(own[..<slash])) }
        return folders
    }

    /// How a conversation ended.
    public enum Ending: Hashable, Sendable {
        case answered
        /// One of the interrupting descriptors became ready.
        case interrupted
        case timedOut
        /// It could not be started, ended without a reply, or gave an invalid reply.
        case failed
    }

    /// The conditions that end a conversation early.
    public struct Interruption: Hashable, Sendable {
        /// Descriptors that interrupt when they become readable.
        public var readable: [Int32]
        /// Connections that interrupt when the other end is closed.
        public var hungUp: [Int32]

        public init(readable: [Int32] = [], hungUp: [Int32] = []) {
            self.readable = readable
            self.hungUp = hungUp
        }
    }

    /// The time that a helper has to clean up after SIGTERM, before it is killed.
    private static let patience = Duration.seconds(2)

    /// Runs the program, sends it the request and reads its reply. The program inherits no descriptor except the stream
    /// of the request, and no group that this process has from its own file. When this returns, the program and all
    /// processes that it started have ended.
    ///
    /// - Parameters:
    ///   - environment: the whole environment, each entry as `NAME=value`.
    ///   - timeout: for the whole conversation except the clean-up.
    ///   - terminal: a terminal that the program will use. If the program does not end by itself, its settings are
    ///     restored.
    ///   - limit: the size of the largest reply.
    ///   - size: returns the size of the whole reply from its first bytes; nil while they are too few.
    ///   - read: reads the reply, and returns whether it is valid. The bytes are wiped afterwards.
    public func ask(
        _ request: [UInt8], environment: [String], timeout: Duration, interruption: Interruption = Interruption(),
        terminal: SavedTerminal? = nil, limit: Int, size: ([UInt8]) throws -> Int?, read: ([UInt8]) -> Bool
    ) -> Ending {
        let conversation: HelperConversation
        do throws(SystemCallError) {
            conversation = try HelperConversation(
                with: path, environment: environment, options: [.newSession, .droppedPrivileges])
        } catch {
            return .failed
        }
        let program = conversation.program
        let handle = try? OwnedDescriptor(ckp_pidfd_open(program.identifier), from: "pidfd_open")
        var reply: [UInt8] = []
        defer { wipe(&reply) }
        let outcome: Ending
        do throws(HelperError.Reason) {
            let isAnswered = try conversation.answer(
                to: request, until: .now + timeout, limit: limit, interruptedBy: interruption.readable,
                hangUpOf: interruption.hungUp, into: &reply, size: size)
            outcome = !isAnswered ? .interrupted : read(reply) ? .answered : .failed
        } catch {
            outcome = error == .timedOut ? .timedOut : .failed
        }
        switch outcome {
        case .answered: break
        case .interrupted, .timedOut, .failed:
            // The helper may have to restore a terminal, and to end a program of its own.
            program.signal(SIGTERM)
            let ended = try? handle.map { handle throws(SystemCallError) in
                try Readiness.wait(for: [handle.number], timeout: Self.patience)
            }
            // The helper was killed, or ended without a reply, so it did not restore the terminal.
            if outcome == .failed || ended?.isEmpty != false { terminal?.restore() }
        }
        // Not reaped yet, so its process ID and the ID of its group are not reused.
        program.signalGroup(SIGKILL)
        program.end()
        return outcome
    }

    // MARK: Ownership of the file

    private static func isTrustworthy(_ path: String) -> Bool {
        guard let file = status(path), file.st_mode & S_IFMT == S_IFREG, isOurs(file), file.st_mode & 0o022 == 0,
            // The path is only read.
            unsafe access(path, X_OK) == 0
        else { return false }
        var folder = path[...]
        var isOwnFolder = true
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            guard let facts = status(folder.isEmpty ? "/" : String(folder)), isOurs(facts) else { return false }
            // A user who can write to a sticky folder can add entries, but neither rename nor remove those of other
            // users (inode(7)).
            let isClosed = facts.st_mode & 0o022 == 0
            guard isClosed || !isOwnFolder && facts.st_mode & S_ISVTX != 0 else { return false }
            isOwnFolder = false
        }
        return true
    }

    private static func isOurs(_ facts: stat) -> Bool { facts.st_uid == 0 || facts.st_uid == geteuid() }

    private static func status(_ path: String) -> stat? {
        var facts = stat()
        // The call reads the path and fills the structure.
        return unsafe stat(path, &facts) == 0 ? facts : nil
    }
}
