// SPDX-License-Identifier: Apache-2.0

public import CFTypes
import Foundation
internal import KeychainPasswords

/// A random password of the form `xxx-xxx-xxx-xxx`, to offer to somebody who signs up.
///
/// Each `x` is one of `abcdefghkmnopqrstuvwxy`, `ABCDEFGHJKLMNPQRSTUVWXYZ` and `3456789`, of each of which there is at least one.
/// That makes 68 bits. It is never nil; the type is Apple's. The result is ordinary text, which is not wiped.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    // An empty value has no address for the thread sanitizer to look at.
    var system: any RandomNumberGenerator = SystemRandomNumberGenerator()
    var password = SharedWebCredentialPassword.generate(using: &system)
    defer { for index in password.indices { password[index] = 0 } }
    return String(decoding: password, as: UTF8.self) as CFString
}
