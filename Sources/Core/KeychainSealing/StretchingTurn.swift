// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The turn of one user to stretch a secret: one at a time for each user, and two at once for all users of a process. The largest cost
/// takes 128 MiB, so all stretching together takes 256 MiB at most, and no user keeps both places.
///
/// A thread takes the turn for one stretching only and waits for nothing else meanwhile, so locks that it holds cannot make a circle.
final class StretchingTurn: Sendable {
    private static let places = DispatchSemaphore(value: 2)
    private let turn = Mutex(())

    func taking<R>(_ body: () throws(SealingError) -> R) throws(SealingError) -> R {
        // Taken out of the closure as a value: locks take no typed errors.
        let result: Result<R, SealingError> = turn.withLock { _ in
            Self.places.wait()
            defer { Self.places.signal() }
            do throws(SealingError) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
