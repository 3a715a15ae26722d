// SPDX-License-Identifier: Apache-2.0

/// The kind of secret that opens a backup. The raw value is the number in the file and on the wire; it never changes.
public enum BackupSecretKind: UInt8, CaseIterable, Hashable, Sendable {
    /// A passphrase chosen for this backup: 1 to 1024 bytes of UTF-8, stretched.
    case passphrase = 1
    /// The 16 bytes of a recovery key.
    case recoveryKey = 2

    /// The valid lengths of the secret in bytes.
    public var sizes: ClosedRange<Int> {
        switch self {
        case .passphrase: 1...1024
        case .recoveryKey: 16...16
        }
    }
}

/// A secret that opens a backup. `Bytes` is the type in which each side holds it; never a `String`, because a string
/// cannot be wiped.
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

/// The devices on which a backup as a whole can be restored. The raw value is the number in the file; it never changes.
public enum BackupForm: UInt8, CaseIterable, Hashable, Sendable {
    /// On every device, except for items that may not leave their device.
    case portable = 1
    /// Only on the device that made it: the form for a keychain without a passcode, because ownership cannot be proved
    /// there.
    case deviceBound = 2
}

/// The reason why an item is not in a backup (semantics 4.5). The raw value is the number on the wire; it never
/// changes.
public enum BackupOmission: UInt8, CaseIterable, Hashable, Sendable {
    /// The class exists only with the passcode of this device: `akpu`.
    case passcodeClass = 1
    /// The key is in a token.
    case token = 2
    /// Its use requires the user's presence.
    case accessControl = 3
    /// It cannot be authenticated, and is set aside.
    case unreadable = 4
}

/// The names by which a user recognises an item; the administration tool may list these and no others.
public struct ItemNames: Hashable, Sendable {
    public let itemClass: ItemClass
    public let label: String
    /// The service, or the server of an internet password.
    public let place: String
    public let account: String

    /// The longest name in bytes; longer names are cut.
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

    /// Returns the same names with another label.
    public func labelled(_ label: String) -> ItemNames {
        ItemNames(itemClass: itemClass, label: label, place: place, account: account)
    }

    /// Cuts a text without splitting a character.
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
    /// Nil for an item that cannot be read, and for an item of an enforced program if no passcode proved the owner.
    public let names: ItemNames?

    public init(_ reason: BackupOmission, _ itemClass: ItemClass, _ names: ItemNames?) {
        self.reason = reason
        self.itemClass = itemClass
        self.names = names
    }
}

/// The numbers of items that a backup contains and omits.
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

/// The mode of a restore. The raw value is the number on the wire; it never changes.
public enum RestoreMode: UInt8, CaseIterable, Hashable, Sendable {
    /// Verifies that the backup is complete and opens. Compares nothing.
    case verify = 1
    /// Reports the changes that restoring would make.
    case dryRun = 2
    case apply = 3
}

/// The outcome for an item of a backup. The raw value is the number on the wire; it never changes.
public enum RestoreOutcome: UInt8, CaseIterable, Hashable, Sendable {
    /// It opens; nothing was compared.
    case verified = 0
    /// Added with its own identifier, so persistent references stay valid.
    case added = 1
    /// Added with a new identifier, because another item has its identifier.
    case addedWithNewIdentifier = 2
    /// The same item with the same content exists already.
    case unchanged = 3
    /// It replaced an older version.
    case replaced = 4
    /// The stored item is newer, or has the same age and differs; the stored item was kept.
    case conflict = 5
    /// It may not leave the device that made the backup.
    case otherDevice = 6
    /// The keychain has no passcode, so the backup cannot be proved to be the owner's.
    case needsPasscode = 7
    /// Not a valid item of a backup.
    case invalid = 8
}

/// An item of a backup with an outcome to report.
public struct RestoredItem: Hashable, Sendable {
    public let outcome: RestoreOutcome
    public let itemClass: ItemClass
    /// Nil for an item of another device, which cannot be read here.
    public let names: ItemNames?

    public init(_ outcome: RestoreOutcome, _ itemClass: ItemClass, _ names: ItemNames?) {
        self.outcome = outcome
        self.itemClass = itemClass
        self.names = names
    }
}

/// The numbers of items of a backup by outcome.
public struct RestoreCounts: Hashable, Sendable {
    /// Indexed by the `rawValue` of ``RestoreOutcome``.
    public private(set) var numbers = [UInt64](repeating: 0, count: RestoreOutcome.allCases.count)

    public init() {}

    public subscript(outcome: RestoreOutcome) -> UInt64 {
        get { numbers[Int(outcome.rawValue)] }
        set { numbers[Int(outcome.rawValue)] = newValue }
    }

    public var total: UInt64 { numbers.reduce(0, &+) }
}

/// The facts in the header of a backup. The header is not encrypted; only its secret can authenticate it.
public struct BackupFacts: Hashable, Sendable {
    /// 16 random bytes that identify the backup.
    public let backup: [UInt8]
    /// The time when the backup began.
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

/// The facts about a backup's bytes for a program that only transfers it (Documentation/Formats/backup.md).
public enum BackupFile {
    /// The size of the header, which the service reads first; records follow.
    public static let headerBytes = 179

    /// The kind of file, according to its first bytes.
    public enum Kind: Hashable, Sendable {
        case notABackup
        /// A version that this program does not know.
        case newer
        /// The header is incomplete or invalid.
        case damaged
        case backup(BackupSecretKind)
    }

    /// Returns the kind of file.
    ///
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
