// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import KeychainSealing

struct StretchingTurnTests {
    /// What the threads of a test did, in order.
    private final class Journal: Sendable {
        private let entries = Mutex<[String]>([])

        func note(_ entry: String) { entries.withLock { $0.append(entry) } }
        var all: [String] { entries.withLock { $0 } }
    }

    private func start(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
        let ended = DispatchSemaphore(value: 0)
        Thread {
            body()
            ended.signal()
        }.start()
        return ended
    }

    private func wait(for count: Int, in places: OrderedPlaces) { while places.waiting < count { sched_yield() } }

    @Test func `threads get places in the order in which they came`() {
        let (places, journal) = (OrderedPlaces(1), Journal())
        places.enter()
        var threads: [DispatchSemaphore] = []
        for number in 1...5 {
            threads.append(
                start {
                    places.enter()
                    journal.note("\(number)")
                    places.leave()
                })
            wait(for: number, in: places)
        }
        places.leave()
        for thread in threads { thread.wait() }
        #expect(journal.all == ["1", "2", "3", "4", "5"])
    }

    @Test func `a thread that comes back waits behind all that came before`() {
        let (places, journal) = (OrderedPlaces(2), Journal())
        places.enter()
        places.enter()
        let other = start {
            places.enter()
            journal.note("other")
            places.leave()
        }
        wait(for: 1, in: places)
        // Each time, the place is free for a moment, and a lock would give it to this thread.
        places.leave()
        places.enter()
        journal.note("first")
        other.wait()
        #expect(journal.all == ["other", "first"])
        places.leave()
        places.leave()
    }

    @Test func `as many threads as there are places have one at a time`() {
        let places = OrderedPlaces(2)
        let inside = Atomic(0)
        let most = Atomic(0)
        let threads = (0..<8).map { _ in
            start {
                for _ in 0..<500 {
                    places.enter()
                    let now = inside.add(1, ordering: .sequentiallyConsistent).newValue
                    most.max(now, ordering: .relaxed)
                    inside.subtract(1, ordering: .sequentiallyConsistent)
                    places.leave()
                }
            }
        }
        for thread in threads { thread.wait() }
        let atOnce = most.load(ordering: .relaxed)
        #expect((1...2).contains(atOnce))
        #expect(places.waiting == 0)
    }

    @Test func `a user has one place at a time, and an error gives it back`() throws {
        let places = OrderedPlaces(2)
        let turn = StretchingTurn(in: places)
        #expect(throws: SealingError.noKeyStorage) {
            try turn.taking { () throws(SealingError) in throw .noKeyStorage }
        }
        let inside = Atomic(0)
        let threads = (0..<4).map { _ in
            start {
                for _ in 0..<200 {
                    try? turn.taking { () throws(SealingError) in
                        let now = inside.add(1, ordering: .sequentiallyConsistent).newValue
                        #expect(now == 1)
                        inside.subtract(1, ordering: .sequentiallyConsistent)
                    }
                }
            }
        }
        for thread in threads { thread.wait() }
        places.enter()
        places.enter()
        #expect(places.waiting == 0)
    }
}
