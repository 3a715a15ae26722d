// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import KeychainEndpoint

/// Whether a service runs, found out without starting one.
struct RunningServiceTests {
    /// Opens the lock's file with `content`, locked by this process if `operation` requires it; closed at the end.
    private func withLockFile(
        _ content: String, _ operation: Int32, _ body: (InstanceDirectories) throws -> Void
    ) throws {
        let root = try TemporaryDirectory()
        let directories = root.directories
        try directories.prepare()
        try Data(content.utf8).write(to: URL(filePath: directories.keychain.lockPath))
        let descriptor = open(directories.keychain.lockPath, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(flock(descriptor, operation) == 0)
        try body(directories)
    }

    @Test func `without a lock's file no service runs`() throws {
        let directories = try TemporaryDirectory().directories
        #expect(!ServiceEndpoint(directories).serviceIsRunning())
        try directories.prepare()
        #expect(!ServiceEndpoint(directories).serviceIsRunning())
    }

    @Test func `a lock file that no process holds is left over from a service that has ended`() throws {
        // Even if its number is that of a process again.
        try withLockFile("\(getpid())\n", LOCK_UN) { #expect(!ServiceEndpoint($0).serviceIsRunning()) }
    }

    @Test func `a process that holds the lock is a running service`() throws {
        try withLockFile("\(getpid())\n", LOCK_EX) { directories in
            #expect(ServiceEndpoint(directories).serviceIsRunning())
            // Another instance's lock is another file.
            let other = try TemporaryDirectory()
            try other.directories.prepare()
            try Data("\(getpid())\n".utf8).write(to: URL(filePath: other.directories.keychain.lockPath))
            #expect(!ServiceEndpoint(other.directories).serviceIsRunning())
        }
    }

    @Test func `a service counts before it has written its number`() throws {
        try withLockFile("", LOCK_EX) { #expect(ServiceEndpoint($0).serviceIsRunning()) }
    }

    @Test func `asking does not get in the way of a service that starts`() throws {
        try withLockFile("", LOCK_UN) { directories in
            #expect(!ServiceEndpoint(directories).serviceIsRunning())
            let descriptor = open(directories.keychain.lockPath, O_RDWR | O_CLOEXEC)
            defer { close(descriptor) }
            #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        }
    }

    @Test func `lines of the list of locks are read, others overlooked`() throws {
        let lock = try #require(FileLock("2: FLOCK  ADVISORY  WRITE 21014 fe:100:16236743 0 EOF"))
        #expect(lock.isHeld(by: nil, inode: 16_236_743, device: 0x10FE00))
        #expect(!lock.isHeld(by: nil, inode: 16_236_743, device: 0xFE00))
        #expect(!lock.isHeld(by: 21014, inode: 16_236_744, device: 0x10FE00))
        // On Btrfs.
        #expect(lock.isHeld(by: 21014, inode: 16_236_743, device: 0x2A))
        #expect(!lock.isHeld(by: 21015, inode: 16_236_743, device: 0x2A))
        for line in [
            "", "2: -> FLOCK  ADVISORY  WRITE 21014 fe:00:16236743 0 EOF",
            "2: POSIX  ADVISORY  WRITE 21014 fe:00:16236743 0 EOF",
            "2: FLOCK  ADVISORY  READ 21014 fe:00:16236743 0 EOF", "2: FLOCK  ADVISORY  WRITE 21014 <none>:0 0 EOF",
            "2: FLOCK  ADVISORY  WRITE x fe:00:1 0 EOF", "2: FLOCK ADVISORY WRITE 1",
        ] {
            #expect(FileLock(line) == nil, "\(line)")
        }
    }
}
