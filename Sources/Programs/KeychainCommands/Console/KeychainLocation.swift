// SPDX-License-Identifier: Apache-2.0

/// The keychain of the commands, as shown to the user.
public struct KeychainLocation: Hashable, Sendable {
    /// The path of its database, as `security` prints it.
    public var path: String
    /// Whether the keychain belongs to the system service, and not to a user service.
    public var isOfSystem: Bool
    /// The database of a user's own keychain that exists although another keychain is used.
    public var unusedPath: String?

    public init(path: String, isOfSystem: Bool = false, unusedPath: String? = nil) {
        self.path = path
        self.isOfSystem = isOfSystem
        self.unusedPath = unusedPath
    }
}
