// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The entitlements that the keychain uses, and the rules for their values.
public enum EntitlementRules {
    /// A list of texts.
    public static let accessGroups = "keychain-access-groups"
    /// A text; the first of the two is the one of Apple's phones, the second the one of its computers.
    public static let applicationIdentifiers = ["application-identifier", "com.apple.application-identifier"]
    /// A list of texts.
    public static let applicationGroups = "com.apple.security.application-groups"
    /// The group of items on hardware tokens: readable by all programs that name it, and owned by none.
    public static let tokenGroup = "com.apple.token"

    /// A list of texts: identifiers of associated programs.
    public static let associatedIdentifiers = "com.apple.developer.associated-application-identifier"

    /// Returns the identifier that a program has without an entitlement for it.
    static func implicitIdentifier(of team: TeamIdentifier, _ identifier: SigningIdentifier) -> String {
        team.prefix + identifier.text
    }

    /// Returns the entitlements of a program to sign: with its identifier, if they name none. Apple's signers also add
    /// it to every program, so that each has a group of its own.
    ///
    /// Throws ``EntitlementError`` if there is no room for another entry.
    public static func completed(
        _ entitlements: Entitlements, of team: TeamIdentifier, _ identifier: SigningIdentifier
    ) throws(EntitlementError) -> Entitlements {
        guard applicationIdentifiers.allSatisfy({ entitlements[$0] == nil }) else { return entitlements }
        let own = Entitlements.Value.text(implicitIdentifier(of: team, identifier))
        let given = entitlements.entries.map { (key: $0.key, value: $0.value) }
        return try Entitlements(given + [(key: applicationIdentifiers[0], value: own)])
    }

    /// Returns the access groups that entitlements give, the default one first, each once: access groups, associated
    /// identifiers, the program's own identifier, application groups; the group of tokens is last. Empty if the
    /// entitlements name no group.
    ///
    /// A signature without the program's identifier counts as one with it: a version that was signed so keeps the items
    /// that the program stored without entitlements, and an application group, which it shares, is never its default
    /// group.
    ///
    /// Source: semantics 7.
    public static func groups(
        of entitlements: Entitlements, signedBy team: TeamIdentifier, as identifier: SigningIdentifier
    ) -> [String] {
        var groups: [String] = []
        // Compared as bytes, because `==` treats different spellings of a character as equal.
        var known: Set<[UInt8]> = [Array(tokenGroup.utf8)]
        func append(_ texts: [String]) {
            for text in texts where known.insert(Array(text.utf8)).inserted { groups.append(text) }
        }
        append(entitlements.texts(accessGroups))
        append(entitlements.texts(associatedIdentifiers))
        // A program has one of the two.
        if let key = applicationIdentifiers.first(where: { entitlements[$0] != nil }) {
            append(entitlements.texts(key))
        } else if [accessGroups, associatedIdentifiers, applicationGroups].contains(where: {
            !entitlements.texts($0).isEmpty
        }) {
            append([implicitIdentifier(of: team, identifier)])
        }
        append(entitlements.texts(applicationGroups))
        if entitlements.texts(accessGroups).contains(tokenGroup) { groups.append(tokenGroup) }
        return groups
    }

    /// A violation of the rules by an entitlement.
    public enum Violation: Error, Hashable, Sendable {
        /// The value has another type than the keychain expects.
        case notAList(key: String)
        case notAText(key: String)
        /// The value does not begin with the team's identifier and a full stop, or nothing follows them: it could
        /// belong to another team.
        case foreign(key: String, value: String)
    }

    /// Checks that a team grants only names of its own. Comparisons are exact, byte by byte.
    ///
    /// Throws the first violation in the order of the names. Entitlements with other names are ignored.
    public static func check(_ entitlements: Entitlements, of team: TeamIdentifier) throws(Violation) {
        for entry in entitlements.entries {
            let key = entry.key
            if applicationIdentifiers.contains(key) {
                guard case .text(let text) = entry.value else { throw .notAText(key: key) }
                guard isOwn(text, of: team) else { throw .foreign(key: key, value: text) }
            } else if [accessGroups, associatedIdentifiers, applicationGroups].contains(key) {
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
