// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import SSHAgent

@Suite(.timeLimit(.minutes(5))) struct PromptTurnsTests {
    private final class World: Sendable {
        let uptime = Mutex<UInt64>(5_000_000)
        let shown = Mutex(0)
        let mostShown = Mutex(0)
        let isAnswered = Mutex(false)
        /// The results of clients that asked, in any order.
        let ended = Mutex<[String]>([])
    }

    private let world = World()
    private let turns: PromptTurns

    init() {
        let world = world
        turns = PromptTurns(uptime: { world.uptime.withLock { $0 } }) {
            let semaphore = DispatchSemaphore(value: 0)
            return PromptWait(end: { semaphore.signal() }) { time in
                _ = semaphore.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
            }
        }
    }

    private func wait(for condition: () -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while !condition() {
            try #require(.now < end, "the condition is not met in time")
            sched_yield()
        }
    }

    /// Asks in a thread of its own, with a prompt that stays until it is answered.
    private func begin(by client: Int32?) {
        let (turns, world) = (turns, world)
        Thread.detachNewThread {
            var result = "confirmed"
            do throws(AgentError) {
                _ = try turns.take(by: client) { () throws(AgentError) -> Bool? in
                    let now = world.shown.withLock { shown in
                        shown += 1
                        return shown
                    }
                    world.mostShown.withLock { $0 = max($0, now) }
                    while !world.isAnswered.withLock({ $0 }) { sched_yield() }
                    world.shown.withLock { $0 -= 1 }
                    return true
                }
            } catch {
                result = error.description
            }
            world.ended.withLock { $0.append(result) }
        }
    }

    private func answer(by client: Int32?, _ answer: Bool?) throws -> Bool? {
        try turns.take(by: client) { () throws(AgentError) -> Bool? in answer }
    }

    @Test func `one prompt is shown, two of the client wait, and further ones are refused at once`() throws {
        begin(by: 1)
        try wait { world.shown.withLock { $0 } == 1 }
        for number in 2...3 {
            begin(by: 1)
            try wait { turns.count == number }
        }
        let refusal = AgentError("too many prompts wait for the user already")
        #expect(throws: refusal) { try answer(by: 1, true) }
        // Another client still has room, and the client that cannot be inspected.
        for (number, client) in [(4, 2), (5, nil)] as [(Int, Int32?)] {
            begin(by: client)
            try wait { turns.count == number }
        }
        world.isAnswered.withLock { $0 = true }
        try wait { world.ended.withLock(\.count) == 5 }
        #expect(world.ended.withLock { $0 } == Array(repeating: "confirmed", count: 5))
        #expect(world.mostShown.withLock { $0 } == 1)
        #expect(turns.count == 0)
    }

    @Test func `at most eight prompts of all clients wait`() throws {
        begin(by: 0)
        try wait { world.shown.withLock { $0 } == 1 }
        for client in 1...8 as ClosedRange<Int32> {
            begin(by: client)
            try wait { turns.count == 1 + Int(client) }
        }
        #expect(throws: AgentError.self) { try answer(by: 9, true) }
        world.isAnswered.withLock { $0 = true }
        try wait { world.ended.withLock(\.count) == 9 }
        #expect(try answer(by: 9, true) == true)
    }

    @Test func `after three denials in a row a client may not ask for 30 seconds, and others may`() throws {
        for _ in 0..<2 { #expect(try answer(by: 1, nil) == nil) }
        // A confirmation ends the row.
        #expect(try answer(by: 1, true) == true)
        for _ in 0..<3 { #expect(try answer(by: 1, nil) == nil) }
        let refusal = AgentError("the user has denied 3 prompts of the client; none is shown for 30 seconds")
        #expect(throws: refusal) { try answer(by: 1, true) }
        #expect(try answer(by: 2, true) == true)
        world.uptime.withLock { $0 += 29_999 }
        #expect(throws: refusal) { try answer(by: 1, true) }
        world.uptime.withLock { $0 += 1 }
        #expect(try answer(by: 1, true) == true)
    }

    @Test func `a prompt that cannot be shown is no denial`() throws {
        for _ in 0..<4 {
            #expect(throws: AgentError("no display")) {
                try turns.take(by: 1) { () throws(AgentError) -> Bool? in throw AgentError("no display") }
            }
        }
        #expect(try answer(by: 1, true) == true)
    }
}
