// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

extension UserKeychain {
    /// Whether a keychain service is running now for the environment's instance. Starts none, as all other calls do.
    ///
    /// For programs that concern themselves with a running service only, such as one that locks it: a service that does not
    /// run holds no keys. The answer may be old when it arrives.
    public static var isServiceRunning: Bool { KeychainClient.isServiceRunning }

    /// Calls a closure with a keychain that has a connection of its own, which is closed afterwards.
    ///
    /// The connection of `UserKeychain()` stays as long as the program. A program that runs for days and needs the keychain
    /// now and then should not keep it: a service that systemd started ends when nobody is connected.
    public static func withOwnConnection<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: (UserKeychain) async throws -> R
    ) async rethrows -> R {
        try await body(UserKeychain(.withOwnConnection()))
    }

    /// A keychain, with a connection of its own, that demands entitlements as Apple's systems do: in a program without any
    /// (`chatelaine codesign` gives them), all its calls fail with `.missingEntitlement`.
    ///
    /// `CHATELAINE_REQUIRE_ENTITLEMENTS=1` in the environment does the same for all calls of a program, those of the module
    /// `Security` among them; `chatelaine settings set require-entitlements on` for all programs.
    public static func requiringEntitlements() -> UserKeychain { UserKeychain(.requiringEntitlements()) }

    /// Whether the keychain's settings want it locked before the machine sleeps.
    public var locksOnSleep: Bool {
        get async throws(KeychainError) {
            try await run("read the settings") { client throws(ClientError) in
                try client.settings()[.locksOnSleep] ?? Setting.locksOnSleep.defaultValue
            } != 0
        }
    }
}
