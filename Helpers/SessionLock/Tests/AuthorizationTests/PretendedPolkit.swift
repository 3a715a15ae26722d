// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Synchronization

/// A program on a bus that speaks as polkit does, and does what a test says at each call. On a thread of its own, until it goes.
final class PretendedPolkit: Sendable {
    /// What happens at a call in place of its answer.
    enum Fault: Sendable {
        /// Nothing comes.
        case silence
        /// The program ends.
        case death
        case error(InterfaceName)
        /// An answer with other arguments than it should have.
        case nonsense
        /// This first, then silence.
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

    /// The arguments of the calls of a method.
    func arguments(of member: String) -> [[Value]] { calls.filter { $0.member == member }.map(\.arguments) }

    init(_ bus: PrivateBus, _ script: Script = Script()) throws {
        end = try Wakeup()
        self.script = script
        let address = bus.address
        let ready = DispatchSemaphore(value: 0)
        // Kept by the thread no longer than that runs.
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
                // It was told to end, or the bus did.
            }
        }
        ready.wait()
    }

    /// Ends it; when this returns, it is off the bus.
    func stop() {
        end.wake()
        gone.wait()
    }

    /// Waits for the next call.
    func waitForCall() { called.wait() }

    /// False when it is to end.
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
