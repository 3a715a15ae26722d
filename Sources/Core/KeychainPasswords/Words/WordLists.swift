// SPDX-License-Identifier: Apache-2.0

/// The lists as text, words apart by spaces and line ends, in the order of their frequency. The parts are in files of their
/// own, which a script writes.
///
/// Text in the program, and not files beside it: a program that is linked statically has no place where files would be.
enum WordLists {
    /// Which list a word is from.
    enum Name: UInt8, CaseIterable, Sendable {
        case passwords, encyclopedia, spoken, surnames, femaleNames, maleNames

        var text: String {
            switch self {
            case .passwords: WordLists.commonPasswords
            case .encyclopedia: WordLists.encyclopediaWords
            case .spoken: WordLists.spokenWords
            case .surnames: WordLists.surnames
            case .femaleNames: WordLists.femaleNames
            case .maleNames: WordLists.maleNames
            }
        }
    }
}

/// All listed words with their ranks: looked up by their letters, without a string for each.
///
/// Made once, at the first look, in a few milliseconds.
struct RankedWords: Sendable {
    static let all = RankedWords()

    struct Entry: Hashable, Sendable {
        let list: WordLists.Name
        /// From 1, the commonest.
        let rank: Int
    }

    /// No word is longer.
    let longest: Int

    private struct Word: Sendable {
        let offset: UInt32
        let length: UInt8
        let list: WordLists.Name
        let rank: UInt16
    }

    private let letters: [UInt8]
    private let words: [Word]
    /// A table with open addressing: one more than the number of a word, 0 for nothing.
    private let slots: [UInt32]

    private init() {
        var letters: [UInt8] = []
        var words: [Word] = []
        var longest = 0
        for list in WordLists.Name.allCases {
            let base = letters.count
            letters += list.text.utf8
            var rank: UInt16 = 0
            var start = base
            for end in base...letters.count where end == letters.count || letters[end] <= 0x20 {
                defer { start = end + 1 }
                guard end > start else { continue }
                rank += 1
                words.append(
                    Word(offset: UInt32(start), length: UInt8(end - start), list: list, rank: rank))
                longest = max(longest, end - start)
            }
        }
        // At most half full, so that a look for what is not there ends soon.
        var size = 1
        while size < 2 * words.count { size *= 2 }
        var slots = [UInt32](repeating: 0, count: size)
        for (number, word) in words.enumerated() {
            var hash = WordHash()
            for place in 0..<Int(word.length) { hash.add(letters[Int(word.offset) + place]) }
            var slot = hash.slot(of: size)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt32(number + 1)
        }
        (self.letters, self.words, self.slots, self.longest) = (letters, words, slots, longest)
    }

    /// The word that these letters are; nil if none is.
    func entry(of text: ArraySlice<UInt8>, hash: WordHash) -> Entry? {
        var slot = hash.slot(of: slots.count)
        while slots[slot] != 0 {
            let word = words[Int(slots[slot] - 1)]
            if Int(word.length) == text.count, matches(word, text) {
                return Entry(list: word.list, rank: Int(word.rank))
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func matches(_ word: Word, _ text: ArraySlice<UInt8>) -> Bool {
        var place = Int(word.offset)
        for letter in text {
            if letters[place] != letter { return false }
            place += 1
        }
        return true
    }
}

/// FNV-1a with 32 bits, letter by letter: a password's letters are known to nobody who could choose them for collisions.
struct WordHash {
    private var value: UInt32 = 2_166_136_261

    mutating func add(_ letter: UInt8) {
        value = (value ^ UInt32(letter)) &* 16_777_619
    }

    func slot(of size: Int) -> Int { Int(value ^ value >> 15) & (size - 1) }
}
