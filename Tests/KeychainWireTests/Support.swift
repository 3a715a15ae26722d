// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import TestSupport
import Testing

@testable import KeychainWire

extension SeededGenerator {
    mutating func bytes(atMost limit: Int) -> [UInt8] {
        (0..<Int.random(in: 0...limit, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    mutating func text(atMost limit: Int) -> String {
        let scalars: [Unicode.Scalar] = ["a", "Z", "0", "\u{0}", "\n", "\"", "é", "日", "🗝", "\u{301}"]
        var text = ""
        for _ in 0..<Int.random(in: 0...limit, using: &self) {
            text.unicodeScalars.append(scalars.randomElement(using: &self)!)
        }
        return text
    }
}

let testNonce = [UInt8](0xA0...0xAF)

/// The bytes as one frame.
func frame(_ bytes: [UInt8]) throws(WireError) -> Frame {
    var reader = FrameReader()
    try reader.receive(bytes)
    return try reader.frame()
}

func request(_ bytes: [UInt8], nonce: [UInt8] = testNonce) throws(WireError) -> Request<[UInt8]> {
    try Request(try frame(bytes), nonce: nonce) { Array($0) }
}

func replyPart(_ bytes: [UInt8]) throws(WireError) -> ReplyPart<[UInt8]> {
    try ReplyPart(try frame(bytes)) { Array($0) }
}

extension Request where Secret == [UInt8] {
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.add(let a, let b, let c), .add(let x, let y, let z)): a == x && b == y && c == z
        case (.copyMatching(let a, let b, let c), .copyMatching(let x, let y, let z)): a == x && b == y && c == z
        case (.update(let a, let b, let c), .update(let x, let y, let z)): a == x && b == y && c == z
        case (.delete(let a), .delete(let x)): a == x
        case (.explainSearch(let a), .explainSearch(let x)): a == x
        case (.explainAddition(let a), .explainAddition(let x)): a == x
        case (.status, .status), (.watch, .watch), (.requireEntitlements, .requireEntitlements), (.agent, .agent),
            (.behalf, .behalf):
            true
        case (.identity(let a), .identity(let x)): a == x
        case (.grants(let a), .grants(let x)): a == x
        case (.administer(let a), .administer(let x)): a.isSame(as: x)
        case (.backup(let a), .backup(let x)): a.isSame(as: x)
        case (.restore(let a), .restore(let x)): a.isSame(as: x)
        case (.log(let a), .log(let x)): a == x
        case (.key(.generate(let a)), .key(.generate(let x))): a == x
        case (.authentication(let a), .authentication(let x)): a == x
        case (.authenticated(let a, let b), .authenticated(let x, let y)): a.isSame(as: x) && b.isSame(as: y)
        case (.keychainFile(let a), .keychainFile(let x)): a.isSame(as: x)
        case (.inKeychain(let a, let b), .inKeychain(let x, let y)): a == x && b.isSame(as: y)
        case (.watchKeychains(let a), .watchKeychains(let x)): a == x
        case (.key(.use(let a)), .key(.use(let x))):
            a.key == x.key && a.algorithm == x.algorithm && a.input.isSame(as: x.input)
        default: false
        }
    }
}

extension FileKeychainRequest<[UInt8]> {
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.report(let a), .report(let x)), (.delete(let a), .delete(let x)), (.lock(let a), .lock(let x)): a == x
        case (.create(let a, let b), .create(let x, let y)), (.unlock(let a, let b), .unlock(let x, let y)):
            a == x && b == y
        case (.change(let a, let b), .change(let x, let y)): a == x && b == y
        case (.changePassword(let a, let b, let c), .changePassword(let x, let y, let z)): a == x && b == y && c == z
        case (.lockAll, .lockAll), (.list, .list): true
        case (.readList(let a), .readList(let x)): a == x
        case (.setDefault(let a, let b), .setDefault(let x, let y)): a == x && b == y
        case (.setSearchList(let a, let b), .setSearchList(let x, let y)),
            (.addToSearchList(let a, let b), .addToSearchList(let x, let y)),
            (.removeFromSearchList(let a, let b), .removeFromSearchList(let x, let y)):
            a == x && b == y
        case (.adopt(let a, let b, let c), .adopt(let x, let y, let z)): a == x && b == y && c == z
        case (.copy(let a, let b), .copy(let x, let y)), (.restore(let a, let b), .restore(let x, let y)):
            a == x && b == y
        case (.setPartitions(let a, let b, let c, let d), .setPartitions(let x, let y, let z, let w)):
            a == x && b == y && c == z && d == w
        default: false
        }
    }
}

extension RequestAuthentication<[UInt8]> {
    func isSame(as other: Self) -> Bool {
        interaction == other.interaction && reason == other.reason && cancelTitle == other.cancelTitle
            && fallbackTitle == other.fallbackTitle && reuseMilliseconds == other.reuseMilliseconds
            && proofs == other.proofs && applicationPassword == other.applicationPassword
            && keepsProof == other.keepsProof
    }
}

extension KeyWork<[UInt8]>.Input {
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.sign(let a), .sign(let x)), (.decrypt(let a), .decrypt(let x)): a == x
        case (.agree(let a), .agree(let x)): a == x
        default: false
        }
    }
}

extension AdministrationRequest where Secret == [UInt8] {
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.unlock(let a), .unlock(let x)), (.verify(let a), .verify(let x)): a.isSame(as: x)
        case (.lock, .lock), (.listProtectors, .listProtectors), (.readSettings, .readSettings),
            (.readTokens, .readTokens), (.readFigures, .readFigures), (.listTeams, .listTeams),
            (.listDevelopmentFolders, .listDevelopmentFolders):
            true
        case (.setPasscode(let a, let b), .setPasscode(let x, let y)): a == x && isSame(b, y)
        case (.removePasscode(let a), .removePasscode(let x)): a.isSame(as: x)
        case (.addProtector(let a, let b, let c), .addProtector(let x, let y, let z)):
            a.isSame(as: x) && b == y && c.isSame(as: z)
        case (.removeProtector(let a, let b), .removeProtector(let x, let y)): a == x && b.isSame(as: y)
        case (.moveDeviceKey(let a, let b), .moveDeviceKey(let x, let y)):
            a.place == x.place && a.pin == x.pin && a.newPIN == x.newPIN && isSame(b, y)
        case (.openDeviceKey(let a), .openDeviceKey(let x)): a == x
        case (.trustTeam(let a, let b), .trustTeam(let x, let y)): a == x && isSame(b, y)
        case (.distrustTeam(let a), .distrustTeam(let x)): a == x
        case (.trustFolder(let a, let b), .trustFolder(let x, let y)): a == x && isSame(b, y)
        case (.revokeFolder(let a), .revokeFolder(let x)): a == x
        case (.acceptContents(let a), .acceptContents(let x)): isSame(a, x)
        case (.changeSettings(let a, let b), .changeSettings(let x, let y)): a == x && isSame(b, y)
        default: false
        }
    }

    private func isSame(_ a: ProtectorSecret<[UInt8]>?, _ b: ProtectorSecret<[UInt8]>?) -> Bool {
        a?.kind == b?.kind && a?.bytes == b?.bytes
    }
}

extension BackupRequest where Secret == [UInt8] {
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.begin(let a, let b), .begin(let x, let y)):
            a.kind == x.kind && a.bytes == x.bytes && b?.kind == y?.kind && b?.bytes == y?.bytes
        case (.next(let a), .next(let x)), (.cancel(let a), .cancel(let x)): a == x
        case (.approvePortable, .approvePortable): true
        case (.beginPortable(let a, let b), .beginPortable(let x, let y)):
            a.kind == x.kind && a.bytes == x.bytes && b == y
        default: false
        }
    }
}

extension RestoreRequest where Secret == [UInt8] {
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.begin(let a), .begin(let x)):
            a.header == x.header && a.secret.kind == x.secret.kind && a.secret.bytes == x.secret.bytes
                && a.proof?.kind == x.proof?.kind && a.proof?.bytes == x.proof?.bytes && a.mode == x.mode
                && a.replacesNewer == x.replacesNewer
        case (.records(let a, let b), .records(let x, let y)): a == x && Array(b) == Array(y)
        case (.finish(let a), .finish(let x)), (.cancel(let a), .cancel(let x)): a == x
        default: false
        }
    }
}

extension ProtectorSecret where Bytes == [UInt8] {
    func isSame(as other: Self) -> Bool { kind == other.kind && bytes == other.bytes }
}

extension ReturnedItem where Secret == [UInt8] {
    func isSame(as other: Self) -> Bool {
        reference == other.reference && attributes == other.attributes && secret == other.secret
            && needsApproval == other.needsApproval
    }
}

// MARK: Random content

extension SeededGenerator {
    mutating func attributes(for use: AttributeUse) throws -> ItemAttributes {
        try attributes(of: .genericPassword, for: use)
    }

    mutating func attributes(of itemClass: ItemClass, for use: AttributeUse) throws -> ItemAttributes {
        let schema = try #require(ItemSchema.schema(for: itemClass))
        var entries: [ItemAttributes.Entry] = []
        for definition in schema.attributes where definition.uses.isSuperset(of: use) && Bool.random(using: &self) {
            entries.append(.init(definition.key, value(definition.kind)))
        }
        return try ItemAttributes(itemClass, for: use, entries.shuffled(using: &self))
    }

    private mutating func value(_ kind: AttributeKind) -> AttributeValue {
        switch kind {
        case .blob:
            switch Int.random(in: 0...2, using: &self) {
            case 0: .string(text(atMost: 40))
            case 1: .data(bytes(atMost: 40))
            default: .number(Int64.random(in: .min ... .max, using: &self))
            }
        case .text: .string(text(atMost: 40))
        case .bytes: .data(bytes(atMost: 40))
        case .number: .number(Int64.random(in: .min ... .max, using: &self))
        case .date: .date(Timestamp(secondsSinceReferenceDate: Double.random(in: -1e12...1e12, using: &self)))
        case .flag: .number(Int64.random(in: 0...1, using: &self))
        case .accessibility: .string(Accessibility.allCases.randomElement(using: &self)!.code)
        case .accessControl:
            .accessControl(AccessControl(protection: Accessibility.allCases.randomElement(using: &self)!))
        case .lookupAttributes:
            // Within the limits.
            .data(try! LookupAttributes([text(atMost: 40): text(atMost: 40)]).encoded)
        }
    }

    mutating func reference() -> PersistentReference {
        let row = Bool.random(using: &self)
        let bytes = Array("genp".utf8) + (0..<(row ? 8 : 16)).map { _ in UInt8.random(in: 0...255, using: &self) }
        return PersistentReference(bytes: bytes)!
    }

    mutating func query() throws -> ItemQuery {
        let itemClass: ItemClass = Bool.random(using: &self) ? .genericPassword : .internetPassword
        var query = ItemQuery(itemClass)
        query.attributes = try attributes(of: itemClass, for: .query)
        query.textMatching = TextMatching(rawValue: UInt8.random(in: 0...7, using: &self))
        if itemClass == .internetPassword, Bool.random(using: &self) { query.hostOrSubdomain = text(atMost: 100) }
        if Bool.random(using: &self) { query.containedText = "t" + text(atMost: 100) }
        query.synchronizable = [.localOnly, .synchronizableOnly, .any].randomElement(using: &self)!
        if Bool.random(using: &self) { query.accessGroup = text(atMost: 100) }
        if Bool.random(using: &self) { query.persistentReference = reference() }
        return query
    }

    mutating func parts(_ highest: UInt8 = 15) -> ReturnedParts {
        ReturnedParts(rawValue: UInt8.random(in: 0...highest, using: &self))
    }

    mutating func secret() -> [UInt8]? { Bool.random(using: &self) ? bytes(atMost: 300) : nil }

    mutating func request() throws -> Request<[UInt8]> {
        switch Int.random(in: 0...26, using: &self) {
        case 26: return .behalf
        case 25: return .watchKeychains(noticeFilter())
        case 21: return .keychainFile(fileKeychainRequest())
        case 22...23:
            while true {
                let inner = try request()
                if inner.isAboutItems { return .inKeychain(path(), inner) }
            }
        case 24: return .agent
        case 16...17: return .key(try keyRequest())
        case 18: return .authentication(authenticationRequest())
        case 19...20:
            while true {
                let inner = try request()
                if inner.mayNeedAuthentication { return .authenticated(requestAuthentication(), inner) }
            }
        case 11: return .identity(identitySubject())
        case 12: return .grants(grantRequest())
        case 13: return .requireEntitlements
        case 14...15: return .log(logRequest())
        case 8...10: return .administer(administration())
        case 6: return .explainSearch(try query())
        case 7: return .explainAddition(try attributes(for: .add))
        case 0: return .add(try attributes(for: .add), secret: secret(), returning: parts())
        case 1:
            let limit: MatchLimit = [.one, .all, .atMost(2), .atMost(.max)].randomElement(using: &self)!
            return .copyMatching(try query(), limit: limit, returning: parts(31))
        case 2:
            let query = try query()
            let changes = try attributes(of: query.itemClass, for: .update)
            return .update(query, changes: changes, secret: secret())
        case 3: return .delete(try query())
        case 4: return .status
        default: return .watch
        }
    }

    private mutating func path() -> String { "/" + text(atMost: 60).filter { $0 != "\0" } }

    mutating func fileKeychainReport() -> FileKeychainReport {
        let seconds: UInt32? = Bool.random(using: &self) ? .random(in: 0 ... .max, using: &self) : nil
        let settings = FileKeychainSettings(locksOnSleep: Bool.random(using: &self), idleLockSeconds: seconds)
        return FileKeychainReport(
            path: path(), state: FileKeychainReport.State.allCases.randomElement(using: &self)!,
            settings: Bool.random(using: &self) ? settings : nil, isDamaged: Bool.random(using: &self))
    }

    private mutating func fileKeychainRequest() -> FileKeychainRequest<[UInt8]> {
        let domain = PreferencesDomain.allCases.randomElement(using: &self)!
        switch Int.random(in: 0...14, using: &self) {
        case 0: return .report(path())
        case 1: return .create(path(), password: secret())
        case 2: return .delete(path())
        case 3: return .lock(path())
        case 4: return .lockAll
        case 5: return .unlock(path(), password: secret())
        case 6:
            let seconds: UInt32? = Bool.random(using: &self) ? .random(in: 0 ... .max, using: &self) : nil
            return .change(
                path(), FileKeychainSettings(locksOnSleep: Bool.random(using: &self), idleLockSeconds: seconds))
        case 7: return .changePassword(path(), old: secret(), new: secret())
        case 8: return .list
        case 9: return .readList(domain)
        case 10: return .setDefault(domain, Bool.random(using: &self) ? path() : nil)
        case 11: return .addToSearchList(domain, paths())
        case 12: return .removeFromSearchList(domain, paths())
        case 13: return .adopt(domain, path(), replacing: Bool.random(using: &self) ? path() : nil)
        case 14: return .copy(path(), to: path())
        case 15: return .restore(path(), from: path())
        case 16:
            return .setPartitions(
                path(), (0..<Int.random(in: 0...3, using: &self)).map { _ in reference() },
                [.installed, .unsigned].filter { _ in Bool.random(using: &self) }, password: secret())
        default: return .setSearchList(domain, paths())
        }
    }

    private mutating func paths() -> [String] { (0..<Int.random(in: 0...3, using: &self)).map { _ in path() } }

    private mutating func noticeFilter() -> KeychainNoticeFilter {
        KeychainNoticeFilter(
            kinds: .random(in: 0 ... .max, using: &self),
            places: [.files, .dataProtection, .all].randomElement(using: &self)!)
    }

    mutating func keychainNotice() -> KeychainNotice {
        KeychainNotice(
            KeychainNotice.Kind.allCases.randomElement(using: &self)!, in: Bool.random(using: &self) ? path() : nil,
            Bool.random(using: &self) ? reference() : nil, by: .random(in: 0 ... .max, using: &self))
    }

    private mutating func authenticationRequest() -> AuthenticationRequest {
        switch Int.random(in: 0...4, using: &self) {
        case 0: .state
        case 3: .unlock
        case 4: .unlockByPrompt
        case 1: .evaluate(AuthenticationPolicy.allCases.randomElement(using: &self)!)
        default:
            .evaluateAccessControl(
                AccessControl(
                    protection: Accessibility.allCases.randomElement(using: &self)!,
                    flags: [.userPresence, .applicationPassword])!,
                AccessControlOperation.allCases.randomElement(using: &self)!)
        }
    }

    mutating func requestAuthentication() -> RequestAuthentication<[UInt8]> {
        var authentication = RequestAuthentication<[UInt8]>()
        authentication.interaction = RequestAuthentication.Interaction.allCases.randomElement(using: &self)!
        if Bool.random(using: &self) { authentication.reason = text(atMost: 60) }
        if Bool.random(using: &self) { authentication.cancelTitle = text(atMost: 20) }
        if Bool.random(using: &self) { authentication.fallbackTitle = text(atMost: 20) }
        authentication.reuseMilliseconds = .random(in: 0 ... .max, using: &self)
        authentication.proofs = (0..<Int.random(in: 0...WireLimits.proofs, using: &self)).map { _ in
            bytes(atMost: WireLimits.proofBytes)
        }
        authentication.applicationPassword = secret()
        authentication.keepsProof = Bool.random(using: &self)
        return authentication
    }

    private mutating func keyRequest() throws -> KeyRequest<[UInt8]> {
        let key = PersistentReference(
            itemClass: .key, item: ItemIdentifier(value: .random(in: 0 ... .max, using: &self)))
        let input: KeyWork<[UInt8]>.Input
        switch Int.random(in: 0...3, using: &self) {
        case 0: return .generate(try attributes(of: .key, for: .add))
        case 1: input = .sign(bytes(atMost: 300))
        case 2: input = .decrypt(bytes(atMost: 300))
        default:
            input = .agree(
                KeyAgreement(
                    publicKey: bytes(atMost: WireLimits.publicKeyBytes),
                    requestedSize: Bool.random(using: &self) ? .random(in: 0 ... .max, using: &self) : nil,
                    sharedInfo: bytes(atMost: 300)))
        }
        let used = Bool.random(using: &self) ? UsedKey.stored(key) : .sealed(bytes(atMost: 300))
        return .use(KeyWork(used, algorithm: text(atMost: 30), input))
    }

    private mutating func logRequest() -> LogRequest {
        switch Int.random(in: 0...3, using: &self) {
        case 0: return .verify
        case 1: return .follow
        default:
            func maybe<T>(_ value: (inout SeededGenerator) -> T, _ generator: inout SeededGenerator) -> T? {
                Bool.random(using: &generator) ? value(&generator) : nil
            }
            func moment(_ generator: inout SeededGenerator) -> Timestamp {
                Timestamp(secondsSinceReferenceDate: Double.random(in: -1e12...1e12, using: &generator))
            }
            var filter = AuditFilter()
            filter.since = maybe(moment, &self)
            filter.until = maybe(moment, &self)
            filter.program = maybe({ $0.text(atMost: 40) }, &self)
            filter.action = maybe({ $0.text(atMost: 10) }, &self)
            filter.outcome = maybe({ $0.text(atMost: 10) }, &self)
            filter.item = maybe({ ItemIdentifier(value: .random(in: 0 ... .max, using: &$0)) }, &self)
            filter.userID = maybe({ .random(in: 0 ... .max, using: &$0) }, &self)
            return .read(
                filter, LogRequest.Order.allCases.randomElement(using: &self)!,
                from: maybe({ AuditCursor(file: $0.next(), offset: $0.next()) }, &self),
                limit: .random(in: 0 ... .max, using: &self))
        }
    }

    mutating func auditPage() -> AuditPage {
        var page = AuditPage(next: AuditCursor(file: next(), offset: next()))
        page.isEnd = Bool.random(using: &self)
        page.damagedCount = UInt32.random(in: 0...9, using: &self)
        page.lines = (0..<Int.random(in: 0...5, using: &self)).map { _ in bytes(atMost: 90) }
        return page
    }

    mutating func auditVerification() -> AuditVerification {
        var result = AuditVerification()
        (result.lineCount, result.fileCount, result.first, result.last) = (next(), 3, next(), next())
        for _ in 0..<Int.random(in: 0...70, using: &self) {
            let kind = AuditVerification.Problem.Kind.allCases.randomElement(using: &self)!
            result.note(.init(kind, next(), next(), file: text(atMost: 9), lineInFile: next()))
        }
        for _ in 0..<Int.random(in: 0...70, using: &self) {
            let kind = AuditVerification.Gap.Kind.allCases.randomElement(using: &self)!
            result.note(.init(kind, sequence: next(), lineCount: next()))
        }
        return result
    }

    private mutating func protectorSecret() -> ProtectorSecret<[UInt8]> {
        ProtectorSecret(ProtectorKind.allCases.randomElement(using: &self)!, bytes(atMost: 1024))
    }

    private mutating func administration() -> AdministrationRequest<[UInt8]> {
        switch Int.random(in: 0...16, using: &self) {
        case 13: return .listDevelopmentFolders
        case 14: return .trustFolder(text(atMost: 26), proof: Bool.random(using: &self) ? protectorSecret() : nil)
        case 15: return .revokeFolder(text(atMost: 26))
        case 9: return .readFigures
        case 10: return .listTeams
        case 11: return .trustTeam(text(atMost: 26), proof: Bool.random(using: &self) ? protectorSecret() : nil)
        case 12: return .distrustTeam(text(atMost: 26))
        case 0: return .unlock(protectorSecret())
        case 1: return .lock
        case 2: return .listProtectors
        case 3: return .verify(protectorSecret())
        case 4: return .setPasscode(bytes(atMost: 1024), proof: Bool.random(using: &self) ? protectorSecret() : nil)
        case 5: return .removePasscode(proof: protectorSecret())
        case 6: return .addProtector(protectorSecret(), label: text(atMost: 16), proof: protectorSecret())
        case 7: return .removeProtector(UInt32.random(in: 0 ... .max, using: &self), proof: protectorSecret())
        case 8: return .readSettings
        default:
            var settings: [Setting: UInt64] = [:]
            for setting in Setting.allCases where Bool.random(using: &self) {
                settings[setting] = UInt64.random(in: 0 ... .max, using: &self)
            }
            return .changeSettings(settings, proof: Bool.random(using: &self) ? protectorSecret() : nil)
        }
    }

    mutating func figures() -> ServiceFigures {
        var generator = self
        defer { self = generator }
        func next() -> UInt64 { UInt64.random(in: 0 ... .max, using: &generator) }
        func few() -> UInt64 { UInt64.random(in: 0...1_000_000, using: &generator) }
        func some<T>(_ all: [T]) -> [T] { all.filter { _ in Bool.random(using: &generator) } }
        func moment() -> Timestamp { Timestamp(secondsSinceReferenceDate: Double(few())) }
        let kinds = some(RequestKind.allCases)
        let requests = kinds.map { kind in
            let histogram = (0...ServiceFigures.Requests.bounds.count).map { _ in few() }
            let (notFound, refused) = (histogram[0], histogram[1])
            return ServiceFigures.Requests(
                kind, served: histogram.dropFirst(3).reduce(0, +), notFound: notFound, refused: refused,
                abandoned: histogram[2], nanoseconds: next(), slowestNanoseconds: next(), histogram: histogram)
        }
        return ServiceFigures(
            version: generator.text(atMost: 20), lockState: LockState.allCases.randomElement(using: &generator)!,
            since: moment(), uptimeSeconds: next(),
            items: Dictionary(uniqueKeysWithValues: some(ItemClass.allCases).map { ($0, next()) }), unreadable: next(),
            sizes: some(ServiceFigures.FileSize.Kind.allCases).map {
                .init($0, files: UInt32(few()), bytes: next())
            },
            keychainFiles: (0..<Int.random(in: 0...9, using: &generator)).map {
                .init(
                    path: "/\($0)" + generator.text(atMost: 30), bytes: next(), logBytes: next(),
                    isDamaged: Bool.random(using: &generator))
            },
            queues: some(ServiceFigures.Queue.Kind.allCases).map {
                .init($0, now: next(), most: Bool.random(using: &generator) ? next() : nil, bound: next())
            },
            caches: some(ServiceFigures.Cache.Kind.allCases).map {
                .init($0, hits: next(), misses: next(), size: next(), bound: next())
            },
            requests: requests,
            refusals: some(Refusal.Reason.allCases).prefix(32).map {
                .init(
                    Refusal(StatusCode(rawValue: Int32(truncatingIfNeeded: next())), $0), count: next(), last: moment())
            })
    }

    private mutating func identitySubject() -> IdentitySubject {
        switch Int.random(in: 0...2, using: &self) {
        case 0: .caller
        case 1: .process(Int32.random(in: .min ... .max, using: &self))
        default: .program(path: text(atMost: 99))
        }
    }

    private mutating func grantRequest() -> GrantRequest {
        switch Int.random(in: 0...4, using: &self) {
        case 0: .list(after: UInt64.random(in: 0 ... .max, using: &self))
        case 1: .revoke(.number(UInt64.random(in: 0 ... .max, using: &self)))
        case 2: .revoke(.all)
        case 3: .listApprovals
        default: .revoke(.program(identity()))
        }
    }

    private mutating func identity() -> ProgramIdentity {
        switch Int.random(in: 0...5, using: &self) {
        case 0: .unidentified
        case 1: .command
        case 2: .signed(team: text(atMost: 30), identifier: text(atMost: 30))
        case 3: .installed(path: text(atMost: 99))
        case 4: .application(name: text(atMost: 99))
        default: .unsigned(digest: bytes(atMost: 64))
        }
    }

    private mutating func texts() -> [String] {
        (0..<Int.random(in: 0...5, using: &self)).map { _ in text(atMost: 30) }
    }

    private mutating func entitlement() -> Entitlement {
        let key = text(atMost: 30)
        return switch Int.random(in: 0...2, using: &self) {
        case 0: Entitlement(key: key, value: .bool(Bool.random(using: &self)))
        case 1: Entitlement(key: key, value: .text(text(atMost: 30)))
        default: Entitlement(key: key, value: .list(texts()))
        }
    }

    mutating func callerReport() -> CallerReport {
        CallerReport(
            userID: UInt32.random(in: 0 ... .max, using: &self),
            processID: Int32.random(in: .min ... .max, using: &self),
            tier: CallerTier.allCases.randomElement(using: &self)!, identity: identity(),
            enforcement: [nil, .setgid, .fileCapability, .ownUser, .systemUnit(text(atMost: 30))]
                .randomElement(using: &self)!,
            path: text(atMost: 99), accessGroups: texts(), hasEntitledGroups: Bool.random(using: &self),
            entitlements: (0..<Int.random(in: 0...5, using: &self)).map { _ in entitlement() },
            findings: CallerFinding.allCases.filter { _ in Bool.random(using: &self) },
            isAdministrationTool: Bool.random(using: &self))
    }

    mutating func approvalList() -> ApprovalList {
        ApprovalList(
            (0..<Int.random(in: 0...9, using: &self)).map { _ in
                ListedApproval(
                    identity: identity(), process: UInt32.random(in: 0 ... .max, using: &self), path: text(atMost: 99),
                    bridgePath: text(atMost: 99), itemCount: UInt32.random(in: 0 ... .max, using: &self))
            })
    }

    mutating func grantPage() -> GrantPage {
        let grants = (0..<Int.random(in: 0...9, using: &self)).map { _ in
            let itemClass = ItemClass.allCases.randomElement(using: &self)!
            let grant = RememberedGrant(
                number: UInt64.random(in: 0 ... .max, using: &self), identity: identity(),
                tier: CallerTier.allCases.randomElement(using: &self)!,
                operation: GrantableOperation.allCases.randomElement(using: &self)!, itemClass: itemClass,
                item: ItemIdentifier(value: UInt128.random(in: 0 ... .max, using: &self)),
                date: Timestamp(secondsSinceReferenceDate: Double.random(in: -1e12...1e12, using: &self)))
            let names = ItemNames(
                itemClass: itemClass, label: text(atMost: 99), place: text(atMost: 99), account: text(atMost: 99))
            return ListedGrant(grant, names: Bool.random(using: &self) ? names : nil)
        }
        return GrantPage(grants, next: Bool.random(using: &self) ? UInt64.random(in: 0 ... .max, using: &self) : nil)
    }

    mutating func explanation() -> Explanation {
        func filter(_ generator: inout SeededGenerator) -> Explanation.Filter {
            [.host, .text, .attribute(.account)].randomElement(using: &generator)!
        }
        return Explanation(
            (0..<Int.random(in: 0...20, using: &self)).map { _ in
                let count = Int.random(in: 0...1000, using: &self)
                switch Int.random(in: 0...4, using: &self) {
                case 0: return .candidates(count)
                case 1: return .narrowed(by: filter(&self), to: count)
                case 2: return .without(filter(&self), matches: count)
                case 3:
                    return .overlooking(TextMatching(rawValue: UInt8.random(in: 0...7, using: &self)), matches: count)
                default: return .existing(reference())
                }
            })
    }

    mutating func item() throws -> ReturnedItem<[UInt8]> {
        let secret = secret()
        return ReturnedItem(
            reference: reference(), attributes: Bool.random(using: &self) ? try attributes(for: []) : nil,
            secret: secret, needsApproval: secret == nil && Bool.random(using: &self))
    }
}

/// One frame of each kind, with something in every field.
func framesOfAllKinds() throws -> [[UInt8]] {
    var generator = SeededGenerator(seed: 1)
    var frames = [Hello(nonce: testNonce).frame, Greeting.frame(nonce: testNonce)]
    var query = ItemQuery(.genericPassword)
    query.attributes = try ItemAttributes(
        .genericPassword, for: .query, [.init(.account, .string("ann")), .init(.generic, .data([1, 2]))])
    query.accessGroup = "g"
    query.persistentReference = generator.reference()
    let attributes = try ItemAttributes(
        .genericPassword, for: .add,
        [
            .init(.account, .string("ünn")), .init(.generic, .data([0, 1])), .init(.creator, .number(7)),
            .init(.creationDate, .date(Timestamp(secondsSinceReferenceDate: 1))),
            .init(.accessControl, .accessControl(AccessControl(protection: .always))),
        ])
    var auditFilter = AuditFilter()
    auditFilter.since = Timestamp(secondsSinceReferenceDate: 1)
    auditFilter.until = Timestamp(secondsSinceReferenceDate: 2)
    (auditFilter.program, auditFilter.action, auditFilter.outcome) = ("/p", "add", "granted")
    (auditFilter.item, auditFilter.userID) = (ItemIdentifier(value: 3), 4)
    let key = PersistentReference(itemClass: .key, item: ItemIdentifier(value: 8))
    let requests: [Request<[UInt8]>] = [
        .add(attributes, secret: Array("secret".utf8), returning: .all),
        .copyMatching(query, limit: .atMost(3), returning: [.data]),
        .update(query, changes: attributes, secret: [1]), .delete(query), .status, .watch,
        .backup(.begin(BackupSecret(.passphrase, [49]), proof: ProtectorSecret(.passcode, [50]))),
        .backup(.next(JobToken(bytes: testNonce))), .backup(.cancel(JobToken(bytes: testNonce))),
        .backup(.approvePortable),
        .backup(.beginPortable(BackupSecret(.passphrase, [49]), approval: JobToken(bytes: testNonce))),
        .restore(
            .begin(
                RestoreOrder(
                    header: [1, 2], secret: BackupSecret(.recoveryKey, [3]), proof: nil, mode: .dryRun,
                    replacesNewer: false))),
        .restore(.records(JobToken(bytes: testNonce), [4, 5])), .restore(.finish(JobToken(bytes: testNonce))),
        .restore(.cancel(JobToken(bytes: testNonce))),
        .log(.read(auditFilter, .newestFirst, from: AuditCursor(file: 1, offset: 2), limit: 3)), .log(.verify),
        .log(.follow), .explainSearch(query), .explainAddition(attributes),
        .administer(.unlock(ProtectorSecret(.passcode, [49]))),
        .administer(.setPasscode([49], proof: ProtectorSecret(.recoveryKey, [0, 1]))),
        .administer(
            .addProtector(
                ProtectorSecret(.credential, [2, 3]), label: "l", proof: ProtectorSecret(.passcode, [49]))),
        .administer(.removeProtector(3, proof: ProtectorSecret(.passcode, [49]))),
        .administer(.changeSettings([.locksOnSleep: 1, .snapshotDays: 7], proof: ProtectorSecret(.passcode, [49]))),
        .identity(.caller), .identity(.process(7)), .identity(.program(path: "/p")), .requireEntitlements, .agent,
        .behalf,
        .grants(.list(after: 3)), .grants(.revoke(.number(4))), .grants(.revoke(.all)),
        .grants(.revoke(.program(.signed(team: "t", identifier: "i")))),
        .key(.use(KeyWork(key, algorithm: "a", .sign([1, 2])))),
        .key(.use(KeyWork(key, algorithm: "b", .decrypt([3])))),
        .key(.use(KeyWork(.sealed([8, 9]), algorithm: "d", .sign([1, 2])))),
        .key(
            .use(
                KeyWork(
                    key, algorithm: "c", .agree(KeyAgreement(publicKey: [4, 5], requestedSize: 6, sharedInfo: [7]))))),
        .key(.generate(try ItemAttributes(.key, for: .add, [.init(.type, .number(73))]))),
        .authentication(.state), .authentication(.unlock), .authentication(.evaluate(.owner)),
        .authentication(
            .evaluateAccessControl(AccessControl(protection: .whenUnlocked, flags: .devicePasscode)!, .useItem)),
        .authenticated(generator.requestAuthentication(), .copyMatching(query, limit: .one, returning: [.data])),
        .authenticated(generator.requestAuthentication(), .authentication(.evaluate(.biometry))),
        .keychainFile(.create("/a", password: [1])), .keychainFile(.changePassword("b", old: nil, new: [2])),
        .keychainFile(.setPartitions("p", [], [.installed], password: [3])),
        .keychainFile(.change("c", .initial)), .keychainFile(.setSearchList(.user, ["d", "e"])),
        .keychainFile(.addToSearchList(.user, ["d"])), .keychainFile(.removeFromSearchList(.user, ["e"])),
        .keychainFile(.adopt(.user, "d", replacing: "e")), .watchKeychains(KeychainNoticeFilter([.added])),
        .inKeychain("/f", .copyMatching(query, limit: .one, returning: [.data])),
        .authenticated(generator.requestAuthentication(), .inKeychain("/g", .delete(query))),
    ]
    frames += requests.map { $0.frame(nonce: testNonce) }
    var writer = ReplyWriter()
    let item = ReturnedItem<[UInt8]>(
        reference: generator.reference(), attributes: attributes, secret: Array("secret".utf8))
    _ = writer.append(item)
    let reply = writer.finish()
    var items = reply
    items[1] = FrameKind.items.rawValue
    frames += [reply, items, ReplyWriter.refusal(Refusal(.interactionNotAllowed, .locked))]
    frames.append(ItemChange(.deleted, generator.reference()).frame)
    frames.append(WatchedEvent.lockState(.unlocked).frame)
    frames.append(KeychainNotice(.added, in: "/a", generator.reference(), by: 7).frame)
    frames.append(ProofFrame([1, 2, 3]).frame)
    frames.append(generator.figures().frame)
    frames.append(AgentQuestion(number: 1, prompt: [1, 2]).frame)
    frames.append(AgentWithdrawal(number: 2).frame)
    frames.append(AgentAnswer.frame(to: 3, reply: [3], nonce: testNonce))
    frames.append(LogEvent.line(Array("{}".utf8)).frame)
    frames.append(
        ServiceStatus(
            version: "1", lockState: .locked, callerTier: .installed, callerPath: "/p", accessGroups: ["a", "b"],
            itemCount: 1,
            unreadableCount: 0, protections: ["x"], contents: .changed(rowsMore: -1)
        ).frame)
    frames.append(
        Explanation([
            .candidates(3), .narrowed(by: .attribute(.account), to: 1), .without(.host, matches: 2),
            .overlooking(.caseInsensitive, matches: 1), .existing(generator.reference()),
            .inOtherGroup("TEAM.group", matches: 2),
        ]).frame)
    frames.append(
        CallerReport(
            userID: 1, processID: 2, tier: .enforced, identity: .unsigned(digest: [3, 4]),
            enforcement: .systemUnit("u"), path: "/p", accessGroups: ["a"], hasEntitledGroups: true,
            entitlements: [
                Entitlement(key: "b", value: .bool(true)), Entitlement(key: "l", value: .list(["é"])),
                Entitlement(key: "t", value: .text("x")),
            ], findings: [.noSignature, .notShielded], isAdministrationTool: false
        ).frame)
    frames.append(
        GrantPage(
            [
                ListedGrant(
                    RememberedGrant(
                        number: 1, identity: .installed(path: "/p"), tier: .installed, operation: .update,
                        itemClass: .genericPassword, item: ItemIdentifier(value: 5),
                        date: Timestamp(secondsSinceReferenceDate: 6)),
                    names: ItemNames(itemClass: .genericPassword, label: "l", place: "p", account: "é"))
            ], next: 7
        ).frame)
    return frames
}

/// An answer about the keychain as a whole, of each kind.
func administrationAnswers() -> [[UInt8]] {
    [
        ProtectorReport(
            protectors: [
                ProtectorDescription(
                    number: 2, kind: .passcode, added: Timestamp(secondsSinceReferenceDate: 1), label: "é")
            ], failedAttempts: 1, retryAfterSeconds: 2
        ).frame,
        AddedProtector(number: 5).frame, SettingsReport([.snapshotDays: 7, .locksOnSleep: 0]).frame,
        RevokedGrants(count: 3).frame,
        auditPageExample.frame, auditVerificationExample.frame, KeyResult([1, 2, 3] as [UInt8]).frame,
        FileKeychainAnswer([FileKeychainReport(path: "/a", state: .locked, settings: .initial, isDamaged: true)]).frame,
    ]
}

private var auditPageExample: AuditPage {
    var page = AuditPage(next: AuditCursor(file: 1, offset: 2))
    page.lines = [Array("{}".utf8), Array("line".utf8)]
    page.damagedCount = 1
    return page
}

private var auditVerificationExample: AuditVerification {
    var result = AuditVerification()
    (result.lineCount, result.fileCount, result.first, result.last) = (9, 2, 3, 12)
    result.note(.init(.missingLines, 5, 7, file: "audit.log.1", lineInFile: 3))
    result.note(.init(.unwrittenLines, sequence: 9, lineCount: 2))
    return result
}

/// Everything that can be made of these bytes, by any receiver. Nil: all of them refused.
func decodeEverything(_ bytes: [UInt8]) -> Int {
    guard let frame = try? frame(bytes) else { return 0 }
    var understood = 0
    if (try? Request<[UInt8]>(frame, nonce: testNonce) { Array($0) }) != nil { understood += 1 }
    if (try? ReplyPart<[UInt8]>(frame) { Array($0) }) != nil { understood += 1 }
    if (try? Hello(frame)) != nil { understood += 1 }
    if (try? WatchedEvent(frame)) != nil { understood += 1 }
    if (try? KeychainNotice(frame)) != nil { understood += 1 }
    if frame.kind == .logLine, (try? LogEvent(frame)) != nil { understood += 1 }
    if (try? AgentQuestion(frame)) != nil { understood += 1 }
    if (try? AgentWithdrawal(frame)) != nil { understood += 1 }
    if (try? AgentAnswer(frame, nonce: testNonce) { Array($0) }) != nil { understood += 1 }
    if (try? ServiceStatus(frame)) != nil { understood += 1 }
    if (try? Explanation(frame)) != nil { understood += 1 }
    if (try? CallerReport(frame)) != nil { understood += 1 }
    if (try? GrantPage(frame)) != nil { understood += 1 }
    if (try? ServiceFigures(frame)) != nil { understood += 1 }
    return understood
}
