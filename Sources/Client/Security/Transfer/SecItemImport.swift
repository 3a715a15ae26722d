// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainKeys
internal import KeychainModel
internal import KeychainTransfer

/// Imports a file of keys and certificates, and detects its format from its bytes.
///
/// These formats are supported in DER and in PEM: private keys of PKCS #1, SEC 1 and PKCS #8, with or without
/// encryption, and of OpenSSH; public keys as SubjectPublicKeyInfo, PKCS #1 and OpenSSH's lines; certificates; PKCS #7;
/// PKCS #12; Netscape certificate sequences; and PEM with a sequence of any of them. Supported encryption is AES, and
/// for RSA keys also Triple DES, RC2 and RC4.
///
/// - Parameters:
///   - importedData: at most 4 MiB.
///   - fileNameOrExtension: ignored; the format is detected from the bytes.
///   - inputFormat: the expected format, or unknown; on success the detected format.
///   - itemType: the same for the kind of item.
///   - flags: ignored; PEM is detected from the bytes.
///   - keyParams: the passphrase of encrypted data, and the permitted uses and the attributes of keys.
///   - importKeychain: the keychain to which the items are added; items that exist already are not changed. Keys get
///     the label “Imported Private Key” or “Imported Public Key”. Nil: none; ``SecItemAdd(_:_:)`` adds them to the
///     data-protection keychain.
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
        let file = try imported(importedData as Data, format, type, parameters)
        if let importKeychain {
            for object in file.objects {
                try ImportedItem(object).add(to: importKeychain, parameters.access)
            }
        }
        unsafe inputFormat?.pointee = file.format
        unsafe itemType?.pointee = file.type
        unsafe outItems?.pointee = file.objects as NSArray
    }
}

struct ImportedFile {
    let format: SecExternalFormat
    let type: SecExternalItemType
    let objects: [AnyObject]
}

/// - Throws: the statuses of `SecItemImport`.
func imported(
    _ data: Data, _ expectedFormat: SecExternalFormat, _ expectedType: SecExternalItemType,
    _ parameters: TransferParameters
) throws(CallFailure) -> ImportedFile {
    guard expectedFormat != .formatRawKey, expectedType != .itemTypeSessionKey else {
        throw CallFailure(.unimplemented, "symmetric keys are not supported")
    }
    let contents = try contents(of: data, parameters)
    let type = contents.externalType
    guard contents.fits(expectedFormat), expectedType == .itemTypeUnknown || expectedType == type else {
        throw CallFailure(transfer: errSecUnknownFormat, "the contents of the file differ from the expected type")
    }
    let keys = contents.items.count { if case .privateKey = $0 { true } else { false } }
    if parameters.flags.contains(.importOnlyOne), keys > 1 {
        throw CallFailure(transfer: errSecMultiplePrivKeys, "the file has more than one private key")
    }
    return ImportedFile(format: contents.externalFormat, type: type, objects: contents.objects(parameters))
}

private func contents(
    of data: Data, _ parameters: TransferParameters
) throws(CallFailure) -> TransferContents {
    do throws(TransferError) {
        return try TransferReader(passphrase: parameters.passphrase).contents(of: data)
    } catch {
        if error.kind == .passphraseRequired, parameters.flags.contains(.securePassphrase) {
            throw CallFailure(.interactionNotAllowed, "no prompt for the passphrase is available")
        }
        throw CallFailure(importing: error)
    }
}

extension TransferContents {
    fileprivate var externalFormat: SecExternalFormat {
        switch format {
        case .openSSL: .formatOpenSSL
        case .openSSH: .formatSSHv2
        case .wrappedPKCS8: .formatWrappedPKCS8
        case .wrappedOpenSSL: .formatWrappedOpenSSL
        case .certificate: .formatX509Cert
        case .pemSequence: .formatPEMSequence
        case .pkcs7: .formatPKCS7
        case .pkcs12: .formatPKCS12
        case .netscapeSequence: .formatNetscapeCertSequence
        }
    }

    fileprivate var externalType: SecExternalItemType {
        switch format {
        case .pemSequence, .pkcs7, .pkcs12, .netscapeSequence: .itemTypeAggregate
        case .certificate: .itemTypeCertificate
        case .openSSL, .openSSH, .wrappedPKCS8, .wrappedOpenSSL:
            switch items.first {
            case .privateKey: .itemTypePrivateKey
            case .publicKey, .certificate, nil: .itemTypePublicKey
            }
        }
    }

    /// Whether the detected format or kind equals the expected one.
    fileprivate func fits(_ expected: SecExternalFormat) -> Bool {
        switch expected {
        case .formatUnknown: true
        case .formatPEMSequence: isPEM
        case .formatBSAFE: format == .openSSL
        default: externalFormat == expected
        }
    }

    fileprivate func objects(_ parameters: TransferParameters) -> [AnyObject] {
        guard let pkcs12 else { return items.map { object($0, parameters) } }
        // A key and its certificate are one object.
        let identities = pkcs12.identities
        let keys = Set(identities.map(\.key))
        let certificates = Set(identities.map(\.certificate))
        let others = items.filter { item in
            switch item {
            case .privateKey(let key): !keys.contains(key)
            case .certificate(let certificate): !certificates.contains(certificate)
            case .publicKey: true
            }
        }
        return identities.map { parameters.identity($0) } + others.map { object($0, parameters) }
    }

    private func object(_ item: Item, _ parameters: TransferParameters) -> AnyObject {
        switch item {
        case .certificate(let certificate): SecCertificate(certificate)
        case .publicKey(let key): SecKey(.publicKey(key))
        case .privateKey(let key): parameters.key(key)
        }
    }
}
