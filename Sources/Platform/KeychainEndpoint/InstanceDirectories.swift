// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The directories of one instance of the service: a store and its socket.
///
/// They follow the XDG Base Directory Specification 0.8: variables that are unset, empty or not absolute are ignored.
public struct InstanceDirectories: Hashable, Sendable {
    /// The directory of the socket. Belongs to a login session; no other user may read it.
    public let runtime: String
    /// The database, its lock, the device key, the audit log.
    public let data: String
    public let configuration: String

    public init(runtime: String, data: String, configuration: String) {
        self.runtime = runtime
        self.data = data
        self.configuration = configuration
    }

    /// Finds the directories that `environment` and `account` name. Touches no file.
    ///
    /// - Parameters:
    ///   - environment: returns the value of a variable; nil if it is not set.
    ///   - account: evaluated only if the environment is incomplete.
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
            // Without a session directory /tmp remains; prepareRuntime() refuses the folder if another user made it
            // first.
            runtime: runtime.map { $0 + "/chatelaine" } ?? "/tmp/chatelaine-\(user)",
            data: (absolute("XDG_DATA_HOME") ?? home + "/.local/share") + "/chatelaine",
            configuration: (absolute("XDG_CONFIG_HOME") ?? home + "/.config") + "/chatelaine")
    }

    /// Returns the directories of this process.
    public static func current() -> InstanceDirectories {
        InstanceDirectories(environment: environmentVariable, account: .current())
    }

    public var socketPath: String { runtime + "/socket" }
    public var keychain: KeychainFolder { KeychainFolder(path: data) }
}

/// The facts about a user outside the environment.
public struct Account: Hashable, Sendable {
    public let user: UInt32
    /// From the user database.
    public let home: String
    /// The directory that pam_systemd or elogind made for the user's sessions; nil unless it exists and belongs to the
    /// user.
    public let sessionDirectory: String?

    public init(user: UInt32, home: String, sessionDirectory: String?) {
        self.user = user
        self.home = home
        self.sessionDirectory = sessionDirectory
    }

    /// Returns the account of this process.
    public static func current() -> Account {
        let user = getuid()
        return Account(
            user: user, home: homeDirectory(of: user) ?? "/",
            sessionDirectory: sessionDirectory(at: "/run/user/\(user)", of: user))
    }

    /// Returns `path` if it is a directory (not a link to one) of `user`.
    static func sessionDirectory(at path: String, of user: UInt32) -> String? {
        var facts = stat()
        // lstat fills the given structure and keeps neither pointer.
        guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == user else {
            return nil
        }
        return path
    }

    private static func homeDirectory(of user: UInt32) -> String? {
        // The entry's strings are in the buffer, so they are copied before it is released. 16 KiB is 16 times the size
        // that glibc suggests.
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

/// Returns a variable that configures this project's clients; nil in a program with more rights than its user.
func ownVariable(_ name: String) -> String? {
    guard let value = environmentVariable(name), !isPrivilegedProgram() else { return nil }
    return value
}

/// Returns a variable of this process's environment.
func environmentVariable(_ name: String) -> String? {
    // Copied immediately. A program that calls setenv in another thread at this moment violates a rule of POSIX.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}
