// SPDX-License-Identifier: Apache-2.0

/// A keychain that is a file of its own, with a password of its own (Documentation/FileKeychains.md).
public struct FileKeychainReport: Hashable, Sendable {
    public enum State: UInt8, CaseIterable, Hashable, Sendable {
        /// There is no such file.
        case missing = 0
        case locked = 1
        case unlocked = 2
        /// There is a file, and it is no keychain, or none that can be opened here.
        case unusable = 3
    }

    /// Where the file is, or would be: an absolute path. The same file always has the same.
    public let path: String
    public let state: State
    /// Nil unless it is there and usable.
    public let settings: FileKeychainSettings?
    /// Its database was found damaged when the service opened it, or looked at it afterwards. False until then.
    public let isDamaged: Bool

    public init(path: String, state: State, settings: FileKeychainSettings? = nil, isDamaged: Bool = false) {
        self.path = path
        self.state = state
        self.settings = settings
        self.isDamaged = isDamaged
    }
}

/// When a keychain is locked by itself: Apple's `SecKeychainSettings`.
public struct FileKeychainSettings: Hashable, Sendable {
    public var locksOnSleep: Bool
    /// In seconds since somebody used an item; nil never.
    public var idleLockSeconds: UInt32?

    public init(locksOnSleep: Bool, idleLockSeconds: UInt32?) {
        self.locksOnSleep = locksOnSleep
        self.idleLockSeconds = idleLockSeconds
    }

    /// Of a new keychain (semantics 8.2).
    public static let initial = FileKeychainSettings(locksOnSleep: true, idleLockSeconds: 300)
}

/// Whose list of keychains: Apple's `SecPreferencesDomain`, same numbers.
public enum PreferencesDomain: UInt8, CaseIterable, Hashable, Sendable {
    case user = 0
    case system = 1
    case common = 2
    /// Keychains of tokens that come and go. There are none.
    case dynamic = 3
}

/// A default keychain and a search list. All are absolute paths, and none need be there.
public struct KeychainList: Hashable, Sendable {
    public var standard: String?
    public var searched: [String]

    public init(standard: String?, searched: [String]) {
        self.standard = standard
        self.searched = searched
    }

    /// More are refused.
    public static let limit = 256
}
