// SPDX-License-Identifier: Apache-2.0

package import CFTypes
internal import Foundation
package import FoundationEssentials
internal import KeychainModel

/// The functions for files of keys and certificates, without the pointers in their signatures: for the commands, which
/// have no unsafe code.
package enum ItemTransfer {
    package struct Failure: Error {
        package let status: OSStatus
        /// Error messages for display.
        package let explanation: String

        package init(status: OSStatus, explanation: String = "") {
            (self.status, self.explanation) = (status, explanation)
        }
    }

    /// Same as ``SecItemImport(_:_:_:_:_:_:_:_:)``.
    package static func items(
        in data: Data, format: SecExternalFormat, type: SecExternalItemType, passphrase: [UInt8]?
    ) throws(Failure) -> [AnyObject] {
        do throws(CallFailure) {
            return try imported(data, format, type, TransferParameters(passphrase: passphrase)).objects
        } catch {
            throw Failure(error)
        }
    }

    /// Same as ``SecItemExport(_:_:_:_:_:)``.
    package static func data(
        of items: [AnyObject], format: SecExternalFormat, isPEM: Bool, passphrase: [UInt8]?
    ) throws(Failure) -> Data {
        do throws(CallFailure) {
            return try exported(items as NSArray, format, isPEM: isPEM, TransferParameters(passphrase: passphrase))
        } catch {
            throw Failure(error)
        }
    }

    /// Same as ``SecItemCopyMatching(_:_:)`` with a query that returns an array of references.
    package static func references(_ query: CFDictionary) throws(Failure) -> [AnyObject] {
        var found: CFTypeRef?
        // The variable is local to this function.
        let status = PlainItemCalls.dataProtectionKeychain.during { unsafe SecItemCopyMatching(query, &found) }
        guard status == errSecSuccess else { throw Failure(status: status) }
        return found as? [AnyObject] ?? []
    }

    /// Returns the key and the certificate of an identity; for another object, the object itself.
    package static func halves(of object: AnyObject) -> [AnyObject] {
        guard let identity = object as? SecIdentity else { return [object] }
        return [identity.privateKey, identity.certificate]
    }
}

extension ItemTransfer.Failure {
    fileprivate init(_ failure: CallFailure) {
        self.init(status: failure.status.rawValue, explanation: failure.summary)
    }
}
