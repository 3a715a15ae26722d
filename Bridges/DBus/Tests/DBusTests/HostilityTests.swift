// SPDX-License-Identifier: Apache-2.0

import BusTesting
import Foundation
import Synchronization
import Testing

@testable import DBus
@testable import DBusMessages

/// Clients and buses that misbehave.
@Suite(.timeLimit(.minutes(5))) struct HostilityTests {
    @Test(arguments: PrivateBus.Kind.allCases)
    func `a client that floods the server is refused, and others are served`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let (flood, other) = (try bus.connect(), try bus.connect())
            let message = try SampleCall.later
            // Fewer than the 128 calls that dbus-daemon itself allows.
            for _ in 0..<120 { try flood.send(message, timeout: .seconds(60)) }
            #expect(try other.sample("Add", [.int32(3), .int32(4)]) == [.int32(7)])
            // Exactly the calls beyond the bound are refused.
            var refusals = 0
            while refusals < 120 - 64,
                let refusal = try flood.next(until: .now + .seconds(60), where: { $0.kind == .error })
            {
                #expect(refusal.errorName == "org.freedesktop.DBus.Error.LimitsExceeded")
                #expect(refusal.sender != MessageBus.name)
                refusals += 1
            }
            #expect(refusals == 120 - 64)
            // Calls that expect no answer count as well.
            for _ in 0..<2000 {
                try flood.send(
                    .call(
                        "Later", of: Sample.interface, at: Sample.path, on: Sample.name, [.string("")],
                        flags: .noReplyExpected), timeout: .seconds(60))
            }
            #expect(try flood.error { try $0.sample("Add", [.int32(3), .int32(4)]) } == "LimitsExceeded")
            #expect(try other.sample("Add", [.int32(3), .int32(4)]) == [.int32(7)])
            #expect(server.sample.waitingCalls == 64)
            // Answered calls make room for others.
            try other.sample("Release", [.string("")])
            try flood.send(message)
            #expect(wait { server.sample.waitingCalls == 1 })
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `the calls of all clients together are bounded`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            var limits = BusServer.Limits()
            (limits.calls, limits.callsPerClient) = (6, 4)
            let server = try SampleServer(bus, limits: limits)
            let clients = try (0..<3).map { _ in try bus.connect() }
            for client in clients { for _ in 0..<4 { try client.send(SampleCall.later) } }
            #expect(wait { server.sample.waitingCalls == 6 })
            #expect(try clients[2].error { try $0.sample("Add", [.int32(3), .int32(4)]) } == "LimitsExceeded")
            #expect(server.sample.waitingCalls == 6)
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a call beyond the message limit is refused, and an answer too`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            var limits = BusServer.Limits()
            limits.messageBytes = 100_000
            let server = try SampleServer(bus, limits: limits, messageLimit: 100_000)
            let client = try bus.connect()
            let large = Value.variant(.bytes(.init(repeating: 1, count: 200_000)))
            #expect(try client.error { try $0.sample("Echo", [large]) } == "LimitsExceeded")
            #expect(try client.error { try $0.sample("Large", [.uint32(200_000)]) } == "LimitsExceeded")
            let small = Value.variant(.bytes(.init(repeating: 1, count: 90_000)))
            #expect(try client.sample("Echo", [small]) == [small])
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `arguments that contradict their signature affect only their sender`(
        _ kind: PrivateBus.Kind
    ) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let hostile = try bus.connect()
            var message = try Message.call(
                "Tell", of: Sample.interface, at: Sample.path, on: Sample.name, [.string("ab")])
            // A text of four gigabytes.
            message.body = [0xFF, 0xFF, 0xFF, 0xFF, 0x61, 0x62, 0]
            try hostile.send(message)
            #expect(throws: BusError.closed) {
                while try hostile.next(until: .now + .seconds(60), or: nil) != nil {}
            }
            #expect(try bus.connect().sample("Add", [.int32(3), .int32(4)]) == [.int32(7)])
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a client that leaves without reading its answers harms no other`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            do {
                let leaving = try bus.connect()
                try leaving.sample("Open")
                try leaving.send(SampleCall.later)
                for _ in 0..<20 {
                    try leaving.send(
                        .call("Large", of: Sample.interface, at: Sample.path, on: Sample.name, [.uint32(1_000_000)]))
                }
            }
            #expect(wait { server.sample.endedSessions.count == 1 })
            let client = try bus.connect()
            // The answer to the client that has gone reaches no other.
            try client.sample("Release", [.string("")])
            #expect(try client.sample("Add", [.int32(3), .int32(4)]) == [.int32(7)])
            #expect(server.sample.waitingCalls == 0)
        }
    }

    @Test func `the pidfd of a caller is taken from a bus that provides one`() throws {
        let file = Descriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
        func answer(_ index: UInt32, _ descriptors: [Descriptor]) throws -> Answer {
            let call = try SampleCall.later
            let values = Value.dictionary(
                key: .string, value: .variant,
                [
                    .init(.string("ProcessID"), .variant(.uint32(42))),
                    .init(.string("ProcessFD"), .variant(.descriptor(index))),
                    .init(.string("UnixGroupIDs"), .variant(.array(of: .uint32, [.uint32(7)]))),
                    .init(.string("LinuxSecurityLabel"), .variant(.bytes(Array("confined\0".utf8)))),
                    .init(.string("Unknown"), .variant(.byte(1))),
                ])
            var received = call
            received.serial = 1
            let message = try Message.methodReturn(to: received, [values], descriptorCount: UInt32(descriptors.count))
            return Answer(ReceivedMessage(message: message, descriptors: descriptors))
        }
        let credentials = try ConnectionCredentials(try answer(0, [file]))
        #expect(credentials.process === file)
        #expect(credentials.processID == 42 && credentials.userID == nil && credentials.groupIDs == [7])
        #expect(credentials.securityLabel == Array("confined".utf8))
        // An index without a descriptor.
        #expect(throws: BusError.self) { try ConnectionCredentials(try answer(1, [file])) }
    }

    /// Answers the calls of a server as a bus that names the number 42 for each connection. Announces `:1.9` before it
    /// answers about that connection first.
    private func nameNumbers(_ client: Int32) throws {
        var stream = MessageStream<Int>(limit: 1 << 20)
        var isAnnounced = false
        while true {
            let piece = ScriptedBus.read(from: client)
            if piece.isEmpty { return }
            stream.receive(piece)
            while let (call, _) = try stream.next() {
                let arguments: [Value]
                switch call.member {
                case "ListNames": arguments = [.array(of: .string, [.string("org.example.Old"), .string(":1.5")])]
                case "GetConnectionCredentials":
                    arguments = [
                        .dictionary(
                            key: .string, value: .variant,
                            [.init(.string("ProcessID"), .variant(.uint32(42)))])
                    ]
                    if try call.arguments() == [.string(":1.9")], !isAnnounced {
                        isAnnounced = true
                        var signal = try Message.signal(
                            "NameOwnerChanged", of: MessageBus.interface, at: MessageBus.path, to: nil,
                            [.string(":1.9"), .string(""), .string(":1.9")])
                        signal.sender = MessageBus.name
                        ScriptedBus.write(try signal.bytes(serial: 2), to: client)
                    }
                default: arguments = []
                }
                ScriptedBus.write(try ScriptedBus.answer(to: call, arguments, from: MessageBus.name), to: client)
            }
        }
    }

    @Test func `a process that started after its connection was seen is another one`() async throws {
        let bus = try ScriptedBus { try nameNumbers($0) }
        let time = Shared(ProcessTime(ticks: 100))
        let server = try BusServer(clock: { time.value.withLock { $0 } })
        let (address, ended) = (bus.address, DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            if let connection = try? BusConnection(to: [address], timeout: .seconds(60)) {
                try? server.run(on: connection)
            }
            ended.signal()
        }
        let file = Descriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
        func process(of name: BusName, startedAt ticks: UInt64) async throws -> UInt32? {
            try await server.process(of: name) { number in
                number == 42 ? NumberedProcess(pidfd: file, start: ProcessTime(ticks: ticks)) : nil
            }?.number
        }
        // A connection that is older than the server.
        #expect(try await process(of: ":1.5", startedAt: 100) == 42)
        #expect(try await process(of: ":1.5", startedAt: 101) == nil)
        time.value.withLock { $0 = ProcessTime(ticks: 200) }
        // A connection that the bus announces. The first time counts, also when the number is asked for later.
        #expect(try await process(of: ":1.9", startedAt: 200) == 42)
        time.value.withLock { $0 = ProcessTime(ticks: 300) }
        #expect(try await process(of: ":1.9", startedAt: 201) == nil)
        #expect(try await process(of: ":1.5", startedAt: 101) == nil)
        // A connection that the bus has not announced.
        #expect(try await process(of: ":1.7", startedAt: 1) == nil)
        server.stop()
        try await onThread { #expect(ended.wait(timeout: .now() + 60) == .success) }
    }

    @Test func `times are those of the kernel's record of a process`() throws {
        let child = Process()
        let input = Pipe()
        child.executableURL = URL(filePath: "/bin/cat")
        child.standardInput = input
        let before = ProcessTime.now()
        try child.run()
        let after = ProcessTime.now()
        let line = try String(contentsOfFile: "/proc/\(child.processIdentifier)/stat", encoding: .utf8)
        // The fields after the name, of which the first is the third one (proc_pid_stat(5)).
        let fields = try #require(line.split(separator: ")").last).split(separator: " ")
        let start = ProcessTime(ticks: try #require(UInt64(fields[19])))
        #expect(before <= start && start <= after)
        try input.fileHandleForWriting.close()
        child.waitUntilExit()
    }

    @Test func `an answer counts only if it comes from the program that was called`() async throws {
        try await onThread {
            var request = try BusRequest.hasOwner("a.b").message()
            // The second message of the connection.
            request.serial = 2
            let forged = try ScriptedBus.answer(to: request, [.boolean(true)], from: ":1.66")
            let answer = try ScriptedBus.answer(to: request, [.boolean(false)], from: MessageBus.name)
            let bus = try ScriptedBus { client in ScriptedBus.write(forged + answer, to: client) }
            let server = try BusServer()
            let result = Shared<Result<Bool, BusError>?>(nil)
            server.perform(.hasOwner("a.b"), timeout: .seconds(60)) { answer in
                result.value.withLock { $0 = answer }
                server.stop()
            }
            try server.run(on: try BusConnection(to: [bus.address], timeout: .seconds(60)))
            #expect(result.value.withLock { $0 } == .success(false))
        }
    }

    @Test func `calls are not read while the bus takes no answers, and all are answered later`() async throws {
        try await onThread {
            let count = 5000
            var limits = BusServer.Limits()
            limits.queuedBytes = 1 << 20
            let server = try BusServer(limits: limits)
            server.export(Sample(server), at: Sample.path)
            var call = try Message.call(
                "Large", of: Sample.interface, at: Sample.path, on: Sample.name, [.uint32(10_000)])
            call.sender = ":1.5"
            let calls = try (1...count).flatMap { try call.bytes(serial: UInt32($0)) }
            let (written, refused) = (Shared(0), Shared(0))
            let bus = try ScriptedBus { client in
                // Writes until the socket has been full for a second, and only then reads.
                var rest = calls[...]
                var socket = pollfd(fd: client, events: Int16(POLLOUT), revents: 0)
                while !rest.isEmpty, poll(&socket, 1, 1000) == 1 {
                    let sent = rest.withUnsafeBytes {
                        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                    }
                    if sent <= 0 { break }
                    rest = rest.dropFirst(sent)
                }
                written.value.withLock { $0 = calls.count - rest.count }
                let remaining = Array(rest)
                Thread.detachNewThread { ScriptedBus.write(remaining, to: client) }
                var stream = MessageStream<Int>(limit: 1 << 20)
                var answers = 0
                while answers < count {
                    let piece = ScriptedBus.read(from: client)
                    if piece.isEmpty { return }
                    stream.receive(piece)
                    while let (message, _) = try stream.next() {
                        // The subscription of the server.
                        if message.kind == .methodCall { continue }
                        answers += 1
                        if message.kind == .error { refused.value.withLock { $0 += 1 } }
                    }
                }
                server.stop()
            }
            try server.run(on: try BusConnection(to: [bus.address], timeout: .seconds(60)))
            #expect(written.value.withLock { $0 } < calls.count)
            #expect(refused.value.withLock { $0 } == 0)
        }
    }

    @Test func `a bus that stops reading fills no memory`() async throws {
        try await onThread {
            let bus = try ScriptedBus()
            var limits = BusServer.Limits()
            limits.queuedBytes = 4 << 20
            let server = try BusServer(limits: limits)
            let (address, ended) = (bus.address, DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                if let connection = try? BusConnection(to: [address], timeout: .seconds(60)) {
                    try? server.run(on: connection)
                }
                ended.signal()
            }
            let interface = Sample.interfaces[0].description
            let text = Value.string(String(repeating: "a", count: 100_000))
            var sent = 0
            #expect(throws: BusError.limitExceeded) {
                while sent < 1000 {
                    try server.emit("Told", [text], of: interface, at: Sample.path)
                    sent += 1
                }
            }
            #expect(sent >= 40)
            // Requests that wait in the queue still end in time.
            let late = DispatchSemaphore(value: 0)
            server.perform(.hasOwner("a.b"), timeout: .milliseconds(10)) { result in
                if case .failure = result { late.signal() }
            }
            server.stop()
            #expect(late.wait(timeout: .now() + 60) == .success)
            #expect(ended.wait(timeout: .now() + 60) == .success)
        }
    }
}

private enum SampleCall {
    static var later: Message {
        get throws { try .call("Later", of: Sample.interface, at: Sample.path, on: Sample.name, [.string("")]) }
    }
}
