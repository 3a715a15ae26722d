// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Synchronization

/// A program on a bus with polkit's interface, whose reaction to each call the test sets. It runs on its own thread
/// until it is stopped.
final class PretendedPolkit: Sendable {
    /// The reaction to a call instead of its answer.
    enum Fault: Sendable {
        /// No answer.
        case silence
        /// The program ends.
        case death
        case error(InterfaceName)
        /// An answer with the wrong arguments.
        case nonsense
        /// This action first, then no answer.
        case instead(@Sendable (BusConnection, Message) throws -> Void)
    }

    struct Script: Sendable {
        var faults: [MemberName: Fault] = [:]
        var isAuthorized = true
        var isChallenge = false
        var details: [String: String] = [:]
    }

    struct Call: Sendable {
        let member: String
        let arguments: [Value]
    }

    private let end: Wakeup
    private let script: Script
    private let log = Mutex<[Call]>([])
    private let called = DispatchSemaphore(value: 0)
    private let gone = DispatchSemaphore(value: 0)

    var calls: [Call] { log.withLock { $0 } }

    /// The arguments of all calls of a method.
    func arguments(of member: String) -> [[Value]] { calls.filter { $0.member == member }.map(\.arguments) }

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
                        [.string("org.freedesktop.PolicyKit1"), .uint32(4)]))
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

    /// Waits for the next call.
    func waitForCall() { called.wait() }

    /// Answers a call; false if the program must end.
    private func answer(_ call: Message, on bus: BusConnection) throws -> Bool {
        guard let member = call.member else { return true }
        log.withLock { $0.append(Call(member: member.rawValue, arguments: (try? call.arguments()) ?? [])) }
        defer { called.signal() }
        switch script.faults[member] {
        case .silence: return true
        case .death: return false
        case .error(let name):
            try bus.send(.error(name, to: call, "on purpose"))
            return true
        case .nonsense:
            try bus.send(.methodReturn(to: call, [.byte(7)]))
            return true
        case .instead(let body):
            try body(bus, call)
            return true
        case nil: break
        }
        let arguments: [Value] =
            switch member {
            case "Get": [.variant(.string("122"))]
            case "CheckAuthorization": [Self.result(script.isAuthorized, script.isChallenge, script.details)]
            default: []
            }
        try bus.send(.methodReturn(to: call, arguments))
        return true
    }

    static func result(_ isAuthorized: Bool, _ isChallenge: Bool, _ details: [String: String]) -> Value {
        .structure([
            .boolean(isAuthorized), .boolean(isChallenge),
            .dictionary(
                key: .string, value: .string, details.map { .init(.string($0.key), .string($0.value)) }),
        ])
    }
}
