// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// Whether calls may prompt the user.
public enum Interaction: Hashable, Sendable, CaseIterable {
    /// Calls prompt for the required authentication.
    case allow
    /// Calls that would prompt fail with `.interactionNotAllowed`.
    case fail
    /// Items that would require a prompt are left out. Only for searches; other calls fail with `.invalidParameter`.
    case skip

    fileprivate var content: AuthenticationInteraction {
        switch self {
        case .allow: .allow
        case .fail: .fail
        case .skip: .skip
        }
    }
}

extension UserKeychain {
    // MARK: Items that require owner authentication

    /// The same keychain, whose calls use the authentication of a context, and add to it the authentication that they
    /// require.
    public func authenticated(by context: AuthenticationContext) -> UserKeychain {
        var authentication = authentication
        authentication.context = context
        return with(authentication)
    }

    /// The same keychain, whose calls prompt in this way, with the program's reason. Without a reason, the context's
    /// reason is used.
    public func asking(_ interaction: Interaction = .allow, reason: String? = nil) -> UserKeychain {
        var authentication = authentication
        authentication.interaction = interaction
        authentication.reason = reason ?? authentication.reason
        return with(authentication)
    }

    /// Replaces the access control and the accessibility of an item. A change requires the authentication of the
    /// current access control.
    ///
    /// An item without an access group refers to such an item in each of the program's groups.
    ///
    /// A nil access control removes the protection.
    ///
    /// - Throws: `.itemNotFound` if no such item exists; the codes of reading it; `.authenticationFailed` for an
    ///   authentication that is not possible; the codes common to all calls.
    ///   the codes common to all calls.
    public func protect(
        _ item: some SingleItemSelector, with accessControl: AccessControl?, accessibility: Accessibility
    ) async throws(KeychainError) {
        let attempt = "change the access control of an item"
        let (query, changes) = try encoding(attempt) { () throws(AttributeError) in
            var encoded = EncodedAttributes()
            encoded.put(
                .accessControl, accessControl?.content(accessibility) ?? .init(protection: accessibility))
            let query = try item.selection.itemQuery
            return (query, try encoded.checked(query.itemClass, for: .update))
        }
        try await run(attempt) { client throws(ClientError) in
            try client.update(query, changes: changes, secret: [UInt8]?.none)
        }
    }
}

/// The authentication settings of a keychain's calls.
struct CallAuthentication: Sendable {
    var interaction: Interaction?
    var reason: String?
    var context: AuthenticationContext?

    /// Nil when the request needs no authentication data.
    func ofRequest(_ attempt: String) throws(KeychainError) -> ClientAuthentication? {
        if let context {
            guard let given = context.state.authentication(interaction?.content, reason: reason) else {
                throw KeychainError(attempt, .authenticationFailed, .endedByProgram)
            }
            return given
        }
        if interaction == nil, reason == nil { return nil }
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.interaction = interaction?.content ?? .allow
        fields.reason = reason?.cut(toBytes: WireLimits.reasonBytes)
        return ClientAuthentication(fields)
    }
}
