// SPDX-License-Identifier: Apache-2.0

/// The programs that may use an item of a file keychain without a prompt, and the prompts for all others: Apple's
/// access object (`SecAccess`). The item keeps its bytes among its attributes (Documentation/Formats/access-object.md).
///
/// A value of this type is within the limits of ``AccessLimits`` and has an encoding.
public struct AccessObject: Hashable, Sendable {
    /// The callers that may change the access object. Its only authorization is ``AccessAuthorization/changeACL``.
    public let owner: AccessEntry
    /// All other entries.
    public let entries: [AccessEntry]
    /// The kinds of programs that may use the item. Nil for an object that no item has yet, and for an item whose list
    /// was lost when it was copied: then the first program that may use the item adds its own partition.
    public let partitions: [PartitionID]?

    /// Creates an access object.
    ///
    /// - Parameter owner: its authorizations are replaced by the owner's.
    /// - Returns: nil beyond the limits of ``AccessLimits``.
    public init?(owner: AccessEntry, entries: [AccessEntry], partitions: [PartitionID]? = nil) {
        self.owner = owner.authorizing([.changeACL])
        self.entries = entries
        self.partitions = partitions
        guard entries.count <= AccessLimits.entries, (partitions?.count ?? 0) <= AccessLimits.partitions,
            encoded.count <= AccessLimits.bytes
        else { return nil }
    }

    /// Creates the access object that SecAccessCreate makes. The owner entry requires the user's approval, all programs
    /// may encrypt, and the trusted programs may do everything that needs the secret.
    ///
    /// - Parameters:
    ///   - description: the name of the item in prompts.
    ///   - trusted: the trusted programs; if empty, every program causes a prompt.
    /// - Returns: nil beyond the limits of ``AccessLimits``.
    public init?(description: String, trusting trusted: [TrustedApplication]) {
        guard let owner = AccessEntry([.changeACL], .applications([]), description: description),
            let unrestricted = AccessEntry([.encrypt], .anyApplication, description: description),
            let restricted = AccessEntry(
                AccessAuthorization.restricted, .applications(trusted), description: description)
        else { return nil }
        self.init(owner: owner, entries: [unrestricted, restricted])
    }

    /// Creates an access object that allows everything to all programs without a prompt. A change of it requires the
    /// user's approval.
    ///
    /// - Parameter description: the name of the item in prompts.
    /// - Returns: nil beyond the limits of ``AccessLimits``.
    public init?(openToAll description: String) {
        guard let owner = AccessEntry([.changeACL], .applications([]), description: description),
            let all = AccessEntry(
                AccessAuthorization.restricted.union([.encrypt]), .anyApplication, description: description)
        else { return nil }
        self.init(owner: owner, entries: [all])
    }

    /// Creates the access object that SecAccessCreateWithOwnerAndACL makes: an owner by user ID, and one entry for the
    /// same owner.
    ///
    /// - Returns: nil beyond the limits of ``AccessLimits``.
    public init?(owner: AccessOwner, authorizing authorizations: Set<AccessAuthorization>) {
        guard let first = AccessEntry([.changeACL], .process(owner), description: ""),
            let entry = AccessEntry(authorizations, .process(owner), description: "")
        else { return nil }
        self.init(owner: first, entries: [entry])
    }

    /// Returns the access object with more programs trusted to do what needs the secret. Entries for all programs, and
    /// those for a user's processes, do not change.
    ///
    /// - Parameter programs: nil: all programs.
    /// - Returns: nil beyond the limits of ``AccessLimits``, and if no entry with a list of programs authorizes
    ///   decrypting.
    public func trusting(also programs: [TrustedApplication]?) -> AccessObject? {
        var changed = entries
        var isKnown = false
        for (place, entry) in entries.enumerated() where entry.authorizes(.decrypt) {
            switch entry.subject {
            case .process: continue
            case .anyApplication: isKnown = true
            case .applications(let list):
                let added = programs.map { programs in
                    programs.filter { program in !list.contains { $0.isSame(as: program) } }
                }
                guard let entry = entry.with(added.map { .applications(list + $0) } ?? .anyApplication) else {
                    return nil
                }
                changed[place] = entry
                isKnown = true
            }
        }
        return isKnown ? AccessObject(owner: owner, entries: changed, partitions: partitions) : nil
    }

    /// Returns the access object with another partition list; nil beyond the limits.
    public func with(partitions: [PartitionID]?) -> AccessObject? {
        AccessObject(owner: owner, entries: entries, partitions: partitions)
    }
}

/// One entry of an access object: Apple's ACL entry (`SecACL`).
public struct AccessEntry: Hashable, Sendable {
    /// The programs that the entry applies to.
    public enum Subject: Hashable, Sendable {
        /// All programs, without a prompt: a `nil` list in Apple's functions.
        case anyApplication
        /// These programs; every other program causes a prompt. If empty, each use causes a prompt.
        case applications([TrustedApplication])
        /// The processes of one user only. Apple's simple form has no such entry.
        case process(AccessOwner)
    }

    public let authorizations: Set<AccessAuthorization>
    public let subject: Subject
    /// The name of the item in prompts.
    public let description: String
    public let promptSelector: PromptSelector

    /// Creates an entry.
    ///
    /// - Returns: nil beyond the limits of ``AccessLimits``.
    public init?(
        _ authorizations: Set<AccessAuthorization>, _ subject: Subject, description: String,
        promptSelector: PromptSelector = []
    ) {
        guard description.isEmpty || AccessLimits.admit(description) else { return nil }
        if case .applications(let list) = subject, list.count > AccessLimits.applications { return nil }
        self.authorizations = authorizations
        self.subject = subject
        self.description = description
        self.promptSelector = promptSelector
    }

    private init(_ entry: AccessEntry, _ authorizations: Set<AccessAuthorization>) {
        self.authorizations = authorizations
        subject = entry.subject
        description = entry.description
        promptSelector = entry.promptSelector
    }

    /// Returns the entry with other authorizations.
    public func authorizing(_ authorizations: Set<AccessAuthorization>) -> AccessEntry {
        AccessEntry(self, authorizations)
    }

    /// Returns the entry for other programs; nil beyond the limits.
    public func with(_ subject: Subject) -> AccessEntry? {
        AccessEntry(authorizations, subject, description: description, promptSelector: promptSelector)
    }

    /// Whether the entry has Apple's simple form: a list of applications, or all applications.
    public var isSimple: Bool {
        switch subject {
        case .anyApplication, .applications: true
        case .process: false
        }
    }

    /// Returns whether the entry authorizes an operation.
    public func authorizes(_ authorization: AccessAuthorization) -> Bool {
        authorizations.contains(authorization) || authorizations.contains(.any)
    }
}

/// The conditions under which an entry causes a prompt: Apple's `SecKeychainPromptSelector`, same bits.
public struct PromptSelector: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The prompt requires the keychain's password, even if the keychain is unlocked.
    public static let requirePassphrase = PromptSelector(rawValue: 0x0001)
    /// Unsigned programs cause a prompt; counts only together with ``unsignedCounts``.
    public static let unsigned = PromptSelector(rawValue: 0x0010)
    public static let unsignedCounts = PromptSelector(rawValue: 0x0020)
    /// Programs with an invalid signature cause a prompt; counts only together with ``invalidCounts``.
    public static let invalid = PromptSelector(rawValue: 0x0040)
    public static let invalidCounts = PromptSelector(rawValue: 0x0080)

    public static let known: PromptSelector = [
        .requirePassphrase, .unsigned, .unsignedCounts, .invalid, .invalidCounts,
    ]
}

/// The processes of a user, by user ID.
public struct AccessOwner: Hashable, Sendable {
    public let userID: UInt32
    public let groupID: UInt32
    public let kind: Kind

    /// The IDs that count: Apple's `SecAccessOwnerType`, same bits.
    public struct Kind: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// `kSecUseOnlyUID`
        public static let useUserID = Kind(rawValue: 1)
        /// `kSecUseOnlyGID`
        public static let useGroupID = Kind(rawValue: 2)
        /// `kSecHonorRoot`: also root.
        public static let honorRoot = Kind(rawValue: 0x100)

        public static let known: Kind = [.useUserID, .useGroupID, .honorRoot]
    }

    public init(userID: UInt32, groupID: UInt32, kind: Kind) {
        self.userID = userID
        self.groupID = groupID
        self.kind = kind
    }
}

/// The limits of an access object, so that no program can fill a keychain with one.
public enum AccessLimits {
    /// Entries beside the owner's. Apple's tools make three.
    public static let entries = 64
    /// Applications of one entry.
    public static let applications = 256
    public static let partitions = 256
    /// Bytes of a path, a name or a description, in UTF-8: the length of Linux's longest path.
    public static let textBytes = 4096
    /// Bytes of a whole encoding. It is an attribute, and all attributes of an item have 1 MiB.
    public static let bytes = 131_072

    /// Returns whether an access object may contain a text: not empty, not too long, and without a zero byte, which
    /// would end the text in C code.
    static func admit(_ text: String) -> Bool {
        let bytes = text.utf8
        return !bytes.isEmpty && bytes.count <= textBytes && !bytes.contains(0)
    }
}
