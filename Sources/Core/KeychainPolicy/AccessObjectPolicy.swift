// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Access decisions for items of file keychains: pure functions from a caller and an item's access object to a decision
/// (semantics 8.6).
///
/// All of the user's programs may find such items, read their attributes, change and delete them; in strict mode only
/// enforced ones may do so without the user's approval. Reading their data and using keys requires permission from the
/// access object or the user's approval.
public enum AccessObjectPolicy {
    /// Returns the authorization that an operation requires of an access object; nil if all of the user's programs may
    /// do it.
    ///
    /// - Parameter keyUse: the use of the key for `.useKey`; without it, only an entry that authorizes everything
    ///   matches.
    public static func authorization(
        for operation: Operation, of itemClass: ItemClass, keyUse: KeyUse? = nil
    ) -> AccessAuthorization? {
        switch operation {
        case .add, .probe, .match, .availability, .readAttributes, .update, .delete: nil
        case .readData, .readPublic, .backUp, .restore:
            switch itemClass {
            case .genericPassword, .internetPassword: .decrypt
            case .key: .exportClear
            // A certificate is public. For an identity, the key is judged separately.
            case .certificate, .identity: nil
            }
        case .useKey:
            switch keyUse {
            case .sign: .sign
            case .decrypt: .decrypt
            case .agree: .derive
            case nil: .any
            }
        }
    }

    /// Returns the verdict over the found items, in their order: one refused item refuses the request, and the first
    /// item that requires a prompt is the one prompted for.
    ///
    /// - Parameters:
    ///   - isUnlocked: whether the keychain's key is in memory.
    ///   - permissions: the approvals given for this request since an earlier verdict.
    /// - Returns: refusals are `errSecAuthFailed` (`locked`, `notTrusted`, `noAccessEntry`), `errSecNoAccessForItem`
    ///   for an item without an access object, and `errSecMissingEntitlement` for backups, which have their own
    ///   judgement.
    public static func judge(
        _ caller: Caller, _ operation: Operation, keyUse: KeyUse? = nil, items: some Sequence<GuardedItem>,
        isUnlocked: Bool, rules: AccessRules = .compatible, permissions: [Permission] = []
    ) -> Decision {
        guard operation != .backUp, operation != .restore else {
            return .refuse(Refusal(.missingEntitlement, .administrationOnly))
        }
        let evidence = Evidence(permissions: permissions)
        var rule = GrantRule.fileKeychain
        var request: ApprovalRequest?
        /// The items without a secret, which strict mode alone protects.
        var unguarded: [PersistentReference] = []
        for item in items {
            guard let needed = authorization(for: operation, of: item.itemClass, keyUse: keyUse) else {
                if let reference = item.reference { unguarded.append(reference) }
                continue
            }
            guard let access = item.access else { return .refuse(Refusal(.noAccessForItem, .noAccessObject)) }
            guard isUnlocked else { return .refuse(Refusal(.authenticationFailed, .locked)) }
            switch access.examine(needed, for: caller, rules) {
            case .granted: if rule == .fileKeychain { rule = .accessObject }
            case .asked(let entry, let reason):
                let asked = ApprovalRequest(
                    caller: caller, authorization: needed, item: item.reference, entry: entry, of: access,
                    because: reason, rules)
                if let permission = evidence.permission(for: asked) {
                    rule = permission.rule
                } else if request == nil {
                    request = asked
                }
            case .refused(let reason): return .refuse(Refusal(.authenticationFailed, reason))
            }
        }
        if let request { return .ask(request) }
        if !unguarded.isEmpty, rules.requireShield(of: caller, for: operation) {
            let asked = ApprovalRequest(caller: caller, operation: operation, items: unguarded, because: .strictMode)
            guard let permission = evidence.permission(for: asked) else { return .ask(asked) }
            rule = permission.rule
        }
        return .grant(Grant(operation, by: rule))
    }

    /// Returns the new access objects of items whose use was granted: an item without a partition list gets the
    /// partition of the first program that may use it without a prompt.
    public static func additions(
        _ caller: Caller, _ operation: Operation, keyUse: KeyUse? = nil, items: some Sequence<GuardedItem>,
        rules: AccessRules = .compatible
    ) -> [AccessAddition] {
        guard caller.isOneProgram, let partition = caller.partition else { return [] }
        return items.compactMap { item in
            guard let access = item.access, access.partitions == nil,
                let needed = authorization(for: operation, of: item.itemClass, keyUse: keyUse),
                case .granted = access.examine(needed, for: caller, rules)
            else { return nil }
            return access.with(partitions: [partition]).map { AccessAddition(item: item.reference, access: $0) }
        }
    }

    /// Returns the verdict over a change to an item's access object.
    ///
    /// The owner may change the entries. A caller that proves the keychain's password may change everything. The
    /// partition list can be changed with the password only: otherwise a program with the owner right could add itself
    /// to the list. A change that the password approves extends the list for the programs that it adds to the entries,
    /// unless it replaces the list.
    ///
    /// - Parameters:
    ///   - old: the item's current access object; nil if it has none.
    ///   - new: the new access object; without a partition list it keeps the old one's.
    ///   - passwordWasProved: whether the request came with the keychain's correct password.
    /// - Returns: refusals are `errSecNoAccessForItem` for an item without an access object, `errSecParam` for an object
    ///   beyond the limits, and `errSecAuthFailed` with the reason `locked`.
    public static func judgeChange(
        _ caller: Caller, of item: PersistentReference?, from old: AccessObject?, to new: AccessObject,
        isUnlocked: Bool, passwordWasProved: Bool = false, permissions: [Permission] = []
    ) -> AccessChangeDecision {
        guard let old else { return .refuse(Refusal(.noAccessForItem, .noAccessObject)) }
        guard let new = new.partitions == nil ? new.with(partitions: old.partitions) : new else {
            return .refuse(Refusal(.parameter, .none))
        }
        // Compared as bytes, because `==` treats different spellings of a character as equal.
        guard new.encoded != old.encoded else { return .allow(new) }
        guard isUnlocked else { return .refuse(Refusal(.authenticationFailed, .locked)) }
        let changesPartitions = new.partitions != old.partitions
        guard let approved = changesPartitions ? new : new.admittingPrograms(missingIn: old) else {
            return .refuse(Refusal(.parameter, .none))
        }
        if passwordWasProved { return .allow(approved) }
        if !changesPartitions, caller.isOneProgram, old.owner.trusts(caller) { return .allow(new) }
        let request = ApprovalRequest(
            caller: caller, authorization: changesPartitions ? .partitionID : .changeACL, item: item, owner: old)
        return Evidence(permissions: permissions).permission(for: request) == nil ? .ask(request) : .allow(approved)
    }
}

/// The facts about an item of a file keychain that a verdict needs.
public struct GuardedItem: Hashable, Sendable {
    public let itemClass: ItemClass
    /// Nil for an item that is not stored yet.
    public let reference: PersistentReference?
    public let access: AccessObject?

    public init(itemClass: ItemClass, reference: PersistentReference?, access: AccessObject?) {
        self.itemClass = itemClass
        self.reference = reference
        self.access = access
    }
}

/// A verdict over a change to an item's access object.
public enum AccessChangeDecision: Hashable, Sendable {
    /// Store the access object given here.
    case allow(AccessObject)
    case ask(ApprovalRequest)
    case refuse(Refusal)
}

/// An item's new access object.
public struct AccessAddition: Hashable, Sendable {
    public let item: PersistentReference?
    public let access: AccessObject
}

extension AccessObject {
    /// Returns the access object of an item that a program adds: with the caller's own partition, those of the programs
    /// that the given entries trust, and, if the program gave no access object, the entries of SecAccessCreate,
    /// which trust the program.
    ///
    /// - Parameters:
    ///   - given: the access object that came with the item. If it has a partition list, it was read from another item,
    ///     and only partitions in that list are added: a copy admits no program that the original does not admit.
    ///   - description: the name of the item in prompts. Cut if it is too long.
    /// - Returns: nil beyond the limits of ``AccessLimits``.
    public static func ofNewItem(by caller: Caller, given: AccessObject?, description: String) -> AccessObject? {
        let partitions = caller.partition.map { [$0] } ?? []
        guard let given else {
            let trusted = TrustedApplication(caller).map { [$0] } ?? []
            return AccessObject(description: description.cutForAccess, trusting: trusted)?.with(partitions: partitions)
        }
        let added = given.partitions(ofProgramsMissingIn: nil, besides: partitions)
        return given.with(partitions: partitions + added.filter { given.partitions?.contains($0) ?? true })
    }

    /// Returns the access object with a partition list that also admits the programs that an earlier object did not
    /// trust; nil beyond the limits. An object without a list stays without one.
    func admittingPrograms(missingIn old: AccessObject) -> AccessObject? {
        guard let partitions else { return self }
        return with(partitions: partitions + self.partitions(ofProgramsMissingIn: old, besides: partitions))
    }

    /// Returns the partitions of the programs that the entries about the secret trust, each once, in their order.
    ///
    /// - Parameters:
    ///   - old: programs that its entries about the secret trust are left out: an approval concerns what it adds.
    ///   - known: the partition list so far. A list with ``PartitionID/enforced`` is extended for all programs only:
    ///     the partition of another program can also be that of the shielded program without its shield.
    private func partitions(ofProgramsMissingIn old: AccessObject?, besides known: [PartitionID]) -> [PartitionID] {
        let (all, before) = (secretSubjects, old?.secretSubjects ?? [])
        var (found, seen): ([PartitionID], Set<PartitionID>) = ([], Set(known))
        func append(_ partition: PartitionID?) {
            if let partition, seen.insert(partition).inserted { found.append(partition) }
        }
        if all.contains(.anyApplication), !before.contains(.anyApplication) { append(.any) }
        guard !known.contains(.enforced) else { return found }
        let trustedBefore = Set(before.flatMap(\.requirements))
        for requirement in all.flatMap(\.requirements) where !trustedBefore.contains(requirement) {
            append(requirement.partition)
        }
        return found
    }

    /// The subjects of the entries about the secret. Others, such as the entry for encrypting that SecAccessCreate
    /// makes for all programs, say nothing about who may read it.
    private var secretSubjects: [AccessEntry.Subject] {
        let secret = AccessAuthorization.restricted.union([.any])
        return entries.filter { !$0.authorizations.isDisjoint(with: secret) }.map(\.subject)
    }

    /// Returns whether the partition list admits a caller that entries trust. An object without a list admits each.
    ///
    /// - Parameter entries: the entries that trust the caller.
    private func admits(_ caller: Caller, trustedBy entries: some Sequence<AccessEntry>) -> Bool {
        guard let partitions else { return true }
        if let own = caller.partition, partitions.contains(own) { return true }
        return partitions.contains(.any) && entries.contains { $0.subject == .anyApplication }
    }

    enum Examination {
        case granted
        /// - Parameter entry: the index of the entry.
        case asked(entry: Int, Refusal.Reason)
        case refused(Refusal.Reason)
    }

    /// Applies steps 2 and 3 of semantics 8.6: the entries, then the partition list.
    func examine(_ needed: AccessAuthorization, for caller: Caller, _ rules: AccessRules) -> Examination {
        let candidates = entries.indices.filter { entries[$0].authorizes(needed) }
        guard !candidates.isEmpty else { return .refused(.noAccessEntry) }
        let trusting = candidates.filter { entries[$0].trusts(caller) }
        if let silent = trusting.first {
            guard admits(caller, trustedBy: trusting.lazy.map { entries[$0] }) else {
                return .asked(entry: silent, .otherPartition)
            }
            guard !rules.requiresEnforcedCallers || caller.tier == .enforced else {
                return .asked(entry: silent, .strictMode)
            }
            return .granted
        }
        // An entry for the processes of one user never prompts, and an entry can exclude such programs from prompts.
        guard let entry = candidates.first(where: { entries[$0].asksAbout(caller) }) else {
            return .refused(.notTrusted)
        }
        return .asked(entry: entry, .notTrusted)
    }
}

extension AccessEntry {
    /// Returns whether the entry authorizes the caller without a prompt.
    func trusts(_ caller: Caller) -> Bool {
        switch subject {
        case .anyApplication: true
        case .applications(let list): list.contains { $0.matches(caller) }
        case .process(let owner): owner.matches(caller)
        }
    }

    /// Returns whether a caller that the entry does not trust causes a prompt.
    ///
    /// Apple's keychain does not prompt for unsigned programs unless the entry requires it. Here most programs are
    /// unsigned, so they cause a prompt unless the entry excludes it.
    func asksAbout(_ caller: Caller) -> Bool {
        guard isSimple else { return false }
        if caller.hasInvalidSignature {
            return !promptSelector.contains(.invalidCounts) || promptSelector.contains(.invalid)
        }
        switch caller.tier {
        case .unidentified, .interpreter, .unsigned:
            return !promptSelector.contains(.unsignedCounts) || promptSelector.contains(.unsigned)
        case .installed, .signed, .enforced: return true
        }
    }
}

extension AccessOwner {
    /// Callers are known by their user ID alone, so an entry that also requires a group matches only root.
    fileprivate func matches(_ caller: Caller) -> Bool {
        if kind.contains(.honorRoot), caller.userID == 0 { return true }
        return kind.contains(.useUserID) && !kind.contains(.useGroupID) && caller.userID == userID
    }
}

extension TrustedApplication {
    /// Creates the trusted application for a caller; nil if the caller has no identity.
    public init?(_ caller: Caller) {
        self.init(caller.identity, displayPath: caller.displayPath)
    }

    /// Returns whether the caller is this program or a member of this group.
    func matches(_ caller: Caller) -> Bool {
        switch requirement {
        case .program(let identity):
            guard caller.tier != .unidentified else { return false }
            return identity.isExactly(caller.identity)
        case .group(let name):
            return caller.entitlements.contains {
                guard $0.key == Self.groupEntitlement, case .list(let groups) = $0.value else { return false }
                return groups.contains { $0.utf8.elementsEqual(name.utf8) }
            }
        }
    }

    private static let groupEntitlement = "com.apple.security.application-groups"
}

extension AccessEntry.Subject {
    /// The requirements of the listed programs.
    fileprivate var requirements: [TrustedApplication.Requirement] {
        switch self {
        case .anyApplication, .process: []
        case .applications(let list): list.map(\.requirement)
        }
    }
}

extension TrustedApplication.Requirement {
    /// The partition of the programs that meet the requirement, unless the kernel shields them or they are interpreters:
    /// such programs are in partitions that a name alone must not open. Nil for a group whose first part cannot be that
    /// of a partition.
    fileprivate var partition: PartitionID? {
        switch self {
        case .program(let identity): identity.partition
        // A signature gives only groups that begin with its team's identifier.
        case .group(let name): name.split(separator: ".").first.flatMap { PartitionID.team(String($0)) }
        }
    }
}

extension ProgramIdentity {
    fileprivate var partition: PartitionID? {
        switch self {
        case .unidentified, .application: .unsigned
        case .command: .commandLineTool
        case .signed(let team, _): .team(team)
        case .installed: .installed
        case .unsigned(let digest): .digest(digest)
        }
    }
}

extension Caller {
    /// The partition that the caller is in.
    public var partition: PartitionID? {
        guard isOneProgram else { return .unsigned }
        // As for access groups: the same program without its shield is in another partition.
        if let enforcement, ProgramRules.mayRunUnshielded(identity, enforcement, runsScripts: false) {
            return .enforced
        }
        return identity.partition
    }

    /// Whether the identity stands for one program. An interpreter runs many programs, and access objects name programs
    /// only, not the systemd units that run them.
    var isOneProgram: Bool {
        switch tier {
        case .unidentified, .interpreter: false
        case .unsigned, .installed, .signed, .enforced: !findings.contains(.interpreter)
        }
    }

    /// Whether the program has an invalid signature.
    fileprivate var hasInvalidSignature: Bool {
        findings.contains {
            switch $0 {
            case .changedAfterSigning, .damagedSignature, .newerSignature, .foreignEntitlements: true
            case .noSignature, .writableByOthers, .interpreter, .foreignUserNamespace, .notInspectable,
                .untrustedFileSystem, .tooLarge, .changedWhileRead, .otherUser, .userService, .notShielded,
                .unreadable, .sandbox:
                false
            }
        }
    }
}
