// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// The texts of an error as sentences for a dialog. They are in English, and contain no secret and no attribute values.
extension KeychainError: LocalizedError {
    /// The operation that failed and the reason: ``description`` as a sentence.
    public var errorDescription: String? { description.asSentence }

    /// The reason alone.
    public var failureReason: String? { (explanation?.reason ?? meaningOfCode).asSentence }

    /// The recommended action; nil when none is known.
    public var recoverySuggestion: String? { explanation?.hint?.asSentence }
}

extension String {
    /// The text with a capital letter at the beginning and a period at the end.
    var asSentence: String {
        let sentence = prefix(1).uppercased() + dropFirst()
        return sentence.hasSuffix(".") ? sentence : sentence + "."
    }
}
