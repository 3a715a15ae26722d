// SPDX-License-Identifier: Apache-2.0

public import KeychainClient
public import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainServer
internal import KeychainStore
internal import Synchronization

/// A keychain in memory for tests: the service's own code from the request pipeline down, without a process, a socket or
/// a file.
///
/// ```swift
/// let keychain = try InMemoryKeychain()
/// try keychain.run {
///     // SecItemAdd, UserKeychain() and everything else of the client modules use `keychain` in here.
/// }
/// ```
public final class InMemoryKeychain: Sendable {
    /// The program that ``run(_:)`` plays.
    public let client: KeychainClient

    private let pipeline: Pipeline
    private let surroundings: Surroundings

    /// A new, empty keychain.
    ///
    /// - Parameters:
    ///   - accessGroups: of the program that uses it. None plays a program that cannot be identified, which gets
    ///     `errSecMissingEntitlement`.
    ///   - now: the time of day, until ``setTime(_:)`` says another. Time does not pass by itself.
    /// - Throws: ``KeychainTestingError`` if no database can be made in memory.
    public init(
        accessGroups: [String] = ["tests"], now: Timestamp = Timestamp(secondsSinceReferenceDate: 800_000_000)
    ) throws(KeychainTestingError) {
        let surroundings = Surroundings(now)
        do {
            let storage = PlainKeyStorage()
            let store = try ItemStore(
                at: .memory, deviceKey: try DeviceKey.generate(in: storage), keyStorage: storage,
                clock: { surroundings.now },
                makeIdentifier: { ItemIdentifier(bytes: (0..<16).map { _ in UInt8.random(in: 0...255) })! })
            pipeline = Pipeline(
                ServiceState(store: store, clock: { surroundings.now }, audit: { surroundings.audit($0) }))
        } catch {
            throw KeychainTestingError(description: "cannot make a keychain in memory: \(error)")
        }
        self.surroundings = surroundings
        client = KeychainClient(InProcessTransport(pipeline, Self.caller(accessGroups)))
    }

    // MARK: Using it

    /// Runs a closure in which the client modules use this keychain.
    public func run<R>(_ body: () throws -> R) rethrows -> R {
        try client.asCurrent(body)
    }

    /// Runs an asynchronous closure in which the client modules use this keychain.
    public func run<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        try await client.asCurrent(isolation: isolation, body)
    }

    /// Another program on the same keychain.
    public func client(accessGroups: [String]) -> KeychainClient {
        KeychainClient(InProcessTransport(pipeline, Self.caller(accessGroups)))
    }

    /// The command that comes with the service: it lists the attributes of all items.
    public func administrationClient() -> KeychainClient {
        KeychainClient(InProcessTransport(pipeline, Self.caller(["chatelaine"], isAdministrationTool: true)))
    }

    // MARK: Its surroundings

    public func setTime(_ now: Timestamp) {
        surroundings.now = now
    }

    /// The lines of the audit log so far.
    public var auditLog: [String] { surroundings.auditLog }

    private static func caller(_ accessGroups: [String], isAdministrationTool: Bool = false) -> Caller {
        Caller(
            userID: 1000, processID: 1, tier: accessGroups.isEmpty ? .unidentified : .unsigned,
            accessGroups: accessGroups, displayPath: "/test", isAdministrationTool: isAdministrationTool)
    }

    private final class Surroundings: Sendable {
        private let time: Mutex<Timestamp>
        private let lines = Mutex<[String]>([])

        init(_ now: Timestamp) {
            time = Mutex(now)
        }

        var now: Timestamp {
            get { time.withLock { $0 } }
            set { time.withLock { $0 = newValue } }
        }

        var auditLog: [String] { lines.withLock { $0 } }

        func audit(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
    }
}

/// A keychain for tests could not be made.
public struct KeychainTestingError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
