// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation

/// A service on the bus that answers calls on its own thread until it is stopped.
final class EchoService: Sendable {
    static let name: BusName = "org.example.Echo"
    static let interface: InterfaceName = "org.example.Echo"
    static let path: ObjectPath = "/org/example/Echo"

    private let end: Wakeup

    init(_ bus: PrivateBus) throws {
        end = try Wakeup()
        let (address, end) = (bus.address, end)
        let ready = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            defer { ready.signal() }
            guard let connection = try? BusConnection(to: [address], interruption: end) else { return }
            _ = try? connection.call(
                .call(
                    "RequestName", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name,
                    [.string(Self.name.rawValue), .uint32(4)]))
            ready.signal()
            while let received = try? connection.next(until: nil, or: nil) {
                guard received.message.kind == .methodCall else { continue }
                try? Self.answer(received, on: connection)
            }
        }
        ready.wait()
    }

    deinit {
        end.wake()
    }

    static func answer(_ received: ReceivedMessage, on connection: BusConnection) throws {
        let call = received.message
        switch call.member {
        case "Echo":
            try connection.send(
                .methodReturn(to: call, try call.arguments(), descriptorCount: call.descriptorCount),
                descriptors: received.descriptors)
        case "Fail": try connection.send(.error("org.example.Failed", to: call, "on purpose"))
        // Sends a signal to the caller, then the answer.
        case "Signal":
            try connection.send(.signal("Told", of: interface, at: path, to: call.sender, try call.arguments()))
            try connection.send(.methodReturn(to: call))
        // A signal to all subscribers.
        case "Broadcast":
            try connection.send(.signal("Told", of: interface, at: path, try call.arguments()))
            try connection.send(.methodReturn(to: call))
        default: break
        }
    }

    static func call(_ member: MemberName, _ arguments: [Value] = [], descriptors: UInt32 = 0) throws -> Message {
        try .call(member, of: interface, at: path, on: name, arguments, descriptorCount: descriptors)
    }
}
