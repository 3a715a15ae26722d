// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// Semantics 8.6: who may use items of file keychains.
struct AccessObjectPolicyTests {
    private typealias Operation = KeychainPolicy.Operation

    private static let item = PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: 1))
    private static let other = PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: 2))

    private static func caller(
        _ identity: ProgramIdentity, _ tier: CallerTier, _ findings: [CallerFinding] = [], user: UInt32 = 1000,
        groups: [String] = [], isOfKnownTeam: Bool = true
    ) -> Caller {
        let entitlements =
            groups.isEmpty
            ? [] : [Entitlement(key: "com.apple.security.application-groups", value: .list(groups))]
        return Caller(
            userID: user, processID: 7, tier: tier, identity: identity, accessGroups: [], entitlements: entitlements,
            isOfKnownTeam: isOfKnownTeam, findings: findings, displayPath: "/bin/program")
    }

    private static let mail = caller(.signed(team: "TEAM", identifier: "mail"), .signed)
    private static let browser = caller(.signed(team: "TEAM", identifier: "browser"), .signed)
    private static let stranger = caller(.signed(team: "OTHER", identifier: "mail"), .signed)
    private static let mutt = caller(.installed(path: "/usr/bin/mutt"), .installed)
    private static let script = caller(.installed(path: "/usr/bin/python3"), .interpreter, [.interpreter])
    private static let own = caller(.unsigned(digest: [UInt8](repeating: 1, count: 32)), .unsigned, [.noSignature])
    private static let updated = caller(.unsigned(digest: [UInt8](repeating: 2, count: 32)), .unsigned, [.noSignature])
    private static let command = caller(.command, .installed)
    private static let nobody = caller(.unidentified, .unidentified)
    private static let everybody = [mail, browser, stranger, mutt, script, own, updated, command, nobody]

    private static func trusted(_ callers: Caller...) -> [TrustedApplication] {
        callers.map { TrustedApplication($0)! }
    }

    private static let partitions = [
        PartitionID.team("TEAM")!, .installed, .commandLineTool, .unsigned, .digest([UInt8](repeating: 1, count: 32))!,
        .digest([UInt8](repeating: 2, count: 32))!, .team("OTHER")!,
    ]

    /// An object with one entry for decrypting, and all partitions.
    private static func access(
        _ subject: AccessEntry.Subject, _ authorizations: Set<AccessAuthorization> = [.decrypt],
        prompt: PromptSelector = [], partitions: [PartitionID]? = partitions
    ) -> AccessObject {
        let owner = AccessEntry([.changeACL], .applications([]), description: "mail")!
        let entry = AccessEntry(authorizations, subject, description: "mail", promptSelector: prompt)!
        return AccessObject(owner: owner, entries: [entry], partitions: partitions)!
    }

    private enum Outcome: Equatable {
        case granted(GrantRule)
        case added(AccessObject)
        case asked(Refusal.Reason)
        case refused(StatusCode, Refusal.Reason)
    }

    private func judge(
        _ caller: Caller, _ accesses: [AccessObject?], _ operation: KeychainPolicy.Operation = .readData,
        isUnlocked: Bool = true, mayAsk: Bool = true, rules: AccessRules = .compatible,
        permissions: [Permission] = [], itemClass: ItemClass = .genericPassword, keyUse: KeyUse? = nil
    ) -> (outcome: Outcome, question: ApprovalRequest?) {
        let items = zip([Self.item, Self.other], accesses).map {
            GuardedItem(itemClass: itemClass, reference: $0, access: $1)
        }
        switch AccessObjectPolicy.judge(
            caller, operation, keyUse: keyUse, items: items, isUnlocked: isUnlocked, rules: rules,
            permissions: permissions)
        {
        case .grant(let grant):
            let additions = AccessObjectPolicy.additions(
                caller, operation, keyUse: keyUse, items: items, rules: rules)
            if let addition = additions.first { return (.added(addition.access), nil) }
            return (.granted(grant.rule), nil)
        case .ask(let question):
            guard !mayAsk else { return (.asked(question.because), question) }
            let refusal = question.refusalIfUnanswered()
            return (.refused(refusal.status, refusal.reason), nil)
        case .authenticate: return (.refused(.authenticationFailed, .authenticationNeeded), nil)
        case .refuse(let refusal): return (.refused(refusal.status, refusal.reason), nil)
        }
    }

    // MARK: Who is in which partition

    @Test func `each kind of program has its partition`() {
        let names = Self.everybody.map { $0.partition?.text }
        let (one, two) = (String(repeating: "01", count: 32), String(repeating: "02", count: 32))
        #expect(
            names == [
                "teamid:TEAM", "teamid:TEAM", "teamid:OTHER", "apple:", "unsigned:", "cdhash:" + one, "cdhash:" + two,
                "apple-tool:", "unsigned:",
            ])
        // A unit of the system whose program is an interpreter: known surely, but by another name than an object has.
        #expect(
            Self.caller(.installed(path: "/usr/bin/python3"), .enforced, [.interpreter]).partition?.text == "unsigned:")
        #expect(Self.caller(.installed(path: "/usr/sbin/exim"), .enforced).partition?.text == "apple:")
    }

    // MARK: Operations that are judged

    @Test(arguments: [KeychainPolicy.Operation.add, .probe, .match, .readAttributes, .update, .delete])
    func `finding, reading attributes, changing and deleting are free, whatever the object says and locked or not`(
        operation: KeychainPolicy.Operation
    ) {
        let access = Self.access(.applications([]), partitions: [])
        for caller in Self.everybody {
            #expect(
                judge(caller, [access, nil], operation, isUnlocked: false, mayAsk: false).outcome
                    == .granted(.fileKeychain))
        }
    }

    @Test func `reading and using an item each need an authorization of their own`() {
        let needs: [(KeychainPolicy.Operation, ItemClass, KeyUse?, AccessAuthorization?)] = [
            (.readData, .genericPassword, nil, .decrypt), (.readData, .internetPassword, nil, .decrypt),
            (.readData, .key, nil, .exportClear), (.readData, .certificate, nil, nil),
            (.readData, .identity, nil, nil), (.useKey, .key, .sign, .sign), (.useKey, .key, .decrypt, .decrypt),
            (.useKey, .key, .agree, .derive), (.useKey, .key, nil, .any),
        ]
        for (operation, itemClass, keyUse, needed) in needs {
            #expect(AccessObjectPolicy.authorization(for: operation, of: itemClass, keyUse: keyUse) == needed)
            for authorization in AccessAuthorization.allCases {
                let outcome = judge(
                    Self.mail, [Self.access(.anyApplication, [authorization])], operation, itemClass: itemClass,
                    keyUse: keyUse
                ).outcome
                let expected: Outcome =
                    needed == nil
                    ? .granted(.fileKeychain)
                    : authorization == needed || authorization == .any
                        ? .granted(.accessObject) : .refused(.authenticationFailed, .noAccessEntry)
                #expect(outcome == expected, "\(operation), \(itemClass), \(authorization)")
            }
        }
    }

    @Test func `backups are judged elsewhere`() {
        for operation in [KeychainPolicy.Operation.backUp, .restore] {
            #expect(
                judge(Self.command, [Self.access(.anyApplication)], operation).outcome
                    == .refused(.missingEntitlement, .administrationOnly))
        }
    }

    @Test func `a secret without an access object is given to no program, and a certificate to all`() {
        #expect(judge(Self.mail, [nil]).outcome == .refused(.noAccessForItem, .noAccessObject))
        #expect(judge(Self.mail, [nil], itemClass: .certificate).outcome == .granted(.fileKeychain))
    }

    // MARK: Step 1, the lock

    @Test func `in a locked keychain the request is refused`() {
        let access = Self.access(.anyApplication)
        #expect(judge(Self.mail, [access], isUnlocked: false).outcome == .refused(.authenticationFailed, .locked))
    }

    // MARK: Step 2, the entries

    @Test func `an entry for any application needs no prompt`() {
        for caller in Self.everybody {
            #expect(judge(caller, [Self.access(.anyApplication)], mayAsk: false).outcome == .granted(.accessObject))
        }
    }

    @Test func `an entry without programs prompts for every program`() {
        for caller in Self.everybody {
            #expect(judge(caller, [Self.access(.applications([]))]).outcome == .asked(.notTrusted))
            #expect(
                judge(caller, [Self.access(.applications([]))], mayAsk: false).outcome
                    == .refused(.authenticationFailed, .notTrusted))
        }
    }

    @Test func `a program that is trusted is not asked about, and every other one is`() {
        let trustable = Self.everybody.filter { $0 != Self.nobody }
        for one in trustable {
            let access = Self.access(.applications(Self.trusted(Self.command, one)))
            for caller in Self.everybody {
                let isTrusted = caller == one || caller == Self.command
                #expect(
                    judge(caller, [access]).outcome == (isTrusted ? .granted(.accessObject) : .asked(.notTrusted)))
            }
        }
        #expect(TrustedApplication(Self.nobody) == nil)
    }

    @Test func `an unsigned program that was updated is another one, a signed one is not`() {
        let access = Self.access(.applications(Self.trusted(Self.own, Self.mail)))
        #expect(judge(Self.own, [access]).outcome == .granted(.accessObject))
        #expect(judge(Self.updated, [access]).outcome == .asked(.notTrusted))
        let moved = Self.caller(Self.mail.identity, .enforced)
        #expect(judge(moved, [access]).outcome == .granted(.accessObject))
    }

    @Test func `an application group lets in those whose signature names it`() {
        let access = Self.access(.applications([TrustedApplication(group: "TEAM.suite")!]))
        func member(_ groups: [String]) -> Caller { Self.caller(Self.mail.identity, .signed, groups: groups) }
        #expect(judge(member(["TEAM.x", "TEAM.suite"]), [access]).outcome == .granted(.accessObject))
        #expect(judge(member(["TEAM.suites"]), [access]).outcome == .asked(.notTrusted))
        #expect(judge(member([]), [access]).outcome == .asked(.notTrusted))
    }

    @Test
    func
        `of several entries, an entry that allows the program is enough, and otherwise the first entry with a prompt is used`()
        throws
    {
        let owner = AccessEntry([.changeACL], .applications([]), description: "owner")!
        func object(_ entries: (AccessEntry.Subject, String)...) -> AccessObject {
            AccessObject(
                owner: owner, entries: entries.map { AccessEntry([.decrypt], $0.0, description: $0.1)! },
                partitions: Self.partitions)!
        }
        let root = AccessOwner(userID: 0, groupID: 0, kind: .useUserID)
        let several = object(
            (.process(root), "one"), (.applications([]), "two"), (.applications(Self.trusted(Self.mail)), "three"))
        #expect(judge(Self.mail, [several]).outcome == .granted(.accessObject))
        #expect(judge(Self.mutt, [several]).question?.entry?.description == "two")
    }

    @Test func `an entry for a user's processes allows them, and needs no prompt`() {
        let kinds: [(AccessOwner.Kind, owner: Bool, root: Bool)] = [
            ([.useUserID], true, false), ([.useUserID, .honorRoot], true, true), ([.honorRoot], false, true),
            ([], false, false), ([.useGroupID], false, false), ([.useUserID, .useGroupID], false, false),
        ]
        let (owner, root) = (Self.mutt, Self.caller(Self.mutt.identity, .installed, user: 0))
        let other = Self.caller(Self.mutt.identity, .installed, user: 1001)
        for (kind, letsOwner, letsRoot) in kinds {
            let access = Self.access(.process(AccessOwner(userID: 1000, groupID: 100, kind: kind)))
            for (caller, isLetIn) in [(owner, letsOwner), (root, letsRoot), (other, false)] {
                #expect(
                    judge(caller, [access]).outcome
                        == (isLetIn ? .granted(.accessObject) : .refused(.authenticationFailed, .notTrusted)))
            }
        }
    }

    // MARK: The prompt selector

    @Test func `a question takes the keychain's password where the entry says so, and only then`() {
        for prompt in [[], PromptSelector.requirePassphrase, [.requirePassphrase, .unsigned]] {
            let access = Self.access(.applications(Self.trusted(Self.mutt)), prompt: prompt)
            #expect(judge(Self.mail, [access]).question?.entry?.needsPassword == prompt.contains(.requirePassphrase))
            // Who is trusted types nothing.
            #expect(judge(Self.mutt, [access]).outcome == .granted(.accessObject))
        }
    }

    @Test func `an entry can leave out the prompt for unsigned programs, or for programs with a wrong signature`() {
        let changed = Self.caller(Self.own.identity, .unsigned, [.changedAfterSigning])
        let table: [(PromptSelector, unsigned: Bool, invalid: Bool)] = [
            ([], true, true), ([.unsigned], true, true), ([.invalid], true, true),
            ([.unsignedCounts], false, true), ([.unsignedCounts, .unsigned], true, true),
            ([.invalidCounts], true, false), ([.invalidCounts, .invalid], true, true),
            ([.unsignedCounts, .invalidCounts], false, false),
        ]
        for (prompt, asksUnsigned, asksInvalid) in table {
            let access = Self.access(.applications([]), prompt: prompt)
            for caller in [Self.own, Self.script, Self.nobody] {
                #expect(
                    judge(caller, [access]).outcome
                        == (asksUnsigned ? .asked(.notTrusted) : .refused(.authenticationFailed, .notTrusted)))
            }
            #expect(
                judge(changed, [access]).outcome
                    == (asksInvalid ? .asked(.notTrusted) : .refused(.authenticationFailed, .notTrusted)))
            for caller in [Self.mail, Self.mutt, Self.command] {
                #expect(judge(caller, [access]).outcome == .asked(.notTrusted))
            }
        }
    }

    // MARK: Step 3, the partition list

    @Test func `a program of another partition is asked about although it is trusted`() {
        for subject in [AccessEntry.Subject.anyApplication, .applications(Self.trusted(Self.mutt))] {
            let access = Self.access(subject, partitions: [.commandLineTool, PartitionID("codesign:")!])
            #expect(judge(Self.mutt, [access]).outcome == .asked(.otherPartition))
            #expect(
                judge(Self.mutt, [access], mayAsk: false).outcome == .refused(.authenticationFailed, .otherPartition))
        }
        #expect(
            judge(Self.mutt, [Self.access(.anyApplication, partitions: [.installed])]).outcome
                == .granted(.accessObject))
    }

    @Test func `an interpreter that is trusted is asked about unless the list names its like`() {
        let trusting = AccessEntry.Subject.applications(Self.trusted(Self.script))
        #expect(
            judge(Self.script, [Self.access(trusting, partitions: [.installed])]).outcome == .asked(.otherPartition))
        #expect(
            judge(Self.script, [Self.access(trusting, partitions: [.unsigned])]).outcome == .granted(.accessObject))
    }

    @Test func `an item without a list gets the partition of the first program that may use it`() throws {
        let access = Self.access(.applications(Self.trusted(Self.mutt, Self.script)), partitions: nil)
        let completed = try #require(access.with(partitions: [.installed]))
        #expect(judge(Self.mutt, [access]).outcome == .added(completed))
        #expect(judge(Self.mail, [access]).outcome == .asked(.notTrusted))
        // Not that of interpreters: it would let all of them past.
        #expect(judge(Self.script, [access]).outcome == .granted(.accessObject))
        #expect(judge(Self.mutt, [access], .readAttributes).outcome == .granted(.fileKeychain))
    }

    // MARK: Several items, strict mode

    @Test func `one item that is refused refuses the request, and each that has to be is asked about`() throws {
        let free = Self.access(.anyApplication)
        let guarded = Self.access(.applications([]))
        #expect(judge(Self.mail, [free, free]).outcome == .granted(.accessObject))
        #expect(judge(Self.mail, [guarded, nil]).outcome == .refused(.noAccessForItem, .noAccessObject))
        let first = try #require(judge(Self.mail, [guarded, guarded]).question)
        #expect(first.items == [Self.item])
        let permission = try #require(Permission(first))
        let second = try #require(judge(Self.mail, [guarded, guarded], permissions: [permission]).question)
        #expect(second.items == [Self.other])
        let both = [permission, try #require(Permission(second))]
        #expect(judge(Self.mail, [guarded, guarded], permissions: both).outcome == .granted(.person))
    }

    @Test func `in strict mode a program that is not shielded is asked about each time`() {
        let strict = AccessRules(requiresEnforcedCallers: true)
        let access = Self.access(.anyApplication)
        #expect(judge(Self.mail, [access], rules: strict).outcome == .asked(.strictMode))
        #expect(judge(Self.mail, [access], rules: strict).question?.canBeRemembered(strict) == false)
        let enforced = Self.caller(Self.mail.identity, .enforced)
        #expect(judge(enforced, [access], rules: strict).outcome == .granted(.accessObject))
        #expect(
            judge(enforced, [Self.access(.applications([]))], rules: strict).question?.canBeRemembered(strict) == true)
    }

    // MARK: Step 4, answers

    @Test func `where the password is needed, a yes is a permission only with it`() throws {
        for needsPassword in [false, true] {
            let access = Self.access(.applications([]), prompt: needsPassword ? .requirePassphrase : [])
            let question = try #require(judge(Self.mail, [access]).question)
            for isLasting in [false, true] {
                for proved in [false, true] {
                    let permission = Permission(question, isLasting: isLasting, passwordWasProved: proved)
                    #expect((permission != nil) == (proved || !needsPassword))
                    guard let permission else { continue }
                    #expect(judge(Self.mail, [access], permissions: [permission]).outcome == .granted(.person))
                }
            }
        }
    }

    @Test func `a permission is for one program, one item, one authorization and one reason`() throws {
        let access = Self.access(.applications([]), [.decrypt, .sign])
        let question = try #require(judge(Self.mail, [access]).question)
        let permission = try #require(Permission(question, passwordWasProved: true))
        #expect(judge(Self.browser, [access], permissions: [permission]).outcome == .asked(.notTrusted))
        #expect(
            judge(Self.mail, [access], .useKey, permissions: [permission], itemClass: .key, keyUse: .sign).outcome
                == .asked(.notTrusted))
        let other = Self.access(.applications([]), [.decrypt, .sign], prompt: .requirePassphrase)
        #expect(judge(Self.mail, [other], permissions: [permission]).outcome == .asked(.notTrusted))
        let partition = Self.access(.anyApplication, partitions: [])
        #expect(judge(Self.mail, [partition], permissions: [permission]).outcome == .asked(.otherPartition))
        #expect(
            judge(Self.mail, [access], isUnlocked: false, permissions: [permission]).outcome
                == .refused(.authenticationFailed, .locked))
    }

    @Test func `"Allow" changes nothing, and "Always Allow" puts the program first and its partition into the list`()
        throws
    {
        let access = Self.access(.applications(Self.trusted(Self.mutt)), partitions: [.installed])
        let question = try #require(judge(Self.mail, [access]).question)
        #expect(question.canBeRemembered(.compatible))
        let once = try #require(Permission(question))
        #expect(once.access(after: access) == nil)
        let always = try #require(Permission(question, isLasting: true))
        let changed = try #require(always.access(after: access))
        #expect(
            changed
                == Self.access(
                    .applications(Self.trusted(Self.mail, Self.mutt)),
                    partitions: [.installed, .team("TEAM")!]))
        #expect(judge(Self.mail, [changed]).outcome == .granted(.accessObject))
        #expect(judge(Self.browser, [changed]).outcome == .asked(.notTrusted))
        // Another program was allowed meanwhile: both are trusted then.
        #expect(
            always.access(after: Self.access(.applications(Self.trusted(Self.own, Self.mutt))))?.entries[0].subject
                == .applications(Self.trusted(Self.mail, Self.own, Self.mutt)))
    }

    @Test func `"Always Allow" of a program in another partition adds the partition, and no program twice`() throws {
        for subject in [AccessEntry.Subject.anyApplication, .applications(Self.trusted(Self.own, Self.mutt))] {
            let access = Self.access(subject, partitions: [.commandLineTool])
            let question = try #require(judge(Self.mutt, [access]).question)
            let always = try #require(Permission(question, isLasting: true))
            let changed = try #require(always.access(after: access))
            #expect(changed.partitions == [.commandLineTool, .installed])
            let expected: AccessEntry.Subject =
                subject == .anyApplication ? subject : .applications(Self.trusted(Self.mutt, Self.own))
            #expect(changed.entries[0].subject == expected)
            #expect(judge(Self.mutt, [changed]).outcome == .granted(.accessObject))
        }
    }

    @Test func `the command, general clients, interpreters and unidentified programs are never remembered`() throws {
        let access = Self.access(.applications([]))
        let unit = Self.caller(.installed(path: "/usr/bin/python3"), .enforced, [.interpreter])
        let general = Self.caller(.installed(path: "/usr/bin/secret-tool"), .installed)
        for caller in Self.everybody + [unit, general] {
            let question = try #require(judge(caller, [access]).question)
            let mayBe = ![Self.script, Self.nobody, Self.command, unit, general].contains(caller)
            #expect(question.canBeRemembered(.compatible) == mayBe)
            let always = try #require(Permission(question, isLasting: true, passwordWasProved: true))
            #expect((always.access(after: access) != nil) == mayBe)
            #expect(judge(caller, [access], permissions: [always]).outcome == .granted(.person))
        }
    }

    @Test(arguments: [CallerTier.signed, .enforced])
    func `for a program of an untrusted team nothing is remembered, and an approval is for this time`(tier: CallerTier)
        throws
    {
        let access = Self.access(.applications([]))
        let unknown = Self.caller(Self.mail.identity, tier, isOfKnownTeam: false)
        let question = try #require(judge(unknown, [access]).question)
        #expect(!question.canBeRemembered(.compatible))
        let always = try #require(Permission(question, isLasting: true, passwordWasProved: true))
        #expect(always.access(after: access) == nil)
        #expect(judge(unknown, [access], permissions: [always]).outcome == .granted(.person))
        // An access object that names the program permits the access itself, without a remembered grant.
        #expect(judge(unknown, [Self.access(.applications(Self.trusted(unknown)))]).outcome == .granted(.accessObject))
    }

    @Test func `nothing is remembered in an entry other than the entry of the prompt, or in a full entry`() throws {
        let access = Self.access(.applications([]))
        let question = try #require(judge(Self.mail, [access]).question)
        let always = try #require(Permission(question, isLasting: true, passwordWasProved: true))
        let empty = AccessObject(owner: access.owner, entries: [])!
        #expect(always.access(after: empty) == nil)
        #expect(always.access(after: Self.access(.applications([]), [.sign])) == nil)
        let full = Self.access(
            .applications(Array(repeating: Self.trusted(Self.own)[0], count: AccessLimits.applications)))
        #expect(always.access(after: full) == nil)
    }

    // MARK: Changing who may use an item

    private func change(
        _ caller: Caller, _ old: AccessObject?, _ new: AccessObject, isUnlocked: Bool = true, mayAsk: Bool = true,
        proved: Bool = false, permissions: [Permission] = []
    ) -> AccessChangeDecision {
        let decision = AccessObjectPolicy.judgeChange(
            caller, of: Self.item, from: old, to: new, isUnlocked: isUnlocked, passwordWasProved: proved,
            permissions: permissions)
        guard !mayAsk, case .ask(let question) = decision else { return decision }
        return .refuse(question.refusalIfUnanswered())
    }

    private static func owned(
        by subject: AccessEntry.Subject, _ entries: [AccessEntry] = [], partitions: [PartitionID]? = [.installed]
    ) -> AccessObject {
        AccessObject(
            owner: AccessEntry([.changeACL], subject, description: "mail")!, entries: entries, partitions: partitions)!
    }

    private static let decrypting = AccessEntry([.decrypt], .anyApplication, description: "mail")!

    @Test func `only the owner changes the entries without a prompt`() throws {
        let old = Self.owned(by: .applications(Self.trusted(Self.mail)))
        let new = Self.owned(by: .applications(Self.trusted(Self.mail)), [Self.decrypting])
        let approved = try #require(new.with(partitions: [.installed, .any]))
        for caller in Self.everybody {
            let decision = change(caller, old, new)
            if caller == Self.mail {
                #expect(decision == .allow(new))
                continue
            }
            guard case .ask(let question) = decision else {
                Issue.record("\(caller.identity) was not asked about")
                continue
            }
            #expect(question.entry?.authorization == .changeACL && question.entry?.needsPassword == true)
            #expect(question.because == .notAccessOwner && question.entry?.description == "mail")
            #expect(!question.canBeRemembered(.compatible))
            #expect(Permission(question) == nil)
            let permission = try #require(Permission(question, isLasting: true, passwordWasProved: true))
            #expect(change(caller, old, new, permissions: [permission]) == .allow(approved))
            #expect(permission.access(after: old) == nil)
        }
    }

    @Test func `by default there is no owner, and a caller with the password may change the entries`() throws {
        let old = Self.owned(by: .applications([]))
        let new = Self.owned(by: .applications([]), [Self.decrypting])
        let approved = try #require(new.with(partitions: [.installed, .any]))
        for caller in Self.everybody {
            #expect(
                change(caller, old, new, mayAsk: false)
                    == .refuse(Refusal(.authenticationFailed, .notAccessOwner)))
            #expect(change(caller, old, new, mayAsk: false, proved: true) == .allow(approved))
        }
    }

    @Test func `an interpreter is not an owner without the user's approval`() {
        let old = Self.owned(by: .applications(Self.trusted(Self.script)))
        let new = Self.owned(by: .applications(Self.trusted(Self.script)), [Self.decrypting])
        #expect(
            change(Self.script, old, new, mayAsk: false) == .refuse(Refusal(.authenticationFailed, .notAccessOwner)))
    }

    @Test
    func `another owner is set by the owner and by the password`() {
        let old = Self.owned(by: .applications(Self.trusted(Self.mail)))
        let new = Self.owned(by: .applications(Self.trusted(Self.mutt)))
        #expect(change(Self.mail, old, new, mayAsk: false) == .allow(new))
        #expect(
            change(Self.mutt, old, new, mayAsk: false) == .refuse(Refusal(.authenticationFailed, .notAccessOwner)))
        #expect(change(Self.mutt, old, new, mayAsk: false, proved: true) == .allow(new))
        let byNumber = Self.owned(by: .process(AccessOwner(userID: 1000, groupID: 0, kind: .useUserID)))
        #expect(change(Self.mutt, byNumber, new, mayAsk: false) == .allow(new))
    }

    @Test func `the partition list takes the password, and the owner's right is not enough`() throws {
        let old = Self.owned(by: .anyApplication)
        let new = Self.owned(by: .anyApplication, partitions: [.installed, .unsigned])
        for caller in Self.everybody {
            #expect(
                change(caller, old, new, mayAsk: false)
                    == .refuse(Refusal(.authenticationFailed, .notAccessOwner)))
            #expect(change(caller, old, new, mayAsk: false, proved: true) == .allow(new))
            guard case .ask(let question) = change(caller, old, new) else {
                Issue.record("\(caller.identity) was not asked about")
                continue
            }
            #expect(question.entry?.authorization == .partitionID && question.entry?.needsPassword == true)
            let permission = try #require(Permission(question, passwordWasProved: true))
            #expect(change(caller, old, new, permissions: [permission]) == .allow(new))
        }
    }

    @Test func `an object without a partition list keeps the item's`() throws {
        let old = Self.owned(by: .anyApplication)
        let new = Self.owned(by: .anyApplication, [Self.decrypting], partitions: nil)
        let stored = try #require(new.with(partitions: [.installed]))
        #expect(change(Self.mail, old, new, mayAsk: false) == .allow(stored))
    }

    @Test func `what changes nothing is always allowed, and in a locked keychain nothing else`() {
        let old = Self.owned(by: .anyApplication)
        let new = Self.owned(by: .anyApplication, [Self.decrypting])
        #expect(change(Self.nobody, old, old, isUnlocked: false, mayAsk: false) == .allow(old))
        #expect(
            change(Self.mail, old, new, isUnlocked: false) == .refuse(Refusal(.authenticationFailed, .locked)))
    }

    @Test func `an item without an access object gets none`() {
        #expect(
            change(Self.mail, nil, Self.owned(by: .anyApplication), proved: true)
                == .refuse(Refusal(.noAccessForItem, .noAccessObject)))
    }

    // MARK: New items

    @Test func `a new item trusts only the program that adds it`() throws {
        for caller in Self.everybody {
            let access = try #require(AccessObject.ofNewItem(by: caller, given: nil, description: "mail"))
            let trusted = TrustedApplication(caller).map { [$0] } ?? []
            #expect(
                access
                    == AccessObject(description: "mail", trusting: trusted)?.with(partitions: [caller.partition!]))
            for other in Self.everybody {
                let isOwn = other == caller && caller != Self.nobody
                #expect(judge(other, [access]).outcome == (isOwn ? .granted(.accessObject) : .asked(.notTrusted)))
            }
        }
    }

    @Test func `an access object of the program's choice keeps its entries, and the partition is the program's`() throws
    {
        let given = Self.access(.anyApplication, partitions: Self.partitions)
        let access = try #require(AccessObject.ofNewItem(by: Self.command, given: given, description: "mail"))
        #expect(access == given.with(partitions: [.commandLineTool]))
    }

    @Test func `a description that does not fit is cut, but not within a character`() throws {
        let long = String(repeating: "\u{20AC}", count: AccessLimits.textBytes)
        let access = try #require(AccessObject.ofNewItem(by: Self.mail, given: nil, description: long))
        #expect(access.owner.description == String(repeating: "\u{20AC}", count: AccessLimits.textBytes / 3))
        let zero = try #require(AccessObject.ofNewItem(by: Self.mail, given: nil, description: "a\0b"))
        #expect(zero.owner.description == "a")
    }
}
