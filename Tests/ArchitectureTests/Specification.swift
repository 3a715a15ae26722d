// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Documentation/Semantics.md and Documentation/Cases.md: what can be cited, and which tests prove it.
struct Specification {
    /// A test that Documentation/Cases.md names.
    struct NamedTest: Hashable {
        /// From the root.
        let path: String
        /// The sentence of a Swift test, or the function of a Python test.
        let name: String
    }

    /// A conformance case.
    struct Case {
        /// Such as "C042".
        let number: String
        var tests: [NamedTest] = []
        var hasReasonForNoTest = false
    }

    /// The numbers of the sections of Semantics.md, such as "2" and "2.3".
    let sections: Set<String>
    /// The cases in the order of Cases.md.
    let cases: [Case]

    /// - Parameters:
    ///   - semantics: the text of Semantics.md.
    ///   - cases: the text of Cases.md.
    init(semantics: String, cases: String) {
        sections = Set(
            semantics.split(separator: "\n").compactMap { line in
                line.prefixMatch(of: #/[#]{2,3} (\d+(?:\.\d+)?)\.? /#).map { String($0.output.1) }
            })
        var found: [Case] = []
        for line in cases.split(separator: "\n") {
            if let match = line.prefixMatch(of: #/- \*\*(C\d{3})\*\* /#) {
                found.append(Case(number: String(match.output.1)))
            } else if line.hasPrefix("  - No test: "), !found.isEmpty {
                found[found.count - 1].hasReasonForNoTest = true
            } else if let match = line.wholeMatch(of: #/  - \[[^\]]*\]\(\.\./([^)]+)\): [“`](.*)[”`]/#), !found.isEmpty
            {
                found[found.count - 1].tests.append(
                    NamedTest(path: String(match.output.1), name: String(match.output.2)))
            }
        }
        self.cases = found
    }

    /// The specification of this repository.
    init() throws {
        try self.init(
            semantics: Repository.text("Documentation/Semantics.md"), cases: Repository.text("Documentation/Cases.md"))
    }

    /// Whether a file's text has a test of this name: a Swift test by its sentence, or a Python function.
    static func text(_ text: String, ofPython isPython: Bool, hasTest name: String) -> Bool {
        if isPython { return text.contains("\ndef \(name)(") }
        if text.contains("func `\(name)`(") { return true }
        // `@Test("…` on one line or on two.
        return text.ranges(of: "\"\(name)\"").contains { range in
            text[..<range.lowerBound].suffix(80).filter { !$0.isWhitespace }.hasSuffix("@Test(")
        }
    }

    /// The sections that a text cites as "semantics N.M", with lists and ranges: "semantics 1.9, 2.4 to 2.7 and 3".
    static func citedSections(in text: String) -> [(line: Int, section: String)] {
        guard text.contains("emantics ") || text.contains("emantics\n") else { return [] }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var cited: [(line: Int, section: String)] = []
        for (index, line) in lines.enumerated() where line.contains("emantics") {
            // A citation may go on in the next line, behind its comment marks.
            let next = index + 1 < lines.count ? lines[index + 1].drop { " /#*".contains($0) } : ""
            let joined = line + " " + next
            for match in joined.matches(
                of: /\b[Ss]emantics(?: sections?)?\s+(\d+(?:\.\d+)?(?:(?:,? and |, | to )\d+(?:\.\d+)?)*)/)
            where match.range.lowerBound < joined.index(joined.startIndex, offsetBy: line.count) {
                for number in match.output.1.matches(of: /\d+(?:\.\d+)?/) {
                    cited.append((index + 1, String(number.output)))
                }
            }
        }
        return cited
    }

    /// The cases that a text cites: "C042", and "_c042_" in the name of a Python test.
    static func citedCases(in text: String) -> [(line: Int, number: String)] {
        func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
        func isWord(_ byte: UInt8) -> Bool {
            isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F || byte == 0x2D
        }
        let bytes = Array(text.utf8)
        var cited: [(line: Int, number: String)] = []
        var line = 1
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x0A { line += 1 }
            if byte | 0x20 == 0x63, index + 3 < bytes.count, (1...3).allSatisfy({ isDigit(bytes[index + $0]) }) {
                let before = index > 0 ? bytes[index - 1] : 0x0A
                let after = index + 4 < bytes.count ? bytes[index + 4] : 0x0A
                let number = "C" + String(decoding: bytes[(index + 1)...(index + 3)], as: UTF8.self)
                let isUpper = byte == 0x43 && !isWord(before) && !isWord(after)
                let isInPythonName = byte == 0x63 && before == 0x5F && after == 0x5F
                if isUpper || isInPythonName { cited.append((line, number)) }
                index += 4
            } else {
                index += 1
            }
        }
        return cited
    }
}
