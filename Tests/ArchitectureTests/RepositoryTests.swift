// SPDX-License-Identifier: Apache-2.0

import Testing

/// The properties of the repository that its users rely on.
@Suite struct RepositoryTests {
    @Test func `the front page is short`() throws {
        let lines = try Repository.text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 150)
    }

    @Test func `the overview of the architecture is short`() throws {
        let lines = try Repository.text("ARCHITECTURE.md").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 201)
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
        "Documentation/Limits.md", "Documentation/LockOrder.md", "Documentation/CrashSafety.md",
        "Documentation/Prompting.md", "Documentation/Identification.md", "Documentation/Observability.md",
        "Documentation/Performance.md", "Documentation/Releasing.md",
        "Documentation/Protocols/README.md", "Documentation/Protocols/client.md", "Documentation/Formats",
    ])
    func `documents that others point to are there`(_ path: String) {
        #expect(Repository.exists(path))
    }

    @Test func `links in documents lead somewhere`() throws {
        let pages = try Repository.files(below: "Documentation", endings: [".md"])
        #expect(pages.count > 20)
        for document in ["README.md", "ARCHITECTURE.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"] + pages {
            let folder = document.split(separator: "/").dropLast().joined(separator: "/")
            for link in try Repository.text(document).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
                let target = folder.isEmpty ? String(link.output.1) : "\(folder)/\(link.output.1)"
                #expect(Repository.exists(target), "\(document) links to \(target)")
            }
        }
    }

    @Test func `files that the pages on the architecture name exist`() throws {
        let files = try Repository.files(below: "", endings: [".swift", ".py", ".c"])
        let pages = ["Limits", "LockOrder", "CrashSafety", "Prompting", "Identification", "Releasing"]
        var count = 0
        for document in ["ARCHITECTURE.md"] + pages.map({ "Documentation/\($0).md" }) {
            for match in try Repository.text(document).matches(of: /`([A-Za-z0-9_+.\/]+\.(?:swift|py|c))`/) {
                let name = String(match.output.1)
                count += 1
                #expect(files.contains { $0 == name || $0.hasSuffix("/" + name) }, "\(document) names \(name)")
            }
        }
        #expect(count > 100, "names of files are not recognized any more")
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
