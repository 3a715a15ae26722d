// SPDX-License-Identifier: Apache-2.0

/// The connections of an agent, and which gives way to a new connection: one process cannot shut the others out.
public struct ConnectionTable<Connection: Sendable>: Sendable {
    private struct Entry {
        let connection: Connection
        let process: Int32?
        /// Milliseconds of the clock; nil while the agent answers a message.
        var idleSince: UInt64?
    }

    /// The number of connections; one process has at most half of them.
    private let limit: Int
    private var entries: [Int: Entry] = [:]
    private var last = 0

    public init(limit: Int) { self.limit = limit }

    public var count: Int { entries.count }

    /// Adds a connection. If there is no room, the connection that has been idle longest gives way: of the same process
    /// if that has its share, otherwise of the process with the most connections.
    ///
    /// - Parameter process: nil for a process that cannot be inspected; all of these share.
    /// - Returns: the number of the connection, and the removed one; nil if all that could give way are busy.
    public mutating func admit(
        _ connection: Connection, of process: Int32?, at time: UInt64
    ) -> (number: Int, givesWay: Connection?)? {
        var givesWay: Connection?
        let counts = Dictionary(entries.values.map { ($0.process, 1) }, uniquingKeysWith: +)
        if counts[process, default: 0] >= limit / 2 {
            guard let number = longestIdle(of: process) else { return nil }
            givesWay = entries.removeValue(forKey: number)?.connection
        } else if entries.count >= limit {
            let processes = counts.sorted { $0.value > $1.value }.lazy.map(\.key)
            guard let number = processes.compactMap(longestIdle).first else { return nil }
            givesWay = entries.removeValue(forKey: number)?.connection
        }
        last += 1
        entries[last] = Entry(connection: connection, process: process, idleSince: time)
        return (last, givesWay)
    }

    /// - Parameter time: the time at which the connection became idle; nil if it is busy.
    public mutating func setIdle(_ number: Int, since time: UInt64?) { entries[number]?.idleSince = time }

    public mutating func remove(_ number: Int) { entries[number] = nil }

    private func longestIdle(of process: Int32?) -> Int? {
        // Of two at the same time the older one.
        entries.filter { $0.value.process == process }
            .compactMap { number, entry in entry.idleSince.map { (time: $0, number: number) } }
            .min { ($0.time, $0.number) < ($1.time, $1.number) }?.number
    }
}
