// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The service for a process's requests, and the user who must own the server of its socket.
///
/// The choice is made only here: the system service if it is installed, running or not; otherwise the user service.
/// `CHATELAINE_SERVICE` overrides it (see ``Choice``).
public struct ServiceEndpoint: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// A user service, which the first client starts.
        case user
        /// The system service, which only the administrator starts.
        case system
    }

    public let kind: Kind
    public let socketPath: String
    /// Locked while the service runs.
    public let lockPath: String
    /// The database of this user's items, for display.
    public let databasePath: String
    /// The users that the service may run as. The client sends nothing to a server of another user.
    let servers: [UInt32]

    /// The value of `CHATELAINE_SERVICE`.
    enum Choice: Hashable, Sendable {
        /// Not set, or empty.
        case usual
        case user
        /// With `system:/FOLDER`, the socket is in that folder instead of the usual one. That folder must also be in a
        /// place where only root can create it.
        case system(runtime: String?)

        /// Parses a value; nil if it is invalid.
        init?(_ value: String?) {
            switch value {
            case nil, "": self = .usual
            case "user": self = .user
            case "system": self = .system(runtime: nil)
            case let value? where value.hasPrefix("system:/"):
                self = .system(runtime: String(value.dropFirst("system:".count)))
            default: return nil
            }
        }
    }

    /// Returns the current endpoint of this process.
    ///
    /// - Throws: `.unknownService` for an invalid value of the variable, `.untrustedDirectory`, `.system`.
    public static func current() throws(EndpointError) -> ServiceEndpoint {
        let value = ownVariable("CHATELAINE_SERVICE")
        guard let choice = Choice(value) else { throw .unknownService(value ?? "") }
        return try ServiceEndpoint(choice, own: .current(), system: .usual)
    }

    /// Chooses an endpoint.
    ///
    /// - Parameter makers: the users who may own the folders above the system service's folder.
    init(
        _ choice: Choice, own: InstanceDirectories, system: SystemDirectories, makers: [UInt32] = [0]
    ) throws(EndpointError) {
        switch choice {
        case .user: self.init(own)
        case .usual:
            if let owner = try system.owner(makers: makers) { self.init(system, owner: owner) } else { self.init(own) }
        case .system(let runtime):
            let system = runtime.map { SystemDirectories(runtime: $0, state: system.state) } ?? system
            guard let owner = try system.owner(makers: makers) else {
                throw .notRunning(path: system.socketPath, hint: "this machine has no system service")
            }
            self.init(system, owner: owner)
        }
    }

    /// Creates the endpoint of a user service.
    public init(_ directories: InstanceDirectories) {
        kind = .user
        socketPath = directories.socketPath
        lockPath = directories.keychain.lockPath
        databasePath = directories.keychain.databasePath
        servers = [getuid(), geteuid()]
    }

    private init(_ directories: SystemDirectories, owner: UInt32) {
        kind = .system
        socketPath = directories.socketPath
        lockPath = directories.lockPath
        databasePath = directories.keychain(of: getuid()).databasePath
        // The service manager listens as root, and passes the socket on.
        servers = [owner, 0]
    }

    /// The path of the database of a user service's keychain that exists but is not used, because the system service
    /// is.
    public var unusedDatabasePath: String? {
        guard kind == .system else { return nil }
        let path = InstanceDirectories.current().keychain.databasePath
        var facts = stat()
        // The call reads the path and fills the structure.
        return unsafe stat(path, &facts) == 0 ? path : nil
    }
}

/// Returns whether this program has more rights than the user who started it: set-user-id, set-group-id, file
/// capabilities.
func isPrivilegedProgram() -> Bool {
    guard getuid() == geteuid(), getgid() == getegid() else { return true }
    // getauxval is not importable. The kernel denies shielded processes access to this file.
    guard let vector = SmallFile.bytes(at: "/proc/self/auxv") else { return true }
    return AuxiliaryVector(vector).isSecure
}

/// The auxiliary vector that the kernel gives a program at its start (getauxval(3)): pairs of words.
struct AuxiliaryVector: Hashable, Sendable {
    /// Whether the kernel started the program in secure-execution mode, or the vector does not say.
    let isSecure: Bool

    init(_ bytes: [UInt8]) {
        let size = MemoryLayout<UInt>.size
        func word(_ index: Int) -> UInt {
            // Lowest byte first, as on both supported architectures.
            (0..<size).reversed().reduce(0) { $0 << 8 | UInt(bytes[index * size + $1]) }
        }
        // AT_SECURE
        let place = stride(from: 0, to: bytes.count / size - 1, by: 2).first { word($0) == 23 }
        isSecure = place.map { word($0 + 1) != 0 } ?? true
    }
}
