// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainKeys
internal import KeychainModel
internal import KeychainTransfer

/// ``SecItemImportExportKeyParameters``, read.
struct TransferParameters {
    private(set) var flags: SecKeyImportExportFlags = []
    private(set) var passphrase: Passphrase?

    /// - Throws: `errSecParam` for another version, and for values of the wrong type; `errSecUnimplemented` for access of file-based keychains.
    init(_ pointer: UnsafePointer<SecItemImportExportKeyParameters>?) throws(CallFailure) {
        // The caller vouches for the parameters and for the objects that they do not retain.
        guard let given = unsafe pointer?.pointee else { return }
        guard unsafe given.version == SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION else {
            throw CallFailure(.parameter, "SecItemImportExportKeyParameters has another version")
        }
        flags = unsafe given.flags
        if let object = unsafe given.passphrase?.takeUnretainedValue() {
            passphrase = try Passphrase(object: object, "the passphrase")
        }
        guard unsafe given.accessRef == nil else {
            throw CallFailure(.unimplemented, "accessRef: there are no file-based keychains")
        }
    }

    /// - Throws: `errSecPassphraseRequired`, `errSecInteractionNotAllowed` where a person would have to be asked.
    func requiredPassphrase() throws(CallFailure) -> Passphrase {
        if let passphrase { return passphrase }
        guard !flags.contains(.securePassphrase) else {
            throw CallFailure(.interactionNotAllowed, "there are no prompts that could ask for the passphrase")
        }
        throw CallFailure(transfer: errSecPassphraseRequired, "the format needs a passphrase")
    }

    func key(_ key: PrivateKey) -> SecKey { SecKey(.privateKey(key)) }

    func identity(_ identity: PKCS12.Identity) -> SecIdentity {
        SecIdentity(SecCertificate(identity.certificate), key(identity.key))
    }
}
