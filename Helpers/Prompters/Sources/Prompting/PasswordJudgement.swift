// SPDX-License-Identifier: Apache-2.0

internal import KeychainPasswords
internal import SecretMemory

extension PromptWording {
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
