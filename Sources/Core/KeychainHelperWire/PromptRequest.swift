// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A prompt for the user, with all facts that the user needs for an answer.
public struct PromptRequest: Hashable, Sendable {
    public enum Purpose: UInt8, CaseIterable, Hashable, Sendable {
        /// Approval for a program: deny, allow, and if offered, always allow.
        case confirmation = 1
        /// The keychain's passcode, as owner authentication.
        case passcode = 2
        /// An item's own password.
        case applicationPassword = 3
        /// Shows only a notice, while a fingerprint reader waits.
        case biometry = 4
        /// The password that unlocks a file keychain.
        case keychainPassword = 5
        /// Approval for a program to use an item of a file keychain: deny, allow, and if offered, always allow.
        case itemConfirmation = 6
        /// Approval for a change to the access object of an item of a file keychain: deny or allow.
        case accessChange = 7

        /// Whether the answer is yes or no.
        public var isConfirmation: Bool {
            switch self {
            case .confirmation, .itemConfirmation, .accessChange: true
            case .passcode, .applicationPassword, .biometry, .keychainPassword: false
            }
        }

        /// Whether it concerns a file keychain, and names it.
        var namesKeychain: Bool {
            switch self {
            case .keychainPassword, .itemConfirmation, .accessChange: true
            case .confirmation, .passcode, .applicationPassword, .biometry: false
            }
        }
    }

    /// Details of the purpose. Each applies to the purposes that it names.
    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Confirmation, also of an item's use: the prompt offers "Always Allow".
        public static let mayRemember = Options(rawValue: 1)
        /// All confirmations: both kinds of approval require the passcode, or the password of the file keychain.
        public static let needsPasscode = Options(rawValue: 2)
        /// Application password, password of a file keychain: the password is new, and typed twice.
        public static let isNew = Options(rawValue: 4)
        /// The previous entry was wrong. Not for biometry.
        public static let wasWrong = Options(rawValue: 8)

        static func allowed(for purpose: Purpose) -> Options {
            switch purpose {
            case .confirmation, .itemConfirmation: [.mayRemember, .needsPasscode, .wasWrong]
            case .accessChange: [.needsPasscode, .wasWrong]
            case .passcode: [.wasWrong]
            case .applicationPassword, .keychainPassword: [.isNew, .wasWrong]
            case .biometry: []
            }
        }
    }

    public var purpose: Purpose
    public var options: Options
    /// The time for an answer, in seconds; at least one.
    public var seconds: UInt16
    public var program: PromptProgram
    public var operation: PromptOperation
    /// At most ``PromptLimits/items``.
    public var items: [PromptItem]
    /// The number of further items.
    public var furtherItems: UInt32
    /// The program's own words.
    public var reason: PromptText?
    public var cancelTitle: PromptText?
    /// The title of the alternative; nil if none is offered.
    public var fallbackTitle: PromptText?
    /// Biometry: the reader that waits.
    public var reader: PromptText?
    /// The name of the file keychain; not empty. Present only for the purposes of file keychains.
    public var keychain: PromptText?
    public var place: PromptLocation

    public init(
        _ purpose: Purpose, options: Options = [], seconds: UInt16, program: PromptProgram, operation: PromptOperation,
        items: [PromptItem], furtherItems: UInt32 = 0, reason: PromptText? = nil, cancelTitle: PromptText? = nil,
        fallbackTitle: PromptText? = nil, reader: PromptText? = nil, keychain: PromptText? = nil, place: PromptLocation
    ) {
        self.purpose = purpose
        self.options = options
        self.seconds = seconds
        self.program = program
        self.operation = operation
        self.items = items
        self.furtherItems = furtherItems
        self.reason = reason
        self.cancelTitle = cancelTitle
        self.fallbackTitle = fallbackTitle
        self.reader = reader
        self.keychain = keychain
        self.place = place
    }

    public var frame: [UInt8] {
        var writer = HelperWriter(.promptRequest)
        writer.u8(purpose.rawValue)
        writer.u8(options.rawValue)
        writer.u16(seconds)
        writer.u32(program.process)
        writer.u8(program.tier.rawValue)
        writer.block(program.path.text.utf8)
        writer.optional(program.team) { $0.block($1.text.utf8) }
        writer.optional(program.identifier) { $0.block($1.text.utf8) }
        writer.u8(program.isOfKnownTeam ? 1 : 0)
        writer.list(program.starters) { $0.block($1.text.utf8) }
        writer.optional(program.bridge) { $0.block($1.text.utf8) }
        writer.u8(operation.rawValue)
        writer.list(items) { writer, item in
            writer.u8(item.kind.rawValue)
            for text in [item.label, item.place, item.account] { writer.block(text.text.utf8) }
            writer.optional(item.owner) { writer, owner in
                writer.u8(owner.kind.rawValue)
                writer.u8(owner.isShielded ? 1 : 0)
                writer.block(owner.name.text.utf8)
            }
        }
        writer.u32(furtherItems)
        for text in [reason, cancelTitle, fallbackTitle, reader] { writer.optional(text) { $0.block($1.text.utf8) } }
        if purpose.namesKeychain { writer.block((keychain?.text ?? "").utf8) }
        writer.place(place)
        return writer.frame()
    }

    /// Reads a request.
    ///
    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.promptRequest])
        purpose = try reader.value(Purpose.self)
        options = Options(rawValue: try reader.u8())
        guard options.isSubset(of: .allowed(for: purpose)) else { throw .malformed }
        seconds = try reader.u16()
        guard seconds > 0 else { throw .malformed }
        let process = try reader.u32()
        let tier = try reader.value(PromptProgram.Tier.self)
        let path = try reader.promptText()
        let team = try reader.optionalPromptText()
        let identifier = try reader.optionalPromptText()
        let known = try reader.u8()
        guard known <= 1 else { throw .malformed }
        let starters = try reader.list(atMost: PromptLimits.starters) { reader throws(HelperWireError) in
            try reader.promptText()
        }
        let bridge = try reader.optionalPromptText()
        guard bridge?.text.isEmpty != true else { throw .malformed }
        program = PromptProgram(
            process: process, path: path, tier: tier, team: team, identifier: identifier, isOfKnownTeam: known == 1,
            starters: starters, bridge: bridge)
        operation = try reader.value(PromptOperation.self)
        items = try reader.list(atMost: PromptLimits.items) { reader throws(HelperWireError) in
            let kind = try reader.value(PromptItem.Kind.self)
            let label = try reader.promptText()
            let place = try reader.promptText()
            let account = try reader.promptText()
            let owner = try reader.optional { reader throws(HelperWireError) in try reader.promptOwner() }
            return PromptItem(kind, label: label, place: place, account: account, owner: owner)
        }
        furtherItems = try reader.u32()
        reason = try reader.optionalPromptText()
        cancelTitle = try reader.optionalPromptText()
        fallbackTitle = try reader.optionalPromptText()
        self.reader = try reader.optionalPromptText()
        guard (self.reader != nil) == (purpose == .biometry) else { throw .malformed }
        keychain = purpose.namesKeychain ? try reader.promptText() : nil
        guard keychain?.text.isEmpty != true else { throw .malformed }
        guard keychain == nil || items.allSatisfy({ $0.owner == nil }) else { throw .malformed }
        place = try reader.place()
        guard !place.isNowhere else { throw .malformed }
        try reader.finish()
    }
}

/// The program that makes the request.
public struct PromptProgram: Hashable, Sendable {
    /// The tier of the program; the numbers of the client protocol.
    public enum Tier: UInt8, CaseIterable, Hashable, Sendable {
        case unidentified = 0
        case interpreter = 1
        case unsigned = 2
        case installed = 3
        case signed = 4
        case enforced = 5
    }

    public var process: UInt32
    /// The path of its executable. May be empty.
    public var path: PromptText
    public var tier: Tier
    /// The team that signed it.
    public var team: PromptText?
    /// The team's name for it.
    public var identifier: PromptText?
    /// Whether the user or the machine's policy trusts the team.
    public var isOfKnownTeam: Bool
    /// The paths of the programs that started it, the nearest first; at most ``PromptLimits/starters``. Given for a
    /// program that acts on behalf of its starter.
    public var starters: [PromptText]
    /// The file name of the bridge that makes its requests; not empty. Nil for a program that connected itself.
    public var bridge: PromptText?

    public init(
        process: UInt32, path: PromptText, tier: Tier, team: PromptText? = nil, identifier: PromptText? = nil,
        isOfKnownTeam: Bool = false, starters: [PromptText] = [], bridge: PromptText? = nil
    ) {
        self.isOfKnownTeam = isOfKnownTeam
        self.starters = starters
        self.bridge = bridge
        self.process = process
        self.path = path
        self.tier = tier
        self.team = team
        self.identifier = identifier
    }
}

/// The operation that a program requests.
public enum PromptOperation: UInt8, CaseIterable, Hashable, Sendable {
    case add = 1
    case readSecret = 2
    case readAttributes = 3
    case change = 4
    case delete = 5
    case useKey = 6
    /// Copies all items to a file that opens on every device.
    case backUp = 7
    /// Concerns no item: the program only requests owner authentication.
    case authenticate = 8
    /// Concerns no item: the factor unlocks the keychain.
    case unlock = 9
    /// Restores a backup that any program can have made.
    case restore = 10
    /// Concerns no item: changes settings so that programs use more items without an approval.
    case loosenSettings = 11
}

/// An item with the names that the user knows.
public struct PromptItem: Hashable, Sendable {
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        case genericPassword = 1
        case internetPassword = 2
        case certificate = 3
        case key = 4
        case identity = 5
    }

    public var kind: Kind
    public var label: PromptText
    /// The service, or the server of an internet password.
    public var place: PromptText
    public var account: PromptText
    /// The owner, if the item does not belong to the program that makes the request. Items of a keychain file have none.
    public var owner: PromptOwner?

    public init(
        _ kind: Kind, label: PromptText, place: PromptText, account: PromptText, owner: PromptOwner? = nil
    ) {
        self.kind = kind
        self.label = label
        self.place = place
        self.account = account
        self.owner = owner
    }
}

/// The program, or the programs, to which an item belongs.
public struct PromptOwner: Hashable, Sendable {
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        /// The command `chatelaine`.
        case command = 1
        /// A program that an administrator installed; its name is its path.
        case installedProgram = 2
        /// An unsigned program; its name is the beginning of the digest of its file.
        case unsignedProgram = 3
        /// An unsigned program in a development folder; its name is the path of the folder with the name of its file.
        case developedProgram = 4
        /// The programs whose signature names an access group; the name is that of the group.
        case accessGroup = 5
    }

    public var kind: Kind
    /// Empty for the command, and for no other owner.
    public var name: PromptText
    /// Whether the kernel shields the program: a process of the same file without the shield is not the owner.
    public var isShielded: Bool

    public init(_ kind: Kind, name: PromptText, isShielded: Bool = false) {
        self.kind = kind
        self.name = name
        self.isShielded = isShielded
    }
}

/// The limits of the messages of prompters.
public enum PromptLimits {
    /// The items that a prompt names; further items are counted.
    public static let items = 8
    /// The programs that a prompt names as starters of the caller.
    public static let starters = 3
    /// An answer, as long as a line of terminal input.
    public static let secretBytes = 4094
}

extension HelperReader {
    fileprivate mutating func promptText() throws(HelperWireError) -> PromptText {
        guard let text = PromptText(neutral: try text(atMost: PromptText.limit)) else { throw .malformed }
        return text
    }

    fileprivate mutating func promptOwner() throws(HelperWireError) -> PromptOwner {
        let kind = try value(PromptOwner.Kind.self)
        let shielded = try u8()
        guard shielded <= 1 else { throw .malformed }
        let name = try promptText()
        guard name.text.isEmpty == (kind == .command) else { throw .malformed }
        return PromptOwner(kind, name: name, isShielded: shielded == 1)
    }

    fileprivate mutating func optionalPromptText() throws(HelperWireError) -> PromptText? {
        try optional { reader throws(HelperWireError) in try reader.promptText() }
    }
}
