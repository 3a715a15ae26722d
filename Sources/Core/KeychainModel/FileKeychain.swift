// SPDX-License-Identifier: Apache-2.0

/// A keychain in its own file with its own password (Documentation/FileKeychains.md).
public struct FileKeychainReport: Hashable, Sendable {
    public enum State: UInt8, CaseIterable, Hashable, Sendable {
        /// The file does not exist.
        case missing = 0
        case locked = 1
        case unlocked = 2
        /// The file exists, but it is not a keychain, or it cannot be opened here.
        case unusable = 3
    }

    /// The absolute path of the file, whether it exists or not. The same file always has the same path.
    public let path: String
    public let state: State
    /// Nil unless the file exists and is usable.
    public let settings: FileKeychainSettings?
    /// Whether the service found the database damaged when it opened or checked it. False until then.
    public let isDamaged: Bool

    public init(path: String, state: State, settings: FileKeychainSettings? = nil, isDamaged: Bool = false) {
        self.path = path
        self.state = state
        self.settings = settings
        self.isDamaged = isDamaged
    }
}

/// The conditions under which a keychain locks automatically: Apple's `SecKeychainSettings`.
public struct FileKeychainSettings: Hashable, Sendable {
    public var locksOnSleep: Bool
    /// Seconds since the last use of an item; nil for never.
    public var idleLockSeconds: UInt32?

    public init(locksOnSleep: Bool, idleLockSeconds: UInt32?) {
        self.locksOnSleep = locksOnSleep
        self.idleLockSeconds = idleLockSeconds
    }

    /// The settings of a new keychain (semantics 8.2).
    public static let initial = FileKeychainSettings(locksOnSleep: true, idleLockSeconds: 300)
}

/// The owner of a list of keychains: Apple's `SecPreferencesDomain`, same numbers.
public enum PreferencesDomain: UInt8, CaseIterable, Hashable, Sendable {
    case user = 0
    case system = 1
    case common = 2
    /// Keychains of removable tokens. Not supported.
    case dynamic = 3
}

/// A default keychain and a search list. All are absolute paths, and the files need not exist.
public struct KeychainList: Hashable, Sendable {
    public var standard: String?
    public var searched: [String]

    public init(standard: String?, searched: [String]) {
        self.standard = standard
        self.searched = searched
    }

    /// The largest number of keychains; more are refused.
    public static let limit = 256
}
