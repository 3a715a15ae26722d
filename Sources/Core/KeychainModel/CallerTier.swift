// SPDX-License-Identifier: Apache-2.0

/// The confidence with which the service identified the caller. The raw value is the number on the wire; a higher tier
/// means more trust.
public enum CallerTier: UInt8, CaseIterable, Comparable, Hashable, Sendable {
    /// Only the user is known.
    case unidentified = 0
    /// A program that runs other programs: its scripts cannot be told apart. Also an application in a sandbox: any
    /// program of its user can take its name.
    case interpreter = 1
    /// An executable that its user can change: identified by the SHA-256 of the file.
    case unsigned = 2
    /// A root-owned executable in a path that no ordinary user can write: identified by that path.
    case installed = 3
    /// An executable with a valid signature of a team: identified by team and identifier.
    case signed = 4
    /// Signed or installed, and shielded by the kernel from its user's other programs. Only the system service can
    /// verify this.
    case enforced = 5

    public var name: String {
        switch self {
        case .unidentified: "unidentified"
        case .interpreter: "interpreter"
        case .unsigned: "unsigned"
        case .installed: "installed"
        case .signed: "signed"
        case .enforced: "enforced"
        }
    }

    public static func < (one: CallerTier, other: CallerTier) -> Bool { one.rawValue < other.rawValue }
}

/// The identity of a program. The ``CallerTier`` is the confidence in it.
public enum ProgramIdentity: Hashable, Sendable {
    case unidentified
    /// The command that was installed with the service.
    case command
    /// Identified by a team and the team's name for the program, such as `org.example.mail`.
    case signed(team: String, identifier: String)
    /// Identified by the path, which only root can have put the file at.
    case installed(path: String)
    /// Identified by the SHA-256 of the file, 32 bytes.
    case unsigned(digest: [UInt8])
    /// An application in a sandbox, by the name that the sandbox states, such as `flatpak:org.example.Mail`. Only for
    /// clients of bridges.
    case application(name: String)

    /// Returns whether the identities are equal byte by byte. `==` treats different spellings of a character as equal.
    public func isExactly(_ other: ProgramIdentity) -> Bool {
        switch (self, other) {
        case (.unidentified, .unidentified), (.command, .command): true
        case (.signed(let team, let identifier), .signed(let otherTeam, let otherIdentifier)):
            team.utf8.elementsEqual(otherTeam.utf8) && identifier.utf8.elementsEqual(otherIdentifier.utf8)
        case (.installed(let path), .installed(let otherPath)): path.utf8.elementsEqual(otherPath.utf8)
        case (.unsigned(let digest), .unsigned(let otherDigest)): digest == otherDigest
        case (.application(let name), .application(let otherName)): name.utf8.elementsEqual(otherName.utf8)
        case (.unidentified, _), (.command, _), (.signed, _), (.installed, _), (.unsigned, _), (.application, _): false
        }
    }

    /// The access group of a program without entitlements; nil for a program that has no items.
    public var implicitGroup: String? {
        switch self {
        case .unidentified: nil
        case .command: CommandGroup.shared
        case .signed(let team, let identifier): "\(team).\(identifier)"
        case .installed(let path): GroupOwner.installedPrefix + path
        case .unsigned(let digest): GroupOwner.unsignedPrefix + digest.hexadecimal
        case .application(let name): name
        }
    }
}

/// The shield that prevents a program's own user from changing its behaviour.
public enum Enforcement: Hashable, Sendable {
    /// The program is set-group-id, and the kernel applied that.
    case setgid
    /// The program has a file capability, and the kernel applied that.
    case fileCapability
    /// The user ID belongs to a system service, and no other program runs under it.
    case ownUser
    /// A systemd unit, such as `mail.service`, under the user ID of a system service.
    case systemUnit(String)

    public var name: String {
        switch self {
        case .setgid: "set-group-id"
        case .fileCapability: "file capability"
        case .ownUser: "user of its own"
        case .systemUnit(let name): "system unit \(name)"
        }
    }
}

/// The reason why a program has no higher tier. The raw value is the number on the wire; it never changes.
public enum CallerFinding: UInt8, CaseIterable, Error, Hashable, Sendable {
    /// The file has no signature.
    case noSignature = 1
    /// The file changed after it was signed, for example by `strip` or an editor.
    case changedAfterSigning = 2
    /// The section is not a valid signature, or its key did not make it.
    case damagedSignature = 3
    /// This service does not know the version of the signature.
    case newerSignature = 4
    /// The entitlements contain names that do not belong to the signing team.
    case foreignEntitlements = 5
    /// A user other than root can change the file, or a directory on its path.
    case writableByOthers = 6
    /// The program runs scripts, and they cannot be told apart.
    case interpreter = 7
    /// The process is in its own user namespace, so its facts cannot be trusted.
    case foreignUserNamespace = 8
    /// The kernel denies the service access to the process.
    case notInspectable = 9
    /// The file that the service reads may differ from the file that runs, because the file system is not trusted.
    case untrustedFileSystem = 10
    /// The file is too large to be hashed.
    case tooLarge = 11
    /// The file changed while it was read.
    case changedWhileRead = 12
    /// The process does not belong to the keychain's user.
    case otherUser = 13
    /// A user service cannot shield programs from its own user.
    case userService = 14
    /// The user's other programs can change the behaviour of this one.
    case notShielded = 15
    /// The file could not be read.
    case unreadable = 16
    /// The process belongs to a sandbox, whose statements cannot be verified.
    case sandbox = 17
}

/// The facts that the service found about a program: the reply to `identity`.
public struct CallerReport: Hashable, Sendable {
    public var userID: UInt32
    /// 0 for a program that was inspected only as a file.
    public var processID: Int32
    public var tier: CallerTier
    public var identity: ProgramIdentity
    public var enforcement: Enforcement?
    /// For display; never used for decisions.
    public var path: String
    /// The default group first.
    public var accessGroups: [String]
    /// Whether the groups come from entitlements, and not from the program's identity.
    public var hasEntitledGroups: Bool
    /// The entitlements of a valid signature, in ascending order of their names.
    public var entitlements: [Entitlement]
    /// The reasons why the tier is not higher.
    public var findings: [CallerFinding]
    /// Whether it is the command that was installed with the service.
    public var isAdministrationTool: Bool

    public init(
        userID: UInt32, processID: Int32, tier: CallerTier, identity: ProgramIdentity, enforcement: Enforcement?,
        path: String, accessGroups: [String], hasEntitledGroups: Bool, entitlements: [Entitlement],
        findings: [CallerFinding], isAdministrationTool: Bool
    ) {
        self.userID = userID
        self.processID = processID
        self.tier = tier
        self.identity = identity
        self.enforcement = enforcement
        self.path = path
        self.accessGroups = accessGroups
        self.hasEntitledGroups = hasEntitledGroups
        self.entitlements = entitlements
        self.findings = findings
        self.isAdministrationTool = isAdministrationTool
    }
}

/// A permission that a team gives its program.
public struct Entitlement: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        case bool(Bool)
        case text(String)
        case list([String])
    }

    /// Printable ASCII without blanks.
    public let key: String
    public let value: Value

    public init(key: String, value: Value) {
        self.key = key
        self.value = value
    }
}

/// The subject of a ``CallerReport``.
public enum IdentitySubject: Hashable, Sendable {
    /// The caller.
    case caller
    /// A process of the same user. Only for the administration tool.
    case process(Int32)
    /// The file at an absolute path: the identity of a process that runs it. Only for callers that are identified.
    case program(path: String)
}

extension Sequence<UInt8> {
    /// Two lowercase hexadecimal digits per byte.
    public var hexadecimal: String {
        var text = ""
        for byte in self {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        return text
    }
}
