// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretService

extension StorageError {
    /// Takes the error of a request of the keychain.
    ///
    /// - Parameter interaction: whether the request was allowed to prompt. If it was not, a prompt may help.
    init(_ error: ClientError, _ interaction: Interaction) {
        guard case .refused(let refusal) = error else {
            self = .unavailable("The keychain service cannot be used: \(error).")
            return
        }
        guard refusal.reason != .sandboxedApplication else {
            self = .sandboxed
            return
        }
        switch refusal.status {
        case .itemNotFound, .noSuchKeychain: self = .noSuchObject
        case .userCanceled: self = .dismissed
        case .interactionNotAllowed: self = interaction.isAllowed ? .dismissed : .locked
        case .authenticationFailed:
            switch refusal.reason {
            case .wrongSecret: self = .invalid("The password is wrong.")
            case .tooManyAttempts:
                self = .invalid("Too many wrong passwords were entered. Try again later.")
            default: self = interaction.isAllowed ? .dismissed : .locked
            }
        case .dataTooLarge: self = .limitExceeded("The secret or the attributes are too large.")
        case .parameter: self = .invalid("The keychain does not accept the values: \(error).")
        case .noAccessForItem, .noSuchAttribute, .unimplemented: self = .unsupported("This is not possible: \(error).")
        default: self = .unavailable("The keychain refused the request: \(error).")
        }
    }

    static let sandboxed = StorageError.denied(
        "An application in a sandbox uses its own items alone: it neither locks or changes collections, nor uses others than ‘login’ and ‘session’."
    )

    init(_ error: LookupAttributesError) { self = .limitExceeded("The attributes are too large: \(error).") }
}
