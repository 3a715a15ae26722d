// SPDX-License-Identifier: Apache-2.0

/// Environment variables that configure all client modules of a program. A program with more rights than its user
/// ignores them, because a user with fewer rights controls its environment.
public enum ClientEnvironment {
    /// `CHATELAINE_REQUIRE_ENTITLEMENTS=1`: calls without entitlements are refused with `errSecMissingEntitlement`, as
    /// on Apple's systems.
    public static var requiresEntitlements: Bool { ownVariable("CHATELAINE_REQUIRE_ENTITLEMENTS") == "1" }

    /// `CHATELAINE_LOG=debug`: `import Security` logs the reason of each failed call, also in a program that does not set
    /// the level of its logging system.
    public static var logsReasons: Bool { ownVariable("CHATELAINE_LOG") == "debug" }

    /// `CHATELAINE_PLAIN_CALLS=all`: `SecItem` calls that do not name a kind of keychain use both kinds, as on macOS.
    /// Any other value means the data-protection keychain alone.
    public static var plainCallsReachFiles: Bool { ownVariable("CHATELAINE_PLAIN_CALLS") == "all" }
}
