// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SSHAgent

@Suite struct ConnectionTableTests {
    private final class Connections {
        private var table = ConnectionTable<String>(limit: 4)

        var count: Int { table.count }

        func admit(_ name: String, of process: Int32?, at time: UInt64) -> (number: Int, givesWay: String?)? {
            table.admit(name, of: process, at: time)
        }

        func setIdle(_ number: Int, since time: UInt64?) { table.setIdle(number, since: time) }

        func remove(_ number: Int) { table.remove(number) }
    }

    private let table = Connections()

    @Test func `the longest idle connection of a process gives way to its next one beyond half of all`() throws {
        let first = try #require(table.admit("first", of: 1, at: 10))
        #expect(first.givesWay == nil)
        #expect(table.admit("second", of: 1, at: 20)?.givesWay == nil)
        // It was used since.
        table.setIdle(first.number, since: 30)
        #expect(table.admit("third", of: 1, at: 40)?.givesWay == "second")
        #expect(table.count == 2)
    }

    @Test func `if all places are taken, a connection of the process with the most gives way`() {
        for (name, process) in [("old", 1), ("a", 2), ("b", 2), ("c", 3)] as [(String, Int32?)] {
            #expect(table.admit(name, of: process, at: 5)?.givesWay == nil)
        }
        #expect(table.admit("new", of: nil, at: 50)?.givesWay == "a")
        #expect(table.count == 4)
    }

    @Test func `connections in use do not give way`() throws {
        for name in ["first", "second"] {
            let number = try #require(table.admit(name, of: 1, at: 10)).number
            table.setIdle(number, since: nil)
        }
        #expect(table.admit("third", of: 1, at: 20) == nil)
        #expect(table.admit("other", of: 2, at: 20) != nil)
        #expect(table.count == 3)
    }

    @Test func `a connection that ended makes room`() throws {
        let first = try #require(table.admit("first", of: 1, at: 10))
        #expect(table.admit("second", of: 1, at: 10) != nil)
        table.remove(first.number)
        #expect(table.admit("third", of: 1, at: 20)?.givesWay == nil)
        #expect(table.count == 2)
    }
}
