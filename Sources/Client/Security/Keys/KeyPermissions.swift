// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel

/// The permissions of a key, from its creation or from its stored item: its uses, and whether it may be exported. Uses
/// that are not specified are allowed, if the key supports them.
struct KeyPermissions {
    /// In the order of `SecKeyCopyAttributes`.
    static let attributes: [AttributeKey] = [
        .isPermanent, .isPrivate, .isModifiable, .isSensitive, .wasAlwaysSensitive, .isExtractable,
        .wasNeverExtractable, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover,
        .canVerifyRecover, .canWrap, .canUnwrap,
    ]

    private(set) var said: [AttributeKey: Bool] = [:]
    /// The token that holds the private half, as in the stored item.
    private(set) var token: String?

    init() {}

    /// Reads the permissions of a stored item. A value that is not a boolean counts as the stricter one.
    init(_ item: ItemAttributes?) {
        token = item?.token
        for key in Self.attributes {
            guard let value = item?[key] else { continue }
            said[key] = key == .isSensitive || key == .wasAlwaysSensitive ? value != .number(0) : value == .number(1)
        }
    }

    /// Reads the permissions of a dictionary with these values.
    ///
    /// - Throws: `errSecParam` for a value that is not a boolean.
    init(_ values: [String: Any]) throws(KeyFailure) {
        for key in Self.attributes {
            guard let value = values[key.name] else { continue }
            switch DictionaryValue(value) {
            case .truth(let truth): said[key] = truth
            case .number(0), .text("0"): said[key] = false
            case .number(1), .text("1"): said[key] = true
            case .number, .text, .data, .date, .other:
                throw KeyFailure(errSecParam, "\(KeyName(key)) is not a Boolean")
            }
        }
    }

    /// - Parameter key: a use, such as `canSign`.
    func allow(_ key: AttributeKey) throws(KeyFailure) {
        guard isAllowed(key) else {
            throw KeyFailure(errSecKeyUsageIncorrect, "\(KeyName(key)) is false for the key")
        }
    }

    func isAllowed(_ key: AttributeKey) -> Bool { said[key] ?? true }

    /// Checks that the private half may be exported.
    ///
    /// - Throws: `errSecDataNotAvailable` for a key that is not extractable, `errSecKeyIsSensitive` for a sensitive one.
    func allowExtraction() throws(KeyFailure) {
        guard said[.isExtractable] ?? true else {
            throw KeyFailure(errSecDataNotAvailable, "the key is not extractable")
        }
        guard !(said[.isSensitive] ?? false) else {
            throw KeyFailure(errSecKeyIsSensitive, "the key is sensitive, so it must be exported encrypted")
        }
    }

    /// Whether the service holds the key after it is stored.
    var areOfHeldKey: Bool { said[.isExtractable] == false || said[.isSensitive] == true }

    /// The permissions of the public half, which is always exportable.
    var ofPublicHalf: KeyPermissions {
        var result = self
        result.token = nil
        for key in [AttributeKey.isSensitive, .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable] {
            result.said[key] = nil
        }
        return result
    }
}
