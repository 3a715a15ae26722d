// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// The prompt settings of a dictionary: its `kSecUse…` keys for authentication (semantics 5.4).
struct AuthenticationOptions: Sendable {
    /// `kSecUseAuthenticationUI`
    var interaction: AuthenticationInteraction?
    /// `kSecUseNoAuthenticationUI`
    var forbidsInteraction: Bool?
    /// `kSecUseOperationPrompt`
    var reason: String?
    /// `kSecUseAuthenticationContext`
    var context: AuthenticationContextState?

    private var isEmpty: Bool { interaction == nil && forbidsInteraction == nil && reason == nil && context == nil }

    /// Whether the older key and the newer one contradict each other.
    var isContradictory: Bool {
        guard let forbidsInteraction, let interaction else { return false }
        return forbidsInteraction != (interaction == .fail)
    }

    /// Returns the authentication data of the call's request; nil if it has none.
    ///
    /// The dictionary's reason takes precedence over the context's.
    /// - Throws: `errSecAuthFailed` for a context that was invalidated.
    func ofRequest() throws(CallFailure) -> ClientAuthentication? {
        if isEmpty { return nil }
        var interaction = interaction ?? (forbidsInteraction == true ? .fail : nil)
        if !UserInteraction.isAllowed, interaction != .skip { interaction = .fail }
        guard let context else {
            var fields = RequestAuthentication<SecretBytes.BytesView>()
            fields.interaction = interaction ?? .allow
            fields.reason = reason?.cut(toBytes: WireLimits.reasonBytes)
            return ClientAuthentication(fields)
        }
        guard let authentication = context.authentication(interaction, reason: reason) else {
            throw CallFailure(.authenticationFailed, "the LAContext of kSecUseAuthenticationContext was invalidated")
        }
        return authentication
    }

    /// The prompt settings that a returned key keeps: its uses prompt with the same reason and the same context.
    /// Whether that one call was allowed to prompt does not apply to them.
    var ofReturnedKey: AuthenticationOptions? {
        if context == nil, reason == nil { return nil }
        var kept = self
        kept.interaction = nil
        kept.forbidsInteraction = nil
        return kept
    }
}
