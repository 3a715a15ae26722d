// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The turn of one user to stretch a secret: one at a time for each user, and two at once for all users of a process.
/// The largest cost takes 128 MiB, so all stretching together takes at most 256 MiB, and no user can hold both places.
///
/// A thread takes the turn for one stretching only and waits for nothing else meanwhile, so its locks cannot deadlock.
final class StretchingTurn: Sendable {
    private static let firstPlace = Mutex(())
    private static let secondPlace = Mutex(())
    private let turn = Mutex(())

    func taking<R>(_ body: () throws(SealingError) -> R) throws(SealingError) -> R {
        // Passed out of the closures as a value, because locks take no typed errors.
        var result: Result<R, SealingError>?
        func take() {
            do throws(SealingError) { result = .success(try body()) } catch { result = .failure(error) }
        }
        turn.withLock { _ in
            if Self.firstPlace.withLockIfAvailable({ _ in take() }) == nil { Self.secondPlace.withLock { _ in take() } }
        }
        // Both branches set the result.
        return try result!.get()
    }
}
