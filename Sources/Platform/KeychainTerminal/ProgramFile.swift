// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// A program on disk, open for reading at any offset until this object is released.
public final class ProgramFile: Sendable {
    fileprivate let descriptor: Int32
    /// The size in bytes when it was opened.
    public let size: UInt64
    /// The path, without symbolic links.
    public let path: String
    /// The facts when it was opened.
    public let facts: FileFacts
    private let state: FileState

    /// Opens a regular file, or the target of a symbolic link.
    ///
    /// - Parameter followsLink: if false, a symbolic link at the end of the path is ELOOP.
    ///
    /// Throws the errors of realpath(3), open(2) and fstat(2); EISDIR for a folder, ENOEXEC for any other file that is
    /// not regular.
    public init(_ path: String, followsLink: Bool = true) throws(SystemCallError) {
        if !followsLink, try FileFacts(path)?.kind == .symbolicLink { throw SystemCallError(call: "open", code: ELOOP) }
        self.path = try FileFacts.realPath(path)
        // O_NONBLOCK: opening a pipe would wait for its writer.
        descriptor = unsafe open(self.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .last("open") }
        do throws(SystemCallError) {
            let status = try Self.status(descriptor)
            facts = FileFacts(status)
            state = FileState(status)
            switch status.st_mode & S_IFMT {
            case S_IFREG: size = UInt64(status.st_size)
            case S_IFDIR: throw SystemCallError(call: "open", code: EISDIR)
            default: throw SystemCallError(call: "open", code: ENOEXEC)
            }
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Returns bytes at an offset; fewer than `count` only at the end of the file. Throws the errors of pread(2).
    public func read(at offset: UInt64, count: Int) throws(SystemCallError) -> [UInt8] {
        try DescriptorStream(descriptor: descriptor).bytes(at: offset, count: count)
    }

    /// Whether its path still leads to this file, and no process has written to it since it was opened.
    public var isUnchanged: Bool {
        var status = stat()
        // The structure is filled, the path only read.
        return unsafe lstat(path, &status) == 0 && FileState(status) == state
    }

    fileprivate static func status(_ descriptor: Int32) throws(SystemCallError) -> stat {
        var status = stat()
        // fstat fills the given structure.
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last("fstat") }
        return status
    }

}

/// Values that change with every write to a file, and with its replacement.
private struct FileState: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    /// The last write and the last change, seconds and nanoseconds of each.
    let times: [Int]

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        times = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}

/// A new file that replaces a program atomically, with its owner, mode and extended attributes.
///
/// Running processes keep the old program: its inode stays until they end. Other hard links keep the old file.
public final class ProgramReplacement {
    private let original: ProgramFile
    private let temporary: String
    private let descriptor: Int32
    private var isInPlace = false

    /// Makes an empty file in the original's folder, which only its owner can read. Throws the errors of open(2).
    public init(of original: ProgramFile) throws(SystemCallError) {
        self.original = original
        let folder = original.path.lastIndex(of: "/").map { String(original.path[...$0]) } ?? ""
        temporary = "\(folder).chatelaine-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        // The path is only read.
        descriptor = unsafe open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
    }

    deinit {
        close(descriptor)
        // An error of unlink cannot be reported from here.
        if !isInPlace { _ = unsafe unlink(temporary) }
    }

    /// Returns bytes of the new file. Throws the errors of pread(2).
    public func read(at offset: UInt64, count: Int) throws(SystemCallError) -> [UInt8] {
        try DescriptorStream(descriptor: descriptor).bytes(at: offset, count: count)
    }

    /// Writes all of `bytes` at an offset. Throws the errors of pwrite(2).
    public func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemCallError) {
        var written = 0
        while written < bytes.count {
            // Writes at most the array's size.
            let result = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    descriptor, buffer.baseAddress! + written, buffer.count - written,
                    off_t(offset) + off_t(written))
            }
            if result >= 0 {
                written += result
            } else if errno != EINTR {
                throw .last("pwrite")
            }
        }
    }

    /// Replaces the original with the new file once it is on the disk.
    ///
    /// - Parameter mode: the mode of the new file; nil: the original's.
    ///
    /// Throws the errors of the calls, in particular EPERM if owner or attributes cannot be kept. The original then
    /// stays.
    public func takePlace(mode: UInt32? = nil) throws(SystemCallError) {
        try prepare(mode: mode)
        try moveInPlace()
    }

    /// Replaces the original as ``takePlace(mode:)`` does, unless another process has written or replaced the original
    /// since it was opened. The check comes last; only a change between the check and the rename is not detected. The
    /// result survives a power failure.
    ///
    /// Returns whether it replaced the original. Throws the errors of that function, and those of fsync(2) for the
    /// folder, after the replacement.
    public func takePlaceIfUnchanged(mode: UInt32? = nil) throws(SystemCallError) -> Bool {
        try prepare(mode: mode)
        guard original.isUnchanged else { return false }
        try moveInPlace()
        let folder = original.path.lastIndex(of: "/").map {
            $0 == original.path.startIndex ? "/" : String(original.path[..<$0])
        }
        // The path is only read.
        let directory = unsafe open(folder ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .last("open") }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .last("fsync") }
        return true
    }

    private func prepare(mode: UInt32?) throws(SystemCallError) {
        let status = try ProgramFile.status(original.descriptor)
        let own = try ProgramFile.status(descriptor)
        if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid) {
            guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else { throw .last("fchown") }
        }
        // After the owner, because changing the owner removes these bits and the capabilities.
        guard fchmod(descriptor, mode ?? status.st_mode & 0o7777) == 0 else { throw .last("fchmod") }
        try ExtendedAttributes.copy(from: original.descriptor, to: descriptor)
        guard fsync(descriptor) == 0 else { throw .last("fsync") }
    }

    private func moveInPlace() throws(SystemCallError) {
        // The paths are only read.
        guard unsafe rename(temporary, original.path) == 0 else { throw .last("rename") }
        isInPlace = true
    }
}

/// The functions of xattr(7), which the module of glibc omits.
private enum ExtendedAttributes {
    /// The limit of a value (XATTR_SIZE_MAX), and of all names together (XATTR_LIST_MAX).
    private static let byteLimit = 65_536

    static func copy(from source: Int32, to target: Int32) throws(SystemCallError) {
        for name in try names(source) {
            let value = unsafe try bytes("fgetxattr") { buffer in
                unsafe fgetxattr(source, name, buffer.baseAddress, buffer.count)
            }
            // The name ends with a zero byte; the value is only read.
            let result = unsafe value.withUnsafeBytes { buffer in
                unsafe fsetxattr(target, name, buffer.baseAddress, buffer.count, 0)
            }
            guard result == 0 else { throw .last("fsetxattr") }
        }
    }

    private static func names(_ descriptor: Int32) throws(SystemCallError) -> [[CChar]] {
        let list: [UInt8]
        do throws(SystemCallError) {
            list = unsafe try bytes("flistxattr") { buffer in
                unsafe flistxattr(descriptor, buffer.baseAddress, buffer.count)
            }
        } catch  where error.code == ENOTSUP {
            return []
        }
        return list.split(separator: 0).map { name in name.map { CChar(bitPattern: $0) } + [0] }
    }

    private static func bytes(
        _ call: String, _ fill: (UnsafeMutableRawBufferPointer) -> Int
    ) throws(SystemCallError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: byteLimit)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe fill($0) }
        guard count >= 0 else { throw .last(call) }
        return Array(buffer.prefix(count))
    }
}

// Declared as in sys/xattr.h. Integers and pointers are passed the same way in both languages.

@_silgen_name("flistxattr")
private func flistxattr(_ descriptor: Int32, _ list: UnsafeMutableRawPointer?, _ size: Int) -> Int

@_silgen_name("fgetxattr")
private func fgetxattr(
    _ descriptor: Int32, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?, _ size: Int
) -> Int

@_silgen_name("fsetxattr")
private func fsetxattr(
    _ descriptor: Int32, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer?, _ size: Int, _ flags: Int32
) -> Int32
