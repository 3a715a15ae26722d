// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainClient

/// An identity that was found.
typealias FoundIdentity = ReturnedIdentity<Data>

extension FoundIdentity {
    /// Nil where one half is none, or is not what it was stored as.
    ///
    /// - Parameter authentication: what the key keeps for its uses.
    func object(_ authentication: GivenAuthentication?) -> SecIdentity? {
        guard case .certificate(let certificate) = ReferencedItem(certificate),
            case .key(let key) = ReferencedItem(key, authentication)
        else { return nil }
        return SecIdentityCreate(nil, certificate, key)
    }
}
