// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteStatements
import Testing

@Suite struct `A connection to a database` {
    private let database: Database

    init() throws {
        database = try Database(path: ":memory:")
    }

    @Test(arguments: [
        SQLiteValue.null, .integer(.min), .integer(.max), .real(0.5), .text(""), .text("a\u{0}ü"), .bytes(Data()),
        .bytes(Data([0, 255])),
    ])
    func `returns each value with the type that was stored`(_ value: SQLiteValue) throws {
        try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (?)", [value])
        #expect(try database.value(of: "SELECT x FROM t") == value)
        #expect(try database.rows(of: "SELECT x, x FROM t") == [[value, value]])
    }

    @Test func `stores a number as its 16 bytes, the highest first`() throws {
        let bytes = Data(1...16)
        let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        #expect(try database.value(of: "SELECT ?", [.number(number)]) == .bytes(bytes))
    }

    @Test func `runs each statement of a text with its own arguments`() throws {
        try database.execute(
            "CREATE TABLE t (x, y); INSERT INTO t VALUES (?, ?); -- a comment\nINSERT INTO t VALUES (?, 4);",
            [.integer(1), .integer(2), .integer(3)])
        #expect(
            try database.rows(of: "SELECT x, y FROM t") == [[.integer(1), .integer(2)], [.integer(3), .integer(4)]])
        #expect(try database.value(of: "SELECT x FROM t WHERE y = 5") == nil)
    }

    @Test func `takes a double-quoted word for a name only`() {
        #expect(throws: SQLiteError(.error)) { try database.value(of: "SELECT \"word\"") }
    }

    @Test func `throws the extended code of an error`() throws {
        try database.execute("CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1)")
        #expect(throws: SQLiteError(.uniqueConstraint)) { try database.execute("INSERT INTO t VALUES (1)") }
        #expect(SQLiteError(.uniqueConstraint).code.primary == .constraint)
    }

    @Test func `is busy while it has a statement, and unusable after it was closed`() throws {
        var statement: PreparedStatement? = try PreparedStatement(database, sql: "SELECT 1")
        #expect(statement?.columnNames == ["1"])
        #expect(throws: SQLiteError(.busy)) { try database.close() }
        statement = nil
        try database.close()
        #expect(throws: SQLiteError(.misuse)) { try database.value(of: "SELECT 1") }
        #expect(throws: SQLiteError(.misuse)) { try database.copy(to: Database(path: ":memory:")) }
        #expect(throws: Never.self) { try database.close() }
    }

    @Test func `copies a database into another, which loses its own contents`() throws {
        try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        let other = try Database(path: ":memory:")
        try other.execute("CREATE TABLE u (x)")
        try database.copy(to: other)
        #expect(try other.rows(of: "SELECT name FROM sqlite_master") == [[.text("t")]])
        #expect(try other.value(of: "SELECT x FROM t") == .integer(1))
    }

    @Test func `knows whether a transaction is open, and what the last change did`() throws {
        try database.execute("CREATE TABLE t (x); BEGIN")
        #expect(database.isInsideTransaction)
        try database.execute("INSERT INTO t VALUES (1), (2)")
        #expect(database.changedRowCount == 2 && database.lastInsertedRow == 2)
        try database.execute("ROLLBACK")
        #expect(!database.isInsideTransaction)
    }
}
