// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// What of a keychain goes into a backup, and in which form: the table of semantics 4.5.
public enum BackupRules {
    public enum Place: Hashable, Sendable {
        /// Restored on any device.
        case portable
        /// Sealed for this device once more: elsewhere it is skipped.
        case deviceBound
        /// Not in the backup.
        case leftOut(BackupOmission)
    }

    /// Where an item goes.
    public static func place(of item: ItemAttributes) -> Place {
        if let token = item[.tokenID], token != .string("") { return .leftOut(.token) }
        // An object without constraints says no more than the accessibility does.
        if case .accessControl(let control) = item[.accessControl], !control.flags.isEmpty {
            return .leftOut(.accessControl)
        }
        switch item.accessibility {
        case .whenUnlocked, .afterFirstUnlock, .always: return .portable
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly: return .deviceBound
        case .whenPasscodeSetThisDeviceOnly: return .leftOut(.passcodeClass)
        }
    }

    /// The form of a backup as a whole. Whoever reads a portable one has all items, so its maker has to prove to be the
    /// owner; without a passcode nobody can, and any program of the user could make one.
    public static func form(_ lockState: LockState) -> BackupForm {
        switch lockState {
        case .noPasscode: .deviceBound
        case .beforeFirstUnlock, .locked, .unlocked, .awaitingPIN: .portable
        }
    }

    /// What is said at once of an item of a backup, before the store is asked; nil if it may be restored.
    ///
    /// - Parameters:
    ///   - place: in which form the item is in the file.
    ///   - form: that of the file.
    public static func refusal(
        of item: ItemAttributes, in place: Place, _ form: BackupForm, _ lockState: LockState
    ) -> RestoreOutcome? {
        guard self.place(of: item) == place, item.accessGroup != nil, item[.tombstone] != .number(1),
            (try? ProtectionRules.checkSynchronizing(item)) != nil
        else { return .invalid }
        // A file that needs the device key to be made is the owner's; any other could be made by anybody, with items in
        // the groups of other programs.
        if lockState == .noPasscode, form == .portable, place == .portable { return .needsPasscode }
        return nil
    }
}
