// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSealing
internal import KeychainStore
internal import SecretMemory

// Functions that unlock and change one keychain together with another.
extension LockController {
    /// Unlocks with a secret that was correct for another keychain a moment ago. If it is wrong here, it is counted
    /// separately from other entries, so the next entry need not wait for it. It is counted, because a program that
    /// sets the passcode of the other keychain itself could guess this way.
    ///
    /// - Returns: whether the secret is correct here as well.
    func unlock(alongWith secret: SecretBytes, by processID: Int32 = 0) -> Bool {
        let epoch = store.epoch
        let isUnlocked: Bool? = try? takingTurn { _ throws(Refusal) in
            store.unlock(with: try lookAlong(secret).classKeys, since: epoch)
        }
        guard isUnlocked == true else { return false }
        noteUse()
        reschedule()
        announce(.unlocked, by: processID)
        return true
    }

    /// Changes the passcode together with that of another keychain, if the old passcode of that one is correct here. It
    /// is counted as in ``unlock(alongWith:by:)``.
    ///
    /// - Returns: false for another old passcode.
    /// - Throws: if it cannot be changed.
    func changePasscode(
        alongFrom old: SecretBytes, to new: SecretBytes, by processID: Int32 = 0
    ) throws(Refusal) -> Bool {
        let secret = ProtectorSecret(.passcode, new)
        try checkUsable(secret)
        return try takingTurn { _ throws(Refusal) in
            let key: KeybagKey
            do throws(Refusal) {
                key = try lookAlong(old).key
            } catch {
                guard error.reason == .wrongSecret || error.reason == .tooManyAttempts else { throw error }
                return false
            }
            _ = try add(secret, label: "", key)
            changes.publish(.passwordChanged, by: processID)
            return true
        }
    }

    private func lookAlong(_ secret: SecretBytes) throws(Refusal) -> OpenKeybag {
        try ledger.checking(
            [.fileAlong(keybag: store.keybagIdentifier)], failure: { $0 }, isWrong: { $0.reason == .wrongSecret }
        ) { () throws(Refusal) in try look(ProtectorSecret(.passcode, secret)) }
    }
}
