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

/// A text that an attribute of an item has to contain (``ItemQuery/containedText``), folded once for all the rows that
/// are compared with it.
struct ContainedText: Sendable {
    private let folded: [UInt8]

    init(_ text: String) { folded = Array(TextMatching.all.folded(text).utf8) }

    /// The attributes that are searched.
    static let keys: [AttributeKey] = [.label, .account, .service, .server, .path]

    func isContained(in item: ItemAttributes) -> Bool {
        Self.keys.contains { key in item[key]?.text.map { isContained(in: TextMatching.all.folded($0)) } ?? false }
    }

    /// By bytes, because comparing characters takes ten times as long: the bytes of one folded text in another one are
    /// never a part of a scalar.
    private func isContained(in text: String) -> Bool {
        guard let first = folded.first else { return true }
        var rest = text.utf8[...]
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: folded) { return true }
            rest = rest.dropFirst()
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
