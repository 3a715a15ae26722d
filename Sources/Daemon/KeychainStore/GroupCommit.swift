// SPDX-License-Identifier: Apache-2.0

import Dispatch
import GRDB
import Synchronization

/// Whose turn it is to change the database, so that changes which come at once share one flush of the disk: a group commit,
/// as databases call it.
///
/// Who comes while nobody changes anything does so at once, alone, and pays nothing. Those who come meanwhile wait; then the
/// first of them makes the changes of all. There are never more of them than threads that serve requests, one a connection.
final class GroupCommit: Sendable {
    typealias Change = (Database) throws -> Database.TransactionCompletion

    /// One who waits.
    ///
    /// `@unchecked Sendable`: the change is run, and its failure set, by whoever leads the group, while the thread that it
    /// belongs to waits for the semaphore.
    final class Waiting: @unchecked Sendable {
        /// Nil once it was made: nothing of it may be left when its own thread goes on.
        fileprivate private(set) var change: Change?
        fileprivate var failure: (any Error)?
        /// Not empty for who has to lead it.
        fileprivate var group: [Waiting] = []
        private let wakes = DispatchSemaphore(value: 0)

        fileprivate init(_ change: @escaping Change) { self.change = change }

        fileprivate func wait() { wakes.wait() }

        fileprivate func lead(_ group: [Waiting]) {
            self.group = group
            wakes.signal()
        }

        fileprivate func finish() {
            change = nil
            wakes.signal()
        }
    }

    private struct State {
        var isTaken = false
        var waiting: [Waiting] = []
        var mostWaiting = 0
    }

    private let state = Mutex(State())

    /// How many wait at the moment.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// The most that ever waited at once.
    var mostWaitingCount: Int { state.withLock(\.mostWaiting) }

    fileprivate func takeTurn() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// - Returns: false if it is already the caller's turn, who is not to wait then.
    fileprivate func queue(_ change: Waiting) -> Bool {
        state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return false
            }
            state.waiting.append(change)
            state.mostWaiting = max(state.mostWaiting, state.waiting.count)
            return true
        }
    }

    /// Gives the turn to those who wait.
    fileprivate func passTurn() {
        let group = state.withLock { state in
            defer { state.waiting.removeAll(keepingCapacity: true) }
            state.isTaken = !state.waiting.isEmpty
            return state.waiting
        }
        group.first?.lead(group)
    }
}

extension Connection {
    /// Runs `body` in a transaction that is undone when it throws. Others' changes may be in the same one; each of them sees
    /// those before it, and what becomes of one is nothing to the others, unless the disk fails them all.
    ///
    /// - Parameter body: may be run by another thread, while the caller's waits. It must not use the connection but through
    ///   the database that it is given.
    func changing(_ body: (Database) throws -> Database.TransactionCompletion) throws {
        if turns.takeTurn() {
            defer { turns.passTurn() }
            return try alone(body)
        }
        try withoutActuallyEscaping(body) { body in
            let own = GroupCommit.Waiting(body)
            if turns.queue(own) {
                own.wait()
            } else {
                own.group = [own]
            }
            let group = own.group
            if !group.isEmpty {
                together(group)
                turns.passTurn()
                for change in group { change.finish() }
                // Each would keep itself.
                own.group = []
            }
            if let failure = own.failure { throw failure }
        }
    }

    /// The same for what is kept unless it throws.
    func keeping(_ body: (Database) throws(StoreError) -> Void) throws {
        try changing { db in
            try body(db)
            return .commit
        }
    }

    private func alone(_ change: GroupCommit.Change) throws {
        try queue.writeWithoutTransaction { db in
            try run(.begin, [], db)
            do {
                switch try change(db) {
                case .commit: try run(.commit, [], db)
                case .rollback: try run(.rollback, [], db)
                }
            } catch {
                // SQLite has undone it itself after some errors, and says so by another.
                try? run(.rollback, [], db)
                throw error
            }
        }
    }

    private func together(_ group: [GroupCommit.Waiting]) {
        var left = group[...]
        do {
            if group.count > 1 {
                try queue.writeWithoutTransaction { db in
                    try run(.begin, [], db)
                    do {
                        while let next = left.popFirst() { next.failure = try failure(of: next, db) }
                        try run(.commit, [], db)
                    } catch {
                        try? run(.rollback, [], db)
                        throw error
                    }
                }
            }
        } catch {
            // Also those that were refused something: perhaps because of one before them that is not there now.
            for change in group.dropLast(left.count) { change.failure = error }
        }
        for own in left {
            guard let change = own.change else { continue }
            do { try alone(change) } catch { own.failure = error }
        }
    }

    /// Runs a change within a savepoint.
    ///
    /// - Returns: what it threw, after which nothing of it is left.
    /// - Throws: when SQLite has undone the whole transaction, as it does when the disk is full or fails.
    private func failure(of own: GroupCommit.Waiting, _ db: Database) throws -> (any Error)? {
        guard let change = own.change else { return nil }
        try run(.beginPart, [], db)
        do {
            if case .commit = try change(db) {
                try run(.endPart, [], db)
                return nil
            }
        } catch {
            guard db.isInsideTransaction else { throw error }
            try undoPart(db)
            return error
        }
        try undoPart(db)
        return nil
    }

    private func undoPart(_ db: Database) throws {
        try run(.undoPart, [], db)
        try run(.endPart, [], db)
    }
}
