// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// The turn of one user to stretch a secret: one at a time for each user, and two at once for all users of a process.
/// The largest cost takes 128 MiB, so all stretching together takes at most 256 MiB, and no user can hold both places.
///
/// The users are served in the order in which their turns came. So a user waits for at most one secret of each other
/// user, regardless of how many secrets the others have waiting.
///
/// A thread takes the turn for one stretching only and waits for nothing else meanwhile, so its locks cannot deadlock.
final class StretchingTurn: Sendable {
    private static let machine = OrderedPlaces(2)

    private let places: OrderedPlaces
    private let turn = Mutex(())

    /// Creates a user's turn.
    ///
    /// - Parameter places: what all users share.
    init(in places: OrderedPlaces = StretchingTurn.machine) { self.places = places }

    func taking<R>(_ body: () throws(SealingError) -> R) throws(SealingError) -> R {
        // Passed out of the closure as a value, because locks take no typed errors.
        var result: Result<R, SealingError>?
        turn.withLock { _ in
            places.enter()
            defer { places.leave() }
            do throws(SealingError) { result = .success(try body()) } catch { result = .failure(error) }
        }
        // The closure sets the result.
        return try result!.get()
    }
}

/// A number of places that threads take in the order in which they come.
///
/// A place that becomes free goes to the thread that waits longest. Locks give no such promise: a thread that returns
/// at once takes them again before a waiting thread has woken up.
final class OrderedPlaces: Sendable {
    private struct State {
        var free: Int
        var waiting: [DispatchSemaphore] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// The number of threads that wait.
    var waiting: Int { state.withLock(\.waiting.count) }

    /// Takes a place, and waits until it has one.
    func enter() {
        let mine: DispatchSemaphore? = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return nil
            }
            let mine = DispatchSemaphore(value: 0)
            state.waiting.append(mine)
            return mine
        }
        mine?.wait()
    }

    /// Gives the place to the first thread that waits.
    func leave() {
        let next: DispatchSemaphore? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.signal()
    }
}
