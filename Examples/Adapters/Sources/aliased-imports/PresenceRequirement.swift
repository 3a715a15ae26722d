// SPDX-License-Identifier: Apache-2.0

private import Security

/// The requirement of owner authentication. No declaration outside of this file shows a type of `Security`.
enum PresenceRequirement {
    /// Whether the system accepts the requirement.
    static var isSupported: Bool { accessControl != nil }

    private static var accessControl: SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
    }
}
