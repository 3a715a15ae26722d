// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory
internal import Synchronization
internal import KeychainWire

/// Whether calls of this process may prompt the user: a setting for all of them.
enum UserInteraction {
    private static let allowed = Atomic(true)

    static var isAllowed: Bool {
        get { allowed.load(ordering: .relaxed) }
        set { allowed.store(newValue, ordering: .relaxed) }
    }

    /// The authentication data of a request without its own.
    static var ofRequest: ClientAuthentication? {
        guard !isAllowed else { return nil }
        var fields = RequestAuthentication<SecretBytes.BytesView>()
        fields.interaction = .fail
        return ClientAuthentication(fields)
    }
}

/// Sets whether calls of this process may prompt the user. If they may not, calls that would prompt fail: with
/// `errSecInteractionNotAllowed`, or with `errSecAuthFailed` if an item of a keychain is read or a keychain is
/// unlocked.
///
/// Calls of ``SecItemAdd(_:_:)`` and similar functions do not prompt then either, whatever their dictionaries contain.
@available(*, deprecated, message: "Use kSecUseAuthenticationUI, or LAContext.interactionNotAllowed.")
@discardableResult
public func SecKeychainSetUserInteractionAllowed(_ state: Bool) -> OSStatus {
    UserInteraction.isAllowed = state
    return errSecSuccess
}

/// Returns whether calls of this process may prompt the user.
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
