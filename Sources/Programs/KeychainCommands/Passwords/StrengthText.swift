// SPDX-License-Identifier: Apache-2.0

internal import KeychainPasswords
internal import SecretMemory

/// What people and programs are told of a password's strength. Shows nothing of the password.
struct StrengthText {
    let strength: PasswordStrength

    init(_ strength: PasswordStrength) {
        self.strength = strength
    }

    init(of password: SecretBytes) {
        strength = password.withSpan { PasswordStrength(utf8: $0) }
    }

    /// One line without its end: the step, the guesses and the first reason.
    var line: String {
        let reason = strength.weaknesses.first.map { ": \($0)" } ?? ""
        return "\(strength.score), \(Self.guesses(strength.guessesLog10))\(reason)"
    }

    /// With one digit, which is all that an estimate is good for; beyond a million as a power of ten.
    static func guesses(_ log10: Double) -> String {
        guard log10 < 6 else { return "about 10^\(Int(log10.rounded())) guesses" }
        var (rest, unit) = (log10, 1)
        while rest >= 1 {
            rest -= 1
            unit *= 10
        }
        // Where 2, 3, … 10 begin to be nearer, as logarithms.
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

    /// All of it.
    var fullJSON: [(String, JSONText)] {
        json + [
            ("reasons", .array(strength.weaknesses.map { .text($0.description) })),
            ("advice", .array(strength.advice.map { .text($0.description) })),
        ]
    }

    /// Rounded down: nothing is stronger than it is said to be.
    static func tenths(_ number: Double) -> JSONText { .tenths(Int64((number * 10).rounded(.down))) }
}

extension CommandContext {
    /// Warns a person who has typed a weak new secret, with all reasons, and offers another one; says nothing of others.
    ///
    /// Refuses nothing. Silent but for a person on a terminal: what scripts read stays what it is.
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

    /// Tells a person who has typed a new secret how strong it is, and offers another one in place of a weak one.
    ///
    /// Refuses nothing: what somebody protects with it, they know.
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
