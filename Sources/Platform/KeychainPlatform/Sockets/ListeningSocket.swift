// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
public import KeychainEndpoint

/// The socket on which the service waits for clients.
///
/// Every accepted connection reports the sending process with each message: SO_PASSCRED is set here, and the kernel
/// copies it to the sockets of clients that connect from then on. Clients that connected earlier, to a socket of the
/// service manager, get it when they are accepted: messages that they sent before have no sender, and are refused.
public final class ListeningSocket: Sendable {
    public enum Error: Swift.Error, Hashable, Sendable {
        /// Another service listens at `path`.
        case inUse(path: String)
        /// A file that is not a socket exists at `path`.
        case notSocket(path: String)
        /// The service manager did not pass exactly one listening Unix stream socket.
        case unusableActivation(reason: String)
        case endpoint(EndpointError)
        case system(SystemCallError)
    }

    private let socket: OwnedDescriptor
    /// The file to remove at the end; nil for a socket of the service manager, which keeps it.
    private let file: BoundFile?

    private struct BoundFile {
        let path: String
        let device: UInt
        let inode: UInt
    }

    /// Listens at `path`. A socket file without a listener is replaced.
    ///
    /// The socket is bound under another name and renamed when it listens, so that no client finds it unready.
    ///
    /// - Parameter mode: the mode of the socket file, which decides who may connect.
    public init(bindingTo path: String, mode: UInt32 = 0o600, backlog: Int32 = 128) throws(Error) {
        let address = try Self.address(path)
        let temporary = try Self.address(path + ".\(getpid())")
        try Self.refuseLiving(address)
        do throws(SystemCallError) {
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            socket = try OwnedDescriptor(Glibc.socket(AF_UNIX, type, 0), from: "socket")
            let number = socket.number
            // A killed process with the same ID left it behind. All paths here are only read.
            unsafe unlink(temporary.path)
            guard unsafe temporary.withSocketAddress({ unsafe bind(number, $0, $1) }) == 0 else { throw .last("bind") }
            do throws(SystemCallError) {
                guard unsafe chmod(temporary.path, mode) == 0 else { throw .last("chmod") }
                try Self.listen(number, backlog: backlog)
                guard let facts = try linkStatus(temporary.path) else { throw .init(call: "lstat", code: ENOENT) }
                guard unsafe rename(temporary.path, path) == 0 else { throw .last("rename") }
                file = BoundFile(path: path, device: UInt(facts.st_dev), inode: UInt(facts.st_ino))
            } catch {
                unsafe unlink(temporary.path)
                throw error
            }
        } catch {
            throw .system(error)
        }
    }

    /// Returns the socket that systemd opened for this process (sd_listen_fds(3)), or nil if it opened none. Removes
    /// the variables, so that no child process takes the descriptor for its own. Call before threads exist.
    public static func adoptFromServiceManager() throws(Error) -> ListeningSocket? {
        var environment: [String: String] = [:]
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
            // Copied immediately, before the variable is removed.
            if let value = unsafe getenv(name) { environment[name] = unsafe String(cString: value) }
            unsafe unsetenv(name)
        }
        return try adopt(environment: environment, firstDescriptor: 3)
    }

    static func adopt(environment: [String: String], firstDescriptor: Int32) throws(Error) -> ListeningSocket? {
        guard let pid = environment["LISTEN_PID"], pid == String(getpid()) else { return nil }
        guard environment["LISTEN_FDS"] == "1" else {
            throw .unusableActivation(reason: "LISTEN_FDS is \(environment["LISTEN_FDS"] ?? "missing"), expected 1")
        }
        guard SocketOption.value(SO_DOMAIN, of: firstDescriptor) == AF_UNIX,
            SocketOption.value(SO_TYPE, of: firstDescriptor) == Int32(SOCK_STREAM.rawValue),
            SocketOption.value(SO_ACCEPTCONN, of: firstDescriptor) == 1
        else {
            throw .unusableActivation(reason: "descriptor \(firstDescriptor) is not a listening Unix stream socket")
        }
        do throws(SystemCallError) {
            let socket = try OwnedDescriptor(firstDescriptor, from: "LISTEN_FDS")
            guard fcntl(firstDescriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw .last("fcntl") }
            guard SocketOption.passCredentials(firstDescriptor) == 0 else { throw .last("setsockopt") }
            return ListeningSocket(adopting: socket)
        } catch {
            throw .system(error)
        }
    }

    private init(adopting socket: OwnedDescriptor) {
        self.socket = socket
        file = nil
    }

    /// Removes the socket file if this object made it, so that the file of a successor stays.
    deinit {
        guard let file else { return }
        var facts = stat()
        // The paths are only read. A successor cannot replace the file between the check and the removal, because it
        // takes the instance lock first.
        guard unsafe lstat(file.path, &facts) == 0, facts.st_dev == file.device, facts.st_ino == file.inode else {
            return
        }
        unsafe unlink(file.path)
    }

    /// For polling: readable when a client waits.
    public var descriptor: Int32 { socket.number }

    /// Waits for the next client and returns its connection.
    ///
    /// Errors that concern one connection only are `.system` with ECONNABORTED, EINTR, EMFILE, ENFILE, ENOBUFS, ENOMEM:
    /// log them and continue.
    public func accept() throws(Error) -> ServerConnection {
        do throws(SystemCallError) {
            let accepted = try OwnedDescriptor(ckp_accept(socket.number), from: "accept4")
            // Not every service manager has systemd's PassCredentials=, and not every unit sets it.
            if file == nil, SocketOption.passCredentials(accepted.number) != 0 { throw .last("setsockopt") }
            return ServerConnection(accepted)
        } catch {
            throw .system(error)
        }
    }

    private static func listen(_ number: Int32, backlog: Int32) throws(SystemCallError) {
        guard SocketOption.passCredentials(number) == 0 else { throw .last("setsockopt") }
        guard Glibc.listen(number, backlog) == 0 else { throw .last("listen") }
    }

    private static func address(_ path: String) throws(Error) -> UnixAddress {
        do throws(EndpointError) {
            return try UnixAddress(path: path)
        } catch {
            throw .endpoint(error)
        }
    }

    private static func refuseLiving(_ address: UnixAddress) throws(Error) {
        let existing: stat?
        do throws(SystemCallError) {
            existing = try linkStatus(address.path)
        } catch {
            throw .system(error)
        }
        guard let existing else { return }
        guard existing.st_mode & S_IFMT == S_IFSOCK else { throw .notSocket(path: address.path) }
        do throws(EndpointError) {
            _ = try EndpointSocket(connectingTo: address.path, timeout: .milliseconds(500))
        } catch {
            // Stale only if the kernel reports that no process listens; a full backlog or another user's server is a
            // listener.
            switch error {
            case .notRunning: return
            case .foreignServer, .timedOut: break
            case .socketPathTooLong, .unknownService, .untrustedDirectory, .launchFailed, .closed, .system:
                throw .endpoint(error)
            }
        }
        throw .inUse(path: address.path)
    }
}

extension ListeningSocket.Error: CustomStringConvertible {
    public var description: String {
        switch self {
        case .inUse(let path): "another service listens at \(path)"
        case .notSocket(let path): "\(path) is not a socket; move it away"
        case .unusableActivation(let reason): reason
        case .endpoint(let error): "\(error)"
        case .system(let error): "\(error)"
        }
    }
}
