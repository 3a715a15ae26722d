// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory
internal import Synchronization
internal import KeychainWire

/// Whether calls of this process may ask a person: a switch for all of them.
enum UserInteraction {
    private static let allowed = Atomic(true)

    static var isAllowed: Bool {
        get { allowed.load(ordering: .relaxed) }
        set { allowed.store(newValue, ordering: .relaxed) }
    }

    /// What goes with a request that says nothing about it itself.
    static var ofRequest: ClientAuthentication? {
        guard !isAllowed else { return nil }
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.interaction = .fail
        return ClientAuthentication(fields)
    }
}

/// Says whether calls of this process may ask a person. While they may not, what would ask is refused: with
/// `errSecInteractionNotAllowed`, or `errSecAuthFailed` where a keychain's item is read or a keychain is unlocked.
///
/// Also the calls of ``SecItemAdd(_:_:)`` and its like ask nobody then, whatever their dictionaries say.
@available(*, deprecated, message: "Use kSecUseAuthenticationUI, or LAContext.interactionNotAllowed.")
@discardableResult
public func SecKeychainSetUserInteractionAllowed(_ state: Bool) -> OSStatus {
    UserInteraction.isAllowed = state
    return errSecSuccess
}

/// Whether calls of this process may ask a person.
///
/// - Returns: `errSecParam` without a variable.
@available(*, deprecated, message: "Use kSecUseAuthenticationUI, or LAContext.interactionNotAllowed.")
@discardableResult
public func SecKeychainGetUserInteractionAllowed(_ state: UnsafeMutablePointer<DarwinBoolean>?) -> OSStatus {
    statusOf("SecKeychainGetUserInteractionAllowed") { () throws(CallFailure) in
        guard let state = unsafe state else { throw .missingVariable }
        unsafe state.pointee = DarwinBoolean(UserInteraction.isAllowed)
    }
}
