// SPDX-License-Identifier: Apache-2.0

import Crypto
import Dispatch
import Glibc
import KeychainEndpoint
import Synchronization
import TestSupport
import Testing

@testable import KeychainPlatform

struct ExecutableTests {
    private let root: TemporaryDirectory
    private let listener: ListeningSocket

    init() throws {
        root = try TemporaryDirectory()
        listener = try ListeningSocket(bindingTo: root("s"))
    }

    @Test func `a system program is root's alone, and has the hash of its file`() throws {
        let client = try Client(path: root("s"), script: "wait()")
        let peer = try PeerProcess(of: try listener.accept())
        let inspector = ExecutableInspector()
        let executable = try inspector.executable(of: peer)
        #expect(executable.facts.isRootOwnedAndUnwritable)
        #expect(executable.facts.displayPath.hasPrefix("/usr/bin/python3"))
        let snapshot = try peer.snapshot()
        #expect(executable.facts.device == snapshot.executableDevice)
        #expect(executable.facts.inode == snapshot.executableInode)
        #expect(try executable.digest() == sha256(of: executable.facts.displayPath))
        #expect(inspector.cachedDigestCount == 1)
        #expect(try inspector.executable(of: peer).digest() == executable.digest())
        withExtendedLifetime(client) {}
    }

    @Test func `a copy in a place of the user's is not root's alone, even when removed`() throws {
        try copyInterpreter(to: "mine")
        let client = try Client(path: root("s"), script: "wait()", interpreter: root("mine"))
        let peer = try PeerProcess(of: try listener.accept())
        let executable = try ExecutableInspector().executable(of: peer)
        #expect(executable.facts.displayPath == root("mine"))
        #expect(!executable.facts.isRootOwnedAndUnwritable, "/tmp is anybody's")
        unlink(root("mine"))
        let removed = try ExecutableInspector().executable(of: peer)
        #expect(removed.facts.displayPath == root("mine") + " (deleted)")
        #expect(!removed.facts.isRootOwnedAndUnwritable)
        #expect(try removed.digest() == sha256(of: Client.interpreter), "read through the process, not by path")
        withExtendedLifetime(client) {}
    }

    @Test(.enabled(if: getuid() == 0, "files must be root's to show that this is not enough"))
    func `a root-owned file counts only below directories that others cannot write`() throws {
        try root.write([1], to: "file", mode: 0o755)
        var facts = stat()
        #expect(stat(root("file"), &facts) == 0)
        #expect(!RootOwnedPath.leads(root("file"), to: facts), "/tmp is anybody's")
        #expect(stat("/bin/cat", &facts) == 0)
        #expect(RootOwnedPath.leads("/usr/bin/cat", to: facts))
        #expect(!RootOwnedPath.leads("/usr/bin/true", to: facts), "another file")
        #expect(!RootOwnedPath.leads("usr/bin/cat", to: facts), "not absolute")
        #expect(!RootOwnedPath.leads("/usr/bin/cat (deleted)", to: facts))
        facts.st_mode |= 0o020
        #expect(!RootOwnedPath.leads("/usr/bin/cat", to: facts), "writable by the group")
    }

    @Test func `the hash of a file that has just changed is not remembered`() {
        // The kernel's ticks: a second write within one leaves the change time as it was.
        let changed = WallClock.referenceDateInUnixTime + 1000
        let key = DigestCache.Key(device: 1, inode: 2, size: 3, changeTime: changed * 1_000_000_000 + 5)
        for (now, isRemembered) in [(999.0, false), (1000, false), (1001.9, false), (1002.1, true)] {
            let cache = DigestCache(clock: .constant(now))
            cache.remember([1], for: key)
            #expect((cache.digest(for: key) != nil) == isRemembered, "at \(now)")
        }
    }

    @Test func `a file rewritten within a tick gets its new hash`() throws {
        // A clock that stands at the change time, as for a program that is replaced during its inspection.
        try copyInterpreter(to: "mine")
        var facts = stat()
        #expect(stat(root("mine"), &facts) == 0)
        let young = WallClock.constant(Double(facts.st_ctim.tv_sec - WallClock.referenceDateInUnixTime))
        let inspector = ExecutableInspector(clock: young)
        let client = try Client(path: root("s"), script: "wait()", interpreter: root("mine"))
        let peer = try PeerProcess(of: try listener.accept())
        #expect(try inspector.executable(of: peer).digest() == sha256(of: root("mine")))
        #expect(inspector.cachedDigestCount == 0)
        withExtendedLifetime(client) {}
    }

    /// A file of a disk's file system, which the tests' own scratch folder may not be on.
    private func withWritable(_ body: (String, ExecutableInspector) throws -> Void) throws {
        try copyInterpreter(to: "mine")
        let inspector = ExecutableInspector(clock: .constant(1e10))
        guard try inspector.program(at: root("mine"), for: getuid()).showsLaterWrites else { return }
        try body(root("mine"), inspector)
    }

    @Test func `the digest of a file that no process can write is remembered, and a change is noticed`() throws {
        try withWritable { path, inspector in
            let before = try inspector.program(at: path, for: getuid()).digest()
            #expect(inspector.cachedDigestCount == 1)
            let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
            defer { close(file) }
            #expect(write(file, [1], 1) == 1)
            #expect(try inspector.program(at: path, for: getuid()).digest() != before)
        }
    }

    @Test func `a file that a process has mapped for writing is read anew each time`() throws {
        try withWritable { path, inspector in
            let file = open(path, O_RDWR | O_CLOEXEC)
            let mapping = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            close(file)
            defer { munmap(mapping, 4096) }
            let bytes = try #require(mapping).assumingMemoryBound(to: UInt8.self)
            // From now on the kernel does not notice writes to this page.
            bytes[100] = 1
            let first = try inspector.program(at: path, for: getuid()).digest()
            #expect(inspector.cachedDigestCount == 0)
            bytes[100] = 2
            #expect(try inspector.program(at: path, for: getuid()).digest() != first)
        }
    }

    @Test func `one user's executables are read one after the other, and another's meanwhile`() {
        final class Tally: Sendable {
            let inside = Atomic(0)
            let most = Atomic(0)
        }
        let (turns, tally) = (ReadingTurns(), Tally())
        DispatchQueue.concurrentPerform(iterations: 2000) { _ in
            turns.take(for: 1) { () throws(Never) in
                tally.most.max(tally.inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                tally.inside.subtract(1, ordering: .relaxed)
            }
        }
        #expect(tally.most.load(ordering: .relaxed) == 1)
        let answer = turns.take(for: 1) { () throws(Never) in turns.take(for: 2) { () throws(Never) in 3 } }
        #expect(answer == 3)
    }

    @Test func `the cache counts what it had and what it had not`() {
        let cache = DigestCache(clock: .constant(1e9))
        let key = DigestCache.Key(device: 1, inode: 2, size: 1, changeTime: 0)
        #expect(cache.digest(for: key) == nil)
        cache.remember([1], for: key)
        #expect(cache.digest(for: key) == [1] && cache.digest(for: key) == [1])
        // Of this one only the hash is known.
        #expect(cache.signature(for: key) == nil)
        #expect(cache.figures == .init(hits: 2, misses: 2, count: 1, limit: 256))
    }

    @Test func `the cache is bounded and keeps what was used last`() {
        let cache = DigestCache(clock: .constant(1e9))
        func key(_ inode: UInt) -> DigestCache.Key { .init(device: 1, inode: inode, size: 1, changeTime: 0) }
        for inode in 0..<UInt(DigestCache.capacity) { cache.remember([1], for: key(inode)) }
        #expect(cache.digest(for: key(0)) != nil)
        cache.remember([2], for: key(9999))
        #expect(cache.count == DigestCache.capacity)
        #expect(cache.digest(for: key(0)) == [1] && cache.digest(for: key(9999)) == [2])
        #expect(cache.digest(for: key(1)) == nil, "the least recently used went")
    }

    @Test func `a change of size, change time or inode is another file`() {
        let cache = DigestCache(clock: .constant(1e9))
        cache.remember([1], for: .init(device: 1, inode: 2, size: 3, changeTime: 4))
        #expect(cache.digest(for: .init(device: 1, inode: 2, size: 3, changeTime: 4)) == [1])
        #expect(cache.digest(for: .init(device: 9, inode: 2, size: 3, changeTime: 4)) == nil)
        #expect(cache.digest(for: .init(device: 1, inode: 9, size: 3, changeTime: 4)) == nil)
        #expect(cache.digest(for: .init(device: 1, inode: 2, size: 9, changeTime: 4)) == nil)
        #expect(cache.digest(for: .init(device: 1, inode: 2, size: 3, changeTime: 9)) == nil)
    }

    private func copyInterpreter(to name: String) throws {
        let source = open(Client.interpreter, O_RDONLY | O_CLOEXEC)
        let target = open(root(name), O_CREAT | O_WRONLY | O_CLOEXEC, 0o755)
        try #require(source >= 0 && target >= 0)
        defer { close(source) }
        do {
            defer { close(target) }
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while case let count = read(source, &buffer, buffer.count), count > 0 {
                try #require(Glibc.write(target, buffer, count) == count)
            }
        }
        waitUntilRunnable(root(name))
    }

    private func sha256(of path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = read(file, &buffer, buffer.count), count > 0 { hash.update(data: buffer[..<count]) }
        return Array(hash.finalize())
    }
}
