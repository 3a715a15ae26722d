// SPDX-License-Identifier: Apache-2.0

/// A setting of a keychain's service. The raw value is its name in the database and on the wire; it never changes.
public enum Setting: String, CaseIterable, Hashable, Sendable {
    /// Lock when nobody has used an item for so many seconds; 0 never.
    case idleLockSeconds = "idle-lock-seconds"
    /// Whether the keychain is locked before the machine sleeps: 1 or 0.
    case locksOnSleep = "lock-on-sleep"
    /// How long stretching a passcode may take, in milliseconds.
    case passcodeMilliseconds = "passcode-milliseconds"
    /// How many snapshots of the database are kept; 0 makes none.
    case snapshotCount = "snapshot-count"
    /// After how many days a snapshot goes.
    case snapshotDays = "snapshot-days"
    /// Whether programs without entitlements are refused with `errSecMissingEntitlement`, as on Apple's systems: 1 or 0.
    case requiresEntitlements = "require-entitlements"
    /// Whether data is read, changed and deleted without a person by enforced callers only (strict mode): 1 or 0.
    case requiresEnforcedCallers = "require-enforced-callers"
    /// When a file of the audit log has so many KiB, the log goes on in another one.
    case auditLogKibibytes = "audit-log-kibibytes"
    /// How many files of the audit log are kept, the one that is written included.
    case auditLogFiles = "audit-log-files"
    /// Whether a finger unlocks the keychain once the passcode was given to its service: 1 or 0.
    case unlocksByFinger = "unlock-by-finger"
    /// Whether what the command stores is private unless it is told otherwise: 1 or 0.
    case makesItemsPrivate = "private-items"

    /// Whether every program may read it, as the one that locks the keychain with the session does. The others tell programs how a
    /// person protects the keychain.
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
        }
    }

    /// All settings as they are in a new keychain.
    public static let defaultValues = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.defaultValue) })

    /// What it can be set to.
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
        }
    }
}
