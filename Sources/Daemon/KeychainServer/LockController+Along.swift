// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSealing
internal import KeychainStore
internal import SecretMemory

// What opens and changes one keychain along with another.
extension LockController {
    /// Unlocks with a secret that was the right one for another keychain a moment ago. If it is another's here, that is no
    /// wrong entry: nobody guesses with what he knows to be right elsewhere, and the next entry shall not have to wait for it.
    ///
    /// - Returns: whether it is the right one here as well.
    func unlock(alongWith secret: SecretBytes, by processID: Int32 = 0) -> Bool {
        let epoch = store.epoch
        let isUnlocked: Bool? = try? takingTurn { _ throws(Refusal) in
            let key = try look(ProtectorSecret(.passcode, secret))
            return try refusing { () throws(StoreError) in try store.unlock(with: key, since: epoch) }
        }
        guard isUnlocked == true else { return false }
        noteUse()
        reschedule()
        announce(.unlocked, by: processID)
        return true
    }

    /// Changes the passcode along with that of another keychain, where the old one of that one is the right one here. As with
    /// ``unlock(alongWith:)``, another one is no wrong entry.
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
                key = try look(ProtectorSecret(.passcode, old))
            } catch {
                guard error.reason == .wrongSecret else { throw error }
                return false
            }
            _ = try add(secret, label: "", key)
            changes.publish(.passwordChanged, by: processID)
            return true
        }
    }
}
