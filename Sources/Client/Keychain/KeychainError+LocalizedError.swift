// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// The texts of an error as sentences for a dialog. They are in English, and contain no secret and no attribute values.
extension KeychainError: LocalizedError {
    /// The operation that failed and the reason: ``description`` as a sentence.
    public var errorDescription: String? { Self.sentence(description) }

    /// The reason alone.
    public var failureReason: String? { Self.sentence(explanation?.reason ?? meaningOfCode) }

    /// The recommended action; nil when none is known.
    public var recoverySuggestion: String? { (explanation?.hint).map(Self.sentence) }

    private static func sentence(_ text: String) -> String {
        let sentence = text.prefix(1).uppercased() + text.dropFirst()
        return sentence.hasSuffix(".") ? sentence : sentence + "."
    }
}
