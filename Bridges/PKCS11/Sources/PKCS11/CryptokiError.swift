// SPDX-License-Identifier: Apache-2.0

public import CCryptoki
internal import KeychainClient
internal import KeychainModel

/// The return value of a function that failed. Its numbers are all that the interface can say about the reason.
public struct CryptokiError: Error, Hashable, Sendable {
    public let code: CK_RV

    public init(_ code: CK_RV) { self.code = code }

    /// The value for a request that the keychain service did not carry out.
    init(_ error: ClientError) {
        code =
            switch error {
            case .refused(let refusal): Self.code(of: refusal)
            case .unavailable, .protocolViolation: CKR_DEVICE_REMOVED
            }
    }

    private static func code(of refusal: Refusal) -> CK_RV {
        switch refusal.reason {
        case .locked, .pinNeeded: return CKR_USER_NOT_LOGGED_IN
        case .tooManyAttempts: return CKR_PIN_LOCKED
        case .wrongSecret: return CKR_PIN_INCORRECT
        case .keyUseNotAllowed: return CKR_KEY_FUNCTION_NOT_PERMITTED
        case .unusableKeyInput: return CKR_DATA_INVALID
        case .tokenUnavailable: return CKR_DEVICE_REMOVED
        case .diskFull: return CKR_DEVICE_MEMORY
        case .readOnlyStore: return CKR_TOKEN_WRITE_PROTECTED
        default: break
        }
        return switch refusal.status {
        // The item was deleted since it was found.
        case .itemNotFound, .invalidItemReference: CKR_OBJECT_HANDLE_INVALID
        case .keyUsageIncorrect: CKR_KEY_FUNCTION_NOT_PERMITTED
        case .keySizeNotAllowed: CKR_KEY_SIZE_RANGE
        case .dataTooLarge: CKR_DATA_LEN_RANGE
        case .parameter, .noSuchAttribute: CKR_TEMPLATE_INCONSISTENT
        case .duplicateItem: CKR_TEMPLATE_INCONSISTENT
        case .dataNotModifiable: CKR_ACTION_PROHIBITED
        case .allocate: CKR_DEVICE_MEMORY
        case .notAvailable: CKR_DEVICE_REMOVED
        // The user denied it, or the program may not do it and no prompt is possible.
        case .userCanceled, .interactionNotAllowed, .authenticationFailed, .missingEntitlement: CKR_FUNCTION_REJECTED
        default: CKR_DEVICE_ERROR
        }
    }
}
