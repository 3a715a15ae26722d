// SPDX-License-Identifier: Apache-2.0

/// How surely the service knows which program is asking. The raw value is the number on the wire; the order is that of
/// trust.
public enum CallerTier: UInt8, CaseIterable, Comparable, Hashable, Sendable {
    /// Nothing is known but the user.
    case unidentified = 0
    /// A program that runs other people's programs: all its scripts look alike.
    case interpreter = 1
    /// An executable that its user can change: known by the SHA-256 of the file.
    case unsigned = 2
    /// A root-owned executable in a path that no ordinary user can write: known by that path.
    case installed = 3
    /// An executable with a valid signature of a team: known by team and identifier.
    case signed = 4
    /// Signed or installed, and shielded by the kernel from its user's other programs. Only the system service can tell.
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

/// Which program it is. The ``CallerTier`` says how surely that is known.
public enum ProgramIdentity: Hashable, Sendable {
    case unidentified
    /// The command that was installed with the service.
    case command
    /// By a team and the name that it gave the program, such as `org.example.mail`.
    case signed(team: String, identifier: String)
    /// By the path, which only root can have put the file at.
    case installed(path: String)
    /// By the SHA-256 of the file, 32 bytes.
    case unsigned(digest: [UInt8])

    /// Whether it is the same to the last byte. `==` takes different spellings of a character for the same.
    public func isExactly(_ other: ProgramIdentity) -> Bool {
        switch (self, other) {
        case (.unidentified, .unidentified), (.command, .command): true
        case (.signed(let team, let identifier), .signed(let otherTeam, let otherIdentifier)):
            team.utf8.elementsEqual(otherTeam.utf8) && identifier.utf8.elementsEqual(otherIdentifier.utf8)
        case (.installed(let path), .installed(let otherPath)): path.utf8.elementsEqual(otherPath.utf8)
        case (.unsigned(let digest), .unsigned(let otherDigest)): digest == otherDigest
        case (.unidentified, _), (.command, _), (.signed, _), (.installed, _), (.unsigned, _): false
        }
    }

    /// The access group of a program that has no entitlements; nil for one that has no items.
    public var implicitGroup: String? {
        switch self {
        case .unidentified: nil
        case .command: CommandGroup.shared
        case .signed(let team, let identifier): "\(team).\(identifier)"
        case .installed(let path): "installed:" + path
        case .unsigned(let digest): "unsigned:" + digest.hexadecimal
        }
    }
}

/// What keeps a program's own user from changing what it does.
public enum Enforcement: Hashable, Sendable {
    /// The program is set-group-id, and the kernel applied that.
    case setgid
    /// The program has a file capability, and the kernel applied that.
    case fileCapability
    /// The user is no person: nothing else runs under its number.
    case ownUser
    /// A unit of the system's service manager, such as `mail.service`, under a user who is no person.
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

/// Why the service does not know a program more surely. The raw value is the number on the wire; it never changes.
public enum CallerFinding: UInt8, CaseIterable, Error, Hashable, Sendable {
    /// The file carries no signature.
    case noSignature = 1
    /// The file is not as it was signed: `strip` or an editor came after.
    case changedAfterSigning = 2
    /// The section is no signature, or its key did not make it.
    case damagedSignature = 3
    /// The signature has a later version than this service knows.
    case newerSignature = 4
    /// The entitlements name what is not the signing team's.
    case foreignEntitlements = 5
    /// The file, or a directory on its path, can be changed by others than root.
    case writableByOthers = 6
    /// The program runs scripts, and they all look alike.
    case interpreter = 7
    /// The process lives in a user namespace of its own, and can pretend anything.
    case foreignUserNamespace = 8
    /// The kernel does not let the service look at the process.
    case notInspectable = 9
    /// The file system could show the service another file than it runs.
    case untrustedFileSystem = 10
    /// The file is too long to be hashed.
    case tooLarge = 11
    /// The file changed while it was read.
    case changedWhileRead = 12
    /// The process belongs to another user than the keychain.
    case otherUser = 13
    /// A service under the user's own number can shield nobody from that user.
    case userService = 14
    /// The user's other programs can change what this one does.
    case notShielded = 15
    /// The file could not be read.
    case unreadable = 16
}

/// What the service found out about a program: the answer to `identity`.
public struct CallerReport: Hashable, Sendable {
    public var userID: UInt32
    /// 0 for a program that was only looked at as a file.
    public var processID: Int32
    public var tier: CallerTier
    public var identity: ProgramIdentity
    public var enforcement: Enforcement?
    /// For people to read, never to decide by.
    public var path: String
    /// The default group first.
    public var accessGroups: [String]
    /// The groups come from entitlements, and not from the program's identity.
    public var hasEntitledGroups: Bool
    /// Those of a valid signature, in ascending order of their names.
    public var entitlements: [Entitlement]
    /// Why the tier is not higher.
    public var findings: [CallerFinding]
    /// It is the command that came with the service.
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

/// Something that a team lets its program have.
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

/// Whom ``CallerReport`` is about.
public enum IdentitySubject: Hashable, Sendable {
    /// The one who asks.
    case caller
    /// A process of the same user. Only for the administration tool.
    case process(Int32)
    /// The file at an absolute path: what a process that runs it would be. Only for callers that are identified.
    case program(path: String)
}

extension Sequence<UInt8> {
    /// Two small hexadecimal digits a byte.
    public var hexadecimal: String {
        var text = ""
        for byte in self {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        return text
    }
}
