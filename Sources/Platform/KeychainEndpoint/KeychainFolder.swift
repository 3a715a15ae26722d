// SPDX-License-Identifier: Apache-2.0

/// The folder of one user's keychain, and its files.
public struct KeychainFolder: Hashable, Sendable {
    public let path: String

    public init(path: String) { self.path = path }

    /// Locked by the one service that has the keychain open.
    public var lockPath: String { path + "/store.lock" }
    public var databasePath: String { path + "/keychain.db" }
    /// Copies of the database, one a day.
    public var snapshotsPath: String { path + "/snapshots" }
    public var deviceKeyPath: String { path + "/device.key" }
    /// The number of wrong PINs entered for the device key.
    public var pinAttemptsPath: String { path + "/device.tries" }
    /// The secret of the software token.
    public var softwareTokenPath: String { path + "/token.key" }
    /// The user's file keychains.
    public var filesPath: String { path + "/keychains" }
    public var auditPath: String { path + "/audit.log" }
}
