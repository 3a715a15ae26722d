// SPDX-License-Identifier: Apache-2.0

internal import DBusMessages
internal import Synchronization

/// The obligation to answer once: at once or later, on any thread.
///
/// The first answer counts. If the last reference disappears without an answer, the caller gets an error, so no caller
/// waits for an answer that never comes.
public final class Reply<Success: Sendable>: Sendable {
    /// In a structure, because a mutex would wrap a function once more at each access.
    private struct Completion {
        let run: @Sendable (Result<Success, MethodError>) -> Void
    }

    private let completion: Mutex<Completion?>

    init(_ completion: @escaping @Sendable (Result<Success, MethodError>) -> Void) {
        self.completion = Mutex(Completion(run: completion))
    }

    deinit {
        finish(.failure(.failed("The method ended without an answer.")))
    }

    public func succeed(_ result: Success) { finish(.success(result)) }

    /// Answers with an error; ``MethodError/init(_:)`` describes errors of other types.
    public func fail(_ error: any Error) { finish(.failure(MethodError(error))) }

    /// Answers with the result of the body, or with its error.
    public func answer(_ body: () throws -> Success) {
        do { succeed(try body()) } catch { fail(error) }
    }

    private func finish(_ result: Result<Success, MethodError>) {
        let completion = completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
        completion?.run(result)
    }
}
