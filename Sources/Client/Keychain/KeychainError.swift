// SPDX-License-Identifier: Apache-2.0

public import KeychainClient
public import KeychainModel

/// Why a call to the keychain failed. Nothing in it is secret.
public struct KeychainError: Error, Hashable, Sendable {
    /// What failed, comparable: `catch let error where error.code == .duplicateItem`.
    public let code: Code
    /// What was attempted, such as "add an item".
    public let attempt: String
    public let cause: ClientError

    public enum Code: Hashable, Sendable {
        /// `errSecItemNotFound`
        case itemNotFound
        /// `errSecDuplicateItem`
        case duplicateItem
        /// `errSecInteractionNotAllowed`: the keychain is locked, or a person would have to be asked and cannot be.
        case interactionNotAllowed
        /// `errSecAuthFailed`
        case authenticationFailed
        /// `errSecMissingEntitlement`: the access group is not one of the program's, or the program has none.
        case missingEntitlement
        /// `errSecDataTooLarge`: over 16 MiB of secret or 1 MiB of attributes.
        case tooLarge
        /// `errSecDiskFull`
        case diskFull
        /// `errSecNotAvailable`: the keychain service cannot be reached.
        case notAvailable
        /// Any other status of Keychain Services.
        case other(StatusCode)
    }

    /// The status code of Keychain Services (`OSStatus`).
    public var status: StatusCode { cause.status }

    init(_ attempt: String, _ cause: ClientError) {
        self.attempt = attempt
        self.cause = cause
        code =
            switch cause.status {
            case .itemNotFound: .itemNotFound
            case .duplicateItem: .duplicateItem
            case .interactionNotAllowed: .interactionNotAllowed
            case .authenticationFailed: .authenticationFailed
            case .missingEntitlement: .missingEntitlement
            case .dataTooLarge: .tooLarge
            case .diskFull: .diskFull
            case .notAvailable: .notAvailable
            case let status: .other(status)
            }
    }
}

extension KeychainError: CustomStringConvertible {
    public var description: String {
        "cannot \(attempt): " + explanation
    }

    private var explanation: String {
        if case .unavailable(let reason) = cause { return reason }
        if case .refused(let refusal) = cause, let explanation = refusal.reason.explanation { return explanation }
        return switch code {
        case .itemNotFound: "there is no such item among those of this program"
        case .duplicateItem: "there is one with the same service and account already"
        case .interactionNotAllowed: "a person would have to allow it, and nobody can be asked"
        case .authenticationFailed: "the authentication failed"
        case .missingEntitlement: "the access group is not one of this program's"
        case .tooLarge: "a secret may have 16 MiB, all attributes together 1 MiB"
        case .diskFull: "the disk is full; nothing was changed"
        case .notAvailable: "the keychain service does not answer"
        case .other(let status): "the keychain answered with status \(status.rawValue)"
        }
    }
}
