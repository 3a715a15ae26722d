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
        /// The reason, in English, such as "the access group that was named is not one of this program's".
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
        case .unavailable(let reason): self.init(reason: reason, hint: nil)
        case .protocolViolation:
            self.init(reason: "the keychain service sent what this program does not understand", hint: nil)
        }
    }

    fileprivate init(_ cause: AttributeError) {
        switch cause {
        case .unsupportedClass(let itemClass):
            self.init(reason: "this version of the keychain does not store that: \(itemClass.title)", hint: nil)
        case .noSuchAttribute(let key, let itemClass):
            self.init(blaming: key, "items of this class do not have it: \(itemClass.title)")
        case .notAllowed(let key): self.init(blaming: key, "it cannot be given here")
        case .wrongType(let key): self.init(blaming: key, "it cannot have such a value")
        case .repeated(let key): self.init(blaming: key, "it is given twice")
        case .tooLarge(let key): self.init(blaming: key, "with it, all attributes together are over 1 MiB")
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
        case .dataNotAvailable: "the private key is not extractable"
        case .keyIsSensitive: "the private key may leave the keychain only encrypted"
        case .keyUsageIncorrect: "the key's attributes do not allow that use"
        case .keySizeNotAllowed: "there are no keys of that size"
        case .unimplemented: "this version of the keychain cannot do that yet"
        default: "the keychain answered with status \(code.rawValue)"
        }
    }
}
