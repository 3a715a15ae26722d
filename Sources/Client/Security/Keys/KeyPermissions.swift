// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel

/// What was said of a key when it was made or stored: what it may be used for, and whether it may be given out. What was not
/// said is allowed, as far as the key can do it.
struct KeyPermissions {
    /// In the order of `SecKeyCopyAttributes`.
    static let attributes: [AttributeKey] = [
        .isPermanent, .isPrivate, .isModifiable, .isSensitive, .wasAlwaysSensitive, .isExtractable,
        .wasNeverExtractable, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover,
        .canVerifyRecover, .canWrap, .canUnwrap,
    ]

    private(set) var said: [AttributeKey: Bool] = [:]
    /// The token that keeps the private half, as the stored item says.
    private(set) var token: String?

    init() {}

    /// As a stored item says. A value that is neither yes nor no counts as the stricter one.
    init(_ item: ItemAttributes?) {
        token = item?.token
        for key in Self.attributes {
            guard let value = item?[key] else { continue }
            said[key] = key == .isSensitive || key == .wasAlwaysSensitive ? value != .number(0) : value == .number(1)
        }
    }

    /// As a dictionary with these values says.
    ///
    /// - Throws: `errSecParam` for a value that is neither yes nor no.
    init(_ values: [String: Any]) throws(KeyFailure) {
        for key in Self.attributes {
            guard let value = values[key.name] else { continue }
            switch GivenValue(value) {
            case .truth(let truth): said[key] = truth
            case .number(0), .text("0"): said[key] = false
            case .number(1), .text("1"): said[key] = true
            case .number, .text, .data, .date, .other:
                throw KeyFailure(errSecParam, "\(KeyName(key)) is no truth value")
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

    /// Whether the private half may be given out.
    ///
    /// - Throws: `errSecDataNotAvailable` for a key that is not extractable, `errSecKeyIsSensitive` for a sensitive one.
    func allowExtraction() throws(KeyFailure) {
        guard said[.isExtractable] ?? true else {
            throw KeyFailure(errSecDataNotAvailable, "the key is not extractable")
        }
        guard !(said[.isSensitive] ?? false) else {
            throw KeyFailure(errSecKeyIsSensitive, "the key is sensitive, and would leave in clear")
        }
    }

    /// Whether the key, once stored, stays in the service.
    var areOfHeldKey: Bool { said[.isExtractable] == false || said[.isSensitive] == true }

    /// These of a public half, which is given out in any case.
    var ofPublicHalf: KeyPermissions {
        var result = self
        result.token = nil
        for key in [AttributeKey.isSensitive, .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable] {
            result.said[key] = nil
        }
        return result
    }
}
