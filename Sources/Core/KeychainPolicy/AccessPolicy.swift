// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Access decisions: pure functions from a caller, an operation and the facts about the items to a decision.
///
/// Judging has two steps, because most facts about an item are sealed: ``scope(of:for:accessGroup:)`` decides where the
/// store may search at all, and ``judge(_:_:items:lockState:rules:evidence:)`` decides over the items found there.
public enum AccessPolicy {
    /// Returns where the caller may search.
    ///
    /// - Parameter accessGroup: the group that the request names, if it names one.
    /// - Throws: `errSecMissingEntitlement` for a caller that has no access group, for a named group that is not one of
    ///   the caller's, and for a change in the group of tokens (semantics 7).
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
            // Backup and restore cover all groups and have their own judgement.
            throw Refusal(.missingEntitlement, .none)
        case .probe, .match, .availability, .readAttributes, .readPublic, .readData, .useKey, .update, .delete:
            if caller.isAdministrationTool {
                if let accessGroup { return .groups([accessGroup]) }
                // Items of enforced programs are found only if the request names their group, so that each use can
                // require a prompt.
                return .everything(own: caller.accessGroups)
            }
            let changes = operation == .update || operation == .delete
            let own = changes ? caller.accessGroups.filter { $0 != tokenGroup } : caller.accessGroups
            if caller.findsAllItems, accessGroup == nil {
                // Private items are searched by the name of their group, so that the verdict knows them.
                return .everything(own: own + [CommandGroup.privateItems])
            }
            if let accessGroup {
                // The portal looks for an imported secret of the application in this way, and no other bridge names a
                // group. Reading it requires the user's approval.
                if caller.isSandboxed, !changes, accessGroup.utf8.elementsEqual(CommandGroup.privateItems.utf8) {
                    return .groups([CommandGroup.privateItems])
                }
                let group = try ownGroup(accessGroup, of: caller)
                guard !changes || group != tokenGroup else { throw Refusal(.missingEntitlement, .readOnlyGroup) }
                return .groups([group])
            }
            return .groups(own)
        }
    }

    /// Returns the permission to count items in other groups of a signed program's own team, for an explanation. A
    /// program that was signed without one of its earlier groups finds nothing, and its team needs to know why.
    ///
    /// - Returns: nil for every other caller, and while attributes cannot be read.
    public static func grantToExplain(to caller: Caller, lockState: LockState) -> Grant? {
        guard case .signed = caller.identity, lockState == .noPasscode || lockState == .unlocked else {
            return nil
        }
        return Grant(.readAttributes, by: .ownGroup)
    }

    /// The group of items on hardware tokens: a caller with this group may read them, and no caller may add to it.
    public static let tokenGroup = "com.apple.token"

    /// Returns the verdict over the items that were found in the caller's scope.
    ///
    /// - Parameter evidence: the approvals and owner authentications given since an earlier verdict over the same
    ///   request, and before.
    public static func judge(
        _ caller: Caller, _ operation: Operation, items: some Sequence<ItemFacts>, lockState: LockState,
        rules: AccessRules = .compatible, evidence: Evidence = .none
    ) -> Decision {
        // Backup and restore have their own judgement.
        guard operation != .backUp, operation != .restore else {
            return .refuse(Refusal(.missingEntitlement, .administrationOnly))
        }
        let needsShield = rules.requireShield(of: caller, for: operation)
        /// Whether an item requires the user's approval: it belongs to another program, or it is private.
        var hasItemToAskAbout = false
        var hasEnforced = false
        var hasOtherPrograms = false
        var hasHidden = false
        /// The items that require approval.
        var concerned: [PersistentReference] = []
        /// The rule by which the mode for bridges grants the use of these items; nil if it does not.
        var opening = caller.bridge == nil ? nil : rules.bridges.rule
        /// The authentication that the first item with constraints requires.
        var demand: AuthenticationDemand?
        for item in items {
            if let refusal = refusal(for: operation, on: item.accessibility, lockState) { return .refuse(refusal) }
            let isOwn = item.accessGroup.map { caller.accessGroups.contains($0) } ?? false
            // An item without a reference is the result of an update of an item that is judged beside it.
            let isAskedAbout = !isOwn || item.reference.map { caller.isAskedAbout(item, $0, for: operation) } ?? false
            if isAskedAbout {
                hasItemToAskAbout = true
                if !isOwn { hasOtherPrograms = true }
                if !isOwn, !caller.finds(item) { hasHidden = true }
                if item.isPrivate || !item.constraints.isEmpty { opening = nil }
                if item.accessGroup.map(EnforcedGroup.contains) ?? false { hasEnforced = true }
            }
            if needsShield || isAskedAbout, let reference = item.reference { concerned.append(reference) }
            if demand == nil, !item.constraints.isEmpty {
                demand = AuthenticationDemand(item, operation, by: caller, evidence)
            }
        }
        func asking(_ because: Refusal.Reason, opening: GrantRule? = nil) -> Decision {
            let request = ApprovalRequest(
                caller: caller, operation: operation, items: concerned, because: because, opening: opening)
            guard let permission = evidence.permission(for: request) else { return .ask(request) }
            return granting(by: permission.rule)
        }
        /// Checks authentication last, so a request that is refused or denied never requires it.
        func granting(by rule: GrantRule) -> Decision {
            if let demand { return .authenticate(demand) }
            return .grant(Grant(operation, by: rule))
        }
        if needsShield { return asking(.strictMode) }
        guard hasItemToAskAbout else { return granting(by: .ownGroup) }
        guard !hasHidden, !hasEnforced || caller.isAdministrationTool else {
            // Cannot happen while scope(of:) is called first; a mistake there must not grant access.
            return .refuse(Refusal(.itemNotFound, .none))
        }
        switch operation {
        // A search by attributes returns nothing to the caller; the items found are judged again, for another
        // operation.
        case .match: return granting(by: caller.listingRule)
        case .probe, .availability, .readAttributes, .readPublic:
            return hasEnforced ? asking(.otherProgramsItem) : granting(by: caller.listingRule)
        case .add, .readData, .useKey, .update, .delete, .backUp, .restore:
            return asking(hasOtherPrograms ? .otherProgramsItem : .privateItem, opening: opening)
        }
    }

    /// Returns the verdict over one part of a backup or a restore. The caller proves to be the owner when the backup
    /// begins, so this function does not check it.
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

    /// Checks whether the caller may move items to a group.
    ///
    /// The command moves items between the plain and the enforced group of a program, with the owner's approval: a
    /// program that becomes enforced does not find the items that it stored before.
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

    /// Returns the reason why these items may not move to another access group; nil if they may.
    ///
    /// A private item leaves its group only together with a new secret. Otherwise the approval of one change would let
    /// every program read the secret from then on. A client of a bridge moves no other program's item to its own group,
    /// where the other program would not find it.
    public static func refusalOfMove(
        of items: some Sequence<ItemFacts>, by caller: Caller, to destination: String?,
        withNewSecret hasNewSecret: Bool
    ) -> Refusal? {
        guard let destination else { return nil }
        if caller.bridge != nil,
            !items.allSatisfy({ $0.accessGroup.map(caller.accessGroups.contains) ?? false })
        {
            return Refusal(.missingEntitlement, .foreignAccessGroup)
        }
        guard !hasNewSecret, items.contains(where: \.isPrivate),
            !destination.utf8.elementsEqual(CommandGroup.privateItems.utf8)
        else { return nil }
        return Refusal(.missingEntitlement, .privateItem)
    }

    /// Checks whether the caller may request an explanation, which counts items without a verdict over each.
    ///
    /// - Throws: `errSecInteractionNotAllowed` with `strictMode` for a caller that strict mode would prompt for each
    ///   item.
    public static func checkExplanation(for caller: Caller, rules: AccessRules) throws(Refusal) {
        guard !rules.requiresEnforcedCallers || caller.tier == .enforced else {
            throw Refusal(.interactionNotAllowed, .strictMode)
        }
    }

    private static func ownGroup(_ group: String, of caller: Caller) throws(Refusal) -> String {
        // Compared as bytes, because `==` treats different spellings of a character as equal.
        guard caller.accessGroups.contains(where: { $0.utf8.elementsEqual(group.utf8) }) else {
            throw Refusal(.missingEntitlement, .foreignAccessGroup)
        }
        return group
    }

    /// Returns the refusal by the table of semantics 4.3, which maps data-protection classes to the lock states in
    /// which they can be used. Deleting and finding need no key.
    private static func refusal(
        for operation: Operation, on accessibility: Accessibility, _ lockState: LockState
    ) -> Refusal? {
        // Without the PIN, the service cannot tell which items exist.
        guard lockState != .awaitingPIN else { return Refusal(.interactionNotAllowed, .pinNeeded) }
        guard operation != .delete, operation != .availability else { return nil }
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
            ? Refusal(.authenticationFailed, .noPasscode) : Refusal(.interactionNotAllowed, .locked)
    }
}

/// What a caller wants to do with items.
public enum Operation: UInt8, CaseIterable, Hashable, Sendable {
    case add = 1
    /// Checks only whether an item exists.
    case probe = 2
    case readAttributes = 3
    case readData = 4
    case update = 5
    case delete = 6
    /// Reads all items into a backup.
    case backUp = 7
    /// Restores items of all programs from a backup.
    case restore = 8
    /// Signs, decrypts or agrees with a private key, which stays in the service.
    case useKey = 9
    /// Reads attributes to find the items that a query means. Returns none of them to the caller.
    case match = 10
    /// Finds items, and tells whether their data can be read now. Opens nothing, so the lock state does not matter.
    case availability = 11
    /// Reads the public part of an item's data: a certificate, or the public half of a private key. For clients of
    /// bridges, which list it as they list attributes.
    case readPublic = 12

    /// Whether strict mode requires an enforced caller for this operation. ``match`` returns nothing to the caller.
    fileprivate var requiresShieldInStrictMode: Bool {
        switch self {
        case .match: false
        case .add, .probe, .availability, .readAttributes, .readPublic, .readData, .useKey, .update, .delete, .backUp,
            .restore:
            true
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
        case .availability: "availability"
        case .readPublic: "read-public"
        }
    }
}

extension BridgeMode {
    /// The rule by which a client of a bridge uses other programs' items without a prompt; nil if it does not.
    fileprivate var rule: GrantRule? {
        switch self {
        case .ask: nil
        case .learn: .bridgesLearn
        case .open: .bridgesOpen
        }
    }
}

extension AccessRules {
    /// Returns whether strict mode requires the user's approval for the operation, in each kind of keychain.
    func requireShield(of caller: Caller, for operation: Operation) -> Bool {
        requiresEnforcedCallers && caller.tier != .enforced && operation.requiresShieldInStrictMode
    }
}

/// Where the store may search for items.
public enum SearchScope: Hashable, Sendable {
    /// Only in these access groups.
    case groups([String])
    /// In all groups, with or without those of enforced programs; items of the named groups come first.
    case everything(own: [String], withEnforced: Bool = false)

    /// The access groups that the scope names.
    public var accessGroups: [String] {
        switch self {
        case .groups(let groups): groups
        case .everything(let own, _): own
        }
    }
}

/// A verdict.
public enum Decision: ~Copyable {
    case grant(Grant)
    /// The request requires the user's approval.
    case ask(ApprovalRequest)
    /// The request requires owner authentication.
    case authenticate(AuthenticationDemand)
    case refuse(Refusal)

    /// The rule that grants the request; nil if it is not granted.
    public var rule: GrantRule? {
        switch self {
        case .grant(let grant): grant.rule
        case .ask: nil
        case .authenticate: nil
        case .refuse: nil
        }
    }
}

/// The permission for one operation. Only this module can make one, and an operation consumes it: without a grant the
/// store opens and changes nothing.
public struct Grant: ~Copyable, Sendable {
    public let operation: Operation
    public let rule: GrantRule

    init(_ operation: Operation, by rule: GrantRule) {
        self.operation = operation
        self.rule = rule
    }
}
