// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainEndpoint
import SecretMemory
import Testing

@testable import KeychainPlatform

struct FileTests {
    private let root: TemporaryDirectory

    init() throws { root = try TemporaryDirectory() }

    // Sizes

    @Test func `only a regular file has a size, and a link to one is none`() throws {
        try root.write([1, 2, 3], to: "file")
        #expect(symlink(root("file"), root("link")) == 0)
        #expect(FileLocation.byteCount(of: root("file")) == 3)
        for name in ["link", "missing", ""] { #expect(FileLocation.byteCount(of: root(name)) == nil) }
    }

    // Instance lock

    @Test func `a store is opened by one service only, and the second learns by which`() throws {
        let path = root("store.lock")
        var lock: InstanceLock? = try InstanceLock(path: path)
        #expect(throws: InstanceLock.Error.held(byPID: getpid())) { _ = try InstanceLock(path: path) }
        withExtendedLifetime(lock) {}
        lock = nil
        lock = try InstanceLock(path: path)
        #expect(try root.read("store.lock") == Array("\(getpid())\n".utf8))
        withExtendedLifetime(lock) {}
    }

    @Test func `a lock that is given up is free, also while a program being started has its descriptor`() throws {
        let path = root("store.lock")
        var lock: InstanceLock? = try InstanceLock(path: path)
        withExtendedLifetime(lock) {}
        let own = try #require(
            (0..<1024 as Range<Int32>).first { number in
                var facts = stat()
                return fstat(number, &facts) == 0 && (try? linkStatus(path))?.st_ino == facts.st_ino
            })
        let inherited = dup(own)
        defer { close(inherited) }
        lock = nil
        #expect(throws: Never.self) { _ = try InstanceLock(path: path) }
    }

    @Test func `a lock file with other contents names no holder`() throws {
        try root.write(Array("garbage".utf8), to: "lock")
        let file = open(root("lock"), O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: InstanceLock.Error.held(byPID: nil)) { _ = try InstanceLock(path: root("lock")) }
    }

    @Test func `a lock does not follow a link`() throws {
        #expect(symlink(root("target"), root("lock")) == 0)
        #expect(throws: InstanceLock.Error.system(SystemCallError(call: "open", code: ELOOP))) {
            _ = try InstanceLock(path: root("lock"))
        }
        #expect(try linkStatus(root("target")) == nil)
    }

    // Append-only file

    @Test func `lines are appended, one event on each`() throws {
        let log = try AppendOnlyFile(path: root("log"), maximumByteCount: 1000)
        try log.append("one")
        try log.append("two\nforged")
        try AppendOnlyFile(path: root("log"), maximumByteCount: 1000).append("three")
        #expect(try root.read("log") == Array("one\ntwo forged\nthree\n".utf8))
        #expect(try #require(try linkStatus(root("log"))).st_mode & 0o7777 == 0o600)
    }

    @Test func `a log that has grown is set aside, and its predecessor goes`() throws {
        let log = try AppendOnlyFile(path: root("log"), maximumByteCount: 10)
        for line in ["1234", "5678", "9", "a line longer than the bound", "b"] { try log.append(line) }
        #expect(try root.read("log") == Array("b\n".utf8))
        #expect(try root.read("log.1") == Array("a line longer than the bound\n".utf8))
    }

    @Test func `a log that cannot be written is an error`() throws {
        let full = try AppendOnlyFile(path: "/dev/full", maximumByteCount: 1000)
        #expect(throws: SystemCallError(call: "write", code: ENOSPC)) { try full.append("x") }
        #expect(symlink(root("elsewhere"), root("link")) == 0)
        #expect(throws: SystemCallError(call: "open", code: ELOOP)) {
            _ = try AppendOnlyFile(path: root("link"), maximumByteCount: 1000)
        }
    }

    // Durable file

    @Test func `a file gets its name, and does not replace another user's file`() throws {
        try root.write([1], to: "unfinished")
        try DurableFile.name(root("unfinished"), as: root("name"))
        #expect(names() == ["name"])
        try root.write([2], to: "unfinished")
        #expect(throws: DurableFile.Error.exists(path: root("name"))) {
            try DurableFile.name(root("unfinished"), as: root("name"))
        }
        #expect(try root.read("name") == [1])
        #expect(try root.read("unfinished") == [2])
    }

    @Test func `a durable file is written whole, private, and read back`() throws {
        let key = SecretBytes(copying: (0..<200).map { UInt8($0) })
        try DurableFile.create(root("device.key"), contents: key)
        #expect(try #require(try linkStatus(root("device.key"))).st_mode & 0o7777 == 0o600)
        let read = try DurableFile.read(root("device.key"), limit: 200)
        #expect(read.withUnsafeBytes { Array($0) } == (0..<200).map { UInt8($0) })
        #expect(names() == ["device.key"], "nothing temporary stays")
    }

    @Test func `a regular file is copied, and nothing waits for the writer of a FIFO`() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        try root.write(bytes, to: "database", mode: 0o644)
        try DurableFile.copy(root("database"), to: root("copy"))
        #expect(try root.read("copy") == bytes)
        #expect(try #require(try linkStatus(root("copy"))).st_mode & 0o7777 == 0o600)
        #expect(mkfifo(root("fifo"), 0o600) == 0)
        #expect(symlink(root("database"), root("link")) == 0)
        for name in ["fifo", "link"] {
            #expect(throws: DurableFile.Error.notRegular(path: root(name))) {
                try DurableFile.copy(root(name), to: root("other"))
            }
        }
        #expect(throws: DurableFile.Error.system(path: root("copy"), SystemCallError(call: "open", code: EEXIST))) {
            try DurableFile.copy(root("database"), to: root("copy"))
        }
        #expect(names() == ["copy", "database", "fifo", "link"])
    }

    @Test func `an existing file is never replaced`() throws {
        try root.write([9], to: "key")
        #expect(throws: DurableFile.Error.exists(path: root("key"))) {
            try DurableFile.create(root("key"), contents: SecretBytes(copying: [1]))
        }
        #expect(try root.read("key") == [9])
        #expect(names() == ["key"])
    }

    @Test func `a directory that is missing is an error of the system`() {
        let error = SystemCallError(call: "open", code: ENOENT)
        #expect(throws: DurableFile.Error.system(path: root("no/key"), error)) {
            try DurableFile.create(root("no/key"), contents: SecretBytes(copying: [1]))
        }
    }

    @Test func `only a private regular file of bounded size is read`() throws {
        let path = root("key")
        func failure() -> DurableFile.Error? {
            do throws(DurableFile.Error) {
                _ = try DurableFile.read(path, limit: 3)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure() == .missing(path: path))
        try root.write([1, 2, 3], to: "key")
        #expect(failure() == nil)
        try root.write([1, 2, 3, 4], to: "key")
        #expect(failure() == .tooLarge(path: path, limit: 3))
        try root.write([1], to: "key", mode: 0o640)
        #expect(failure() == .notPrivate(path: path, mode: 0o640))
        #expect(rename(path, root("target")) == 0 && symlink(root("target"), path) == 0)
        #expect(failure() == .notRegular(path: path))
        #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
        #expect(failure() == .notRegular(path: path))
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a file away"))
    func `another user's file is not read`() throws {
        try root.write([1], to: "key")
        #expect(chown(root("key"), 1500, 1500) == 0)
        #expect(throws: DurableFile.Error.notOwned(path: root("key"), owner: 1500)) {
            _ = try DurableFile.read(root("key"), limit: 10)
        }
    }

    private func names() -> [String] {
        guard let directory = opendir(root.path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
