// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// An installed program: the facts that decide whether the kernel may shield it, and the change that enables the
/// shield.
///
/// For use as root.
public final class InstalledProgram {
    /// The facts when the program was opened.
    public struct Facts: Hashable, Sendable {
        /// Absolute and without symbolic links.
        public var path: String
        public var owner: UInt32
        public var group: UInt32
        /// The twelve bits of chmod(2).
        public var mode: UInt32
        /// The number of hard links.
        public var linkCount: Int
        public var isRegular: Bool
        /// At most the first four bytes.
        public var head: [UInt8]
        /// Whether the file has capabilities (capabilities(7)).
        public var hasCapabilities: Bool
        /// The first directory of the path, from the root on, that a user other than root can change.
        public var openDirectory: String?

        public init(
            path: String, owner: UInt32, group: UInt32, mode: UInt32, linkCount: Int, isRegular: Bool, head: [UInt8],
            hasCapabilities: Bool, openDirectory: String?
        ) {
            self.path = path
            self.owner = owner
            self.group = group
            self.mode = mode
            self.linkCount = linkCount
            self.isRegular = isRegular
            self.head = head
            self.hasCapabilities = hasCapabilities
            self.openDirectory = openDirectory
        }
    }

    public let facts: Facts
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// Throws the errors of open(2), ELOOP for a symbolic link at the end of the path.
    public init(_ path: String) throws(SystemCallError) {
        // The paths here are only read. O_NONBLOCK: opening a pipe would wait for its writer.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .last("open") }
        var status = stat()
        let realPath: String
        do throws(SystemCallError) {
            // fstat fills the structure.
            guard unsafe fstat(descriptor, &status) == 0 else { throw .last("fstat") }
            realPath = try absolutePath(path)
        } catch {
            close(descriptor)
            throw error
        }
        // pread writes into the array.
        var head = [UInt8](repeating: 0, count: 4)
        let count = unsafe pread(descriptor, &head, 4, 0)
        facts = Facts(
            path: realPath, owner: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o7777,
            linkCount: Int(status.st_nlink), isRegular: status.st_mode & S_IFMT == S_IFREG,
            head: Array(head.prefix(max(0, count))),
            hasCapabilities: unsafe fgetxattr(descriptor, "security.capability", nil, 0) > 0,
            openDirectory: Self.openDirectory(on: realPath))
    }

    deinit { close(descriptor) }

    /// Sets the file's group and mode. Throws the errors of fchown(2) and fchmod(2).
    public func change(group: UInt32, mode: UInt32) throws(SystemCallError) {
        guard fchown(descriptor, ~0, group) == 0 else { throw .last("fchown") }
        // After the group, because changing the group removes the set-group-id bit.
        guard fchmod(descriptor, mode) == 0 else { throw .last("fchmod") }
    }

    private static func openDirectory(on path: String) -> String? {
        for index in path.indices where path[index] == "/" {
            let directory = index == path.startIndex ? "/" : String(path[..<index])
            var status = stat()
            // Fills the structure.
            guard unsafe lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == 0,
                status.st_mode & 0o022 == 0
            else { return directory }
        }
        return nil
    }
}

/// A group of users.
public struct UserGroup: Hashable, Sendable {
    public let number: UInt32
    /// Users who are members of it, or whose primary group it is.
    public let members: [String]

    /// Finds the group of that name; nil if there is none.
    public init?(named name: String) {
        // The calls' results are valid until the next call, and copied before; this program has one thread.
        guard let group = unsafe getgrnam(name) else { return nil }
        number = unsafe group.pointee.gr_gid
        var members: [String] = []
        var entry = unsafe group.pointee.gr_mem
        while let list = unsafe entry, let member = unsafe list.pointee {
            members.append(unsafe String(cString: member))
            unsafe entry = list + 1
        }
        setpwent()
        defer { endpwent() }
        while let user = unsafe getpwent() {
            guard unsafe user.pointee.pw_gid == number else { continue }
            members.append(unsafe String(cString: user.pointee.pw_name))
        }
        self.members = members
    }

    /// Returns the name of a group ID; nil if it has none.
    public static func name(of number: UInt32) -> String? {
        // As above.
        guard let group = unsafe getgrgid(number) else { return nil }
        return unsafe String(cString: group.pointee.gr_name)
    }
}

/// A system tool, run with an environment that contains only a path.
public struct SystemTool: Sendable {
    private let path: String

    /// Finds the tool; nil if no system folder has a program of that name.
    public init?(_ name: String) {
        let places = ["/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"].map { $0 + name }
        // The path is only read.
        guard let path = places.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
        self.path = path
    }

    /// Runs the tool to its end, without errors on standard error.
    ///
    /// - Returns: the output; nil if the tool cannot be run, fails, or writes more bytes than the limit.
    func output(_ arguments: [String], limit: Int) -> String? {
        guard let (reading, writing) = try? SocketPair.make(),
            let input = try? OwnedDescriptor(reading, from: "socketpair")
        else { return nil }
        let tool = try? ChildProcess(
            path, arguments: arguments, streams: .output(to: writing),
            environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"])
        // The output ends when the tool has closed the other copy.
        close(writing)
        guard let tool, let bytes = try? input.stream.contents(atMost: limit), tool.wait() == .exited(status: 0) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Runs the tool to its end. Its output is discarded; its errors go to standard error.
    ///
    /// Returns its exit status, 128 and more for a signal. Throws the errors of posix_spawn(3).
    public func run(_ arguments: [String]) throws(SystemCallError) -> Int32 {
        let tool = try ChildProcess(
            path, arguments: arguments, streams: .errorsOnly,
            environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"], options: .inheritedSignals)
        return switch tool.wait() {
        case .exited(let status): status
        case .killed(let signal): 128 + signal
        case .notReported: throw SystemCallError(call: "waitpid", code: ECHILD)
        }
    }
}

/// A small system file that every user may read and only root may write.
public enum SystemRecord {
    /// Returns the content; nil if the file does not exist. Throws the errors of the calls.
    public static func read(_ path: String) throws(SystemCallError) -> String? {
        do throws(SystemCallError) {
            return String(decoding: try UserFile(reading: path).contents(), as: UTF8.self)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Replaces the content atomically, and makes the folder if it is missing.
    public static func write(_ text: String, to path: String) throws(SystemCallError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        // The paths are only read.
        guard unsafe mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw .last("mkdir") }
        try UserFile.writePrivate(text.utf8, to: path, replaces: true)
        guard unsafe chmod(path, 0o644) == 0 else { throw .last("chmod") }
    }
}

extension SystemCallError {
    /// Whether the file to be opened is a symbolic link.
    public var isSymbolicLink: Bool { code == ELOOP }
    /// Whether the file to be opened is a device.
    public var isDevice: Bool { code == ENODEV }
}

// Declared as in sys/xattr.h, which the module of glibc omits.
@_silgen_name("fgetxattr")
private func fgetxattr(
    _ descriptor: Int32, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawPointer?, _ size: Int
) -> Int
