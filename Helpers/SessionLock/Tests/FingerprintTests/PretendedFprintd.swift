// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Synchronization

/// A program on a bus with fprintd's interface, whose reaction to each call the test sets. It runs on its own thread
/// until it is stopped.
final class PretendedFprintd: Sendable {
    static let path: ObjectPath = "/net/reactivated/Fprint/Device/0"

    /// The reaction to a call instead of its answer.
    enum Fault: Sendable {
        /// No answer.
        case silence
        /// The program ends.
        case death
        case error(InterfaceName)
        /// An answer with the wrong arguments.
        case nonsense
        /// This action first, then the answer.
        case before(@Sendable (BusConnection, Message) throws -> Void)
    }

    struct Script: Sendable {
        var faults: [MemberName: Fault] = [:]
        var name = "Pretended reader"
        var scan = "press"
        var fingers: [String] = ["right-index-finger"]
        /// The fingers that replace those, by user name.
        var fingersOfUsers: [String: [String]] = [:]
        /// Other readers, with their fingers.
        var others: [ObjectPath: [String]] = [:]
        /// The results after each start of a verification: the result, and whether it ends the verification.
        var statuses: [[(String, Bool)]] = [[("verify-match", true)]]
        /// The arguments of the signal that replace those.
        var strangeStatus: [Value]?
    }

    private let end: Wakeup
    private let script: Script
    private let log = Mutex<[String]>([])
    private let named = Mutex<[String]>([])
    private let starts = Mutex(0)
    private let gone = DispatchSemaphore(value: 0)

    /// The called methods of the reader.
    var calls: [String] { log.withLock { $0 } }

    /// The users of the calls.
    var users: [String] { named.withLock { $0 } }

    init(_ bus: PrivateBus, _ script: Script = Script()) throws {
        end = try Wakeup()
        self.script = script
        let address = bus.address
        let ready = DispatchSemaphore(value: 0)
        // The thread keeps a reference only as long as it runs.
        Thread.detachNewThread { [self] in
            defer { gone.signal() }
            defer { ready.signal() }
            do {
                let connection = try BusConnection(to: [address], interruption: end)
                try connection.call(
                    .call(
                        "RequestName", of: MessageBus.interface, at: MessageBus.path, on: MessageBus.name,
                        [.string("net.reactivated.Fprint"), .uint32(4)]))
                ready.signal()
                while let received = try connection.next(until: nil, or: nil) {
                    guard received.message.kind == .methodCall else { continue }
                    guard try answer(received.message, on: connection) else { return }
                }
            } catch {
                // The thread was stopped, or the bus has ended.
            }
        }
        ready.wait()
    }

    /// Stops the program; it has left the bus when this function returns.
    func stop() {
        end.wake()
        gone.wait()
    }

    /// Answers a call; false if the program must end.
    private func answer(_ call: Message, on bus: BusConnection) throws -> Bool {
        guard let member = call.member else { return true }
        log.withLock { $0.append(member.rawValue) }
        let user = try? call.arguments().first?.string
        if let user, ["ListEnrolledFingers", "Claim"].contains(member) { named.withLock { $0.append(user) } }
        switch script.faults[member] {
        case .silence: return true
        case .death: return false
        case .error(let name):
            try bus.send(.error(name, to: call, "on purpose"))
            return true
        case .nonsense:
            try bus.send(.methodReturn(to: call, [.byte(7)]))
            return true
        case .before(let body): try body(bus, call)
        case nil: break
        }
        try bus.send(.methodReturn(to: call, arguments(of: member, call)))
        if member == "VerifyStart" { try sendStatuses(on: bus) }
        return true
    }

    private func arguments(of member: MemberName, _ call: Message) -> [Value] {
        let ofUser = (try? call.arguments().first?.string).flatMap { script.fingersOfUsers[$0] }
        let fingers = ofUser ?? call.path.flatMap { script.others[$0] } ?? script.fingers
        return switch member {
        case "GetDefaultDevice": [.objectPath(Self.path)]
        case "GetDevices":
            [
                .array(
                    of: .objectPath,
                    ([Self.path] + script.others.keys.sorted { $0.rawValue < $1.rawValue }).map { .objectPath($0) })
            ]
        case "GetAll":
            [
                .dictionary(
                    key: .string, value: .variant,
                    [
                        .init(.string("name"), .variant(.string(script.name))),
                        .init(.string("scan-type"), .variant(.string(script.scan))),
                    ])
            ]
        case "ListEnrolledFingers": [.array(of: .string, fingers.map { .string($0) })]
        default: []
        }
    }

    private func sendStatuses(on bus: BusConnection) throws {
        let round = starts.withLock { count in
            defer { count += 1 }
            return count
        }
        if let strange = script.strangeStatus { return try Self.send(strange, on: bus) }
        guard round < script.statuses.count else { return }
        for (result, isDone) in script.statuses[round] { try Self.send([.string(result), .boolean(isDone)], on: bus) }
    }

    static func send(_ arguments: [Value], on bus: BusConnection, to destination: BusName? = nil) throws {
        try bus.send(
            .signal("VerifyStatus", of: "net.reactivated.Fprint.Device", at: path, to: destination, arguments))
    }
}
