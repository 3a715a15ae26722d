// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainClient

/// An identity in a search result.
typealias FoundIdentity = ReturnedIdentity<Data>

extension FoundIdentity {
    /// Returns nil if one half is missing, or is not of the stored type.
    ///
    /// - Parameter authentication: the prompt settings that the key keeps for its uses.
    func object(_ authentication: AuthenticationOptions?) -> SecIdentity? {
        guard case .certificate(let certificate) = ReferencedItem(certificate),
            case .key(let key) = ReferencedItem(key, authentication)
        else { return nil }
        return SecIdentityCreate(nil, certificate, key)
    }
}
