// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import SecretMemory

// The login keychain: the file of that name, if it exists. As on macOS, it is unlocked with its user's login as long as
// it has the same password.
extension FileKeychains {
    /// The name of the keychain that login unlocks on Apple's systems.
    private static let loginName = "login.keychain"

    /// Unlocks the login keychain with the secret that has just unlocked the data-protection keychain. If it has
    /// another password, or does not exist, nothing happens, because no caller requested it.
    func unlockLogin(with secret: SecretBytes, by processID: Int32) {
        guard hasLogin else { return }
        do throws(Refusal) {
            try using(Self.loginName) { keychain throws(Refusal) in
                guard keychain.isLocked, keychain.lock.unlock(alongWith: secret, by: processID) else { return }
                log("the login keychain was unlocked with the data-protection keychain")
            }
        } catch {
            log("the login keychain could not be unlocked: \(error.status) \(error.reason)")
        }
    }

    /// Changes the password of the login keychain to the new passcode of the data-protection keychain, if it had the
    /// old one.
    func changeLogin(from old: SecretBytes, to new: SecretBytes, by processID: Int32) {
        guard hasLogin else { return }
        do throws(Refusal) {
            let isChanged = try using(Self.loginName) { keychain throws(Refusal) in
                try keychain.lock.changePasscode(alongFrom: old, to: new, by: processID)
            }
            log(
                isChanged
                    ? "the password of the login keychain was changed with the passcode"
                    : "the login keychain keeps its password, because it was not the passcode")
        } catch {
            // It still opens with its old password, because the password was not changed.
            log("the password of the login keychain could not be changed: \(error.status) \(error.reason)")
        }
    }

    private var hasLogin: Bool {
        guard let report = try? report(Self.loginName) else { return false }
        return report.state == .locked || report.state == .unlocked
    }
}
