// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SQLiteStatements
import Synchronization

/// Whether a change is kept or undone.
enum TransactionCompletion { case commit, rollback }

/// The order in which threads change the database, so that simultaneous changes share one flush of the disk. Databases
/// call this a group commit.
///
/// A change that arrives while no other change runs starts at once, alone, and at no extra cost. Later changes wait;
/// then the first waiting thread makes all of them. The number of waiting threads is at most the number of threads that
/// serve requests, one for each connection.
final class GroupCommit: Sendable {
    typealias Change = (Database) throws -> TransactionCompletion

    /// A waiting change.
    ///
    /// `@unchecked Sendable`: the thread that leads the group runs the change and sets its failure, while the thread
    /// that owns the change waits for the semaphore.
    final class Waiting: @unchecked Sendable {
        /// Nil after the change was made: no reference to it may remain when its own thread continues.
        fileprivate private(set) var change: Change?
        fileprivate var failure: (any Error)?
        /// The changes to make; not empty for the thread that leads the group.
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

    /// The number of waiting changes.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// The maximum number of changes that ever waited at the same time.
    var mostWaitingCount: Int { state.withLock(\.mostWaiting) }

    fileprivate func takeTurn() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// Queues a change.
    ///
    /// - Returns: false if it is already the caller's turn, so the caller must not wait.
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

    /// Passes the turn to the waiting changes.
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
    /// Runs `body` in a transaction that is undone if `body` throws. Changes of other threads may be in the same
    /// transaction. Each change sees the changes before it, and the failure of one does not affect the others, unless
    /// the disk fails.
    ///
    /// - Parameter body: may run on another thread while the caller's thread waits. It must access the connection only
    ///   through the given database.
    func changing(_ body: (Database) throws -> TransactionCompletion) throws {
        if turns.takeTurn() {
            defer { turns.passTurn() }
            return try inTransaction(body)
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
                // Otherwise each would retain itself.
                own.group = []
            }
            if let failure = own.failure { throw failure }
        }
    }

    /// Runs a change like ``changing(_:)``, and keeps it unless `body` throws.
    func keeping(_ body: (Database) throws(StoreError) -> Void) throws {
        try changing { db in
            try body(db)
            return .commit
        }
    }

    /// Runs a change in a transaction of its own, which is undone if the change throws.
    func inTransaction(_ change: GroupCommit.Change) throws {
        try access { db in
            try run(.begin, [], db)
            do {
                switch try change(db) {
                case .commit: try run(.commit, [], db)
                case .rollback: try run(.rollback, [], db)
                }
            } catch {
                // After some errors, SQLite has already rolled back, and reports another error here.
                try? run(.rollback, [], db)
                throw error
            }
        }
    }

    private func together(_ group: [GroupCommit.Waiting]) {
        var left = group[...]
        do {
            if group.count > 1 {
                try access { db in
                    try run(.begin, [], db)
                    do {
                        while let next = left.popFirst() {
                            if let change = next.change { next.failure = try failure(ofPart: change, db) }
                        }
                        try run(.commit, [], db)
                    } catch {
                        try? run(.rollback, [], db)
                        throw error
                    }
                }
            }
        } catch {
            // Also the refused changes: the reason may have been an earlier change that is now undone.
            for change in group.dropLast(left.count) { change.failure = error }
        }
        for own in left {
            guard let change = own.change else { continue }
            do { try inTransaction(change) } catch { own.failure = error }
        }
    }

    /// Runs a change as a part of a transaction, within a savepoint.
    ///
    /// - Returns: the error of the change, after which no effect of it remains.
    /// - Throws: if SQLite rolled back the whole transaction, as it does if the disk is full or fails.
    func failure(ofPart change: GroupCommit.Change, _ db: Database) throws -> (any Error)? {
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
