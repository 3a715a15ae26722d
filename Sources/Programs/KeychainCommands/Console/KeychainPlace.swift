// SPDX-License-Identifier: Apache-2.0

/// The keychain that commands are about, as a person may know it.
public struct KeychainPlace: Hashable, Sendable {
    /// The path of its database, as `security` prints it.
    public var path: String
    /// It belongs to the service of the system, not to one of the user's own.
    public var isOfSystem: Bool
    /// The database of a keychain of the user's own that is there although another one is used.
    public var unusedPath: String?

    public init(path: String, isOfSystem: Bool = false, unusedPath: String? = nil) {
        self.path = path
        self.isOfSystem = isOfSystem
        self.unusedPath = unusedPath
    }
}
