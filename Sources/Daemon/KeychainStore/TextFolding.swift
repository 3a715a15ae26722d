// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel

extension TextMatching {
    /// Returns a text without the differences that are ignored. Two texts match if their folded texts are equal.
    ///
    /// Folds by ``UnicodeFolding``: Unicode case folding, removal of diacritics, and conversion of full-width and
    /// half-width forms to ordinary ones.
    func folded(_ text: String) -> String {
        // Most text is ASCII, where only case can differ.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return contains(.caseInsensitive) ? text.asciiLowercased : text }
        // Composed and decomposed letters look the same, so a search that ignores any difference ignores this one as
        // well.
        let folding = UnicodeFolding(
            ignoresCase: contains(.caseInsensitive), ignoresDiacritics: contains(.diacriticInsensitive),
            ignoresWidth: contains(.widthInsensitive))
        return folding.folded(text)
    }

    /// Returns whether a server is the host or a subdomain of it: `kSecMatchHostOrSubdomainOfHost` (semantics 3).
    ///
    /// - Parameter host: the host, folded.
    func isHost(_ server: AttributeValue?, orSubdomainOf host: String) -> Bool {
        guard let server = server?.text.map(folded) else { return false }
        return server == host || server.hasSuffix("." + host)
    }
}

/// A value of a query, folded once for all the rows that are compared with it.
struct FoldedValue: Sendable {
    private let matching: TextMatching
    private let value: AttributeValue
    private let foldedText: String?

    init(_ value: AttributeValue, _ matching: TextMatching) {
        self.matching = matching
        self.value = value
        foldedText = value.text.map(matching.folded)
    }

    func matches(_ stored: AttributeValue?) -> Bool {
        guard let stored else { return false }
        guard let storedText = stored.text, let foldedText else {
            return stored.bytes.map { $0 == value.bytes } ?? (stored == value)
        }
        return matching.folded(storedText) == foldedText
    }
}

/// A text that an attribute of an item has to contain (`ItemQuery.containedText`), folded once for all the rows that
/// are compared with it.
struct ContainedText: Sendable {
    private let folded: [UInt8]

    init(_ text: String) { folded = Array(TextMatching.all.folded(text).utf8) }

    /// The attributes that are searched.
    private static let keys: [AttributeKey] = [.label, .account, .service, .server, .path]

    /// Returns the folded texts of an item. A byte that UTF-8 does not have ends each of them, so that no text is found in
    /// two of them together.
    static func texts(of item: ItemAttributes) -> [UInt8] {
        var texts: [UInt8] = []
        for key in keys {
            guard let text = item[key]?.text else { continue }
            texts += TextMatching.all.folded(text).utf8
            texts.append(0xFF)
        }
        return texts
    }

    func isContained(in item: ItemAttributes) -> Bool {
        let texts = Self.texts(of: item)
        return isContained(in: texts.span, 0..<texts.count)
    }

    /// Compares bytes, because comparing characters takes ten times as long: no scalar's bytes are in those of another one.
    func isContained(in texts: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let first = folded.first else { return true }
        var place = range.lowerBound
        while place + folded.count <= range.upperBound {
            if texts[place] == first {
                var length = 1
                while length < folded.count, texts[place + length] == folded[length] { length += 1 }
                if length == folded.count { return true }
            }
            place += 1
        }
        return false
    }
}

extension AttributeValue {
    /// The text, given as text or as its UTF-8 bytes: a search treats both as equal.
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
