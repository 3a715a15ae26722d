// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainModel
internal import SecurityValues

/// Exports keys and certificates in a format that other programs can read.
///
/// Encryption uses AES with 256 bits and 100,000 iterations of PBKDF2 with HMAC-SHA-256. Only
/// ``SecExternalFormat/formatWrappedPKCS8`` and ``SecExternalFormat/formatPKCS12`` encrypt; in all other formats,
/// private keys are not encrypted.
///
/// - Parameters:
///   - secItemOrArray: a ``SecKey``, ``SecCertificate`` or ``SecIdentity``, or a CFArray of them. An identity is
///     exported as its certificate and its key.
///   - outputFormat: unknown means: X.509 for one certificate, OpenSSL's format for one key, a PEM sequence for several
///     items.
///   - flags: whether the output is PEM; sequences always are. OpenSSH's public keys are always lines, its private keys
///     always PEM.
///   - keyParams: the passphrase for encrypted formats.
///   - exportedData: written on success only.
/// - Returns: `errSecPassphraseRequired`; `errSecDataNotAvailable` for a key that is not extractable;
///   `errSecKeyIsSensitive` for a sensitive key without encryption; `errSecUnsupportedFormat` for a format that cannot
///   be written or cannot contain such an item; `errSecUnimplemented` for symmetric keys; `errSecParam` for objects of
///   other types, no objects, several objects for a format with one, and parameters of the wrong version or type;
///   `errSecInteractionNotAllowed` if a prompt would be required. The log contains details.
///
/// Source: semantics 6.8.
@discardableResult
public func SecItemExport(
    _ secItemOrArray: CFTypeRef, _ outputFormat: SecExternalFormat, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ exportedData: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    statusOf("SecItemExport") { () throws(CallFailure) in
        let parameters = try unsafe TransferParameters(keyParams)
        let items = try ExportedItem.items(secItemOrArray)
        let data: Data
        do throws(TransferFailure) {
            data = try FileExport(passphrase: parameters.passphrase, isPEM: flags.contains(.pemArmour))
                .data(items, ExternalFormat(outputFormat))
        } catch {
            throw parameters.failure(error)
        }
        // The caller guarantees a valid variable.
        unsafe exportedData.pointee = data as NSData
    }
}

extension ExportedItem {
    /// Returns the items of an object.
    ///
    /// - Throws: `errSecParam` for an object of another type, and for an empty list.
    static func items(_ object: AnyObject) throws(CallFailure) -> [ExportedItem] {
        let objects = object as? [Any] ?? [object]
        guard !objects.isEmpty else { throw CallFailure(.parameter, "the list of items to export is empty") }
        var items: [ExportedItem] = []
        for object in objects {
            switch object {
            case let certificate as SecCertificate: items.append(.certificate(certificate.content))
            case let key as SecKey: items.append(.key(key.stored))
            case let identity as SecIdentity:
                items.append(.certificate(identity.certificate.content))
                items.append(.key(identity.privateKey.stored))
            default:
                throw CallFailure(
                    .parameter, "only a key, a certificate, an identity or an array of them can be exported")
            }
        }
        return items
    }
}
