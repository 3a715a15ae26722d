// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// The order in which threads write lines of the audit log, so that concurrent requests share one write.
///
/// A thread that finds no other thread writing writes its line at once, alone. Lines that arrive meanwhile wait, and the
/// writing thread writes them together before it ends its turn. So the turn does not pass to a sleeping thread for each
/// line, because all later lines would have to wait until that thread runs.
final class AuditLineQueue: Sendable {
    private final class WaitingLine: Sendable {
        let line: [UInt8]
        /// Whether the thread of this line has to write the waiting lines, including its own.
        let leads = Atomic(false)
        let wakes = DispatchSemaphore(value: 0)

        init(_ line: [UInt8]) { self.line = line }
    }

    private struct State {
        var isTaken = false
        var waiting: [WaitingLine] = []
    }

    private let state = Mutex(State())

    /// The number of groups that one thread writes. Then the first waiting thread continues, because otherwise a
    /// request could wait indefinitely for later ones.
    static let groupLimit = 8

    /// Writes a line, and returns when it is written.
    ///
    /// - Parameter write: writes lines, in the given order. Must be equivalent for all callers, because one thread
    ///   writes the lines of others. Only one call runs at a time.
    func append(_ line: [UInt8], write: (_ lines: [[UInt8]]) -> Void) {
        let own: WaitingLine? = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let own = WaitingLine(line)
            state.waiting.append(own)
            return own
        }
        if let own {
            own.wakes.wait()
            guard own.leads.load(ordering: .relaxed) else { return }
        } else {
            write([line])
        }
        for _ in 0..<Self.groupLimit {
            let group = takeGroup()
            guard !group.isEmpty else { return }
            write(group.map(\.line))
            for other in group where other !== own { other.wakes.signal() }
        }
        passTurn()
    }

    /// The number of lines that wait for a thread that writes.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Takes the waiting lines, or ends the turn if there are none.
    private func takeGroup() -> [WaitingLine] {
        state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func passTurn() {
        let next = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.waiting.first
        }
        next?.leads.store(true, ordering: .relaxed)
        next?.wakes.signal()
    }
}
