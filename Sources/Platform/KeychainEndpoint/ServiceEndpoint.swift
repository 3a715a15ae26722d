// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The service that a process's requests go to, and who has to be behind its socket.
///
/// It is chosen here and nowhere else: the service of the system where that is installed, running or not; otherwise the
/// user's own. `CHATELAINE_SERVICE` says otherwise (see ``Choice``).
public struct ServiceEndpoint: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// A service of this user, which the first client starts.
        case user
        /// The service of the whole machine, which only its administrator starts.
        case system
    }

    public let kind: Kind
    public let socketPath: String
    /// Locked as long as the service runs.
    public let lockPath: String
    /// The database that this user's items are in, as a person may know it.
    public let databasePath: String
    /// The users as whom the service may run. Whoever else listens is told nothing.
    let servers: [UInt32]

    /// What `CHATELAINE_SERVICE` says.
    enum Choice: Hashable, Sendable {
        /// Not set, or empty.
        case usual
        case user
        /// With `system:/FOLDER`, its socket is in that folder instead of the usual one. Only root can have made that one, too.
        case system(runtime: String?)

        /// Nil for a value that means nothing.
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

    /// The endpoint of this process, as things are now.
    ///
    /// - Throws: `.unknownService` for a value of the variable that means nothing, `.untrustedDirectory`, `.system`.
    public static func current() throws(EndpointError) -> ServiceEndpoint {
        let value = ownVariable("CHATELAINE_SERVICE")
        guard let choice = Choice(value) else { throw .unknownService(value ?? "") }
        return try ServiceEndpoint(choice, own: .current(), system: .usual)
    }

    /// - Parameter makers: who may have made the folder of a service of the system.
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
                throw .notRunning(path: system.socketPath, hint: "this machine has no keychain service of the system")
            }
            self.init(system, owner: owner)
        }
    }

    /// The service of one user.
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

    /// A keychain of the user's own that is there although the system's is used: the path of its database.
    public var unusedDatabasePath: String? {
        guard kind == .system else { return nil }
        let path = InstanceDirectories.current().keychain.databasePath
        var facts = stat()
        // The path is read, and the structure filled.
        return unsafe stat(path, &facts) == 0 ? path : nil
    }
}

/// Whether this program has more rights than who started it: set-user-id, set-group-id, file capabilities.
func isPrivilegedProgram() -> Bool {
    guard getuid() == geteuid(), getgid() == getegid() else { return true }
    // getauxval is not importable. The kernel closes this file to processes that it shields.
    guard let vector = SmallFile.bytes(at: "/proc/self/auxv") else { return true }
    return AuxiliaryVector(vector).isSecure
}

/// What the kernel told a program at its start (getauxval(3)): pairs of words.
struct AuxiliaryVector: Hashable, Sendable {
    /// The kernel started the program in secure-execution mode, or did not say.
    let isSecure: Bool

    init(_ bytes: [UInt8]) {
        let size = MemoryLayout<UInt>.size
        func word(_ index: Int) -> UInt {
            // Lowest byte first, as on both architectures that the service knows.
            (0..<size).reversed().reduce(0) { $0 << 8 | UInt(bytes[index * size + $1]) }
        }
        // AT_SECURE
        let place = stride(from: 0, to: bytes.count / size - 1, by: 2).first { word($0) == 23 }
        isSecure = place.map { word($0 + 1) != 0 } ?? true
    }
}
