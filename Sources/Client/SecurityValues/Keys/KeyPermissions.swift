// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The permissions of a key, from its creation or from its stored item: its uses, and whether it may be exported. Uses
/// that are not specified are allowed, if the key supports them.
package struct KeyPermissions: Sendable {
    /// In the order of `SecKeyCopyAttributes`.
    package static let attributes: [AttributeKey] = [
        .isPermanent, .isPrivate, .isModifiable, .isSensitive, .wasAlwaysSensitive, .isExtractable,
        .wasNeverExtractable, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover,
        .canVerifyRecover, .canWrap, .canUnwrap,
    ]

    package private(set) var said: [AttributeKey: Bool] = [:]
    /// The token that holds the private half, as in the stored item.
    package private(set) var token: String?

    package init() {}

    /// Reads the permissions of a stored item. A value that is not a boolean counts as the stricter one.
    package init(_ item: ItemAttributes?) {
        token = item?.token
        for key in Self.attributes {
            guard let value = item?[key] else { continue }
            said[key] = key == .isSensitive || key == .wasAlwaysSensitive ? value != .number(0) : value == .number(1)
        }
    }

    /// - Parameter said: the permissions that were specified, by keys of ``attributes``.
    package init(_ said: [AttributeKey: Bool]) { self.said = said }

    package func isAllowed(_ key: AttributeKey) -> Bool { said[key] ?? true }

    /// Whether the service holds the key after it is stored.
    package var areOfHeldKey: Bool { said[.isExtractable] == false || said[.isSensitive] == true }

    /// The permissions of the public half, which is always exportable.
    package var ofPublicHalf: KeyPermissions {
        var result = self
        result.token = nil
        for key in [AttributeKey.isSensitive, .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable] {
            result.said[key] = nil
        }
        return result
    }
}
