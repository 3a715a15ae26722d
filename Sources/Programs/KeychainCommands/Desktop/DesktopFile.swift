// SPDX-License-Identifier: Apache-2.0

internal import KeychainTerminal
internal import SecretMemory

/// A file in the user's home folder that `chatelaine setup desktop` writes, so that a setting of the system is
/// overridden. Whatever had its name is kept beside it under another name, unchanged, and
/// `chatelaine setup desktop --undo` brings it back.
struct DesktopFile {
    /// The first line of each file.
    static let mark =
        "# Written by `chatelaine setup desktop`. `chatelaine setup desktop --undo` restores the earlier state."
    private static let foldersNote = "# Folders made: "
    /// Larger than any file with the mark.
    private static let sizeLimit = 65_536

    let path: String
    /// The lines after the mark.
    let contents: String
    let files: any FileAccess
    let machine: any Machine

    static let backupSuffix = ".before-chatelaine"
    /// The place of the file that was there before.
    var backup: String { path + Self.backupSuffix }

    /// What has the name of the file.
    enum State: Hashable {
        case missing
        /// A file with the mark.
        case own(String)
        /// A file, a link or a folder of another program.
        case foreign
    }

    func state() throws(CommandFailure) -> State {
        do throws(StreamError) {
            guard let facts = try machine.facts(path) else { return .missing }
            // A link may lead to a file with the mark, but the link itself belongs to another program.
            guard facts.kind == .regular else { return .foreign }
            guard let all = try? CommandInput(try files.read(path)).readAll(limit: Self.sizeLimit) else {
                return .foreign
            }
            let text = String(decoding: all.bytes, as: UTF8.self)
            return text.hasPrefix(Self.mark + "\n") ? .own(text) : .foreign
        } catch {
            throw Self.failure("cannot look at", path, error)
        }
    }

    /// Returns the text of the file that was there before, or that ``write()`` would keep; nil for none.
    func earlierText() throws(CommandFailure) -> String? {
        let earlier: String
        if try hasBackup() {
            earlier = backup
        } else {
            guard try state() == .foreign else { return nil }
            earlier = path
        }
        do throws(StreamError) {
            guard let all = try CommandInput(try files.read(earlier)).readAll(limit: Self.sizeLimit) else {
                throw StreamError(reason: "it has more than \(Self.sizeLimit) bytes")
            }
            return String(decoding: all.bytes, as: UTF8.self)
        } catch {
            throw Self.failure("cannot read", earlier, error)
        }
    }

    private func hasBackup() throws(CommandFailure) -> Bool {
        do throws(StreamError) {
            return try machine.facts(backup) != nil
        } catch {
            throw Self.failure("cannot look at", backup, error)
        }
    }

    // MARK: Writing

    /// Returns a line that says what ``write()`` would do; nil if the file is as it should be.
    func plan() throws(CommandFailure) -> String? {
        switch try state() {
        case .missing: "write \(path)"
        case .own(let text): text.hasSuffix("\n" + contents) ? nil : "write \(path) again"
        case .foreign: "write \(path), and keep the file that is there as \(backup)"
        }
    }

    /// Checks whether the earlier file can be kept, before anything is changed.
    func check() throws(CommandFailure) {
        guard try state() == .foreign, try hasBackup() else { return }
        throw CommandFailure(
            "\"\(path)\" was replaced by another program after the last take-over",
            hint: "\"\(backup)\" is the file from before; move one of the two away, and run the command again")
    }

    /// Writes the file. A file that is there gets the name of ``backup``.
    func write() throws(CommandFailure) {
        try check()
        switch try state() {
        case .own(let text):
            try write(foldersMade: Self.foldersMade(text), replacing: true)
        case .foreign:
            do throws(StreamError) {
                try files.move(path, to: backup)
            } catch {
                throw Self.failure("cannot rename", path, error)
            }
            do throws(CommandFailure) {
                try write(foldersMade: 0, replacing: false)
            } catch {
                // The first failure is the one to report.
                try? files.move(backup, to: path)
                throw error
            }
        case .missing:
            let made = try makeFolders()
            do throws(CommandFailure) {
                try write(foldersMade: made, replacing: false)
            } catch {
                removeFolders(made)
                throw error
            }
        }
    }

    private func write(foldersMade count: Int, replacing: Bool) throws(CommandFailure) {
        let note = count > 0 ? "\(Self.foldersNote)\(count)\n" : ""
        do throws(StreamError) {
            try files.writePrivate("\(Self.mark)\n\(note)\(contents)".utf8, to: path, replacing: replacing)
        } catch {
            throw Self.failure("cannot write", path, error)
        }
    }

    private static func foldersMade(_ text: String) -> Int {
        let note = text.split(separator: "\n").first { $0.hasPrefix(foldersNote) }
        // A number that was edited removes empty folders at most.
        return note.flatMap { Int($0.dropFirst(foldersNote.count)) }.map { max(0, min($0, 8)) } ?? 0
    }

    /// Makes the folders above the file that are missing.
    ///
    /// - Returns: their number.
    private func makeFolders() throws(CommandFailure) -> Int {
        var missing: [String] = []
        var folder = Self.folder(of: path)
        while folder != "/", !exists(folder) {
            missing.append(folder)
            folder = Self.folder(of: folder)
        }
        for (index, folder) in missing.enumerated().reversed() {
            do throws(StreamError) {
                try files.makeFolder(folder)
            } catch {
                removeFolders(Array(missing[(index + 1)...]))
                throw Self.failure("cannot make the folder", folder, error)
            }
        }
        return missing.count
    }

    private func exists(_ folder: String) -> Bool { (try? machine.facts(folder)) ?? nil != nil }

    /// Removes this number of folders above the file, as far as they are empty.
    private func removeFolders(_ count: Int) {
        var folders: [String] = []
        for _ in 0..<count { folders.append(Self.folder(of: folders.last ?? path)) }
        removeFolders(folders)
    }

    private func removeFolders(_ folders: [String]) {
        for folder in folders {
            guard (try? files.removeFolder(folder)) != nil else { return }
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    // MARK: Undoing

    /// Returns a line that says what ``undo()`` would do; nil if there is nothing to undo.
    func undoPlan() throws(CommandFailure) -> String? {
        switch (try state(), try hasBackup()) {
        case (.foreign, _), (.missing, false): nil
        case (.own, false): "remove \(path)"
        case (.own, true), (.missing, true): "restore \(path) from \(backup)"
        }
    }

    /// Restores what was there before ``write()``.
    ///
    /// - Returns: a sentence about a file that another program has replaced since, and which stays; nil otherwise.
    func undo() throws(CommandFailure) -> String? {
        let hasBackup = try hasBackup()
        switch try state() {
        case .foreign:
            guard hasBackup else { return nil }
            return "\"\(path)\" was replaced by another program and stays; the file from before is \"\(backup)\"."
        case .missing:
            if hasBackup { try restore() }
            return nil
        case .own(let text):
            do throws(StreamError) {
                try files.remove(path)
            } catch {
                throw Self.failure("cannot remove", path, error)
            }
            if hasBackup { try restore() } else { removeFolders(Self.foldersMade(text)) }
            return nil
        }
    }

    private func restore() throws(CommandFailure) {
        do throws(StreamError) {
            try files.move(backup, to: path)
        } catch {
            throw Self.failure("cannot rename", backup, error)
        }
    }

    private static func failure(_ action: String, _ path: String, _ error: StreamError) -> CommandFailure {
        CommandFailure(
            "\(action) \"\(path)\": \(error.reason)",
            hint: "check its owner, its mode and the space on the disk, and run the command again")
    }
}
