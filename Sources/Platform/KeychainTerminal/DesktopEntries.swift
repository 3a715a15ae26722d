// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

/// The `.desktop` files of the system: the names by which desktops show installed programs.
///
/// Only files that no program of the user can write: the user's own folder is never read.
public struct DesktopEntries: Sendable {
    private let folders: [String]
    private let owner: UInt32
    private let searchPath: [String]

    /// The most files of a folder that are read, and the most bytes of each.
    private static let (fileLimit, byteLimit) = (4096, 64 << 10)
    /// The longest name in characters; longer names are not shown.
    private static let nameLimit = 64

    /// - Parameters:
    ///   - owner: the user ID that owns the folders and files.
    ///   - searchPath: the folders of programs that an entry names without a path.
    public init(
        folders: [String] = ["/usr/local/share/applications", "/usr/share/applications"], owner: UInt32 = 0,
        searchPath: [String] = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/games"]
    ) {
        self.folders = folders
        self.owner = owner
        self.searchPath = searchPath
    }

    /// Returns the names of the entries that start these programs, by path. A program with entries of different names,
    /// such as a launcher, is missing.
    ///
    /// - Parameter time: the most time that is spent; nil for no limit. No names are returned after it, because the files
    ///   that were not read may have other names for the programs.
    public func names(of paths: Set<String>, within time: Duration? = nil) -> [String: String] {
        let deadline = time.map { ContinuousClock.now + $0 }
        var wanted: [String: [String]] = [:]
        for path in paths {
            if let real = try? absolutePath(path) { wanted[real, default: []].append(path) }
        }
        guard !wanted.isEmpty else { return [:] }
        var names: [String: Set<String>] = [:]
        for folder in folders {
            guard isTrusted(folder, O_DIRECTORY, S_IFDIR),
                let files = try? FolderContents.names(in: folder, skipsInvalidNames: true)
            else { continue }
            for file in files.filter({ $0.hasSuffix(".desktop") }).prefix(Self.fileLimit) {
                if let deadline, ContinuousClock.now >= deadline { return [:] }
                guard let text = text(folder + "/" + file), let entry = Entry(text) else { continue }
                for program in Set(entry.programs.compactMap(realPath)) where wanted[program] != nil {
                    names[program, default: []].insert(entry.name)
                }
            }
        }
        var found: [String: String] = [:]
        for (real, paths) in wanted {
            guard let name = names[real]?.first, names[real]?.count == 1 else { continue }
            for path in paths { found[path] = name }
        }
        return found
    }

    // MARK: Files

    private func text(_ path: String) -> String? {
        // O_NONBLOCK: a FIFO must not block the open before its type is checked.
        guard let file = open(path, O_NOFOLLOW | O_NONBLOCK, S_IFREG),
            let bytes = try? file.stream.contents(atMost: Self.byteLimit)
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private func isTrusted(_ path: String, _ flags: Int32, _ kind: mode_t) -> Bool { open(path, flags, kind) != nil }

    /// Opens a file that the owner owns and no other user can write.
    private func open(_ path: String, _ flags: Int32, _ kind: mode_t) -> OwnedDescriptor? {
        // The path is only read.
        let number = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | flags)
        guard let file = try? OwnedDescriptor(number, from: "open"), let facts = try? file.status(),
            facts.st_mode & S_IFMT == kind, facts.st_uid == owner, facts.st_mode & (S_IWGRP | S_IWOTH) == 0
        else { return nil }
        return file
    }

    /// Returns the file that a program's name or path in an entry stands for.
    private func realPath(_ program: String) -> String? {
        if program.hasPrefix("/") { return try? absolutePath(program) }
        guard !program.contains("/") else { return nil }
        for folder in searchPath {
            if let path = try? absolutePath(folder + "/" + program) { return path }
        }
        return nil
    }

    // MARK: Entries

    /// The part of an entry that concerns its name and its program (Desktop Entry Specification 1.5).
    private struct Entry {
        let name: String
        /// The program of Exec and the one of TryExec.
        let programs: [String]

        init?(_ text: String) {
            var values: [Substring: Substring] = [:]
            var isInEntry = false
            for line in text.split(separator: "\n") {
                if line.hasPrefix("[") {
                    isInEntry = line == "[Desktop Entry]"
                } else if isInEntry, !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") {
                    let key = line[..<sign].trimmed
                    if values[key] == nil { values[key] = line[line.index(after: sign)...].trimmed }
                }
            }
            guard values["Type"] == "Application", values["Hidden"] != "true", let name = values["Name"],
                (1...DesktopEntries.nameLimit).contains(name.unicodeScalars.count),
                name.unicodeScalars.allSatisfy(Self.isShown)
            else { return nil }
            programs = [values["TryExec"].map(String.init), values["Exec"].flatMap(Self.program)].compactMap(\.self)
            self.name = String(name)
        }

        /// Returns the program of a command line without an argument that names something else to run; nil for
        /// `env`, `sh` or `flatpak run` with their arguments, and for quoted programs, which are rare.
        private static func program(_ command: Substring) -> String? {
            let words = command.split(separator: " ")
            guard let program = words.first, !program.contains("\""), !program.contains("\\"),
                words.dropFirst().allSatisfy({ $0.hasPrefix("%") || $0.hasPrefix("-") })
            else { return nil }
            return String(program)
        }

        /// Whether the character is shown as itself: no control character, and none that changes the direction or joins
        /// others invisibly.
        private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            case _: true
            }
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let rest = drop { $0 == " " || $0 == "\t" }
        guard let last = rest.lastIndex(where: { $0 != " " && $0 != "\t" && $0 != "\r" }) else { return "" }
        return rest[...last]
    }
}
