// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// Whether somebody may be asked.
public enum Interaction: Hashable, Sendable, CaseIterable {
    /// Whoever has to show to be there is asked.
    case allow
    /// What would ask somebody fails with `.interactionNotAllowed`.
    case fail
    /// Items that would ask somebody are left out. Only for searches; other calls fail with `.invalidParameter`.
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
    // MARK: Items whose owner has to show to be there

    /// The same keychain, whose calls use what was shown to a context, and have what they need shown to it.
    public func authenticated(by context: AuthenticationContext) -> UserKeychain {
        var authentication = authentication
        authentication.context = context
        return with(authentication)
    }

    /// The same keychain, whose calls ask in this way, with the program's words to the person as the reason; without any it stays at
    /// the context's.
    public func asking(_ interaction: Interaction = .allow, reason: String? = nil) -> UserKeychain {
        var authentication = authentication
        authentication.interaction = interaction
        authentication.reason = reason ?? authentication.reason
        return with(authentication)
    }

    /// Replaces what has to be shown before an item is read, and when it can be. Whoever changes it has to show what it took so far.
    ///
    /// An item without an access group stands for such an item in each of the program's groups.
    ///
    /// Without an access control nothing has to be shown any more.
    ///
    /// - Throws: `.itemNotFound` if there is no such item; the codes of reading it; `.authenticationFailed` for what nobody could show;
    ///   the codes common to all calls.
    public func protect(
        _ item: some SingleItemSelector, with accessControl: AccessControl?, accessibility: Accessibility
    ) async throws(KeychainError) {
        let attempt = "change what protects an item"
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

/// What a keychain's calls say of authentication.
struct CallAuthentication: Sendable {
    var interaction: Interaction?
    var reason: String?
    var context: AuthenticationContext?

    /// Nil where there is nothing to say.
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
