// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainModel
internal import SecurityValues

/// Imports a file of keys and certificates, and detects its format from its bytes.
///
/// These formats are supported in DER and in PEM: private keys of PKCS #1, SEC 1 and PKCS #8, with or without
/// encryption, and of OpenSSH; public keys as SubjectPublicKeyInfo, PKCS #1 and OpenSSH's lines; certificates; PKCS #7;
/// PKCS #12; Netscape certificate sequences; and PEM with a sequence of any of them. Supported encryption is AES, and
/// for RSA keys also Triple DES, RC2 and RC4; for all contents where the helper program `chatelaine-crypto` is
/// installed.
///
/// - Parameters:
///   - importedData: at most 4 MiB.
///   - fileNameOrExtension: ignored; the format is detected from the bytes.
///   - inputFormat: the expected format, or unknown; on success the detected format.
///   - itemType: the same for the kind of item.
///   - flags: ignored; PEM is detected from the bytes.
///   - keyParams: the passphrase of encrypted data, and the permitted uses and the attributes of keys.
///   - importKeychain: the keychain to which the items are added; items that exist already are not changed. Keys get
///     their name in a PKCS #12 file as label, else “Imported Private Key” or “Imported Public Key”. Nil: none;
///     ``SecItemAdd(_:_:)`` adds them to the data-protection keychain.
///   - outItems: CFArray of ``SecKey``, ``SecCertificate`` and, for PKCS #12, ``SecIdentity``, in the order of the
///     file. Nil for detection only.
/// - Returns: `errSecUnknownFormat` for an unknown format, or another than the expected one;
///   `errSecPassphraseRequired`; `errSecPkcs12VerifyFailure` for a wrong passphrase and changed bytes; `errSecDecode`
///   for data that is malformed, too long, or requires more than 10,000,000 iterations of a hash;
///   `errSecUnsupportedFormat` for unsupported ciphers, keys and curves; `errSecMultiplePrivKeys`;
///   `errSecInteractionNotAllowed` if a prompt would be required; `errSecUnimplemented` for symmetric keys;
///   `errSecParam` for parameters of the wrong version or type. All variables are then not changed, and the log
///   contains details.
///
/// Source: semantics 6.8.
@discardableResult
public func SecItemImport(
    _ importedData: CFData, _ fileNameOrExtension: CFString?, _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
    _ itemType: UnsafeMutablePointer<SecExternalItemType>?, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ importKeychain: SecKeychain?,
    _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    statusOf("SecItemImport") { () throws(CallFailure) in
        // The caller guarantees valid variables, here and below.
        let format = unsafe inputFormat?.pointee ?? .formatUnknown
        let type = unsafe itemType?.pointee ?? .itemTypeUnknown
        let parameters = try unsafe TransferParameters(keyParams)
        guard importKeychain != nil || parameters.access == nil else {
            throw CallFailure(.parameter, "accessRef and kSecKeyNoAccessControl require a keychain file")
        }
        guard importKeychain != nil || !parameters.isPermanent else {
            throw CallFailure(
                .parameter,
                "kSecAttrIsPermanent in keyAttributes requires importKeychain; SecItemAdd stores a key elsewhere")
        }
        let file: ImportedFile
        do throws(TransferFailure) {
            file = try ImportedFile(
                importedData as Data, expecting: ExternalFormat(format), ExternalItemType(type),
                passphrase: parameters.passphrase, allowsSeveralKeys: !parameters.flags.contains(.importOnlyOne))
        } catch {
            throw parameters.failure(error)
        }
        let objects = file.items.map { parameters.object($0) }
        if let importKeychain {
            for (item, object) in zip(file.items, objects) {
                try ImportedItem(object, keyName: item.keyName).add(to: importKeychain, parameters.access)
            }
        }
        unsafe inputFormat?.pointee = SecExternalFormat(file.format)
        unsafe itemType?.pointee = SecExternalItemType(file.type)
        unsafe outItems?.pointee = objects as NSArray
    }
}

// The types of the module SecurityValues have the same cases with the same numbers.

extension ExternalFormat {
    init(_ format: SecExternalFormat) { self = Self(rawValue: format.rawValue)! }
}

extension SecExternalFormat {
    fileprivate init(_ format: ExternalFormat) { self = Self(rawValue: format.rawValue)! }
}

extension ExternalItemType {
    fileprivate init(_ type: SecExternalItemType) { self = Self(rawValue: type.rawValue)! }
}

extension SecExternalItemType {
    fileprivate init(_ type: ExternalItemType) { self = Self(rawValue: type.rawValue)! }
}
