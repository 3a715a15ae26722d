// SPDX-License-Identifier: Apache-2.0

package import CFTypes
internal import Foundation

/// Some of Apple's functions for the command line of this package. They return the results that Apple's functions write
/// through pointers, so that no code outside of this module uses pointers.
package enum CallsWithoutPointers {
    /// Calls `SecItemCopyMatching` with a persistent reference and `kSecReturnRef`.
    package static func object(_ persistentReference: CFData) -> (status: OSStatus, object: CFTypeRef?) {
        let query = [kSecValuePersistentRef: persistentReference as Data, kSecReturnRef: true] as CFDictionary
        var result: CFTypeRef?
        // The variable is local to this function.
        let status = unsafe SecItemCopyMatching(query, &result)
        return (status, result)
    }

    /// Calls `SecIdentityCopyCertificate`.
    package static func certificate(of identity: SecIdentity) -> SecCertificate { identity.certificate }

    /// Calls `SecKeyCreateRandomKey` and returns its status.
    package static func createKey(_ parameters: CFDictionary) -> OSStatus {
        var failure: Unmanaged<CFError>?
        // The variable is local to this function, which takes over the reference in it.
        guard unsafe SecKeyCreateRandomKey(parameters, &failure) == nil else { return errSecSuccess }
        return unsafe OSStatus(truncatingIfNeeded: failure?.takeRetainedValue().code ?? Int(errSecInternalComponent))
    }
}
