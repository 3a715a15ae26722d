// SPDX-License-Identifier: Apache-2.0

import Testing

/// The rules of ARCHITECTURE.md that the compiler does not check.
@Suite struct ArchitectureTests {
    @Test func `no file imports what its layer must not know`() throws {
        for file in try Repository.swiftFiles(below: "") {
            // Read once for all rules, because this takes most of the time.
            let imports = file.imports
            for rule in ImportRule.all where rule.folders.contains(where: { file.path.hasPrefix($0 + "/") }) {
                for module in imports where rule.forbids(module, in: file) {
                    Issue.record("\(file.path) imports \(module), but \(rule.reason)")
                }
            }
        }
    }

    @Test func `every folder that has an import rule today is there`() throws {
        // A rule over a folder that was renamed would check nothing.
        let later = ["Bridges", "Apps", "Examples", "Benchmarks", "Fuzzing"]
        for folder in Set(ImportRule.all.flatMap(\.folders)).subtracting(later) {
            #expect(try !Repository.swiftFiles(below: folder).isEmpty, "\(folder) has no Swift files")
        }
    }

    @Test func `only the platform is unsafe`() throws {
        let exempt = [
            "Sources/Platform/",
            // Apple's functions take pointers, so the modules that declare them cannot do without.
            "Sources/Client/Security/", "Sources/Client/CFTypes/", "Sources/Client/LocalAuthentication/",
            // swift-crypto lends and takes key bytes only as pointers. Two files of the store pass an item's data on to
            // the sealing in that form; one is a class that a lock keeps to one thread at a time, and one hands a change
            // to another thread while its own waits, which the compiler cannot see.
            "Sources/Core/KeychainSealing/", "Sources/Core/KeychainKeys/LentBytes.swift",
            "Sources/Daemon/KeychainStore/ItemStore+Writing.swift", "Sources/Daemon/KeychainStore/NewRow.swift",
            "Sources/Daemon/KeychainStore/Connection.swift", "Sources/Daemon/KeychainStore/GroupCommit.swift",
            // Lists of English words, of which "unsafe" is one.
            "Sources/Core/KeychainPasswords/Words/",
        ]
        for path in exempt { #expect(Repository.exists(path), "\(path) needs no exemption: it is not there") }
        for file in try Repository.swiftFiles(below: "Sources") {
            guard !exempt.contains(where: file.path.hasPrefix) else { continue }
            for (index, line) in file.lines.enumerated() where Self.isUnsafe(line) {
                Issue.record("\(file.path):\(index + 1): all that can break memory belongs in Sources/Platform")
            }
        }
    }

    private static func isUnsafe(_ line: Substring) -> Bool {
        // Most lines have none of these, and looking for them is much faster than matching.
        guard line.contains("nsafe") || line.contains("@unchecked") else { return false }
        return Repository.SwiftFile.code(of: line).contains(/\bunsafe\b|@unchecked\b|\bUnsafe\w*Pointer\b/)
    }

    @Test func `each error that becomes part of a text has a text itself`() throws {
        // Otherwise the text of a user or of a log contains structures of Swift, such as "refused(KeychainModel.Refusal(…".
        let files = try ["Sources", "Helpers", "Bridges"].flatMap { try Repository.swiftFiles(below: $0) }
            .filter { !$0.path.contains("/Tests/") }
        let declaration = /(?:enum|struct|class|extension)\s+([\w.]+)\s*:[^{]*CustomStringConvertible/
        let described = Set(
            files.filter { $0.text.contains("CustomStringConvertible") }.flatMap { file in
                file.text.matches(of: declaration).map { Self.lastName($0.output.1) }
            })
        #expect(described.isSuperset(of: ["ClientError", "StoreError", "SystemCallError"]))
        for file in files where file.text.contains("(error)") || file.text.contains("(failure)") {
            // The type of the error that the nearest block above catches; nil where a pattern binds the name.
            var type: Substring?
            for (index, line) in file.lines.enumerated() {
                if line.contains("do throws("), let match = line.firstMatch(of: /do throws\(([\w.]+)\)/) {
                    type = match.output.1
                }
                if line.contains("let error") || line.contains("let failure = ") || line.contains("func ") {
                    type = nil
                }
                guard line.contains("\\(error)") || line.contains("\\(failure)"), let type else { continue }
                #expect(
                    described.contains(Self.lastName(type)),
                    "\(file.path):\(index + 1): \(type) is not CustomStringConvertible")
            }
        }
    }

    private static func lastName(_ name: Substring) -> Substring { name.split(separator: ".").last ?? name }

    @Test func `no mutex holds a function by itself`() throws {
        // Each access would wrap the function once more, until a call of it takes more stack than a thread has (Callback.swift).
        for folder in ["Sources", "Bridges", "Helpers"] {
            for file in try Repository.swiftFiles(below: folder) {
                for (index, line) in file.lines.enumerated() where line.contains("Mutex<") && line.contains("->") {
                    let isFunction = Repository.SwiftFile.code(of: line).contains(/Mutex<[^>]*->/)
                    #expect(!isFunction, "\(file.path):\(index + 1): put it into a structure, or use Callback")
                }
            }
        }
    }

    @Test func `the typed modules show no internal module, except by the types that they export by name`() throws {
        let exports = try Repository.SwiftFile(
            path: "Exports.swift", text: Repository.text("Sources/Client/Keychain/Exports.swift"))
        let shown = Set(exports.imports).union(["Keychain", "Crypto", "FoundationEssentials"])
        #expect(exports.imports.contains("KeychainModel") && !shown.contains("KeychainClient"))
        for folder in ["Sources/Client/Keychain", "Sources/Testing/KeychainTesting"] {
            for file in try Repository.swiftFiles(below: folder) {
                let text = file.lines.filter { $0.contains("public import ") }.joined(separator: "\n")
                for module in Repository.SwiftFile(path: file.path, text: text).imports where !shown.contains(module) {
                    Issue.record("\(file.path) shows \(module) to programs: `package import` suffices for this package")
                }
            }
        }
        for line in exports.lines where line.hasPrefix("@_exported ") {
            let exportsOneType = line.contains(" import struct ") || line.contains(" import enum ")
            #expect(exportsOneType, "\(line): exports a whole module")
        }
    }

    @Test func `every Swift file names its licence first`() throws {
        let files = try Repository.swiftFiles(below: "")
        #expect(files.count > 20)
        for file in files {
            // The first line of a manifest belongs to the package manager.
            let line = file.path.hasSuffix("Package.swift") ? 1 : 0
            #expect(file.lines.dropFirst(line).first == "// SPDX-License-Identifier: Apache-2.0", "\(file.path)")
        }
    }

    @Test func `dependencies do not ask for a module called Security`() throws {
        // They would get ours, or Apple's, by the order in which things are built (ARCHITECTURE.md).
        let checkouts = ".build/checkouts"
        // Only Helpers/Trust depends on swift-certificates, see below.
        for folder in try Repository.folders(in: checkouts) where folder != "swift-certificates" {
            for file in try Repository.swiftFiles(below: "\(checkouts)/\(folder)/Sources") {
                #expect(
                    !file.text.contains("canImport(Security)") && !file.text.contains("canImport(LocalAuthentication)"),
                    "\(file.path) would take our module for Apple's")
            }
        }
    }

    @Test func `the manifest depends on nothing that asks for a module called Security`() throws {
        let manifest = try Repository.text("Package.swift")
        for package in ["swift-certificates", "swift-nio"] {
            #expect(!manifest.contains(package))
        }
    }

    @Test func `the helper that depends on swift-certificates uses no product with the module Security`() throws {
        let manifest = try Repository.text("Helpers/Trust/Package.swift")
        #expect(manifest.contains("swift-certificates"))
        let products = manifest.matches(of: /name: "(\w+)", package: "chatelaine"/).map { String($0.1) }
        #expect(products == ["HelperMessages", "HelperStreams"])
        // The tools put the module aside while they build it, and build everything in the shared folder in that way.
        #expect(try Repository.text("Tools/common.bash").contains("mv \"$module\" \"$aside\""))
        for tool in ["build", "build-tests", "build-examples", "bench", "instructions", "documentation", "run"] {
            #expect(try !Repository.text("Tools/\(tool)").contains("swift build --package-path"), "Tools/\(tool)")
        }
    }
}

/// The test's own eyes.
@Suite struct SwiftFileTests {
    private func file(_ text: String) -> Repository.SwiftFile { Repository.SwiftFile(path: "x.swift", text: text) }

    @Test func `imports are found in every form`() {
        let source = """
            import A
            public import B
            @preconcurrency @unsafe internal import C
            @_exported import D
            import struct E.Thing
            @testable import F
            // import G
            let text = "import H"
            """
        #expect(file(source).imports == ["A", "B", "C", "D", "E", "F"])
    }

    @Test func `comments and quoted text are no code`() {
        let source = """
            let a = 1  // unsafe
            let b = "unsafe \\"unsafe\\""
            """
        #expect(file(source).lines.allSatisfy { !Repository.SwiftFile.code(of: $0).contains("unsafe") })
    }
}
