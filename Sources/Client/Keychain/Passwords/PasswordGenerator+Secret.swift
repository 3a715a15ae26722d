// SPDX-License-Identifier: Apache-2.0

public import KeychainPasswords

extension PasswordGenerator {
    /// Generates a new password, with the operating system's random numbers.
    ///
    /// ```swift
    /// let password = PasswordGenerator(.memorable).generate()
    /// try await keychain.store(mail, secret: password)
    /// ```
    public func generate() -> SecretData {
        // An empty value has no address that the thread sanitizer could check.
        var system: any RandomNumberGenerator = SystemRandomNumberGenerator()
        var password = generate(using: &system)
        return SecretData(moving: &password)
    }
}

extension PasswordStrength {
    /// Estimates the strength of a password, and keeps no copy of it. Bytes that are not UTF-8 count as one character
    /// each.
    ///
    /// ```swift
    /// let strength = PasswordStrength(of: secret)
    /// if strength.score < .good { print(strength.weaknesses, strength.advice) }
    /// ```
    public init(of password: SecretData) {
        self = password.withSpan { PasswordStrength(utf8: $0) }
    }
}
