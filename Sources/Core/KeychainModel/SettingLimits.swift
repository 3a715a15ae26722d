// SPDX-License-Identifier: Apache-2.0

/// The allowed values of settings on a machine: a bound for each, beyond which a setting would protect less.
public struct SettingLimits: Hashable, Sendable {
    private var bounds: [Setting: UInt64] = [:]

    /// Every value in a setting's range.
    public static let none = SettingLimits()

    public init() {}

    public var isEmpty: Bool { bounds.isEmpty }

    /// The bound of a setting; nil for a setting without one.
    public subscript(_ setting: Setting) -> UInt64? { bounds[setting] }

    /// Adds a bound. If a setting has two bounds, the stricter one counts.
    ///
    /// - Precondition: the value is in the setting's range.
    public mutating func add(_ value: UInt64, for setting: Setting) {
        precondition(setting.range.contains(value), "a value out of range")
        bounds[setting] = bounds[setting].map { setting.isStricter($0, than: value) ? $0 : value } ?? value
    }

    public func admits(_ value: UInt64, for setting: Setting) -> Bool {
        bounds[setting].map { !setting.isStricter($0, than: value) } ?? true
    }

    /// Returns the value itself if it is allowed, otherwise the bound.
    public func applied(to value: UInt64, of setting: Setting) -> UInt64 {
        guard let bound = bounds[setting], setting.isStricter(bound, than: value) else { return value }
        return bound
    }
}

extension Setting {
    /// Returns whether a change lets programs use more items without an approval.
    public func opensItems(_ value: UInt64, from current: UInt64) -> Bool {
        switch self {
        case .bridges, .requiresEnforcedCallers, .makesItemsPrivate: isStricter(current, than: value)
        // A program without entitlements has only its own items. The others are about passcodes, traces and copies.
        case .requiresEntitlements, .idleLockSeconds, .locksOnSleep, .passcodeMilliseconds, .unlocksByFinger,
            .snapshotCount, .snapshotDays, .auditLogKibibytes, .auditLogFiles:
            false
        }
    }

    /// Returns whether one value protects more than another.
    fileprivate func isStricter(_ value: UInt64, than other: UInt64) -> Bool {
        switch self {
        // 0 means never.
        case .idleLockSeconds: value != 0 && (other == 0 || value < other)
        case .unlocksByFinger, .bridges: value < other
        case .locksOnSleep, .passcodeMilliseconds, .snapshotCount, .snapshotDays, .requiresEntitlements,
            .requiresEnforcedCallers, .auditLogKibibytes, .auditLogFiles, .makesItemsPrivate:
            value > other
        }
    }
}
