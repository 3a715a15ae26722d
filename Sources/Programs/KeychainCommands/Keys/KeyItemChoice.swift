// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The word that identifies one of several certificates, keys or identities.
struct KeyItemChoice {
    private let word: String
    private let digits: String?

    init(_ word: String) {
        self.word = word
        let digits = word.filter { $0 != ":" && $0 != " " }.lowercased()
        let isHash = digits.utf8.count >= Self.shortestHash && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        self.digits = isHash ? digits : nil
    }

    /// The number of digits from which a word counts as a fingerprint, because ordinary words rarely match.
    private static let shortestHash = 8

    /// Returns the item that the word means: by the beginning of a fingerprint, by its whole name, or by a part of its
    /// name.
    ///
    /// - Throws: if none or more than one matches.
    func choose<Item>(
        _ items: [Item], kind: String, name: (Item) -> String, hashes: (Item) -> [[UInt8]?]
    ) throws(CommandFailure) -> Item {
        // Compiled once for all kinds.
        items[try choose(items.indices, kind, { name(items[$0]) }, { hashes(items[$0]) })]
    }

    private func choose(
        _ items: Range<Int>, _ kind: String, _ name: (Int) -> String, _ hashes: (Int) -> [[UInt8]?]
    ) throws(CommandFailure) -> Int {
        var found: [Int] = []
        if let digits {
            found = items.filter { item in
                hashes(item).contains { $0.map { $0.hexadecimal.hasPrefix(digits) } ?? false }
            }
        }
        if found.isEmpty { found = items.filter { name($0).lowercased() == word.lowercased() } }
        if found.isEmpty {
            let pattern = TextPattern(word)
            found = items.filter { pattern.matches(name($0)) }
        }
        guard let first = found.first else {
            throw CommandFailure(
                "no \(kind) matches \"\(word)\"",
                hint: "`chatelaine \(Self.command(kind))` lists all \(Self.command(kind))",
                exitCode: .itemNotFound)
        }
        guard found.count == 1 else {
            let hashes = Set(found.compactMap { hashes($0).compactMap { $0 }.first?.hexadecimal }).sorted()
            throw CommandFailure(
                "\"\(word)\" matches \(found.count) \(Self.command(kind))",
                hint: (kind == "key" ? "choose one key of a pair with --private or --public; otherwise " : "")
                    + "use a fingerprint: " + hashes.joined(separator: ", "))
        }
        return first
    }

    private static func command(_ kind: String) -> String { kind == "identity" ? "identities" : kind + "s" }
}

/// Returns titles and texts in two columns.
func columns(_ lines: [(String, String)]) -> String {
    let width = (lines.map(\.0.count).max() ?? 0) + 2
    return lines.map { title, text in
        title + String(repeating: " ", count: width - title.count) + visible(text) + "\n"
    }.joined()
}

extension Array {
    /// Returns the elements in the order of these texts, of which each element has as many.
    func ordered(by texts: (Element) -> [String]) -> [Element] { positionsInOrder(map(texts)).map { self[$0] } }
}

/// Returns the positions of texts in their order. Separate, because the standard library's sorting is compiled once for
/// each type of elements.
private func positionsInOrder(_ texts: [[String]]) -> [Int] {
    texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
}
