// SPDX-License-Identifier: Apache-2.0

internal import KeychainPasswords
internal import SecretMemory

/// The report of a password's strength, as text and JSON. Shows nothing of the password.
struct StrengthText {
    let strength: PasswordStrength

    init(_ strength: PasswordStrength) {
        self.strength = strength
    }

    init(of password: SecretBytes) {
        strength = password.withSpan { PasswordStrength(utf8: $0) }
    }

    /// One line without a newline: the step, the guesses and the first reason.
    var line: String {
        let reason = strength.weaknesses.first.map { ": \($0)" } ?? ""
        return "\(strength.score), \(Self.guesses(strength.guessesLog10))\(reason)"
    }

    /// Returns the number of guesses with one digit, which is the precision of the estimate; above a million as a power
    /// of ten.
    static func guesses(_ log10: Double) -> String {
        guard log10 < 6 else { return "about 10^\(Int(log10.rounded())) guesses" }
        var (rest, unit) = (log10, 1)
        while rest >= 1 {
            rest -= 1
            unit *= 10
        }
        // The limits at which 2, 3, … 10 become the nearest number, as logarithms.
        let limits = [0.176_1, 0.397_9, 0.544_1, 0.653_2, 0.740_4, 0.812_9, 0.875_1, 0.929_4, 0.977_7]
        let count = (1 + limits.count(where: { $0 <= rest })) * unit
        return count == 1 ? "1 guess" : "about \(count) guesses"
    }

    var json: [(String, JSONText)] {
        [
            ("score", .integer(Int64(strength.score.rawValue))),
            ("strength", .text(strength.score.description)),
            ("guessesLog10", Self.tenths(strength.guessesLog10)),
        ]
    }

    /// All members.
    var fullJSON: [(String, JSONText)] {
        json + [
            ("reasons", .array(strength.weaknesses.map { .text($0.description) })),
            ("advice", .array(strength.advice.map { .text($0.description) })),
        ]
    }

    /// Rounds down, so that no password is reported stronger than it is.
    static func tenths(_ number: Double) -> JSONText { .tenths(Int64((number * 10).rounded(.down))) }
}

extension CommandContext {
    /// Warns a user who has typed a weak new secret, with all reasons, and suggests another one; prints nothing for
    /// other secrets.
    ///
    /// Refuses nothing. Prints only for a user on a terminal, so that the output that scripts read does not change.
    func warnOfWeakness(of secret: SecretBytes) {
        guard prompt != nil, diagnosticsAreTerminal, secret.count > 0 else { return }
        let strength = StrengthText(of: secret).strength
        guard strength.score < .good else { return }
        let reasons = strength.weaknesses.map(\.description).joined(separator: "; ")
        diagnostics.writeIfPossible(
            "warning: that password is \(strength.score), \(StrengthText.guesses(strength.guessesLog10))"
                + (reasons.isEmpty ? "\n" : ": \(reasons)\n"))
        suggestBetter(than: strength)
    }

    /// Reports the strength of a new secret that the user typed, and suggests another one for a weak one.
    ///
    /// Refuses nothing, because the user knows what the secret protects.
    func tellStrength(of secret: SecretBytes) {
        guard secret.count > 0 else { return }
        let text = StrengthText(of: secret)
        diagnostics.writeIfPossible("Strength: \(text.line).\n")
        if text.strength.score < .good { suggestBetter(than: text.strength) }
    }

    private func suggestBetter(than strength: PasswordStrength) {
        guard let advice = strength.advice.first else { return }
        let label = CommandFailure.hintLabel(styled: diagnosticsAreStyled)
        diagnostics.writeIfPossible("\(label) \(advice), such as ")
        try? diagnostics.write(PasswordGenerator(.memorable).secret().bytes)
        diagnostics.writeIfPossible("\n")
    }
}
