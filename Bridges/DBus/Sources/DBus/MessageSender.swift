// SPDX-License-Identifier: Apache-2.0

internal import DBusMessages

/// The sending side of a connection during the run of a ``BusServer``.
struct MessageSender {
    private let socket: BusSocket
    private let passesDescriptors: Bool
    private var serials: MessageSerials
    /// Sent calls by their serials.
    private var pending: [UInt32: BusServer.Request] = [:]
    private var outbox: ArraySlice<BusServer.Outgoing> = []
    /// The message of which the socket has taken a part.
    private var current: (bytes: ArraySlice<UInt8>, outgoing: BusServer.Outgoing, descriptors: [Descriptor])?

    init(_ socket: BusSocket, passesDescriptors: Bool, _ serials: MessageSerials) {
        self.socket = socket
        self.passesDescriptors = passesDescriptors
        self.serials = serials
    }

    /// Sends the queued messages of a server.
    ///
    /// - Parameter failed: takes the calls that cannot be sent.
    /// - Returns: false if the socket is full.
    mutating func sendAll(
        of server: BusServer, _ failed: inout [(BusServer.Request, BusError)]
    ) throws(BusError) -> Bool {
        while true {
            if let (bytes, outgoing, descriptors) = current {
                guard let count = try socket.sendAtOnce(bytes, descriptors) else { return false }
                let rest = bytes.dropFirst(count)
                // The descriptors went with the first byte.
                current = rest.isEmpty ? nil : (rest, outgoing, [])
                if rest.isEmpty { server.sent(outgoing.byteCount) }
                continue
            }
            if outbox.isEmpty { outbox = server.takeOutbox()[...] }
            guard let next = outbox.popFirst() else { return true }
            do throws(BusError) {
                try begin(next)
            } catch {
                server.sent(next.byteCount)
                if let request = next.request { failed.append((request, error)) }
            }
        }
    }

    private mutating func begin(_ next: BusServer.Outgoing) throws(BusError) {
        guard next.descriptors.isEmpty || passesDescriptors else { throw .protocolViolation(.noSuchDescriptor) }
        let (serial, bytes) = try serials.encode(next.message)
        current = (bytes[...], next, next.descriptors)
        // A call that expects no answer is complete when it is sent; its deadline ends it.
        if let request = next.request { pending[serial] = request }
    }

    /// The earliest deadline of a sent call.
    var firstDeadline: ContinuousClock.Instant? {
        // Usually there is none.
        pending.isEmpty ? nil : pending.values.lazy.map { $0.deadline }.min()
    }

    /// The calls without an answer, sent or not.
    var requests: [BusServer.Request] { Array(pending.values) + outbox.compactMap { $0.request } }

    /// Returns the sent calls for which the condition holds, and forgets them.
    mutating func takePending(_ condition: (UInt32, BusServer.Request) -> Bool) -> [BusServer.Request] {
        let taken = pending.filter(condition)
        for serial in taken.keys { pending[serial] = nil }
        return Array(taken.values)
    }
}
