// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
public import KeychainModel
public import KeychainWire

/// A function for each request of the keychain service. The client modules are built on it.
///
/// Calls block until the service has answered. `Secret` is the type that the caller uses for items' data: the closure
/// that creates it receives bytes that are wiped as soon as it returns.
public struct KeychainClient: Sendable {
    let transport: any KeychainTransport
    /// The authentication data of requests that may require owner authentication.
    var authentication: ClientAuthentication?
    /// The file that requests for items use; nil for the data-protection keychain.
    public internal(set) var keychain: String?

    public init(_ transport: any KeychainTransport) {
        self.transport = transport
    }

    /// The keychain for calls without a keychain of their own: that of the environment's instance, unless a test has
    /// replaced it for the duration of a closure.
    public static var current: KeychainClient { override ?? shared }

    @TaskLocal private static var override: KeychainClient?

    private static let shared = KeychainClient(SocketTransport.environment())

    /// Same as ``current``, with a connection that is closed with the last copy of this value.
    public static func withOwnConnection() -> KeychainClient {
        override ?? KeychainClient(SocketTransport.environment())
    }

    /// Returns the keychain for the process that a pidfd names: a bridge makes the requests of its clients through it.
    ///
    /// The service identifies the process itself, and its answers are those that the process would get. The pidfd is
    /// duplicated. Each client needs a value of its own, which has connections of its own. Only a bridge that was installed with the
    /// service may use it, and a program that names its own process, such as a program with the module for PKCS #11: the
    /// requests of other programs are refused with `errSecMissingEntitlement` and `bridgesOnly`, and those for a descriptor
    /// that names no process of the same user with `errSecParam` and `notInspectable`.
    ///
    /// - Parameters:
    ///   - process: a pidfd (pidfd_open(2)).
    ///   - timeout: the longest time that the service may take for each part of an answer; nil for no limit. Requests of
    ///     ``separate()`` have no limit, because they may prompt.
    /// - Throws: `.unavailable` if the descriptor cannot be duplicated.
    public static func onBehalf(
        ofProcess process: Int32, timeout: Duration? = nil
    ) throws(ClientError) -> KeychainClient {
        do throws(SystemCallError) {
            return KeychainClient(
                SocketTransport(client: try OwnedDescriptor(duplicating: process), timeout: timeout) {
                    () throws(EndpointError) in try .current()
                })
        } catch {
            throw .unavailable("the process descriptor cannot be used: \(error)")
        }
    }

    /// The same keychain, with a separate connection for one request at a time, which ``interrupt()`` ends.
    public func separate() -> KeychainClient {
        var client = KeychainClient(transport.separate())
        client.keychain = keychain
        client.authentication = authentication
        return client
    }

    /// Ends the current request, which then fails, and all later ones. May be called from any thread, and more than
    /// once.
    ///
    /// - Precondition: ``separate()`` created the client; for other clients this has no effect.
    public func interrupt() { transport.interrupt() }

    /// Closes connections on which no request is running, for a program that runs long: a service without connections can
    /// end. The next request connects again.
    public func disconnect() { transport.disconnect() }

    /// Same as ``withOwnConnection()``, but without the default access group of programs without entitlements: the
    /// calls of such a program are refused with `errSecMissingEntitlement`, as on Apple's systems.
    public static func requiringEntitlements() -> KeychainClient {
        override ?? KeychainClient(SocketTransport.environment(requiresEntitlements: true))
    }

    /// Whether the service of ``current`` is running. Unlike all other calls, this does not start it.
    public static var isServiceRunning: Bool {
        override != nil || (try? ServiceEndpoint.current())?.serviceIsRunning() == true
    }

    /// Runs a closure in which ``current`` is this client. For `KeychainTesting`, and for calls that use a keychain
    /// file.
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
    /// - Returns: the item with the requested parts; always with its persistent reference.
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

    /// Finds items, in no particular order.
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
    /// - Parameter secret: the new data; nil leaves the data unchanged.
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

    /// Explains why a query finds nothing. An additional request, for programs that display the reason.
    ///
    /// - Throws: `.refused` with the codes of a search; `.unavailable`.
    public func explainSearch(_ query: ItemQuery) throws(ClientError) -> Explanation {
        try explanation(.explainSearch(query))
    }

    /// Explains why an item cannot be added, with the existing item that has the same primary key.
    ///
    /// - Throws: `.refused` with the codes of an addition; `.unavailable`.
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

    /// Returns the service's view of the calling program, or of another one.
    ///
    /// - Throws: `.refused` with `errSecParam` and the reason `notInspectable` for a process or file that does not
    ///   exist or does not belong to the caller; with `errSecMissingEntitlement` and `administrationOnly` for another
    ///   process, and for a file if the caller is unidentified.
    public func identity(of subject: IdentitySubject = .caller) throws(ClientError) -> CallerReport {
        try answer(to: Request<[UInt8]>.identity(subject)) { frame throws(WireError) in try CallerReport(frame) }
    }

    /// Returns a stream of the changes of items in the caller's access groups and of the lock state, from now on.
    public func watch() throws(ClientError) -> any ChangeStream {
        try transport.watch()
    }

    /// Returns a stream of the events in the user's keychains that the caller may know of, from now on.
    ///
    /// - Throws: `.refused` with `errSecMissingEntitlement` for a program that cannot be identified; `.unavailable`.
    public func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
        try transport.watchKeychains(filter)
    }

    /// Returns the answer to a request whose answer is one frame without items.
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
            // Usually the answer has one part, whose array does not have to be copied.
            if items.isEmpty { items = part.items } else { items += part.items }
            refusal = part.refusal
            return part.isLast ? .last : .moreFollow
        }
        if let refusal { throw .refused(refusal) }
        return items
    }

    // MARK: Frames

    func frame<Secret: Collection<UInt8>>(of request: Request<Secret>, nonce: [UInt8]) -> [UInt8] {
        guard let keychain, request.isAboutItems else { return authenticatedFrame(of: request, nonce: nonce) }
        return authenticatedFrame(of: .inKeychain(keychain, request), nonce: nonce)
    }

    private func authenticatedFrame(of request: Request<some Collection<UInt8>>, nonce: [UInt8]) -> [UInt8] {
        guard let authentication, request.mayNeedAuthentication else { return request.frame(nonce: nonce) }
        return request.frame(nonce: nonce, with: authentication.fields)
    }

    func keepsProof(in frame: Frame) throws(WireError) -> Bool {
        guard let authentication, frame.kind == .proof else { return false }
        authentication.keep(try ProofFrame(frame).proof)
        return true
    }
}

/// A transport to a keychain service.
public protocol KeychainTransport: Sendable {
    /// Sends one request and receives its answer.
    ///
    /// - Parameters:
    ///   - request: creates the frame for a connection's nonce. Called again if the request is sent again.
    ///   - isRepeatable: the request changes nothing, so it may be sent again if the connection was lost after it was
    ///     sent.
    ///   - receive: receives each frame of the answer. Must not keep the frame: its bytes are wiped afterwards.
    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError)

    /// Opens a stream of changes.
    func watch() throws(ClientError) -> any ChangeStream

    /// Opens a stream of events in the user's keychains.
    func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream

    /// Opens a stream of the audit log's new lines.
    func followLog() throws(ClientError) -> any LogStream

    /// The same keychain with a separate connection, for one request at a time.
    func separate() -> any KeychainTransport
    /// Ends the current request on a transport that ``separate()`` returned, and all later ones.
    func interrupt()
    /// Closes connections on which no request is running.
    func disconnect()
}

/// For transports that never wait while they answer: they have nothing to separate, and nothing to interrupt.
extension KeychainTransport {
    public func separate() -> any KeychainTransport { self }
    public func interrupt() {}
    public func disconnect() {}
}

/// Whether the last received frame completed the answer.
public enum AnswerProgress: Sendable {
    case moreFollow
    case last
}

/// Changes of items and of the lock state, as they happen.
public protocol ChangeStream: Sendable {
    /// Waits for the next change; nil after the stream was cancelled.
    func next() throws(ClientError) -> WatchedEvent?
    /// Ends the stream. May be called from any thread, and more than once.
    func cancel()
}

/// Events in the user's keychains, as they happen.
public protocol KeychainNoticeStream: Sendable {
    /// Waits for the next notice; nil after the stream was cancelled.
    func next() throws(ClientError) -> KeychainNotice?
    /// Ends the stream. May be called from any thread, and more than once. Has no effect in a process that was forked
    /// from the process that opened the stream, because the connection belongs to that process.
    func cancel()
}

/// The reason why a request failed.
public enum ClientError: Error, Hashable, Sendable {
    /// The service refused the request.
    case refused(Refusal)
    /// The service cannot be reached: the reason, and the recommended action if the reason does not contain it.
    case unavailable(String, hint: String? = nil)
    /// The received bytes do not follow the protocol of this library.
    case protocolViolation(WireError)

    /// The status for a caller of the keychain.
    public var status: StatusCode {
        switch self {
        case .refused(let refusal): refusal.status
        case .unavailable: .notAvailable
        case .protocolViolation(.attributes(let error)): error.status
        case .protocolViolation: .notAvailable
        }
    }
}

extension ClientError: CustomStringConvertible {
    /// The reason and, if the service is unavailable, the recommended action, without a full stop.
    public var description: String {
        switch self {
        case .refused(let refusal):
            refusal.reason.explanation ?? "the keychain service refused the request with status \(refusal.status)"
        case .unavailable(let reason, let hint): hint.map { "\(reason); \($0)" } ?? reason
        case .protocolViolation(.attributes(let error)): "\(error)"
        case .protocolViolation(let error): "the answer of the keychain service is not valid: \(error)"
        }
    }
}
