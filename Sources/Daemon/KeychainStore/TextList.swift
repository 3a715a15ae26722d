// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel
import KeychainSealing

/// The texts of all items of a class, in which a search for a contained text finds its candidates without opening each
/// item.
///
/// Sealed like the attributes of the items, under the metadata keys of their classes: it can be read exactly while they
/// can be, and no text is in memory between two searches.
struct TextList: Sendable {
    /// The state of the database that the list describes (`ItemStatement.dataVersion`).
    let version: Int64
    /// The groups that the search named first; it may have found items of them that it does not find in others.
    let own: [String]
    private let parts: [SealedTexts]

    /// The most bytes of all texts with their entries. Beyond it, each search opens the items.
    static let limit = 4 << 20
    /// The bytes after which a part ends. A search has one part in plain at a time.
    private static let partBytes = 128 << 10
    /// An entry: row number, digest of the group, number of bytes, and the texts.
    private static let (groupPlace, countPlace, headBytes) = (8, 24, 28)

    /// An item with a text that contains the searched text.
    struct Candidate {
        let row: Int64
        let group: IndexDigest
    }

    /// Returns the items with a text that contains another one, in row order.
    ///
    /// - Throws: `.keyNotAvailable` if any class of the items is locked, `.damaged` if a class has another key by now.
    func candidates(_ text: ContainedText, _ keyRing: KeyRing) throws(SealingError) -> [Candidate] {
        var found: [Candidate] = []
        for part in parts {
            var bytes = try keyRing.openTexts(part)
            Self.search(bytes.span, text, &found)
            bytes.wipe()
        }
        found.sort { $0.row < $1.row }
        return found
    }

    /// Searches the entries of a part, which are as the writer wrote them, because they are authenticated.
    private static func search(_ entries: Span<UInt8>, _ text: ContainedText, _ found: inout [Candidate]) {
        var place = 0
        while place < entries.count {
            let texts = place + headBytes
            let end = texts + Int(entries.integer(place + countPlace..<texts))
            if text.isContained(in: entries, texts..<end) {
                let row = Int64(truncatingIfNeeded: entries.integer(place..<place + groupPlace))
                let group = IndexDigest(value: entries.integer(place + groupPlace..<place + countPlace))
                found.append(Candidate(row: row, group: group))
            }
            place = end
        }
    }

    /// Makes a list, item by item.
    struct Writer {
        private var open: [Accessibility: [UInt8]] = [:]
        private var parts: [SealedTexts] = []
        private var byteCount = 0
        private let keyRing: KeyRing

        init(_ keyRing: KeyRing) { self.keyRing = keyRing }

        /// Adds the texts of an item (``ContainedText/texts(of:)``).
        ///
        /// - Throws: `.keyNotAvailable`.
        mutating func add(_ texts: [UInt8], of row: SealedRow) throws(StoreError) {
            guard let binding = row.content?.binding else { return }
            byteCount += headBytes + texts.count
            guard byteCount <= limit else { return }
            var part = open.removeValue(forKey: binding.accessibility) ?? []
            part.append(integer: UInt64(bitPattern: row.id))
            part.append(integer: binding.accessGroup.value)
            part.append(integer: UInt32(texts.count))
            part += texts
            if part.count < partBytes {
                open[binding.accessibility] = part
            } else {
                try seal(part, binding.accessibility)
            }
        }

        private mutating func seal(_ part: [UInt8], _ accessibility: Accessibility) throws(StoreError) {
            do throws(SealingError) {
                parts.append(try keyRing.sealTexts(part, of: accessibility))
            } catch {
                throw StoreError(error)
            }
        }

        /// Returns the list; nil if it would be larger than the limit.
        ///
        /// - Throws: `.keyNotAvailable`.
        consuming func finish(version: Int64, own: [String]) throws(StoreError) -> TextList? {
            guard byteCount <= limit else { return nil }
            for (accessibility, part) in open { try seal(part, accessibility) }
            return TextList(version: version, own: own, parts: parts)
        }
    }
}

extension Span<UInt8> {
    /// Returns a big-endian integer.
    fileprivate func integer(_ range: Range<Int>) -> UInt128 {
        var integer: UInt128 = 0
        for index in range { integer = integer << 8 | UInt128(self[index]) }
        return integer
    }
}

extension [UInt8] {
    /// Appends an integer, big-endian.
    fileprivate mutating func append(integer: some FixedWidthInteger) {
        for shift in stride(from: integer.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: integer >> shift))
        }
    }
}
