// SPDX-License-Identifier: Apache-2.0

/// What opens a backup. The raw value is the number in the file and on the wire; it never changes.
public enum BackupSecretKind: UInt8, CaseIterable, Hashable, Sendable {
    /// Chosen for this backup: 1 to 1024 bytes of UTF-8, stretched.
    case passphrase = 1
    /// The 16 bytes of a recovery key.
    case recoveryKey = 2

    /// How many bytes the secret may have.
    public var sizes: ClosedRange<Int> {
        switch self {
        case .passphrase: 1...1024
        case .recoveryKey: 16...16
        }
    }
}

/// A secret that opens a backup. `Bytes` is the type in which each side holds it; never a `String`, which nobody can wipe.
public struct BackupSecret<Bytes> {
    public let kind: BackupSecretKind
    public let bytes: Bytes

    public init(_ kind: BackupSecretKind, _ bytes: Bytes) {
        self.kind = kind
        self.bytes = bytes
    }
}

extension BackupSecret: Sendable where Bytes: Sendable {}

extension BackupSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "BackupSecret(\(kind), redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where a backup as a whole can be restored. The raw value is the number in the file; it never changes.
public enum BackupForm: UInt8, CaseIterable, Hashable, Sendable {
    /// On every device, but for the items that may not leave theirs.
    case portable = 1
    /// Only on the device that made it: of a keychain without a passcode, where nobody can prove to be its owner.
    case deviceBound = 2
}

/// Why an item is not in a backup (semantics 4.5). The raw value is the number on the wire; it never changes.
public enum BackupOmission: UInt8, CaseIterable, Hashable, Sendable {
    /// The class exists only with the passcode of this device: `akpu`.
    case passcodeClass = 1
    /// The key lies in a token.
    case token = 2
    /// A person has to be present when it is used.
    case accessControl = 3
    /// It cannot be authenticated, and is set aside.
    case unreadable = 4
}

/// What tells a person which item is meant; what the administration tool may list, and no more.
public struct ItemNames: Hashable, Sendable {
    public let itemClass: ItemClass
    public let label: String
    /// The service, or the server of an internet password.
    public let place: String
    public let account: String

    /// Longer names are cut.
    public static let textBytes = 256

    public init(itemClass: ItemClass, label: String, place: String, account: String) {
        self.itemClass = itemClass
        self.label = Self.cut(label)
        self.place = Self.cut(place)
        self.account = Self.cut(account)
    }

    public init(_ attributes: ItemAttributes) {
        func text(_ key: AttributeKey) -> String {
            switch attributes[key] {
            case .string(let text): text
            case .data(let bytes): String(decoding: bytes.prefix(Self.textBytes), as: UTF8.self)
            case .number, .date, .accessControl, nil: ""
            }
        }
        let place: AttributeKey = attributes.itemClass == .internetPassword ? .server : .service
        self.init(
            itemClass: attributes.itemClass, label: text(.label), place: text(place), account: text(.account))
    }

    /// Not inside a character's bytes.
    private static func cut(_ text: String) -> String {
        let utf8 = text.utf8
        guard utf8.count > textBytes else { return text }
        var end = utf8.index(utf8.startIndex, offsetBy: textBytes)
        while utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(decoding: utf8[..<end], as: UTF8.self)
    }
}

/// An item that is not in a backup.
public struct OmittedItem: Hashable, Sendable {
    public let reason: BackupOmission
    public let itemClass: ItemClass
    /// Nil for an item that cannot be read.
    public let names: ItemNames?

    public init(_ reason: BackupOmission, _ itemClass: ItemClass, _ names: ItemNames?) {
        self.reason = reason
        self.itemClass = itemClass
        self.names = names
    }
}

/// How many items a backup holds, and how many it does not.
public struct BackupCounts: Hashable, Sendable {
    public var portable: UInt64
    public var deviceBound: UInt64
    public var leftOut: UInt64

    public init(portable: UInt64 = 0, deviceBound: UInt64 = 0, leftOut: UInt64 = 0) {
        self.portable = portable
        self.deviceBound = deviceBound
        self.leftOut = leftOut
    }

    /// The items in the file.
    public var items: UInt64 { portable &+ deviceBound }
}

/// What is to be done with a backup. The raw value is the number on the wire; it never changes.
public enum RestoreMode: UInt8, CaseIterable, Hashable, Sendable {
    /// Look whether all of it is there and opens. Compares nothing.
    case verify = 1
    /// Say what restoring would do.
    case dryRun = 2
    case apply = 3
}

/// What became of an item of a backup. The raw value is the number on the wire; it never changes.
public enum RestoreOutcome: UInt8, CaseIterable, Hashable, Sendable {
    /// It opens; nothing was compared.
    case verified = 0
    /// With the identifier that it had, so that persistent references go on to name it.
    case added = 1
    /// Another item has its identifier, so it got a new one.
    case addedWithNewIdentifier = 2
    /// The same item with the same content was there.
    case unchanged = 3
    /// It took the place of an older version.
    case replaced = 4
    /// What is stored is newer, or as old and different; it was kept.
    case conflict = 5
    /// It may not leave the device that the backup is of.
    case otherDevice = 6
    /// The keychain has no passcode, without which nobody can prove that the backup is the owner's.
    case needsPasscode = 7
    /// Not an item that a backup may hold.
    case invalid = 8
}

/// An item of a backup, as far as there is something to say of it.
public struct RestoredItem: Hashable, Sendable {
    public let outcome: RestoreOutcome
    public let itemClass: ItemClass
    /// Nil for an item of another device, which nobody here can read.
    public let names: ItemNames?

    public init(_ outcome: RestoreOutcome, _ itemClass: ItemClass, _ names: ItemNames?) {
        self.outcome = outcome
        self.itemClass = itemClass
        self.names = names
    }
}

/// What became of the items of a backup, counted.
public struct RestoreCounts: Hashable, Sendable {
    /// By the `rawValue` of ``RestoreOutcome``.
    public private(set) var numbers = [UInt64](repeating: 0, count: RestoreOutcome.allCases.count)

    public init() {}

    public subscript(outcome: RestoreOutcome) -> UInt64 {
        get { numbers[Int(outcome.rawValue)] }
        set { numbers[Int(outcome.rawValue)] = newValue }
    }

    public var total: UInt64 { numbers.reduce(0, &+) }
}

/// What the head of a backup says. Anybody can read it; only with its secret is it known to be true.
public struct BackupFacts: Hashable, Sendable {
    /// 16 random bytes that name the backup.
    public let backup: [UInt8]
    /// When it was begun.
    public let date: Timestamp
    public let form: BackupForm
    public let secretKind: BackupSecretKind
    /// Whether this device made it.
    public let isOfThisDevice: Bool
    /// Whether this keychain made it, and not an earlier one of the same device.
    public let isOfThisKeychain: Bool

    public init(
        backup: [UInt8], date: Timestamp, form: BackupForm, secretKind: BackupSecretKind, isOfThisDevice: Bool,
        isOfThisKeychain: Bool
    ) {
        self.backup = backup
        self.date = date
        self.form = form
        self.secretKind = secretKind
        self.isOfThisDevice = isOfThisDevice
        self.isOfThisKeychain = isOfThisKeychain
    }
}

/// What a program that only carries a backup has to know of its bytes (Documentation/Formats/backup.md).
public enum BackupFile {
    /// What goes to the service first; records follow.
    public static let headerBytes = 179

    /// What the first bytes of a file say.
    public enum Kind: Hashable, Sendable {
        case notABackup
        /// Of a version that is not known here.
        case newer
        /// The end of the header is missing, or it says nothing that makes sense.
        case damaged
        case backup(BackupSecretKind)
    }

    /// - Parameter start: the first ``headerBytes`` of the file, or all of a shorter one.
    public static func kind(_ start: some Collection<UInt8>) -> Kind {
        guard start.prefix(7).elementsEqual("CHTLBKP".utf8), let version = start.dropFirst(7).first else {
            return .notABackup
        }
        guard version == 1 else { return .newer }
        guard start.count == headerBytes, let kind = start.dropFirst(49).first.flatMap(BackupSecretKind.init) else {
            return .damaged
        }
        return .backup(kind)
    }
}
