// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A helper program that clients run themselves: one process per request, with the request on its standard input and
/// the reply on its standard output (Documentation/Protocols/helper.md).
public struct HelperProgram: Sendable {
    public let name: String
    /// The program's possible paths, best first.
    public let candidates: [String]

    public init(name: String, candidates: [String]) {
        self.name = name
        self.candidates = candidates
    }

    /// Finds a helper in the folder that `CHATELAINE_HELPERS` names, beside the running executable, then in the usual
    /// installation folders. PATH is not searched, because a helper's reply decides which certificates a program
    /// trusts. A program with more rights than its user searches only the installation folders of root.
    public static func installed(_ name: String) -> HelperProgram {
        HelperProgram(
            name: name, executablePath: ownExecutablePath(), folder: ownVariable("CHATELAINE_HELPERS"),
            home: environmentVariable("HOME"), isPrivileged: isPrivilegedProgram())
    }

    init(name: String, executablePath: String?, folder: String?, home: String?, isPrivileged: Bool) {
        var folders: [String] = []
        if !isPrivileged {
            if let folder, folder.hasPrefix("/") { folders.append(folder) }
            if let executablePath, let slash = executablePath.lastIndex(of: "/") {
                folders.append(String(executablePath[..<slash]))
            }
            if let home, home.hasPrefix("/") { folders.append(home + "/.local/bin") }
        }
        folders += ["/usr/local/bin", "/usr/bin"]
        var seen: Set<String> = []
        self.init(name: name, candidates: folders.map { "\($0)/\(name)" }.filter { seen.insert($0).inserted })
    }

    /// Runs the program, sends it the request and returns its reply. The program gets an empty environment and no
    /// stream except that of the request, and has ended when this returns.
    ///
    /// - Parameters:
    ///   - timeout: for the whole conversation.
    ///   - size: returns the size of the whole reply from its first bytes; nil while they are too few.
    /// - Throws: the errors of `HelperFailure`; `.malformed` if `size` throws.
    public func answer(
        to request: [UInt8], timeout: Duration, size: ([UInt8]) throws -> Int?
    ) throws(HelperFailure) -> [UInt8] {
        guard let path = firstProgram(of: candidates) else {
            throw HelperFailure(.notFound(searched: candidates), of: name)
        }
        let conversation: Conversation
        let child: ChildProcess
        do throws(SystemCallError) {
            let (own, other) = try Conversation.pair()
            defer { close(other) }
            conversation = own
            child = try ChildProcess(path, streams: .connected(to: other), environment: [])
        } catch {
            throw HelperFailure(.system(error), of: path)
        }
        // The program has no more work after the reply.
        defer { child.end() }
        do throws(HelperFailure.Reason) {
            return try conversation.answer(to: request, until: .now + timeout, size)
        } catch {
            throw HelperFailure(error, of: path)
        }
    }
}

/// The reason why a helper program gave no reply.
public struct HelperFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Error, Hashable, Sendable {
        case notFound(searched: [String])
        case timedOut
        /// It ended before its reply.
        case ended
        /// The reply is invalid.
        case malformed
        case system(SystemCallError)
    }

    public let reason: Reason
    /// Its path, or its name if it was not found.
    public let program: String

    public init(_ reason: Reason, of program: String) {
        self.reason = reason
        self.program = program
    }

    public var description: String {
        switch reason {
        case .notFound(let searched):
            "the program \(program), which comes with Chatelaine, is in none of \(searched.joined(separator: ", "))"
        case .timedOut: "\(program) did not answer in time"
        case .ended: "\(program) ended without an answer"
        case .malformed: "\(program) gave an answer that is none"
        case .system(let error): "\(program): \(error)"
        }
    }
}

/// This process's end of the stream.
final class Conversation {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Makes a pair of sockets. Sockets are used because writing to a pipe without a reader would send SIGPIPE to the
    /// program.
    ///
    /// - Returns: also the other end, which the caller closes.
    static func pair() throws(SystemCallError) -> (own: Conversation, other: Int32) {
        var ends: [Int32] = [-1, -1]
        // The kernel writes two descriptors.
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else {
            throw .last("socketpair")
        }
        return (Conversation(ends[0]), ends[1])
    }

    func answer(
        to request: [UInt8], until deadline: ContinuousClock.Instant, _ size: ([UInt8]) throws -> Int?
    ) throws(HelperFailure.Reason) -> [UInt8] {
        var unsent = request[...]
        var answer: [UInt8] = []
        while true {
            try wait(toSend: !unsent.isEmpty, until: deadline)
            if !unsent.isEmpty { try send(&unsent) }
            try receive(&answer)
            let expected: Int?
            do { expected = try size(answer) } catch { throw .malformed }
            guard let expected, answer.count >= expected else { continue }
            // A reply has no trailing bytes.
            guard answer.count == expected else { throw .malformed }
            return answer
        }
    }

    private func wait(toSend: Bool, until deadline: ContinuousClock.Instant) throws(HelperFailure.Reason) {
        let left = ContinuousClock.now.duration(to: deadline).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { throw .timedOut }
        var state = pollfd(fd: descriptor, events: Int16(POLLIN | (toSend ? POLLOUT : 0)), revents: 0)
        let milliseconds = min(left.seconds, 3600) * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1
        // One structure, as the count says.
        let count = unsafe poll(&state, 1, Int32(milliseconds))
        if count < 0, errno != EINTR { throw .system(.last("poll")) }
    }

    private func send(_ bytes: inout ArraySlice<UInt8>) throws(HelperFailure.Reason) {
        // The bytes outlive the call.
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        if count >= 0 {
            bytes = bytes.dropFirst(count)
        } else if errno == EPIPE || errno == ECONNRESET {
            // The helper has closed its input. It may have replied before.
            bytes = []
        } else if errno != EINTR, errno != EAGAIN {
            throw .system(.last("send"))
        }
    }

    private func receive(_ bytes: inout [UInt8]) throws(HelperFailure.Reason) {
        var count = 0
        // recv writes no more than the capacity, and the array takes exactly the bytes written.
        let part = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, length in
            count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            length = max(0, count)
        }
        if count > 0 {
            bytes += part
        } else if count == 0 || errno == ECONNRESET {
            throw .ended
        } else if errno != EINTR, errno != EAGAIN {
            throw .system(.last("recv"))
        }
    }
}
