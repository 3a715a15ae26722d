// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import Testing

@testable import KeychainEndpoint

/// When a wait polls, and when it sleeps.
struct ShortWaitTests {
    /// A time that only the test moves on.
    private final class Time: Sendable {
        private let nanoseconds = Atomic<UInt64>(1_000_000)

        func now() -> UInt64 { nanoseconds.load(ordering: .relaxed) }
        func pass(_ microseconds: UInt64) { nanoseconds.add(microseconds * 1000, ordering: .relaxed) }
    }

    private let time = Time()
    private static let doNotWait = Int32(MSG_DONTWAIT)

    private func wait(allowed: Int = 1) -> ShortWait { wait(among: ShortWait.Askers(allowed: allowed)) }
    private func wait(among askers: ShortWait.Askers) -> ShortWait { ShortWait(among: askers) { [time] in time.now() } }

    /// Waits for an event that comes after this many microseconds.
    ///
    /// - Returns: the number of polls without sleep, and whether the wait slept.
    private func receive(_ wait: borrowing ShortWait, after microseconds: UInt64) -> (asked: Int, slept: Bool) {
        let arrival = time.now() + microseconds * 1000
        var (asked, slept) = (0, false)
        let result: Int? = wait.receive { flags in
            if flags == Self.doNotWait {
                asked += 1
                time.pass(1)
                return time.now() >= arrival ? 1 : nil
            }
            slept = true
            if time.now() < arrival { time.pass((arrival - time.now()) / 1000) }
            return 1
        }
        #expect(result == 1)
        return (asked, slept)
    }

    @Test func `the first wait sleeps, and so does each one behind a long one`() {
        let wait = wait()
        for _ in 0..<5 { #expect(receive(wait, after: 1000) == (0, true)) }
    }

    @Test func `behind a short wait it is asked until something comes`() {
        let wait = wait()
        #expect(receive(wait, after: 10) == (0, true))
        #expect(receive(wait, after: 10) == (10, false))
        #expect(receive(wait, after: 3) == (3, false))
    }

    @Test func `asking ends in sleep after sixty microseconds`() {
        let wait = wait()
        _ = receive(wait, after: 10)
        let (asked, slept) = receive(wait, after: 5000)
        #expect(asked == 60)
        #expect(slept)
        #expect(receive(wait, after: 10) == (0, true))
    }

    @Test func `behind a wait for a disk it is asked for longer than behind a short one`() {
        let wait = wait()
        #expect(receive(wait, after: 100) == (0, true))
        #expect(receive(wait, after: 200) == (200, false))
        let (asked, slept) = receive(wait, after: 5000)
        #expect(asked == 400)
        #expect(slept)
        #expect(receive(wait, after: 100) == (0, true))
        _ = receive(wait, after: 100)
        #expect(receive(wait, after: 10) == (10, false))
        #expect(receive(wait, after: 100) == (60, true))
    }

    @Test func `asking in vain is tried again after one, two, four waits and so on, up to a limit`() {
        let wait = wait()
        _ = receive(wait, after: 10)
        var pauses: [Int] = []
        var pause = 0
        for _ in 0..<20_000 {
            // On one core, each wait would be short if it slept, but the repeated checks delay the awaited event.
            var asked = false
            let _: Int? = wait.receive { flags in
                if flags == Self.doNotWait {
                    asked = true
                    time.pass(10)
                    return nil
                }
                time.pass(asked ? 0 : 10)
                return 1
            }
            if asked {
                pauses.append(pause)
                pause = 0
            } else {
                pause += 1
            }
        }
        #expect(Array(pauses.prefix(5)) == [0, 1, 2, 4, 8])
        #expect(pauses.max() == 4096)
    }

    @Test func `a reply received after a request forgets the pauses before`() {
        let wait = wait()
        _ = receive(wait, after: 10)
        for _ in 0..<3 {
            #expect(receive(wait, after: 500) == (60, true))
            #expect(receive(wait, after: 10) == (0, true))
            #expect(receive(wait, after: 10) == (0, true))
            #expect(receive(wait, after: 10).slept == false)
        }
    }

    @Test func `no busy waiting without another core`() {
        let wait = wait(allowed: 0)
        for _ in 0..<5 { #expect(receive(wait, after: 1) == (0, true)) }
    }

    @Test func `who would ask sleeps while as many ask as may`() {
        let askers = ShortWait.Askers(allowed: 1)
        let first = wait(among: askers)
        let second = wait(among: askers)
        _ = receive(first, after: 1)
        _ = receive(second, after: 1)
        let _: Int? = first.receive { flags in
            #expect(flags == Self.doNotWait)
            #expect(receive(second, after: 1) == (0, true))
            return 1
        }
        #expect(receive(second, after: 1) == (1, false))
    }

    @Test func `an error ends the wait and frees the place for others`() {
        struct Failure: Error {}
        let wait = wait()
        _ = receive(wait, after: 1)
        for _ in 0..<3 {
            #expect(throws: Failure.self) {
                try wait.receive { (_: Int32) throws(Failure) -> Int? in throw Failure() }
            }
        }
        #expect(receive(wait, after: 1).slept == false)
    }
}
