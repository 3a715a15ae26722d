// SPDX-License-Identifier: Apache-2.0

public import KeychainPasswords

extension PasswordGenerator {
    /// A new password, with the operating system's random numbers.
    ///
    /// ```swift
    /// let password = PasswordGenerator(.memorable).generate()
    /// try await keychain.store(mail, secret: password)
    /// ```
    public func generate() -> SecretData {
        // An empty value has no address for the thread sanitizer to look at.
        var system: any RandomNumberGenerator = SystemRandomNumberGenerator()
        var password = generate(using: &system)
        return SecretData(moving: &password)
    }
}

extension PasswordStrength {
    /// Estimates a password, of which nothing is kept and no copy is left behind. Bytes that are no UTF-8 count as a character each.
    ///
    /// ```swift
    /// let strength = PasswordStrength(of: secret)
    /// if strength.score < .good { print(strength.weaknesses, strength.advice) }
    /// ```
    public init(of password: SecretData) {
        self = password.withSpan { PasswordStrength(utf8: $0) }
    }
}
