// SPDX-License-Identifier: Apache-2.0

/// The text forms of settings and their values: on the command line, and in the machine's policy.
extension Setting {
    public enum Unit: Hashable, Sendable {
        case seconds, milliseconds, days, kibibytes, count, onOff, bridgeMode
    }

    /// Its name on the command line and in the machine's policy.
    public var commandName: String {
        switch self {
        case .idleLockSeconds: "idle-lock"
        case .locksOnSleep: "lock-on-sleep"
        case .passcodeMilliseconds: "passcode-time"
        case .snapshotCount: "snapshot-count"
        case .snapshotDays: "snapshot-age"
        case .requiresEntitlements: "require-entitlements"
        case .requiresEnforcedCallers: "require-enforced-callers"
        case .auditLogKibibytes: "audit-log-size"
        case .auditLogFiles: "audit-log-files"
        case .unlocksByFinger: "unlock-by-finger"
        case .makesItemsPrivate: "private-items"
        case .bridges: "bridges"
        }
    }

    public var unit: Unit {
        switch self {
        case .idleLockSeconds: .seconds
        case .locksOnSleep, .requiresEntitlements, .requiresEnforcedCallers, .unlocksByFinger, .makesItemsPrivate:
            .onOff
        case .passcodeMilliseconds: .milliseconds
        case .snapshotCount: .count
        case .snapshotDays: .days
        case .auditLogKibibytes: .kibibytes
        case .auditLogFiles: .count
        case .bridges: .bridgeMode
        }
    }

    /// The allowed values, as text.
    public var choices: String {
        unit == .bridgeMode ? BridgeMode.choices : "\(text(range.lowerBound)) to \(text(range.upperBound))"
    }

    /// Returns the text of a value; ``number(_:)`` reads it again.
    public func text(_ value: UInt64) -> String {
        switch unit {
        case .onOff: return value == 0 ? "off" : "on"
        case .count: return String(value)
        case .bridgeMode: return BridgeMode(rawValue: value)?.name ?? String(value)
        case .days: return "\(value)d"
        case .kibibytes: return value.isMultiple(of: 1024) ? "\(value / 1024)MiB" : "\(value)KiB"
        case .milliseconds: return value.isMultiple(of: 1000) ? "\(value / 1000)s" : "\(value)ms"
        case .seconds:
            guard value > 0 else { return "never" }
            let units: [(UInt64, String)] = [(86_400, "d"), (3600, "h"), (60, "m"), (1, "s")]
            let (size, name) = units.first { value.isMultiple(of: $0.0) } ?? (1, "s")
            return "\(value / size)\(name)"
        }
    }

    /// Returns the value of a text; nil for invalid text. A number without a unit is in the unit of the setting.
    public func number(_ text: String) -> UInt64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let suffix = text[digits.endIndex...]
        let factor: UInt64?
        switch (unit, suffix) {
        case (.onOff, _): return ["on": 1, "off": 0][text]
        case (.bridgeMode, _): return BridgeMode.allCases.first { $0.name == text }?.rawValue
        case (.seconds, "never") where digits.isEmpty: return 0
        case (_, ""): factor = 1
        case (.seconds, "s"): factor = 1
        case (.seconds, "m"): factor = 60
        case (.seconds, "h"): factor = 3600
        case (.seconds, "d"): factor = 86_400
        case (.milliseconds, "ms"): factor = 1
        case (.milliseconds, "s"): factor = 1000
        case (.days, "d"): factor = 1
        case (.kibibytes, "KiB"): factor = 1
        case (.kibibytes, "MiB"): factor = 1024
        default: factor = nil
        }
        guard let factor, let number = UInt64(digits) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }
}
