// SPDX-License-Identifier: Apache-2.0

public import KeychainClient
internal import KeychainModel

/// What a verified login password does in the keychain of its user. It unlocks a keychain that has a protector for it, and renews that
/// protector. It never adds one: only the user does, with the passcode.
public struct KeychainLogin: Sendable {
    private let keychain: KeychainClient
    private let report: @Sendable (String) -> Void

    /// - Parameter report: receives a sentence for the system log about each failure that the user can end.
    public init(_ keychain: KeychainClient, report: @escaping @Sendable (String) -> Void) {
        self.keychain = keychain
        self.report = report
    }

    /// Unlocks the keychain after a login, or after the screen was unlocked. If the password was changed at that login, the protector is
    /// renewed first.
    ///
    /// Blocks during key derivation, as ``change(_:)`` does: about 0.3 s for each password unless set otherwise.
    public func unlock(with passwords: LoginPasswords) {
        change(passwords)
        do throws(ClientError) {
            switch try keychain.lockState() {
            // A PIN has to be entered first.
            case .unlocked, .noPasscode, .awaitingPIN: break
            case .locked, .beforeFirstUnlock:
                try keychain.unlock(with: ProtectorSecret(.loginPassword, passwords.current))
            }
        } catch {
            reportFailure(error, "cannot unlock the keychain")
        }
    }

    /// Renews the protector after a change of the password; without an old password, this has no effect. The lock state does not change.
    public func change(_ passwords: LoginPasswords) {
        guard let old = passwords.old else { return }
        do throws(ClientError) {
            _ = try keychain.addProtector(
                ProtectorSecret(.loginPassword, passwords.current), proof: ProtectorSecret(.loginPassword, old))
        } catch {
            reportFailure(error, "cannot replace the login password of the keychain")
        }
    }

    private func reportFailure(_ error: ClientError, _ what: String) {
        guard case .refused(let refusal) = error else { return report("\(what): \(error)") }
        switch refusal.reason {
        // Most keychains are not unlocked at login.
        case .noPasscode, .noSuchProtector: break
        case .wrongSecret:
            report(
                "\(what): it has another login password, because the password was changed without the old one; "
                    + "`chatelaine setup login` renews it")
        case .unusableSecret:
            report("\(what): the new password is not UTF-8; the keychain keeps the old one")
        default: report("\(what): \(error)")
        }
    }
}
