// SPDX-License-Identifier: Apache-2.0

import Testing

/// The properties of the repository that its users rely on.
@Suite struct RepositoryTests {
    @Test func `the front page is short`() throws {
        let lines = try Repository.text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 150)
    }

    @Test func `every target of the Makefile is a script of the same name`() throws {
        let makefile = try Repository.text("Makefile")
        let targets = makefile.matches(of: /(?m)^([a-z]+):/).map { String($0.output.1) }
        #expect(
            Set(targets).isSuperset(of: [
                "run", "test", "install", "uninstall", "bench", "clean", "format", "lint", "help",
            ]))
        for target in targets {
            #expect(Repository.isExecutable("Tools/\(target)"), "Tools/\(target)")
        }
    }

    @Test(arguments: [
        "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md",
        "Documentation/Attacks.md", "Documentation/Differences.md", "Documentation/Glossary.md",
        "Documentation/Observability.md",
        "Documentation/Protocols/README.md", "Documentation/Protocols/client.md", "Documentation/Formats",
    ])
    func `documents that others point to are there`(_ path: String) {
        #expect(Repository.exists(path))
    }

    @Test(arguments: ["README.md", "ARCHITECTURE.md", "SECURITY.md", "CONTRIBUTING.md"])
    func `links in documents lead somewhere`(_ document: String) throws {
        for link in try Repository.text(document).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
            let target = String(link.output.1)
            #expect(Repository.exists(target), "\(document) links to \(target)")
        }
    }

    @Test func `nothing that a build makes is under version control`() throws {
        guard let files = try Repository.git("ls-files") else { return }
        for file in files {
            let parts = file.split(separator: "/")
            #expect(parts.last != "Package.resolved", "\(file)")
            #expect(!parts.contains { $0.hasPrefix(".build") }, "\(file)")
        }
    }
}
