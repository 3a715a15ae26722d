// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainPlatform
internal import KeychainPolicy
public import KeychainStore
internal import Synchronization

/// Counts the wrong entries of one user's secrets, in the user's own database: also those of keychain files, because a count in a
/// file would not follow a copy of the file.
public final class AttemptLedger: Sendable {
    /// With more, those that are over are forgotten.
    private static let rememberedDelays = 2048

    private let store: ItemStore
    private let wallClock: @Sendable () -> Timestamp
    private let clock: MonotonicClock
    private let log: @Sendable (String) -> Void
    /// One entry of a user's secrets is checked at a time: an entry of a copy of a file must not restore a count that another entry
    /// has changed meanwhile.
    private let turn = Mutex(())
    /// Until when entries are refused, by the clock that no process sets. For a secret that is missing here, the next look at its delay
    /// takes that from the database.
    private let notBefore = Mutex<[GuessableSecret: UInt64]>([:])

    /// - Parameters:
    ///   - wallClock: says at the first look what is left of a delay from before the start of the service.
    ///   - clock: measures all others; it must go on while the machine sleeps.
    ///   - log: for what an administrator would want to know.
    public init(
        _ store: ItemStore, wallClock: @escaping @Sendable () -> Timestamp, clock: MonotonicClock,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.store = store
        self.wallClock = wallClock
        self.clock = clock
        self.log = log
    }

    /// Wrong entries of a secret, and the delay of the next entry in nanoseconds.
    func state(of secret: GuessableSecret) throws(Refusal) -> (failed: UInt32, delay: UInt64) {
        let attempts = try attempts(of: secret)
        return (attempts.failed, delay(of: secret, after: attempts))
    }

    /// Checks an entry: counts it first, then looks at it. A right entry sets the counts back to zero.
    ///
    /// - Parameters:
    ///   - secrets: that the entry is for. All are counted.
    ///   - isWrong: whether the error says that the entry was wrong. After other errors nothing was tried, and the counts are as
    ///     before.
    ///   - look: checks the entry.
    /// - Throws: `errSecAuthFailed` with the reason `tooManyAttempts` while one of the secrets has a delay; what the closure throws.
    func checking<R: Sendable, Failure: Error>(
        _ secrets: Set<GuessableSecret>, failure: (Refusal) -> Failure, isWrong: (Failure) -> Bool,
        _ look: () throws(Failure) -> R
    ) throws(Failure) -> R {
        // Taken out of the closure as a value: locks take no typed errors.
        let result: Result<R, Failure> = turn.withLock { _ in
            do throws(Failure) {
                return .success(try check(secrets, failure, isWrong, look))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func check<R, Failure: Error>(
        _ secrets: Set<GuessableSecret>, _ failure: (Refusal) -> Failure, _ isWrong: (Failure) -> Bool,
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

    /// Checks items' own passwords, as ``checking(_:failure:isWrong:_:)``; nothing is counted where no item has one.
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
