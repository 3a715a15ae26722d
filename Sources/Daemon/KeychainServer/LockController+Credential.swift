// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
public import SecretMemory

extension LockController {
    /// Unlocks with a credential's text, for a service that was started with a credential. Errors are logged: the
    /// service then serves the items that can be read while the keychain is locked.
    public func unlock(withCredentialText text: SecretBytes) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(CredentialText.byteCount)
        defer { wipe(&bytes) }
        do {
            try CredentialText.read(text.bytes, into: &bytes)
            try unlock(with: ProtectorSecret(.credential, SecretBytes(copying: bytes)))
            log("unlocked with the credential that the service was started with")
        } catch let error as Refusal {
            log("the credential that the service was started with does not unlock the keychain: \(error.reason)")
        } catch {
            log("the credential that the service was started with cannot be read: \(error)")
        }
    }
}
