// SPDX-License-Identifier: Apache-2.0

import Testing

/// The documents on security name the tests that run each attack.
@Suite struct AttackTests {
    @Test func `each attack that is closed or noticed names tests that exist`() throws {
        let tests = try NamedTests()
        let rows = AttackRow.all(in: try Repository.text("Documentation/Attacks.md"))
        #expect(rows.count > 150)
        for row in rows {
            for problem in try row.problems(tests) {
                Issue.record("Documentation/Attacks.md, \(row.attack): \(problem)")
            }
        }
    }

    @Test func `tests that SECURITY.md names exist`() throws {
        let document = try Repository.text("SECURITY.md")
        let files = document.matches(of: /`(Tests\/Programs\/\w+\.py)/).map(\.output.1)
        #expect(files.contains("Tests/Programs/promise.py"))
        for file in files { #expect(Repository.exists(String(file)), "\(file)") }
        let tests = try NamedTests()
        // They compare the table "At a glance" with what comes of each attack.
        for function in [
            "test_the_table_names_these_attackers_and_no_others",
            "test_each_cell_of_the_table_says_what_comes_of_the_attack",
        ] {
            #expect(try tests.contains("promise.py::\(function)"))
        }
    }

    /// The test's own eyes.
    @Test(arguments: [
        ("| **A** | b | closed | user: `attacks.py::test_is_an_interpreter` |", 0),
        ("| **A** | b | closed | code: `M/F::a sentence`, `M/F::another sentence` |", 0),
        ("| **A** | b | open | – |", 0),
        ("| **A** | b | open; the others have theirs | user: `attacks.py::test_is_an_interpreter` |", 0),
        ("| **A** | b | closed | – |", 1), ("| **A** | b | noticed, not prevented | attacks.py, M |", 2),
        ("| **A** | b | closed | `attacks.py` |", 1), ("| **A** | b | closed | `attacks.py::test_is_an_inter` |", 1),
        ("| **A** | b | closed | `attacks.py::store` |", 1), ("| **A** | b | closed | `none.py::test_a` |", 1),
        ("| **A** | b | closed | `M/F::a sent` |", 1), ("| **A** | b | closed | `M/F::a helper` |", 1),
        ("| **A** | b | closed | `M/G::a sentence` |", 1), ("| **A** | b | open | `M/F::no sentence` |", 1),
        ("| **A** | b | perhaps | `M/F::a sentence` |", 1), ("| **A** | closed |", 1),
    ])
    func `a row that names no test, or a test that does not exist, is found`(line: String, count: Int) throws {
        let text = """
            @Suite struct S {
                @Test func `a sentence`() {}
                func `a helper`() {}
                @Test(arguments: [
                    1, 2,
                ])
                func `another sentence`(number: Int) {}
            }
            """
        let tests = NamedTests(swiftFiles: ["M/F": [text], "M/G": [text, text]])
        let rows = AttackRow.all(in: "| Attack | Our answer | State | Test |\n|---|---|---|---|\n\(line)\n")
        #expect(rows.count == 1)
        #expect(try rows.flatMap { try $0.problems(tests) }.count == count)
    }
}
