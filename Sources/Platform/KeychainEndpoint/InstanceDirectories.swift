// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Where one instance of the service lives: a store and its socket.
///
/// After the XDG Base Directory Specification 0.8: variables that are unset, empty or not absolute are ignored.
public struct InstanceDirectories: Hashable, Sendable {
    /// The socket. Belongs to a login session; nobody else may as much as look into it.
    public let runtime: String
    /// The database, its lock, the device key, the audit log.
    public let data: String
    public let configuration: String

    public init(runtime: String, data: String, configuration: String) {
        self.runtime = runtime
        self.data = data
        self.configuration = configuration
    }

    /// The directories that `environment` and `account` name. Touches no file.
    ///
    /// - Parameters:
    ///   - environment: the value of a variable; nil where it is not set.
    ///   - account: looked for only where the environment does not say all.
    public init(environment: (_ name: String) -> String?, account: @autoclosure () -> Account) {
        func absolute(_ variable: String) -> String? {
            guard let value = environment(variable), value.hasPrefix("/") else { return nil }
            return value
        }
        var runtime = absolute("XDG_RUNTIME_DIR")
        let named = absolute("HOME")
        var home = named ?? ""
        var user: UInt32 = 0
        if runtime == nil || named == nil {
            let account = account()
            runtime = runtime ?? account.sessionDirectory
            home = named ?? account.home
            user = account.user
        }
        self.init(
            // Without a session's directory /tmp remains; prepareRuntime() refuses it when somebody else made it first.
            runtime: runtime.map { $0 + "/chatelaine" } ?? "/tmp/chatelaine-\(user)",
            data: (absolute("XDG_DATA_HOME") ?? home + "/.local/share") + "/chatelaine",
            configuration: (absolute("XDG_CONFIG_HOME") ?? home + "/.config") + "/chatelaine")
    }

    /// The directories of this process.
    public static func current() -> InstanceDirectories {
        InstanceDirectories(environment: environmentVariable, account: .current())
    }

    public var socketPath: String { runtime + "/socket" }
    public var keychain: KeychainFolder { KeychainFolder(path: data) }
}

/// What is known about a user apart from the environment.
public struct Account: Hashable, Sendable {
    public let user: UInt32
    /// From the user database.
    public let home: String
    /// The directory that pam_systemd or elogind made for the user's sessions, when it is there and the user's own.
    public let sessionDirectory: String?

    public init(user: UInt32, home: String, sessionDirectory: String?) {
        self.user = user
        self.home = home
        self.sessionDirectory = sessionDirectory
    }

    /// The account of this process.
    public static func current() -> Account {
        let user = getuid()
        return Account(
            user: user, home: homeDirectory(of: user) ?? "/",
            sessionDirectory: sessionDirectory(at: "/run/user/\(user)", of: user))
    }

    /// `path`, when it is a directory (not a link to one) of `user`.
    static func sessionDirectory(at path: String, of user: UInt32) -> String? {
        var facts = stat()
        // lstat fills the structure that it is given and keeps neither pointer.
        guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == user else {
            return nil
        }
        return path
    }

    private static func homeDirectory(of user: UInt32) -> String? {
        // The entry's strings lie in the buffer, so they are copied before it goes. 16 KiB is what glibc suggests, times 16.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer in
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard unsafe getpwuid_r(user, &entry, buffer.baseAddress!, buffer.count, &found) == 0,
                unsafe found != nil, let home = unsafe entry.pw_dir
            else { return nil }
            let path = unsafe String(cString: home)
            return path.hasPrefix("/") ? path : nil
        }
    }
}

/// A variable with which people steer this project's clients; nil in a program with more rights than its user.
func ownVariable(_ name: String) -> String? {
    guard let value = environmentVariable(name), !isPrivilegedProgram() else { return nil }
    return value
}

/// A variable of this process's environment.
func environmentVariable(_ name: String) -> String? {
    // Copied at once. A program that calls setenv in another thread at this moment breaks a rule of POSIX, not of ours.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}
