// SPDX-License-Identifier: Apache-2.0

/// What a program's user or author can say to all client modules in it by environment variables. A program with more rights than its
/// user hears nothing: its environment is the word of somebody with fewer.
public enum ClientEnvironment {
    /// `CHATELAINE_REQUIRE_ENTITLEMENTS=1`: without entitlements, calls are refused with `errSecMissingEntitlement`, as on
    /// Apple's systems.
    public static var requiresEntitlements: Bool { ownVariable("CHATELAINE_REQUIRE_ENTITLEMENTS") == "1" }

    /// `CHATELAINE_PLAIN_CALLS=all`: `SecItem` calls that do not say which kind of keychain they are about go to both, as on
    /// macOS. Any other value means the data-protection keychain alone.
    public static var plainCallsReachFiles: Bool { ownVariable("CHATELAINE_PLAIN_CALLS") == "all" }
}
