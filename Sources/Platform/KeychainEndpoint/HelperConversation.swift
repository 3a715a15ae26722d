// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A child process whose standard input and output are one socket of this process: a helper program, and the
/// conversation with it. The program is ended with this object at the latest.
///
/// A socket and not two pipes, because writing to a pipe without a reader would end this process with SIGPIPE.
package final class HelperConversation {
    package let program: ChildProcess
    /// This process's end of the stream, for polling.
    package let descriptor: Int32
    private var isOpen = true

    /// Starts a program.
    ///
    /// - Parameter environment: each entry as `NAME=value`; nil for this process's own.
    /// - Throws: the error of the failed call.
    package init(
        with path: String, arguments: [String] = [], environment: [String]?, options: ChildProcess.Options = []
    ) throws(SystemCallError) {
        let (own, other) = try SocketPair.make()
        defer { close(other) }
        do throws(SystemCallError) {
            program = try ChildProcess(
                path, arguments: arguments, streams: .connected(to: other), environment: environment, options: options)
        } catch {
            close(own)
            throw error
        }
        descriptor = own
    }

    deinit { hangUp() }

    /// Closes the stream. No other function may be called afterwards.
    package func hangUp() {
        if isOpen { close(descriptor) }
        isOpen = false
    }

    // MARK: Requests and replies

    /// Sends a request and receives its reply, which has no trailing bytes. Hang up after any error, because the reply
    /// may still arrive and would be taken for the reply to the next request.
    ///
    /// - Parameters:
    ///   - deadline: for the whole conversation.
    ///   - limit: the size of the largest reply; nil for no other limit than that of `size`. With a limit, room for all
    ///     of the reply is reserved at the start, so that growing leaves no copies behind.
    ///   - readable: descriptors that end the conversation early when they become readable.
    ///   - connections: connections that end it early when the other end is closed.
    ///   - reply: receives the bytes. The caller wipes them.
    ///   - size: returns the size of the whole reply from its first bytes; nil while they are too few.
    /// - Returns: false after an interruption.
    /// - Throws: `.timedOut`, `.ended`, `.system`; `.malformed` if `size` throws, and for a reply of another size.
    @discardableResult
    package func answer(
        to request: [UInt8], until deadline: ContinuousClock.Instant, limit: Int? = nil,
        interruptedBy readable: [Int32] = [], hangUpOf connections: [Int32] = [], into reply: inout [UInt8],
        size: ([UInt8]) throws -> Int?
    ) throws(HelperError.Reason) -> Bool {
        var unsent = request[...]
        if let limit { reply.reserveCapacity(limit + 1) }
        let interruptions =
            readable.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            + connections.map { pollfd(fd: $0, events: pollfd.hangUp, revents: 0) }
        while true {
            guard try wait(toSend: !unsent.isEmpty, until: deadline, interruptions) else { return false }
            if !unsent.isEmpty { try sendAvailable(&unsent) }
            try receiveAvailable(&reply, atMost: limit.map { $0 + 1 - reply.count } ?? 1 << 16)
            let expected: Int?
            do { expected = try size(reply) } catch { throw .malformed }
            let most = limit ?? .max
            guard expected ?? 0 <= most, reply.count <= expected ?? most else { throw .malformed }
            if reply.count == expected { return true }
        }
    }

    /// Returns false if an interrupting descriptor is ready.
    private func wait(
        toSend: Bool, until deadline: ContinuousClock.Instant, _ interruptions: [pollfd]
    ) throws(HelperError.Reason) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .timedOut }
            var entries = [pollfd(fd: descriptor, events: Int16(POLLIN | (toSend ? POLLOUT : 0)), revents: 0)]
            entries += interruptions
            // The kernel reads and writes exactly the array's elements.
            let count = unsafe poll(&entries, nfds_t(entries.count), left.pollTimeout)
            guard count >= 0 || errno == EINTR else { throw .system(.last("poll")) }
            if count > 0 { return entries.dropFirst().allSatisfy { $0.revents == 0 } }
        }
    }

    /// Sends what the socket takes now.
    private func sendAvailable(_ bytes: inout ArraySlice<UInt8>) throws(HelperError.Reason) {
        // The bytes outlive the call.
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        if count >= 0 {
            bytes = bytes.dropFirst(count)
        } else if errno == EPIPE || errno == ECONNRESET {
            // The program has closed its input. It may have replied before.
            bytes = []
        } else if errno != EINTR, errno != EAGAIN {
            throw .system(.last("send"))
        }
    }

    private func receiveAvailable(_ bytes: inout [UInt8], atMost limit: Int) throws(HelperError.Reason) {
        var count = 0
        bytes.append(addingCapacity: limit) { output in
            // recv writes no more than the capacity, and the array takes exactly the bytes written.
            unsafe output.withUnsafeMutableBufferPointer { buffer, length in
                count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                length = max(0, count)
            }
        }
        if count == 0 || count < 0 && errno == ECONNRESET { throw .ended }
        guard count > 0 || errno == EINTR || errno == EAGAIN else { throw .system(.last("recv")) }
    }

    // MARK: Streams without frames

    /// Sends all of the bytes. Returns false if the program has closed its input.
    package func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The bytes outlive the call.
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Waits for bytes and reads them into the buffer from a position on. Returns 0 if the program has closed the
    /// stream.
    package func receive(into buffer: inout [UInt8], from start: Int) -> Int {
        while true {
            // The kernel writes at most the bytes after `start`, into the array's own storage.
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe read(descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
            }
            if count >= 0 { return count }
            // Any other error ends the connection.
            guard errno == EINTR else { return 0 }
        }
    }
}
