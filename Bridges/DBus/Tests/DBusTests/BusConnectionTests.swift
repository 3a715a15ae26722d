// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Testing

/// A connection to a real bus.
@Suite(.timeLimit(.minutes(5))) struct BusConnectionTests {
    @Test func `the bus gives each connection a name and passes descriptors`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let (first, second) = (try bus.connect(), try bus.connect())
            #expect(first.uniqueName.isUnique)
            #expect(first.uniqueName != second.uniqueName)
            #expect(first.passesDescriptors)
            #expect(try first.owner(of: second.uniqueName) == second.uniqueName)
            #expect(try first.owner(of: "org.example.Nobody") == nil)
        }
    }

    @Test func `values of every type come back from another program`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let connection = try bus.connect()
            let values: [Value] = [
                .byte(1), .boolean(true), .int16(-1), .uint64(.max), .double(0.5), .string("Grüße"),
                .objectPath("/a/b"),
                .signature(try Signature("a{sv}")), .bytes([0, 1, 2]), .array(of: .string, [.string("x")]),
                .dictionary(key: .string, value: .variant, [.init(.string("k"), .variant(.int32(-7)))]),
                .structure([.byte(1), .array(of: .uint64, [])]),
            ]
            #expect(try connection.call(EchoService.call("Echo", values)).arguments() == values)
            withExtendedLifetime(service) {}
        }
    }

    @Test func `a large argument goes out and comes back in pieces`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let connection = try bus.connect()
            let bytes = Value.bytes((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
            let answer = try connection.call(EchoService.call("Echo", [bytes]), timeout: .seconds(60))
            #expect(try answer.argument() == bytes)
            withExtendedLifetime(service) {}
        }
    }

    @Test func `a descriptor that went out and came back leads to the same file`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let connection = try bus.connect()
            let pipe = Pipe()
            let writing = Descriptor(owning: dup(pipe.fileHandleForWriting.fileDescriptor))
            try pipe.fileHandleForWriting.close()
            let answer = try connection.call(
                EchoService.call("Echo", [.descriptor(0)], descriptors: 1), descriptors: [writing])
            let returned = try answer.descriptor()
            #expect(returned.number != writing.number)
            // A started program does not inherit the descriptor.
            #expect(fcntl(returned.number, F_GETFD) == FD_CLOEXEC)
            try FileHandle(fileDescriptor: returned.number, closeOnDealloc: false).write(
                contentsOf: Data("through".utf8))
            #expect(try pipe.fileHandleForReading.read(upToCount: 7) == Data("through".utf8))
            withExtendedLifetime(service) {}
        }
    }

    @Test func `the bus delivers no descriptor to a connection that accepts none`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let receiver = try BusConnection(to: [bus.address], timeout: .seconds(60), acceptsDescriptors: false)
            #expect(!receiver.passesDescriptors)
            let call = try Message.call(
                "Take", of: EchoService.interface, at: EchoService.path, on: receiver.uniqueName, [.descriptor(0)],
                descriptorCount: 1)
            let error = #expect(throws: BusError.self) {
                try bus.connect().call(
                    call, descriptors: [Descriptor(owning: dup(STDIN_FILENO))], timeout: .seconds(60))
            }
            guard case .refused("org.freedesktop.DBus.Error.NotSupported", _) = error else {
                Issue.record("\(error as Any)")
                return
            }
            // Other messages are delivered.
            #expect(try receiver.owner(of: MessageBus.name) == MessageBus.name)
        }
    }

    @Test func `an error carries its name and its sentence`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let connection = try bus.connect()
            #expect(throws: BusError.refused("org.example.Failed", "on purpose")) {
                try connection.call(EchoService.call("Fail"))
            }
            #expect(try connection.call(EchoService.call("Echo", [.byte(1)])).argument() == .byte(1))
            withExtendedLifetime(service) {}
        }
    }

    @Test func `a call without an answer ends in time, and the next call is answered`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let connection = try bus.connect()
            #expect(throws: BusError.timedOut) {
                try connection.call(EchoService.call("Silence"), timeout: .milliseconds(50))
            }
            #expect(try connection.call(EchoService.call("Echo", [.byte(1)])).argument() == .byte(1))
            withExtendedLifetime(service) {}
        }
    }

    @Test func `signals that come before an answer are kept, in their order`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let connection = try bus.connect()
            for number in UInt8(1)...3 { try connection.call(EchoService.call("Signal", [.byte(number)])) }
            var received: [Value] = []
            while received.count < 3, let next = try connection.next(until: .now + .seconds(10), or: nil) {
                if next.message.member == "Told" { received += try next.message.arguments() }
            }
            #expect(received == [.byte(1), .byte(2), .byte(3)])
            withExtendedLifetime(service) {}
        }
    }

    @Test func `broadcast signals arrive only at their subscribers`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let (asking, other) = (try bus.connect(), try bus.connect())
            try asking.add(
                MatchRule(sender: EchoService.name, path: EchoService.path, member: "Told", firstArgument: "it's"))
            try asking.call(EchoService.call("Broadcast", [.string("other")]))
            try asking.call(EchoService.call("Broadcast", [.string("it's")]))
            // A message to this connection alone arrives after all of those.
            try other.call(EchoService.call("Signal", [.string("end")]))
            try asking.call(EchoService.call("Signal", [.string("end")]))
            func texts(_ connection: BusConnection) throws -> [String] {
                var texts: [String] = []
                while texts.last != "end", let next = try connection.next(until: .now + .seconds(10), or: nil) {
                    guard next.message.member == "Told" else { continue }
                    texts += try next.message.arguments().compactMap(\.string)
                }
                return texts
            }
            #expect(try texts(asking) == ["it's", "end"])
            #expect(try texts(other) == ["end"])
            withExtendedLifetime(service) {}
        }
    }

    @Test func `a signal beyond the limit ends neither the connection nor later messages`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let connection = try bus.connect(messageLimit: 10_000)
            let sender = try bus.connect()
            try sender.send(
                .signal(
                    "Told", of: EchoService.interface, at: EchoService.path, to: connection.uniqueName,
                    [.bytes(.init(repeating: 1, count: 3_000_000))]))
            try sender.send(
                .signal("Told", of: EchoService.interface, at: EchoService.path, to: connection.uniqueName, [.byte(2)]))
            var told: [Value] = []
            while told.isEmpty, let next = try connection.next(until: .now + .seconds(10), or: nil) {
                if next.message.member == "Told" { told = try next.message.arguments() }
            }
            #expect(told == [.byte(2)])
            #expect(try connection.call(EchoService.call("Echo", [.byte(1)])).argument() == .byte(1))
            withExtendedLifetime(service) {}
        }
    }

    @Test func `a sender that is faster than an answer does not fill the memory`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let connection = try bus.connect()
            let flood = Value.bytes(.init(repeating: 1, count: 1_000_000))
            let sender = try bus.connect()
            for _ in 0..<20 {
                try sender.send(
                    .signal("Told", of: EchoService.interface, at: EchoService.path, to: connection.uniqueName, [flood])
                )
            }
            try sender.call(EchoService.call("Echo"), timeout: .seconds(60))
            #expect(throws: BusError.flooded) {
                try connection.call(EchoService.call("Echo"), timeout: .seconds(60))
            }
            withExtendedLifetime(service) {}
        }
    }

    @Test func `a wait ends when it is woken, at its deadline, and for good when it is interrupted`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let (wakeup, interruption) = (try Wakeup(), try Wakeup())
            let connection = try bus.connect(interruption: interruption)
            // The bus sends this message to every connection, and no other.
            #expect(try connection.next(until: nil, or: nil)?.message.member == "NameAcquired")
            Thread.detachNewThread { wakeup.wake() }
            #expect(try connection.next(until: nil, or: wakeup) == nil)
            // The wakeup stays awake until it is cleared.
            #expect(try connection.next(until: nil, or: wakeup) == nil)
            #expect(wakeup.wait(until: .now + .seconds(60), interruption: interruption) == .woken)
            wakeup.clear()
            #expect(wakeup.wait(until: .now + .milliseconds(1), interruption: interruption) == .timedOut)
            Thread.detachNewThread { interruption.wake() }
            #expect(throws: BusError.interrupted) { try connection.next(until: nil, or: nil) }
            // The interruption has priority over a received message: the error that the name has no owner.
            #expect(throws: BusError.interrupted) { try connection.call(EchoService.call("Silence")) }
            #expect(wakeup.wait(until: .now + .seconds(60), interruption: interruption) == .interrupted)
        }
    }

    @Test func `a bus that is killed closes the connection`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let connection = try bus.connect()
            bus.stop()
            #expect(throws: BusError.closed) {
                while try connection.next(until: nil, or: nil) != nil {}
            }
            #expect(throws: BusError.system(SystemError(call: "connect", code: ECONNREFUSED))) {
                try bus.connect()
            }
        }
    }

    @Test func `no bus at any address is said with the kernel's reason`() async throws {
        try await onThread {
            #expect(throws: BusError.system(SystemError(call: "connect", code: ENOENT))) {
                try BusConnection(to: [.path("/nonexistent/bus")])
            }
            #expect(throws: BusError.system(SystemError(call: "connect", code: ECONNREFUSED))) {
                try BusConnection(to: [.abstract("chatelaine-nobody-\(UUID().uuidString)")])
            }
            #expect(throws: BusError.system(SystemError(call: "connect", code: ENAMETOOLONG))) {
                try BusConnection(to: [.path("/" + String(repeating: "a", count: 200))])
            }
        }
    }

    @Test func `the first address with a listening bus is used`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            #expect(try BusConnection(to: [.path("/nonexistent/bus"), bus.address]).uniqueName.isUnique)
        }
    }
}

/// Other implementations of D-Bus as peers.
@Suite(.timeLimit(.minutes(5))) struct InteroperationTests {
    private func run(_ program: String, _ arguments: [String], _ bus: PrivateBus) throws -> (
        status: Int32, output: String
    ) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.addressText, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        ]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    @Test func `values of every type come back to a program with libdbus`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let script = """
                import dbus, os
                bus = dbus.SessionBus()
                echo = bus.get_object('org.example.Echo', '/org/example/Echo', introspect=False)
                values = [
                    ('y', 255), ('b', True), ('n', -32768), ('q', 65535), ('i', -1), ('u', 4294967295), ('x', -2 ** 63),
                    ('t', 2 ** 64 - 1), ('d', -0.5), ('s', 'Gr\\u00fc\\u00dfe'), ('o', '/a/b'), ('g', 'a{sv}'), ('ay', [0, 255]),
                    ('as', []), ('a(yt)', [(1, 2), (3, 4)]), ('a{us}', {1: 'one', 2: 'two'}),
                    ('a{sa{sv}}', {'x': {'y': dbus.Int16(1, variant_level=1)}}), ('(y(tay)s)', (1, (2, [3]), '4')),
                ]
                for signature, value in values:
                    back = echo.get_dbus_method('Echo', 'org.example.Echo')(value, signature=signature)
                    assert back == value, (signature, value, back)
                print(len(values), 'values')
                """
            let result = try run("/usr/bin/python3", ["-c", script], bus)
            #expect(result.output == "18 values\n")
            #expect(result.status == 0)
            withExtendedLifetime(service) {}
        }
    }

    @Test func `values come back to a program with GLib`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let service = try EchoService(bus)
            let result = try run(
                "/usr/bin/gdbus",
                [
                    "call", "--session", "--dest", "org.example.Echo", "--object-path", "/org/example/Echo", "--method",
                    "org.example.Echo.Echo", "<({'a': <uint32 7>}, [byte 0x01], @a(st) [], (int16 -2, -1.5))>",
                ], bus)
            #expect(result.output == "(<({'a': <uint32 7>}, [byte 0x01], @a(st) [], (int16 -2, -1.5))>,)\n")
            #expect(result.status == 0)
            withExtendedLifetime(service) {}
        }
    }
}
