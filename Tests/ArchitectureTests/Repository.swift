// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files of this repository, found from where this source file lies.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A Swift file of the repository.
    struct SwiftFile: Sendable, CustomStringConvertible {
        /// From the root.
        let path: String
        let text: String

        var description: String { path }

        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

        /// The modules that the file imports.
        var imports: [String] {
            // Most lines have no such word, and looking for it is much faster than matching. Making the expression is slow, too.
            let declaration = Self.importDeclaration
            return lines.filter { $0.contains("import ") }.compactMap {
                Self.code(of: $0).prefixMatch(of: declaration).map { String($0.output.1) }
            }
        }

        /// Returns a line without its comment and its string literals.
        static func code(of line: Substring) -> String {
            guard line.contains("\"") || line.contains("//") else { return String(line) }
            return String(line.replacing(/"(?:[^"\\]|\\.)*"/, with: "\"\"").replacing(/\/\/.*/, with: ""))
        }

        private static var importDeclaration: Regex<(Substring, Substring)> {
            /\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
        }
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static func isExecutable(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: root.appending(path: path).path)
    }

    /// The names of the folders in a folder; none if it is not there.
    static func folders(in folder: String) throws -> [String] {
        guard exists(folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { exists("\(folder)/\($0)/.") && !$0.hasPrefix(".") }
    }

    /// The paths of all files below a folder whose names have one of some endings, without those that a build put there.
    static func files(below folder: String, endings: [String]) throws -> [String] {
        let start = folder.isEmpty ? root : root.appending(path: folder)
        guard let files = FileManager.default.enumerator(atPath: start.path) else { return [] }
        var found: [String] = []
        while let path = files.nextObject() as? String {
            let name = (path as NSString).lastPathComponent
            if name.hasPrefix(".") {
                files.skipDescendants()
            } else if endings.contains(where: name.hasSuffix) {
                found.append(folder.isEmpty ? path : folder + "/" + path)
            }
        }
        return found
    }

    /// All Swift files below a folder, without those that a build put there.
    static func swiftFiles(below folder: String) throws -> [SwiftFile] {
        try files(below: folder, endings: [".swift"]).map { SwiftFile(path: $0, text: try text($0)) }
    }

    /// Returns the lines of git's output; nil without git or without a repository, as in an unpacked archive.
    static func git(_ arguments: String...) throws -> [Substring]? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // The owner of a checkout may differ from the user who runs the tests, as in a container.
        process.arguments = ["git", "-c", "safe.directory=*", "-C", root.path] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }
}
