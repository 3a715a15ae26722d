// SPDX-License-Identifier: Apache-2.0

import Testing

/// That citations of the specification lead somewhere, and that its cases have tests.
@Suite struct SpecificationTests {
    private static let folders = [
        "Sources", "Bridges", "Helpers", "Tests", "Conformance", "Documentation", "Examples", "Fuzzing",
    ]
    private static let endings = [".swift", ".py", ".md", ".c", ".h"]

    @Test func `every citation of the specification leads to a section or a case`() throws {
        let specification = try Specification()
        let numbers = Set(specification.cases.map(\.number))
        var (sections, cases) = (0, 0)
        for path in try Self.folders.flatMap({ try Repository.files(below: $0, endings: Self.endings) }) {
            // The examples of the checks below lead nowhere on purpose.
            guard path != "Tests/ArchitectureTests/SpecificationTests.swift" else { continue }
            let text = try Repository.text(path)
            for cited in Specification.citedSections(in: text) {
                sections += 1
                let isThere = specification.sections.contains(cited.section)
                #expect(
                    isThere, "\(path):\(cited.line): Documentation/Semantics.md has no section \(cited.section)")
            }
            for cited in Specification.citedCases(in: text) {
                cases += 1
                let isThere = numbers.contains(cited.number)
                #expect(
                    isThere, "\(path):\(cited.line): Documentation/Cases.md has no case \(cited.number)")
            }
        }
        #expect(sections > 100 && cases > 500, "citations are not recognized any more")
    }

    @Test func `the cases are numbered without a gap`() throws {
        let numbers = try Specification().cases.map(\.number)
        let expected = (1...160).map { number in
            let digits = String(number)
            return "C" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        #expect(numbers == expected)
    }

    @Test func `every case has a test that exists, or a reason for having none`() throws {
        var texts: [String: String] = [:]
        for each in try Specification().cases {
            #expect(
                each.tests.isEmpty == each.hasReasonForNoTest,
                "\(each.number) needs either a test or a line \"No test: …\" in Documentation/Cases.md")
            for test in each.tests {
                guard Repository.exists(test.path) else {
                    Issue.record("\(each.number) in Documentation/Cases.md: there is no \(test.path)")
                    continue
                }
                let text = try texts[test.path] ?? Repository.text(test.path)
                texts[test.path] = text
                let isThere = Specification.text(text, ofPython: test.path.hasSuffix(".py"), hasTest: test.name)
                #expect(
                    isThere, "\(each.number) in Documentation/Cases.md: \(test.path) has no test “\(test.name)”")
            }
        }
    }

    // MARK: The checks themselves

    @Test func `sections and cases are read from the documents`() {
        let specification = Specification(
            semantics: "# S\n## 2. Functions\n### 2.3 Add\ntext 9.9\n",
            cases: """
                - **C001** One. Source: x.
                  - [A.swift](../Tests/A.swift): “a sentence”
                  - [b.py](../Tests/b.py): `test_c001_b`
                - **C002** Two. Source: x.
                  - No test: it cannot be tested.
                """)
        #expect(specification.sections == ["2", "2.3"])
        #expect(specification.cases.map(\.number) == ["C001", "C002"])
        #expect(
            specification.cases[0].tests == [
                .init(path: "Tests/A.swift", name: "a sentence"), .init(path: "Tests/b.py", name: "test_c001_b"),
            ])
        #expect(!specification.cases[0].hasReasonForNoTest && specification.cases[1].hasReasonForNoTest)
    }

    @Test func `citations are found in lists, ranges and on two lines`() {
        let text = "// (semantics 1.9, 2.4 to 2.7)\n/// Semantics\n/// 3 and 8.6. The semantics of 4 things.\n"
        let sections = Specification.citedSections(in: text)
        #expect(sections.map(\.section) == ["1.9", "2.4", "2.7", "3", "8.6"])
        #expect(sections.map(\.line) == [1, 1, 1, 2, 2])
        let cases = Specification.citedCases(in: "C042: x\nC016-MTNY 0xC123 C1234 AC123\ndef test_c150_c152_x C160")
        #expect(cases.map(\.number) == ["C042", "C150", "C152", "C160"])
        #expect(cases.map(\.line) == [1, 3, 3, 3])
    }

    @Test func `tests are found by their sentences`() {
        let swift =
            "@Test func `a b`() {}\n@Test(\"c d\")\n@Test(\n    \"e f\",\n    arguments: [])\nlet text = \"g h\""
        for name in ["a b", "c d", "e f"] { #expect(Specification.text(swift, ofPython: false, hasTest: name)) }
        for name in ["g h", "a", "c"] { #expect(!Specification.text(swift, ofPython: false, hasTest: name)) }
        let python = "\ndef test_a_b(it):\n    pass\n"
        #expect(Specification.text(python, ofPython: true, hasTest: "test_a_b"))
        #expect(!Specification.text(python, ofPython: true, hasTest: "test_a"))
    }
}
