// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// The reason why a call to the keychain failed. Contains no secret.
///
/// ```swift
/// do {
///     try await keychain.add(mail, secret: secret)
/// } catch .duplicateItem {
///     try await keychain.update(mail, secret: secret)
/// }
/// ```
public struct KeychainError: Error, Hashable, Sendable {
    /// The kind of failure, for `error.code == .duplicateItem` and `catch .duplicateItem`.
    public let code: Code
    /// The operation that failed, such as "add an item".
    public let attempt: String
    /// Details in addition to the code.
    public let explanation: Explanation?
    /// The reason why an authentication failed; nil when the call required none.
    public let authenticationFailure: AuthenticationFailure?

    /// A result code of Keychain Services, such as ``KeychainError/Code/duplicateItem``. Any number may occur; the
    /// codes with a name here are those that a program may need to distinguish.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number of the `errSec…` constant (`OSStatus`).
        public let rawValue: Int32

        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }
    }

    /// The cause of an error. It names attributes, and contains no values.
    public struct Explanation: Hashable, Sendable, CustomStringConvertible {
        /// The reason, in English, such as "the program does not have this access group".
        public let reason: String
        /// The recommended action; nil when none is known.
        public let hint: String?
        /// The attributes that caused the error, such as "service": the attribute whose value is rejected, or each
        /// attribute whose condition alone excludes an item from the result.
        public let attributes: [String]

        private let existing: PersistentReference?

        /// Returns the existing item with the same primary key; nil when the error has another cause.
        public func existingItem<Item>(_ itemClass: Item.Type) -> ItemReference<Item>? {
            guard let existing, existing.itemClass == Item.itemClass else { return nil }
            return ItemReference(existing)
        }

        init(reason: String, hint: String?, attributes: [String] = []) {
            self.reason = reason
            self.hint = hint
            self.attributes = attributes
            existing = nil
        }

        /// Nil when the explanation has no content.
        init?(_ explanation: KeychainModel.Explanation, _ itemClass: ItemClass) {
            let sentences = explanation.sentences(about: itemClass)
            if sentences.isEmpty { return nil }
            reason = sentences.joined(separator: " ")
            hint = nil
            attributes = explanation.decisiveFilters.map { filter in
                switch filter {
                case .attribute(let key): key.title
                case .host: "host"
                case .text: "text"
                }
            }
            existing = explanation.existing
        }

        public var description: String { hint.map { "\(reason) (\($0))" } ?? reason }
    }
}

extension KeychainError.Code {
    /// `errSecItemNotFound`
    public static let itemNotFound = Self(.itemNotFound)
    /// `errSecDuplicateItem`: the item exists already.
    public static let duplicateItem = Self(.duplicateItem)
    /// `errSecInteractionNotAllowed`: the keychain is locked, or a prompt is required and not possible.
    public static let interactionNotAllowed = Self(.interactionNotAllowed)
    /// `errSecAuthFailed`
    public static let authenticationFailed = Self(.authenticationFailed)
    /// `errSecUserCanceled`
    public static let userCanceled = Self(.userCanceled)
    /// `errSecMissingEntitlement`: the access group is not one of the program's, or the program has none.
    public static let missingEntitlement = Self(.missingEntitlement)
    /// `errSecDataTooLarge`: over 16 MiB of secret or 1 MiB of attributes.
    public static let tooLarge = Self(.dataTooLarge)
    /// `errSecParam`: the keychain rejects the value.
    public static let invalidParameter = Self(.parameter)
    /// `errSecDiskFull`
    public static let diskFull = Self(.diskFull)
    /// `errSecWrPerm`: the keychain's files cannot be written.
    public static let notWritable = Self(.writePermission)
    /// `errSecNotAvailable`: the keychain service cannot be reached.
    public static let notAvailable = Self(.notAvailable)
    /// `errSecDataNotAvailable`: the private key is not extractable.
    public static let dataNotAvailable = Self(.dataNotAvailable)
    /// `errSecKeyIsSensitive`: the private key may leave the keychain only encrypted.
    public static let keyIsSensitive = Self(.keyIsSensitive)
    /// `errSecKeyUsageIncorrect`: the key's attributes do not allow that use.
    public static let keyUsageIncorrect = Self(.keyUsageIncorrect)
    /// `errSecKeySizeNotAllowed`: keys of that size are not supported.
    public static let keySizeNotAllowed = Self(.keySizeNotAllowed)
    /// `errSecUnimplemented`: this version of the keychain does not support the operation.
    public static let unimplemented = Self(.unimplemented)

    private init(_ status: StatusCode) {
        self.init(rawValue: status.rawValue)
    }

    /// Allows a code as the pattern of a `catch`.
    public static func ~= (code: Self, error: KeychainError) -> Bool { error.code == code }

    /// Allows a code as the pattern of a `catch` that also receives errors of other types.
    // Disfavoured: an error type with a member of the same name keeps its own meaning of that name in a pattern.
    @_disfavoredOverload
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? KeychainError)?.code == code
    }
}

extension KeychainError.Code: CustomStringConvertible {
    public var description: String { "\(rawValue)" }
}

extension KeychainError {
    init(_ attempt: String, _ cause: ClientError, _ known: Explanation? = nil) {
        self.attempt = attempt
        code = Code(rawValue: cause.status.rawValue)
        explanation = known ?? Explanation(cause)
        authenticationFailure = AuthenticationFailure(cause)
    }

    init(_ attempt: String, _ cause: AttributeError) {
        self.attempt = attempt
        code = Code(rawValue: cause.status.rawValue)
        explanation = Explanation(cause)
        authenticationFailure = nil
    }

    init(_ attempt: String, _ code: Code, _ failure: AuthenticationFailure) {
        self.attempt = attempt
        self.code = code
        explanation = Explanation(reason: failure.reason, hint: nil)
        authenticationFailure = failure
    }
}

extension KeychainError.Explanation {
    /// Nil when the code is sufficient.
    fileprivate init?(_ cause: ClientError) {
        switch cause {
        case .refused(let refusal):
            guard let reason = refusal.reason.explanation else { return nil }
            self.init(reason: reason, hint: refusal.reason.hint)
        case .unavailable(let reason, let hint): self.init(reason: reason, hint: hint)
        case .protocolViolation:
            self.init(reason: "the answer of the keychain service is not valid", hint: nil)
        }
    }

    fileprivate init(_ cause: AttributeError) {
        switch cause {
        case .unsupportedClass(let itemClass):
            self.init(
                reason: "this version of the keychain does not store items of this class: \(itemClass.title)", hint: nil
            )
        case .noSuchAttribute(let key, let itemClass):
            self.init(blaming: key, "items of this class do not have this attribute: \(itemClass.title)")
        case .notAllowed(let key): self.init(blaming: key, "this operation does not accept it")
        case .wrongType(let key): self.init(blaming: key, "the type of its value is wrong")
        case .repeated(let key): self.init(blaming: key, "it occurs twice")
        case .tooLarge(let key): self.init(blaming: key, "it makes the attributes larger than 1 MiB in total")
        }
    }

    private init(blaming key: AttributeKey, _ what: String) {
        self.init(reason: "the attribute \(key.title): \(what)", hint: nil, attributes: [key.title])
    }
}

extension KeychainError: CustomStringConvertible {
    /// The operation that failed, and the reason.
    public var description: String {
        guard let explanation else { return "cannot \(attempt): \(meaningOfCode)" }
        return switch code {
        case .itemNotFound, .duplicateItem: "cannot \(attempt): \(meaningOfCode). \(explanation.reason)"
        default: "cannot \(attempt): \(explanation.reason)"
        }
    }

    var meaningOfCode: String {
        switch code {
        case .itemNotFound: "this program has no such item"
        case .duplicateItem: "such an item already exists"
        case .interactionNotAllowed: "the operation requires the user's approval, but no prompt can be shown"
        case .authenticationFailed: "the authentication failed"
        case .userCanceled: "the user cancelled the operation"
        case .missingEntitlement: "the program does not have this access group"
        case .tooLarge: "a secret may have at most 16 MiB, and all attributes together at most 1 MiB"
        case .invalidParameter: "the keychain does not accept such a value"
        case .diskFull: "the disk is full; nothing was changed"
        case .notWritable: "the keychain's files cannot be written; nothing was changed"
        case .notAvailable: "the keychain service does not answer"
        case .dataNotAvailable: "the private key is not extractable"
        case .keyIsSensitive: "the private key may leave the keychain only encrypted"
        case .keyUsageIncorrect: "the key's attributes do not allow this use"
        case .keySizeNotAllowed: "keys of this size are not supported"
        case .unimplemented: "this version of the keychain does not support this operation yet"
        default: "the keychain answered with status \(code.rawValue)"
        }
    }
}
