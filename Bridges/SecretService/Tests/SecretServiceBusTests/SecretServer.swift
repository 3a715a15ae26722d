// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Glibc
import SecretServiceBus
import Synchronization

@testable import SecretService

/// A provider on a bus of its own, with a keychain in memory, until it is released.
final class SecretServer {
    let bus: PrivateBus
    let keychain: MemoryKeychain
    private let server: BusServer
    private let provider: SecretServiceProvider
    private let result = Outcome()

    /// - Parameters:
    ///   - bus: a bus of another provider.
    ///   - keychain: the keychain of another provider.
    ///   - replaces: whether the provider takes the name from another one.
    ///   - limits: the bounds of the server.
    ///   - endOwner: ends the owner of the name.
    init(
        on bus: PrivateBus, keychain: MemoryKeychain = MemoryKeychain(), replaces: Bool = false,
        limits: BusServer.Limits = .init(), endOwner: @escaping @Sendable (UInt32) -> Bool = { _ in false }
    ) throws {
        self.bus = bus
        self.keychain = keychain
        server = try BusServer(limits: limits)
        provider = SecretServiceProvider(
            server, session: SessionCollection(now: { Date.now.timeIntervalSince1970 }),
            .init(
                openStorage: { process throws(StorageError) in try keychain.open(process) },
                openProcess: processFolder,
                randomBytes: { count in (0..<count).map { _ in .random(in: 0...255) } },
                startThread: { body in
                    Thread.detachNewThread(body)
                    return true
                }, report: { _ in }))
        server.export(provider, below: SecretServiceProvider.parent)
        let (address, result, provider) = (bus.address, result, provider)
        Thread.detachNewThread {
            result.end(
                Result {
                    // The connection belongs to this thread.
                    let connection = try BusConnection(to: [address], timeout: .seconds(60), messageLimit: 1 << 24)
                    return try provider.serve(on: connection, replaces: replaces, endOwner: endOwner)
                })
        }
        let client = try bus.connect()
        try wait(for: "the start or the end of the provider") {
            try client.owner(of: SecretServiceProvider.name) != nil || result.value != nil
        }
    }

    convenience init(_ kind: PrivateBus.Kind = .daemon) throws {
        try self.init(on: PrivateBus(kind))
    }

    deinit {
        server.stop()
    }

    func stop() { provider.stop() }

    /// Stops the provider as SIGTERM does, for the provider that takes over.
    var stopper: @Sendable () -> Bool {
        { [provider] in
            provider.stop()
            return true
        }
    }

    /// Waits for the end of the provider, and returns its result.
    func waitForEnd() throws -> SecretServiceProvider.End? { try result.wait() }

    /// Connects a client of a program, and lets the provider identify it.
    func client(_ program: String = "mail") throws -> SecretClient {
        keychain.state.withLock { $0.program = program }
        let client = SecretClient(try bus.connect(messageLimit: 1 << 24))
        _ = try client.service("ReadAlias", [.string("default")])
        return client
    }
}

/// Opens the folder of a process, which stands for its pidfd: some buses name a number alone.
@Sendable private func processFolder(_ number: UInt32) -> NumberedProcess? {
    let file = open("/proc/\(number)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return file < 0 ? nil : NumberedProcess(pidfd: Descriptor(owning: file), start: ProcessTime(ticks: 0))
}

/// The result of a provider, which another thread writes.
private final class Outcome: Sendable {
    private let state = Mutex<Result<SecretServiceProvider.End, any Error>?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    var value: Result<SecretServiceProvider.End, any Error>? { state.withLock { $0 } }

    func end(_ result: Result<SecretServiceProvider.End, any Error>) {
        state.withLock { $0 = .some(result) }
        ended.signal()
    }

    func wait() throws -> SecretServiceProvider.End? {
        guard ended.wait(timeout: .now() + 60) == .success else { return nil }
        return try value?.get()
    }
}

/// A client of the Secret Service.
final class SecretClient {
    let connection: BusConnection

    init(_ connection: BusConnection) {
        self.connection = connection
    }

    static let login = ObjectName.collection(.login).path

    /// Calls a method and returns the results.
    @discardableResult
    func call(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, _ arguments: [Value] = []
    ) throws -> [Value] {
        try connection.call(
            .call(member, of: interface, at: path, on: SecretServiceProvider.name, arguments), timeout: .seconds(60)
        ).arguments()
    }

    @discardableResult func service(_ member: MemberName, _ arguments: [Value] = []) throws -> [Value] {
        try call(member, of: "org.freedesktop.Secret.Service", at: ObjectName.root, arguments)
    }

    @discardableResult
    func collection(
        _ member: MemberName, _ arguments: [Value] = [], at path: ObjectPath = login
    ) throws -> [Value] {
        try call(member, of: "org.freedesktop.Secret.Collection", at: path, arguments)
    }

    @discardableResult
    func item(_ member: MemberName, _ arguments: [Value] = [], at path: ObjectPath) throws -> [Value] {
        try call(member, of: "org.freedesktop.Secret.Item", at: path, arguments)
    }

    func property(_ name: String, of interface: String, at path: ObjectPath) throws -> Value {
        try call(
            "Get", of: StandardInterface.properties.name, at: path,
            [.string("org.freedesktop.Secret.\(interface)"), .string(name)]
        )[0].unwrapped
    }

    func set(_ name: String, of interface: String, at path: ObjectPath, _ value: Value) throws {
        try call(
            "Set", of: StandardInterface.properties.name, at: path,
            [.string("org.freedesktop.Secret.\(interface)"), .string(name), .variant(value)])
    }

    /// Opens a session without encryption, and returns its path.
    func openSession() throws -> ObjectPath {
        try service("OpenSession", [.string("plain"), .variant(.string(""))])[1].objectPath ?? "/"
    }

    /// Opens an encrypted session, and returns its path and its cipher.
    func openEncryptedSession() throws -> (path: ObjectPath, cipher: SessionCipher) {
        let privateKey = (0..<128).map { UInt8($0) &* 3 &+ 1 }
        let answer = try service(
            "OpenSession",
            [
                .string("dh-ietf1024-sha256-aes128-cbc-pkcs7"),
                .variant(.bytes(try DiffieHellman.publicKey(for: privateKey))),
            ])
        guard case .bytes(let key) = answer[0].unwrapped else { throw BusError.unexpectedAnswer }
        let shared = try DiffieHellman.sharedSecret(privateKey, publicKey: key)
        return (answer[1].objectPath ?? "/", .aes(key: SessionCipher.key(from: shared)))
    }

    static func secret(
        _ session: ObjectPath, _ value: [UInt8], parameters: [UInt8] = [], contentType: String = "text/plain"
    ) -> Value {
        .structure([.objectPath(session), .bytes(parameters), .bytes(value), .string(contentType)])
    }

    static func attributes(_ attributes: [String: String]) -> Value {
        .dictionary(
            key: .string, value: .string, attributes.map { .init(.string($0.key), .string($0.value)) })
    }

    static func properties(_ interface: String, label: String, _ attributes: [String: String]? = nil) -> Value {
        let prefix = "org.freedesktop.Secret.\(interface)."
        var entries = [Value.DictionaryEntry(.string(prefix + "Label"), .variant(.string(label)))]
        if let attributes {
            entries.append(.init(.string(prefix + "Attributes"), .variant(Self.attributes(attributes))))
        }
        return .dictionary(key: .string, value: .variant, entries)
    }

    /// Stores an item, and returns its path.
    @discardableResult
    func store(
        _ attributes: [String: String], _ value: String = "secret", replace: Bool = true,
        in collection: ObjectPath = login
    ) throws -> ObjectPath {
        let answer = try self.collection(
            "CreateItem",
            [
                Self.properties("Item", label: "Mail", attributes), Self.secret(try openSession(), Array(value.utf8)),
                .boolean(replace),
            ], at: collection)
        guard answer[1] == .objectPath("/"), let path = answer[0].objectPath else { throw BusError.unexpectedAnswer }
        return path
    }

    /// Returns the value of an item.
    func read(_ item: ObjectPath) throws -> [UInt8] {
        let session = try openSession()
        guard case .bytes(let value)? = try self.item("GetSecret", [.objectPath(session)], at: item)[0].members?[2]
        else {
            throw BusError.unexpectedAnswer
        }
        return value
    }

    func search(_ attributes: [String: String]) throws -> (unlocked: [ObjectPath], locked: [ObjectPath]) {
        let answer = try service("SearchItems", [Self.attributes(attributes)])
        func paths(_ value: Value) -> [ObjectPath] { value.elements?.compactMap(\.objectPath) ?? [] }
        return (paths(answer[0]), paths(answer[1]))
    }

    /// Asks for an unlock, and returns the unlocked objects and the path of the prompt.
    func unlock(_ paths: [ObjectPath]) throws -> (unlocked: Value, prompt: ObjectPath) {
        let answer = try service("Unlock", [Self.paths(paths)])
        return (answer[0], answer[1].objectPath ?? "/")
    }

    static func paths(_ paths: [ObjectPath]) -> Value { .array(of: .objectPath, paths.map(Value.objectPath)) }

    func prompt(_ member: MemberName, at path: ObjectPath) throws {
        try call(
            member, of: "org.freedesktop.Secret.Prompt", at: path, member == "Prompt" ? [.string("")] : [])
    }

    /// Waits for the end of a prompt.
    func completed(_ path: ObjectPath) throws -> (isDismissed: Bool, result: Value)? {
        guard let signal = try signal("Completed", at: path) else { return nil }
        return (signal[0].bool ?? false, signal[1].unwrapped)
    }

    /// Waits for a signal, and returns its arguments. Other messages are discarded.
    func signal(
        _ member: MemberName, at path: ObjectPath, where condition: ([Value]) -> Bool = { _ in true }
    ) throws -> [Value]? {
        while let received = try connection.next(until: .now + .seconds(60), or: nil) {
            let message = received.message
            guard message.kind == .signal, message.member == member, message.path == path else { continue }
            let arguments = try message.arguments()
            if condition(arguments) { return arguments }
        }
        return nil
    }

    /// Returns the last element of the name of the error that a call leads to; nil without an error.
    func error(_ body: (SecretClient) throws -> Void) throws -> String? {
        do {
            try body(self)
            return nil
        } catch BusError.refused(let name, _) {
            return name.rawValue.split(separator: ".").last.map(String.init)
        }
    }
}
