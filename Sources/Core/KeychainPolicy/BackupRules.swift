// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Which items go into a backup, and in which form: the table of semantics 4.5.
public enum BackupRules {
    public enum Inclusion: Hashable, Sendable {
        /// Restored on any device.
        case portable
        /// Also sealed for this device: skipped on other devices.
        case deviceBound
        /// Not in the backup.
        case leftOut(BackupOmission)
    }

    /// Returns the form in which a backup holds an item.
    public static func inclusion(of item: ItemAttributes) -> Inclusion {
        if let token = item[.tokenID], token != .string("") { return .leftOut(.token) }
        // An object without constraints adds nothing to the accessibility.
        if case .accessControl(let control) = item[.accessControl], !control.flags.isEmpty {
            return .leftOut(.accessControl)
        }
        switch item.accessibility {
        case .whenUnlocked, .afterFirstUnlock, .always: return .portable
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly: return .deviceBound
        case .whenPasscodeSetThisDeviceOnly: return .leftOut(.passcodeClass)
        }
    }

    /// Returns the form of a whole backup. A portable backup gives its reader all items, so making one requires the
    /// passcode, or where none is set the owner's approval. Without both, any program of the user could make one.
    ///
    /// - Parameter isApproved: whether the owner approved a portable backup (``Administration/backUpPortable``).
    public static func form(_ lockState: LockState, isApproved: Bool) -> BackupForm {
        switch lockState {
        case .noPasscode: isApproved ? .portable : .deviceBound
        case .beforeFirstUnlock, .locked, .unlocked, .awaitingPIN: .portable
        }
    }

    /// Returns the names by which a report may show an item; nil for an item of an enforced program while no passcode
    /// proves the owner, because any program of the user can request the report.
    public static func names(of item: ItemAttributes, ownerIsProven: Bool) -> ItemNames? {
        ownerIsProven || !EnforcedGroup.contains(item.accessGroup ?? "") ? ItemNames(item) : nil
    }

    /// Returns the refusal of an item of a backup, before the store is consulted; nil if the item may be restored.
    ///
    /// - Parameters:
    ///   - inclusion: the form of the item in the file.
    ///   - form: the form of the file.
    ///   - isApproved: whether the owner approved the restore of a portable file (``Administration/restorePortable``).
    public static func refusal(
        of item: ItemAttributes, as inclusion: Inclusion, _ form: BackupForm, _ lockState: LockState, isApproved: Bool
    ) -> RestoreOutcome? {
        guard self.inclusion(of: item) == inclusion, item.accessGroup != nil, item[.tombstone] != .number(1),
            (try? ProtectionRules.checkSynchronizing(item)) != nil
        else { return .invalid }
        // Only the owner can make a file that requires the device key. Any program could make any other file, with
        // items in the groups of other programs, so without a passcode the owner has to approve such a file.
        if lockState == .noPasscode, !isApproved, form == .portable, inclusion == .portable { return .needsPasscode }
        return nil
    }
}
