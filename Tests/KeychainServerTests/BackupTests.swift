// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainSealing
import KeychainServer
import KeychainTesting
import KeychainWire
import SecretMemory
import Synchronization
import Testing

private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: text.utf8) }

private let passphrase = BackupSecret(.passphrase, secret("open sesame"))
private let passcode = ProtectorSecret(.passcode, secret("1234"))

extension KeychainClient {
    /// Returns the whole file, and the items that were left out of it.
    fileprivate func backup(
        _ secret: BackupSecret<SecretBytes> = passphrase, proof: ProtectorSecret<SecretBytes>? = nil
    ) throws -> (file: [UInt8], omitted: [OmittedItem], counts: BackupCounts) {
        try pieces(of: try beginBackup(secret, proof: proof))
    }

    fileprivate func pieces(
        of begun: BackupBegun
    ) throws -> (file: [UInt8], omitted: [OmittedItem], counts: BackupCounts) {
        var (file, omitted): ([UInt8], [OmittedItem]) = ([], [])
        while true {
            let piece = try nextPiece(of: begun.token)
            file += piece.bytes
            omitted += piece.omitted
            if piece.isLast { return (file, omitted, piece.counts) }
        }
    }

    fileprivate func begin(
        _ file: [UInt8], _ mode: RestoreMode = .apply, _ secret: BackupSecret<SecretBytes> = passphrase,
        proof: ProtectorSecret<SecretBytes>? = nil, replacesNewer: Bool = false
    ) throws -> RestoreBegun {
        try beginRestore(
            RestoreOrder(
                header: Array(file.prefix(BackupHeader.size)), secret: secret, proof: proof, mode: mode,
                replacesNewer: replacesNewer))
    }

    fileprivate func restore(
        _ file: [UInt8], _ mode: RestoreMode = .apply, _ secret: BackupSecret<SecretBytes> = passphrase,
        proof: ProtectorSecret<SecretBytes>? = nil, replacesNewer: Bool = false, pieces: Int = 1000
    ) throws -> (counts: RestoreCounts, notable: [RestoredItem]) {
        let begun = try begin(file, mode, secret, proof: proof, replacesNewer: replacesNewer)
        var notable: [RestoredItem] = []
        var rest = file.dropFirst(BackupHeader.size)
        while !rest.isEmpty {
            notable += try restore(rest.prefix(pieces), of: begun.token).notable
            rest = rest.dropFirst(pieces)
        }
        return (try finishRestore(begun.token).counts, notable)
    }
}

extension RestoreCounts {
    fileprivate var named: [RestoreOutcome: UInt64] {
        Dictionary(uniqueKeysWithValues: RestoreOutcome.allCases.filter { self[$0] > 0 }.map { ($0, self[$0]) })
    }
}

@Suite struct `Backups of a keychain without a passcode` {
    private let keychain: InMemoryKeychain
    private let tool: KeychainClient

    init() throws {
        keychain = try InMemoryKeychain(accessGroups: ["a"])
        tool = keychain.administrationClient()
    }

    @Test func `bring back the items of all programs on the same device`() throws {
        for number in 0..<300 { try keychain.client.addPassword(account: "\(number)", secret: "s\(number)") }
        let reference = try keychain.client(accessGroups: ["b"]).addPassword(service: "other")
        let (file, omitted, counts) = try tool.backup()
        #expect(counts == BackupCounts(portable: 301) && omitted.isEmpty)
        try keychain.client.delete(try query())
        try keychain.client(accessGroups: ["b"]).delete(try query())
        #expect(try tool.restore(file, .verify).counts.named == [.verified: 301])
        #expect(try tool.restore(file, .dryRun).counts.named == [.added: 301])
        #expect(try refusal { _ = try keychain.client.secrets(try query()) }.status == .itemNotFound)
        #expect(try tool.restore(file).counts.named == [.added: 301])
        #expect(try Set(keychain.client.secrets(try query())) == Set((0..<300).map { "s\($0)" }))
        var byReference = ItemQuery(.genericPassword)
        byReference.persistentReference = reference
        #expect(try keychain.client(accessGroups: ["b"]).secrets(byReference) == ["correct horse"])
        #expect(try tool.restore(file).counts.named == [.unchanged: 301])
    }

    @Test func `bring back keys that the service holds, which it still holds`() throws {
        let client = keychain.client
        let made = try client.generateKey(
            try ItemAttributes(
                .key, for: .add,
                [.init(.type, .number(73)), .init(.keySizeInBits, .number(256)), .init(.isExtractable, .number(0))]))
        let (file, omitted, _) = try tool.backup()
        #expect(omitted.isEmpty)
        #expect(try tool.restore(file).counts.named == [.unchanged: 1])
        try client.delete(ItemQuery(made.reference))
        #expect(try tool.restore(file).counts.named == [.added: 1])
        let work = KeyWork<[UInt8]>(
            made.reference, algorithm: "algid:sign:ECDSA:digest-X962:SHA256", .sign([UInt8](repeating: 1, count: 32)))
        #expect(try client.use(work) { $0.count } > 64)
        #expect(
            try refusal {
                _ = try client.copyMatching(ItemQuery(made.reference), limit: .one, returning: .data) { _ in }
            }
                == Refusal(.dataNotAvailable, .heldKey))
    }

    @Test func `open on no other device`() throws {
        try keychain.client.addPassword()
        let file = try tool.backup().file
        let other = try InMemoryKeychain().administrationClient()
        for mode in RestoreMode.allCases {
            let refusal = try refusal { _ = try other.restore(file, mode) }
            #expect(refusal == Refusal(.decode, .otherDevicesBackup))
        }
    }

    @Test func `are for the command alone`() throws {
        let file = try tool.backup().file
        for program in [keychain.client, keychain.client(accessGroups: [])] {
            #expect(try refusal { _ = try program.backup() }.status == .missingEntitlement)
            for mode in RestoreMode.allCases {
                #expect(try refusal { _ = try program.restore(file, mode) }.status == .missingEntitlement)
            }
        }
    }

    @Test func `open with their own secret alone`() throws {
        let file = try tool.backup().file
        let wrong = BackupSecret(.passphrase, secret("open sesame!"))
        #expect(
            try refusal { _ = try tool.restore(file, .verify, wrong) }
                == Refusal(.authenticationFailed, .wrongBackupSecret))
    }

    @Test func `are made with usable secrets`() throws {
        let bad = [
            BackupSecret(.passphrase, secret("")), BackupSecret(.passphrase, SecretBytes(copying: [0xFF])),
            BackupSecret(.recoveryKey, secret("short")),
        ]
        for bad in bad {
            #expect(try refusal { _ = try tool.backup(bad) } == Refusal(.parameter, .unusableSecret))
        }
    }

    @Test func `are refused damaged, cut and of newer versions`() throws {
        for number in 0..<5 { try keychain.client.addPassword(account: "\(number)") }
        let file = try tool.backup().file
        var newer = file
        newer[7] = 2
        var flipped = file
        flipped[BackupHeader.size + 30] ^= 1
        var head = file
        head[60] ^= 1
        #expect(try refusal { _ = try tool.restore(newer) } == Refusal(.decode, .newerBackup))
        #expect(try refusal { _ = try tool.restore(flipped) } == Refusal(.decode, .damagedBackup))
        #expect(try refusal { _ = try tool.restore(head) } == Refusal(.decode, .damagedBackup))
        #expect(try refusal { _ = try tool.restore(file.dropLast()) } == Refusal(.decode, .truncatedBackup))
        #expect(try refusal { _ = try tool.restore(file + [0]) } == Refusal(.decode, .damagedBackup))
        // A failed restore does not prevent another attempt.
        #expect(try tool.restore(file).counts.named == [.unchanged: 5])
    }

    @Test func `are refused with any byte changed, and cut after any byte`() throws {
        try keychain.client.addPassword()
        let file = try tool.backup().file
        let before = try tool.attributeSets(ItemQuery(.genericPassword))
        for place in file.indices {
            var changed = file
            changed[place] ^= place.isMultiple(of: 2) ? 1 : 0x80
            // In the header it may be another salt, another version or a cost that is not taken; never a right file.
            let reason = try refusal { _ = try tool.restore(changed) }.reason
            let reasons = [Refusal.Reason.damagedBackup, .newerBackup, .truncatedBackup, .wrongSecret]
            #expect(reasons.contains(reason), "byte \(place): \(reason)")
            guard place >= BackupHeader.size else { continue }
            let cut = try refusal { _ = try tool.restore(Array(file.prefix(place))) }
            #expect(cut == Refusal(.decode, .truncatedBackup), "\(place) bytes: \(cut)")
        }
        #expect(try tool.attributeSets(ItemQuery(.genericPassword)) == before)
        #expect(try tool.restore(file).counts.named == [.unchanged: 1])
    }

    @Test func `report a newer item instead of overwriting it`() throws {
        try keychain.client.addPassword(secret: "old")
        let file = try tool.backup().file
        keychain.setTime(to: Timestamp(secondsSinceReferenceDate: 800_000_500))
        try keychain.client.update(
            try query(), changes: try attributes(.update, []), secret: Array("new".utf8))
        let (counts, notable) = try tool.restore(file)
        #expect(counts.named == [.conflict: 1])
        let names = ItemNames(itemClass: .genericPassword, label: "", place: "mail", account: "ann")
        #expect(notable == [RestoredItem(.conflict, .genericPassword, names)])
        #expect(try keychain.client.secrets(try query()) == ["new"])
        #expect(try tool.restore(file, replacesNewer: true).counts.named == [.replaced: 1])
        #expect(try keychain.client.secrets(try query()) == ["old"])
    }

    @Test func `name no item of an enforced program, and items of others`() throws {
        let enforced = keychain.client(accessGroups: ["enforced:installed:/usr/bin/mail"])
        try enforced.addPassword(account: "hidden", secret: "old")
        try keychain.client.addPassword(account: "shown", secret: "old")
        let (file, _, _) = try tool.backup()
        keychain.setTime(to: Timestamp(secondsSinceReferenceDate: 800_000_500))
        for client in [enforced, keychain.client] {
            try client.update(try query(), changes: try attributes(.update, []), secret: Array("new".utf8))
        }
        let (counts, notable) = try tool.restore(file, .dryRun)
        #expect(counts.named == [.conflict: 2])
        #expect(notable.map { $0.names?.account }.sorted { ($0 ?? "") < ($1 ?? "") } == [nil, "shown"])
    }

    @Test func `carry items of this device only, and large ones, in frames that fit`() throws {
        for (number, code) in ["ak", "aku", "cku", "dku"].enumerated() {
            try keychain.client.add(
                try attributes([
                    (.service, .string("large")), (.account, .string("\(number)")), (.accessible, .string(code)),
                ]), secret: [UInt8](repeating: UInt8(number), count: ItemLimits.secretBytes))
        }
        let begun = try tool.beginBackup(passphrase, proof: nil)
        #expect(begun.form == .deviceBound && begun.itemCount == 4)
        var file: [UInt8] = []
        while true {
            let piece = try tool.nextPiece(of: begun.token)
            file += piece.bytes
            if piece.isLast {
                #expect(piece.counts == BackupCounts(portable: 1, deviceBound: 3))
                break
            }
        }
        try keychain.client.delete(try query())
        #expect(
            try tool.restore(file, pieces: WireLimits.restorePieceBytes).counts.named == [.added: 4])
        let lengths = try keychain.client.copyMatching(try query(), limit: .all, returning: .data) { $0.count }
        #expect(lengths.map(\.secret) == Array(repeating: ItemLimits.secretBytes, count: 4))
    }

    @Test func `are made and read one at a time`() throws {
        let file = try tool.backup().file
        let first = try tool.beginBackup(passphrase, proof: nil)
        #expect(
            try refusal { _ = try tool.beginBackup(passphrase, proof: nil) } == Refusal(.notAvailable, .jobUnderWay))
        // Restoring is another kind.
        let restore = try tool.begin(file)
        #expect(try refusal { _ = try tool.begin(file) } == Refusal(.notAvailable, .jobUnderWay))
        try tool.cancelBackup(first.token)
        try tool.cancelRestore(restore.token)
        #expect(try refusal { _ = try tool.nextPiece(of: first.token) } == Refusal(.notAvailable, .jobEnded))
        #expect(try refusal { _ = try tool.finishRestore(restore.token) } == Refusal(.notAvailable, .jobEnded))
        _ = try tool.backup()
        _ = try tool.restore(file)
    }

    @Test func `leave lines in the audit log, without names of items`() throws {
        try keychain.client.addPassword(service: "hidden", account: "names")
        let before = keychain.auditLog.count
        let file = try tool.backup().file
        try keychain.client.delete(try query())
        _ = try tool.restore(file)
        _ = try? tool.restore(file, .verify, BackupSecret(.passphrase, secret("wrong")))
        let lines = keychain.auditLog.dropFirst(before)
        let actions = try lines.map { line in
            let fields = try fields(line)
            return "\(fields["action"]!) \(fields["outcome"]!) \(fields["items"] ?? "-")"
        }
        #expect(
            actions == [
                "backup-begin granted -", "backup granted 1", "delete granted 1", "restore-begin granted -",
                "restore granted 1", "restore-finish granted -", "verify-backup-begin refused -",
            ])
        #expect(!lines.contains { $0.contains("hidden") || $0.contains("names") || $0.contains("sesame") })
    }

    @Test func `notify the observers of a group`() throws {
        try keychain.client.addPassword()
        let file = try tool.backup().file
        try keychain.client.delete(try query())
        let stream = try keychain.client.watch()
        _ = try tool.restore(file)
        guard case .item(let change) = try stream.next() else { return #expect(Bool(false)) }
        #expect(change.kind == .added)
        stream.cancel()
    }
}

@Suite struct `Backups of a keychain with a passcode` {
    private let keychain: InMemoryKeychain
    private let tool: KeychainClient

    init() throws {
        keychain = try InMemoryKeychain(accessGroups: ["a"])
        tool = keychain.administrationClient()
        try tool.setPasscode(passcode.bytes, proof: nil)
    }

    private func add(_ account: String, _ code: String) throws {
        try keychain.client.add(
            try attributes([
                (.service, .string("mail")), (.account, .string(account)), (.accessible, .string(code)),
                (.label, .string("label of \(account)")),
            ]), secret: Array(code.utf8))
    }

    @Test func `restore elsewhere what may leave the device`() throws {
        for code in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] { try add(code, code) }
        let (file, omitted, counts) = try tool.backup(proof: passcode)
        #expect(counts == BackupCounts(portable: 3, deviceBound: 3, leftOut: 1))
        let names = ItemNames(itemClass: .genericPassword, label: "label of akpu", place: "mail", account: "akpu")
        #expect(omitted == [OmittedItem(.passcodeClass, .genericPassword, names)])

        let other = try InMemoryKeychain(accessGroups: ["a"])
        let otherTool = other.administrationClient()
        try otherTool.setPasscode(secret("another"), proof: nil)
        let proof = ProtectorSecret(.passcode, secret("another"))
        let (restored, notable) = try otherTool.restore(file, proof: proof)
        #expect(restored.named == [.added: 3, .otherDevice: 3])
        #expect(notable == Array(repeating: RestoredItem(.otherDevice, .genericPassword, nil), count: 3))
        #expect(try Set(other.client.secrets(try query())) == ["ak", "ck", "dk"])

        try keychain.client.delete(try query())
        #expect(try tool.restore(file, proof: passcode).counts.named == [.added: 6])
        #expect(try Set(keychain.client.secrets(try query())) == ["ak", "ck", "dk", "aku", "cku", "dku"])
    }

    @Test func `need a proof, and a wrong one counts`() throws {
        let file = try tool.backup(proof: passcode).file
        let wrong = ProtectorSecret(.passcode, secret("4321"))
        #expect(try refusal { _ = try tool.backup() } == Refusal(.authenticationFailed, .proofRequired))
        #expect(try refusal { _ = try tool.backup(proof: wrong) } == Refusal(.authenticationFailed, .wrongSecret))
        for mode in [RestoreMode.dryRun, .apply] {
            #expect(try refusal { _ = try tool.begin(file, mode) } == Refusal(.authenticationFailed, .proofRequired))
        }
        #expect(try tool.protectors().failedAttempts == 1)
        let credential = ProtectorSecret(.credential, SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        _ = try tool.addProtector(credential, label: "", proof: passcode)
        #expect(try refusal { _ = try tool.backup(proof: credential) }.reason == .proofRequired)
        // To look through a file, its own secret is enough.
        #expect(try tool.restore(file, .verify).counts.total == 0)
    }

    @Test func `take a recovery key as proof and as secret`() throws {
        try add("ann", "ak")
        let key = SecretBytes(copying: Array(UInt8(1)...16))
        let proof = ProtectorSecret(.recoveryKey, key)
        _ = try tool.addProtector(proof, label: "", proof: passcode)
        let own = BackupSecret(.recoveryKey, key)
        let file = try tool.backup(own, proof: proof).file
        try keychain.client.delete(try query())
        #expect(try tool.restore(file, .apply, own, proof: proof).counts.named == [.added: 1])
    }

    @Test func `are refused while it is locked, and end when it is`() throws {
        try add("ann", "ak")
        let file = try tool.backup(proof: passcode).file
        let backup = try tool.beginBackup(passphrase, proof: passcode)
        let restore = try tool.begin(file, proof: passcode)
        try tool.lock()
        let locked = Refusal(.interactionNotAllowed, .locked)
        #expect(try refusal { _ = try tool.nextPiece(of: backup.token) } == locked)
        #expect(try refusal { _ = try tool.restore(file[BackupHeader.size...], of: restore.token) } == locked)
        #expect(try refusal { _ = try tool.beginBackup(passphrase, proof: passcode) } == locked)
        #expect(try refusal { _ = try tool.begin(file, proof: passcode) } == locked)
        #expect(try refusal { _ = try tool.nextPiece(of: backup.token) }.reason == .jobEnded)
        #expect(try tool.restore(file, .verify).counts.named == [.verified: 1])
    }

    @Test func `are refused by a keychain without a passcode, except for items of the device`() throws {
        try add("ann", "ak")
        try add("bob", "aku")
        let file = try tool.backup(proof: passcode).file
        try keychain.client.delete(try query())
        try tool.removePasscode(proof: passcode)
        let (counts, notable) = try tool.restore(file)
        #expect(counts.named == [.needsPasscode: 1, .added: 1])
        #expect(notable.map(\.names?.account) == ["ann"])
        #expect(try keychain.client.secrets(try query()) == ["aku"])
    }
}

@Suite struct `A portable backup of a keychain without a passcode` {
    private let keychain: InMemoryKeychain
    private let tool: KeychainClient

    init() throws {
        keychain = try InMemoryKeychain(accessGroups: ["a"])
        tool = keychain.administrationClient()
    }

    private func backup() throws -> (file: [UInt8], omitted: [OmittedItem], counts: BackupCounts) {
        let approved = try tool.approvePortableBackup()
        return try tool.pieces(of: try tool.beginPortableBackup(passphrase, approval: approved.token))
    }

    @Test func `is made once the owner has approved it, and opens on another device`() throws {
        keychain.person = .approving
        for code in ["ak", "aku"] {
            try keychain.client.add(
                try attributes([
                    (.service, .string("mail")), (.account, .string(code)), (.accessible, .string(code)),
                ]), secret: Array(code.utf8))
        }
        let approved = try tool.approvePortableBackup()
        #expect(approved.form == .portable && approved.itemCount == 2)
        #expect(keychain.questions.map(\.kind) == [.confirmation])
        let begun = try tool.beginPortableBackup(passphrase, approval: approved.token)
        #expect(begun.form == .portable)
        let (file, omitted, counts) = try tool.pieces(of: begun)
        #expect(counts == BackupCounts(portable: 1, deviceBound: 1) && omitted.isEmpty)
        #expect(keychain.questions.count == 1)

        let other = try InMemoryKeychain(accessGroups: ["a"])
        let otherTool = other.administrationClient()
        try otherTool.setPasscode(secret("another"), proof: nil)
        let proof = ProtectorSecret(.passcode, secret("another"))
        #expect(try otherTool.restore(file, proof: proof).counts.named == [.added: 1, .otherDevice: 1])
        #expect(try other.client.secrets(try query()) == ["ak"])
        #expect(other.questions.isEmpty, "the passcode proves the owner")
    }

    @Test(arguments: [TestPerson.denying, .cancelling, .silent])
    func `is not made when the owner does not approve it`(person: TestPerson) throws {
        try keychain.client.addPassword()
        keychain.person = person
        #expect(try refusal { _ = try tool.approvePortableBackup() } == Refusal(.authenticationFailed, .none))
        #expect(keychain.questions.count == 1)
        #expect(try fields(try #require(keychain.auditLog.last))["action"] == "backup-portable-approve")
        #expect(try fields(try #require(keychain.auditLog.last))["outcome"] == "refused")
        // The failed approval leaves no job behind.
        keychain.person = .approving
        #expect(try backup().counts.portable == 1)
    }

    @Test func `is refused where no prompt can be shown`() throws {
        #expect(
            try refusal { _ = try tool.approvePortableBackup() }
                == Refusal(.authenticationFailed, .passcodeNeededToAsk))
    }

    @Test func `needs an approval of its own each time`() throws {
        keychain.person = .approving
        let foreign = JobToken(bytes: [UInt8](repeating: 7, count: JobToken.size))
        #expect(
            try refusal { _ = try tool.beginPortableBackup(passphrase, approval: foreign) }
                == Refusal(.notAvailable, .jobEnded))
        let approved = try tool.approvePortableBackup()
        _ = try tool.pieces(of: try tool.beginPortableBackup(passphrase, approval: approved.token))
        #expect(
            try refusal { _ = try tool.beginPortableBackup(passphrase, approval: approved.token) }
                == Refusal(.notAvailable, .jobEnded))
    }

    @Test func `is refused when its approval is older than five minutes`() throws {
        keychain.person = .approving
        let approved = try tool.approvePortableBackup()
        keychain.setTime(to: Timestamp(secondsSinceReferenceDate: 900_000_000))
        #expect(
            try refusal { _ = try tool.beginPortableBackup(passphrase, approval: approved.token) }
                == Refusal(.notAvailable, .jobEnded))
    }

    @Test func `is for the command alone, and other programs do not even cause a prompt`() throws {
        keychain.person = .approving
        let token = JobToken(bytes: [UInt8](repeating: 7, count: JobToken.size))
        for program in [keychain.client, keychain.client(accessGroups: [])] {
            #expect(try refusal { _ = try program.approvePortableBackup() }.status == .missingEntitlement)
            #expect(
                try refusal { _ = try program.beginPortableBackup(passphrase, approval: token) }.status
                    == .missingEntitlement)
        }
        #expect(keychain.questions.isEmpty)
    }

    @Test func `is refused after a passcode was set, which has to be given then`() throws {
        keychain.person = .approving
        let approved = try tool.approvePortableBackup()
        try tool.setPasscode(passcode.bytes, proof: nil)
        #expect(
            try refusal { _ = try tool.beginPortableBackup(passphrase, approval: approved.token) }
                == Refusal(.authenticationFailed, .proofRequired))
        #expect(
            try refusal { _ = try tool.approvePortableBackup() } == Refusal(.authenticationFailed, .proofRequired))
    }

    @Test func `is restored without a passcode once the owner has approved that`() throws {
        try keychain.client.addPassword()
        keychain.person = .approving
        let file = try backup().file
        let other = try InMemoryKeychain(accessGroups: ["a"])
        let otherTool = other.administrationClient()
        // To look through a file, its own secret is enough.
        #expect(try otherTool.restore(file, .verify).counts.named == [.verified: 1])
        #expect(other.questions.isEmpty)
        #expect(try otherTool.restore(file).counts.named == [.needsPasscode: 1])
        other.person = .denying
        #expect(try refusal { _ = try otherTool.restore(file) } == Refusal(.authenticationFailed, .none))
        #expect(try refusal { _ = try other.client.secrets(try query()) }.status == .itemNotFound)
        other.person = .approving
        #expect(try otherTool.restore(file, .dryRun).counts.named == [.added: 1])
        #expect(try otherTool.restore(file).counts.named == [.added: 1])
        #expect(try other.client.secrets(try query()) == ["correct horse"])
    }
}

@Suite struct `A backup that is under way` {
    private static let tool = Caller(
        userID: 1000, processID: 1, tier: .installed, identity: .command, accessGroups: ["chatelaine"],
        displayPath: "/chatelaine")
    private static let cheap = ScryptCost(logN: 4, blockSize: 1, parallelism: 1)!

    @Test func `ends with its connection`() throws {
        let service = try RunningService(identifier: .constant(Self.tool), jobs: BackupJobs(cost: Self.cheap))
        defer { service.stop() }
        let other = service.client()
        var token: JobToken?
        do {
            let first = service.client()
            token = try first.beginBackup(passphrase, proof: nil).token
            #expect(try refusal { _ = try other.beginBackup(passphrase, proof: nil) }.reason == .jobUnderWay)
            // The token is not enough: another connection began the job.
            #expect(try refusal { _ = try other.nextPiece(of: try #require(token)) }.reason == .jobEnded)
            _ = try first.status()
        }
        // The session's thread notices the end in its own time.
        var begun: BackupBegun?
        for _ in 0..<100_000 where begun == nil { begun = try? other.beginBackup(passphrase, proof: nil) }
        #expect(begun != nil)
    }

    @Test func `takes no approval of another connection`() throws {
        let service = try RunningService(
            identifier: .constant(Self.tool), jobs: BackupJobs(cost: Self.cheap),
            prompter: Prompter { _, _, _ in .allowed(always: false, passcode: nil) })
        defer { service.stop() }
        let (client, other) = (service.client(), service.client())
        let approved = try client.approvePortableBackup()
        #expect(
            try refusal { _ = try other.beginPortableBackup(passphrase, approval: approved.token) }
                == Refusal(.notAvailable, .jobEnded))
        // One approval at a time.
        #expect(try refusal { _ = try other.approvePortableBackup() } == Refusal(.notAvailable, .jobUnderWay))
        #expect(try client.beginPortableBackup(passphrase, approval: approved.token).form == .portable)
        _ = try other.approvePortableBackup()
    }

    @Test func `ends after a minute without a request`() throws {
        let time = Mutex<UInt64>(1)
        let jobs = BackupJobs(clock: MonotonicClock { time.withLock { $0 } }, cost: Self.cheap)
        let service = try RunningService(identifier: .constant(Self.tool), jobs: jobs)
        defer { service.stop() }
        let client = service.client()
        #expect(jobs.endAbandoned() == nil)
        let begun = try client.beginBackup(passphrase, proof: nil)
        #expect(jobs.endAbandoned() == .seconds(60))
        time.withLock { $0 += 59_000_000_000 }
        #expect(jobs.endAbandoned() == .seconds(1))
        time.withLock { $0 += 1_000_000_000 }
        #expect(jobs.endAbandoned() == nil)
        #expect(try refusal { _ = try client.nextPiece(of: begun.token) }.reason == .jobEnded)
        #expect(try client.backup().counts == BackupCounts())
    }
}
