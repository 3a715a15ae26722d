// SPDX-License-Identifier: Apache-2.0

/// Which entitlements mean something to the keychain, and what their values may be.
public enum EntitlementRules {
    /// A list of texts.
    public static let accessGroups = "keychain-access-groups"
    /// A text; the first of the two is the one of Apple's phones, the second the one of its computers.
    public static let applicationIdentifiers = ["application-identifier", "com.apple.application-identifier"]
    /// A list of texts.
    public static let applicationGroups = "com.apple.security.application-groups"
    /// The group of what is on hardware tokens: readable by all who name it, and nobody's own.
    public static let tokenGroup = "com.apple.token"

    /// What is wrong with an entitlement.
    public enum Violation: Error, Hashable, Sendable {
        /// The value has another type than the keychain expects.
        case notAList(key: String)
        case notAText(key: String)
        /// The value does not begin with the team's identifier and a full stop, or nothing follows them: it would be
        /// somebody else's.
        case foreign(key: String, value: String)
    }

    /// Checks that a team gives away nothing that is not its own. Comparisons are exact, byte by byte.
    ///
    /// Throws the first violation in the order of the names. Entitlements with other names are not looked at.
    public static func check(_ entitlements: Entitlements, of team: TeamIdentifier) throws(Violation) {
        for entry in entitlements.entries {
            let key = entry.key
            if applicationIdentifiers.contains(key) {
                guard case .text(let text) = entry.value else { throw .notAText(key: key) }
                guard isOwn(text, of: team) else { throw .foreign(key: key, value: text) }
            } else if key == accessGroups || key == applicationGroups {
                guard case .list(let texts) = entry.value else { throw .notAList(key: key) }
                for text in texts where !isOwn(text, of: team) && !(key == accessGroups && text == tokenGroup) {
                    throw .foreign(key: key, value: text)
                }
            }
        }
    }

    private static func isOwn(_ text: String, of team: TeamIdentifier) -> Bool {
        text.utf8.starts(with: team.prefix.utf8) && text.utf8.count > team.prefix.utf8.count
    }
}
