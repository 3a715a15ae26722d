// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A helper program that is kept for many questions, one after another (Documentation/Protocols/helper.md, "Sessions"). It ends
/// with this value.
public struct HelperSession: ~Copyable {
    private let path: String
    private let conversation: Conversation
    private let child: SpawnedProgram

    /// Starts the program with an empty environment, standard input and output being the conversation.
    ///
    /// - Throws: `.system` when it cannot be started.
    public init(_ path: String, arguments: [String]) throws(HelperFailure) {
        let started: (Conversation, SpawnedProgram)
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
    ) throws(SystemCallError) -> (Conversation, SpawnedProgram) {
        let (own, other) = try Conversation.pair()
        defer { close(other) }
        let child = try SpawnedProgram(
            path, arguments: arguments, streams: .connected(to: other), environment: [], startsSession: true)
        return (own, child)
    }

    deinit { child.end() }

    /// Asks one question. After any error, and for any other use of the session, the answer to it might come later: who gets one ends
    /// the session.
    ///
    /// - Parameters:
    ///   - timeout: for all of it.
    ///   - size: the size of the whole answer, told from its beginning; nil while that is too short to tell.
    /// - Throws: what `HelperFailure` lists, but for `.notFound`; `.malformed` where `size` throws.
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
