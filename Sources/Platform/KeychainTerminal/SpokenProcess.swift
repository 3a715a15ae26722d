// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// A child process whose standard input and output are one socket of this process. It ends with this object at the
/// latest.
///
/// A socket and not two pipes, because writing to a pipe without a reader would end this program with a signal.
final class SpokenProcess {
    private let child: ChildProcess
    private let descriptor: Int32
    private var isClosed = false

    /// The time for a process to end before it is killed.
    private static let patience = Duration.seconds(1)

    /// Starts a program with this process's environment and nothing else: all descriptors except the three standard
    /// ones are closed in it, and its standard error is discarded.
    ///
    /// Throws the error of the failed call.
    init(_ program: String) throws(SystemCallError) {
        var ends: (Int32, Int32) = (-1, -1)
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        // socketpair writes two descriptors, and the tuple has room for two.
        let outcome = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
            unsafe socketpair(AF_UNIX, type, 0, bytes.bindMemory(to: Int32.self).baseAddress)
        }
        guard outcome == 0 else { throw .last("socketpair") }
        defer { close(ends.1) }
        do throws(SystemCallError) {
            child = try ChildProcess(
                program, streams: .connected(to: ends.1), environment: nil, options: .closedDescriptors)
        } catch {
            close(ends.0)
            throw error
        }
        descriptor = ends.0
    }

    deinit { _ = end() }

    /// Sends a line. Returns false if the process has closed its input.
    func send(_ line: [UInt8]) -> Bool {
        var sent = 0
        while sent < line.count {
            // The pointer stays inside the closure, and the size is that of the rest.
            let count = unsafe line[sent...].withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    func wait(
        mask: sigset_t, until deadline: ContinuousClock.Instant, requester: Int32?
    ) throws(SystemCallError) -> InputWait.Outcome {
        try InputWait.wait(
            for: descriptor, mask: mask, timeout: ContinuousClock.now.duration(to: deadline), requester: requester)
    }

    /// Reads into the buffer from a position on; returns 0 if the process has closed the connection.
    func read(into buffer: inout [UInt8], from start: Int) -> Int {
        while true {
            // The kernel writes at most the bytes after `start`, into the array's own storage.
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
            }
            if count >= 0 { return count }
            // Any other error ends the connection.
            guard errno == EINTR else { return 0 }
        }
    }

    /// Waits for the process to end after its input is closed; kills it if it does not.
    ///
    /// - Parameter isInterrupted: whether to send SIGINT, at which programs restore the terminal.
    /// - Returns: whether it ended by itself.
    @discardableResult
    func end(isInterrupted: Bool = false) -> Bool {
        guard !isClosed else { return true }
        isClosed = true
        close(descriptor)
        if isInterrupted {
            child.signal(SIGINT)
            // A process that was stopped together with this one must continue to receive the signal.
            child.signal(SIGCONT)
        }
        return switch child.end(within: Self.patience) {
        case .exited, .notReported: true
        case .killed, nil: false
        }
    }
}
