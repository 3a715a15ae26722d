// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainKeys
internal import KeychainModel
internal import KeychainTransfer
internal import SecurityValues

/// A parsed ``SecItemImportExportKeyParameters``.
struct TransferParameters {
    private(set) var flags: SecKeyImportExportFlags = []
    private(set) var passphrase: Passphrase?
    /// The permissions of imported private keys.
    private(set) var permissions = KeyPermissions()
    /// The access object of private keys that are added to a keychain file; nil: for the calling program only.
    private(set) var access: SecAccess?
    /// Whether the keys are to be stored, which requires a keychain.
    private(set) var isPermanent = false

    /// - Throws: `errSecParam` for another version, and for values of the wrong type.
    init(_ pointer: UnsafePointer<SecItemImportExportKeyParameters>?) throws(CallFailure) {
        // The caller guarantees the parameters and the objects that they do not retain.
        guard let given = unsafe pointer?.pointee else { return }
        guard unsafe given.version == SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION else {
            throw CallFailure(.parameter, "the version of SecItemImportExportKeyParameters is not supported")
        }
        flags = unsafe given.flags
        if let object = unsafe given.passphrase?.takeUnretainedValue() {
            passphrase = try Passphrase(object: object, "the passphrase")
        }
        access = unsafe given.accessRef?.takeUnretainedValue()
        if flags.contains(.noAccessControl) {
            guard access == nil else {
                throw CallFailure(.parameter, "accessRef is set, but the flags exclude an access object")
            }
            access = AccessObject(openToAll: "Imported Private Key").map { SecAccess($0) }
        }
        let usage = try Self.names(unsafe given.keyUsage?.takeUnretainedValue(), Self.uses, "keyUsage")
        let attributes = try Self.names(
            unsafe given.keyAttributes?.takeUnretainedValue(), [.isPermanent, .isSensitive, .isExtractable],
            "keyAttributes")
        isPermanent = attributes?.contains(.isPermanent) ?? false
        var values: [String: Any] = [:]
        if let usage {
            for use in Self.uses { values[use.name] = usage.contains(use) }
        }
        if let attributes {
            for attribute in [AttributeKey.isSensitive, .isExtractable] {
                values[attribute.name] = attributes.contains(attribute)
            }
        }
        do throws(KeyFailure) {
            permissions = try KeyPermissions(values)
        } catch {
            throw CallFailure(.parameter, error.reason)
        }
    }

    private static let uses: [AttributeKey] = [
        .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canWrap, .canUnwrap,
    ]

    /// - Throws: `errSecParam` for an unknown name.
    private static func names(
        _ array: CFArray?, _ possible: [AttributeKey], _ parameter: String
    ) throws(CallFailure) -> [AttributeKey]? {
        try array?.map { element throws(CallFailure) in
            guard let name = element as? String, let key = AttributeKey(name: name), possible.contains(key) else {
                throw CallFailure(.parameter, "\(parameter) has an element that is not one of its constants")
            }
            return key
        }
    }

    /// Returns the failure of a call with these parameters: without a passphrase, they may demand a prompt.
    func failure(_ failure: TransferFailure) -> CallFailure {
        if failure.status == .passphraseRequired, flags.contains(.securePassphrase) {
            return CallFailure(.interactionNotAllowed, "no prompt for the passphrase is available")
        }
        return CallFailure(failure.status, failure.reason)
    }

    func object(_ item: ImportedFile.Item) -> AnyObject {
        switch item {
        case .certificate(let certificate): SecCertificate(certificate)
        case .publicKey(let key): SecKey(.publicKey(key))
        case .privateKey(let key, _): SecKey(.privateKey(key), permissions)
        case .identity(let identity):
            SecIdentity(SecCertificate(identity.certificate), SecKey(.privateKey(identity.key), permissions))
        }
    }
}
