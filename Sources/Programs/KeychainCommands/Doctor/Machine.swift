// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainTerminal

/// What `chatelaine doctor` sees of the machine. Tests put another one in.
protocol Machine {
    /// The number of the user whose command this is.
    var user: UInt32 { get }
    /// The user's folder.
    var home: String { get }
    /// Where the user's own service keeps what it has.
    var folders: (runtime: String, data: String, configuration: String) { get }
    /// The path of this command; nil where it is not known.
    var commandPath: String? { get }
    /// The service that this command would start; nil where there is none.
    var servicePath: String? { get }
    /// A service of the user's own runs now, whichever answers this command.
    var ownServiceRuns: Bool { get }

    func environment(_ name: String) -> String?
    /// A small file of the system; nil where there is none.
    func text(_ path: String) throws(StreamError) -> String?
    /// What is there, without following a symbolic link; nil for nothing.
    func facts(_ path: String) throws(StreamError) -> FileFacts?
    /// Where a symbolic link leads; nil for what is none.
    func linkTarget(_ path: String) -> String?
    func names(in folder: String) throws(StreamError) -> [String]
    func freeBytes(at folder: String) throws(StreamError) -> UInt64
    /// Where a program is that is found by its name; nil for nowhere.
    func program(_ name: String) -> String?
    /// Where a program is that comes with Chatelaine; nil for nowhere.
    func helper(_ name: String) -> String?
    /// Opens a file of the user's own to read it, and perhaps to replace it.
    ///
    /// - Throws: for what is no regular file, a symbolic link among them.
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
