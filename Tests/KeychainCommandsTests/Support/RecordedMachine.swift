// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainTerminal

@testable import KeychainCommands

/// A simulated machine: its system files are set by the test, the files in the home folder are real.
final class RecordedMachine: Machine {
    var user: UInt32 = FileFacts.ownUser
    /// An existing or a missing folder.
    var home = "/nonexistent"
    var folders = (runtime: "/run/user/u/chatelaine", data: "/home/u/data", configuration: "/home/u/config")
    var commandPath: String? = "/usr/bin/chatelaine"
    var servicePath: String? = "/usr/bin/chatelained"
    var ownServiceRuns = false
    var variables: [String: String] = [:]
    /// Small files of the system; nil cannot be read.
    var texts: [String: String?] = [:]
    var files = [
        "/home/u/.local/share/chatelaine/keychain.db": FileFacts(kind: .regular, owner: 1000, group: 1000, mode: 0o600)
    ]
    var links: [String: String] = [:]
    var free: UInt64 = 10 << 30
    var programs: [String: String] = [:]
    /// The packages of files, by path.
    var packages: [String: String] = [:]
    /// The names of programs on the desktop, by path.
    var desktopNames: [String: String] = [:]
    /// Called before a file is opened.
    var whenOpening: (String) -> Void = { _ in }

    func environment(_ name: String) -> String? { variables[name] }

    func text(_ path: String) throws(StreamError) -> String? {
        guard let text = texts[path] else { return nil }
        guard let text else { throw StreamError(reason: "Permission denied") }
        return text
    }

    func facts(_ path: String) throws(StreamError) -> FileFacts? {
        guard path.hasPrefix(home) else { return files[path] }
        return try ThisMachine().facts(path)
    }

    func linkTarget(_ path: String) -> String? { links[path] }

    func names(in folder: String) throws(StreamError) -> [String] {
        if folder.hasPrefix(home), let names = try? ThisMachine().names(in: folder) { return names }
        let all = Set(files.keys).union(texts.keys)
        let names = all.filter { $0.hasPrefix(folder + "/") }.compactMap {
            $0.dropFirst(folder.count + 1).split(separator: "/").first
        }
        guard !names.isEmpty || files[folder] != nil else { throw StreamError(reason: "No such file or directory") }
        return Set(names.map(String.init)).sorted()
    }

    func freeBytes(at folder: String) throws(StreamError) -> UInt64 { free }
    func program(_ name: String) -> String? { programs[name] }
    func helper(_ name: String) -> String? { programs[name] }

    func packages(of paths: Set<String>) -> [String: String] { packages.filter { paths.contains($0.key) } }

    func desktopNames(of paths: Set<String>) -> [String: String] { desktopNames.filter { paths.contains($0.key) } }

    func open(_ path: String) throws(StreamError) -> ProgramFile {
        let file = try ThisMachine().open(path)
        whenOpening(path)
        return file
    }

    /// A machine on which nothing is to be done.
    static var orderly: RecordedMachine {
        let machine = RecordedMachine()
        for path in ["/", "/usr", "/usr/bin"] {
            machine.files[path] = FileFacts(kind: .folder, owner: 0, group: 0, mode: 0o755)
        }
        for name in ["chatelaine", "chatelained"] {
            machine.files["/usr/bin/" + name] = FileFacts(kind: .regular, owner: 0, group: 0, mode: 0o755)
        }
        for path in [machine.folders.runtime, machine.folders.data, machine.folders.data + "/snapshots"] {
            machine.files[path] = FileFacts(kind: .folder, owner: machine.user, group: 1000, mode: 0o700)
        }
        for name in ["keychain.db", "device.key", "snapshots/2026-11-22.db"] {
            machine.files[machine.folders.data + "/" + name] = FileFacts(
                kind: .regular, owner: machine.user, group: 1000, mode: 0o600, modified: 1_795_300_000)
        }
        machine.texts = [
            "/proc/sys/kernel/osrelease": "6.18.2-arch1-1\n", "/sys/kernel/security/lsm": "capability,landlock,yama",
            "/proc/sys/kernel/seccomp/actions_avail": "kill_process allow\n",
            "/proc/sys/kernel/yama/ptrace_scope": "1\n",
            "/proc/swaps": "Filename\tType\tSize\tUsed\tPriority\n", "/proc/sys/kernel/core_pattern": "core\n",
        ]
        machine.files["/sys/class/tpm/tpm0"] = FileFacts(kind: .symbolicLink, owner: 0, group: 0, mode: 0o777)
        machine.files["/dev/tpmrm0"] = FileFacts(kind: .other, owner: 0, group: 0, mode: 0o660)
        for name in ["chatelaine-prompt-pinentry", "chatelaine-prompt-tty", "pinentry"] {
            machine.programs[name] = "/usr/bin/" + name
        }
        return machine
    }
}
