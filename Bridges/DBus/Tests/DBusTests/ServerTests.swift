// SPDX-License-Identifier: Apache-2.0

import BusTesting
import Foundation
import Synchronization
import Testing

@testable import DBus
@testable import DBusMessages

/// Objects on both implementations of the bus, called by this package's own client.
@Suite(.timeLimit(.minutes(5))) struct ServerTests {
    @Test(arguments: PrivateBus.Kind.allCases)
    func `a method returns its results, and its error by name`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            #expect(try client.sample("Add", [.int32(3), .int32(4)]) == [.int32(7)])
            let value = Value.variant(.dictionary(key: .string, value: "(ay)", []))
            #expect(try client.sample("Echo", [value]) == [value])
            #expect(
                throws: BusError.refused("org.example.Sample.Error.Overflow", "The sum is too large.")
            ) { try client.sample("Add", [.int32(.max), .int32(1)]) }
            #expect(throws: BusError.refused("org.freedesktop.DBus.Error.Failed", "The method failed.")) {
                try client.sample("FailUnnamed")
            }
            #expect(try client.error { try $0.sample("BreakPromise") } == "Failed")
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a call of nothing has the standard error`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            #expect(try client.error { try $0.sample("Add", at: "/org/example/None") } == "UnknownObject")
            #expect(try client.error { try $0.sample("Add", at: "/org") } == "UnknownObject")
            #expect(try client.error { try $0.sample("Add", of: "a.b") } == "UnknownInterface")
            #expect(try client.error { try $0.sample("Subtract") } == "UnknownMethod")
            #expect(try client.error { try $0.sample("Add", [.string("3")]) } == "InvalidArgs")
            // The server is the same as before.
            #expect(try client.sample("Add", [.int32(3), .int32(4)]) == [.int32(7)])
            withExtendedLifetime(server) {}
        }
    }

    /// Both buses drop answers that the caller does not expect, so this bus is none of them.
    @Test func `a caller that expects no answer gets none`() async throws {
        try await onThread {
            let server = try BusServer()
            server.export(Sample(server), at: Sample.path)
            let two = [Value.int32(1), .int32(1)]
            func call(_ member: MemberName, _ serial: UInt32, _ flags: Message.Flags = []) throws -> [UInt8] {
                var call = try Message.call(
                    member, of: Sample.interface, at: Sample.path, on: Sample.name, two, flags: flags)
                call.sender = ":1.5"
                return try call.bytes(serial: serial)
            }
            let silent = try (["Add", "None", "FailUnnamed"] as [MemberName]).enumerated()
                .flatMap { try call($1, UInt32($0) + 1, .noReplyExpected) }
            let calls = try silent + call("Add", 4)
            let answered = Shared<[UInt32?]>([])
            let bus = try ScriptedBus { client in
                ScriptedBus.write(calls, to: client)
                var stream = MessageStream<Int>(limit: 1 << 20)
                while answered.value.withLock({ $0.last }) != 4 {
                    let piece = ScriptedBus.read(from: client)
                    if piece.isEmpty { return }
                    stream.receive(piece)
                    while let (message, _) = try stream.next() {
                        // The server also calls the bus.
                        guard let serial = message.replySerial else { continue }
                        answered.value.withLock { $0.append(serial) }
                    }
                }
                server.stop()
            }
            try server.run(on: try BusConnection(to: [bus.address], timeout: .seconds(60)))
            #expect(answered.value.withLock { $0 } == [4])
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `methods answer later, from any thread and in any order`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            let serials = try (0..<3).map { number in
                try client.send(
                    .call("Later", of: Sample.interface, at: Sample.path, on: Sample.name, [.string("\(number)")]))
            }
            // Others are served meanwhile.
            #expect(try bus.connect().sample("Add", [.int32(3), .int32(4)]) == [.int32(7)])
            try client.sample("Release", [.string("done")])
            var answered: [UInt32] = []
            while answered.count < 3, let next = try client.next(until: .now + .seconds(60), or: nil) {
                guard next.message.kind == .methodReturn, let serial = next.message.replySerial else { continue }
                answered.append(serial)
                #expect(try next.message.arguments() == [.string("done")])
            }
            #expect(answered == serials.reversed())
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a method that forgets its caller answers with an error`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            let serial = try client.send(
                .call("Later", of: Sample.interface, at: Sample.path, on: Sample.name, [.string("")]))
            try client.sample("Forget")
            let answer = try #require(
                try client.next(until: .now + .seconds(60)) { $0.replySerial == serial })
            #expect(answer.errorName == "org.freedesktop.DBus.Error.Failed")
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `properties are read, written and listed`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            let name = Value.string(Sample.interface.rawValue)
            #expect(try client.property("Get", name, .string("Text")) == [.variant(.string("first"))])
            #expect(try client.property("Set", name, .string("Text"), .variant(.string("second"))) == [])
            #expect(try client.property("Get", name, .string("Text")) == [.variant(.string("second"))])
            #expect(try client.property("Set", name, .string("WriteOnly"), .variant(.string("third"))) == [])
            // A property that fails does not hide the others.
            #expect(
                try client.property("GetAll", name) == [
                    .dictionary(
                        key: .string, value: .variant,
                        [
                            .init(.string("Text"), .variant(.string("third"))),
                            .init(.string("Number"), .variant(.uint32(0))),
                            .init(.string("Hidden"), .variant(.uint32(0))),
                            .init(.string("Fixed"), .variant(.array(of: .string, [.string("a")]))),
                            .init(.string("Silent"), .variant(.double(0.5))),
                        ])
                ])
            func error(_ member: MemberName, _ property: String, _ value: Value? = nil) throws -> String? {
                try client.error {
                    try $0.sample(
                        member, [name, .string(property)] + (value.map { [.variant($0)] } ?? []),
                        of: StandardInterface.properties.name)
                }
            }
            #expect(try error("Get", "None") == "UnknownProperty")
            #expect(try error("Get", "Broken") == "Failed")
            #expect(try error("Get", "WriteOnly") == "AccessDenied")
            #expect(try error("Set", "Fixed", .array(of: .string, [])) == "PropertyReadOnly")
            #expect(try error("Set", "Text", .uint32(1)) == "InvalidArgs")
            #expect(try error("Set", "Text", .string("")) == "InvalidArgs")
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `changes of properties are announced as their annotations say`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            try client.add(MatchRule(sender: Sample.name, member: "PropertiesChanged"))
            try client.sample("Change", [.uint32(5)])
            let signal = try #require(try client.signal("PropertiesChanged"))
            #expect(signal.path == Sample.path)
            #expect(
                try signal.arguments() == [
                    .string(Sample.interface.rawValue),
                    .dictionary(key: .string, value: .variant, [.init(.string("Number"), .variant(.uint32(5)))]),
                    .array(of: .string, [.string("Hidden")]),
                ])
            #expect(throws: BusError.undeclared) {
                try server.server.announceChange(
                    of: ["None"], in: Sample.interface, of: server.sample, at: Sample.path)
            }
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `signals reach their subscribers, and only declared ones are sent`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            try client.add(MatchRule(sender: Sample.name, member: "Told"))
            try client.sample("Tell", [.string("one")])
            #expect(try client.signal("Told")?.arguments() == [.string("one")])
            let interface = Sample.interfaces[0].description
            #expect(throws: BusError.undeclared) {
                try server.server.emit("Told", [.uint32(1)], of: interface, at: Sample.path)
            }
            #expect(throws: BusError.undeclared) { try server.server.emit("Said", of: interface, at: Sample.path) }
            // To one connection, without a subscription.
            let other = try bus.connect()
            try server.server.emit("Told", [.string("two")], of: interface, at: Sample.path, to: other.uniqueName)
            #expect(try other.signal("Told")?.arguments() == [.string("two")])
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a manager lists its objects and announces changes of them`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            server.server.export(Leaf(number: 0), at: "/manager", isManager: true)
            server.server.export(Leaf(number: 1), at: "/manager/one")
            server.server.export(Leaf(number: 9), at: "/managers")
            let client = try bus.connect()
            func leaf(_ number: UInt32) -> Value {
                .dictionary(
                    key: .string, value: "a{sv}",
                    [
                        .init(
                            .string(Leaf.interface.rawValue),
                            .dictionary(
                                key: .string, value: .variant, [.init(.string("Number"), .variant(.uint32(number)))])),
                        // Without the properties that answer later.
                        .init(
                            .string(Leaf.slowInterface.rawValue),
                            .dictionary(
                                key: .string, value: .variant, [.init(.string("Same"), .variant(.uint32(number)))])),
                    ])
            }
            func list() throws -> [Value] {
                try client.sample("GetManagedObjects", of: StandardInterface.objectManager.name, at: "/manager")
            }
            #expect(
                try list() == [
                    .dictionary(key: .objectPath, value: "a{sa{sv}}", [.init(.objectPath("/manager/one"), leaf(1))])
                ])
            // The answer came after the announcement of the first object.
            try client.add(MatchRule(sender: Sample.name, path: "/manager"))
            server.server.export(Leaf(number: 2), at: "/manager/a/two")
            #expect(
                try client.signal("InterfacesAdded")?.arguments() == [.objectPath("/manager/a/two"), leaf(2)])
            server.server.withdraw(at: "/manager/one")
            #expect(
                try client.signal("InterfacesRemoved")?.arguments() == [
                    .objectPath("/manager/one"),
                    .array(of: .string, [Leaf.interface, Leaf.slowInterface].map { .string($0.rawValue) }),
                ])
            #expect(
                try list() == [
                    .dictionary(key: .objectPath, value: "a{sa{sv}}", [.init(.objectPath("/manager/a/two"), leaf(2))])
                ])
            #expect(
                try client.error {
                    try $0.sample("GetManagedObjects", of: StandardInterface.objectManager.name, at: "/managers")
                } == "UnknownInterface")
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a source finds its objects when they are called`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            let name = Value.string(Leaf.interface.rawValue)
            let leaf = ObjectPath(rawValue: Leaves.path.rawValue + "/77777") ?? "/"
            #expect(try client.property("Get", name, .string("Number"), at: leaf) == [.variant(.uint32(77777))])
            let none = ObjectPath(rawValue: Leaves.path.rawValue + "/100000") ?? "/"
            #expect(try client.error { try $0.property("GetAll", name, at: none) } == "UnknownObject")
            func introspect(_ path: ObjectPath) throws -> String {
                try client.sample("Introspect", of: StandardInterface.introspectable.name, at: path).first?.string ?? ""
            }
            #expect(try introspect(Leaves.path).contains("<node name=\"2\"/>"))
            #expect(try introspect(leaf).contains("<interface name=\"org.example.Leaf\">"))
            #expect(try client.error { _ in _ = try introspect(none) } == "UnknownObject")
            #expect(try introspect("/").contains("<node name=\"org\"/>"))
            #expect(try introspect(Sample.path).contains("<node name=\"leaves\"/>"))
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `properties answer later, in the order of their declaration`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            let name = Value.string(Leaf.slowInterface.rawValue)
            func leaf(_ number: Int) -> ObjectPath { ObjectPath(rawValue: "\(Leaves.path)/\(number)") ?? "/" }
            #expect(try client.property("Get", name, .string("Next"), at: leaf(5)) == [.variant(.uint32(6))])
            #expect(
                try client.property("GetAll", name, at: leaf(5)) == [
                    .dictionary(
                        key: .string, value: .variant,
                        [
                            .init(.string("Next"), .variant(.uint32(6))),
                            .init(.string("Same"), .variant(.uint32(5))),
                            .init(.string("Text"), .variant(.string("text"))),
                            .init(.string("Wrong"), .variant(.string("right"))),
                        ])
                ])
            #expect(throws: BusError.refused("org.example.NoNext", "")) {
                try client.property("GetAll", name, at: leaf(13))
            }
            #expect(
                try client.error { try $0.property("Get", name, .string("Wrong"), at: leaf(14)) } == "Failed")
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `the program itself answers at every path`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            let peer = StandardInterface.peer.name
            #expect(try client.sample("Ping", of: peer, at: "/no/object") == [])
            let machine = ["/etc/machine-id", "/var/lib/dbus/machine-id"].lazy
                .compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first?.prefix(32)
            if let machine {
                #expect(try client.sample("GetMachineId", of: peer) == [.string(String(machine))])
            } else {
                #expect(try client.error { try $0.sample("GetMachineId", of: peer) } == "Failed")
            }
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `descriptors go in both directions, and never too many`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            let pipe = Pipe()
            let writing = Descriptor(owning: dup(pipe.fileHandleForWriting.fileDescriptor))
            try pipe.fileHandleForWriting.close()
            func call(_ member: MemberName) throws -> Answer {
                try client.call(
                    .call(
                        member, of: Sample.interface, at: Sample.path, on: Sample.name, [.descriptor(0)],
                        descriptorCount: 1), descriptors: [writing], timeout: .seconds(60))
            }
            let returned = try call("Pass").descriptor()
            try FileHandle(fileDescriptor: returned.number, closeOnDealloc: false)
                .write(contentsOf: Data("through".utf8))
            #expect(try pipe.fileHandleForReading.read(upToCount: 7) == Data("through".utf8))
            #expect(try client.error { _ in _ = try call("PassMany") } == "LimitsExceeded")
            // An index without a descriptor.
            #expect(try client.error { try $0.sample("Pass", [.descriptor(0)]) } == "InvalidArgs")
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `the bus tells the process and the user of a caller`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            #expect(try client.sample("Identify") == [.uint32(UInt32(getpid())), .uint32(geteuid())])
            #expect(try client.perform(.processID(of: client.uniqueName)) == UInt32(getpid()))
            #expect(throws: BusError.self) { try client.perform(.processID(of: ":1.9999")) }
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a name moves to a connection that replaces its owner, and returns`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let first = try SampleServer(bus, .allowReplacement)
            let client = try bus.connect()
            let owner = try client.owner(of: Sample.name)
            let other = try bus.connect()
            #expect(try other.perform(.name(Sample.name, .doNotQueue)) == .exists)
            #expect(try other.perform(.name(Sample.name, [.replaceExisting, .doNotQueue])) == .primaryOwner)
            #expect(try other.perform(.name(Sample.name)) == .alreadyOwner)
            #expect(wait { first.nameEvents.contains(.lost(Sample.name)) })
            // The first one waits in the queue.
            #expect(try client.perform(.queuedOwners(of: Sample.name)) == [other.uniqueName, owner])
            #expect(try other.perform(.releaseName(Sample.name)) == .released)
            #expect(wait { first.nameEvents.last == .acquired(Sample.name) })
            #expect(try client.owner(of: Sample.name) == owner)
            #expect(try other.perform(.releaseName(Sample.name)) == .notOwner)
            #expect(try other.perform(.releaseName("org.example.None")) == .nonExistent)
            #expect(try client.sample("Add", [.int32(3), .int32(4)]) == [.int32(7)])
            // Without AllowReplacement nothing is replaced.
            let third = try SampleServer(bus, name: "org.example.Third")
            #expect(try other.perform(.name("org.example.Third", [.replaceExisting])) == .inQueue)
            withExtendedLifetime((first, third)) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a session ends when its client disconnects`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            func open() throws -> BusName? { try bus.connect().sample("Open").first?.string.flatMap(BusName.init) }
            let clients = try (0..<3).map { _ in try open() }
            let staying = try bus.connect()
            try staying.sample("Open")
            #expect(wait { server.sample.endedSessions.count == 3 })
            #expect(Set(server.sample.endedSessions) == Set(clients.compactMap(\.self)))
            // A name that has gone before is noticed, too.
            let gone = DispatchSemaphore(value: 0)
            let watch = try server.server.watch(try #require(clients[0])) { gone.signal() }
            #expect(gone.wait(timeout: .now() + 60) == .success)
            withExtendedLifetime((watch, staying)) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a released watch is silent`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            var limits = BusServer.Limits()
            limits.watches = 2
            let server = try SampleServer(bus, limits: limits)
            var client: BusConnection? = try bus.connect()
            let name = try #require(client?.uniqueName)
            let (silent, gone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            var first: NameWatch? = try server.server.watch(name) { silent.signal() }
            let second = try server.server.watch(name) { gone.signal() }
            #expect(throws: BusError.limitExceeded) { _ = try server.server.watch(name) {} }
            withExtendedLifetime(first) {}
            first = nil
            client = nil
            #expect(gone.wait(timeout: .now() + 60) == .success)
            #expect(silent.wait(timeout: .now()) == .timedOut)
            withExtendedLifetime((second, client)) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a server calls others without waiting`(_ kind: PrivateBus.Kind) async throws {
        let bus = try await onThread { Locked(try PrivateBus(kind)) }
        let (server, echo) = try await onThread {
            (try SampleServer(bus.value, name: nil), try SampleServer(bus.value))
        }
        #expect(try await server.server.perform(.hasOwner(Sample.name)))
        #expect(try await server.server.perform(.owner(of: "org.example.None")) == nil)
        func call(_ member: MemberName, timeout: Duration) async throws -> Result<[Value], BusError> {
            let message = try Message.call(
                member, of: Sample.interface, at: Sample.path, on: Sample.name, [.string("")])
            return await withCheckedContinuation { continuation in
                server.server.call(message, timeout: timeout) { answer in
                    continuation.resume(
                        returning: answer.flatMap { answer in
                            Result { () throws(BusError) in try answer.arguments() }
                        })
                }
            }
        }
        #expect(try await call("Later", timeout: .milliseconds(50)) == .failure(.timedOut))
        #expect(try await call("Release", timeout: .seconds(60)) == .success([]))
        let unknown = try await call("None", timeout: .seconds(60))
        guard case .failure(.refused("org.freedesktop.DBus.Error.UnknownMethod", _)) = unknown else {
            Issue.record("\(unknown)")
            return
        }
        withExtendedLifetime(echo) {}
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a server that stops has sent its answers, and fails its own calls`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            let failure = DispatchSemaphore(value: 0)
            let message = try Message.call(
                "Later", of: Sample.interface, at: Sample.path, on: Sample.name, [.string("")])
            server.server.call(message, timeout: .seconds(300)) { answer in
                if case .failure(.closed) = answer { failure.signal() }
            }
            #expect(wait { server.sample.waitingCalls == 1 })
            try client.add(MatchRule(sender: Sample.name, member: "Told"))
            try server.server.emit(
                "Told", [.string("last")], of: Sample.interfaces[0].description, at: Sample.path)
            server.server.stop()
            guard case .success? = server.waitForEnd() else {
                Issue.record("the run did not end")
                return
            }
            #expect(failure.wait(timeout: .now() + 60) == .success)
            #expect(try client.signal("Told")?.arguments() == [.string("last")])
            #expect(throws: BusError.closed) { _ = try server.server.watch(":1.1") {} }
            #expect(throws: BusError.closed) {
                try server.server.emit(
                    "Told", [.string("late")], of: Sample.interfaces[0].description, at: Sample.path)
            }
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a bus that is killed ends the run and all sessions`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let client = try bus.connect()
            try client.sample("Open")
            bus.stop()
            guard case .failure(.closed)? = server.waitForEnd() else {
                Issue.record("the run did not end with the bus")
                return
            }
            #expect(server.sample.endedSessions == [client.uniqueName])
        }
    }
}

/// A value that a test passes from one thread to another.
///
/// `@unchecked Sendable`: the test waits for the end of the first thread before it uses the value, so no two threads use
/// it at the same time.
struct Locked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension BusConnection {
    /// Returns the next message that the condition holds for; nil after the deadline.
    func next(
        until deadline: ContinuousClock.Instant, where condition: (Message) -> Bool
    ) throws -> Message? {
        while let next = try next(until: deadline, or: nil) {
            if condition(next.message) { return next.message }
        }
        return nil
    }
}
