// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
public import KeychainPolicy
internal import KeychainWire

/// One line of the audit log: the caller, the request and its result. It contains names of programs and access groups,
/// never an attribute's value or a secret.
public struct AuditEvent: Sendable {
    enum Result: Sendable {
        case granted(items: AuditedItems, accessGroups: [String], by: GrantRule)
        /// The request was refused. The items are those found before the refusal.
        case refused(Refusal, AuditedItems)
        /// The request was granted, but the caller disconnected before the answer was complete.
        case abandoned
        /// An operation on the keychain as a whole was carried out.
        case carriedOut
        /// The same, with the owner's authorization.
        case authorized(OwnerAuthorization)
        /// The request concerned no item.
        case served
    }

    let result: Result
    private let action: String
    private let itemClass: ItemClass?
    private let caller: AuditedCaller?
    /// The settings of a request to change settings, each with its new value.
    private let settings: [String]

    init<Secret>(_ request: Request<Secret>, by caller: AuditedCaller?, _ result: Result) {
        self.result = result
        self.caller = caller
        (action, itemClass) = Self.subject(of: request)
        settings = Self.settings(of: request)
    }

    private static func settings<Secret>(of request: Request<Secret>) -> [String] {
        switch request {
        case .administer(.changeSettings(let settings, _)):
            settings.map { "\($0.key.commandName) \($0.key.text($0.value))" }.sorted()
        case .authenticated(_, let request), .inKeychain(_, let request): Self.settings(of: request)
        default: []
        }
    }

    /// Returns the action and the item class of a request.
    private static func subject<Secret>(of request: Request<Secret>) -> (action: String, itemClass: ItemClass?) {
        switch request {
        case .add(let attributes, _, _): ("add", attributes.itemClass)
        case .copyMatching(let query, _, let parts):
            (
                parts.contains(.data)
                    ? "read-data"
                    : (query.itemClass == .key || query.itemClass == .identity) && parts.contains(.reference)
                        ? "read-key" : parts.contains(.attributes) ? "read-attributes" : "probe", query.itemClass
            )
        case .update(let query, _, _): ("update", query.itemClass)
        case .delete(let query): ("delete", query.itemClass)
        case .status: ("status", nil)
        case .watch: ("watch", nil)
        case .watchKeychains: ("watch-keychains", nil)
        case .explainSearch(let query): ("explain", query.itemClass)
        case .backup(let request): (request.action, nil)
        case .restore(let request): (request.action, nil)
        case .explainAddition(let attributes): ("explain", attributes.itemClass)
        case .identity: ("identity", nil)
        case .grants(.list), .grants(.listApprovals): ("list-grants", nil)
        case .grants(.revoke): ("revoke-grants", nil)
        case .requireEntitlements: ("require-entitlements", nil)
        case .administer(let request): (request.administration.name, nil)
        case .log(let request): (request.action, nil)
        case .key(.use(let work)): (work.use.action, .key)
        case .key(.generate): ("generate-key", .key)
        case .authentication(.unlock): (Administration.unlock.name, nil)
        case .authentication: ("authenticate", nil)
        case .agent: ("ask-people", nil)
        case .behalf: ("act-for-client", nil)
        case .authenticated(_, let request): subject(of: request)
        case .keychainFile(let request): (request.action, nil)
        case .inKeychain(_, let request): subject(of: request)
        }
    }

    /// Creates the event of bytes that are not a request, or of a request without this connection's nonce.
    init(malformed refusal: Refusal, by caller: AuditedCaller?) {
        result = .refused(refusal, .none)
        action = "malformed"
        itemClass = nil
        settings = []
        self.caller = caller
    }

    /// Returns the line for the log, a JSON object without its closing brace (Documentation/Formats/audit-log.md): the
    /// link to the previous lines follows it.
    ///
    /// The line is written byte by byte, because every access writes a line, and assembling it from strings took longer
    /// than the lookup in the database.
    func line(at time: Timestamp) -> [UInt8] {
        // Room for a typical line without growing, even if every character of a group's name has to be escaped.
        var line = LineWriter(reserving: 960)
        line.raw("{\"time\":\"")
        line.time(time)
        line.raw("\",\"action\":\"")
        line.raw(action)
        line.raw("\"")
        if let itemClass {
            line.raw(",\"class\":\"")
            line.raw(itemClass.code)
            line.raw("\"")
        }
        if !settings.isEmpty {
            line.raw(",\"settings\":")
            line.list(settings)
        }
        switch result {
        case .granted(let items, let groups, let rule):
            line.raw(",\"outcome\":\"granted\",\"granted-by\":\"")
            line.raw(rule.rawValue)
            line.raw("\",\"items\":")
            line.number(Int64(items.count))
            line.references(items)
            line.raw(",\"groups\":")
            line.list(groups)
        case .refused(let refusal, let items):
            line.raw(",\"outcome\":\"refused\",\"status\":")
            line.number(Int64(refusal.status.rawValue))
            line.raw(",\"reason\":\"\(refusal.reason)\"")
            if items.count > 0 {
                line.raw(",\"items\":")
                line.number(Int64(items.count))
                line.references(items)
            }
        case .carriedOut:
            line.raw(",\"outcome\":\"granted\"")
        case .authorized(let authorization):
            line.raw(",\"outcome\":\"granted\",\"granted-by\":\"")
            line.raw(authorization == .given ? "authorization" : "no-authority")
            line.raw("\"")
        case .abandoned:
            line.raw(",\"outcome\":\"abandoned\"")
        case .served:
            line.raw(",\"outcome\":\"served\"")
        }
        if let fields = caller?.fields { line.raw(fields.span) }
        return line.finish()
    }
}

extension AuditEvent.Result {
    /// Returns the same event with the owner's authorization where no passcode is set.
    func proven(by authorization: OwnerAuthorization) -> Self {
        switch (self, authorization) {
        case (.carriedOut, .given), (.carriedOut, .impossible): .authorized(authorization)
        default: self
        }
    }
}

/// The items of an event: their number, and the first of them.
struct AuditedItems: Sendable {
    private(set) var count = 0
    /// Stored separately from the others, because most events have one item, which then needs no allocation.
    private var first: ItemIdentifier?
    private var others: [ItemIdentifier] = []

    /// The number of items that are named. A longer list would be unreadable, and would make large searches slow.
    static let namedLimit = 16

    static let none = AuditedItems()

    init() {}

    /// Creates a count of items without names.
    init(unnamed count: Int) { self.count = count }

    init(_ items: some Sequence<ItemIdentifier>) {
        for item in items { append(item) }
    }

    mutating func append(_ item: ItemIdentifier) {
        if count == 0 { first = item } else if count < Self.namedLimit { others.append(item) }
        count += 1
    }

    fileprivate var isNamed: Bool { first != nil }

    fileprivate func forEachNamed(_ body: (ItemIdentifier) -> Void) {
        if let first { body(first) }
        for item in others { body(item) }
    }
}

extension LineWriter {
    fileprivate mutating func list(_ texts: [String]) {
        raw("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { raw(",") }
            quoted(text)
        }
        raw("]")
    }

    /// Writes the field that names items; nothing if no item is named.
    fileprivate mutating func references(_ items: AuditedItems) {
        guard items.isNamed else { return }
        raw(",\"references\":[\"")
        var isFirst = true
        items.forEachNamed { item in
            if !isFirst { raw("\",\"") }
            isFirst = false
            hexadecimal(item.value)
        }
        raw("\"]")
    }
}

/// A caller, with its part of each audit line: created once and shared by all its requests.
public final class AuditedCaller: Sendable {
    public let caller: Caller
    /// The fields of a line that describe the caller, with the preceding comma.
    fileprivate let fields: [UInt8]

    public init(_ caller: Caller) {
        self.caller = caller
        var line = LineWriter(reserving: 256)
        line.raw(",\"uid\":")
        line.number(Int64(caller.userID))
        line.raw(",\"pid\":")
        line.number(Int64(caller.processID))
        line.raw(",\"tier\":\"")
        line.raw(caller.tier.name)
        line.raw("\",\"program\":")
        line.quoted(caller.displayPath)
        switch caller.identity {
        case .signed(let team, let identifier):
            line.raw(",\"team\":")
            line.quoted(team)
            line.raw(",\"identifier\":")
            line.quoted(identifier)
        case .unsigned(let digest):
            line.raw(",\"sha256\":")
            line.quoted(digest.hexadecimal)
        // The path, and the name of an application, are the field `program`.
        case .unidentified, .command, .installed, .application: break
        }
        if let bridge = caller.bridge {
            line.raw(",\"bridge\":")
            line.quoted(bridge.displayPath)
            line.raw(",\"bridge-pid\":")
            line.number(Int64(bridge.processID))
        }
        fields = line.finish()
    }
}

extension BackupRequest {
    fileprivate var action: String {
        switch self {
        case .begin: "backup-begin"
        case .next: "backup"
        case .cancel: "backup-cancel"
        case .approvePortable: "backup-portable-approve"
        case .beginPortable: "backup-portable-begin"
        }
    }
}

extension RestoreRequest {
    fileprivate var action: String {
        switch self {
        case .begin(let order):
            switch order.mode {
            case .verify: "verify-backup-begin"
            case .dryRun: "restore-rehearsal-begin"
            case .apply: "restore-begin"
            }
        case .records: "restore"
        case .finish: "restore-finish"
        case .cancel: "restore-cancel"
        }
    }
}

extension KeyUse {
    fileprivate var action: String {
        switch self {
        case .sign: "sign-with-key"
        case .decrypt: "decrypt-with-key"
        case .agree: "agree-with-key"
        }
    }
}

extension FileKeychainRequest {
    fileprivate var action: String {
        switch self {
        case .report, .list, .readList: "look-at-keychains"
        case .create: "create-keychain"
        case .delete: "delete-keychain"
        case .lock: "lock-keychain"
        case .lockAll: "lock-all-keychains"
        case .unlock: "unlock-keychain"
        case .change: "set-keychain-settings"
        case .changePassword: "set-keychain-password"
        case .setDefault: "set-default-keychain"
        case .setSearchList, .addToSearchList, .removeFromSearchList: "set-search-list"
        case .adopt: "adopt-keychain"
        case .copy: "copy-keychain"
        case .restore: "restore-keychain"
        case .setPartitions: "set-partition-list"
        }
    }
}

extension LogRequest {
    fileprivate var action: String {
        switch self {
        case .read: "read-log"
        case .verify: "verify-log"
        case .follow: "follow-log"
        }
    }
}
