// SPDX-License-Identifier: Apache-2.0

package import CFTypes
internal import Foundation

/// A few of Apple's calls for the command line of this package: what those write through a pointer, these return, so that no
/// code outside of this module handles one.
package enum CallsWithoutPointers {
    /// `SecItemCopyMatching` by a persistent reference, with `kSecReturnRef`.
    package static func object(_ persistentReference: CFData) -> (status: OSStatus, object: CFTypeRef?) {
        let query = [kSecValuePersistentRef: persistentReference as Data, kSecReturnRef: true] as CFDictionary
        var result: CFTypeRef?
        // The variable is this function's own.
        let status = unsafe SecItemCopyMatching(query, &result)
        return (status, result)
    }

    /// `SecIdentityCopyCertificate`
    package static func certificate(of identity: SecIdentity) -> SecCertificate { identity.certificate }

    /// `SecKeyCreateRandomKey`, for its status.
    package static func createKey(_ parameters: CFDictionary) -> OSStatus {
        var failure: Unmanaged<CFError>?
        // The variable is this function's own, and what it holds then is taken over.
        guard unsafe SecKeyCreateRandomKey(parameters, &failure) == nil else { return errSecSuccess }
        return unsafe OSStatus(truncatingIfNeeded: failure?.takeRetainedValue().code ?? Int(errSecInternalComponent))
    }
}
