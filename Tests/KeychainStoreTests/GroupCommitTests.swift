// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteStatements
import Synchronization
import Testing

@testable import KeychainStore

@Suite("Changes that share a commit") struct GroupCommitTests {

    @Test func `changes that come while another is made share one transaction`() throws {
        let group = try Group()
        let seen = Mutex<[Int]>([])
        let failures = try group.run([
            group.inserting(2), group.inserting(3),
            { db in
                // The state that other connections can read, in the middle of the third change.
                seen.withLock { $0 = group.storedByNow }
                return try group.inserting(4)(db)
            },
        ])
        #expect(failures.allSatisfy { $0 == nil })
        #expect(seen.withLock { $0 } == [1])
        #expect(group.storedByNow == [1, 2, 3, 4])
        #expect(group.mostWaiting == 3)
    }

    @Test func `a change that fails, or is taken back, leaves the others of its group alone`() throws {
        let group = try Group()
        let failures = try group.run([
            group.inserting(2), group.inserting(1),
            { db in
                _ = try group.inserting(3)(db)
                return .rollback
            },
            group.inserting(4),
            { db in
                _ = try group.inserting(5)(db)
                throw StoreError.notFound
            },
        ])
        #expect(failures[0] == nil && failures[2] == nil && failures[3] == nil)
        #expect((failures[1] as? SQLiteError)?.code.primary == .constraint)
        #expect(failures[4] as? StoreError == .notFound)
        #expect(group.storedByNow == [1, 2, 4])
    }

    @Test func `each sees what those before it in the group changed`() throws {
        let group = try Group()
        let failures = try group.run([group.inserting(2), group.inserting(2)])
        #expect(failures[0] == nil)
        #expect((failures[1] as? SQLiteError)?.code.primary == .constraint)
    }

    @Test func `what fails when all is committed fails for all of the group`() throws {
        let group = try Group()
        let failures = try group.run([
            group.inserting(2),
            { db in
                // Noticed at the end, as a full disk may be.
                try db.execute("INSERT INTO part VALUES (7, 99)")
                return .commit
            },
            group.inserting(1),
        ])
        #expect(failures.allSatisfy { $0 is StoreError })
        #expect(group.storedByNow == [1])
        #expect(try group.run([group.inserting(2)])[0] == nil, "it goes on")
        #expect(group.storedByNow == [1, 2])
    }

    @Test func `on a full disk nothing is stored that was not acknowledged, and nothing lost that was`() throws {
        let group = try Group(isLimited: true)
        let failures = try group.run((2...9).map(group.inserting))
        #expect(failures.contains { ($0 as? SQLiteError)?.code == .full })
        let acknowledged = (2...9).filter { failures[$0 - 2] == nil }
        #expect(group.storedByNow == [1] + acknowledged)
    }
}

/// A connection to a file, and threads that change it.
private final class Group: Sendable {
    private let directory: Directory
    private let connection: Connection
    private let reader: Connection

    init(isLimited: Bool = false) throws {
        directory = try Directory()
        connection = try Connection(file: directory.database, .readWrite)
        try connection.access { db in
            try db.execute(
                """
                PRAGMA journal_mode = WAL;
                CREATE TABLE whole (x INTEGER PRIMARY KEY, filling BLOB);
                CREATE TABLE part (x, whole REFERENCES whole (x) DEFERRABLE INITIALLY DEFERRED);
                """)
            if isLimited { try db.execute("PRAGMA max_page_count = 20") }
        }
        reader = try Connection(file: directory.database, .readOnly)
    }

    typealias Change = @Sendable (Database) throws -> TransactionCompletion

    func inserting(_ number: Int) -> Change {
        { db in
            try db.execute("INSERT OR FAIL INTO whole VALUES (?, zeroblob(12000))", [.integer(Int64(number))])
            return .commit
        }
    }

    var mostWaiting: Int { connection.turns.mostWaitingCount }

    var storedByNow: [Int] {
        let rows = try? reader.access { db in try db.rows(of: "SELECT x FROM whole ORDER BY x") }
        return (rows ?? []).compactMap { $0[0].integer.map { Int($0) } }
    }

    /// Inserts 1, unless it exists, and makes these changes from one thread each before the insertion ends, in this
    /// order.
    ///
    /// - Returns: the error of each.
    func run(_ changes: [Change]) throws -> [(any Error)?] {
        let failures = Mutex([(any Error)?](repeating: nil, count: changes.count))
        let ends = DispatchSemaphore(value: 0)
        try connection.changing { db in
            try db.execute("INSERT OR IGNORE INTO whole VALUES (1, zeroblob(12000))")
            for (index, change) in changes.enumerated() {
                Thread.detachNewThread { [self] in
                    do {
                        try connection.changing(change)
                    } catch {
                        failures.withLock { $0[index] = error }
                    }
                    ends.signal()
                }
                while connection.turns.waitingCount <= index { sched_yield() }
            }
            return .commit
        }
        for _ in changes { ends.wait() }
        return failures.withLock { $0 }
    }
}
