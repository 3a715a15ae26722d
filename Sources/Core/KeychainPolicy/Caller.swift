// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The caller, as the service identified it. Nothing in it was declared by the client.
public struct Caller: Hashable, Sendable {
    public let userID: UInt32
    public let processID: Int32
    /// The start time of the process, in kernel ticks since boot: no other process has had this time and the same
    /// process ID.
    public let processStart: UInt64
    public let tier: CallerTier
    public let identity: ProgramIdentity
    public let enforcement: Enforcement?
    /// The caller's own access groups; it adds items to the first. If empty, the caller may do nothing.
    public private(set) var accessGroups: [String]
    /// The entitlements of a valid signature.
    public let entitlements: [Entitlement]
    /// Whether the groups come from entitlements, and not from the program's identity.
    public private(set) var hasEntitledGroups: Bool
    /// The reasons why the tier is not higher.
    public let findings: [CallerFinding]
    /// Whether the user or the machine's policy trusts the team that signed the program.
    public internal(set) var isOfKnownTeam: Bool
    /// The reason why the caller has no access groups, if a rule of the keychain or of the machine removes them.
    public private(set) var groupsRefusal: Refusal.Reason?
    /// The path of its executable, for display. Never compared with anything.
    public let displayPath: String
    /// The path of its executable, if only the user and root can have put the file there and the user owns it.
    public let ownedPath: UserOwnedPath?
    /// The bridge that makes the caller's requests; nil for a caller that connected itself.
    public let bridge: Bridge?
    /// Whether the caller is the command that was installed with the service: it may list the attributes of all the
    /// user's items.
    public var isAdministrationTool: Bool { identity == .command }
    /// Whether the caller finds the items of all programs except enforced ones, and lists their attributes: the command,
    /// which every program can run, and the clients of bridges that are in no sandbox.
    public var findsAllItems: Bool { isAdministrationTool || bridge != nil && !isSandboxed }
    /// Whether the caller is an application in a sandbox, which a bridge connects with the keychain. It is confined to
    /// the items of its own groups: it finds no others, has no keychain files, and administers nothing.
    public var isSandboxed: Bool { if case .application = identity { true } else { false } }
    /// The rule by which it lists other programs' items.
    public var listingRule: GrantRule { bridge == nil ? .administration : .bridgeListing }

    public init(
        userID: UInt32, processID: Int32, processStart: UInt64 = 0, tier: CallerTier, identity: ProgramIdentity,
        enforcement: Enforcement? = nil, accessGroups: [String], entitlements: [Entitlement] = [],
        hasEntitledGroups: Bool = false,
        isOfKnownTeam: Bool = false, findings: [CallerFinding] = [], displayPath: String,
        ownedPath: UserOwnedPath? = nil, bridge: Bridge? = nil
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
        self.ownedPath = ownedPath
        self.bridge = bridge
    }

    /// Returns a caller that could not be identified.
    public static func unidentified(
        userID: UInt32, processID: Int32, displayPath: String, _ finding: CallerFinding?, bridge: Bridge? = nil
    ) -> Caller {
        Caller(
            userID: userID, processID: processID, tier: .unidentified, identity: .unidentified, accessGroups: [],
            findings: finding.map { [$0] } ?? [], displayPath: displayPath, bridge: bridge)
    }

    /// Returns the caller's group that a name stands for: a shielded program uses the plain names of its groups.
    public func resolvedGroup(_ name: String) -> String {
        let enforced = EnforcedGroup.name(of: name)
        return accessGroups.contains(where: { $0.utf8.elementsEqual(enforced.utf8) }) ? enforced : name
    }

    /// Returns the name by which this caller knows a group.
    public func shownGroup(_ group: String) -> String {
        guard !isAdministrationTool, let plainName = EnforcedGroup.plainName(of: group) else { return group }
        return plainName
    }

    /// The same caller without the group that each program has by default.
    public var withoutImplicitGroup: Caller {
        hasEntitledGroups || isAdministrationTool ? self : withoutGroups(because: .noEntitlements)
    }

    /// Returns whether the caller may learn of an item of another group. The portal names the group of private items when
    /// it looks for an imported secret of an application.
    func finds(_ item: ItemFacts) -> Bool { findsAllItems || isSandboxed && item.isPrivate }

    /// Returns whether the use of an item in one of the caller's own groups requires approval: it does for private
    /// items of the command. Storing an item, listing items and reading a certificate, which is public, require none.
    func isAskedAbout(_ item: ItemFacts, _ reference: PersistentReference, for operation: Operation) -> Bool {
        guard isAdministrationTool, item.isPrivate else { return false }
        return switch operation {
        case .readData: reference.itemClass != .certificate
        case .useKey, .update, .delete: true
        case .add, .probe, .availability, .readAttributes, .readPublic, .match, .backUp, .restore: false
        }
    }

    /// Returns the same caller with another group to add items to.
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

/// A process that speaks a foreign protocol with its clients, and makes their requests.
///
/// The process is part of the identity on purpose: a program of the user can start a bridge of its own, on a bus that lies
/// about its clients. So what a client holds through one bridge process counts for requests through that process alone.
public struct Bridge: Hashable, Sendable {
    /// The path of its executable, for display.
    public let displayPath: String
    public let processID: Int32
    /// The start time, in ticks since boot: a later process can get the number.
    public let processStart: UInt64

    public init(displayPath: String, processID: Int32, processStart: UInt64) {
        self.displayPath = displayPath
        self.processID = processID
        self.processStart = processStart
    }
}

/// The path of an executable that the service verified: it leads to the file that runs, without a link, and no user
/// except the owner and root can change that.
public struct UserOwnedPath: Hashable, Sendable {
    public let path: String
    /// The topmost folder of the path from which on the folders and the file belong to the user alone.
    public let topFolder: String

    public init(path: String, topFolder: String) {
        self.path = path
        self.topFolder = topFolder
    }
}

/// The facts about an item that the service knows before it decrypts any of it.
public struct ItemFacts: Hashable, Sendable {
    /// The item's access group, if it is one of the caller's or the caller named it; nil for any other group, whose
    /// name is sealed.
    public let accessGroup: String?
    public let accessibility: Accessibility
    /// The reference of the item; nil for an item that is not stored yet, or not yet with these facts.
    public let reference: PersistentReference?
    /// The constraints of its access control.
    public let constraints: AccessControl.Flags

    /// Whether the item is one of the command's private items.
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

/// The strictness of a keychain, from its owner's settings.
public struct AccessRules: Hashable, Sendable {
    /// Whether programs without entitlements have no access group (Apple's rule).
    public var requiresEntitlements: Bool
    /// Whether callers that are not enforced need approval to use items.
    public var requiresEnforcedCallers: Bool
    /// The lowest tier that may use items.
    public var minimumTier: CallerTier
    /// Whether items that the command adds are private by default.
    public var makesItemsPrivate: Bool
    /// What the clients of bridges may do with other programs' items.
    public var bridges: BridgeMode
    /// The identifiers of the trusted teams.
    public var trustedTeams: Set<String>
    /// The paths of the development folders.
    public var developmentFolders: Set<String>

    public init(
        requiresEntitlements: Bool = false, requiresEnforcedCallers: Bool = false,
        minimumTier: CallerTier = .unidentified, makesItemsPrivate: Bool = false, bridges: BridgeMode = .ask,
        trustedTeams: Set<String> = [], developmentFolders: Set<String> = []
    ) {
        self.trustedTeams = trustedTeams
        self.developmentFolders = developmentFolders
        self.makesItemsPrivate = makesItemsPrivate
        self.bridges = bridges
        self.requiresEntitlements = requiresEntitlements
        self.requiresEnforcedCallers = requiresEnforcedCallers
        self.minimumTier = minimumTier
    }

    /// The default.
    public static let compatible = AccessRules()
    public static let strictest = AccessRules(
        requiresEntitlements: true, requiresEnforcedCallers: true, makesItemsPrivate: true)

    /// Creates the rules from settings and the machine's policy.
    ///
    /// - Parameters:
    ///   - teams: the teams that the user trusts.
    ///   - developmentFolders: the user's development folders.
    public init(
        _ settings: [Setting: UInt64], _ policy: MachinePolicy = .none, teams: Set<String> = [],
        developmentFolders: Set<String> = []
    ) {
        self.init(
            requiresEntitlements: settings[.requiresEntitlements] == 1,
            requiresEnforcedCallers: settings[.requiresEnforcedCallers] == 1, minimumTier: policy.minimumTier,
            makesItemsPrivate: settings[.makesItemsPrivate] == 1,
            bridges: BridgeMode(settings),
            trustedTeams: teams.union(policy.trustedTeams),
            developmentFolders: policy.allowsDevelopment ? developmentFolders : [])
    }

    /// Returns the caller with the rules of this keychain applied.
    public func applied(to caller: Caller) -> Caller {
        var caller = caller
        if case .signed(let team, _) = caller.identity { caller.isOfKnownTeam = trustedTeams.contains(team) }
        if caller.tier < minimumTier { return caller.withoutGroups(because: .machinePolicy) }
        if caller.isAdministrationTool {
            return makesItemsPrivate ? caller.adding(to: CommandGroup.privateItems) : caller
        }
        if requiresEntitlements { return caller.withoutImplicitGroup }
        // The program adds items to the group of the innermost folder.
        return developmentGroups(of: caller).reduce(caller) { $0.adding(to: $1) }
    }

    /// Returns the groups of a program below development folders, the innermost folder last.
    ///
    /// Only for unsigned programs: others have groups that stay over rebuilds, and the scripts of an interpreter cannot
    /// be told apart.
    private func developmentGroups(of caller: Caller) -> [String] {
        guard caller.tier == .unsigned, case .unsigned = caller.identity, let owned = caller.ownedPath,
            let name = owned.path.split(separator: "/").last
        else { return [] }
        return developmentFolders.filter { folder in
            DevelopmentFolder.contains(folder, owned.path)
                && (owned.topFolder == "/"
                    || DevelopmentFolder.contains(owned.topFolder, folder, includingItself: true))
        }.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { DevelopmentFolder.group(of: String(name), in: $0) }
    }
}
