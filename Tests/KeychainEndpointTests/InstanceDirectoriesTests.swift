// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import KeychainEndpoint

struct InstanceDirectoriesTests {
    private let account = Account(user: 1500, home: "/home/ada", sessionDirectory: "/run/user/1500")

    @Test func `the XDG variables name the directories`() {
        let environment = ["XDG_RUNTIME_DIR": "/r", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c", "HOME": "/h"]
        let directories = InstanceDirectories(environment: { environment[$0] }, account: account)
        #expect(directories == .init(runtime: "/r/chatelaine", data: "/d/chatelaine", configuration: "/c/chatelaine"))
        #expect(directories.socketPath == "/r/chatelaine/socket")
        #expect(directories.keychain.lockPath == "/d/chatelaine/store.lock")
        #expect(directories.keychain.databasePath == "/d/chatelaine/keychain.db")
        #expect(directories.keychain.deviceKeyPath == "/d/chatelaine/device.key")
        #expect(directories.keychain.auditPath == "/d/chatelaine/audit.log")
    }

    @Test(arguments: ["", "relative/path", "./here"])
    func `variables that are not absolute are ignored`(value: String) {
        let environment = ["XDG_RUNTIME_DIR": value, "XDG_DATA_HOME": value, "XDG_CONFIG_HOME": value, "HOME": value]
        let directories = InstanceDirectories(environment: { environment[$0] }, account: account)
        #expect(directories == InstanceDirectories(environment: { _ in nil }, account: account))
    }

    @Test func `without variables the home directory and the session's directory serve`() {
        let directories = InstanceDirectories(environment: { $0 == "HOME" ? "/h" : nil }, account: account)
        #expect(directories.runtime == "/run/user/1500/chatelaine")
        #expect(directories.data == "/h/.local/share/chatelaine")
        #expect(directories.configuration == "/h/.config/chatelaine")
    }

    @Test func `who the user is is looked up only where the environment does not say enough`() {
        func lookUps(_ environment: [String: String]) -> Int {
            var count = 0
            _ = InstanceDirectories(
                environment: { environment[$0] },
                account: {
                    count += 1; return account
                }())
            return count
        }
        #expect(lookUps(["HOME": "/h", "XDG_RUNTIME_DIR": "/r"]) == 0)
        #expect(lookUps(["HOME": "/h"]) == 1)
        #expect(lookUps(["XDG_RUNTIME_DIR": "/r", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"]) == 1)
        #expect(lookUps([:]) == 1)
    }

    @Test func `without HOME the user database is asked`() {
        #expect(
            InstanceDirectories(environment: { _ in nil }, account: account).data == "/home/ada/.local/share/chatelaine"
        )
        #expect(Account.current().home.hasPrefix("/"))
    }

    @Test func `without a session's directory there is one in tmp for each user`() {
        let account = Account(user: 1500, home: "/home/ada", sessionDirectory: nil)
        #expect(InstanceDirectories(environment: { _ in nil }, account: account).runtime == "/tmp/chatelaine-1500")
    }

    @Test func `a session's directory counts only when it is the user's own and no link`() throws {
        let root = try TemporaryDirectory()
        try #require(symlink(root.path, root.path + "/link") == 0)
        #expect(Account.sessionDirectory(at: root.path, of: getuid()) == root.path)
        #expect(Account.sessionDirectory(at: root.path, of: getuid() + 1) == nil)
        #expect(Account.sessionDirectory(at: root.path + "/link", of: getuid()) == nil)
        #expect(Account.sessionDirectory(at: root.path + "/missing", of: getuid()) == nil)
    }

    @Test func `preparation creates everything for the user alone, and may be repeated`() throws {
        let root = try TemporaryDirectory()
        let directories = root.directories
        try directories.prepare()
        try directories.prepare()
        for path in [directories.runtime, directories.data, directories.configuration] {
            #expect(mode(of: path) == 0o700, "\(path)")
        }
    }

    @Test func `a symbolic link is refused`() throws {
        let root = try TemporaryDirectory()
        try #require(mkdir(root.path + "/elsewhere", 0o700) == 0)
        try #require(symlink(root.path + "/elsewhere", root.directories.runtime) == 0)
        #expect(throws: DirectoryError.symbolicLink(path: root.directories.runtime)) { try root.directories.prepare() }
    }

    @Test func `a file in the place of a directory is refused`() throws {
        let root = try TemporaryDirectory()
        close(open(root.directories.runtime, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: DirectoryError.notDirectory(path: root.directories.runtime)) { try root.directories.prepare() }
    }

    @Test(arguments: [0o770, 0o702, 0o1777] as [mode_t])
    func `a directory that others may write is refused, with what to do`(mode: mode_t) throws {
        let root = try TemporaryDirectory()
        try #require(mkdir(root.directories.data, 0o700) == 0 && chmod(root.directories.data, mode) == 0)
        let error = DirectoryError.writableByOthers(path: root.directories.data, mode: mode)
        #expect(throws: error) { try root.directories.prepare() }
        #expect("\(error)".contains("chmod 0700 \(root.directories.data)"))
    }

    @Test func `others' read access is taken from the runtime directory and left on the data directory`() throws {
        let root = try TemporaryDirectory()
        for path in [root.directories.runtime, root.directories.data] {
            try #require(mkdir(path, 0o700) == 0 && chmod(path, 0o755) == 0)
        }
        try root.directories.prepare()
        #expect(mode(of: root.directories.runtime) == 0o700)
        #expect(mode(of: root.directories.data) == 0o755)
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a directory away"))
    func `another user's directory is refused`() throws {
        let root = try TemporaryDirectory()
        try #require(mkdir(root.directories.runtime, 0o700) == 0 && chown(root.directories.runtime, 1500, 1500) == 0)
        #expect(throws: DirectoryError.notOwned(path: root.directories.runtime, owner: 1500)) {
            try root.directories.prepareRuntime()
        }
    }

    private func mode(of path: String) -> mode_t {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
    }
}

/// A directory below /tmp that goes with the test. Its name is short, because sockets' paths are.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = try makeScratchFolder("ce")
    }

    var directories: InstanceDirectories {
        InstanceDirectories(runtime: path + "/runtime", data: path + "/data", configuration: path + "/configuration")
    }

    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws {
        let file = open("\(path)/\(name)", O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, mode)
        try #require(file >= 0)
        let count = Glibc.write(file, text, text.utf8.count)
        close(file)
        try #require(count == text.utf8.count)
        waitUntilRunnable("\(path)/\(name)")
    }

    deinit {
        // A directory that stays behind fails no test.
        try? FileManager.default.removeItem(atPath: path)
    }
}
