// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Crypto
internal import Glibc
internal import KeychainEndpoint

/// A peer's executable, held open: the facts and the hash are of one and the same file.
public final class PeerExecutable: Sendable {
    public let facts: ExecutableFacts
    private let file: OwnedDescriptor
    private let cache: DigestCache

    init(of peer: PeerProcess, cache: DigestCache) throws(PeerProcess.Failure) {
        // Through the process's own link, which leads to the file in whatever mount namespace it lies; never by path.
        // The name is only read.
        let number = unsafe openat(peer.directory.number, "exe", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { throw PeerProcess.failure("openat") }
        do throws(SystemCallError) {
            file = try OwnedDescriptor(number, from: "openat")
            let status = try file.status()
            let path = try Self.linkTarget(of: peer.directory)
            self.cache = cache
            facts = ExecutableFacts(
                device: UInt(status.st_dev), inode: UInt(status.st_ino), size: Int(status.st_size),
                changeTime: status.changeTime, displayPath: path,
                isRootOwnedAndUnwritable: RootOwnedPath.leads(path, to: status))
        } catch {
            throw error.code == ENOENT || error.code == ESRCH ? .exited : .system(error)
        }
    }

    /// The SHA-256 of the whole file: from the cache, or read now (about half a millisecond per MiB).
    public func digest() throws(DigestRefusal) -> [UInt8] {
        let type = ckp_filesystem_type(file.number)
        guard Self.trustedFileSystems.contains(type) else { throw .untrustedFileSystem(type: type) }
        let key = DigestCache.Key(
            device: facts.device, inode: facts.inode, size: facts.size, changeTime: facts.changeTime)
        if let known = cache.digest(for: key) { return known }
        let digest = try readDigest()
        cache.remember(digest, for: key)
        return digest
    }

    private func readDigest() throws(DigestRefusal) -> [UInt8] {
        guard facts.size <= ExecutableInspector.maximumByteCount else { throw .tooLarge(size: facts.size) }
        let digest: [UInt8]
        let after: stat
        do throws(SystemCallError) {
            digest = try Self.sha256(of: file)
            after = try file.status()
        } catch {
            throw .system(error)
        }
        // A running file cannot be written (ETXTBSY), but this one may have stopped running.
        guard after.changeTime == facts.changeTime, Int(after.st_size) == facts.size else { throw .changed }
        return digest
    }

    /// File systems of this kernel's own, on which the bytes that are read are the bytes that are run, and the change
    /// time is kept by the kernel. FUSE may serve each reader something else; NFS, CIFS and 9P let the server do so.
    /// Numbers from <linux/magic.h>: ext2 to ext4, XFS, Btrfs, tmpfs, overlayfs (containers' root).
    private static let trustedFileSystems: Set<Int64> = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630]

    private static func sha256(of file: OwnedDescriptor) throws(SystemCallError) -> [UInt8] {
        // Read, not mapped: a file that is truncated meanwhile would end us with SIGBUS.
        let chunk = 256 * 1024
        var hash = SHA256()
        var offset = 0
        var failure: SystemCallError?
        // Each read stays within the buffer, and the hash takes what was read.
        unsafe withUnsafeTemporaryAllocation(byteCount: chunk, alignment: 64) { buffer in
            while true {
                do throws(SystemCallError) {
                    let count = try retryingInterruption("pread") {
                        unsafe pread(file.number, buffer.baseAddress, chunk, offset)
                    }
                    guard count > 0 else { return }
                    unsafe hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    offset += count
                } catch {
                    failure = error
                    return
                }
            }
        }
        if let failure { throw failure }
        return Array(hash.finalize())
    }

    private static func linkTarget(of directory: OwnedDescriptor) throws(SystemCallError) -> String {
        let outcome: Result<String, SystemCallError> = unsafe withUnsafeTemporaryAllocation(
            byteCount: Int(PATH_MAX), alignment: 1
        ) { buffer in
            // readlinkat writes at most the capacity and no terminating zero.
            let count = unsafe readlinkat(directory.number, "exe", buffer.baseAddress!, buffer.count)
            guard count >= 0 else { return .failure(.last("readlinkat")) }
            return unsafe .success(String(decoding: buffer[..<count], as: UTF8.self))
        }
        return try outcome.get()
    }
}

extension stat {
    /// In nanoseconds since the Unix epoch.
    var changeTime: Int { Int(st_ctim.tv_sec) * 1_000_000_000 + Int(st_ctim.tv_nsec) }
}

/// Paths that only root can have made.
enum RootOwnedPath {
    static func leads(_ path: String, to file: stat) -> Bool {
        guard path.hasPrefix("/"), isRoots(file), file.st_mode & S_IFMT == S_IFREG else { return false }
        // From the root down: once a directory is root's alone, nobody else can exchange what the next look finds. The
        // kernel's link is free of symbolic links, so one on the way means that it is another path by now.
        var prefixes = path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
        prefixes[0] = "/"
        for prefix in prefixes {
            guard let facts = try? linkStatus(prefix), facts.st_mode & S_IFMT == S_IFDIR, isRoots(facts) else {
                return false
            }
        }
        // An error means that the path leads nowhere.
        guard let target = try? linkStatus(path) else { return false }
        return target.st_dev == file.st_dev && target.st_ino == file.st_ino
    }

    /// With an access control list the group bits hold its mask, so they cover named users and groups as well (acl(5)).
    private static func isRoots(_ facts: stat) -> Bool { facts.st_uid == 0 && facts.st_mode & 0o022 == 0 }
}
