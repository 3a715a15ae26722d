// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
package import KeychainClient
internal import KeychainModel
internal import Synchronization

/// The keychain of the user who runs the program.
///
/// ```swift
/// let keychain = UserKeychain()
/// let mail = GenericPassword(service: "com.example.mail", account: "ann")
/// try await keychain.store(mail, secret: SecretData(utf8: "correct horse"))
/// let secret = try await keychain.secret(for: mail)
/// ```
///
/// A program sees only the items of its own access groups: items of other programs are invisible to it. The calls do
/// not block the calling task. They start in the order in which they are made, but a call that waits for a prompt does
/// not delay the others: if one call depends on another, await the first before the second. Cancelling a task does not
/// cancel a call.
///
/// All calls can fail with these codes of ``KeychainError``, in addition to those that each call documents:
/// `.notAvailable` (the service cannot be reached), `.missingEntitlement` (the access group is not one of the
/// program's, or the program has none), `.interactionNotAllowed` (the keychain is locked), `.tooLarge` (all attributes
/// together are over 1 MiB).
public struct UserKeychain: Sendable {
    private let client: KeychainClient?
    /// The file whose items the calls use; nil for the client's keychain.
    private var file: KeychainFile?
    /// The time within which a call must be complete; nil for no limit.
    private var timeLimit: Duration?
    /// The prompt settings, and the authentication so far.
    private(set) var authentication = CallAuthentication()

    /// Creates the keychain of the environment's instance (`$XDG_RUNTIME_DIR`, `$XDG_DATA_HOME`), or the keychain that
    /// a test replaced it with.
    public init() {
        client = nil
    }

    /// A keychain behind another client.
    package init(_ client: KeychainClient) {
        self.client = client
    }

    // MARK: Common to all calls

    /// The client for calls that do not depend on a file, such as the lock state.
    var baseClient: KeychainClient { client ?? .current }

    var currentClient: KeychainClient {
        let client = baseClient
        return file.map { client.inKeychain(of: $0.report) } ?? client
    }

    /// Whether the calls use the items of a keychain file.
    var isInFile: Bool { currentClient.keychainPath != nil }

    /// The same keychain, whose calls use these authentication settings.
    func with(_ authentication: CallAuthentication) -> UserKeychain {
        var keychain = self
        keychain.authentication = authentication
        return keychain
    }

    /// The same keychain, whose calls use the items of a file.
    func with(_ file: KeychainFile) -> UserKeychain {
        var keychain = self
        keychain.file = file
        return keychain
    }

    /// The same keychain, whose calls must be complete within a time.
    func with(timeLimit: Duration?) -> UserKeychain {
        var keychain = self
        keychain.timeLimit = timeLimit
        return keychain
    }

    /// Threads for blocking calls, so that they do not block the threads that run tasks.
    private static let calls = BlockingCalls(atOnce: 8)

    /// Calls the service on a thread that may block.
    ///
    /// On failure, `explain` may request details from the service.
    func run<R: Sendable>(
        _ attempt: String,
        explain: @escaping @Sendable (KeychainClient, StatusCode) -> KeychainError.Explanation? = { _, _ in nil },
        _ body: @escaping @Sendable (KeychainClient) throws(ClientError) -> R
    ) async throws(KeychainError) -> R {
        // A request with a time limit has a connection of its own, because ending the request closes the connection.
        let client = timeLimit == nil ? currentClient : currentClient.separate()
        let given = try authentication.ofRequest(attempt)
        let call: @Sendable () throws(KeychainError) -> R = { () throws(KeychainError) in
            do throws(ClientError) {
                return try body(client.authenticating(given))
            } catch {
                throw KeychainError(attempt, error, explain(client, error.status))
            }
        }
        guard let timeLimit else { return try await Self.calls.run(call) }
        return try await Self.calls.run(
            call, within: timeLimit, orElse: KeychainError(timeoutOf: attempt), interrupt: { client.interrupt() })
    }

    /// Same as ``run(_:explain:_:)``, but returns nil if no item was found.
    func runOrNil<R: Sendable>(
        _ attempt: String, _ body: @escaping @Sendable (KeychainClient) throws(ClientError) -> R
    ) async throws(KeychainError) -> R? {
        do throws(KeychainError) {
            return try await run(attempt, body)
        } catch {
            if error.code == .itemNotFound { return nil }
            throw error
        }
    }

    /// Returns the attributes of an item in the form that the keychain of the calls stores.
    func checkedAttributes(
        _ item: EncodedAttributes, _ itemClass: ItemClass, for use: AttributeUse = .add
    ) throws(AttributeError) -> ItemAttributes {
        try (isInFile ? item.ofFileItem : item).checked(itemClass, for: use)
    }

    /// Encodes values in the keychain's form.
    func encoding<R>(_ attempt: String, _ body: () throws(AttributeError) -> R) throws(KeychainError) -> R {
        do throws(AttributeError) {
            return try body()
        } catch {
            throw KeychainError(attempt, error)
        }
    }
}

/// Runs blocking calls on a bounded number of separate threads, in the order in which they are submitted.
private final class BlockingCalls: Sendable {
    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let limit: Int
    private let queue = DispatchQueue(label: "org.chatelaine.keychain", attributes: .concurrent)

    init(atOnce limit: Int) {
        self.limit = limit
    }

    func run<R: Sendable, E: Error>(_ body: @escaping @Sendable () throws(E) -> R) async throws(E) -> R {
        let result: Result<R, E> = await withCheckedContinuation { continuation in
            start {
                do throws(E) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Same as ``run(_:)``, but ends with an error if the call is not complete within a time. The call is then
    /// interrupted, or not started.
    func run<R: Sendable, E: Error>(
        _ body: @escaping @Sendable () throws(E) -> R, within limit: Duration, orElse late: E,
        interrupt: @escaping @Sendable () -> Void
    ) async throws(E) -> R {
        let result: Result<R, E> = await withCheckedContinuation { continuation in
            let reply = FirstReply(continuation)
            let timer = Task {
                // The time limit of the program is real time, so the task sleeps. It is cancelled when the call is complete.
                guard (try? await Task.sleep(for: limit)) != nil, let continuation = reply.take() else { return }
                interrupt()
                continuation.resume(returning: .failure(late))
            }
            start {
                guard reply.isPending else { return }
                let result: Result<R, E>
                do throws(E) {
                    result = .success(try body())
                } catch {
                    result = .failure(error)
                }
                timer.cancel()
                reply.take()?.resume(returning: result)
            }
        }
        return try result.get()
    }

    private func start(_ call: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            guard state.running < limit else {
                state.waiting.append(call)
                return false
            }
            state.running += 1
            return true
        }
        guard isFirst else { return }
        queue.async { [self] in
            var next: (@Sendable () -> Void)? = call
            while let call = next {
                call()
                next = state.withLock { state in
                    if state.waiting.isEmpty {
                        state.running -= 1
                        return nil
                    }
                    return state.waiting.removeFirst()
                }
            }
        }
    }
}

/// A continuation that is resumed once, by the first of two parts of the program that have a reply.
private final class FirstReply<Reply: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Reply, Never>?>

    init(_ continuation: CheckedContinuation<Reply, Never>) {
        self.continuation = Mutex(continuation)
    }

    var isPending: Bool { continuation.withLock { $0 != nil } }

    /// Returns the continuation, which the caller resumes; nil if another part of the program has taken it.
    func take() -> CheckedContinuation<Reply, Never>? { continuation.withLock { $0.take() } }
}

extension DispatchQueue {
    /// Runs a blocking call on this queue.
    func run<R: Sendable, E: Error>(_ body: @escaping @Sendable () throws(E) -> R) async throws(E) -> R {
        let result: Result<R, E> = await withCheckedContinuation { continuation in
            async {
                do throws(E) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
