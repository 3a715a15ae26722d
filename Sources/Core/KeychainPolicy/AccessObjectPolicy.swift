// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Who may do what with items of file keychains: pure functions from a caller and an item's access object to a decision
/// (semantics 8.6).
///
/// All of the user's programs may find such items, read their attributes, change and delete them. Reading their data and
/// using keys is for those whom the access object lets, and for those of whom a person says so.
public enum AccessObjectPolicy {
    /// What an access object has to authorize for an operation; nil for what is free to all of the user's programs.
    ///
    /// - Parameter keyUse: of `.useKey`; without it only an entry for everything will do.
    public static func authorization(
        for operation: Operation, of itemClass: ItemClass, keyUse: KeyUse? = nil
    ) -> AccessAuthorization? {
        switch operation {
        case .add, .probe, .match, .readAttributes, .update, .delete: nil
        case .readData, .backUp, .restore:
            switch itemClass {
            case .genericPassword, .internetPassword: .decrypt
            case .key: .exportClear
            // A certificate is public. Of an identity, the key is judged by itself.
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

    /// The verdict over items that were found, in their order: one that is refused refuses the request, and the first that
    /// has to be asked about is asked about.
    ///
    /// - Parameters:
    ///   - isUnlocked: whether the keychain's key is at hand.
    ///   - mayAsk: whether a person can be asked, and the program lets it happen.
    ///   - permissions: what a person said of this request since an earlier verdict.
    /// - Returns: refusals are `errSecAuthFailed` (`notTrusted`, `otherPartition`, `noAccessEntry`, `strictMode`; `locked` where
    ///   nobody can be asked to unlock), `errSecNoAccessForItem` for an item without an access object, and
    ///   `errSecMissingEntitlement` for backups, which have a judgement of their own.
    public static func judge(
        _ caller: Caller, _ operation: Operation, keyUse: KeyUse? = nil, items: some Sequence<GuardedItem>,
        isUnlocked: Bool, mayAsk: Bool, rules: AccessRules = .compatible, permissions: [AccessPermission] = []
    ) -> AccessDecision {
        guard operation != .backUp, operation != .restore else {
            return .refuse(Refusal(.missingEntitlement, .administrationOnly))
        }
        var rule = GrantRule.fileKeychain
        var additions: [AccessAddition] = []
        var question: AccessQuestion?
        for item in items {
            guard let needed = authorization(for: operation, of: item.itemClass, keyUse: keyUse) else { continue }
            guard let access = item.access else { return .refuse(Refusal(.noAccessForItem, .noAccessObject)) }
            guard isUnlocked else { return mayAsk ? .unlock : .refuse(Refusal(.authenticationFailed, .locked)) }
            switch access.examine(needed, for: caller, rules) {
            case .granted:
                if rule == .fileKeychain { rule = .accessObject }
                if access.partitions == nil, caller.isOneProgram, let partition = caller.partition,
                    let completed = access.with(partitions: [partition])
                {
                    additions.append(AccessAddition(item: item.reference, access: completed))
                }
            case .asked(let entry, let reason):
                let asked = AccessQuestion(
                    caller: caller, authorization: needed, item: item.reference, entry: entry, of: access,
                    because: reason, rules)
                if permissions.contains(where: { $0.covers(asked) }) {
                    rule = .person
                } else if !mayAsk {
                    return .refuse(Refusal(.authenticationFailed, reason))
                } else if question == nil {
                    question = asked
                }
            case .refused(let reason): return .refuse(Refusal(.authenticationFailed, reason))
            }
        }
        if let question { return .ask(question) }
        return .grant(Grant(operation, by: rule), additions)
    }

    /// The verdict over a change of who may use an item.
    ///
    /// The owner may change the entries, and whoever knows the keychain's password everything. The partition list is
    /// changed with the password alone: otherwise the owner right, which a program can have, would let it past the list.
    ///
    /// - Parameters:
    ///   - old: the access object that the item has; nil if it has none.
    ///   - new: without a partition list it keeps the old one's.
    ///   - passwordWasProved: whether the keychain's password came with the request, and is the right one.
    /// - Returns: refusals are `errSecNoAccessForItem` for an item without an access object; `errSecInvalidOwnerEdit` where
    ///   who is the owner shall be changed by another, and nobody can be asked; `errSecAuthFailed` for everything else.
    public static func judgeChange(
        _ caller: Caller, of item: PersistentReference?, from old: AccessObject?, to new: AccessObject,
        isUnlocked: Bool, mayAsk: Bool, passwordWasProved: Bool = false, permissions: [AccessPermission] = []
    ) -> AccessChangeDecision {
        guard let old else { return .refuse(Refusal(.noAccessForItem, .noAccessObject)) }
        guard let new = new.partitions == nil ? new.with(partitions: old.partitions) : new else {
            return .refuse(Refusal(.parameter, .none))
        }
        // By their bytes: `==` takes different spellings of a character for the same.
        guard new.encoded != old.encoded else { return .allow(new) }
        guard isUnlocked else { return mayAsk ? .unlock : .refuse(Refusal(.authenticationFailed, .locked)) }
        if passwordWasProved { return .allow(new) }
        let changesPartitions = new.partitions != old.partitions
        if !changesPartitions, caller.isOneProgram, old.owner.trusts(caller) { return .allow(new) }
        let question = AccessQuestion(
            caller: caller, authorization: changesPartitions ? .partitionID : .changeACL, item: item, owner: old)
        if permissions.contains(where: { $0.covers(question) }) { return .allow(new) }
        if mayAsk { return .ask(question) }
        // A new owner, and nobody to say so.
        let changesOwner = new.owner != old.owner
        return .refuse(Refusal(changesOwner ? .invalidOwnerEdit : .authenticationFailed, .notAccessOwner))
    }
}

/// An item of a file keychain, as far as it has to be known for a verdict.
public struct GuardedItem: Hashable, Sendable {
    public let itemClass: ItemClass
    /// Nil for one that is not stored yet.
    public let reference: PersistentReference?
    public let access: AccessObject?

    public init(itemClass: ItemClass, reference: PersistentReference?, access: AccessObject?) {
        self.itemClass = itemClass
        self.reference = reference
        self.access = access
    }
}

/// A verdict over items of a file keychain.
public enum AccessDecision: ~Copyable {
    /// Granted. The items whose access objects had no partition list get the caller's, without anybody being asked.
    case grant(Grant, [AccessAddition])
    /// The keychain has to be unlocked first; a person can be asked for its password.
    case unlock
    case ask(AccessQuestion)
    case refuse(Refusal)
}

/// A verdict over a change of who may use an item.
public enum AccessChangeDecision: Hashable, Sendable {
    /// The access object is to be stored as it is here.
    case allow(AccessObject)
    case unlock
    case ask(AccessQuestion)
    case refuse(Refusal)
}

/// An item's access object as it shall be from now on.
public struct AccessAddition: Hashable, Sendable {
    public let item: PersistentReference?
    public let access: AccessObject
}

extension AccessObject {
    /// What an item gets that a program adds: its own partition, and without an access object of the program's choice
    /// the one of SecAccessCreate, which trusts the program.
    ///
    /// - Parameters:
    ///   - given: what came with the item. A partition list in it does not count: that is changed with the keychain's
    ///     password.
    ///   - description: what questions call the item. Cut where it is too long.
    /// - Returns: nil beyond the limits of ``AccessLimits``.
    public static func ofNewItem(by caller: Caller, given: AccessObject?, description: String) -> AccessObject? {
        let partitions = caller.partition.map { [$0] } ?? []
        if let given { return given.with(partitions: partitions) }
        let trusted = TrustedApplication(caller).map { [$0] } ?? []
        return AccessObject(description: description.cutForAccess, trusting: trusted)?.with(partitions: partitions)
    }

    enum Examination {
        case granted
        /// - Parameter entry: its number among the entries.
        case asked(entry: Int, Refusal.Reason)
        case refused(Refusal.Reason)
    }

    /// Steps 2 and 3 of semantics 8.6: the entries, then the partition list.
    func examine(_ needed: AccessAuthorization, for caller: Caller, _ rules: AccessRules) -> Examination {
        let candidates = entries.indices.filter { entries[$0].authorizes(needed) }
        guard !candidates.isEmpty else { return .refused(.noAccessEntry) }
        if let silent = candidates.first(where: { entries[$0].trusts(caller) }) {
            if let partitions {
                let isMember = caller.partition.map(partitions.contains) ?? false
                guard isMember else { return .asked(entry: silent, .otherPartition) }
            }
            guard !rules.requiresEnforcedCallers || caller.tier == .enforced else {
                return .asked(entry: silent, .strictMode)
            }
            return .granted
        }
        // An entry that is for a user's processes asks nobody, and one may say that such programs are not asked about.
        guard let entry = candidates.first(where: { entries[$0].asksAbout(caller) }) else {
            return .refused(.notTrusted)
        }
        return .asked(entry: entry, .notTrusted)
    }
}

extension AccessEntry {
    /// Whether the caller may do without being asked about what the entry authorizes.
    func trusts(_ caller: Caller) -> Bool {
        switch subject {
        case .anyApplication: true
        case .applications(let list): list.contains { $0.matches(caller) }
        case .process(let owner): owner.matches(caller)
        }
    }

    /// Whether a person is asked about a caller that the entry does not trust.
    ///
    /// Apple's keychain asks nobody about unsigned programs unless the entry says so. Here most programs are unsigned, and
    /// a person is asked unless the entry says no.
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
    /// Callers are known by their user's number alone, so an entry that also asks for a group is nobody's but root's.
    fileprivate func matches(_ caller: Caller) -> Bool {
        if kind.contains(.honorRoot), caller.userID == 0 { return true }
        return kind.contains(.useUserID) && !kind.contains(.useGroupID) && caller.userID == userID
    }
}

extension TrustedApplication {
    /// The caller as a program that can be trusted; nil where nothing is known of it.
    public init?(_ caller: Caller) {
        self.init(caller.identity, displayPath: caller.displayPath)
    }

    /// Whether the caller is the program, or of the group.
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

extension Caller {
    /// The partition that it is in.
    public var partition: PartitionID? {
        guard isOneProgram else { return .unsigned }
        // As for access groups: the same program without its shield is in another partition.
        if let enforcement, ProgramRules.mayRunUnshielded(identity, enforcement, runsScripts: false) {
            return .enforced
        }
        return switch identity {
        case .unidentified: .unsigned
        case .command: .commandLineTool
        case .signed(let team, _): .team(team)
        case .installed: .installed
        case .unsigned(let digest): .digest(digest)
        }
    }

    /// Whether its identity stands for one program: an interpreter runs many, and access objects know programs only, not
    /// the units of the system that run them.
    var isOneProgram: Bool {
        switch tier {
        case .unidentified, .interpreter: false
        case .unsigned, .installed, .signed, .enforced: !findings.contains(.interpreter)
        }
    }

    /// Whether there is a signature that is not right.
    fileprivate var hasInvalidSignature: Bool {
        findings.contains {
            switch $0 {
            case .changedAfterSigning, .damagedSignature, .newerSignature, .foreignEntitlements: true
            case .noSignature, .writableByOthers, .interpreter, .foreignUserNamespace, .notInspectable,
                .untrustedFileSystem, .tooLarge, .changedWhileRead, .otherUser, .userService, .notShielded,
                .unreadable:
                false
            }
        }
    }
}
