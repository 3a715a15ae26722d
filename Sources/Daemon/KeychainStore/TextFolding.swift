// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel

extension TextMatching {
    /// A text without the differences that are overlooked. Two texts match when this is the same for both.
    ///
    /// Foundation's folding without a locale: case by Unicode's case folding, marks taken off letters, full-width and
    /// half-width forms made ordinary ones.
    func folded(_ text: String) -> String {
        // Most text is ASCII, in which only case can differ.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return contains(.caseInsensitive) ? text.asciiLowercased : text }
        var options: String.CompareOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        if contains(.widthInsensitive) { options.insert(.widthInsensitive) }
        // Composed and decomposed letters look the same, so whoever overlooks anything overlooks that as well.
        return text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
    }

    /// Whether a stored value is what a query asks for.
    func matches(_ stored: AttributeValue?, _ wanted: AttributeValue) -> Bool {
        guard let stored else { return false }
        guard let storedText = stored.text, let wantedText = wanted.text else {
            return stored.bytes.map { $0 == wanted.bytes } ?? (stored == wanted)
        }
        return folded(storedText) == folded(wantedText)
    }

    /// `kSecMatchHostOrSubdomainOfHost`: whether a server is the host or lies under it (semantics 3).
    func isHost(_ server: AttributeValue?, orSubdomainOf host: String) -> Bool {
        guard let server = server?.text.map(folded) else { return false }
        let host = folded(host)
        return server == host || server.hasSuffix("." + host)
    }
}

extension AttributeValue {
    /// Text, whether given as text or as its UTF-8 bytes: a search takes both for the same.
    var text: String? {
        switch self {
        case .string(let text): text
        case .data(let bytes): String(validating: bytes, as: UTF8.self)
        case .number, .date, .accessControl: nil
        }
    }
}

extension String {
    fileprivate var asciiLowercased: String {
        guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return self }
        return String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
