// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainWire
import Synchronization

/// A simulated keychain service behind the real protocol: requests are frames, and so are the answers.
///
/// It behaves as the service does towards the command `chatelaine`: it returns the attributes of all items, and denies
/// the data of those that another program made.
final class ScriptedKeychain: KeychainTransport {
    struct Item {
        let reference: PersistentReference
        var attributes: ItemAttributes
        var secret: [UInt8]
    }

    struct Protector {
        let number: UInt32
        let kind: ProtectorKind
        let secret: [UInt8]
        let label: String

        var description: ProtectorDescription {
            let moment = Timestamp(secondsSinceReferenceDate: 725_846_400 + Double(number))
            return ProtectorDescription(number: number, kind: kind, added: moment, label: label)
        }
    }

    struct State {
        var items: [Item] = []
        var failure: ClientError?
        var requests: [FrameKind] = []
        /// The number of items in answers to searches.
        var sentItems = 0
        var lockState = LockState.noPasscode
        var contents = ContentsState.asLeft
        var version = "9.8.7"
        var itemsAdded: UInt8 = 0
        /// Searches find nothing, as if all items were added right after them.
        var hidesItems = false
        /// No data is given out.
        var refusesData = false
        /// Whether the simulated user approves the use of private items.
        var allowsPrivateItems = false
        /// How many items can be added before the service goes away.
        var additionsUntilFailure: Int?
        /// The protectors of the keychain; without a passcode it is always open.
        var protectors: [Protector] = []
        var failedAttempts: UInt32 = 0
        var retryAfterSeconds: UInt32 = 0
        var settings = Dictionary(uniqueKeysWithValues: Setting.allCases.map { ($0, $0.defaultValue) })
        /// The tokens that keep private keys.
        var tokens = TokenReport(tokens: [], deviceKey: .file)
        /// How its work went.
        var figures = ServiceFigures.sample
        /// The keychain files in its folder; they contain no items.
        var keychainFiles: [FileKeychainReport] = []
        /// The PIN of the device key; nil for none.
        var pin: [UInt8]?
        /// Administration is refused with this.
        var administrationRefusal: Refusal?
        /// How programs are seen; nil refuses to look.
        var report: CallerReport?
        /// The subjects of the identity requests.
        var subjects: [IdentitySubject] = []
        var grants: [ListedGrant] = []
        var approvals: [ListedApproval] = []
        var teams: [TrustedTeam] = []
        var developmentFolders: [String] = []
        /// The lines of the audit log, oldest first, and the result of its verification.
        var auditLines: [String] = []
        var verification = AuditVerification()
        /// The log is refused with this.
        var logRefusal: Refusal?
        /// Lines that come to those who follow, before the service ends.
        var newAuditLines: [String] = []
        /// The kind of each secret that was checked.
        var secretsSeen: [ProtectorKind] = []
        /// The authentication methods of its owner.
        var authentication = AuthenticationState(hasPasscode: false)
        /// The result of unlocking by fingerprint.
        var fingerUnlock = Result<AuthenticationOutcome, Refusal>.success(.success)
        /// The application passwords in the requests.
        var itemPasswords: [[UInt8]?] = []

        var isLocked: Bool { lockState == .locked || lockState == .beforeFirstUnlock }

        mutating func insert(_ attributes: ItemAttributes, _ secret: [UInt8], group: String) {
            itemsAdded += 1
            var stored = attributes
            for definition in ItemSchema.schema(for: attributes.itemClass)?.attributes ?? [] {
                if stored[definition.key] == nil { stored[definition.key] = definition.defaultValue }
            }
            let moment = Timestamp(secondsSinceReferenceDate: 725_846_400.25 + Double(itemsAdded))
            stored[.accessGroup] = .string(group)
            if stored[.accessible] == nil { stored[.accessible] = .string("ak") }
            stored[.creationDate] = .date(moment)
            stored[.modificationDate] = .date(moment)
            let identifier = ItemIdentifier(bytes: [UInt8](repeating: itemsAdded, count: 16))!
            let reference = PersistentReference(itemClass: attributes.itemClass, item: identifier)
            items.append(Item(reference: reference, attributes: stored, secret: secret))
        }
    }

    static let ownGroup = CommandGroup.shared
    private let state = Mutex(State())
    private let nonce = [UInt8](repeating: 7, count: WireLimits.nonceBytes)

    var client: KeychainClient { KeychainClient(self) }

    func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
    }

    var items: [Item] { state.withLock { $0.items } }
    var itemPasswords: [[UInt8]?] { state.withLock { $0.itemPasswords } }
    var grants: [ListedGrant] { state.withLock { $0.grants } }
    var approvals: [ListedApproval] { state.withLock { $0.approvals } }
    var developmentFolders: [String] { state.withLock { $0.developmentFolders } }
    var subjects: [IdentitySubject] { state.withLock { $0.subjects } }
    var requests: [FrameKind] { state.withLock { $0.requests } }
    var sentItems: Int { state.withLock { $0.sentItems } }

    /// Puts an item in place as if its program had made it.
    func put(
        _ service: String, user: String = "", secret: [UInt8] = Array("secret".utf8), group: String = ownGroup,
        _ more: [ItemAttributes.Entry] = []
    ) throws {
        let attributes = try ItemAttributes(
            .genericPassword, for: .add, [.init(.service, .string(service)), .init(.account, .string(user))] + more)
        state.withLock { $0.insert(attributes, secret, group: group) }
    }

    /// The same of a certificate or a key.
    func put(
        _ itemClass: ItemClass, secret: [UInt8], group: String = ownGroup, _ entries: [ItemAttributes.Entry]
    ) throws {
        let attributes = try ItemAttributes(itemClass, for: .add, entries)
        state.withLock { $0.insert(attributes, secret, group: group) }
    }

    /// The same of an internet password.
    func put(
        server: String, user: String = "", secret: [UInt8] = Array("secret".utf8), group: String = ownGroup,
        _ more: [ItemAttributes.Entry] = []
    ) throws {
        let attributes = try ItemAttributes(
            .internetPassword, for: .add, [.init(.server, .string(server)), .init(.account, .string(user))] + more)
        state.withLock { $0.insert(attributes, secret, group: group) }
    }

    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        if state.withLock({ $0.additionsUntilFailure == 0 }) { throw .unavailable("gone") }
        do throws(WireError) {
            let frame = try Self.frame(request(nonce))
            state.withLock { $0.requests.append(frame.kind) }
            let request = try Request<[UInt8]>(frame, nonce: nonce) { Array($0) }
            for answer in state.withLock({ Self.answer(request, &$0) }) {
                if try receive(try Self.frame(answer)) == .last { return }
            }
        } catch {
            throw .protocolViolation(error)
        }
        throw .protocolViolation(.truncated)
    }

    func watch() throws(ClientError) -> any ChangeStream { throw .unavailable("not part of this keychain") }

    func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
        throw .unavailable("not part of this keychain")
    }

    func followLog() throws(ClientError) -> any LogStream {
        ScriptedLog(state.withLock(\.newAuditLines))
    }

    /// Lines two by two, so that there are several pages.
    private static func answer(_ request: LogRequest, _ state: State) -> [UInt8] {
        if let refusal = state.logRefusal { return ReplyWriter.refusal(refusal) }
        switch request {
        case .verify: return state.verification.frame
        case .follow: return ReplyWriter.refusal(Refusal(.unimplemented, .none))
        case .read(let filter, let order, let cursor, let limit):
            var lines = state.auditLines.map { Array($0.utf8) }
            if order == .newestFirst { lines.reverse() }
            let start = Int(cursor?.offset ?? 0)
            let piece = lines.dropFirst(start).prefix(2)
            var page = AuditPage(next: AuditCursor(file: 1, offset: UInt64(start + piece.count)))
            page.isEnd = start + piece.count == lines.count
            for line in piece {
                guard let record = AuditRecord(line) else {
                    page.damagedCount += 1
                    continue
                }
                if filter.accepts(record), page.lines.count < limit { page.lines.append(line) }
            }
            return page.frame
        }
    }

    private static func frame(_ bytes: [UInt8]) throws(WireError) -> Frame {
        var reader = FrameReader()
        try reader.receive(bytes)
        return try reader.frame()
    }

    private static func answer(_ request: Request<[UInt8]>, _ state: inout State) -> [[UInt8]] {
        switch request {
        case .authenticated(let authentication, let request):
            state.itemPasswords.append(authentication.applicationPassword)
            return answer(request, &state)
        case .authentication(.unlock):
            switch state.fingerUnlock {
            case .success(let outcome):
                if outcome == .success { state.lockState = .unlocked }
                return [AuthenticationAnswer(outcome, state.authentication).frame]
            case .failure(let refused): return [ReplyWriter.refusal(refused)]
            }
        case .authentication: return [AuthenticationAnswer(.success, state.authentication).frame]
        case .add(let attributes, let secret, _):
            let keys = uniqueKeys(attributes.itemClass)
            if state.isLocked { return refusal(.interactionNotAllowed, .locked) }
            let group = attributes.accessGroup ?? ownGroup
            let isTaken = state.items.contains { $0.attributes.accessGroup == group && matches($0, attributes, keys) }
            if isTaken { return refusal(.duplicateItem) }
            state.insert(attributes, secret ?? [], group: group)
            if let left = state.additionsUntilFailure { state.additionsUntilFailure = left - 1 }
            return reply([state.items[state.items.count - 1]], [])
        case .copyMatching(let query, let limit, let parts):
            if query.itemClass == .identity { return identities(query, limit, parts, state) }
            let found = state.hidesItems ? [] : matching(query, state)
            if found.isEmpty { return refusal(.itemNotFound) }
            if state.isLocked { return refusal(.interactionNotAllowed, .locked) }
            if parts.contains(.data), state.refusesData { return refusal(.interactionNotAllowed, .locked) }
            // A reference to a key is made of its data.
            let givesData = parts.contains(.data) || query.itemClass == .key && parts.contains(.reference)
            if givesData, let reason = obstacle(to: found, state) {
                return refusal(.interactionNotAllowed, reason)
            }
            let sent = limit == .one ? Array(found.prefix(1)) : found
            state.sentItems += sent.count
            return reply(sent, parts)
        case .update(let query, let changes, let secret):
            return each(query, &state) { item in
                item.attributes = item.attributes.merging(changes)
                if let secret { item.secret = secret }
            }
        case .delete(let query):
            if query.itemClass == .identity { return deleteIdentities(query, &state) }
            let found = Set(matching(query, state).map(\.reference))
            let answer = each(query, &state) { _ in }
            if answer == reply([], []) { state.items.removeAll { found.contains($0.reference) } }
            return answer
        case .status:
            let status = ServiceStatus(
                version: state.version, lockState: state.lockState, callerTier: .installed,
                callerPath: "/usr/bin/chatelaine",
                accessGroups: [ownGroup, CommandGroup.privateItems], itemCount: UInt64(state.items.count),
                unreadableCount: 0,
                protections: ["memory is not dumped"], contents: state.contents)
            return [status.frame]
        case .administer(let request):
            do throws(Refusal) {
                return [try administer(request, &state)]
            } catch {
                return [ReplyWriter.refusal(error)]
            }
        case .identity(let subject):
            state.subjects.append(subject)
            return state.report.map { [$0.frame] } ?? refusal(.parameter, .notInspectable)
        case .grants(.list(let number)):
            // Two to a page, so that the client requests more than one page.
            let behind = state.grants.filter { $0.grant.number > number }
            let page = Array(behind.prefix(2))
            return [GrantPage(page, next: behind.count > 2 ? page.last?.grant.number : nil).frame]
        case .grants(.listApprovals): return [ApprovalList(state.approvals).frame]
        case .grants(.revoke(let selection)):
            let count = state.grants.count + state.approvals.count
            state.approvals.removeAll { approval in
                switch selection {
                case .number: false
                case .all: true
                case .program(let identity): approval.identity == identity
                }
            }
            state.grants.removeAll { listed in
                switch selection {
                case .number(let number): listed.grant.number == number
                case .all: true
                case .program(let identity): listed.grant.identity == identity
                }
            }
            let revoked = count - state.grants.count - state.approvals.count
            if revoked == 0, selection != .all { return refusal(.itemNotFound, .noSuchGrant) }
            return [RevokedGrants(count: UInt32(revoked)).frame]
        case .log(let request): return [answer(request, state)]
        case .keychainFile(.list): return [FileKeychainAnswer(state.keychainFiles).frame]
        // Tests that use keychain files take a keychain in memory.
        case .keychainFile(.report(let path)):
            let place = path.hasPrefix("/") ? path : "/home/u/keychains/\(path)-db"
            return [FileKeychainAnswer([FileKeychainReport(path: place, state: .missing)]).frame]
        case .keychainFile(.readList): return [KeychainList(standard: nil, searched: []).frame]
        case .inKeychain: return refusal(.noSuchKeychain, .noSuchKeychain)
        case .keychainFile, .watch, .watchKeychains, .backup, .restore, .requireEntitlements, .key, .agent,
            .behalf:
            return refusal(.unimplemented)
        case .explainSearch(let query):
            let count = state.items.count { $0.attributes.itemClass == query.itemClass }
            return [Explanation([.candidates(count), .narrowed(by: .attribute(.account), to: 0)]).frame]
        case .explainAddition(let attributes):
            let existing = state.items.first { matches($0, attributes, [.service, .account]) }
            return [Explanation(existing.map { [.existing($0.reference)] } ?? []).frame]
        }
    }

    /// Why the command may not use items; nil where it may.
    private static func obstacle(to items: [Item], _ state: State) -> Refusal.Reason? {
        let groups = Set(items.map(\.attributes.accessGroup))
        if !groups.isSubset(of: [ownGroup, CommandGroup.privateItems]) { return .otherProgramsItem }
        return groups.contains(CommandGroup.privateItems) && !state.allowsPrivateItems ? .privateItem : nil
    }

    private static func pairs(_ query: ItemQuery, _ state: State) -> [(certificate: Item, key: Item)] {
        guard let (certificates, keys) = query.identityParts else { return [] }
        let matchingKeys = matching(keys, state)
        return matching(certificates, state).flatMap { certificate in
            matchingKeys.filter { $0.attributes[.applicationLabel] == certificate.attributes[.publicKeyHash] }
                .map { (certificate, $0) }
        }
    }

    private static func identities(
        _ query: ItemQuery, _ limit: MatchLimit, _ parts: ReturnedParts, _ state: State
    ) -> [[UInt8]] {
        let found = pairs(query, state)
        guard !found.isEmpty else { return refusal(.itemNotFound) }
        let halves = (limit == .one ? Array(found.prefix(1)) : found).flatMap { [$0.certificate, $0.key] }
        if parts.contains(.data), halves.contains(where: { $0.attributes.accessGroup != ownGroup }) {
            return refusal(.interactionNotAllowed, .otherProgramsItem)
        }
        return reply(halves, parts)
    }

    private static func deleteIdentities(_ query: ItemQuery, _ state: inout State) -> [[UInt8]] {
        let found = pairs(query, state)
        guard !found.isEmpty else { return refusal(.itemNotFound) }
        if found.contains(where: { $0.certificate.attributes.accessGroup != ownGroup }) {
            return refusal(.interactionNotAllowed, .otherProgramsItem)
        }
        let certificates = Set(found.map(\.certificate.reference))
        state.items.removeAll { certificates.contains($0.reference) }
        for (_, key) in found {
            let isUsed = state.items.contains {
                $0.attributes[.publicKeyHash] == key.attributes[.applicationLabel]
            }
            if !isUsed { state.items.removeAll { $0.reference == key.reference } }
        }
        return reply([], [])
    }

    private static func each(_ query: ItemQuery, _ state: inout State, _ body: (inout Item) -> Void) -> [[UInt8]] {
        let found = matching(query, state)
        if found.isEmpty { return refusal(.itemNotFound) }
        if let reason = obstacle(to: found, state) { return refusal(.interactionNotAllowed, reason) }
        let references = Set(found.map(\.reference))
        for index in state.items.indices where references.contains(state.items[index].reference) {
            body(&state.items[index])
        }
        return reply([], [])
    }

    private static func matching(_ query: ItemQuery, _ state: State) -> [Item] {
        state.items.filter { item in
            if let reference = query.persistentReference, item.reference != reference { return false }
            if let group = query.accessGroup, item.attributes.accessGroup != group { return false }
            guard item.reference.itemClass == query.itemClass else { return false }
            if let text = query.containedText, !contains(text, item.attributes) { return false }
            let keys = query.attributes.entries.map(\.key)
            return matches(item, query.attributes, keys, folding: query.textMatching.contains(.caseInsensitive))
        }
    }

    private static func contains(_ text: String, _ attributes: ItemAttributes) -> Bool {
        [AttributeKey.label, .account, .service, .server, .path].contains { key in
            let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
            let stored = attributes[key]?.bytes.map { String(decoding: $0, as: UTF8.self) }
            return stored?.range(of: text, options: options) != nil
        }
    }

    /// Returns the attributes that make an item unique, except for the access group.
    private static func uniqueKeys(_ itemClass: ItemClass) -> [AttributeKey] {
        (ItemSchema.schema(for: itemClass)?.attributes ?? []).filter { $0.isUnique && $0.defaultValue != nil }.map(
            \.key)
    }

    /// Text and data with the same bytes are equal, and so are no value and the default.
    private static func matches(
        _ item: Item, _ attributes: ItemAttributes, _ keys: [AttributeKey], folding: Bool = false
    ) -> Bool {
        keys.allSatisfy { key in
            let (stored, wanted) = (item.attributes[key], value(attributes, key))
            if folding, let stored = stored?.string, let wanted = wanted?.string {
                return stored.lowercased() == wanted.lowercased()
            }
            // By bytes where there are any: equivalent spellings of a text are equal to Swift, and not to the service.
            if let stored = stored?.bytes, let wanted = wanted?.bytes { return stored == wanted }
            return stored == wanted
        }
    }

    private static func value(_ attributes: ItemAttributes, _ key: AttributeKey) -> AttributeValue? {
        attributes[key] ?? ItemSchema.schema(for: attributes.itemClass)?[key]?.defaultValue
    }

    private static func reply(_ items: [Item], _ parts: ReturnedParts) -> [[UInt8]] {
        var writer = ReplyWriter()
        var frames: [[UInt8]] = []
        for item in items {
            let returned = ReturnedItem(
                reference: item.reference, attributes: parts.contains(.attributes) ? item.attributes : nil,
                // References to keys are made of their data.
                secret: parts.isDisjoint(with: [.data, .reference]) ? nil : item.secret)
            if let full = writer.append(returned) { frames.append(full) }
        }
        return frames + [writer.finish()]
    }

    private static func refusal(_ status: StatusCode, _ reason: Refusal.Reason = .none) -> [[UInt8]] {
        [ReplyWriter.refusal(Refusal(status, reason))]
    }
}

/// New lines of an audit log whose service then ends.
private final class ScriptedLog: LogStream {
    private let lines: Mutex<ArraySlice<[UInt8]>>

    init(_ lines: [String]) { self.lines = Mutex(lines.map { Array($0.utf8) }[...]) }

    func next() throws(ClientError) -> [UInt8]? { lines.withLock { $0.popFirst() } }

    func cancel() { lines.withLock { $0 = [] } }
}
