// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Crypto
internal import Glibc
internal import KeychainCodeSigning
internal import KeychainEndpoint

/// A peer's executable, held open: the facts, the hash and the signature are of one and the same file.
public final class PeerExecutable: Sendable {
    public let facts: ExecutableFacts
    private let file: OwnedDescriptor
    let user: UInt32
    private let cache: DigestCache
    private let turns: ReadingTurns

    convenience init(of peer: PeerProcess, cache: DigestCache, turns: ReadingTurns) throws(PeerProcess.Error) {
        // Opened through the process's own link, which leads to the file in any mount namespace; never by path. The
        // name is only read.
        let number = unsafe openat(peer.directory.number, "exe", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { throw PeerProcess.failure("openat") }
        do throws(SystemCallError) {
            let file = try OwnedDescriptor(number, from: "openat")
            try self.init(
                file, path: try linkTarget("exe", peer.directory.number), for: peer.user, cache: cache, turns: turns)
        } catch {
            throw error.code == ENOENT || error.code == ESRCH ? .exited : .system(error)
        }
    }

    convenience init(
        at path: String, for user: UInt32, cache: DigestCache, turns: ReadingTurns
    ) throws(SystemCallError) {
        let file = try CallersPath.open(path, for: user)
        // The kernel's path of the file, free of symbolic links.
        try self.init(
            file, path: try linkTarget("/proc/self/fd/\(file.number)", AT_FDCWD), for: user, cache: cache, turns: turns)
        guard try file.status().st_mode & 0o111 != 0 else { throw SystemCallError(call: "open", code: EACCES) }
    }

    private init(
        _ file: OwnedDescriptor, path: String, for user: UInt32, cache: DigestCache, turns: ReadingTurns
    ) throws(SystemCallError) {
        let status = try file.status()
        self.file = file
        self.user = user
        self.cache = cache
        self.turns = turns
        facts = ExecutableFacts(
            device: UInt(status.st_dev), inode: UInt(status.st_ino), size: Int(status.st_size),
            changeTime: status.changeTime, displayPath: path,
            isRootOwnedAndUnwritable: RootOwnedPath.leads(path, to: status),
            setGroup: status.st_mode & S_ISGID != 0 ? status.st_gid : nil,
            capabilities: FileCapabilities.granted(by: file),
            owner: status.st_uid, isReadableByAll: status.st_mode & 0o004 != 0)
    }

    /// Returns the SHA-256 of the whole file: from the cache, or read now (about half a millisecond per MiB).
    public func digest() throws(DigestError) -> [UInt8] {
        try checkFileSystem()
        if let known = cache.digest(for: key) { return known }
        return try reading({ () throws(SystemCallError) in try Self.sha256(of: file) }) { cache.remember($0, for: key) }
    }

    /// Returns the file's code signature: from the cache, or read now. A file without a signature costs some hundred
    /// microseconds, a file with a signature as much as ``digest()``.
    public func signature() throws(DigestError) -> ExecutableSignature {
        try checkFileSystem()
        if let known = cache.signature(for: key) { return known }
        return try reading({ () throws(SystemCallError) in try readSignature() }) { cache.remember($0, for: key) }
    }

    /// Returns whether a user may start the file: the user owns it, or its mode permits it to all and no folder on its
    /// path is closed to the user. A file that was removed or replaced meanwhile counts by its mode.
    public func mayBeStarted(by user: UInt32) -> Bool {
        guard facts.owner != user else { return true }
        // A member of the file's group may have fewer rights than other users, so both must have the permission.
        guard let mode = try? status().st_mode, mode & 0o011 == 0o011 else { return false }
        do throws(SystemCallError) {
            _ = try CallersPath.open(facts.displayPath, for: user)
            return true
        } catch {
            return error.code != EACCES
        }
    }

    /// The present facts about the open file.
    func status() throws(SystemCallError) -> stat { try file.status() }

    private var key: DigestCache.Key {
        DigestCache.Key(device: facts.device, inode: facts.inode, size: facts.size, changeTime: facts.changeTime)
    }

    /// Reads the file and checks that it did not change meanwhile.
    ///
    /// - Parameter remember: called if the result stays valid as long as the change time of the file does not change.
    private func reading<R: Sendable>(
        _ body: () throws(SystemCallError) -> R, remember: (R) -> Void
    ) throws(DigestError) -> R {
        guard facts.size <= ExecutableInspector.maximumByteCount else { throw .tooLarge(size: facts.size) }
        return try turns.take(for: user) { () throws(DigestError) in
            let hasLease = FileLease.take(file)
            defer { if hasLease { FileLease.end(file) } }
            let result: R
            let after: stat
            do throws(SystemCallError) {
                result = try body()
                after = try file.status()
            } catch {
                throw .system(error)
            }
            // A running file cannot be written (ETXTBSY), but this file may have stopped running.
            guard after.changeTime == facts.changeTime, Int(after.st_size) == facts.size else { throw .changed }
            if facts.isRootOwnedAndUnwritable || hasLease && FileLease.isHeld(file) && showsLaterWrites {
                remember(result)
            }
            return result
        }
    }

    /// Whether a process that maps the file from now on and writes to it changes the change time. A process that had
    /// mapped the file before, and had written to a page already, could keep writing to that page without a new change
    /// time; the lease excludes this. On tmpfs no such write changes the time, and a lease on a file of an overlay does
    /// not detect processes that mapped the file below.
    var showsLaterWrites: Bool { Self.diskFileSystems.contains(ckp_filesystem_type(file.number)) }

    // MARK: Signature

    private func readSignature() throws(SystemCallError) -> ExecutableSignature {
        var failure: SystemCallError?
        let file = file
        func read(_ offset: UInt64, _ count: Int) throws(ELFError) -> [UInt8] {
            do throws(SystemCallError) {
                return try file.stream.bytes(at: offset, count: count)
            } catch {
                failure = error
                throw .unreadable(reason: "\(error)")
            }
        }
        do throws(ELFError) {
            let program = try ELFFile(size: UInt64(facts.size)) { offset, count throws(ELFError) in
                try read(offset, count)
            }
            guard let range = program.signatureRange else { return .absent }
            let section = try read(range.lowerBound, range.count)
            let signature: CodeSignature
            do throws(CodeSignatureError) {
                signature = try CodeSignature(section)
            } catch {
                if case .version = error { return .newer }
                return .damaged
            }
            guard signature.statement.fileSize == UInt64(facts.size) else { return .changedFile }
            let digest = try SignedFileDigest.digest(size: UInt64(facts.size), zeroing: range) {
                offset, count throws(ELFError) in try read(offset, count)
            }
            return digest == signature.digest ? .valid(signature) : .changedFile
        } catch {
            if let failure { throw failure }
            switch error {
            case .severalSignatureSections, .signatureSectionOverlaps: return .damaged
            // The file has no place for a signature: another architecture, a script, or an unknown format.
            default: return .absent
            }
        }
    }

    // MARK: File systems

    /// File systems of this kernel on which the bytes read are the bytes that run, and the kernel keeps the change
    /// time. FUSE may serve different bytes to each reader; NFS, CIFS and 9P let the server do so. Numbers from
    /// <linux/magic.h>: ext2 to ext4, XFS, Btrfs, tmpfs.
    private static let diskFileSystems: Set<Int64> = [0xEF53, 0x5846_5342, 0x9123_683E]
    private static let trustedFileSystems = diskFileSystems.union([0x0102_1994])
    /// overlayfs (containers' root). Any user can mount an overlay over their own FUSE file system in a user namespace,
    /// and pass a program on it out of there. So it counts only if the file is in this service's own mounts.
    private static let overlayFileSystem: Int64 = 0x794C_7630

    private func checkFileSystem() throws(DigestError) {
        let type = ckp_filesystem_type(file.number)
        if Self.trustedFileSystems.contains(type) { return }
        guard type == Self.overlayFileSystem, MountTable.own.contains(file, device: facts.device) else {
            throw .untrustedFileSystem(type: type)
        }
    }

    private static func sha256(of file: OwnedDescriptor) throws(SystemCallError) -> [UInt8] {
        // Read, not mapped: if the file were truncated meanwhile, a mapping would end this process with SIGBUS.
        let chunk = 256 * 1024
        var hash = SHA256()
        var offset = 0
        var failure: SystemCallError?
        // Each read stays within the buffer, and the hash takes exactly the bytes read.
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
}

extension stat {
    /// In nanoseconds since the Unix epoch.
    var changeTime: Int { Int(st_ctim.tv_sec) * 1_000_000_000 + Int(st_ctim.tv_nsec) }
}

/// Paths that only root can have made.
enum RootOwnedPath {
    static func leads(_ path: String, to file: stat) -> Bool {
        guard path.hasPrefix("/"), isRoots(file), file.st_mode & S_IFMT == S_IFREG else { return false }
        // From the root down: once only root can write a directory, no other user can exchange the entries that the
        // next step reads. The kernel's link is free of symbolic links, so a symbolic link on the path means that the
        // path has changed.
        var prefixes = path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
        prefixes[0] = "/"
        for prefix in prefixes {
            guard let facts = try? linkStatus(prefix), facts.st_mode & S_IFMT == S_IFDIR, isRoots(facts) else {
                return false
            }
        }
        // An error means that the path leads to no file.
        guard let target = try? linkStatus(path) else { return false }
        return target.st_dev == file.st_dev && target.st_ino == file.st_ino
    }

    /// Returns whether root owns the file and no other user may write it. If the file has an access control list, the
    /// group bits hold its mask, so they also cover named users and groups (acl(5)).
    private static func isRoots(_ facts: stat) -> Bool { facts.st_uid == 0 && facts.st_mode & 0o022 == 0 }
}
