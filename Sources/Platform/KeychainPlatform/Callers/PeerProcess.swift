// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// The process at the other end of a connection.
///
/// All facts are read through handles that were opened while the process was known to be alive, so a reused process ID
/// gives no facts. The program of a process can change (exec, unshare) while it lives: compare a fresh ``snapshot()``
/// with the first one at every request.
///
/// Limit, with unprivileged user namespaces: a process can make /proc/PID/exe name another program (PR_SET_MM_MAP), and
/// programs of the same user can attach to each other. Only programs that the kernel shields (setgid, file
/// capabilities) are protected against that.
public final class PeerProcess: Sendable {
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The process has ended.
        case exited
        /// The process runs another program than when it connected.
        case replacedProgram
        /// The kernel denies access: the process is not dumpable, or has more rights than this process.
        case notInspectable(SystemCallError)
        /// The descriptor or number names no process: it names a thread, or nothing that runs.
        case notAProcess
        case system(SystemCallError)
    }

    public let pid: Int32
    public let user: UInt32
    /// The *effective* group at connect: the group of a setgid program.
    public let group: UInt32
    /// The start time, in ticks since boot.
    public let start: UInt64
    /// Whether the kernel passed a handle of the process itself (SO_PEERPIDFD, Linux 6.5). If false, the kernel gave
    /// only a process ID. A new process could have got that ID before the lookup, if the peer ended after it connected.
    public let isNamedByKernel: Bool

    let process: OwnedDescriptor
    /// /proc/PID, opened while the process lived: it stays with that process, even if another process gets the ID
    /// later.
    let directory: OwnedDescriptor
    /// A handle to the memory that the process had when it connected. See ``memoryIsInUse()``.
    private let memory: OwnedDescriptor?

    /// Creates the process that connected, or, after a fork, whichever of the two called connect.
    public convenience init(of connection: ServerConnection) throws(Error) {
        try self.init(of: connection) { SocketOption.value(SocketOption.peerProcess, of: $0) }
    }

    /// Creates a process that is not a peer, by its ID: for inspection, never for service.
    ///
    /// Throws `.exited` if no such process exists.
    public convenience init(lookingAt pid: Int32) throws(Error) {
        try self.init(pid: pid, process: try Self.open(ckp_pidfd_open(pid), "pidfd_open"))
    }

    /// Creates the process that a pidfd names, which another process passed.
    ///
    /// Throws `.exited` if it has ended, and `.notAProcess` for any other descriptor and for the pidfd of a thread.
    package convenience init(named pidfd: OwnedDescriptor) throws(Error) {
        // pidfd_open(2): the number is in the descriptor's facts, -1 once the process has ended, and 0 for a process
        // outside this process's namespace. A file of another kind has no such line.
        let facts = SmallFile.text("/proc/self/fdinfo/\(pidfd.number)", in: AT_FDCWD) ?? ""
        guard let line = facts.split(separator: "\n").first(where: { $0.hasPrefix("Pid:\t") }),
            let number = Int32(line.dropFirst("Pid:\t".count))
        else { throw .notAProcess }
        guard number > 0 else { throw .exited }
        try self.init(pid: number, process: pidfd)
    }

    private convenience init(pid: Int32, process: OwnedDescriptor) throws(Error) {
        let directory = try Self.directory(of: pid)
        let status = SmallFile.text("status", in: directory.number) ?? ""
        guard let user = Self.effectiveNumber("Uid:", status), let group = Self.effectiveNumber("Gid:", status) else {
            throw .exited
        }
        // The directory of a thread can be opened as well. Another thread may run other code in the name of the process.
        guard Self.numbers("Tgid:", status) == [UInt32(pid)] else { throw .notAProcess }
        try self.init(pid: pid, user: user, group: group, isNamedByKernel: true, process: process, directory: directory)
        guard isAlive else { throw .exited }
    }

    /// Returns the second of four IDs: real, effective, saved, and that of the file system (proc_pid_status(5)).
    private static func effectiveNumber(_ name: String, _ status: String) -> UInt32? {
        guard let all = numbers(name, status), all.count == 4 else { return nil }
        return all[1]
    }

    /// Returns the numbers of a line; nil if the line is missing or contains anything else.
    private static func numbers(_ name: String, _ status: String) -> [UInt32]? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        let fields = line.dropFirst(name.count).split { $0 == "\t" || $0 == " " }
        let numbers = fields.compactMap { UInt32($0) }
        return numbers.count == fields.count ? numbers : nil
    }

    private init(
        pid: Int32, user: UInt32, group: UInt32, isNamedByKernel: Bool, process: OwnedDescriptor,
        directory: OwnedDescriptor
    ) throws(Error) {
        self.pid = pid
        self.user = user
        self.group = group
        self.isNamedByKernel = isNamedByKernel
        self.process = process
        self.directory = directory
        memory = try Self.openMemory(of: directory)
        start = try Self.start(directory)
    }

    private static func start(_ directory: OwnedDescriptor) throws(Error) -> UInt64 {
        guard let line = SmallFile.text("stat", in: directory.number).flatMap(ProcessLine.init) else { throw .exited }
        return line.start
    }

    private static func directory(of pid: Int32) throws(Error) -> OwnedDescriptor {
        // The path is only read.
        try open(unsafe Glibc.open("/proc/\(pid)", openPathOnly | O_DIRECTORY | O_CLOEXEC), "open")
    }

    convenience init(of connection: ServerConnection, processHandle: (Int32) -> Int32) throws(Error) {
        guard let credentials = PeerCredentials(connection.descriptor) else { throw .system(.last("getsockopt")) }
        let pid = credentials.process
        guard pid > 0 else { throw .notInspectable(SystemCallError(call: "getsockopt", code: ESRCH)) }
        let named = processHandle(connection.descriptor)
        let process = try Self.open(named >= 0 ? named : ckp_pidfd_open(pid), "pidfd_open")
        try self.init(
            pid: pid, user: credentials.user, group: credentials.group, isNamedByKernel: named >= 0, process: process,
            directory: try Self.directory(of: pid))
        // Only this check proves that the directory opened by ID belongs to the process behind the handle. Without
        // SO_PEERPIDFD the handle was also opened by ID; then the other end of the connection must still be open as
        // well.
        guard isAlive, isNamedByKernel || !Readiness.isHungUp(connection.descriptor) else { throw .exited }
    }

    /// Ends the process with SIGTERM if it runs the same program as this process for the same user, and waits.
    ///
    /// The path of the program decides. A program whose file an update has replaced counts as well.
    ///
    /// - Returns: whether the process has ended; false for another program, and after the time limit.
    public func endIfOwnProgram(within timeout: Duration) -> Bool {
        guard user == geteuid(), pid != getpid(), let own = OwnExecutable.path,
            let path = try? linkTarget("exe", directory.number), path == own || path == own + " (deleted)",
            ckp_pidfd_send_signal(process.number, SIGTERM) == 0
        else { return false }
        return (try? Readiness.wait(for: [process.number], timeout: timeout))?.isEmpty == false
    }

    public var isAlive: Bool { !Readiness.isReadable(process.number) }

    /// Returns whether `sender` is this process: false for a child or for a process that received the socket.
    public func sent(_ sender: ServerConnection.Sender?) -> Bool {
        guard let sender else { return false }
        return sender.pid == pid
    }

    /// The current program and namespace of the process.
    public struct Snapshot: Hashable, Sendable {
        public let executableDevice: UInt
        public let executableInode: UInt
        /// Addresses that the kernel chose at exec: of the 16 random bytes (AT_RANDOM), the vDSO (AT_SYSINFO_EHDR) and
        /// the entry point (AT_ENTRY). They differ between two runs of the same program while addresses are randomised.
        /// A process may switch that off, or rewrite its auxiliary vector, so ``memoryIsInUse()`` is checked as well.
        let addresses: [3 of UInt]
        /// False for a process in another user namespace. Such a process may claim any sender's process ID and show any
        /// file as its executable, so all other facts about it are unverified.
        public let isInOurUserNamespace: Bool

        public static func == (one: Snapshot, other: Snapshot) -> Bool {
            one.executableDevice == other.executableDevice && one.executableInode == other.executableInode
                && one.isInOurUserNamespace == other.isInOurUserNamespace
                && one.addresses.indices.allSatisfy { one.addresses[$0] == other.addresses[$0] }
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(executableDevice)
            hasher.combine(executableInode)
            hasher.combine(addresses[0])
        }
    }

    /// Reads the current state of the process, in a few microseconds. Equal snapshots mean the same run of the same
    /// program.
    ///
    /// Throws `.exited`, `.replacedProgram`, and `.notInspectable` if the kernel denies access.
    public func snapshot() throws(Error) -> Snapshot {
        guard memoryIsInUse() else { throw isAlive ? .replacedProgram : .exited }
        let executable = try status("exe")
        let namespace = try status("ns/user")
        let own = try UserNamespace.own.get()
        return Snapshot(
            executableDevice: UInt(executable.st_dev), executableInode: UInt(executable.st_ino),
            addresses: try addresses(), isInOurUserNamespace: own.isDescribed(by: namespace))
    }

    /// Returns false once the process has called exec.
    ///
    /// An open /proc/PID/pagemap stays with the memory at the time of opening, and the kernel reads nothing from it
    /// when no process uses that memory any more. Unlike addresses, a process cannot forge this; only a process that
    /// had shared its memory with a second process beforehand (CLONE_VM) keeps the memory in use over exec.
    private func memoryIsInUse() -> Bool {
        guard let memory else { return true }
        var entry: UInt64 = 0
        // Writes at most the eight bytes of `entry`: the entry of the page at address 0, which is ignored.
        return unsafe pread(memory.number, &entry, 8, 0) == 8
    }

    private func status(_ name: StaticString) throws(Error) -> stat {
        var facts = stat()
        // Follows the link; reads the name, which ends with a zero byte, and fills the structure.
        guard
            unsafe fstatat(
                directory.number, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self), &facts, 0) == 0
        else { throw Self.failure("fstatat") }
        return facts
    }

    private func addresses() throws(Error) -> [3 of UInt] {
        // The name is only read.
        let file = unsafe openat(directory.number, "auxv", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure("openat") }
        defer { close(file) }
        // Pairs of words. 512 bytes hold the vector of current kernels (about 350 bytes); the start of a longer vector
        // is enough.
        var words = [64 of UInt](repeating: 0)
        let byteCount = MemoryLayout.size(ofValue: words)
        // The call writes at most the array's size.
        let count = unsafe read(file, &words, byteCount)
        // Zero: the process has ended and has no memory.
        guard count > 0 else { throw count == 0 ? .exited : Self.failure("read") }
        var addresses: [3 of UInt] = [0, 0, 0]
        for index in stride(from: 0, to: count / MemoryLayout<UInt>.size - 1, by: 2) {
            switch words[index] {
            case 25: addresses[0] = words[index + 1]  // AT_RANDOM
            case 33: addresses[1] = words[index + 1]  // AT_SYSINFO_EHDR
            case 9: addresses[2] = words[index + 1]  // AT_ENTRY
            default: continue
            }
        }
        return addresses
    }

    /// Returns the process's control group (cgroup v2), such as `/system.slice/mail.service`, as seen by this process;
    /// nil if it cannot be determined.
    public func controlGroup() -> String? {
        // cgroups(7): the line of the single hierarchy of version 2.
        let lines = SmallFile.text("cgroup", in: directory.number)?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix("0::") }.map { String($0.dropFirst(3)) }
    }

    /// Returns whether the process connected with this group as its effective one, and has it from its set-group-id
    /// executable alone. A member of the group can have it with any program. False if it cannot be determined.
    public func hasGroupOfFileAlone(_ group: UInt32) -> Bool {
        guard self.group == group, let status = SmallFile.text("status", in: directory.number),
            let all = Self.numbers("Gid:", status), all.count == 4, let supplementary = Self.numbers("Groups:", status)
        else { return false }
        return all[0] != group && all[1] == group && !supplementary.contains(group)
    }

    /// Returns whether the process has all of these capabilities (capabilities(7)), a bit for each; false if it cannot
    /// be determined.
    public func holds(_ capabilities: UInt64) -> Bool {
        let lines = SmallFile.text("status", in: directory.number)?.split(separator: "\n") ?? []
        guard let line = lines.first(where: { $0.hasPrefix("CapPrm:") }),
            let held = UInt64(line.dropFirst("CapPrm:".count).drop { $0 == "\t" || $0 == " " }, radix: 16)
        else { return false }
        return held & capabilities == capabilities
    }

    private static func openMemory(of directory: OwnedDescriptor) throws(Error) -> OwnedDescriptor? {
        do throws(SystemCallError) {
            // The name is only read.
            let file = unsafe openat(directory.number, "pagemap", O_RDONLY | O_CLOEXEC)
            return try OwnedDescriptor(file, from: "openat")
        } catch {
            // ENOENT: a kernel without CONFIG_PROC_PAGE_MONITOR, or the process is gone, which the next call reports.
            // EACCES and EPERM are left to the snapshot to report, because the caller may need only the credentials.
            switch error.code {
            case ENOENT, EACCES, EPERM: return nil
            case ESRCH: throw .exited
            default: throw .system(error)
            }
        }
    }

    private static func open(_ number: Int32, _ call: String) throws(Error) -> OwnedDescriptor {
        do throws(SystemCallError) {
            return try OwnedDescriptor(number, from: call)
        } catch {
            throw error.code == ESRCH || error.code == ENOENT ? .exited : .system(error)
        }
    }

    static func failure(_ call: String) -> Error {
        switch errno {
        // ENOENT: a zombie has no executable.
        case ESRCH, ENOENT: .exited
        case EACCES, EPERM: .notInspectable(.last(call))
        default: .system(.last(call))
        }
    }
}

/// A user namespace (user_namespaces(7)).
private struct UserNamespace: Sendable {
    /// The user namespace of this process.
    static let own = Result { () throws(PeerProcess.Error) in try UserNamespace() }

    /// Kept open, though no code reads from it: if no handle is open, the kernel makes the namespace's inode anew for
    /// each stat, which takes three times as long as the stat itself.
    private let descriptor: OwnedDescriptor
    private let device: dev_t
    private let inode: ino_t

    private init() throws(PeerProcess.Error) {
        do throws(SystemCallError) {
            // The path is only read.
            descriptor = try OwnedDescriptor(unsafe open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC), from: "open")
            let facts = try descriptor.status()
            device = facts.st_dev
            inode = facts.st_ino
        } catch {
            throw .system(error)
        }
    }

    func isDescribed(by facts: stat) -> Bool { facts.st_dev == device && facts.st_ino == inode }
}
