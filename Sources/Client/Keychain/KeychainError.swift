// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// Why a call to the keychain failed. Nothing in it is secret.
///
/// ```swift
/// do {
///     try await keychain.add(mail, secret: secret)
/// } catch .duplicateItem {
///     try await keychain.update(mail, secret: secret)
/// }
/// ```
public struct KeychainError: Error, Hashable, Sendable {
    /// What failed: `error.code == .duplicateItem`, and `catch .duplicateItem`.
    public let code: Code
    /// What was attempted, such as "add an item".
    public let attempt: String
    /// What is known beyond the code.
    public let explanation: Explanation?

    /// A result code of Keychain Services, such as ``KeychainError/Code/duplicateItem``. Any number may occur; those that have
    /// a name here are those that a program may want to tell apart.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number of the `errSec…` constant (`OSStatus`).
        public let rawValue: Int32

        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }
    }

    /// What is behind the code of an error, for people.
    public struct Explanation: Hashable, Sendable, CustomStringConvertible {
        /// The reason, such as "the access group that was named is not one of this program's".
        public let reason: String
        /// What can be done about it; nil where nothing is known.
        public let hint: String?

        public var description: String { hint.map { "\(reason) (\($0))" } ?? reason }
    }
}

extension KeychainError.Code {
    /// `errSecItemNotFound`
    public static let itemNotFound = Self(.itemNotFound)
    /// `errSecDuplicateItem`: there is such an item already.
    public static let duplicateItem = Self(.duplicateItem)
    /// `errSecInteractionNotAllowed`: the keychain is locked, or a person would have to be asked and cannot be.
    public static let interactionNotAllowed = Self(.interactionNotAllowed)
    /// `errSecAuthFailed`
    public static let authenticationFailed = Self(.authenticationFailed)
    /// `errSecUserCanceled`
    public static let userCanceled = Self(.userCanceled)
    /// `errSecMissingEntitlement`: the access group is not one of the program's, or the program has none.
    public static let missingEntitlement = Self(.missingEntitlement)
    /// `errSecDataTooLarge`: over 16 MiB of secret or 1 MiB of attributes.
    public static let tooLarge = Self(.dataTooLarge)
    /// `errSecParam`: the keychain does not take such a value.
    public static let invalidParameter = Self(.parameter)
    /// `errSecDiskFull`
    public static let diskFull = Self(.diskFull)
    /// `errSecWrPerm`: the keychain's files cannot be written.
    public static let notWritable = Self(.writePermission)
    /// `errSecNotAvailable`: the keychain service cannot be reached.
    public static let notAvailable = Self(.notAvailable)
    /// `errSecUnimplemented`: this version of the keychain cannot do it yet.
    public static let unimplemented = Self(.unimplemented)

    private init(_ status: StatusCode) {
        self.init(rawValue: status.rawValue)
    }

    /// Lets a code stand as the pattern of a `catch` or a `case`.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? KeychainError)?.code == code
    }
}

extension KeychainError.Code: CustomStringConvertible {
    public var description: String { "\(rawValue)" }
}

extension KeychainError {
    /// No item is the one that was named.
    static func notFound(_ attempt: String) -> KeychainError {
        KeychainError(attempt, .refused(Refusal(.itemNotFound, .none)))
    }

    init(_ attempt: String, _ cause: ClientError) {
        self.attempt = attempt
        code = Code(rawValue: cause.status.rawValue)
        explanation =
            switch cause {
            case .refused(let refusal):
                refusal.reason.explanation.map { Explanation(reason: $0, hint: refusal.reason.hint) }
            case .unavailable(let reason): Explanation(reason: reason, hint: nil)
            case .protocolViolation:
                Explanation(reason: "the keychain service sent what this program does not understand", hint: nil)
            }
    }

    init(_ attempt: String, _ cause: AttributeError) {
        self.attempt = attempt
        code = Code(rawValue: cause.status.rawValue)
        explanation =
            switch cause {
            case .unsupportedClass(let itemClass):
                Explanation(
                    reason: "this version of the keychain stores no items of class \(itemClass.code)", hint: nil)
            case .noSuchAttribute(let key, let itemClass):
                Explanation(reason: "items of class \(itemClass.code) have no attribute \(key)", hint: nil)
            case .notAllowed(let key): Explanation(reason: "the attribute \(key) cannot be given here", hint: nil)
            case .wrongType(let key): Explanation(reason: "the attribute \(key) cannot have such a value", hint: nil)
            case .repeated(let key): Explanation(reason: "the attribute \(key) is given twice", hint: nil)
            case .tooLarge(let key):
                Explanation(
                    reason: "with the attribute \(key), all attributes together are over 1 MiB", hint: nil)
            }
    }
}

extension KeychainError: CustomStringConvertible {
    public var description: String { "cannot \(attempt): " + (explanation?.reason ?? meaningOfCode) }

    private var meaningOfCode: String {
        switch code {
        case .itemNotFound: "there is no such item among those of this program"
        case .duplicateItem: "there is such an item already"
        case .interactionNotAllowed: "a person would have to allow it, and nobody can be asked"
        case .authenticationFailed: "the authentication failed"
        case .userCanceled: "it was cancelled"
        case .missingEntitlement: "the access group is not one of this program's"
        case .tooLarge: "a secret may have 16 MiB, all attributes together 1 MiB"
        case .invalidParameter: "the keychain does not take such a value"
        case .diskFull: "the disk is full; nothing was changed"
        case .notWritable: "the keychain's files cannot be written; nothing was changed"
        case .notAvailable: "the keychain service does not answer"
        case .unimplemented: "this version of the keychain cannot do that yet"
        default: "the keychain answered with status \(code.rawValue)"
        }
    }
}
