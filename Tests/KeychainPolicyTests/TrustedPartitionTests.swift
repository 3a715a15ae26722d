// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// The partition list follows the programs that the creator of an item, or an approval, trusts (semantics 8.6).
struct TrustedPartitionTests {
    private static let item = PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: 1))

    private static func caller(
        _ identity: ProgramIdentity, _ tier: CallerTier, _ enforcement: Enforcement? = nil,
        _ findings: [CallerFinding] = []
    ) -> Caller {
        Caller(
            userID: 1000, processID: 7, tier: tier, identity: identity, enforcement: enforcement, accessGroups: [],
            findings: findings, displayPath: "/bin/program")
    }

    private static func digest(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    private static let creator = caller(.unsigned(digest: digest(1)), .unsigned)
    private static let helper = caller(.unsigned(digest: digest(2)), .unsigned)
    private static let rebuilt = caller(.unsigned(digest: digest(3)), .unsigned)
    private static let mail = caller(.signed(team: "TEAM", identifier: "mail"), .signed)
    private static let browser = caller(.signed(team: "TEAM", identifier: "browser"), .signed)
    private static let mutt = caller(.installed(path: "/usr/bin/mutt"), .installed)
    private static let script = caller(.installed(path: "/usr/bin/python3"), .interpreter, nil, [.interpreter])
    private static let command = caller(.command, .installed)
    private static let shielded = caller(.installed(path: "/usr/bin/mutt"), .enforced, .setgid)
    private static let others = [helper, rebuilt, mail, browser, mutt, script, command]

    private static func trusted(_ callers: [Caller]) -> [TrustedApplication] { callers.map { TrustedApplication($0)! } }

    /// What SecAccessCreate makes.
    private static func access(_ trusted: Caller..., partitions: [PartitionID]? = nil) -> AccessObject {
        AccessObject(description: "mail", trusting: Self.trusted(trusted))!.with(partitions: partitions)!
    }

    private func reads(_ caller: Caller, _ access: AccessObject) -> Bool {
        let items = [GuardedItem(itemClass: .genericPassword, reference: Self.item, access: access)]
        switch AccessObjectPolicy.judge(caller, .readData, items: items, isUnlocked: true) {
        case .grant: return true
        case .ask: return false
        case .authenticate: return false
        case .refuse: return false
        }
    }

    private func added(_ given: AccessObject, by caller: Caller = creator) throws -> AccessObject {
        try #require(AccessObject.ofNewItem(by: caller, given: given, description: "mail"))
    }

    private func changed(
        from old: AccessObject, to new: AccessObject, by caller: Caller = creator, proved: Bool = false
    ) throws -> AccessObject {
        let decision = AccessObjectPolicy.judgeChange(
            caller, of: Self.item, from: old, to: new, isUnlocked: true, passwordWasProved: proved)
        guard case .allow(let access) = decision else {
            Issue.record("\(decision)")
            return old
        }
        return access
    }

    // MARK: New items

    @Test func `programs that the creator trusts read the item, and no other programs of their kind`() throws {
        let access = try added(Self.access(Self.creator, Self.helper, Self.mail, Self.mutt, Self.command))
        #expect(
            access.partitions?.map(\.text) == [
                "cdhash:" + String(repeating: "01", count: 32), "cdhash:" + String(repeating: "02", count: 32),
                "teamid:TEAM", "apple:", "apple-tool:",
            ])
        for caller in [Self.creator] + Self.others {
            let isTrusted = ![Self.rebuilt, Self.browser, Self.script].contains(caller)
            #expect(reads(caller, access) == isTrusted, "\(caller.identity)")
        }
    }

    @Test func `a creator that trusts no other program, or none at all, extends nothing`() throws {
        let own = try #require(Self.creator.partition)
        for given in [Self.access(Self.creator), Self.access()] {
            let access = try added(given)
            // The entry for encrypting is for all programs, and does not count.
            #expect(access.partitions == [own])
            for caller in Self.others { #expect(!reads(caller, access)) }
        }
    }

    @Test func `access for all applications is for all that are identified, and stays bound to that entry`() throws {
        let access = try added(try #require(AccessObject(openToAll: "mail")))
        #expect(access.partitions?.last == .any)
        for caller in [Self.creator, Self.shielded] + Self.others { #expect(reads(caller, access)) }
        let narrowed = Self.access(Self.helper, Self.mutt, partitions: access.partitions)
        for caller in [Self.creator] + Self.others { #expect(!reads(caller, narrowed)) }
    }

    @Test func `a trusted interpreter is asked about, because its name admits every script`() throws {
        #expect(!reads(Self.script, try added(Self.access(Self.creator, Self.script))))
    }

    @Test func `an application group admits the programs of its team that are in it`() throws {
        let suite = try #require(TrustedApplication(group: "TEAM.suite"))
        let access = try added(try #require(AccessObject(description: "mail", trusting: [suite])))
        let member = Caller(
            userID: 1000, processID: 7, tier: .signed, identity: Self.mail.identity, accessGroups: [],
            entitlements: [Entitlement(key: "com.apple.security.application-groups", value: .list(["TEAM.suite"]))],
            displayPath: "/bin/program")
        #expect(reads(member, access))
        #expect(!reads(Self.mail, access))
    }

    @Test func `what a shielded program stores is not read by the same program without its shield`() throws {
        let access = try added(Self.access(Self.shielded, Self.helper, Self.mail), by: Self.shielded)
        #expect(access.partitions == [.enforced])
        #expect(reads(Self.shielded, access))
        for caller in [Self.mutt, Self.helper, Self.mail] { #expect(!reads(caller, access)) }
        let more = try changed(
            from: access, to: Self.access(Self.shielded, Self.helper, Self.command), by: Self.command, proved: true)
        #expect(more.partitions == [.enforced])
    }

    @Test func `a copy of an access object admits no program that the original does not admit`() throws {
        let helpers = try #require(Self.helper.partition)
        let original = Self.access(Self.creator, Self.helper, Self.mutt, partitions: [helpers])
        let copy = try added(original, by: Self.command)
        #expect(copy.partitions == [.commandLineTool, helpers])
        #expect(reads(Self.helper, copy) && !reads(Self.mutt, copy))
    }

    @Test func `more programs than a partition list has room for are refused`() throws {
        let many = (0..<AccessLimits.partitions).map { number in
            Self.caller(.unsigned(digest: [UInt8](repeating: 9, count: 31) + [UInt8(number)]), .unsigned)
        }
        let given = try #require(AccessObject(description: "mail", trusting: Self.trusted(many)))
        #expect(AccessObject.ofNewItem(by: Self.creator, given: given, description: "mail") == nil)
        let fewer = try #require(AccessObject(description: "mail", trusting: Self.trusted(many.dropLast())))
        #expect(AccessObject.ofNewItem(by: Self.creator, given: fewer, description: "mail") != nil)
    }

    // MARK: Changes

    @Test func `an approved change admits the programs that it adds, and only these`() throws {
        let own = try #require(Self.creator.partition)
        // The user took the partition of mutt off the list.
        let old = Self.access(Self.creator, Self.mutt, partitions: [own])
        let approved = try changed(from: old, to: Self.access(Self.creator, Self.mutt, Self.helper), proved: true)
        #expect(reads(Self.creator, approved) && reads(Self.helper, approved) && !reads(Self.mutt, approved))
        let open = try changed(from: old, to: try #require(AccessObject(openToAll: "mail")), proved: true)
        for caller in [Self.creator] + Self.others { #expect(reads(caller, open)) }
    }

    @Test func `an approved partition list stays as it is`() throws {
        let old = Self.access(Self.creator, partitions: [.installed])
        let new = Self.access(Self.creator, Self.helper, partitions: [.commandLineTool])
        #expect(try changed(from: old, to: new, proved: true) == new)
    }

    @Test func `the owner's right without an approval changes the entries and admits no program`() throws {
        let own = try #require(Self.creator.partition)
        func owned(_ subject: AccessEntry.Subject, partitions: [PartitionID]?) throws -> AccessObject {
            let owner = try #require(AccessEntry([.changeACL], .anyApplication, description: "mail"))
            let entry = try #require(AccessEntry([.decrypt], subject, description: "mail"))
            return try #require(AccessObject(owner: owner, entries: [entry], partitions: partitions))
        }
        let old = try owned(.applications(Self.trusted([Self.creator])), partitions: [own])
        for subject in [
            AccessEntry.Subject.anyApplication, .applications(Self.trusted([Self.creator, Self.helper])),
        ] {
            let new = try changed(from: old, to: try owned(subject, partitions: nil), by: Self.helper)
            #expect(new.partitions == [own] && new.entries[0].subject == subject)
            #expect(reads(Self.creator, new) && !reads(Self.helper, new))
        }
    }
}
