// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient

extension UserKeychain {
    /// Whether a keychain service is running for the environment's instance. Does not start a service; all other calls
    /// do.
    ///
    /// For programs that need a running service only, such as a program that locks it: a service that does not run
    /// holds no keys. The state may have changed when the result arrives.
    public static var isServiceRunning: Bool { KeychainClient.isServiceRunning }

    /// Calls a closure with a keychain on a connection of its own, which is closed afterwards.
    ///
    /// The connection of `UserKeychain()` stays open as long as the program runs. A program that runs for days and
    /// rarely uses the keychain should not keep it open: a service that systemd started exits when it has no
    /// connections.
    public static func withOwnConnection<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: (UserKeychain) async throws -> R
    ) async rethrows -> R {
        try await body(UserKeychain(.withOwnConnection()))
    }

    /// A keychain on a connection of its own, which requires entitlements as Apple's systems do: in a program without
    /// entitlements (`chatelaine codesign` adds them), all its calls fail with `.missingEntitlement`.
    ///
    /// `CHATELAINE_REQUIRE_ENTITLEMENTS=1` in the environment has the same effect on all calls of a program, including
    /// those of the module `Security`; `chatelaine settings set require-entitlements on` has it on all programs.
    public static func requiringEntitlements() -> UserKeychain { UserKeychain(.requiringEntitlements()) }
}
