// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSealing
internal import KeychainStore
internal import SecretMemory

// What opens and changes one keychain along with another.
extension LockController {
    /// Unlocks with a secret that was the right one for another keychain a moment ago. If it is wrong here, it
    /// counts apart from other entries, so the next entry need not wait for it. It does count: a program that sets the passcode of
    /// the other keychain itself could guess this way.
    ///
    /// - Returns: whether it is the right one here as well.
    func unlock(alongWith secret: SecretBytes, by processID: Int32 = 0) -> Bool {
        let epoch = store.epoch
        let isUnlocked: Bool? = try? takingTurn { _ throws(Refusal) in
            let key = try lookAlong(secret)
            return try refusing { () throws(StoreError) in try store.unlock(with: key, since: epoch) }
        }
        guard isUnlocked == true else { return false }
        noteUse()
        reschedule()
        announce(.unlocked, by: processID)
        return true
    }

    /// Changes the passcode along with that of another keychain, where the old one of that one is the right one here. It counts
    /// as with ``unlock(alongWith:by:)``.
    ///
    /// - Returns: false for another old passcode.
    /// - Throws: when it cannot be changed.
    func changePasscode(
        alongFrom old: SecretBytes, to new: SecretBytes, by processID: Int32 = 0
    ) throws(Refusal) -> Bool {
        let secret = ProtectorSecret(.passcode, new)
        try checkUsable(secret)
        return try takingTurn { _ throws(Refusal) in
            let key: KeybagKey
            do throws(Refusal) {
                key = try lookAlong(old)
            } catch {
                guard error.reason == .wrongSecret || error.reason == .tooManyAttempts else { throw error }
                return false
            }
            _ = try add(secret, label: "", key)
            changes.publish(.passwordChanged, by: processID)
            return true
        }
    }

    private func lookAlong(_ secret: SecretBytes) throws(Refusal) -> KeybagKey {
        try ledger.checking(
            [.fileAlong(keybag: store.keybagIdentifier)], failure: { $0 }, isWrong: { $0.reason == .wrongSecret }
        ) { () throws(Refusal) in try look(ProtectorSecret(.passcode, secret)) }
    }
}
