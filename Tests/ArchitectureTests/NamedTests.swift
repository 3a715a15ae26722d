// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The tests of the repository by the names that documents give them: `file.py::function` is a function of a file in
/// Tests/Programs, and `Module/File::sentence` is a function of File.swift below the folder of a test module.
struct NamedTests {
    /// The text of each test file of a module, by `Module/File`. A name that several files have names none of them.
    private let swiftFiles: [String: [String]]

    init() throws {
        let files = try ["Tests", "Bridges", "Helpers"].flatMap(Repository.swiftFiles(below:))
        swiftFiles = Dictionary(grouping: files.filter { Self.name(of: $0) != nil }, by: { Self.name(of: $0) ?? "" })
            .mapValues { $0.map(\.text) }
    }

    init(swiftFiles: [String: [String]]) {
        self.swiftFiles = swiftFiles
    }

    /// `Module/File` of a file below a folder `Tests`; nil of all other files.
    private static func name(of file: Repository.SwiftFile) -> String? {
        let parts = file.path.split(separator: "/")
        guard let tests = parts.firstIndex(of: "Tests"), tests + 2 < parts.count, let last = parts.last else {
            return nil
        }
        return "\(parts[tests + 1])/\(last.dropLast(".swift".count))"
    }

    /// Whether the test that a document names exists.
    func contains(_ reference: some StringProtocol) throws -> Bool {
        let reference = String(reference)
        guard let separator = reference.firstRange(of: "::") else { return false }
        let (file, function) = (reference[..<separator.lowerBound], reference[separator.upperBound...])
        if file.hasSuffix(".py") {
            let path = "Tests/Programs/\(file)"
            guard function.hasPrefix("test_"), Repository.exists(path) else { return false }
            return try Repository.text(path).contains("\ndef \(function)(")
        }
        guard let texts = swiftFiles[String(file)], texts.count == 1 else { return false }
        return Self.declares(function, in: texts[0])
    }

    /// Whether a text has a test function of this name: an attribute `@Test` with no other function in between.
    private static func declares(_ sentence: Substring, in text: String) -> Bool {
        guard let declaration = text.firstRange(of: "func `\(sentence)`(") else { return false }
        return text[..<declaration.lowerBound].split(separator: "func `", omittingEmptySubsequences: false).last?
            .contains("@Test") == true
    }
}

/// A row of a table in Documentation/Attacks.md, whose last columns are "State" and "Test".
struct AttackRow {
    /// What the attacker does.
    let attack: String
    /// One of the document's words, and what limits it.
    let state: String
    /// The tests that run the attack.
    let test: String

    /// The rows of all tables of a document, without those that head the tables.
    static func all(in document: String) -> [AttackRow] {
        document.split(separator: "\n").filter { $0.hasPrefix("| **") }.map { line in
            let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return AttackRow(
                attack: cells.first ?? "", state: cells.count < 4 ? "" : cells[cells.count - 2], test: cells.last ?? "")
        }
    }

    /// What is wrong with the row, a sentence each.
    func problems(_ tests: NamedTests) throws -> [String] {
        guard let word = state.prefixMatch(of: /closed|noticed|later|open/)?.output else {
            return ["the state \"\(state)\" begins with none of the document's words"]
        }
        let references = test.matches(of: /`([^`]*)`/).map(\.output.1)
        var problems: [String] = []
        for reference in references {
            guard try !tests.contains(reference) else { continue }
            problems.append("there is no test \(reference)")
        }
        if references.isEmpty, word == "closed" || word == "noticed" {
            problems.append("a row that is \(word) names a test function")
        }
        if references.isEmpty, test != "–" {
            problems.append("a row without a test has a dash, not \"\(test)\"")
        }
        return problems
    }
}
