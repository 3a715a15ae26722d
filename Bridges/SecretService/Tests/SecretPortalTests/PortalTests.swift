// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Glibc
import Synchronization
import Testing

@testable import SecretPortal

/// The backend on a real bus, with a portal and applications of the test.
@Suite(.timeLimit(.minutes(5))) struct PortalTests {
    @Test(arguments: PrivateBus.Kind.allCases)
    func `the portal gets the secret of the process that its handle names`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let server = try PortalServer(kind)
            let frontend = try server.frontend()
            let application = try ApplicationProcess(on: server.bus)
            let pipe = SecretPipe()
            #expect(try frontend.retrieve(Frontend.handle(of: application.name), pipe.destination) == 0)
            #expect(try pipe.received() == Array(0..<64))
            #expect(pipe.waits, "the application's open file is not changed")
            // Neither the portal's process, which is this one, nor the application ID decides.
            #expect(server.secrets.state.withLock { $0.processes } == [application.number])
            #expect(server.secrets.state.withLock { $0.reports } == [])
        }
    }

    @Test func `an application receives its secret on a socket as well`() async throws {
        try await onThread {
            let server = try PortalServer()
            let frontend = try server.frontend()
            let application = try server.bus.connect()
            var numbers: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &numbers) == 0)
            let reader = Descriptor(owning: numbers[0])
            let handle = try Frontend.handle(of: application.uniqueName)
            #expect(try frontend.retrieve(handle, Descriptor(owning: numbers[1])) == 0)
            var bytes = [UInt8](repeating: 0xFF, count: 128)
            #expect(recv(reader.number, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == 64)
            #expect(bytes.prefix(64).elementsEqual(0..<64))
        }
    }

    // MARK: Callers

    @Test func `a program that does not own the portal's name gets nothing`() async throws {
        try await onThread {
            let server = try PortalServer()
            let frontend = try server.frontend()
            let stranger = Frontend(try server.bus.connect())
            let pipe = SecretPipe()
            let handle = try Frontend.handle(of: frontend.connection.uniqueName)
            #expect(try stranger.error { _ = try $0.retrieve(handle, pipe.destination) } == "AccessDenied")
            #expect(try pipe.received() == [])
            #expect(server.secrets.state.withLock { $0.processes } == [])
        }
    }

    @Test func `a program that owns the portal's name but is not the portal gets nothing`() async throws {
        try await onThread {
            let server = try PortalServer()
            server.secrets.state.withLock { $0.hasPortal = false }
            let frontend = try server.frontend()
            let application = try server.bus.connect()
            let pipe = SecretPipe()
            let handle = try Frontend.handle(of: application.uniqueName)
            #expect(try frontend.error { _ = try $0.retrieve(handle, pipe.destination) } == "AccessDenied")
            #expect(try pipe.received() == [])
            #expect(server.secrets.state.withLock { $0.processes } == [])
            #expect(server.secrets.state.withLock { $0.reports }.count == 1)
        }
    }

    // MARK: Requests that fail

    @Test func `a denied request and a failed one have the responses of the specification`() async throws {
        try await onThread {
            let server = try PortalServer()
            let frontend = try server.frontend()
            let application = try server.bus.connect()
            let pipe = SecretPipe()
            func response(_ error: PortalError) throws -> UInt32? {
                server.secrets.state.withLock { $0.behaviour = .error(error) }
                return try frontend.retrieve(Frontend.handle(of: application.uniqueName), pipe.destination)
            }
            #expect(try response(.dismissed) == 1)
            #expect(try response(.failed("The keychain cannot be opened.")) == 2)
            #expect(server.secrets.state.withLock { $0.reports } == ["The keychain cannot be opened."])
            #expect(try pipe.received() == [])
        }
    }

    @Test func `a handle that names no connection is refused`() async throws {
        try await onThread {
            let server = try PortalServer()
            let frontend = try server.frontend()
            let pipe = SecretPipe()
            for handle: ObjectPath in [
                "/", "/org/freedesktop/portal/desktop", "/org/freedesktop/portal/desktop/request/1_2",
                "/org/freedesktop/portal/desktop/request/name/token",
            ] {
                #expect(try frontend.error { _ = try $0.retrieve(handle, pipe.destination) } == "InvalidArgs")
            }
            // A connection that does not exist.
            #expect(try frontend.retrieve(Frontend.handle(of: ":1.4000000"), pipe.destination) == 2)
            #expect(server.secrets.state.withLock { $0.processes } == [])
        }
    }

    @Test func `a file, a pipe without a reader and a full pipe get nothing, and nothing waits`() async throws {
        try await onThread {
            let server = try PortalServer()
            let frontend = try server.frontend()
            let application = try server.bus.connect()
            let handle = try Frontend.handle(of: application.uniqueName)
            let path = "/tmp/chatelaine-portal-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let file = Descriptor(owning: open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
            #expect(try frontend.retrieve(handle, file) == 2)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == 0)
            let closed = SecretPipe()
            try closed.closeReader()
            #expect(try frontend.retrieve(handle, closed.destination) == 2)
            let full = SecretPipe()
            full.fill()
            #expect(try frontend.retrieve(handle, full.destination) == 2)
            #expect(try full.received().allSatisfy { $0 == 1 }, "no part of the secret")
            // The backend works on.
            let pipe = SecretPipe()
            #expect(try frontend.retrieve(handle, pipe.destination) == 0)
            #expect(server.secrets.state.withLock { $0.reports }.count == 3)
        }
    }

    // MARK: Requests that wait

    @Test(arguments: PrivateBus.Kind.allCases)
    func `Close ends a request, which exists for its caller alone`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let server = try PortalServer(kind)
            server.secrets.state.withLock { $0.behaviour = .wait }
            let frontend = try server.frontend()
            let stranger = Frontend(try server.bus.connect())
            let application = try server.bus.connect()
            let handle = try Frontend.handle(of: application.uniqueName)
            let serial = try frontend.send(handle, SecretPipe().destination)
            // The bus passes the request on before this answer.
            #expect(try frontend.introspection(of: RequestHandle.parent).contains(application.uniqueName.digits))
            #expect(try !stranger.introspection(of: RequestHandle.parent).contains(application.uniqueName.digits))
            #expect(try stranger.error { try $0.close(handle) } == "UnknownObject")
            try frontend.close(handle)
            #expect(try frontend.answer(to: serial)?.response == 2)
            #expect(try frontend.error { try $0.close(handle) } == "UnknownObject", "the request has ended")
            // The application that ended its request needs no line in the log.
            #expect(server.secrets.state.withLock { $0.reports } == [])
        }
    }

    @Test func `a request ends with the connection of the application`() async throws {
        try await onThread {
            let server = try PortalServer()
            server.secrets.state.withLock { $0.behaviour = .wait }
            let frontend = try server.frontend()
            let application = try ApplicationProcess(on: server.bus)
            let serial = try frontend.send(Frontend.handle(of: application.name), SecretPipe().destination)
            while server.secrets.state.withLock({ $0.processes.isEmpty }) { sched_yield() }
            application.end()
            #expect(try frontend.answer(to: serial)?.response == 2)
            #expect(server.secrets.state.withLock { $0.endedRequests } == 1)
        }
    }

    @Test func `requests are bounded, and a handle names one request`() async throws {
        try await onThread {
            let server = try PortalServer()
            server.secrets.state.withLock { $0.behaviour = .wait }
            let frontend = try server.frontend()
            let application = try server.bus.connect()
            func handle(_ number: Int) throws -> ObjectPath {
                try Frontend.handle(of: application.uniqueName, "token\(number)")
            }
            let serials = try (0..<SecretPortal.requestLimit).map { number in
                try frontend.send(handle(number), SecretPipe().destination)
            }
            let same = try frontend.send(handle(0), SecretPipe().destination)
            #expect(try frontend.answer(to: same)?.error == "InvalidArgs")
            let further = try frontend.send(handle(SecretPortal.requestLimit), SecretPipe().destination)
            #expect(try frontend.answer(to: further)?.error == "LimitsExceeded")
            try frontend.close(handle(0))
            #expect(try frontend.answer(to: serials[0])?.response == 2)
            server.secrets.state.withLock { $0.behaviour = .secret([1]) }
            let pipe = SecretPipe()
            #expect(try frontend.retrieve(handle(0), pipe.destination) == 0)
            #expect(try pipe.received() == [1])
        }
    }

    // MARK: The object and the name

    @Test func `the object has the interface of the specification`() async throws {
        try await onThread {
            let server = try PortalServer()
            let client = Frontend(try server.bus.connect())
            let version = try client.connection.call(
                .call(
                    "Get", of: StandardInterface.properties.name, at: SecretPortal.path, on: SecretPortal.name,
                    [.string("org.freedesktop.impl.portal.Secret"), .string("version")]), timeout: .seconds(60))
            #expect(try version.argument() == .variant(.uint32(1)))
            let text = try client.introspection(of: SecretPortal.path)
            for part in [
                #"<arg name="handle" type="o" direction="in"/>"#, #"<arg name="app_id" type="s" direction="in"/>"#,
                #"<arg name="fd" type="h" direction="in"/>"#, #"<arg name="options" type="a{sv}" direction="in"/>"#,
                #"<arg name="response" type="u" direction="out"/>"#,
                #"<arg name="results" type="a{sv}" direction="out"/>"#,
            ] {
                #expect(text.contains(part), "\(part)")
            }
        }
    }

    @Test func `a second backend leaves the name alone`() async throws {
        try await onThread {
            let first = try PortalServer()
            let second = try PortalServer(on: first.bus)
            #expect(try second.waitForEnd() == .nameIsTaken)
            let frontend = try first.frontend()
            let handle = try Frontend.handle(of: frontend.connection.uniqueName)
            let pipe = SecretPipe()
            #expect(try frontend.retrieve(handle, pipe.destination) == 0)
            #expect(try pipe.received() == Array(0..<64))
        }
    }

    @Test func `a bus that ends ends the backend with an error`() async throws {
        try await onThread {
            let server = try PortalServer()
            server.bus.stop()
            #expect(throws: BusError.self) { try server.waitForEnd() }
        }
    }
}

/// Paths of requests.
@Suite struct RequestHandleTests {
    @Test(arguments: [
        ("1_42/token", ":1.42"), ("1_42/token/4711", ":1.42"), ("0_0/t", ":0.0"), ("1_2_3/t", ":1.2.3"),
    ])
    func `a handle names the connection of the application`(_ rest: String, _ client: String) {
        let path = ObjectPath(rawValue: "\(RequestHandle.parent)/\(rest)")
        #expect(path.flatMap(RequestHandle.init)?.client.rawValue == client)
        #expect(path.flatMap(RequestHandle.init)?.path == path)
    }

    @Test(arguments: [
        "/", "/org/freedesktop/portal/desktop/request", "/org/freedesktop/portal/desktop/request/1_42",
        "/org/freedesktop/portal/desktop/requests/1_42/t", "/org/freedesktop/portal/desktop/session/1_42/t",
        "/org/freedesktop/portal/desktop/request/42/t", "/org/freedesktop/portal/desktop/request/1__42/t",
        "/org/freedesktop/portal/desktop/request/_1_42/t", "/org/freedesktop/portal/desktop/request/1_42_/t",
        "/org/freedesktop/portal/desktop/request/org_example/t",
    ])
    func `another path is no handle`(_ path: String) {
        #expect(ObjectPath(rawValue: path) != nil)
        #expect(ObjectPath(rawValue: path).flatMap(RequestHandle.init) == nil)
    }
}

extension Frontend {
    fileprivate func introspection(of path: ObjectPath) throws -> String {
        try connection.call(
            .call("Introspect", of: StandardInterface.introspectable.name, at: path, on: SecretPortal.name),
            timeout: .seconds(60)
        ).argument().string ?? ""
    }
}

extension BusName {
    /// The element of a path that stands for the name.
    fileprivate var digits: String { String(rawValue.dropFirst().replacing(".", with: "_")) }
}
