// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import KeychainPlatform

/// Folders and executables that belong to one user, whatever other users do.
struct UserOwnedFolderTests {
    private let root: TemporaryDirectory

    init() throws {
        root = try TemporaryDirectory()
        for name in ["a", "a/b", "a/b/c"] { try #require(mkdir(root(name), 0o755) == 0) }
    }

    private func program(_ name: String, mode: mode_t = 0o755) throws -> PeerExecutable {
        try root.write([1], to: name, mode: mode)
        return try ExecutableInspector().program(at: root(name), for: getuid())
    }

    @Test func `a folder of the user's counts, below a sticky folder of root's too`() throws {
        #expect(UserOwnedFolders.include(root("a/b"), of: getuid()))
        #expect(UserOwnedFolders.top(of: root("a/b"), getuid()) == root.path, "not /tmp, where others can write")
        #expect(try program("a/b/c/p").topUserOwnedFolder() == root.path)
    }

    @Test(arguments: [0o775, 0o757] as [mode_t])
    func `a folder that other users can write does not count, nor does any above it`(mode: mode_t) throws {
        try #require(chmod(root("a/b"), mode) == 0)
        for name in ["a/b", "a/b/c"] { #expect(!UserOwnedFolders.include(root(name), of: getuid())) }
        #expect(UserOwnedFolders.include(root("a"), of: getuid()))
        #expect(try program("a/b/c/p").topUserOwnedFolder() == nil)
        #expect(try program("a/p").topUserOwnedFolder() == root.path)
    }

    @Test func `a link on the path, a file and what does not exist are no folder`() throws {
        try #require(symlink(root("a"), root("link")) == 0)
        try root.write([1], to: "file")
        for path in [root("link"), root("link/b"), root("file"), root("none"), "a", "", root.path + "/../" + "x"] {
            #expect(!UserOwnedFolders.include(path, of: getuid()), "\(path)")
        }
        // The path of the kernel has no links, so the file counts where it is.
        let executable = try program("a/b/c/p")
        let linked = try ExecutableInspector().program(at: root("link/b/c/p"), for: getuid())
        #expect(linked.facts.displayPath == root("a/b/c/p"))
        #expect(linked.topUserOwnedFolder() == executable.topUserOwnedFolder())
    }

    @Test func `an executable that others can write, or that is no longer at its path, does not count`() throws {
        #expect(try program("a/p", mode: 0o775).topUserOwnedFolder() == nil)
        let moved = try program("a/q")
        try #require(rename(root("a/q"), root("a/b/q")) == 0)
        try root.write([2], to: "a/q", mode: 0o755)
        #expect(moved.topUserOwnedFolder() == nil, "another file is there now")
    }

    @Test(.enabled(if: getuid() == 0, "only root can give files to other users"))
    func `what belongs to another user does not count`() throws {
        let executable = try program("a/b/p")
        #expect(!UserOwnedFolders.include(root("a/b"), of: 4711))
        try #require(chown(root("a/b"), 4711, 4711) == 0)
        #expect(!UserOwnedFolders.include(root("a/b"), of: getuid()))
        #expect(!UserOwnedFolders.include(root("a/b/c"), of: getuid()), "its owner can exchange it")
        #expect(UserOwnedFolders.include(root("a/b"), of: 4711), "below root's folders")
        #expect(executable.topUserOwnedFolder() == nil)
        try #require(chown(root("a/b"), 0, 0) == 0)
        let others = try program("a/b/p2")
        try #require(chown(root("a/b/p2"), 4711, 4711) == 0)
        #expect(others.topUserOwnedFolder() == nil)
    }
}
