// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Who may do what: pure functions from a caller, an operation and the facts of the items to a decision.
///
/// Judging has two steps, because most of what there is to know of an item is sealed: ``scope(of:for:accessGroup:)``
/// says where the store may look at all, and ``judge(_:_:items:lockState:rules:evidence:)`` decides over what it found there.
public enum AccessPolicy {
    /// Where the caller may look.
    ///
    /// - Parameter accessGroup: the group that the request names, if it names one.
    /// - Throws: `errSecMissingEntitlement` for a caller that has no access group, for a named group that is not one of
    ///   the caller's, and for changing the group of tokens (semantics 7).
    public static func scope(
        of caller: Caller, for operation: Operation, accessGroup: String?
    ) throws(Refusal) -> SearchScope {
        guard !caller.accessGroups.isEmpty else {
            throw Refusal(
                .missingEntitlement,
                caller.identity == .unidentified ? .unidentifiedCaller : caller.groupsRefusal ?? .noEntitlements)
        }
        switch operation {
        case .add:
            let group = try ownGroup(accessGroup ?? caller.accessGroups[0], of: caller)
            guard group != tokenGroup else { throw Refusal(.missingEntitlement, .readOnlyGroup) }
            return .groups([group])
        case .backUp, .restore:
            // Over all groups at once, and by a judgement of their own.
            throw Refusal(.missingEntitlement, .none)
        case .probe, .match, .readAttributes, .readData, .useKey, .update, .delete:
            if caller.isAdministrationTool {
                if let accessGroup { return .groups([accessGroup]) }
                // Items of enforced programs are found only by the name of their group, so that each use can be asked about.
                return .everything(own: caller.accessGroups)
            }
            let changes = operation == .update || operation == .delete
            if let accessGroup {
                let group = try ownGroup(accessGroup, of: caller)
                guard !changes || group != tokenGroup else { throw Refusal(.missingEntitlement, .readOnlyGroup) }
                return .groups([group])
            }
            return .groups(changes ? caller.accessGroups.filter { $0 != tokenGroup } : caller.accessGroups)
        }
    }

    /// The permission to count what is in other groups of a signed program's own team, for an explanation: a program that
    /// was signed without a group that it had before finds nothing, and its team should learn why.
    ///
    /// - Returns: nil for everybody else, and while attributes cannot be read.
    public static func grantToExplain(to caller: Caller, lockState: LockState) -> Grant? {
        guard case .signed = caller.identity, lockState == .noPasscode || lockState == .unlocked else {
            return nil
        }
        return Grant(.readAttributes, by: .ownGroup)
    }

    /// What is on hardware tokens: readable by all who have it among their groups, and nobody's to add to.
    public static let tokenGroup = "com.apple.token"

    /// The verdict over the items that were found in the caller's scope.
    ///
    /// - Parameter evidence: what a person said and showed since an earlier verdict over the same request, and before.
    public static func judge(
        _ caller: Caller, _ operation: Operation, items: some Sequence<ItemFacts>, lockState: LockState,
        rules: AccessRules = .compatible, evidence: Evidence = .none
    ) -> Decision {
        // These have a judgement of their own.
        guard operation != .backUp, operation != .restore else {
            return .refuse(Refusal(.missingEntitlement, .administrationOnly))
        }
        let needsShield =
            rules.requiresEnforcedCallers && caller.tier != .enforced && operation.requiresShieldInStrictMode
        /// Whether there is an item that the caller may not use by itself: another program's, or a private one.
        var hasItemToAskAbout = false
        var hasEnforced = false
        var hasOtherPrograms = false
        /// The items that would have to be asked about.
        var concerned: [PersistentReference] = []
        /// What the first item that asks for it has to be shown.
        var demand: AuthenticationDemand?
        for item in items {
            if let refusal = refusal(for: operation, on: item.accessibility, lockState) { return .refuse(refusal) }
            let isOwn = item.accessGroup.map { caller.accessGroups.contains($0) } ?? false
            // An item without a reference is the one that the update makes of an item that is judged beside it.
            let isAskedAbout = !isOwn || item.reference.map { caller.isAskedAbout(item, $0, for: operation) } ?? false
            if isAskedAbout {
                hasItemToAskAbout = true
                if !isOwn { hasOtherPrograms = true }
                if item.accessGroup.map(EnforcedGroup.contains) ?? false { hasEnforced = true }
            }
            if needsShield || isAskedAbout, let reference = item.reference { concerned.append(reference) }
            if demand == nil, !item.constraints.isEmpty {
                demand = AuthenticationDemand(item, operation, by: caller, evidence)
            }
        }
        func asking(_ because: Refusal.Reason) -> Decision {
            let question = Question(caller: caller, operation: operation, items: concerned, because: because)
            guard let permission = evidence.permission, permission.covers(question) else { return .ask(question) }
            return granting(by: permission.rule)
        }
        /// The last question of all: nobody has to show anything for what is refused or denied.
        func granting(by rule: GrantRule) -> Decision {
            if let demand { return .authenticate(demand) }
            return .grant(Grant(operation, by: rule))
        }
        if needsShield { return asking(.strictMode) }
        guard hasItemToAskAbout else { return granting(by: .ownGroup) }
        guard caller.isAdministrationTool else {
            // Cannot happen while scope(of:) is asked first; a mistake there must not open anything.
            return .refuse(Refusal(.itemNotFound, .none))
        }
        switch operation {
        // A search by attributes opens nothing for the caller; what it finds is judged again, as another operation.
        case .match: return granting(by: .administration)
        case .probe, .readAttributes: return hasEnforced ? asking(.otherProgramsItem) : granting(by: .administration)
        case .add, .readData, .useKey, .update, .delete, .backUp, .restore:
            return asking(hasOtherPrograms ? .otherProgramsItem : .privateItem)
        }
    }

    /// The verdict over a piece of a backup or of restoring one. That whoever asks for it has proved to be the owner, is
    /// seen to when the backup is begun.
    ///
    /// - Parameter operation: `.backUp` or `.restore`; anything else is refused.
    public static func judgeBackup(
        _ caller: Caller, _ operation: Operation, lockState: LockState, policy: MachinePolicy = .none
    ) -> Decision {
        guard operation != .backUp || policy.allowsBackups else {
            return .refuse(Refusal(.missingEntitlement, .machinePolicy))
        }
        guard operation == .backUp || operation == .restore, caller.isAdministrationTool else {
            return .refuse(Refusal(.missingEntitlement, .administrationOnly))
        }
        switch lockState {
        case .noPasscode, .unlocked: return .grant(Grant(operation, by: .administration))
        case .beforeFirstUnlock, .locked: return .refuse(Refusal(.interactionNotAllowed, .locked))
        case .awaitingPIN: return .refuse(Refusal(.interactionNotAllowed, .pinNeeded))
        }
    }

    /// Whether the caller may move items to a group.
    ///
    /// The command moves items between the plain and the enforced group of a program, which the owner approves: a program that is
    /// enforced from now on does not find what it stored before.
    ///
    /// - Parameters:
    ///   - accessGroup: the group that the items of the request are in, if the request names one.
    ///   - destination: the group that they move to.
    /// - Throws: `errSecMissingEntitlement` for a group that is not one of the caller's, and for the group of tokens.
    public static func checkMove(
        by caller: Caller, from accessGroup: String?, to destination: String
    ) throws(Refusal) {
        if caller.isAdministrationTool, let accessGroup {
            let (plain, enforced) =
                EnforcedGroup.contains(accessGroup) ? (destination, accessGroup) : (accessGroup, destination)
            if !EnforcedGroup.contains(plain), EnforcedGroup.name(of: plain).utf8.elementsEqual(enforced.utf8) {
                return
            }
        }
        _ = try scope(of: caller, for: .add, accessGroup: destination)
    }

    /// Why these items may not move to another access group; nil where they may.
    ///
    /// A private item leaves its group only together with a new secret. The approval of a change would become one of reading the secret
    /// otherwise, for all times and all programs.
    public static func refusalOfMove(
        of items: some Sequence<ItemFacts>, to destination: String?, withNewSecret hasNewSecret: Bool
    ) -> Refusal? {
        guard let destination, !hasNewSecret, items.contains(where: \.isPrivate),
            !destination.utf8.elementsEqual(CommandGroup.privateItems.utf8)
        else { return nil }
        return Refusal(.missingEntitlement, .privateItem)
    }

    /// Whether the caller may have a search explained, which counts items without a judgement over each.
    ///
    /// - Throws: `errSecInteractionNotAllowed` with `strictMode` for a caller that strict mode would ask about each of them.
    public static func checkExplanation(for caller: Caller, rules: AccessRules) throws(Refusal) {
        guard !rules.requiresEnforcedCallers || caller.tier == .enforced else {
            throw Refusal(.interactionNotAllowed, .strictMode)
        }
    }

    private static func ownGroup(_ group: String, of caller: Caller) throws(Refusal) -> String {
        // Byte by byte: `==` takes different spellings of a character for the same.
        guard caller.accessGroups.contains(where: { $0.utf8.elementsEqual(group.utf8) }) else {
            throw Refusal(.missingEntitlement, .foreignAccessGroup)
        }
        return group
    }

    /// The table of semantics 4.3: which data-protection classes can be used in which lock state. Deleting needs no key.
    private static func refusal(
        for operation: Operation, on accessibility: Accessibility, _ lockState: LockState
    ) -> Refusal? {
        // Then nobody even knows what there is.
        guard lockState != .awaitingPIN else { return Refusal(.interactionNotAllowed, .pinNeeded) }
        guard operation != .delete else { return nil }
        let isAvailable =
            switch (accessibility, lockState) {
            case (.whenPasscodeSetThisDeviceOnly, .noPasscode):
                false
            case (_, .awaitingPIN):
                false
            case (_, .noPasscode), (_, .unlocked), (.always, _), (.alwaysThisDeviceOnly, _):
                true
            case (.afterFirstUnlock, .locked), (.afterFirstUnlockThisDeviceOnly, .locked):
                true
            case (.afterFirstUnlock, .beforeFirstUnlock), (.afterFirstUnlockThisDeviceOnly, .beforeFirstUnlock),
                (.whenUnlocked, .locked), (.whenUnlocked, .beforeFirstUnlock),
                (.whenUnlockedThisDeviceOnly, .locked), (.whenUnlockedThisDeviceOnly, .beforeFirstUnlock),
                (.whenPasscodeSetThisDeviceOnly, .locked), (.whenPasscodeSetThisDeviceOnly, .beforeFirstUnlock):
                false
            }
        if isAvailable { return nil }
        return lockState == .noPasscode
            ? Refusal(.authenticationFailed, .locked) : Refusal(.interactionNotAllowed, .locked)
    }
}

/// What a caller wants to do with items.
public enum Operation: UInt8, CaseIterable, Hashable, Sendable {
    case add = 1
    /// Asks only whether there is an item.
    case probe = 2
    case readAttributes = 3
    case readData = 4
    case update = 5
    case delete = 6
    /// All items, into a backup.
    case backUp = 7
    /// Items of all programs, out of a backup.
    case restore = 8
    /// Signs, decrypts or agrees with a private key, which stays where it is.
    case useKey = 9
    /// Looks at attributes to see which items a query means. Nothing of them goes out.
    case match = 10

    /// Whether strict mode requires an enforced caller for it. ``match`` gives nothing to the caller.
    fileprivate var requiresShieldInStrictMode: Bool {
        switch self {
        case .match: false
        case .add, .probe, .readAttributes, .readData, .useKey, .update, .delete, .backUp, .restore: true
        }
    }

    public var name: String {
        switch self {
        case .add: "add"
        case .probe: "probe"
        case .readAttributes: "read-attributes"
        case .readData: "read-data"
        case .update: "update"
        case .delete: "delete"
        case .backUp: "backup"
        case .restore: "restore"
        case .useKey: "use-key"
        case .match: "match"
        }
    }
}

/// Where the store may look for items.
public enum SearchScope: Hashable, Sendable {
    /// Only in these access groups.
    case groups([String])
    /// In all groups, with or without those of enforced programs; items of the groups named come first.
    case everything(own: [String], withEnforced: Bool = false)
}

/// A verdict.
public enum Decision: ~Copyable {
    case grant(Grant)
    /// A person would have to say.
    case ask(Question)
    /// The owner would have to show to be there.
    case authenticate(AuthenticationDemand)
    case refuse(Refusal)

    /// By which rule it is granted; nil if it is not.
    public var rule: GrantRule? {
        switch self {
        case .grant(let grant): grant.rule
        case .ask: nil
        case .authenticate: nil
        case .refuse: nil
        }
    }
}

/// What a person would be asked.
public struct Question: Hashable, Sendable {
    public let caller: Caller
    public let operation: Operation
    /// The items that the caller may not use by itself, each of them; of others that the request concerns there is nothing
    /// to ask.
    public let items: [PersistentReference]
    /// Why the caller may not do it without being asked for: the reason of the refusal if nobody can be asked.
    public let because: Refusal.Reason
    /// What the item is called that would be added; nil for other operations.
    public var newItem: ItemNames?
}

/// The permission for one operation. Only this module can make one, and using it uses it up: the store opens nothing
/// and changes nothing without one.
public struct Grant: ~Copyable, Sendable {
    public let operation: Operation
    public let rule: GrantRule

    init(_ operation: Operation, by rule: GrantRule) {
        self.operation = operation
        self.rule = rule
    }
}
