// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Who is asking, as the service found out by itself. Nothing in it was declared by the client.
public struct Caller: Hashable, Sendable {
    public let userID: UInt32
    public let processID: Int32
    /// When the process began, in the kernel's ticks since the machine did: no other process has had this and the same number.
    public let processStart: UInt64
    public let tier: CallerTier
    public let identity: ProgramIdentity
    public let enforcement: Enforcement?
    /// The access groups whose items are the caller's own; the first is where it adds items. Empty: it may do nothing.
    public private(set) var accessGroups: [String]
    /// Those of a valid signature.
    public let entitlements: [Entitlement]
    /// The groups come from entitlements, and not from the program's identity.
    public private(set) var hasEntitledGroups: Bool
    /// Why the tier is not higher.
    public let findings: [CallerFinding]
    /// Somebody said that the team which signed it is known: its user, or the machine's policy.
    public internal(set) var isOfKnownTeam: Bool
    /// Why it has no access groups, where a rule of the keychain or the machine says so.
    public private(set) var groupsRefusal: Refusal.Reason?
    /// The path of its executable, for people to read. Never compared with anything.
    public let displayPath: String
    /// The command that was installed with the service: it may list the attributes of all the user's items.
    public var isAdministrationTool: Bool { identity == .command }

    public init(
        userID: UInt32, processID: Int32, processStart: UInt64 = 0, tier: CallerTier, identity: ProgramIdentity,
        enforcement: Enforcement? = nil, accessGroups: [String], entitlements: [Entitlement] = [],
        hasEntitledGroups: Bool = false,
        isOfKnownTeam: Bool = false, findings: [CallerFinding] = [], displayPath: String
    ) {
        self.isOfKnownTeam = isOfKnownTeam
        self.userID = userID
        self.processID = processID
        self.processStart = processStart
        self.tier = tier
        self.identity = identity
        self.enforcement = enforcement
        self.accessGroups = accessGroups
        self.entitlements = entitlements
        self.hasEntitledGroups = hasEntitledGroups
        self.findings = findings
        self.displayPath = displayPath
    }

    /// A caller of whom nothing is known for sure.
    public static func unidentified(
        userID: UInt32, processID: Int32, displayPath: String, _ finding: CallerFinding?
    ) -> Caller {
        Caller(
            userID: userID, processID: processID, tier: .unidentified, identity: .unidentified, accessGroups: [],
            findings: finding.map { [$0] } ?? [], displayPath: displayPath)
    }

    /// The group of this caller that a program means by a name: a shielded program uses the plain names of its groups.
    public func resolvedGroup(_ name: String) -> String {
        let enforced = EnforcedGroup.name(of: name)
        return accessGroups.contains(where: { $0.utf8.elementsEqual(enforced.utf8) }) ? enforced : name
    }

    /// The name by which this caller knows a group.
    public func shownGroup(_ group: String) -> String {
        guard !isAdministrationTool, let plainName = EnforcedGroup.plainName(of: group) else { return group }
        return plainName
    }

    /// The same without the group that programs have of themselves.
    public var withoutImplicitGroup: Caller {
        hasEntitledGroups || isAdministrationTool ? self : withoutGroups(because: .noEntitlements)
    }

    /// Whether that use of an item in a group of the caller's own takes an approval: it is a private item of the command. Storing an item
    /// takes none, nor do lists of items, nor reading a certificate, which is public.
    func isAskedAbout(_ item: ItemFacts, _ reference: PersistentReference, for operation: Operation) -> Bool {
        guard isAdministrationTool, item.isPrivate else { return false }
        return switch operation {
        case .readData: reference.itemClass != .certificate
        case .useKey, .update, .delete: true
        case .add, .probe, .readAttributes, .match, .backUp, .restore: false
        }
    }

    /// The same with another group to add items to.
    func adding(to group: String) -> Caller {
        var caller = self
        caller.accessGroups = [group] + accessGroups.filter { $0 != group }
        return caller
    }

    func withoutGroups(because reason: Refusal.Reason) -> Caller {
        var caller = self
        caller.accessGroups = []
        caller.hasEntitledGroups = false
        caller.groupsRefusal = reason
        return caller
    }

    public var report: CallerReport {
        CallerReport(
            userID: userID, processID: processID, tier: tier, identity: identity, enforcement: enforcement,
            path: displayPath, accessGroups: accessGroups, hasEntitledGroups: hasEntitledGroups,
            entitlements: entitlements, findings: findings, isAdministrationTool: isAdministrationTool)
    }
}

/// What the service knows of an item before anything of it is decrypted.
public struct ItemFacts: Hashable, Sendable {
    /// The item's access group, if it is one of the caller's or was named by it; nil for any other, whose name is
    /// sealed.
    public let accessGroup: String?
    public let accessibility: Accessibility
    /// Which item it is; nil for one that is not stored yet, or not yet as these facts say.
    public let reference: PersistentReference?
    /// What its access control asks for.
    public let constraints: AccessControl.Flags

    /// Whether it is one of the command's private items.
    var isPrivate: Bool { accessGroup?.utf8.elementsEqual(CommandGroup.privateItems.utf8) ?? false }

    public init(
        accessGroup: String?, accessibility: Accessibility, reference: PersistentReference? = nil,
        constraints: AccessControl.Flags = []
    ) {
        self.accessGroup = accessGroup
        self.accessibility = accessibility
        self.reference = reference
        self.constraints = constraints
    }
}

/// How strict a keychain is, by its owner's settings.
public struct AccessRules: Hashable, Sendable {
    /// Programs without entitlements have no access group (Apple's rule).
    public var requiresEntitlements: Bool
    /// Only enforced callers use items without an approval.
    public var requiresEnforcedCallers: Bool
    /// Callers below this tier use no items.
    public var minimumTier: CallerTier
    /// What the command adds is private unless it says otherwise.
    public var makesItemsPrivate: Bool
    /// The teams that are known, by their identifiers.
    public var trustedTeams: Set<String>

    public init(
        requiresEntitlements: Bool = false, requiresEnforcedCallers: Bool = false,
        minimumTier: CallerTier = .unidentified, makesItemsPrivate: Bool = false, trustedTeams: Set<String> = []
    ) {
        self.trustedTeams = trustedTeams
        self.makesItemsPrivate = makesItemsPrivate
        self.requiresEntitlements = requiresEntitlements
        self.requiresEnforcedCallers = requiresEnforcedCallers
        self.minimumTier = minimumTier
    }

    /// The default.
    public static let compatible = AccessRules()
    public static let strictest = AccessRules(
        requiresEntitlements: true, requiresEnforcedCallers: true, makesItemsPrivate: true)

    /// - Parameter teams: those that the user trusts.
    public init(_ settings: [Setting: UInt64], _ policy: MachinePolicy = .none, teams: Set<String> = []) {
        self.init(
            requiresEntitlements: settings[.requiresEntitlements] == 1,
            requiresEnforcedCallers: settings[.requiresEnforcedCallers] == 1, minimumTier: policy.minimumTier,
            makesItemsPrivate: settings[.makesItemsPrivate] == 1, trustedTeams: teams.union(policy.trustedTeams))
    }

    /// The caller as this keychain sees it.
    public func applied(to caller: Caller) -> Caller {
        var caller = caller
        if case .signed(let team, _) = caller.identity { caller.isOfKnownTeam = trustedTeams.contains(team) }
        if caller.tier < minimumTier { return caller.withoutGroups(because: .machinePolicy) }
        if caller.isAdministrationTool {
            return makesItemsPrivate ? caller.adding(to: CommandGroup.privateItems) : caller
        }
        return requiresEntitlements ? caller.withoutImplicitGroup : caller
    }
}
