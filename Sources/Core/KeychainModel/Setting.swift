// SPDX-License-Identifier: Apache-2.0

/// A setting of a keychain's service. The raw value is its name in the database and on the wire; it never changes.
public enum Setting: String, CaseIterable, Hashable, Sendable {
    /// Seconds without use of an item until the keychain locks; 0 never.
    case idleLockSeconds = "idle-lock-seconds"
    /// Whether the keychain locks before the machine sleeps: 1 or 0.
    case locksOnSleep = "lock-on-sleep"
    /// The time for stretching a passcode, in milliseconds.
    case passcodeMilliseconds = "passcode-milliseconds"
    /// The number of snapshots of the database to keep; 0 makes none.
    case snapshotCount = "snapshot-count"
    /// Days until a snapshot expires.
    case snapshotDays = "snapshot-days"
    /// Whether programs without entitlements are refused with `errSecMissingEntitlement`, as on Apple's systems: 1 or 0.
    case requiresEntitlements = "require-entitlements"
    /// Whether only enforced callers read, change and delete data without approval (strict mode): 1 or 0.
    case requiresEnforcedCallers = "require-enforced-callers"
    /// The size in KiB at which the audit log continues in another file.
    case auditLogKibibytes = "audit-log-kibibytes"
    /// The number of files of the audit log to keep, including the current one.
    case auditLogFiles = "audit-log-files"
    /// Whether a fingerprint unlocks the keychain once the passcode was entered: 1 or 0.
    case unlocksByFinger = "unlock-by-finger"
    /// Whether items that the command stores are private by default: 1 or 0.
    case makesItemsPrivate = "private-items"
    /// What the clients of bridges may do with other programs' items: the number of a ``BridgeMode``.
    case bridges = "bridges"

    /// Whether every program may read it, such as the program that locks the keychain with the session. The others
    /// reveal how the user protects the keychain.
    public var isEverybodysToRead: Bool { self == .locksOnSleep }

    public var defaultValue: UInt64 {
        switch self {
        case .idleLockSeconds: 0
        case .locksOnSleep: 1
        case .passcodeMilliseconds: 300
        case .snapshotCount: 7
        case .snapshotDays: 30
        case .requiresEntitlements: 0
        case .requiresEnforcedCallers: 0
        // About 25,000 lines.
        case .auditLogKibibytes: 8192
        case .auditLogFiles: 5
        case .unlocksByFinger: 0
        case .makesItemsPrivate: 0
        case .bridges: BridgeMode.ask.rawValue
        }
    }

    /// The allowed values.
    public var range: ClosedRange<UInt64> {
        switch self {
        case .idleLockSeconds: 0...31_536_000
        case .locksOnSleep: 0...1
        case .passcodeMilliseconds: 50...10_000
        case .snapshotCount: 0...365
        case .snapshotDays: 1...3650
        case .requiresEntitlements: 0...1
        case .requiresEnforcedCallers: 0...1
        // Verifying reads all files at once, in a second for each 500 MiB.
        case .auditLogKibibytes: 64...65_536
        case .auditLogFiles: 2...100
        case .unlocksByFinger: 0...1
        case .makesItemsPrivate: 0...1
        case .bridges: BridgeMode.ask.rawValue...BridgeMode.open.rawValue
        }
    }
}
