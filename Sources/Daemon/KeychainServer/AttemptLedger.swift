// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPlatform
internal import KeychainPolicy
public import KeychainStore
internal import Synchronization

/// Counts the failed entries of one user's secrets in the user's own database. This includes those of keychain files,
/// because a count in a file would not follow a copy of the file.
public final class AttemptLedger: Sendable {
    /// The number of delays in memory above which expired ones are removed.
    private static let rememberedDelays = 2048

    private let store: ItemStore
    private let wallClock: @Sendable () -> Timestamp
    private let clock: MonotonicClock
    private let log: @Sendable (String) -> Void
    /// Serializes the checks of a user's secrets: an entry for a copy of a file must not restore a count that another
    /// entry has changed meanwhile.
    private let turn = Mutex(())
    /// The times until which entries are refused, by the monotonic clock. For a secret that is missing here, the next
    /// check reads its delay from the database.
    private let notBefore = Mutex<[GuessableSecret: UInt64]>([:])

    /// Creates the ledger.
    ///
    /// - Parameters:
    ///   - wallClock: gives the remaining delay from before the start of the service, at the first check.
    ///   - clock: measures all other delays; it must continue while the machine sleeps.
    ///   - log: receives messages for administrators.
    public init(
        _ store: ItemStore, wallClock: @escaping @Sendable () -> Timestamp, clock: MonotonicClock,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.store = store
        self.wallClock = wallClock
        self.clock = clock
        self.log = log
    }

    /// Returns the failed entries of a secret, and the delay of the next entry in nanoseconds.
    func state(of secret: GuessableSecret) throws(Refusal) -> (failed: UInt32, delay: UInt64) {
        let attempts = try attempts(of: secret)
        return (attempts.failed, delay(of: secret, after: attempts))
    }

    /// Whether a delay is known only in memory: the wall clock was set back since the last failed entry, so the next
    /// process would start the delay again.
    var hasDelaysOfMemoryOnly: Bool {
        let secrets = notBefore.withLock { Array($0.keys) }
        let now = wallClock()
        // If the count cannot be read, such a delay is assumed.
        return secrets.contains { secret in (try? attempts(of: secret)).map { $0.failed > 0 && $0.last > now } ?? true }
    }

    /// Checks an entry: counts it first, then verifies it. A successful entry resets the counts to zero.
    ///
    /// - Parameters:
    ///   - secrets: the secrets for which the entry is given. All are counted.
    ///   - isWrong: returns whether the error means a wrong entry. After other errors no entry was tried, and the
    ///     counts are restored.
    ///   - look: verifies the entry.
    /// - Throws: `errSecAuthFailed` with the reason `tooManyAttempts` while one of the secrets has a delay; the errors
    ///   of the closure.
    func checking<R: Sendable, Failure: Error>(
        _ secrets: Set<GuessableSecret>, failure: (Refusal) -> Failure, isWrong: (Failure) -> Bool,
        _ look: () throws(Failure) -> R
    ) throws(Failure) -> R {
        // Returned from the closure as a value, because locks do not support typed errors.
        let result: Result<R, Failure> = turn.withLock { _ in
            do throws(Failure) {
                return .success(try check(secrets, failure: failure, isWrong: isWrong, look))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func check<R, Failure: Error>(
        _ secrets: Set<GuessableSecret>, failure: (Refusal) -> Failure, isWrong: (Failure) -> Bool,
        _ look: () throws(Failure) -> R
    ) throws(Failure) -> R {
        let before: [GuessableSecret: Attempts]
        let counted: [GuessableSecret: Attempts]
        do throws(Refusal) {
            (before, counted) = try count(secrets)
        } catch {
            throw failure(error)
        }
        let result: R
        do throws(Failure) {
            result = try look()
        } catch {
            if isWrong(error) {
                noteWrong(counted)
            } else {
                do throws(Refusal) { try record(before) } catch { throw failure(error) }
            }
            throw error
        }
        do throws(Refusal) { try record(before.mapValues { _ in Attempts() }) } catch { throw failure(error) }
        notBefore.withLock { notBefore in
            for secret in secrets { notBefore[secret] = nil }
        }
        return result
    }

    /// Checks items' own passwords, like ``checking(_:failure:isWrong:_:)``; counts nothing if no item has one.
    func checkingOwnPasswords(
        _ secrets: Set<GuessableSecret>, _ look: () throws(StoreError) -> Void
    ) throws(StoreError) {
        guard !secrets.isEmpty else { return try look() }
        try checking(secrets, failure: { .refused($0) }, isWrong: { $0 == .wrongPassword }, look)
    }

    private func count(
        _ secrets: Set<GuessableSecret>
    ) throws(Refusal) -> (before: [GuessableSecret: Attempts], counted: [GuessableSecret: Attempts]) {
        var (before, counted): ([GuessableSecret: Attempts], [GuessableSecret: Attempts]) = ([:], [:])
        for secret in secrets {
            var attempts = try attempts(of: secret)
            guard delay(of: secret, after: attempts) == 0 else {
                throw Refusal(.authenticationFailed, .tooManyAttempts)
            }
            before[secret] = attempts
            attempts.failed = attempts.failed < .max ? attempts.failed + 1 : .max
            attempts.last = wallClock()
            counted[secret] = attempts
        }
        try record(counted)
        return (before, counted)
    }

    private func noteWrong(_ counted: [GuessableSecret: Attempts]) {
        let now = clock.nanoseconds()
        notBefore.withLock { notBefore in
            if notBefore.count > Self.rememberedDelays { notBefore = notBefore.filter { $0.value > now } }
            for (secret, attempts) in counted {
                let delay = AttemptSchedule.delay(afterFailures: attempts.failed).nanoseconds
                if delay > 0 { notBefore[secret] = now + delay }
            }
        }
        if let most = counted.values.map(\.failed).max(), most >= 5 {
            log("\(most) wrong entries of a secret in a row")
        }
    }

    private func delay(of secret: GuessableSecret, after attempts: Attempts) -> UInt64 {
        notBefore.withLock { notBefore in
            AttemptDelay.remaining(
                after: attempts, notBefore: &notBefore[secret], now: clock.nanoseconds(), date: wallClock())
        }
    }

    private func attempts(of secret: GuessableSecret) throws(Refusal) -> Attempts {
        do throws(StoreError) { return try store.attempts(of: secret) } catch { throw error.refusal }
    }

    private func record(_ attempts: [GuessableSecret: Attempts]) throws(Refusal) {
        do throws(StoreError) { try store.record(attempts) } catch { throw error.refusal }
    }
}
