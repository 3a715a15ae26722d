// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import KeychainStore

/// Databases contain digests of folded texts, which were first computed by Foundation.
@Suite struct `Folding of text` {
    private static let foldings = (1..<8).map { bits in
        UnicodeFolding(
            ignoresCase: bits & 1 != 0, ignoresDiacritics: bits & 2 != 0, ignoresWidth: bits & 4 != 0)
    }

    private static func byFoundation(_ text: String, _ folding: UnicodeFolding) -> String {
        var options: String.CompareOptions = []
        if folding.ignoresCase { options.insert(.caseInsensitive) }
        if folding.ignoresDiacritics { options.insert(.diacriticInsensitive) }
        if folding.ignoresWidth { options.insert(.widthInsensitive) }
        return text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
    }

    private static func check(_ scalars: [Unicode.Scalar]) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        let text = String(view)
        for folding in foldings {
            let (own, wanted) = (folding.folded(text), byFoundation(text, folding))
            // `==` would ignore whether the letters are composed.
            if !own.utf8.elementsEqual(wanted.utf8) {
                let numbers = scalars.map { String($0.value, radix: 16) }
                Issue.record(
                    "\(numbers) \(folding): \(own.unicodeScalars.map(\.value)), \(wanted.unicodeScalars.map(\.value))")
            }
        }
    }

    /// All assigned scalars but most of the ideographs and syllables, which all behave the same.
    private static let scalars = (UInt32(0x20)...0x2_FFFF).compactMap(Unicode.Scalar.init).filter { scalar in
        switch scalar.value {
        case 0x3400...0x9FFF, 0xAC00...0xD7A3, 0x1_7000...0x1_8CFF, 0x2_0000...0x2_F7FF:
            scalar.value.isMultiple(of: 64)
        default: scalar.properties.generalCategory != .unassigned
        }
    }

    /// The scalars without those of the documented differences.
    private static let comparable = scalars.filter { scalar in
        scalar.value <= 0xFFFF && scalar.value != 0xFFE3 && scalar.properties.age.map { $0.major < 16 } ?? false
    }

    @Test func `of each scalar is that of Foundation`() {
        for scalar in Self.scalars { Self.check([scalar]) }
    }

    @Test(
        arguments: [
            [0x301], [0x33B, 0x301], [0xF35], [0x301, 0xF35, 0x41], [0x345], [0xFF9E], [0x301, 0x315, 0x300],
        ] as [[UInt32]])
    func `of a letter with marks is that of Foundation`(_ marks: [UInt32]) {
        let marks = marks.compactMap(Unicode.Scalar.init)
        for scalar in Self.comparable {
            let mayChange =
                scalar.value < 0x600 || scalar.properties.isUppercase || scalar.properties.isLowercase
                || scalar.properties.isGraphemeExtend || scalar.value > 0xFF00
            if mayChange { Self.check([scalar] + marks) }
        }
    }

    @Test func `of random texts is that of Foundation`() {
        var generator = LinearGenerator(state: 42)
        let marks = Self.comparable.filter(\.properties.isGraphemeExtend)
        let letters = Self.comparable.filter { $0.value < 0x2000 }
        for _ in 0..<5000 {
            let length = Int.random(in: 1...6, using: &generator)
            Self.check(
                (0..<length).map { _ in
                    switch UInt8.random(in: 0..<5, using: &generator) {
                    case 0: Self.comparable.randomElement(using: &generator)!
                    case 1: letters.randomElement(using: &generator)!
                    case 2: marks.randomElement(using: &generator)!
                    case 3: Unicode.Scalar(UInt32.random(in: 0x300..<0x370, using: &generator))!
                    default: Unicode.Scalar(UInt8.random(in: 0x20..<0x7F, using: &generator))
                    }
                })
        }
    }

    @Test func `removes what a user overlooks`() {
        let all = UnicodeFolding(ignoresCase: true, ignoresDiacritics: true, ignoresWidth: true)
        #expect(all.folded("Müller ＡＢＣ Straße Ǆ") == "muller abc strasse ǆ")
        #expect(all.folded("e\u{301}\u{327}") == "e" && all.folded("ｶﾅ") == "カナ" && all.folded("İ") == "i")
        let none = UnicodeFolding(ignoresCase: false, ignoresDiacritics: false, ignoresWidth: true)
        #expect(none.folded("e\u{301}").unicodeScalars.map(\.value) == [0xE9])
    }

    @Test(.timeLimit(.minutes(1)))
    func `takes a time that grows with the text`() {
        // With a time that grows with its square, a mebibyte takes minutes.
        let all = UnicodeFolding(ignoresCase: true, ignoresDiacritics: true, ignoresWidth: true)
        #expect(all.folded("A\u{200B}" + String(repeating: "A", count: 1 << 20)).utf8.count == 4 + 1 << 20)
        let marks = String(repeating: "\u{300}\u{316}", count: 1 << 18)
        #expect(all.folded("\u{5B57}" + marks).unicodeScalars.count == 2 << 18)
    }

    private struct LinearGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 11 | state << 53
        }
    }
}
