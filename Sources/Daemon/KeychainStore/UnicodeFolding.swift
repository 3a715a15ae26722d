// SPDX-License-Identifier: Apache-2.0

// The only interface of the standard library to Unicode's normalization.
@_spi(_Unicode) import Swift

/// The removal of differences between texts, with which the folded columns of a database were computed: it must not
/// change (Documentation/Formats/database.md).
///
/// It returns the same texts as Foundation's folding without a locale, with Unicode's data of version 15, followed by
/// canonical composition. It does not use Foundation, which brings 40 MB of ICU into the service. Only texts without a
/// use differ: Foundation composes some letters beyond U+FFFF with a mark into an unrelated letter, keeps the mark after
/// U+FFE3, and does not order marks that Unicode 16 and later versions added.
struct UnicodeFolding {
    let ignoresCase: Bool
    let ignoresDiacritics: Bool
    let ignoresWidth: Bool

    func folded(_ text: String) -> String {
        // An array, because the time of appending to a text that is not ASCII grows with the text.
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.utf8.count)
        var cluster = Cluster(scalars: [], marks: .kept)
        for scalar in text.unicodeScalars {
            if ignoresDiacritics, !cluster.isEmpty, scalar.isMark {
                cluster.add(mark: scalar)
            } else {
                scalars += cluster.ordered
                cluster = self.cluster(scalar)
            }
        }
        scalars += cluster.ordered
        var folded = String.UnicodeScalarView()
        folded.append(contentsOf: scalars)
        var composed = String.UnicodeScalarView()
        composed.append(contentsOf: String(folded)._nfc)
        return String(composed)
    }

    private func cluster(_ original: Unicode.Scalar) -> Cluster {
        var scalar = ignoresWidth ? original.withOrdinaryWidth : original
        if ignoresDiacritics, scalar.value >= 0x80 {
            let base = String(Character(scalar))._nfd.first { _ in true } ?? scalar
            if base.hasRemovableMarks { scalar = base }
        }
        let scalars = ignoresCase ? scalar.caseFolded : [scalar]
        if scalars[0].hasRemovableMarks { return Cluster(scalars: scalars, marks: .removed) }
        return Cluster(scalars: scalars, marks: scalars == [original] ? .firstRemoved : .kept)
    }

    /// A folded scalar and the marks that follow it.
    private struct Cluster {
        enum Marks {
            case removed
            /// The first mark is removed if it is one of those of European scripts.
            case firstRemoved
            case kept
        }

        private var scalars: [Unicode.Scalar]
        private var marks: Marks
        private var hasAddedMarks = false

        init(scalars: [Unicode.Scalar], marks: Marks) {
            self.scalars = scalars
            self.marks = marks
        }

        var isEmpty: Bool { scalars.isEmpty }

        mutating func add(mark: Unicode.Scalar) {
            let treatment = marks
            if marks == .firstRemoved { marks = .kept }
            guard treatment == .kept || treatment == .firstRemoved && !mark.hasRemovableMarks else { return }
            scalars += String(Character(mark))._nfd
            hasAddedMarks = true
        }

        /// The scalars in the order of their combining classes; those of one class keep their order.
        ///
        /// They are sorted once, because the time of inserting each mark at its place grows with the number of marks.
        var ordered: [Unicode.Scalar] {
            guard hasAddedMarks else { return scalars }
            return scalars.enumerated()
                .map { (order: $1.properties.canonicalCombiningClass.rawValue, place: $0, scalar: $1) }
                .sorted { ($0.order, $0.place) < ($1.order, $1.place) }
                .map(\.scalar)
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is of the European scripts, whose marks are removed: Latin, Greek and Cyrillic, and their own marks.
    fileprivate var hasRemovableMarks: Bool { value < 0x510 }

    /// Whether the scalar is newer than the folding.
    private var isNew: Bool { properties.age.map { $0.major > 15 } ?? true }

    /// Whether the scalar extends the one before it, by version 15 of Unicode.
    fileprivate var isMark: Bool {
        switch value {
        case 0..<0x80: false
        // Later versions removed these.
        case 0x1171E, 0x1F3FB...0x1F3FF: true
        // Later versions added these.
        case 0x0CC0, 0x0CC7...0x0CC8, 0x0CCA...0x0CCB, 0x1715, 0x1734, 0x1B3B, 0x1B3D, 0x1B43...0x1B44, 0x1BAA,
            0x1BF2...0x1BF3, 0xA953, 0xA9C0, 0x111C0, 0x11235, 0x1134D, 0x116B6, 0x1193D, 0x11F41, 0x16FF0...0x16FF1,
            0x1D166, 0x1D16D:
            false
        default: properties.isGraphemeExtend && !isNew
        }
    }

    /// Unicode's full case folding, by version 15. It equals the lower-case letters of the upper-case ones, with a few
    /// exceptions.
    fileprivate var caseFolded: [Unicode.Scalar] {
        switch value {
        case 0..<0x80:
            return [Unicode.Scalar(UInt8(truncatingIfNeeded: (0x41...0x5A).contains(value) ? value | 0x20 : value))]
        // ı is not folded to i.
        case 0x131: return [self]
        // Unicode folds these to other Cyrillic letters; Foundation does not.
        case 0x1C80...0x1C88: return [self]
        case 0x1E9E: return ["s", "s"]
        default:
            guard !isNew else { return [self] }
            return properties.uppercaseMapping.unicodeScalars.flatMap { $0.properties.lowercaseMapping.unicodeScalars }
        }
    }

    /// The ordinary form of a full-width or half-width scalar.
    fileprivate var withOrdinaryWidth: Unicode.Scalar {
        switch value {
        // The printable characters of ASCII.
        case 0xFF01...0xFF5E: return Unicode.Scalar(value - 0xFEE0) ?? self
        case 0xFF5F...0xFFEE:
            let form = Self.ordinaryForms[Int(value - 0xFF5F)]
            return form == 0 ? self : Unicode.Scalar(form) ?? self
        default: return self
        }
    }

    /// The ordinary forms of the scalars from U+FF5F on: punctuation, Katakana, Hangul letters and symbols. 0: the scalar
    /// has no other form.
    private static let ordinaryForms: [UInt16] = [
        0x2985, 0x2986, 0x3002, 0x300C, 0x300D, 0x3001, 0x30FB, 0x30F2, 0x30A1, 0x30A3, 0x30A5, 0x30A7,
        0x30A9, 0x30E3, 0x30E5, 0x30E7, 0x30C3, 0x30FC, 0x30A2, 0x30A4, 0x30A6, 0x30A8, 0x30AA, 0x30AB,
        0x30AD, 0x30AF, 0x30B1, 0x30B3, 0x30B5, 0x30B7, 0x30B9, 0x30BB, 0x30BD, 0x30BF, 0x30C1, 0x30C4,
        0x30C6, 0x30C8, 0x30CA, 0x30CB, 0x30CC, 0x30CD, 0x30CE, 0x30CF, 0x30D2, 0x30D5, 0x30D8, 0x30DB,
        0x30DE, 0x30DF, 0x30E0, 0x30E1, 0x30E2, 0x30E4, 0x30E6, 0x30E8, 0x30E9, 0x30EA, 0x30EB, 0x30EC,
        0x30ED, 0x30EF, 0x30F3, 0x3099, 0x309A, 0x1160, 0x1100, 0x1101, 0x11AA, 0x1102, 0x11AC, 0x11AD,
        0x1103, 0x1104, 0x1105, 0x11B0, 0x11B1, 0x11B2, 0x11B3, 0x11B4, 0x11B5, 0x111A, 0x1106, 0x1107,
        0x1108, 0x1121, 0x1109, 0x110A, 0x110B, 0x110C, 0x110D, 0x110E, 0x110F, 0x1110, 0x1111, 0x1112,
        0, 0, 0, 0x1161, 0x1162, 0x1163, 0x1164, 0x1165, 0x1166, 0, 0, 0x1167,
        0x1168, 0x1169, 0x116A, 0x116B, 0x116C, 0, 0, 0x116D, 0x116E, 0x116F, 0x1170, 0x1171,
        0x1172, 0, 0, 0x1173, 0x1174, 0x1175, 0, 0, 0, 0x00A2, 0x00A3, 0x00AC,
        0, 0x00A6, 0x00A5, 0x20A9, 0, 0x2502, 0x2190, 0x2191, 0x2192, 0x2193, 0x25A0, 0x25CB,
    ]
}
