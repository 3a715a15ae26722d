// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A helper program that is kept for many requests, one after another (Documentation/Protocols/helper.md, "Sessions").
/// It ends with this value.
public struct HelperSession: ~Copyable {
    private let path: String
    private let conversation: Conversation
    private let child: ChildProcess

    /// Starts the program with an empty environment, with its standard input and output as the connection.
    ///
    /// - Throws: `.system` if it cannot be started.
    public init(_ path: String, arguments: [String]) throws(HelperFailure) {
        let started: (Conversation, ChildProcess)
        do throws(SystemCallError) {
            started = try Self.start(path, arguments)
        } catch {
            throw HelperFailure(.system(error), of: path)
        }
        self.path = path
        (conversation, child) = started
    }

    private static func start(
        _ path: String, _ arguments: [String]
    ) throws(SystemCallError) -> (Conversation, ChildProcess) {
        let (own, other) = try Conversation.pair()
        defer { close(other) }
        let child = try ChildProcess(
            path, arguments: arguments, streams: .connected(to: other), environment: [], options: .newSession)
        return (own, child)
    }

    deinit { child.end() }

    /// Sends one request and returns its reply. End the session after any error, because the reply may still arrive and
    /// would be taken for the reply to the next request.
    ///
    /// - Parameters:
    ///   - timeout: for the whole request.
    ///   - size: returns the size of the whole reply from its first bytes; nil while they are too few.
    /// - Throws: the errors of `HelperFailure`, except `.notFound`; `.malformed` if `size` throws.
    public func answer(
        to request: [UInt8], timeout: Duration, size: ([UInt8]) throws -> Int?
    ) throws(HelperFailure) -> [UInt8] {
        do throws(HelperFailure.Reason) {
            return try conversation.answer(to: request, until: .now + timeout, size)
        } catch {
            throw HelperFailure(error, of: path)
        }
    }
}
