// SPDX-License-Identifier: Apache-2.0

/// Who may use an item of a file keychain without being asked about, and what is asked of the others: Apple's access
/// object (`SecAccess`), whose bytes the item keeps among its attributes (Documentation/Formats/access-object.md).
///
/// A value of this type is within the limits of ``AccessLimits`` and has an encoding.
public struct AccessObject: Hashable, Sendable {
    /// Who may change the access object. Its only authorization is ``AccessAuthorization/changeACL``.
    public let owner: AccessEntry
    /// All others.
    public let entries: [AccessEntry]
    /// The kinds of programs that may use the item at all. Nil for an object that no item has yet, and of an item whose
    /// list was not kept when it was copied: then the first program that may use the item adds its own.
    public let partitions: [PartitionID]?

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

    /// What SecAccessCreate makes: the owner, whom only a person is; encrypting for all; everything that needs the secret
    /// for those who are trusted.
    ///
    /// - Parameters:
    ///   - description: what questions call the item.
    ///   - trusted: empty for nobody, so that every program is asked about.
    /// - Returns: nil beyond the limits of ``AccessLimits``.
    public init?(description: String, trusting trusted: [TrustedApplication]) {
        guard let owner = AccessEntry([.changeACL], .applications([]), description: description),
            let unrestricted = AccessEntry([.encrypt], .anyApplication, description: description),
            let restricted = AccessEntry(
                AccessAuthorization.restricted, .applications(trusted), description: description)
        else { return nil }
        self.init(owner: owner, entries: [unrestricted, restricted])
    }

    /// Everything for all programs, and nobody is asked; only a person changes that.
    ///
    /// - Parameter description: what questions call the item.
    /// - Returns: nil beyond the limits of ``AccessLimits``.
    public init?(openToAll description: String) {
        guard let owner = AccessEntry([.changeACL], .applications([]), description: description),
            let all = AccessEntry(
                AccessAuthorization.restricted.union([.encrypt]), .anyApplication, description: description)
        else { return nil }
        self.init(owner: owner, entries: [all])
    }

    /// What SecAccessCreateWithOwnerAndACL makes: an owner by number, and one entry for the same.
    ///
    /// - Returns: nil beyond the limits of ``AccessLimits``.
    public init?(owner: AccessOwner, authorizing authorizations: Set<AccessAuthorization>) {
        guard let first = AccessEntry([.changeACL], .process(owner), description: ""),
            let entry = AccessEntry(authorizations, .process(owner), description: "")
        else { return nil }
        self.init(owner: first, entries: [entry])
    }

    /// The same, where more programs may do what needs the secret without being asked about. Entries that let all programs, and those
    /// for a user's processes, stay as they are.
    ///
    /// - Parameter programs: nil: all programs.
    /// - Returns: nil beyond the limits of ``AccessLimits``, and where no entry of a list of programs authorizes decrypting.
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

    /// The same with another partition list; nil beyond the limits.
    public func with(partitions: [PartitionID]?) -> AccessObject? {
        AccessObject(owner: owner, entries: entries, partitions: partitions)
    }
}

/// One entry of an access object: Apple's ACL entry (`SecACL`).
public struct AccessEntry: Hashable, Sendable {
    /// For whom the entry is.
    public enum Subject: Hashable, Sendable {
        /// All programs, and nobody is asked: a `nil` list of Apple's functions.
        case anyApplication
        /// These programs; about others a person is asked. Empty: a person is asked each time.
        case applications([TrustedApplication])
        /// The processes of a user, and nobody else. Such an entry is not in Apple's simple form.
        case process(AccessOwner)
    }

    public let authorizations: Set<AccessAuthorization>
    public let subject: Subject
    /// What questions call the item.
    public let description: String
    public let promptSelector: PromptSelector

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

    /// The same for other authorizations.
    public func authorizing(_ authorizations: Set<AccessAuthorization>) -> AccessEntry {
        AccessEntry(self, authorizations)
    }

    /// The same for others; nil beyond the limits.
    public func with(_ subject: Subject) -> AccessEntry? {
        AccessEntry(authorizations, subject, description: description, promptSelector: promptSelector)
    }

    /// Whether it is in Apple's simple form: a list of applications, or any.
    public var isSimple: Bool {
        switch subject {
        case .anyApplication, .applications: true
        case .process: false
        }
    }

    /// Whether it lets its programs do that.
    public func authorizes(_ authorization: AccessAuthorization) -> Bool {
        authorizations.contains(authorization) || authorizations.contains(.any)
    }
}

/// When a person is asked, and for what: Apple's `SecKeychainPromptSelector`, same bits.
public struct PromptSelector: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The keychain's password has to be typed, whether it is unlocked or not.
    public static let requirePassphrase = PromptSelector(rawValue: 0x0001)
    /// A person is asked about unsigned programs; counts with ``unsignedCounts`` only.
    public static let unsigned = PromptSelector(rawValue: 0x0010)
    public static let unsignedCounts = PromptSelector(rawValue: 0x0020)
    /// A person is asked about programs whose signature is wrong; counts with ``invalidCounts`` only.
    public static let invalid = PromptSelector(rawValue: 0x0040)
    public static let invalidCounts = PromptSelector(rawValue: 0x0080)

    public static let known: PromptSelector = [
        .requirePassphrase, .unsigned, .unsignedCounts, .invalid, .invalidCounts,
    ]
}

/// Processes by their user's number.
public struct AccessOwner: Hashable, Sendable {
    public let userID: UInt32
    public let groupID: UInt32
    public let kind: Kind

    /// Which of the numbers count: Apple's `SecAccessOwnerType`, same bits.
    public struct Kind: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// `kSecUseOnlyUID`
        public static let useUserID = Kind(rawValue: 1)
        /// `kSecUseOnlyGID`
        public static let useGroupID = Kind(rawValue: 2)
        /// `kSecHonorRoot`: root as well.
        public static let honorRoot = Kind(rawValue: 0x100)

        public static let known: Kind = [.useUserID, .useGroupID, .honorRoot]
    }

    public init(userID: UInt32, groupID: UInt32, kind: Kind) {
        self.userID = userID
        self.groupID = groupID
        self.kind = kind
    }
}

/// What an access object may hold, so that no program fills a keychain with one.
public enum AccessLimits {
    /// Entries beside the owner's. Apple's tools make three.
    public static let entries = 64
    /// Of one entry.
    public static let applications = 256
    public static let partitions = 256
    /// Of a path, a name or a description, in UTF-8: Linux's longest path.
    public static let textBytes = 4096
    /// Of a whole encoding. It is an attribute, and all attributes of an item have 1 MiB.
    public static let bytes = 131_072

    /// Whether a text may be in one: not empty, not too long, and without a zero byte, at which some would end it.
    static func admit(_ text: String) -> Bool {
        let bytes = text.utf8
        return !bytes.isEmpty && bytes.count <= textBytes && !bytes.contains(0)
    }
}
