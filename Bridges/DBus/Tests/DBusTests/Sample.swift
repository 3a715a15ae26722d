// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Synchronization

/// An object with a method or a property of each kind.
final class Sample: BusObject {
    static let name: BusName = "org.example.Sample"
    static let path: ObjectPath = "/org/example/Sample"
    static let interface: InterfaceName = "org.example.Sample"

    private struct State {
        var text = "first"
        var number: UInt32 = 0
        var replies: [Reply<MethodResult>] = []
        var sessions: [BusName: NameWatch] = [:]
        var ended: [BusName] = []
    }

    private struct UnknownError: Error {
        let password = "hunter2"
    }

    private let state = Mutex(State())
    private let server: BusServer

    /// The calls of `Later` without an answer.
    var waitingCalls: Int { state.withLock { $0.replies.count } }
    /// The clients that called `Open` and have gone.
    var endedSessions: [BusName] { state.withLock { $0.ended } }

    init(_ server: BusServer) {
        self.server = server
    }

    static let interfaces: [Interface<Sample>] = [
        Interface(
            interface,
            methods: [
                Method("Echo", in: [Argument("value", "v")], out: [Argument("value", "v")]) { _, call in
                    MethodResult(call.arguments)
                },
                Method(
                    "Add", in: [Argument("a", "i"), Argument("b", "i")], out: [Argument("sum", "i")],
                    annotations: ["org.freedesktop.DBus.Deprecated": "true"]
                ) { _, call in
                    guard case .int32(let a) = call.arguments[0], case .int32(let b) = call.arguments[1] else {
                        return []
                    }
                    let (sum, overflow) = a.addingReportingOverflow(b)
                    if overflow { throw MethodError("org.example.Sample.Error.Overflow", "The sum is too large.") }
                    return [.int32(sum)]
                },
                Method("FailUnnamed") { _, _ in throw UnknownError() },
                Method("BreakPromise", out: [Argument("number", "i")]) { _, _ in [.string("a text")] },
                Method(
                    "Later", in: [Argument("text", "s")], out: [Argument("text", "s")],
                    later: { sample, _, reply in
                        sample.state.withLock { $0.replies.append(reply) }
                    }),
                // Answers the calls of Later from another thread, the last one first.
                Method(
                    "Release", in: [Argument("text", "s")],
                    later: { sample, call, reply in
                        let replies = sample.takeReplies()
                        Thread.detachNewThread {
                            for waiting in replies.reversed() { waiting.succeed([call.arguments[0]]) }
                            reply.succeed([])
                        }
                    }),
                // Releases them without an answer.
                Method("Forget") { sample, _ in
                    _ = sample.takeReplies()
                    return []
                },
                Method("Large", in: [Argument("count", "u")], out: [Argument("bytes", "ay")]) { _, call in
                    [.bytes(.init(repeating: 7, count: Int(call.arguments[0].uint32 ?? 0)))]
                },
                Method("Pass", in: [Argument("file", "h")], out: [Argument("file", "h")]) { _, call in
                    MethodResult([.descriptor(0)], descriptors: [try call.descriptor(at: 0)])
                },
                Method("PassMany", in: [Argument("file", "h")], out: [Argument("files", "ah")]) { _, call in
                    let file = try call.descriptor(at: 0)
                    return MethodResult(
                        [.array(of: .descriptor, (0..<17).map { .descriptor($0) })],
                        descriptors: .init(repeating: file, count: 17))
                },
                // Begins a session, which ends with the connection of its client.
                Method("Open", out: [Argument("client", "s")]) { sample, call in
                    let client = call.sender
                    let watch = try sample.server.watch(client) { [weak sample] in
                        sample?.state.withLock { state in
                            state.sessions[client] = nil
                            state.ended.append(client)
                        }
                    }
                    sample.state.withLock { $0.sessions[client] = watch }
                    return [.string(client.rawValue)]
                },
                Method(
                    "Identify", out: [Argument("process", "u"), Argument("user", "u")],
                    later: { sample, call, reply in
                        sample.server.perform(.credentials(of: call.sender)) { result in
                            reply.answer {
                                let credentials = try result.get()
                                return [.uint32(credentials.processID ?? 0), .uint32(credentials.userID ?? 0)]
                            }
                        }
                    }),
                Method("Tell", in: [Argument("text", "s")]) { sample, call in
                    try sample.server.emit("Told", call.arguments, of: interfaces[0].description, at: path)
                    return []
                },
                Method("Change", in: [Argument("number", "u")]) { sample, call in
                    sample.state.withLock { $0.number = call.arguments[0].uint32 ?? 0 }
                    try sample.server.announceChange(
                        of: ["Number", "Hidden", "Fixed", "Silent"], in: interface, of: sample, at: path)
                    return []
                },
            ],
            signals: [SignalDescription("Told", [Argument("text", "s")])],
            properties: [
                Property("Text", "s") { sample in
                    .string(sample.state.withLock { $0.text })
                } set: { sample, value in
                    guard let text = value.string, !text.isEmpty else {
                        throw MethodError.invalidArguments("The text is empty.")
                    }
                    sample.state.withLock { $0.text = text }
                    try sample.server.announceChange(of: ["Text"], in: interface, of: sample, at: path)
                },
                Property("Number", "u") { sample in .uint32(sample.state.withLock { $0.number }) },
                Property("Hidden", "u", changeSignal: .invalidation) { sample in
                    .uint32(sample.state.withLock { $0.number })
                },
                Property("Fixed", "as", changeSignal: .constant) { _ in .array(of: .string, [.string("a")]) },
                Property("Silent", "d", changeSignal: .none) { _ in .double(0.5) },
                Property("Broken", "i", changeSignal: .none) { _ in throw UnknownError() },
                Property(
                    "WriteOnly", "s", changeSignal: .none, get: nil,
                    setLater: { sample, call, reply in
                        let text = call.arguments[0].string ?? ""
                        Thread.detachNewThread {
                            sample.state.withLock { $0.text = text }
                            reply.succeed(())
                        }
                    }),
            ])
    ]

    private func takeReplies() -> [Reply<MethodResult>] {
        state.withLock { state in
            defer { state.replies = [] }
            return state.replies
        }
    }
}

/// An object whose only content is its number.
struct Leaf: BusObject {
    static let interface: InterfaceName = "org.example.Leaf"
    let number: UInt32

    static let slowInterface: InterfaceName = "org.example.SlowLeaf"

    static let interfaces: [Interface<Leaf>] = [
        Interface(interface, properties: [Property("Number", "u") { .uint32($0.number) }]),
        Interface(
            slowInterface,
            properties: [
                // From another thread; the leaf 13 has none.
                Property(
                    "Next", "u",
                    getLater: { leaf, reply in
                        Thread.detachNewThread {
                            reply.answer {
                                if leaf.number == 13 { throw MethodError("org.example.NoNext", "") }
                                return .uint32(leaf.number + 1)
                            }
                        }
                    }),
                Property("Same", "u") { .uint32($0.number) },
                Property("Text", "s", getLater: { _, reply in reply.succeed(.string("text")) }),
                // Breaks its promise of a type.
                Property(
                    "Wrong", "s", changeSignal: .none,
                    getLater: { leaf, reply in
                        reply.succeed(leaf.number == 14 ? .uint32(1) : .string("right"))
                    }),
            ]),
    ]
}

/// Objects with the numbers 0 to 99 999 as their names, each found on another thread.
struct Leaves: ObjectSource {
    static let path: ObjectPath = "/org/example/Sample/leaves"

    func findObject(at path: ObjectPath, for sender: BusName, _ reply: Reply<(any BusObject)?>) {
        Thread.detachNewThread {
            let number = UInt32(path.rawValue.dropFirst(Self.path.rawValue.count + 1))
            reply.succeed(number.flatMap { $0 < 100_000 ? Leaf(number: $0) : nil })
        }
    }

    func listChildren(of path: ObjectPath, for sender: BusName, _ reply: Reply<[String]>) {
        reply.succeed(path == Self.path ? (0..<3).map(String.init) : [])
    }
}

/// A server with the sample, on a thread of its own until it is released.
final class SampleServer: Sendable {
    let server: BusServer
    let sample: Sample
    private let result = Mutex<Result<Void, BusError>?>(nil)
    private let names = Mutex<[NameEvent]>([])
    private let isServing = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    /// The events of names since the start, without that of the unique name.
    var nameEvents: [NameEvent] {
        names.withLock { $0 }.filter { event in
            if case .acquired(let name) = event { !name.isUnique } else { true }
        }
    }

    init(
        _ bus: PrivateBus, name: BusName? = Sample.name, _ flags: MessageBus.NameFlags = .doNotQueue,
        limits: BusServer.Limits = .init(), messageLimit: Int = BusConnection.defaultMessageLimit
    ) throws {
        server = try BusServer(limits: limits)
        sample = Sample(server)
        server.export(sample, at: Sample.path)
        server.export(Leaves(), below: Leaves.path)
        let ready = DispatchSemaphore(value: 0)
        let address = bus.address
        Thread.detachNewThread { [weak self, server, ended] in
            // The connection belongs to this thread.
            guard let connection = try? BusConnection(to: [address], timeout: .seconds(60), messageLimit: messageLimit)
            else {
                ready.signal()
                return
            }
            if let name { _ = try? connection.perform(.name(name, flags), timeout: .seconds(60)) }
            self?.isServing.withLock { $0 = true }
            ready.signal()
            let result = Result { () throws(BusError) in
                try server.run(on: connection) { signal in
                    if let event = NameEvent(signal) { self?.names.withLock { $0.append(event) } }
                }
            }
            self?.result.withLock { $0 = .some(result) }
            ended.signal()
        }
        ready.wait()
        guard isServing.withLock({ $0 }) else { throw BusError.closed }
    }

    deinit {
        server.stop()
    }

    /// Waits for the end of the run, and returns its result.
    func waitForEnd() -> Result<Void, BusError>? {
        guard ended.wait(timeout: .now() + 60) == .success else { return nil }
        return result.withLock { $0 }
    }
}

extension BusConnection {
    /// Calls a method of the sample and returns the results.
    @discardableResult
    func sample(
        _ member: MemberName, _ arguments: [Value] = [], of interface: InterfaceName = Sample.interface,
        at path: ObjectPath = Sample.path
    ) throws -> [Value] {
        try call(.call(member, of: interface, at: path, on: Sample.name, arguments), timeout: .seconds(60)).arguments()
    }

    /// Calls a method of the sample's properties.
    @discardableResult
    func property(
        _ member: MemberName, _ arguments: Value..., at path: ObjectPath = Sample.path
    ) throws -> [Value] {
        try sample(member, arguments, of: StandardInterface.properties.name, at: path)
    }

    /// Returns the short name of the standard error that a call leads to; nil without an error.
    func error(_ body: (BusConnection) throws -> Void) throws -> String? {
        do {
            try body(self)
            return nil
        } catch BusError.refused(let name, _) {
            return name.rawValue.replacing("org.freedesktop.DBus.Error.", with: "")
        }
    }

    /// Returns the next signal with a name that no other signal interrupts for a minute.
    func signal(_ member: MemberName) throws -> Message? {
        while let next = try next(until: .now + .seconds(60), or: nil) {
            if next.message.kind == .signal, next.message.member == member { return next.message }
        }
        return nil
    }
}

/// Waits until the condition holds, for at most a minute.
func wait(for condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if try condition() { return true }
        sched_yield()
        usleep(1000)
    }
    return false
}
