// SPDX-License-Identifier: Apache-2.0

internal import KeychainPasswords
internal import SecretMemory

extension PromptWording {
    /// Returns how close a new password is to a strong one, in percent; below 0 if ``judgement(of:)`` would warn.
    static func quality(of password: SecretBytes) -> Int {
        let strength = password.withSpan { PasswordStrength(utf8: $0) }
        // A password that takes 10¹⁰ guesses is strong.
        let percent = min(100, Int(strength.guessesLog10 * 10))
        return strength.score < .good ? -percent : percent
    }

    /// Returns the text about a new password for the user: its strength, and for a weak password the reason and a
    /// remedy. The text contains no part of the password. Nil for an empty password, which has no strength.
    static func judgement(of password: SecretBytes) -> String? {
        guard password.count > 0 else { return nil }
        let strength = password.withSpan { PasswordStrength(utf8: $0) }
        guard strength.score < .good else { return "That password is \(strength.score)." }
        let reasons = strength.weaknesses.map(\.description).joined(separator: "; ")
        let advice = strength.advice.first.map { " Better: \($0)." } ?? ""
        return "That password is \(strength.score)" + (reasons.isEmpty ? "." : ": \(reasons).") + advice
    }
}
