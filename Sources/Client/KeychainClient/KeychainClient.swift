// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
public import KeychainModel
public import KeychainWire

/// One call per request that the keychain service knows. What the client modules are built on.
///
/// Calls block until the service has answered. `Secret` is the type in which a caller wants items' data: the closure that
/// makes it is given bytes that are wiped as soon as it returns.
public struct KeychainClient: Sendable {
    let transport: any KeychainTransport
    /// What goes with requests that may need somebody to show to be there.
    var authentication: ClientAuthentication?
    /// The file that requests for items are about; nil for the data-protection keychain.
    public internal(set) var keychain: String?

    public init(_ transport: any KeychainTransport) {
        self.transport = transport
    }

    /// The keychain that calls without a keychain of their own go to: the one of the environment's instance, unless a
    /// test has put another in its place for the time of a closure.
    public static var current: KeychainClient { override ?? shared }

    @TaskLocal private static var override: KeychainClient?

    private static let shared = KeychainClient(SocketTransport.environment())

    /// As ``current``, with a connection that is closed with the last copy of this value.
    public static func withOwnConnection() -> KeychainClient {
        override ?? KeychainClient(SocketTransport.environment())
    }

    /// The same keychain, over a connection of its own for one request at a time, which ``interrupt()`` ends.
    public func separate() -> KeychainClient { KeychainClient(transport.separate()) }

    /// Ends the request under way, which then fails, and all that would come later. May be called from any thread, and
    /// more than once.
    ///
    /// - Precondition: the client was made by ``separate()``; others go on as if nothing were.
    public func interrupt() { transport.interrupt() }

    /// As ``withOwnConnection()``, but without the access group that programs without entitlements have of themselves: such
    /// a program's calls are refused with `errSecMissingEntitlement`, as on Apple's systems.
    public static func requiringEntitlements() -> KeychainClient {
        override ?? KeychainClient(SocketTransport.environment(requiresEntitlements: true))
    }

    /// Whether a service runs behind ``current``. Every call starts one; this does not.
    public static var isServiceRunning: Bool {
        override != nil || (try? ServiceEndpoint.current())?.serviceIsRunning() == true
    }

    /// Runs a closure in which ``current`` is this client. For `KeychainTesting`, and for calls that are about a keychain's file.
    public func asCurrent<R>(_ body: () throws -> R) rethrows -> R {
        try Self.$override.withValue(self) { try body() }
    }

    /// Runs an asynchronous closure in which ``current`` is this client. For `KeychainTesting`.
    public func asCurrent<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        try await Self.$override.withValue(self) { try await body() }
    }

    // MARK: Items

    /// Adds an item.
    ///
    /// - Returns: the item with the parts asked for; its persistent reference in any case.
    /// - Throws: `.refused` with `errSecDuplicateItem` and the other codes of `SecItemAdd`; `.unavailable`.
    public func add<Secret>(
        _ attributes: ItemAttributes, secret: (some Collection<UInt8>)?, returning parts: ReturnedParts = [],
        copy: (ArraySlice<UInt8>) -> Secret
    ) throws(ClientError) -> ReturnedItem<Secret> {
        if let secret, secret.count > ItemLimits.secretBytes { throw .refused(Refusal(.dataTooLarge, .none)) }
        let items = try exchange(
            .add(attributes, secret: secret, returning: parts), isRepeatable: false, copy: copy)
        guard items.count == 1 else { throw .protocolViolation(.malformed) }
        return items[0]
    }

    /// Finds items, in no promised order.
    ///
    /// - Throws: `.refused` with `errSecItemNotFound` and the other codes of `SecItemCopyMatching`; `.unavailable`.
    public func copyMatching<Secret>(
        _ query: ItemQuery, limit: MatchLimit, returning parts: ReturnedParts,
        copy: (ArraySlice<UInt8>) -> Secret
    ) throws(ClientError) -> [ReturnedItem<Secret>] {
        let request = Request<[UInt8]>.copyMatching(query, limit: limit, returning: parts)
        return try exchange(request, isRepeatable: true, copy: copy)
    }

    /// Changes every item that matches.
    ///
    /// - Parameter secret: the new data; nil leaves the data as it is.
    public func update(
        _ query: ItemQuery, changes: ItemAttributes, secret: (some Collection<UInt8>)?
    ) throws(ClientError) {
        if let secret, secret.count > ItemLimits.secretBytes { throw .refused(Refusal(.dataTooLarge, .none)) }
        _ = try exchange(.update(query, changes: changes, secret: secret), isRepeatable: false) { _ in }
    }

    /// Deletes every item that matches.
    public func delete(_ query: ItemQuery) throws(ClientError) {
        _ = try exchange(Request<[UInt8]>.delete(query), isRepeatable: false) { _ in }
    }

    // MARK: Explanations

    /// Why a query finds nothing: one more request, for programs that want to say it to somebody.
    ///
    /// - Throws: `.refused` as a search would be; `.unavailable`.
    public func explainSearch(_ query: ItemQuery) throws(ClientError) -> Explanation {
        try explanation(.explainSearch(query))
    }

    /// Why an item cannot be added: the existing one that is the same.
    ///
    /// - Throws: `.refused` as an addition would be; `.unavailable`.
    public func explainAddition(_ attributes: ItemAttributes) throws(ClientError) -> Explanation {
        try explanation(.explainAddition(attributes))
    }

    private func explanation(_ request: Request<[UInt8]>) throws(ClientError) -> Explanation {
        try answer(to: request) { frame throws(WireError) in try Explanation(frame) }
    }

    // MARK: The service

    public func status() throws(ClientError) -> ServiceStatus {
        try answer(to: Request<[UInt8]>.status) { frame throws(WireError) in try ServiceStatus(frame) }
    }

    /// How the service sees the program that asks, or another one.
    ///
    /// - Throws: `.refused` with `errSecParam` and the reason `notInspectable` for a process or file that is none, or not
    ///   the caller's; with `errSecMissingEntitlement` and `administrationOnly` for another process, and to a program of which nothing is
    ///   known for a file.
    public func identity(of subject: IdentitySubject = .caller) throws(ClientError) -> CallerReport {
        try answer(to: Request<[UInt8]>.identity(subject)) { frame throws(WireError) in try CallerReport(frame) }
    }

    /// The changes of items in the caller's access groups and of the lock state, from now on.
    public func watch() throws(ClientError) -> any ChangeStream {
        try transport.watch()
    }

    /// What happens in the user's keychains, as far as the caller may know of it, from now on.
    ///
    /// - Throws: `.refused` with `errSecMissingEntitlement` for a program that cannot be identified; `.unavailable`.
    public func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
        try transport.watchKeychains(filter)
    }

    /// The answer to a request that is answered by one frame without items.
    func answer<Answer>(
        to request: Request<some Collection<UInt8>>, isRepeatable: Bool = true,
        _ read: (Frame) throws(WireError) -> Answer
    ) throws(ClientError) -> Answer {
        var answer: Answer?
        var refusal: Refusal?
        try transport.exchange({ frame(of: request, nonce: $0) }, isRepeatable: isRepeatable) {
            frame throws(WireError) in
            if try keepsProof(in: frame) { return .moreFollow }
            refusal = try Refusal(answer: frame)
            if refusal == nil { answer = try read(frame) }
            return .last
        }
        if let refusal { throw .refused(refusal) }
        guard let answer else { throw .protocolViolation(.truncated) }
        return answer
    }

    func exchange<Secret>(
        _ request: Request<some Collection<UInt8>>, isRepeatable: Bool, copy: (ArraySlice<UInt8>) -> Secret
    ) throws(ClientError) -> [ReturnedItem<Secret>] {
        var items: [ReturnedItem<Secret>] = []
        var refusal: Refusal?
        try transport.exchange({ frame(of: request, nonce: $0) }, isRepeatable: isRepeatable) {
            frame throws(WireError) in
            if try keepsProof(in: frame) { return .moreFollow }
            let part = try ReplyPart(frame, secret: copy)
            // As a rule there is one part, whose array need not be copied.
            if items.isEmpty { items = part.items } else { items += part.items }
            refusal = part.refusal
            return part.isLast ? .last : .moreFollow
        }
        if let refusal { throw .refused(refusal) }
        return items
    }
}

/// A way to reach a keychain service.
public protocol KeychainTransport: Sendable {
    /// Sends one request and receives its answer.
    ///
    /// - Parameters:
    ///   - request: makes the frame for a connection's nonce. Called again if the request is sent again.
    ///   - isRepeatable: the request changes nothing, so it may be sent again if the connection broke after it was sent.
    ///   - receive: is given each frame of the answer. Must not keep the frame: its bytes are wiped afterwards.
    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError)

    /// Opens a stream of changes.
    func watch() throws(ClientError) -> any ChangeStream

    /// Opens a stream of what happens in the user's keychains.
    func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream

    /// Opens a stream of the audit log's new lines.
    func followLog() throws(ClientError) -> any LogStream

    /// The same keychain over a connection of its own, for one request at a time.
    func separate() -> any KeychainTransport
    /// Ends the request under way on a transport that ``separate()`` returned, and all later ones.
    func interrupt()
}

/// For transports that answer without waiting for anybody: there is nothing to separate, and nothing to interrupt.
extension KeychainTransport {
    public func separate() -> any KeychainTransport { self }
    public func interrupt() {}
}

/// Whether the frame just received ended the answer.
public enum AnswerProgress: Sendable {
    case moreFollow
    case last
}

/// Changes of items and of the lock state, as they happen.
public protocol ChangeStream: Sendable {
    /// Waits for the next change; nil once the stream was cancelled.
    func next() throws(ClientError) -> WatchedEvent?
    /// Ends the stream. May be called from any thread, and more than once.
    func cancel()
}

/// What happens in the user's keychains, as it happens.
public protocol KeychainNoticeStream: Sendable {
    /// Waits for the next notice; nil once the stream was cancelled.
    func next() throws(ClientError) -> KeychainNotice?
    /// Ends the stream. May be called from any thread, and more than once. In a process that was forked from the one that opened it,
    /// it does nothing: the connection is the other's.
    func cancel()
}

/// Why a request was not carried out.
public enum ClientError: Error, Hashable, Sendable {
    /// The service refused it.
    case refused(Refusal)
    /// The service cannot be reached. The text says why and what to do.
    case unavailable(String)
    /// What came is not the protocol that this library speaks.
    case protocolViolation(WireError)

    /// The status a caller of the keychain sees.
    public var status: StatusCode {
        switch self {
        case .refused(let refusal): refusal.status
        case .unavailable: .notAvailable
        case .protocolViolation(.attributes(let error)): error.status
        case .protocolViolation: .notAvailable
        }
    }
}
