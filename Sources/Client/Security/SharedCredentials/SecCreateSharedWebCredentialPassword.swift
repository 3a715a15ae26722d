// SPDX-License-Identifier: Apache-2.0

public import CFTypes
import Foundation
internal import KeychainPasswords

/// Returns a random password of the form `xxx-xxx-xxx-xxx`, as a suggestion for a new account.
///
/// Each `x` is one of `abcdefghkmnopqrstuvwxy`, `ABCDEFGHJKLMNPQRSTUVWXYZ` and `3456789`; each of these sets occurs at
/// least once. This results in 68 bits. The result is never nil; the type is Apple's. It is ordinary text, which is not
/// wiped.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    // An empty value has no address that the thread sanitizer could check.
    var system: any RandomNumberGenerator = SystemRandomNumberGenerator()
    var password = SharedWebCredentialPassword.generate(using: &system)
    defer { for index in password.indices { password[index] = 0 } }
    return String(decoding: password, as: UTF8.self) as CFString
}
