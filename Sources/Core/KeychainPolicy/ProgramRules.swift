// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// What was found out about an executable.
public struct ProgramEvidence: Hashable, Sendable {
    public enum Signature: Hashable, Sendable {
        /// None that counts, and why.
        case none(CallerFinding)
        /// Right, over the file as it is, with entitlements of the team's own.
        case valid(team: String, identifier: String, entitledGroups: [String], entitlements: [Entitlement])
    }

    /// Free of symbolic links.
    public var path: String
    /// It is the command that was installed with the service.
    public var isCommand: Bool
    /// Only root can have put it at the path.
    public var isRootsAlone: Bool
    public var signature: Signature

    public init(path: String, isCommand: Bool, isRootsAlone: Bool, signature: Signature) {
        self.path = path
        self.isCommand = isCommand
        self.isRootsAlone = isRootsAlone
        self.signature = signature
    }
}

/// What was found out about a process that could shield it from other programs of its user.
public struct ShieldEvidence: Hashable, Sendable {
    public var userID: UInt32
    /// The executable is set-group-id, and the process has that group from nothing else: it had it when it connected, and neither its
    /// real group nor the groups of its user are it.
    public var hasGroupOfFile: Bool
    /// The executable has file capabilities, and the process has them. The file alone proves nothing: for a process that
    /// its user traces from the start, or that may get no new privileges, the kernel leaves them out.
    public var hasFileCapability: Bool
    /// Its control group, such as `/system.slice/mail.service`; nil where it cannot be told.
    public var controlGroup: String?

    public init(
        userID: UInt32, hasGroupOfFile: Bool, hasFileCapability: Bool, controlGroup: String?
    ) {
        self.userID = userID
        self.hasGroupOfFile = hasGroupOfFile
        self.hasFileCapability = hasFileCapability
        self.controlGroup = controlGroup
    }
}

/// From evidence to identity, tier and access groups (ARCHITECTURE.md, "Who is asking").
public enum ProgramRules {
    public struct Verdict: Hashable, Sendable {
        public var identity: ProgramIdentity
        public var tier: CallerTier
        public var enforcement: Enforcement?
        public var accessGroups: [String]
        public var hasEntitledGroups: Bool
        public var entitlements: [Entitlement]
        public var findings: [CallerFinding]
    }

    /// Judges a program.
    ///
    /// - Parameters:
    ///   - shield: nil in a service under its user's own number, where nothing shields anybody.
    ///   - digest: the SHA-256 of the file; asked for only where it names the program.
    public static func judge(
        _ program: ProgramEvidence, shield: ShieldEvidence?, digest: () throws(CallerFinding) -> [UInt8]
    ) -> Verdict {
        var verdict = Verdict(
            identity: .unidentified, tier: .unidentified, enforcement: nil, accessGroups: [], hasEntitledGroups: false,
            entitlements: [], findings: [])
        if program.isCommand {
            // It keeps one group over updates. Whoever can put another file in its place can put one in the place of the
            // service beside it as well, so the group is as safe as the service.
            verdict.identity = .command
            verdict.tier = program.isRootsAlone ? .installed : .unsigned
        } else if case .valid(let team, let identifier, let groups, let entitlements) = program.signature {
            verdict.identity = .signed(team: team, identifier: identifier)
            verdict.tier = .signed
            verdict.entitlements = entitlements
            verdict.accessGroups = groups
            verdict.hasEntitledGroups = !groups.isEmpty
        } else if program.isRootsAlone {
            verdict.identity = .installed(path: program.path)
            verdict.tier = .installed
        } else {
            do throws(CallerFinding) {
                verdict.identity = .unsigned(digest: try digest())
                verdict.tier = .unsigned
            } catch {
                verdict.findings = [error]
                return verdict
            }
        }
        if verdict.accessGroups.isEmpty { verdict.accessGroups = verdict.identity.implicitGroup.map { [$0] } ?? [] }
        if program.isCommand { verdict.accessGroups.append(CommandGroup.privateItems) }
        if verdict.identity != .command, case .none(let finding) = program.signature {
            verdict.findings.append(finding)
        }
        if !program.isRootsAlone { verdict.findings.append(.writableByOthers) }

        // A team that signs an interpreter says that it answers for what that runs.
        let runsScripts = verdict.tier < .signed && verdict.identity != .command && Interpreters.include(program.path)
        if runsScripts {
            verdict.tier = .interpreter
            verdict.findings.append(.interpreter)
        }
        guard let shield else {
            verdict.findings.append(.userService)
            return verdict
        }
        // The file as well must be out of the user's reach, or another one could be in its place tomorrow.
        guard program.isRootsAlone, let enforcement = enforcement(shield) else {
            verdict.findings.append(.notShielded)
            return verdict
        }
        // A unit is one service whatever it is written in; otherwise a script is not its interpreter.
        if case .systemUnit = enforcement {} else if runsScripts { return verdict }
        verdict.enforcement = enforcement
        verdict.tier = .enforced
        verdict.findings = verdict.findings.filter { $0 == .interpreter }
        if mayRunUnshielded(verdict.identity, enforcement, runsScripts: runsScripts) {
            verdict.accessGroups = verdict.accessGroups.map {
                $0 == AccessPolicy.tokenGroup ? $0 : EnforcedGroup.name(of: $0)
            }
        }
        return verdict
    }

    /// Whether a program may ask its user what the service of the system wants to know.
    ///
    /// The answers are verified as from anybody; what the program must not do is keep questions from people, or show them to
    /// programs. So it is the one that came with the service, and one that its user's other programs cannot get into: from those
    /// that are only installed, any of them could make another program (`LD_PRELOAD`, ptrace).
    ///
    /// - Parameter isInstalledAgent: its file is the agent's beside the service, which root alone can change.
    public static func mayAskPeople(_ caller: Caller, isInstalledAgent: Bool) -> Bool {
        isInstalledAgent && caller.tier == .enforced
    }

    /// Whether a process of the same user can have the same identity without the shield. Then the shielded program's items are in
    /// groups of their own. A service under its own user has no such process: only its user's number shields it, and each process has
    /// that. The command has no items of its own to protect, because every program may run it.
    static func mayRunUnshielded(
        _ identity: ProgramIdentity, _ enforcement: Enforcement, runsScripts: Bool
    ) -> Bool {
        guard identity != .command else { return false }
        return switch enforcement {
        case .setgid, .fileCapability: true
        case .systemUnit: runsScripts
        case .ownUser: false
        }
    }

    /// What shields a process, if anything does.
    static func enforcement(_ shield: ShieldEvidence) -> Enforcement? {
        if shield.hasGroupOfFile { return .setgid }
        // Root has them with any program.
        if shield.hasFileCapability, shield.userID != 0 { return .fileCapability }
        guard isService(shield.userID) else { return nil }
        if let unit = shield.controlGroup.flatMap(systemUnit) { return .systemUnit(unit) }
        // Root is everybody's and nobody's.
        return shield.userID == 0 ? nil : .ownUser
    }

    /// Users who are no persons: below the first ordinary number (login.defs(5): UID_MIN is 1000 on all common systems),
    /// and those that the service manager makes up for a unit (systemd's UIDS-GIDS.md: 61184 to 65519).
    private static func isService(_ userID: UInt32) -> Bool { userID < 1000 || (61184...65519).contains(userID) }

    /// The unit of a control group below the system's slice, which no ordinary user can put a process in.
    static func systemUnit(_ controlGroup: String) -> String? {
        let parts = controlGroup.split(separator: "/")
        guard parts.first == "system.slice" else { return nil }
        return parts.first { $0.hasSuffix(".service") }.map(String.init)
    }
}
