// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import SecretService
import SecretServiceBus
import SecretServiceClient
import Synchronization
import Testing

/// Reading another provider, as a take-over does.
@Suite(.timeLimit(.minutes(5))) struct ProviderReaderTests {
    /// Connects a reader to the owner of the name.
    private static func reader(
        on bus: PrivateBus, patience: Duration = .seconds(60), interruption: Wakeup? = nil
    ) throws -> ProviderReader {
        let connection = try bus.connect(messageLimit: 1 << 24, interruption: interruption)
        let owner = try #require(try connection.owner(of: SecretServiceProvider.name))
        return try ProviderReader(owner, on: connection, patience: patience) { count in
            (0..<count).map { _ in .random(in: 0...255) }
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `collections, items and secrets are those of the provider`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let server = try SecretServer(kind)
            let client = try server.client()
            let value: [UInt8] = [0, 10, 0xFF]
            let session = try client.openSession()
            let answer = try client.collection(
                "CreateItem",
                [
                    SecretClient.properties("Item", label: "Mäil", ["user": "ann", "xdg:schema": "org.example.Mail"]),
                    SecretClient.secret(session, value, contentType: "application/x"), .boolean(false),
                ])
            let path = try #require(answer[0].objectPath)
            try client.store(["user": "bob"], "")
            let reader = try Self.reader(on: server.bus)
            let collections = try reader.collections()
            #expect(collections.map(\.label) == ["Login", "Session"])
            #expect(collections.map(\.isTemporary) == [false, true])
            #expect(collections.map(\.items.count) == [2, 0])
            #expect(collections[0].items.first == path)
            let item = try reader.item(at: path)
            #expect(item.label == "Mäil")
            #expect(item.attributes == ["user": "ann", "xdg:schema": "org.example.Mail"])
            #expect(!item.isLocked && item.created == 1001 && item.modified == 1001)
            #expect(try reader.secret(of: path) == Secret(value, contentType: "application/x"))
            #expect(try reader.secret(of: collections[0].items[1]) == Secret([], contentType: "text/plain"))
            reader.close()
            // Nothing was changed.
            #expect(server.keychain.state.withLock(\.entries).count == 2)
        }
    }

    @Test(arguments: [MemoryKeychain.PromptAnswer.allow, .deny, .impossible])
    func `a locked collection is unlocked with the provider's prompt`(
        _ answer: MemoryKeychain.PromptAnswer
    ) async throws {
        try await onThread {
            let server = try SecretServer()
            let path = try server.client().store(["user": "ann"], "secret")
            server.keychain.state.withLock { state in
                state.collections[.login]?.isLocked = true
                state.answer = answer
            }
            let reader = try Self.reader(on: server.bus)
            let login = try #require(try reader.collections().first)
            #expect(login.isLocked)
            #expect(throws: ProviderError.self) { try reader.secret(of: path) }
            #expect(try reader.unlock(login.path, timeout: .seconds(60)) == (answer == .allow))
            if answer == .allow { #expect(try reader.secret(of: path).value == Array("secret".utf8)) }
            #expect(server.keychain.state.withLock(\.promptCount) == 1)
        }
    }

    @Test func `a prompt that takes too long, or is interrupted, is withdrawn`() async throws {
        try await onThread {
            let server = try SecretServer()
            _ = try server.client()
            server.keychain.state.withLock { state in
                state.collections[.login]?.isLocked = true
                state.answer = .wait
            }
            let keychain = server.keychain
            func waitForCancellation() throws {
                try wait(for: "the end of the prompt") {
                    keychain.state.withLock { $0.cancelledPromptCount == $0.promptCount }
                }
            }
            let reader = try Self.reader(on: server.bus)
            #expect(throws: ProviderError.bus(.timedOut)) {
                try reader.unlock(SecretClient.login, timeout: .milliseconds(1))
            }
            try waitForCancellation()

            let end = try Wakeup()
            let count = keychain.state.withLock(\.promptCount)
            Thread.detachNewThread {
                // Without a prompt, the test fails with a time-out.
                try? wait(for: "the prompt") { keychain.state.withLock(\.promptCount) != count }
                end.wake()
            }
            #expect(throws: ProviderError.bus(.interrupted)) {
                try Self.reader(on: server.bus, interruption: end).unlock(SecretClient.login, timeout: .seconds(60))
            }
            try waitForCancellation()
        }
    }

    @Test func `a provider without encrypted sessions is read in plain`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let provider = try PlainProvider(on: bus)
            let reader = try Self.reader(on: bus)
            #expect(try reader.secret(of: "/i").value == Array("plain".utf8))
            #expect(provider.algorithms == ["dh-ietf1024-sha256-aes128-cbc-pkcs7", "plain"])
        }
    }

    @Test func `answers that do not follow the specification are refused`() async throws {
        try await onThread {
            let bus = try PrivateBus()
            let provider = try PlainProvider(on: bus)
            let reader = try Self.reader(on: bus)
            #expect(throws: ProviderError.malformed) { try reader.collections() }
            #expect(throws: ProviderError.malformed) { try reader.item(at: "/i") }
            #expect(throws: ProviderError.malformed) { try reader.unlock("/c", timeout: .seconds(60)) }
            withExtendedLifetime(provider) {}
        }
    }

    @Test func `a provider that ends is an error, and so is a provider without an answer`() async throws {
        try await onThread {
            let server = try SecretServer()
            _ = try server.client()
            let reader = try Self.reader(on: server.bus)
            let connection = try server.bus.connect()
            server.stop()
            try wait(for: "the end of the provider") { try connection.owner(of: SecretServiceProvider.name) == nil }
            #expect(throws: ProviderError.self) { try reader.collections() }

            let silent = try server.bus.connect()
            #expect(try silent.perform(.name(SecretServiceProvider.name)) == .primaryOwner)
            #expect(throws: ProviderError.bus(.timedOut)) {
                try Self.reader(on: server.bus, patience: .milliseconds(50))
            }
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: GnomeKeyring.program)))
    func `GNOME's provider is read`() async throws {
        try await onThread {
            let keyring = try GnomeKeyring()
            let client = SecretClient(try keyring.bus.connect(messageLimit: 1 << 24))
            let value: [UInt8] = [0, 10, 0xFF]
            let session = try client.openSession()
            let answer = try client.collection(
                "CreateItem",
                [
                    SecretClient.properties("Item", label: "Mail", ["user": "ann", "xdg:schema": "org.example.Mail"]),
                    SecretClient.secret(session, value, contentType: "text/plain"), .boolean(false),
                ], at: "/org/freedesktop/secrets/collection/login")
            let path = try #require(answer[0].objectPath)
            let reader = try Self.reader(on: keyring.bus)
            let login = try #require(try reader.collections().first { $0.items.contains(path) })
            #expect(!login.isLocked && !login.isTemporary)
            #expect(try reader.collections().filter(\.isTemporary).count == 1)
            let item = try reader.item(at: path)
            #expect(item.label == "Mail" && item.attributes["user"] == "ann")
            #expect(item.attributes["xdg:schema"] == "org.example.Mail")
            #expect(try reader.secret(of: path).value == value)
        }
    }
}

/// A provider that knows plain sessions alone, and whose other answers have wrong types.
private final class PlainProvider: Sendable {
    private let seen = Mutex<[String]>([])
    private let end: Wakeup

    var algorithms: [String] { seen.withLock { $0 } }

    init(on bus: PrivateBus) throws {
        end = try Wakeup()
        let address = bus.address
        Thread.detachNewThread { [weak self, end] in
            // The connection belongs to this thread.
            guard let connection = try? BusConnection(to: [address], timeout: .seconds(60)),
                (try? connection.perform(.name(SecretServiceProvider.name))) == .primaryOwner
            else { return }
            while let call = try? connection.next(until: nil, or: end)?.message {
                guard call.kind == .methodCall, let arguments = try? call.arguments() else { continue }
                let answer: Message?
                switch (call.member?.rawValue, arguments.first?.string) {
                case ("OpenSession", let algorithm?):
                    self?.seen.withLock { $0.append(algorithm) }
                    answer =
                        algorithm == "plain"
                        ? try? .methodReturn(to: call, [.variant(.string("")), .objectPath("/s")])
                        : try? .error("org.freedesktop.DBus.Error.NotSupported", to: call, "")
                case ("GetSecret", _):
                    let secret: [Value] = [
                        .objectPath("/s"), .bytes([]), .bytes(Array("plain".utf8)), .string("text/plain"),
                    ]
                    answer = try? .methodReturn(to: call, [.structure(secret)])
                default: answer = try? .methodReturn(to: call, [.uint32(1)])
                }
                if let answer { _ = try? connection.send(answer) }
            }
        }
        let client = try bus.connect()
        try wait(for: "the start of the provider") { try client.owner(of: SecretServiceProvider.name) != nil }
    }

    deinit { end.wake() }
}

/// gnome-keyring-daemon on a bus of its own, with a keyring in a folder of its own, until it is released.
private final class GnomeKeyring {
    static let program = "/usr/bin/gnome-keyring-daemon"

    let bus: PrivateBus
    private let process = Process()
    private let home: URL

    init() throws {
        bus = try PrivateBus()
        home = URL(filePath: "/tmp/chatelaine-keyring-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: home, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        process.executableURL = URL(filePath: Self.program)
        process.arguments = ["--foreground", "--unlock", "--components=secrets", "--control-directory=\(home.path)/c"]
        process.environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.addressText, "HOME": home.path, "XDG_DATA_HOME": home.path,
            "XDG_RUNTIME_DIR": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        ]
        let password = Pipe()
        process.standardInput = password
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try password.fileHandleForWriting.write(contentsOf: Data("password".utf8))
        try password.fileHandleForWriting.close()
        let connection = try bus.connect()
        try wait(for: "the start or the end of gnome-keyring-daemon") {
            try connection.owner(of: SecretServiceProvider.name) != nil || !process.isRunning
        }
        try #require(process.isRunning)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: home)
    }
}
