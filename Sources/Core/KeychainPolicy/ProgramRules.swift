// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The evidence about an executable.
public struct ProgramEvidence: Hashable, Sendable {
    public enum Signature: Hashable, Sendable {
        /// No valid signature, and the reason.
        case none(CallerFinding)
        /// A valid signature over the current file, with the team's own entitlements.
        case valid(team: String, identifier: String, entitledGroups: [String], entitlements: [Entitlement])
    }

    /// The path, without symbolic links.
    public var path: String
    /// Whether it is the command that was installed with the service.
    public var isCommand: Bool
    /// Whether only root can have put the file at the path.
    public var isRootsAlone: Bool
    public var signature: Signature

    public init(path: String, isCommand: Bool, isRootsAlone: Bool, signature: Signature) {
        self.path = path
        self.isCommand = isCommand
        self.isRootsAlone = isRootsAlone
        self.signature = signature
    }
}

/// The evidence that a process is shielded from other programs of its user.
public struct ShieldEvidence: Hashable, Sendable {
    public var userID: UInt32
    /// Whether the executable is set-group-id and is the only source of the group: the process had the group when it
    /// connected, and it is neither its real group nor one of its user's groups.
    public var hasGroupOfFile: Bool
    /// Whether the executable has file capabilities, and the process has them. The file alone proves nothing: the
    /// kernel drops them if the user traces the process from its start, or if the process may get no new privileges.
    public var hasFileCapability: Bool
    /// The control group, such as `/system.slice/mail.service`; nil if it cannot be determined.
    public var controlGroup: String?

    public init(
        userID: UInt32, hasGroupOfFile: Bool, hasFileCapability: Bool, controlGroup: String?
    ) {
        self.userID = userID
        self.hasGroupOfFile = hasGroupOfFile
        self.hasFileCapability = hasFileCapability
        self.controlGroup = controlGroup
    }

    /// The evidence about a process whose requests a bridge makes: its user alone.
    ///
    /// A program can connect to a bridge and then execute another one, whose pidfd the bridge passes while the first
    /// program's child still writes the requests. So what the kernel gives to the file of the second one proves nothing.
    /// The other program has the same user in any case.
    public static func throughBridge(of userID: UInt32) -> ShieldEvidence {
        ShieldEvidence(userID: userID, hasGroupOfFile: false, hasFileCapability: false, controlGroup: nil)
    }
}

/// The rules that turn evidence into identity, tier and access groups (Documentation/Identification.md).
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
    ///   - shield: the evidence of a shield; nil in a user service, where nothing shields a program.
    ///   - digest: the SHA-256 of the file; computed only if it names the program.
    public static func judge(
        _ program: ProgramEvidence, shield: ShieldEvidence?, digest: () throws(CallerFinding) -> [UInt8]
    ) -> Verdict {
        var verdict = Verdict(
            identity: .unidentified, tier: .unidentified, enforcement: nil, accessGroups: [], hasEntitledGroups: false,
            entitlements: [], findings: [])
        if program.isCommand {
            // The command keeps one group over updates. A user who can replace its file can also replace the service
            // beside it, so the group is as safe as the service.
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

        // A team that signs an interpreter answers for the scripts that it runs.
        let runsScripts = verdict.tier < .signed && verdict.identity != .command && Interpreters.include(program.path)
        if runsScripts {
            verdict.tier = .interpreter
            verdict.findings.append(.interpreter)
        }
        guard let shield else {
            verdict.findings.append(.userService)
            return verdict
        }
        // The file must also be out of the user's reach; otherwise the user could replace it later.
        guard program.isRootsAlone, let enforcement = enforcement(shield) else {
            verdict.findings.append(.notShielded)
            return verdict
        }
        // A unit is one service, whatever language it is written in; otherwise a script is not its interpreter.
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

    /// Returns whether a program may show the system service's prompts to its user.
    ///
    /// The answers are verified in the same way for every program. The program must not suppress prompts or pass them
    /// to other programs. So it must be the installed agent, and the user's other programs must not be able to control
    /// it: with a program that is only installed, any of them could (`LD_PRELOAD`, ptrace).
    ///
    /// - Parameter isInstalledAgent: whether its file is the agent beside the service, which root alone can change.
    public static func mayAskPeople(_ caller: Caller, isInstalledAgent: Bool) -> Bool {
        isInstalledAgent && caller.tier == .enforced
    }

    /// The names of the bridges, beside the service.
    public static let bridgeNames = ["chatelaine-secrets", "chatelaine-portal", "chatelaine-ssh-agent"]

    /// Returns whether a program may make requests on behalf of other processes.
    ///
    /// Its clients have no more rights than any program of the user can have without it, so it needs no shield.
    ///
    /// - Parameter isInstalledBridge: whether its file is a bridge beside the service, which no other user can change.
    public static func mayActForClients(_ caller: Caller, isInstalledBridge: Bool) -> Bool {
        isInstalledBridge && caller.tier != .unidentified
    }

    /// Returns whether a process of the same user can have the same identity without the shield. If so, the shielded
    /// program's items are in separate groups. A service with its own user ID has no such process: only the user ID
    /// shields it, and each of its processes has that. The command has no items of its own to protect, because every
    /// program may run it.
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

    /// Returns the shield of a process; nil if it has none.
    static func enforcement(_ shield: ShieldEvidence) -> Enforcement? {
        if shield.hasGroupOfFile { return .setgid }
        // Root has all capabilities in any program.
        if shield.hasFileCapability, shield.userID != 0 { return .fileCapability }
        guard isService(shield.userID) else { return nil }
        if let unit = shield.controlGroup.flatMap(systemUnit) { return .systemUnit(unit) }
        // Many unrelated programs run as root, so the user ID alone does not identify one.
        return shield.userID == 0 ? nil : .ownUser
    }

    /// Returns whether a user ID belongs to a system service: below the first ordinary number (login.defs(5): UID_MIN
    /// is 1000 on all common systems), or allocated by the service manager for a unit (systemd's UIDS-GIDS.md: 61184 to
    /// 65519).
    private static func isService(_ userID: UInt32) -> Bool { userID < 1000 || (61184...65519).contains(userID) }

    /// Returns the unit of a control group below the system slice. No ordinary user can put a process there.
    static func systemUnit(_ controlGroup: String) -> String? {
        let parts = controlGroup.split(separator: "/")
        guard parts.first == "system.slice" else { return nil }
        return parts.first { $0.hasSuffix(".service") }.map(String.init)
    }
}
