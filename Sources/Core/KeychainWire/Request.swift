// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

/// A client's request.
///
/// `Secret` is the type in which each side holds an item's data: a view of bytes while a request is written, memory
/// that wipes itself when the daemon reads one.
public enum Request<Secret> {
    case add(ItemAttributes, secret: Secret?, returning: ReturnedParts)
    case copyMatching(ItemQuery, limit: MatchLimit, returning: ReturnedParts)
    case update(ItemQuery, changes: ItemAttributes, secret: Secret?)
    case delete(ItemQuery)
    case status
    /// Sends a change frame for each change of an item of the caller's groups from now on.
    case watch
    /// Explains why the query finds nothing.
    case explainSearch(ItemQuery)
    /// Explains why the item cannot be added.
    case explainAddition(ItemAttributes)
    case administer(AdministrationRequest<Secret>)
    case backup(BackupRequest<Secret>)
    case restore(RestoreRequest<Secret>)
    case identity(IdentitySubject)
    case grants(GrantRequest)
    /// On this connection, programs without entitlements are refused with `errSecMissingEntitlement`.
    case requireEntitlements
    case log(LogRequest)
    case key(KeyRequest<Secret>)
    /// A request for items or keys, or of `LAContext`, with the data for owner authentication.
    indirect case authenticated(RequestAuthentication<Secret>, Request<Secret>)
    case authentication(AuthenticationRequest)
    case keychainFile(FileKeychainRequest<Secret>)
    /// A request for items or keys of the file keychain at this path.
    indirect case inKeychain(String, Request<Secret>)
    /// Sends a frame for each event in the user's keychains that the caller may know about from now on.
    case watchKeychains(KeychainNoticeFilter)
    /// From now on, this client shows the service's prompts to its user (``AgentQuestion``).
    case agent
    /// From now on, the requests are those of the process that the pidfd beside this request names.
    case behalf

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - nonce: the nonce of this connection's hello.
    ///   - secret: copies an item's data out of the frame.
    /// - Throws: `.unexpected` for a frame that is not a request, `.wrongNonce`, and all errors of reading. Never
    ///   traps.
    public init(
        _ frame: consuming Frame, nonce: [UInt8], secret: (ArraySlice<UInt8>) -> Secret
    ) throws(WireError) {
        let kind = frame.kind
        guard kind.isRequest else { throw .unexpected(kind) }
        var reader = frame.reader
        guard try reader.take(nonce) else { throw .wrongNonce }
        self = try Self(kind, &reader, secret)
        try reader.finish()
    }

    /// Reads the fields after the nonce.
    private init(
        _ kind: FrameKind, _ reader: inout WireReader, _ secret: (ArraySlice<UInt8>) -> Secret
    ) throws(WireError) {
        func readSecret(_ reader: inout WireReader) throws(WireError) -> Secret? {
            guard try reader.flag() else { return nil }
            return secret(try reader.block(atMost: ItemLimits.secretBytes))
        }
        switch kind {
        case .add:
            let attributes = try reader.attributes(for: .add)
            let parts = try reader.returnedParts()
            self = .add(attributes, secret: try readSecret(&reader), returning: parts)
        case .copyMatching:
            let query = try reader.query()
            let limit = try reader.limit()
            self = .copyMatching(
                query, limit: limit, returning: try reader.returnedParts(allowing: [.all, .availability]))
        case .update:
            let query = try reader.query()
            let changes = try reader.attributes(for: .update)
            guard changes.itemClass == query.itemClass else { throw .malformed }
            self = .update(query, changes: changes, secret: try readSecret(&reader))
        case .delete:
            self = .delete(try reader.query())
        case .status:
            self = .status
        case .watch:
            self = .watch
        case .explain:
            self =
                switch try reader.u8() {
                case 1: .explainSearch(try reader.query())
                case 2: .explainAddition(try reader.attributes(for: .add))
                default: throw .malformed
                }
        case .administer:
            self = .administer(try AdministrationRequest(&reader, secret: secret))
        case .backup:
            self = .backup(try BackupRequest(&reader, secret: secret))
        case .restore:
            self = .restore(try RestoreRequest(&reader, secret: secret))
        case .identity:
            self = .identity(try reader.identitySubject())
        case .grants:
            self = .grants(try GrantRequest(&reader))
        case .requireEntitlements:
            self = .requireEntitlements
        case .log:
            self = .log(try LogRequest(&reader))
        case .key:
            self = .key(try KeyRequest(&reader, secret: secret))
        case .authenticated:
            let authentication = try RequestAuthentication(&reader, secret: secret)
            let inner = try reader.value(FrameKind.self)
            guard inner.mayNeedAuthentication else { throw .malformed }
            self = .authenticated(authentication, try Self(inner, &reader, secret))
        case .authentication:
            self = .authentication(try AuthenticationRequest(&reader))
        case .keychainFile:
            self = .keychainFile(try FileKeychainRequest(&reader, secret: secret))
        case .inKeychain:
            let path = try reader.keychainPath()
            let inner = try reader.value(FrameKind.self)
            guard inner.isAboutItems else { throw .malformed }
            self = .inKeychain(path, try Self(inner, &reader, secret))
        case .watchKeychains:
            self = .watchKeychains(try reader.noticeFilter())
        case .agent:
            self = .agent
        case .behalf:
            self = .behalf
        case .hello, .greeting, .items, .reply, .change, .lockState, .logLine, .proof, .keychainNotice, .prompt,
            .promptWithdrawal,
            .promptAnswer:
            throw .unexpected(kind)
        }
    }
}

extension FrameKind {
    /// Whether a request of the kind `authenticated` may contain a request of this kind.
    fileprivate var mayNeedAuthentication: Bool {
        switch self {
        case .add, .copyMatching, .update, .delete, .key, .authentication, .keychainFile, .inKeychain: true
        default: false
        }
    }

    /// Whether a request of the kind `inKeychain` may contain a request of this kind.
    fileprivate var isAboutItems: Bool {
        switch self {
        case .add, .copyMatching, .update, .delete, .key, .explain: true
        default: false
        }
    }
}

extension Request where Secret: Collection, Secret.Element == UInt8 {
    /// Returns the frame of this request. It may contain a secret: wipe it after sending.
    @specialized(where Secret == [UInt8])
    public func frame(nonce: [UInt8]) -> [UInt8] {
        var writer = WireWriter(kind, reserving: size + 64)
        writer.raw(nonce)
        write(to: &writer)
        // Consumed, because changing a second reference would leave an unwiped copy behind.
        return (consume writer).frame()
    }

    /// Returns the frame of this request with the data for owner authentication. It may contain a secret: wipe it after
    /// sending.
    public func frame(nonce: [UInt8], with authentication: RequestAuthentication<some Collection<UInt8>>) -> [UInt8] {
        var writer = WireWriter(.authenticated, reserving: authentication.size + size + 80)
        writer.raw(nonce)
        write(with: authentication, to: &writer)
        return (consume writer).frame()
    }

    private func write(
        with authentication: RequestAuthentication<some Collection<UInt8>>, to writer: inout WireWriter
    ) {
        authentication.write(to: &writer)
        writer.u8(kind.rawValue)
        write(to: &writer)
    }

    /// Whether a frame with authentication may contain it.
    public var mayNeedAuthentication: Bool { kind.mayNeedAuthentication }

    /// Whether the request may be made for a file keychain.
    public var isAboutItems: Bool { kind.isAboutItems }

    private var kind: FrameKind {
        switch self {
        case .add: .add
        case .copyMatching: .copyMatching
        case .update: .update
        case .delete: .delete
        case .status: .status
        case .watch: .watch
        case .explainSearch, .explainAddition: .explain
        case .administer: .administer
        case .backup: .backup
        case .restore: .restore
        case .identity: .identity
        case .grants: .grants
        case .requireEntitlements: .requireEntitlements
        case .log: .log
        case .key: .key
        case .authenticated: .authenticated
        case .authentication: .authentication
        case .keychainFile: .keychainFile
        case .inKeychain: .inKeychain
        case .watchKeychains: .watchKeychains
        case .agent: .agent
        case .behalf: .behalf
        }
    }

    /// An upper bound of the size that ``write(to:)`` writes, without 64 bytes.
    private var size: Int {
        switch self {
        case .add(let attributes, let secret, _): WireWriter.size(of: attributes) + (secret?.count ?? 0)
        case .copyMatching(let query, _, _), .delete(let query), .explainSearch(let query): WireWriter.size(of: query)
        case .update(let query, let changes, let secret):
            WireWriter.size(of: query) + WireWriter.size(of: changes) + (secret?.count ?? 0)
        case .explainAddition(let attributes): WireWriter.size(of: attributes)
        case .status, .watch, .requireEntitlements, .authentication, .watchKeychains, .agent, .behalf: 0
        case .identity, .grants: 128
        case .administer(let request): request.size
        case .backup(let request): request.size
        case .restore(let request): request.size
        case .log(let request): request.size
        case .key(let request): request.size
        case .authenticated(let authentication, let request): authentication.size + request.size + 16
        case .keychainFile(let request): request.size
        case .inKeychain(let path, let request): path.utf8.count + request.size + 16
        }
    }

    private func write(to writer: inout WireWriter) {
        switch self {
        case .add(let attributes, let secret, let parts):
            writer.attributes(attributes)
            writer.u8(parts.rawValue)
            writer.optional(secret) { $0.block($1) }
        case .copyMatching(let query, let limit, let parts):
            writer.query(query)
            writer.limit(limit)
            writer.u8(parts.rawValue)
        case .update(let query, let changes, let secret):
            writer.query(query)
            writer.attributes(changes)
            writer.optional(secret) { $0.block($1) }
        case .delete(let query):
            writer.query(query)
        case .status, .watch, .requireEntitlements, .agent, .behalf:
            break
        case .explainSearch(let query):
            writer.u8(1)
            writer.query(query)
        case .explainAddition(let attributes):
            writer.u8(2)
            writer.attributes(attributes)
        case .administer(let request): request.write(to: &writer)
        case .backup(let request): request.write(to: &writer)
        case .restore(let request): request.write(to: &writer)
        case .identity(let subject): writer.identitySubject(subject)
        case .grants(let request): request.write(to: &writer)
        case .log(let request): request.write(to: &writer)
        case .key(let request): request.write(to: &writer)
        case .authenticated(let authentication, let request): request.write(with: authentication, to: &writer)
        case .authentication(let request): request.write(to: &writer)
        case .keychainFile(let request): request.write(to: &writer)
        case .inKeychain(let path, let request):
            writer.block(path)
            writer.u8(request.kind.rawValue)
            request.write(to: &writer)
        case .watchKeychains(let filter): writer.noticeFilter(filter)
        }
    }
}
