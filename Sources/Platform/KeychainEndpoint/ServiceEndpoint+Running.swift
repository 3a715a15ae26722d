// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension ServiceEndpoint {
    /// Returns whether the service runs now, by the lock that it holds while it runs.
    ///
    /// Does not connect, because that would start the service if systemd listens on its behalf. The lock is read from
    /// /proc/locks and not tried, because a service that starts at that moment would find it taken. If that list cannot
    /// be read the result is true, so that a caller that requires a stopped service does not proceed.
    public func serviceIsRunning() -> Bool {
        var facts = stat()
        // lstat fills the given structure and keeps neither pointer.
        guard unsafe lstat(lockPath, &facts) == 0 else { return false }
        guard let locks = SmallFile.text(at: "/proc/locks") else { return true }
        let holder = SmallFile.text(at: lockPath).flatMap { Int32($0.prefix { $0 != "\n" }) }
        return locks.split(separator: "\n").contains { line in
            FileLock(line)?.isHeld(by: holder, inode: UInt64(facts.st_ino), device: UInt64(facts.st_dev)) == true
        }
    }
}

/// A line of /proc/locks (proc(5)), such as `1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF`.
struct FileLock: Hashable, Sendable {
    let process: Int32
    let major: UInt64
    let minor: UInt64
    let inode: UInt64

    /// Parses a line; nil unless it is an exclusive lock of flock(2) that is held, not waited for.
    init?(_ line: some StringProtocol) {
        let fields = line.split(separator: " ")
        guard fields.count >= 6, fields[1] == "FLOCK", fields[3] == "WRITE", let process = Int32(fields[4]) else {
            return nil
        }
        let file = fields[5].split(separator: ":")
        guard file.count == 3, let major = UInt64(file[0], radix: 16), let minor = UInt64(file[1], radix: 16),
            let inode = UInt64(file[2])
        else { return nil }
        self.process = process
        self.major = major
        self.minor = minor
        self.inode = inode
    }

    /// Returns whether this is the lock of a file. Btrfs gives a file another device in lstat(2) than here; then the
    /// process counts that has written its ID into the file.
    func isHeld(by process: Int32?, inode: UInt64, device: UInt64) -> Bool {
        self.inode == inode && (self.device == device || self.process == process)
    }

    /// As in `st_dev`: gnu_dev_makedev(3).
    private var device: UInt64 {
        (minor & 0xFF) | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32
    }
}
