// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A helper program that is kept for many requests, one after another (Documentation/Protocols/helper.md, "Sessions").
/// It ends with this value.
public struct HelperSession: ~Copyable {
    private let path: String
    private let conversation: HelperConversation

    /// Starts the program with an empty environment, with its standard input and output as the connection, in a session
    /// of its own.
    ///
    /// - Throws: `.system` if it cannot be started.
    public init(_ path: String, arguments: [String]) throws(HelperError) {
        try self.init(path, arguments: arguments, options: .newSession)
    }

    init(_ path: String, arguments: [String], options: ChildProcess.Options) throws(HelperError) {
        do throws(SystemCallError) {
            conversation = try HelperConversation(with: path, arguments: arguments, environment: [], options: options)
        } catch {
            throw HelperError(.system(error), of: path)
        }
        self.path = path
    }

    /// Sends one request and returns its reply. End the session after any error, because the reply may still arrive and
    /// would be taken for the reply to the next request.
    ///
    /// - Parameters:
    ///   - timeout: for the whole request.
    ///   - size: returns the size of the whole reply from its first bytes; nil while they are too few.
    /// - Throws: the errors of `HelperError`, except `.notFound`; `.malformed` if `size` throws.
    public func answer(
        to request: [UInt8], timeout: Duration, size: ([UInt8]) throws -> Int?
    ) throws(HelperError) -> [UInt8] {
        var reply: [UInt8] = []
        do throws(HelperError.Reason) {
            try conversation.answer(to: request, until: .now + timeout, into: &reply, size: size)
            return reply
        } catch {
            throw HelperError(error, of: path)
        }
    }
}
