// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainTerminal

/// The machine as seen by `chatelaine doctor`. Tests use another implementation.
protocol Machine {
    /// The number of the user who runs this command.
    var user: UInt32 { get }
    /// The user's home folder.
    var home: String { get }
    /// The folders of the user's own service.
    var folders: (runtime: String, data: String, configuration: String) { get }
    /// The path of this command; nil if it is not known.
    var commandPath: String? { get }
    /// The path of the service that this command would start; nil if there is none.
    var servicePath: String? { get }
    /// Whether the user service runs now, even if the system service answers this command.
    var ownServiceRuns: Bool { get }

    func environment(_ name: String) -> String?
    /// Returns the text of a small system file; nil if it does not exist.
    func text(_ path: String) throws(StreamError) -> String?
    /// Returns the facts about a file, without following a symbolic link; nil if it does not exist.
    func facts(_ path: String) throws(StreamError) -> FileFacts?
    /// Returns the target of a symbolic link; nil for other files.
    func linkTarget(_ path: String) -> String?
    func names(in folder: String) throws(StreamError) -> [String]
    func freeBytes(at folder: String) throws(StreamError) -> UInt64
    /// Returns the path of a program that is searched for by name; nil if it is not found.
    func program(_ name: String) -> String?
    /// Returns the path of a program of Chatelaine; nil if it is not found.
    func helper(_ name: String) -> String?
    /// Returns the packages that installed these files, by path; files of no package are missing.
    func packages(of paths: Set<String>) -> [String: String]
    /// Returns the names of these programs on the desktop, by path; programs without one are missing.
    func desktopNames(of paths: Set<String>) -> [String: String]
    /// Opens a file of the user's own to read it, and possibly to replace it.
    ///
    /// - Throws: for anything but a regular file, including a symbolic link.
    func open(_ path: String) throws(StreamError) -> ProgramFile
}

/// This machine.
struct ThisMachine: Machine {
    var user: UInt32 { FileFacts.ownUser }

    var home: String {
        if let home = environment("HOME"), home.hasPrefix("/") { return home }
        return CurrentProcess.accountHome ?? "/"
    }

    var folders: (runtime: String, data: String, configuration: String) {
        let folders = InstanceDirectories.current()
        return (folders.runtime, folders.data, folders.configuration)
    }

    var commandPath: String? { FileFacts.target(ofLink: "/proc/self/exe") }
    var servicePath: String? { DaemonLauncher.current().locate() }
    var ownServiceRuns: Bool { ServiceEndpoint(InstanceDirectories.current()).serviceIsRunning() }

    func environment(_ name: String) -> String? { CurrentProcess.environmentVariable(name) }

    func text(_ path: String) throws(StreamError) -> String? {
        try asStreamError { () throws(SystemCallError) in try SystemRecord.read(path) }
    }

    func facts(_ path: String) throws(StreamError) -> FileFacts? {
        try asStreamError { () throws(SystemCallError) in try FileFacts(path) }
    }

    func linkTarget(_ path: String) -> String? { FileFacts.target(ofLink: path) }

    func names(in folder: String) throws(StreamError) -> [String] {
        try asStreamError { () throws(SystemCallError) in try FileFacts.names(in: folder) }
    }

    func freeBytes(at folder: String) throws(StreamError) -> UInt64 {
        try asStreamError { () throws(SystemCallError) in try FileFacts.freeBytes(at: folder) }
    }

    func program(_ name: String) -> String? {
        try? ProgramPath.find(name, searchPath: environment("PATH"))
    }

    func helper(_ name: String) -> String? {
        HelperProgram.installed(name).candidates.first { (try? ProgramPath.find($0, searchPath: nil)) != nil }
    }

    func packages(of paths: Set<String>) -> [String: String] { PackageDatabase().packages(of: paths) }

    func desktopNames(of paths: Set<String>) -> [String: String] { DesktopEntries().names(of: paths) }

    func open(_ path: String) throws(StreamError) -> ProgramFile {
        do throws(SystemCallError) {
            return try ProgramFile(path, followsLink: false)
        } catch {
            throw StreamError(reason: error.isSymbolicLink ? "it is a symbolic link" : error.reason)
        }
    }

    private func asStreamError<R>(_ body: () throws(SystemCallError) -> R) throws(StreamError) -> R {
        do throws(SystemCallError) { return try body() } catch { throw StreamError(reason: error.reason) }
    }
}
