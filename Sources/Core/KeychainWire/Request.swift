// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// What a client asks.
///
/// `Secret` is the type in which each side holds an item's data: a view of bytes while a request is written, memory that
/// wipes itself when the daemon reads one.
public enum Request<Secret> {
    case add(ItemAttributes, secret: Secret?, returning: ReturnedParts)
    case copyMatching(ItemQuery, limit: MatchLimit, returning: ReturnedParts)
    case update(ItemQuery, changes: ItemAttributes, secret: Secret?)
    case delete(ItemQuery)
    case status
    /// From now on, send a change frame for each change of an item of the caller's groups.
    case watch
    /// Why the query finds nothing.
    case explainSearch(ItemQuery)
    /// Why the item cannot be added.
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

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - nonce: the nonce of this connection's hello.
    ///   - secret: copies an item's data out of the frame.
    /// - Throws: `.unexpected` for a frame that is no request, `.wrongNonce`, and all that reading throws. Never traps.
    public init(
        _ frame: consuming Frame, nonce: [UInt8], secret: (ArraySlice<UInt8>) -> Secret
    ) throws(WireError) {
        let kind = frame.kind
        guard kind.isRequest else { throw .unexpected(kind) }
        var reader = frame.reader
        guard try reader.take(nonce) else { throw .wrongNonce }
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
            self = .copyMatching(query, limit: limit, returning: try reader.returnedParts())
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
        case .hello, .items, .reply, .change, .lockState, .logLine:
            throw .unexpected(kind)
        }
        try reader.finish()
    }
}

extension Request where Secret: Collection, Secret.Element == UInt8 {
    /// The frame of this request. It may hold a secret: wipe it when it is sent.
    @specialized(where Secret == [UInt8])
    public func frame(nonce: [UInt8]) -> [UInt8] {
        var writer: WireWriter
        switch self {
        case .add(let attributes, let secret, let parts):
            let size = WireWriter.size(of: attributes) + (secret?.count ?? 0)
            writer = WireWriter(.add, reserving: size + 64)
            writer.raw(nonce)
            writer.attributes(attributes)
            writer.u8(parts.rawValue)
            writer.optional(secret) { $0.block($1) }
        case .copyMatching(let query, let limit, let parts):
            writer = WireWriter(.copyMatching, reserving: WireWriter.size(of: query) + 64)
            writer.raw(nonce)
            writer.query(query)
            writer.limit(limit)
            writer.u8(parts.rawValue)
        case .update(let query, let changes, let secret):
            let size = WireWriter.size(of: query) + WireWriter.size(of: changes) + (secret?.count ?? 0)
            writer = WireWriter(.update, reserving: size + 64)
            writer.raw(nonce)
            writer.query(query)
            writer.attributes(changes)
            writer.optional(secret) { $0.block($1) }
        case .delete(let query):
            writer = WireWriter(.delete, reserving: WireWriter.size(of: query) + 64)
            writer.raw(nonce)
            writer.query(query)
        case .status:
            writer = WireWriter(.status, reserving: 64)
            writer.raw(nonce)
        case .watch:
            writer = WireWriter(.watch, reserving: 64)
            writer.raw(nonce)
        case .explainSearch(let query):
            writer = WireWriter(.explain, reserving: WireWriter.size(of: query) + 64)
            writer.raw(nonce)
            writer.u8(1)
            writer.query(query)
        case .explainAddition(let attributes):
            writer = WireWriter(.explain, reserving: WireWriter.size(of: attributes) + 64)
            writer.raw(nonce)
            writer.u8(2)
            writer.attributes(attributes)
        case .administer(let request):
            writer = WireWriter(.administer, reserving: request.size + 64)
            writer.raw(nonce)
            request.write(to: &writer)
        case .backup(let request):
            writer = WireWriter(.backup, reserving: request.size + 64)
            writer.raw(nonce)
            request.write(to: &writer)
        case .restore(let request):
            writer = WireWriter(.restore, reserving: request.size + 64)
            writer.raw(nonce)
            request.write(to: &writer)
        case .identity(let subject):
            writer = WireWriter(.identity, reserving: 128)
            writer.raw(nonce)
            writer.identitySubject(subject)
        case .grants(let request):
            writer = WireWriter(.grants, reserving: 128)
            writer.raw(nonce)
            request.write(to: &writer)
        case .requireEntitlements:
            writer = WireWriter(.requireEntitlements, reserving: 64)
            writer.raw(nonce)
        case .log(let request):
            writer = WireWriter(.log, reserving: request.size + 64)
            writer.raw(nonce)
            request.write(to: &writer)
        case .key(let request):
            writer = WireWriter(.key, reserving: request.size + 64)
            writer.raw(nonce)
            request.write(to: &writer)
        }
        // Given away whole: changing a second reference would leave an unwiped copy behind.
        return (consume writer).frame()
    }
}
