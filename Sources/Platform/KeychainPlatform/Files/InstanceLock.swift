// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// The right to be the one service that has a store open. Held until the object goes, or the process ends.
public final class InstanceLock: Sendable {
    public enum Failure: Error, Hashable, Sendable {
        /// Another process has it; its id when the file says so.
        case held(byPID: Int32?)
        case system(SystemCallError)
    }

    private let descriptor: OwnedDescriptor

    /// Takes the lock at `path`, or throws at once. The file is created when missing, and never removed: a lock on a
    /// file that somebody replaces would lock nothing.
    public init(path: String) throws(Failure) {
        do throws(SystemCallError) {
            // The path is only read. O_NOFOLLOW: a link could make us write our process id into another file.
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

    /// Given up here, and not by closing alone: a program that is being started has a copy of the descriptor until its exec, and by
    /// that the lock (flock(2)).
    deinit { flock(descriptor.number, LOCK_UN) }

    private func record(_ pid: Int32) throws(Failure) {
        let text = Array("\(pid)\n".utf8)
        guard ftruncate(descriptor.number, 0) == 0 else { throw .system(.last("ftruncate")) }
        // The array lives across the call and is as long as it says.
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
