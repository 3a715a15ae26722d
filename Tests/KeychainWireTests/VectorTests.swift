// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import Testing

@testable import KeychainWire

/// TestVectors/protocol-v1.json: the bytes of version 1, which never change.
struct VectorTests {
    private struct File: Decodable {
        struct Vector: Decodable {
            let name: String
            let frame: String
        }
        let version: UInt8
        let vectors: [Vector]
    }

    private let frames: [String: [UInt8]]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "TestVectors/protocol-v1.json"))
        let file = try JSONDecoder().decode(File.self, from: data)
        #expect(file.version == FrameHeader.version)
        frames = Dictionary(uniqueKeysWithValues: file.vectors.map { ($0.name, Self.bytes($0.frame)) })
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)!
        }
    }

    private static let reference = PersistentReference(
        itemClass: .genericPassword, item: ItemIdentifier(bytes: Array(0x10...0x1F))!)

    private static func attributes(
        _ use: AttributeUse, _ entries: [(AttributeKey, AttributeValue)]
    ) throws -> ItemAttributes {
        try ItemAttributes(.genericPassword, for: use, entries.map { .init($0.0, $0.1) })
    }

    private static func requests() throws -> [String: Request<[UInt8]>] {
        var byService = ItemQuery(.genericPassword)
        byService.attributes = try attributes(.query, [(.service, .string("mail"))])
        var byAccount = ItemQuery(.genericPassword)
        byAccount.attributes = try attributes(.query, [(.account, .string("ann"))])
        var byReference = ItemQuery(.genericPassword)
        byReference.synchronizable = .any
        byReference.accessGroup = "installed:/usr/bin/p"
        byReference.persistentReference = reference
        var byRow = ItemQuery(.genericPassword)
        byRow.synchronizable = .synchronizableOnly
        byRow.persistentReference = PersistentReference(bytes: Array("genp".utf8) + [0, 0, 0, 0, 0, 0, 0, 7])
        var byHost = ItemQuery(.internetPassword)
        byHost.hostOrSubdomain = "example.com"
        byHost.textMatching = [.caseInsensitive, .widthInsensitive]
        var byText = ItemQuery(.genericPassword)
        byText.synchronizable = .any
        byText.containedText = "Bücher"
        var filter = AuditFilter()
        filter.since = Timestamp(secondsSinceReferenceDate: 800_000_000.5)
        (filter.program, filter.action, filter.userID) = ("/usr/bin/p", "add", 1000)
        filter.item = ItemIdentifier(bytes: Array(0x10...0x1F))
        return [
            "copy-matching-host": .copyMatching(byHost, limit: .one, returning: .attributes),
            "copy-matching-text": .copyMatching(byText, limit: .all, returning: .attributes),
            "add": .add(
                try attributes(.add, [(.account, .string("ann")), (.service, .string("mail"))]),
                secret: Array("secret".utf8), returning: []),
            "add-every-type": .add(
                try attributes(
                    .add,
                    [
                        (.accessControl, .accessControl(AccessControl(protection: .whenUnlocked))),
                        (.account, .string("ü")),
                        (.creationDate, .date(Timestamp(secondsSinceReferenceDate: 800_000_000.5))),
                        (.creator, .number(-2)), (.generic, .data([0, 0xFF])),
                    ]), secret: nil, returning: .all),
            "copy-matching-one": .copyMatching(byService, limit: .one, returning: .data),
            "copy-matching-all": .copyMatching(
                byReference, limit: .all, returning: [.attributes, .persistentReference]),
            "copy-matching-row": .copyMatching(byRow, limit: .atMost(5), returning: []),
            "copy-matching-availability": .copyMatching(
                byService, limit: .all, returning: [.attributes, .availability]),
            "update": .update(byAccount, changes: try attributes(.update, [(.label, .string("L"))]), secret: []),
            "delete": .delete(ItemQuery(.genericPassword)),
            "status": .status,
            "explain-search": .explainSearch(byService),
            "explain-addition": .explainAddition(try attributes(.add, [(.account, .string("ann"))])),
            "watch": .watch,
            "administer-unlock": .administer(.unlock(passcode)),
            "administer-lock": .administer(.lock),
            "administer-list-protectors": .administer(.listProtectors),
            "administer-verify": .administer(.verify(recoveryKey)),
            "administer-set-passcode": .administer(.setPasscode(Array("pässword".utf8), proof: nil)),
            "administer-change-passcode": .administer(.setPasscode(Array("5678".utf8), proof: recoveryKey)),
            "administer-remove-passcode": .administer(.removePasscode(proof: passcode)),
            "administer-add-protector": .administer(
                .addProtector(ProtectorSecret(.credential, Array(0..<32)), label: "rack 7", proof: passcode)),
            "administer-remove-protector": .administer(.removeProtector(3, proof: passcode)),
            "administer-read-settings": .administer(.readSettings),
            "administer-accept-contents": .administer(.acceptContents(proof: nil)),
            "administer-accept-contents-proved": .administer(.acceptContents(proof: passcode)),
            "administer-read-tokens": .administer(.readTokens),
            "administer-read-figures": .administer(.readFigures),
            "administer-list-teams": .administer(.listTeams),
            "administer-trust-team": .administer(.trustTeam("CRTKWQ4OHDTDKNPHKXQBSM6VYA", proof: passcode)),
            "administer-distrust-team": .administer(.distrustTeam("CRTKWQ4OHDTDKNPHKXQBSM6VYA")),
            "administer-list-development-folders": .administer(.listDevelopmentFolders),
            "administer-trust-folder": .administer(.trustFolder("/home/ann/mail", proof: passcode)),
            "administer-revoke-folder": .administer(.revokeFolder("/home/ann/mail")),
            "administer-move-device-key": .administer(
                .moveDeviceKey(DeviceKeyMove(to: .tpm), proof: passcode)),
            "administer-move-guarded-device-key": .administer(
                .moveDeviceKey(
                    DeviceKeyMove(to: .software, pin: Array("9876".utf8), newPIN: Array("54321".utf8)), proof: nil)),
            "administer-open-device-key": .administer(.openDeviceKey(pin: Array("9876".utf8))),
            "administer-change-settings": .administer(
                .changeSettings([.idleLockSeconds: 900, .locksOnSleep: 0], proof: passcode)),
            "identity-caller": .identity(.caller),
            "identity-process": .identity(.process(1234)),
            "identity-program": .identity(.program(path: "/usr/bin/p")),
            "require-entitlements": .requireEntitlements,
            "agent": .agent,
            "behalf": .behalf,
            "grants-list": .grants(.list(after: 0)),
            "grants-revoke": .grants(.revoke(.number(3))),
            "grants-revoke-all": .grants(.revoke(.all)),
            "grants-revoke-program": .grants(.revoke(.program(.signed(team: "TEAM", identifier: "org.example.mail")))),
            "backup-begin": .backup(.begin(sesame, proof: passcode)),
            "backup-begin-unproved": .backup(
                .begin(BackupSecret(.recoveryKey, [UInt8](repeating: 0, count: 16)), proof: nil)),
            "backup-next": .backup(.next(token)),
            "backup-cancel": .backup(.cancel(token)),
            "backup-approve-portable": .backup(.approvePortable),
            "backup-begin-portable": .backup(.beginPortable(sesame, approval: token)),
            "restore-begin": .restore(
                .begin(
                    RestoreOrder(
                        header: Array("header".utf8), secret: sesame, proof: passcode, mode: .apply, replacesNewer: true
                    ))),
            "restore-records": .restore(.records(token, Array("bytes".utf8)[...])),
            "restore-finish": .restore(.finish(token)),
            "restore-cancel": .restore(.cancel(token)),
            "log-read": .log(.read(filter, .newestFirst, from: AuditCursor(file: 7, offset: 4096), limit: 10)),
            "log-read-all": .log(.read(AuditFilter(), .oldestFirst, from: nil, limit: .max)),
            "log-verify": .log(.verify),
            "log-follow": .log(.follow),
            "key-sign": .key(
                .use(KeyWork(key, algorithm: "algid:sign:ECDSA:digest-X962:SHA256", .sign(Array(0..<32))))),
            "key-decrypt": .key(
                .use(KeyWork(key, algorithm: "algid:encrypt:RSA:OAEP:SHA256", .decrypt(Array("ciphertext".utf8))))),
            "key-agree": .key(
                .use(
                    KeyWork(
                        key, algorithm: "algid:keyexchange:ECDH",
                        .agree(KeyAgreement(publicKey: point, requestedSize: nil, sharedInfo: []))))),
            "key-agree-derived": .key(
                .use(
                    KeyWork(
                        key, algorithm: "algid:keyexchange:ECDH:KDFX963:SHA256",
                        .agree(
                            KeyAgreement(publicKey: point, requestedSize: 48, sharedInfo: Array("info".utf8)))))),
            "authentication-state": .authentication(.state),
            "authentication-unlock": .authentication(.unlock),
            "authentication-unlock-by-prompt": .authentication(.unlockByPrompt),
            "authentication-evaluate": .authenticated(authentication, .authentication(.evaluate(.owner))),
            "authentication-access-control": .authentication(
                .evaluateAccessControl(
                    try #require(
                        AccessControl(protection: .whenUnlocked, flags: [.biometryAny, .or, .devicePasscode])),
                    .useItem)),
            "authenticated-find": .authenticated(
                authentication, .copyMatching(ItemQuery(.genericPassword), limit: .all, returning: [.data])),
            "keychain-report": .keychainFile(.report("/home/ann/a.keychain")),
            "keychain-create": .keychainFile(.create("work", password: Array("sesame".utf8))),
            "keychain-unlock-asking": .keychainFile(.unlock("work", password: nil)),
            "keychain-settings": .keychainFile(
                .change("work", FileKeychainSettings(locksOnSleep: true, idleLockSeconds: 300))),
            "keychain-password": .keychainFile(
                .changePassword("work", old: Array("old".utf8), new: Array("new".utf8))),
            "keychain-search-list": .keychainFile(.setSearchList(.user, ["work", "/a"])),
            "keychain-list-add": .keychainFile(.addToSearchList(.user, ["work", "/a"])),
            "keychain-list-remove": .keychainFile(.removeFromSearchList(.user, ["/a"])),
            "keychain-adopt": .keychainFile(.adopt(.user, "login", replacing: "/a")),
            "watch-keychains": .watchKeychains(KeychainNoticeFilter([.added, .deleted, .modified], places: .files)),
            "keychain-copy": .keychainFile(.copy("work", to: "/media/work.copy")),
            "keychain-restore": .keychainFile(.restore("work", from: "/media/work.copy")),
            "keychain-partitions": .keychainFile(
                .setPartitions(
                    "work", [PersistentReference(itemClass: .key, item: ItemIdentifier(bytes: Array(0x10...0x1F))!)],
                    [.commandLineTool, .installed],
                    password: Array("sesame".utf8))),
            "keychain-find": .inKeychain(
                "work", .copyMatching(ItemQuery(.genericPassword), limit: .one, returning: [.data])),
            "key-generate": .key(
                .generate(
                    try ItemAttributes(
                        .key, for: .add,
                        [
                            .init(.keySizeInBits, .number(256)), .init(.isExtractable, .number(0)),
                            .init(.label, .string("L")), .init(.type, .number(73)),
                        ]))),
        ]
    }

    private static let key = PersistentReference(itemClass: .key, item: ItemIdentifier(bytes: Array(0x10...0x1F))!)
    private static let authentication: RequestAuthentication<[UInt8]> = {
        var authentication = RequestAuthentication<[UInt8]>()
        authentication.interaction = .skip
        authentication.reason = "to read mail"
        authentication.fallbackTitle = ""
        authentication.reuseMilliseconds = 10_000
        authentication.proofs = [Array("proof".utf8)]
        authentication.applicationPassword = Array("password".utf8)
        authentication.keepsProof = true
        return authentication
    }()
    private static let point = [4] + Array("point".utf8)
    private static let passcode = ProtectorSecret(.passcode, Array("1234".utf8))
    private static let sesame = BackupSecret(.passphrase, Array("sesame".utf8))
    private static let token = JobToken(bytes: Array(0xB0...0xBF))
    private static let recoveryKey = ProtectorSecret(.recoveryKey, [UInt8](repeating: 0, count: 16))

    @Test func `there is a vector for every kind of frame`() {
        #expect(Set(frames.values.map { $0[1] }) == Set(FrameKind.allCases.map(\.rawValue)))
        #expect(frames.count == 124)
    }

    @Test func `requests are written and read as the vectors say`() throws {
        for (name, value) in try Self.requests() {
            let bytes = try #require(frames[name])
            #expect(value.frame(nonce: testNonce) == bytes, "\(name)")
            #expect(try request(bytes).isSame(as: value), "\(name)")
        }
    }

    @Test func `questions to people and their answers are written and read as the vectors say`() throws {
        let question = AgentQuestion(number: 7, prompt: Array("question".utf8))
        #expect(question.frame == frames["prompt"])
        #expect(try AgentQuestion(try frame(question.frame)) == question)
        let withdrawal = AgentWithdrawal(number: 7)
        #expect(withdrawal.frame == frames["prompt-withdrawal"])
        #expect(try AgentWithdrawal(try frame(withdrawal.frame)) == withdrawal)
        let bytes = AgentAnswer.frame(to: 7, reply: Array("answer".utf8), nonce: testNonce)
        #expect(bytes == frames["prompt-answer"])
        let answer = try AgentAnswer(try frame(bytes), nonce: testNonce) { Array($0) }
        #expect(answer.number == 7 && answer.reply == Array("answer".utf8))
    }

    @Test func `answers about authentication are written and read as the vectors say`() throws {
        let state = AuthenticationState(
            hasPasscode: true, biometry: .enrolled, enrolment: Array(0..<32), prompter: "tty")
        let answer = AuthenticationAnswer(.success, state, proof: Array("proof".utf8))
        #expect(answer.frame == frames["authentication-answer"])
        #expect(try AuthenticationAnswer(try frame(answer.frame)) == answer)
        let proof = ProofFrame(Array("proof".utf8))
        #expect(proof.frame == frames["proof"])
        #expect(try ProofFrame(try frame(proof.frame)) == proof)
    }

    @Test func `answers about backups are written and read as the vectors say`() throws {
        let begun = BackupBegun(token: Self.token, form: .deviceBound, itemCount: 7)
        #expect(begun.frame == frames["backup-begun"])
        #expect(try BackupBegun(try frame(begun.frame)) == begun)

        let names = ItemNames(itemClass: .genericPassword, label: "L", place: "mail", account: "ann")
        let piece = BackupPiece(
            bytes: Array("bytes".utf8), counts: BackupCounts(portable: 5, deviceBound: 1, leftOut: 2),
            omitted: [
                OmittedItem(.passcodeClass, .genericPassword, names), OmittedItem(.unreadable, .internetPassword, nil),
            ], isLast: true)
        #expect(piece.frame == frames["backup-piece"])
        let read = try BackupPiece(try frame(piece.frame))
        #expect(
            read.bytes == piece.bytes && read.counts == piece.counts && read.omitted == piece.omitted && read.isLast)

        let restoring = RestoreBegun(
            token: Self.token,
            facts: BackupFacts(
                backup: Array(0..<16), date: Timestamp(secondsSinceReferenceDate: 800_000_000.5), form: .portable,
                secretKind: .passphrase, isOfThisDevice: true, isOfThisKeychain: false))
        #expect(restoring.frame == frames["restore-begun"])
        #expect(try RestoreBegun(try frame(restoring.frame)) == restoring)

        var counts = RestoreCounts()
        (counts[.added], counts[.unchanged], counts[.replaced]) = (3, 2, 1)
        (counts[.conflict], counts[.otherDevice]) = (1, 1)
        let kept = ItemNames(itemClass: .genericPassword, label: "", place: "mail", account: "ann")
        let progress = RestoreProgress(
            counts: counts,
            notable: [
                RestoredItem(.conflict, .genericPassword, kept), RestoredItem(.otherDevice, .genericPassword, nil),
            ], end: BackupCounts(portable: 7, deviceBound: 1))
        #expect(progress.frame == frames["restore-progress"])
        #expect(try RestoreProgress(try frame(progress.frame)) == progress)
    }

    @Test func `answers about backups are refused when they are cut or lengthened, and crash nothing when changed`()
        throws
    {
        for name in ["backup-begun", "backup-piece", "restore-begun", "restore-progress"] {
            let answer = try #require(frames[name])
            func isRead(_ bytes: [UInt8]) -> Bool {
                guard let frame = try? frame(bytes) else { return false }
                return switch name {
                case "backup-begun": (try? BackupBegun(frame)) != nil
                case "backup-piece": (try? BackupPiece(frame)) != nil
                case "restore-begun": (try? RestoreBegun(frame)) != nil
                default: (try? RestoreProgress(frame)) != nil
                }
            }
            #expect(isRead(answer))
            for count in FrameHeader.size..<answer.count + 2 where count != answer.count {
                var other = Array((answer + [0]).prefix(count))
                let size = UInt32(count - FrameHeader.size)
                for index in 0..<4 { other[4 + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32(index))) }
                #expect(!isRead(other), "\(name) with \(count) bytes")
            }
            for place in FrameHeader.size..<answer.count {
                var other = answer
                other[place] ^= 0xFF
                _ = isRead(other)
            }
        }
    }

    @Test func `what came of the use of a key is written and read as the vector says`() throws {
        let bytes = try #require(frames["key-result"])
        #expect(KeyResult(Array("signature".utf8)).frame == bytes)
        #expect(try KeyResult(try frame(bytes)) { Array($0) }.bytes == Array("signature".utf8))
    }

    @Test func `the hello is written and read as the vector says`() throws {
        let bytes = try #require(frames["hello"])
        #expect(Hello(nonce: testNonce).frame == bytes)
        #expect(try Hello(try frame(bytes)).nonce == testNonce)
    }

    @Test func `the greeting is written as the vector says`() throws {
        let bytes = try #require(frames["greeting"])
        #expect(Greeting.frame(nonce: testNonce) == bytes)
    }

    @Test func `a change is written and read as the vector says`() throws {
        let bytes = try #require(frames["change"])
        #expect(ItemChange(.updated, Self.reference).frame == bytes)
        #expect(try ItemChange(try frame(bytes)) == ItemChange(.updated, Self.reference))
    }

    @Test func `what happened in a keychain is written and read as the vectors say`() throws {
        let notices = [
            "keychain-notice": KeychainNotice(.modified, in: "/a", Self.reference, by: 4711),
            "keychain-notice-list": KeychainNotice(.listChanged, in: nil, by: 0),
        ]
        for (name, notice) in notices {
            let bytes = try #require(frames[name])
            #expect(notice.frame == bytes)
            #expect(try KeychainNotice(try frame(bytes)) == notice)
        }
    }

    @Test func `a lock state is written and read as the vector says`() throws {
        let bytes = try #require(frames["lock-state"])
        #expect(WatchedEvent.lockState(.locked).frame == bytes)
        #expect(try WatchedEvent(try frame(bytes)) == .lockState(.locked))
        let change = try #require(frames["change"])
        #expect(try WatchedEvent(try frame(change)) == .item(ItemChange(.updated, Self.reference)))
    }

    @Test func `answers about the keychain as a whole are written and read as the vectors say`() throws {
        let protectors = ProtectorReport(
            protectors: [
                ProtectorDescription(
                    number: 2, kind: .passcode, added: Timestamp(secondsSinceReferenceDate: 800_000_000.5), label: ""),
                ProtectorDescription(
                    number: 5, kind: .credential, added: Timestamp(secondsSinceReferenceDate: 800_000_001),
                    label: "rack 7"),
            ], failedAttempts: 5, retryAfterSeconds: 60)
        var bytes = try #require(frames["protectors"])
        #expect(protectors.frame == bytes)
        #expect(try ProtectorReport(try frame(bytes)) == protectors)
        bytes = try #require(frames["added-protector"])
        #expect(AddedProtector(number: 5).frame == bytes)
        #expect(try AddedProtector(try frame(bytes)).number == 5)
        bytes = try #require(frames["settings"])
        #expect(SettingsReport([.snapshotDays: 30]).frame == bytes)
        #expect(try SettingsReport(try frame(bytes)).settings == [.snapshotDays: 30])
    }

    @Test func `records of the audit log are written and read as the vectors say`() throws {
        var bytes = try #require(frames["log-line"])
        #expect(LogEvent.line(Array("{\"seq\":1}".utf8)).frame == bytes)
        #expect(try LogEvent(try frame(bytes)) == .line(Array("{\"seq\":1}".utf8)))
        var page = AuditPage(next: AuditCursor(file: 7, offset: 300))
        page.lines = [Array("{\"seq\":8}".utf8), Array("{\"seq\":7}".utf8)]
        page.damagedCount = 2
        page.isEnd = true
        bytes = try #require(frames["log-page"])
        #expect(page.frame == bytes)
        #expect(try AuditPage(try frame(bytes)) == page)
        var result = AuditVerification()
        (result.lineCount, result.fileCount, result.first, result.last) = (9, 2, 3, 12)
        result.note(.init(.missingLines, 5, 7, file: "audit.log.1", lineInFile: 3))
        result.note(.init(.unwrittenLines, sequence: 9, lineCount: 4))
        bytes = try #require(frames["log-verification"])
        #expect(result.frame == bytes)
        #expect(try AuditVerification(try frame(bytes)) == result)
    }

    @Test func `a refusal is written and read as the vector says`() throws {
        let bytes = try #require(frames["reply-refusal"])
        let refusal = Refusal(.interactionNotAllowed, .otherProgramsItem)
        #expect(ReplyWriter.refusal(refusal) == bytes)
        #expect(try replyPart(bytes).refusal == refusal)
    }

    @Test func `answers are written and read as the vectors say`() throws {
        let account = try Self.attributes([], [(.account, .string("ann"))])
        let whole = ReturnedItem<[UInt8]>(
            reference: Self.reference, attributes: account, secret: Array("secret".utf8))
        let bare = ReturnedItem<[UInt8]>(reference: Self.reference, attributes: nil, secret: nil)
        let data = ReturnedItem<[UInt8]>(reference: Self.reference, attributes: nil, secret: [1])
        let unavailable = ReturnedItem<[UInt8]>(
            reference: Self.reference, attributes: nil, secret: nil, needsApproval: true)
        let answers = [
            "reply-empty": [], "reply-items": [bare, data], "items": [whole], "reply-availability": [unavailable],
        ]
        for (name, items) in answers {
            let bytes = try #require(frames[name])
            // How many items share a frame is the writer's affair, so only answers of one frame are compared.
            if items.count < 2 {
                var writer = ReplyWriter()
                for item in items { #expect(writer.append(item) == nil) }
                var written = writer.finish()
                // A frame of kind `items` comes only before more; its bytes differ in nothing else.
                if name == "items" { written[1] = FrameKind.items.rawValue }
                #expect(written == bytes, "\(name)")
            }
            let part = try replyPart(bytes)
            #expect(part.isLast == (name != "items"))
            #expect(part.items.elementsEqual(items) { $0.isSame(as: $1) }, "\(name)")
        }
    }

    @Test func `figures are written and read as the vector says`() throws {
        let bytes = try #require(frames["figures"])
        let figures = ServiceFigures(
            version: "9.8.7", lockState: .unlocked, since: Timestamp(secondsSinceReferenceDate: 800_000_000),
            uptimeSeconds: 3600, items: [.genericPassword: 3, .key: 1], unreadable: 2,
            sizes: [.init(.database, files: 1, bytes: 4096), .init(.auditLog, files: 2, bytes: 512)],
            keychainFiles: [
                .init(path: "/home/ann/a.keychain", bytes: 8192, logBytes: 32),
                .init(path: "/home/ann/b.keychain", bytes: 4096, logBytes: 0, isDamaged: true),
            ],
            queues: [.init(.connections, now: 2, most: 5, bound: 256), .init(.watchers, now: 1, bound: 256)],
            caches: [.init(.programs, hits: 9, misses: 3, size: 3, bound: 256)],
            requests: [
                .init(
                    .lookup, served: 5, notFound: 1, refused: 0, abandoned: 1, nanoseconds: 99_000,
                    slowestNanoseconds: 60_000, histogram: [4, 2, 1, 0, 0, 0, 0, 0, 0, 0])
            ],
            refusals: [
                .init(
                    Refusal(.itemNotFound, .none), count: 1, last: Timestamp(secondsSinceReferenceDate: 800_000_060))
            ])
        #expect(figures.frame == bytes)
        #expect(try ServiceFigures(try frame(bytes)) == figures)
    }

    @Test func `reports of keychain files are written and read as the vector says`() throws {
        let bytes = try #require(frames["keychain-reports"])
        let answer = FileKeychainAnswer([
            FileKeychainReport(path: "/home/ann/a.keychain", state: .unlocked, settings: .initial),
            FileKeychainReport(
                path: "/home/ann/b.keychain", state: .locked,
                settings: FileKeychainSettings(locksOnSleep: false, idleLockSeconds: nil), isDamaged: true),
            FileKeychainReport(path: "/home/ann/c.keychain", state: .missing),
        ])
        #expect(answer.frame == bytes)
        #expect(try FileKeychainAnswer(try frame(bytes)) == answer)
    }

    @Test func `an explanation is written and read as the vector says`() throws {
        let bytes = try #require(frames["explanation"])
        let explanation = Explanation([
            .candidates(3), .narrowed(by: .attribute(.account), to: 0), .without(.attribute(.account), matches: 2),
            .without(.host, matches: 1), .overlooking(.caseInsensitive, matches: 1), .existing(Self.reference),
        ])
        #expect(explanation.frame == bytes)
        #expect(try Explanation(try frame(bytes)) == explanation)
    }

    private static let callerReports = [
        "caller-report-signed": CallerReport(
            userID: 1000, processID: 1234, tier: .enforced,
            identity: .signed(team: "TEAM", identifier: "org.example.mail"), enforcement: .systemUnit("mail.service"),
            path: "/usr/bin/p", accessGroups: ["TEAM.org.example.mail", "TEAM.shared"], hasEntitledGroups: true,
            entitlements: [
                Entitlement(key: "a", value: .bool(true)), Entitlement(key: "b", value: .text("text")),
                Entitlement(key: "c", value: .list(["one", "two"])),
            ], findings: [.interpreter], isAdministrationTool: false),
        "caller-report-unsigned": CallerReport(
            userID: 1000, processID: 0, tier: .unsigned, identity: .unsigned(digest: Array(0..<32)), enforcement: nil,
            path: "/home/ann/p", accessGroups: ["unsigned:" + (0..<32 as Range<UInt8>).hexadecimal],
            hasEntitledGroups: false, entitlements: [], findings: [.noSignature, .writableByOthers],
            isAdministrationTool: false),
        "caller-report-command": CallerReport(
            userID: 1000, processID: 77, tier: .installed, identity: .command, enforcement: nil,
            path: "/usr/bin/chatelaine", accessGroups: ["chatelaine"], hasEntitledGroups: false, entitlements: [],
            findings: [], isAdministrationTool: true),
        "caller-report-application": CallerReport(
            userID: 1000, processID: 78, tier: .interpreter, identity: .application(name: "flatpak:org.example.Mail"),
            enforcement: nil, path: "flatpak:org.example.Mail", accessGroups: ["flatpak:org.example.Mail"],
            hasEntitledGroups: false, entitlements: [], findings: [.sandbox], isAdministrationTool: false),
    ]

    @Test func `reports about a program are written and read as the vectors say`() throws {
        for (name, report) in Self.callerReports {
            let bytes = try #require(frames[name])
            #expect(report.frame == bytes, "\(name)")
            #expect(try CallerReport(try frame(bytes)) == report, "\(name)")
        }
    }

    @Test func `answers about grants are written and read as the vectors say`() throws {
        let item = ItemIdentifier(bytes: Array(0x10...0x1F))!
        let page = GrantPage(
            [
                ListedGrant(
                    RememberedGrant(
                        number: 3, identity: .signed(team: "TEAM", identifier: "org.example.mail"), tier: .signed,
                        operation: .readData, itemClass: .genericPassword, item: item,
                        date: Timestamp(secondsSinceReferenceDate: 800_000_000.5)),
                    names: ItemNames(itemClass: .genericPassword, label: "L", place: "mail", account: "ann")),
                ListedGrant(
                    RememberedGrant(
                        number: 9, identity: .installed(path: "/usr/bin/p"), tier: .enforced, operation: .delete,
                        itemClass: .internetPassword, item: item,
                        date: Timestamp(secondsSinceReferenceDate: 800_000_001)
                    ), names: nil),
            ], next: 9)
        var bytes = try #require(frames["grants"])
        #expect(page.frame == bytes)
        #expect(try GrantPage(try frame(bytes)) == page)
        bytes = try #require(frames["grants-revoked"])
        #expect(RevokedGrants(count: 2).frame == bytes)
        #expect(try RevokedGrants(try frame(bytes)) == RevokedGrants(count: 2))
    }

    @Test func `a status is written and read as the vector says`() throws {
        let bytes = try #require(frames["status-reply"])
        let status = ServiceStatus(
            version: "0.1.0", lockState: .noPasscode, callerTier: .installed, callerPath: "/usr/bin/p",
            accessGroups: ["installed:/usr/bin/p"], itemCount: 3, unreadableCount: nil,
            protections: ["a: on", "b: on"], contents: .changed(rowsMore: -2))
        #expect(status.frame == bytes)
        #expect(try ServiceStatus(try frame(bytes)) == status)
    }
}
