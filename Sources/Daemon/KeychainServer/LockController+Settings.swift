// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainSealing
internal import KeychainStore
internal import SecretMemory

// Settings by the keychain's owner, and the immediate effects of a change.
extension LockController {
    func settings() throws(Refusal) -> [Setting: UInt64] {
        try refusing { () throws(StoreError) in try store.settings() }
    }

    /// Returns whether a change of settings lets programs use more items without an approval. A change that fails all
    /// the same, by its values or the machine's policy, does not.
    func opensItems(_ settings: [Setting: UInt64]) throws(Refusal) -> Bool {
        let current = try self.settings()
        return settings.contains { setting, value in
            setting.range.contains(value) && store.limits.admits(value, for: setting)
                && setting.opensItems(value, from: current[setting] ?? setting.defaultValue)
        }
    }

    /// Changes settings.
    ///
    /// - Parameter mayOpenItems: whether programs may use more items without an approval afterwards.
    /// - Throws: `errSecParam` with the reason `unusableSetting` or `machinePolicy`; as ``unlock(with:by:)``.
    func change(
        _ settings: [Setting: UInt64], proof: ProtectorSecret<SecretBytes>?, mayOpenItems: Bool
    ) throws(Refusal) {
        guard settings.allSatisfy({ $0.key.range.contains($0.value) }) else {
            throw Refusal(.parameter, .unusableSetting)
        }
        try checkPolicy(settings)
        try takingTurn { turn throws(Refusal) in
            if store.isProtected {
                guard let proof else { throw Refusal(.authenticationFailed, .proofRequired) }
                _ = try openKeybag(with: proof, &turn)
            }
            // Another request may have tightened a setting since the owner was not asked about this one.
            if !mayOpenItems, try opensItems(settings) {
                throw Refusal(.authenticationFailed, .authorizationNeeded)
            }
            try refusing { () throws(StoreError) in try store.change(settings) }
        }
        if settings[.unlocksByFinger] == 0 { notePasscodeGone() }
        if let seconds = settings[.idleLockSeconds] { lockAfter(idleSeconds: seconds) }
    }

    /// Changes when a keychain file locks automatically: a caller that may use the file may change this.
    ///
    /// - Throws: `errSecAuthFailed` while it is locked; `errSecParam`.
    func changeWhileUnlocked(_ settings: FileKeychainSettings) throws(Refusal) {
        let kept = try settings.kept()
        try checkPolicy(kept)
        guard store.lockState == .unlocked else { throw Refusal(.authenticationFailed, .locked) }
        try refusing { () throws(StoreError) in try store.change(kept) }
        lockAfter(idleSeconds: kept[.idleLockSeconds] ?? 0)
    }

    private func checkPolicy(_ settings: [Setting: UInt64]) throws(Refusal) {
        guard settings.allSatisfy({ store.limits.admits($0.value, for: $0.key) }) else {
            throw Refusal(.parameter, .machinePolicy)
        }
    }

    /// The intended time of checking a passcode that users choose.
    var targetTime: Duration {
        .milliseconds(
            Int64((try? store.settings())?[.passcodeMilliseconds] ?? Setting.passcodeMilliseconds.defaultValue))
    }
}
