// SPDX-License-Identifier: Apache-2.0

internal import KeychainPasswords
internal import SecretMemory

extension PromptWording {
    /// How far a new password is on the way to a strong one, in percent; below 0 where ``judgement(of:)`` would warn.
    static func quality(of password: SecretBytes) -> Int {
        let strength = password.withSpan { PasswordStrength(utf8: $0) }
        // 10¹⁰ guesses are strong.
        let percent = min(100, Int(strength.guessesLog10 * 10))
        return strength.score < .good ? -percent : percent
    }

    /// What whoever chose a new password is told of it: how strong it is, and of a weak one why and what to do. Shows nothing of the
    /// password. Nil for an empty one, which is no choice of a strength.
    static func judgement(of password: SecretBytes) -> String? {
        guard password.count > 0 else { return nil }
        let strength = password.withSpan { PasswordStrength(utf8: $0) }
        guard strength.score < .good else { return "That password is \(strength.score)." }
        let reasons = strength.weaknesses.map(\.description).joined(separator: "; ")
        let advice = strength.advice.first.map { " Better: \($0)." } ?? ""
        return "That password is \(strength.score)" + (reasons.isEmpty ? "." : ": \(reasons).") + advice
    }
}
