// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import KeychainClient
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
/// A program sees the items of its own access groups and no others: items of other programs do not exist for it. The
/// calls do not block the calling task. They begin in the order in which they are made, but one that has to wait for a person
/// does not hold up the others: of calls that depend on each other, await the first before the second. Cancelling a task does
/// not take back a call.
///
/// All calls can fail with these codes of ``KeychainError``, beside those that each of them names:
/// `.notAvailable` (the service cannot be reached), `.missingEntitlement` (the access group is not one of the program's,
/// or the program has none), `.interactionNotAllowed` (the keychain is locked), `.tooLarge` (all attributes together are
/// over 1 MiB).
public struct UserKeychain: Sendable {
    private let client: KeychainClient?
    /// How somebody is asked, and what was shown before.
    private(set) var authentication = CallAuthentication()

    /// The keychain of the environment's instance (`$XDG_RUNTIME_DIR`, `$XDG_DATA_HOME`), or the one a test put in its
    /// place.
    public init() {
        client = nil
    }

    /// A keychain behind another client.
    public init(_ client: KeychainClient) {
        self.client = client
    }

    // MARK: What all calls have in common

    var currentClient: KeychainClient { client ?? .current }

    /// The same keychain, whose calls say this of authentication.
    func with(_ authentication: CallAuthentication) -> UserKeychain {
        var keychain = self
        keychain.authentication = authentication
        return keychain
    }

    /// Where blocking calls wait, so that they hold up none of the threads that run tasks.
    private static let calls = BlockingCalls(atOnce: 8)

    /// Calls the service, away from the threads that run tasks.
    ///
    /// When that fails, `explain` may ask the service for more than its refusal says.
    func run<R: Sendable>(
        _ attempt: String,
        explain: @escaping @Sendable (KeychainClient, StatusCode) -> KeychainError.Explanation? = { _, _ in nil },
        _ body: @escaping @Sendable (KeychainClient) throws(ClientError) -> R
    ) async throws(KeychainError) -> R {
        let client = currentClient
        let given = try authentication.ofRequest(attempt)
        return try await Self.calls.run { () throws(KeychainError) in
            do throws(ClientError) {
                return try body(client.authenticating(given))
            } catch {
                throw KeychainError(attempt, error, explain(client, error.status))
            }
        }
    }

    /// As ``run(_:explain:_:)``, but nil where no item was found.
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

    /// Puts values into the keychain's form.
    func encoding<R>(_ attempt: String, _ body: () throws(AttributeError) -> R) throws(KeychainError) -> R {
        do throws(AttributeError) {
            return try body()
        } catch {
            throw KeychainError(attempt, error)
        }
    }
}

/// Runs blocking calls on threads of their own, a bounded number of them, in the order in which they come.
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
