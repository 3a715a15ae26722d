// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// The lock that only one service holds for a store. Held until the object is released, or the process ends.
public final class InstanceLock: Sendable {
    public enum Error: Swift.Error, Hashable, Sendable {
        /// Another process holds the lock; its ID if the file contains one.
        case held(byPID: Int32?)
        case system(SystemCallError)
    }

    private let descriptor: OwnedDescriptor

    /// Takes the lock at `path`, or throws immediately. The file is created if missing, and never removed, because a
    /// lock on a removed file would not exclude a service that locks its replacement.
    public init(path: String) throws(Error) {
        do throws(SystemCallError) {
            // The path is only read. O_NOFOLLOW: through a link, this process would write its process ID into another
            // file.
            descriptor = try OwnedDescriptor(
                unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600), from: "open")
        } catch {
            throw .system(error)
        }
        while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: throw .held(byPID: Self.holder(descriptor.number))
            default: throw .system(.last("flock"))
            }
        }
        try record(getpid())
    }

    /// Unlocked explicitly, and not only closed: a program that is being started has a copy of the descriptor, and so
    /// the lock, until its exec (flock(2)).
    deinit { flock(descriptor.number, LOCK_UN) }

    private func record(_ pid: Int32) throws(Error) {
        let text = Array("\(pid)\n".utf8)
        guard ftruncate(descriptor.number, 0) == 0 else { throw .system(.last("ftruncate")) }
        // The array outlives the call and has the given length.
        guard unsafe pwrite(descriptor.number, text, text.count, 0) == text.count else {
            throw .system(.last("pwrite"))
        }
    }

    private static func holder(_ descriptor: Int32) -> Int32? {
        var text = [UInt8](repeating: 0, count: 16)
        // At most the array's size is written.
        let count = unsafe pread(descriptor, &text, text.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: text[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
