// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import CFTypes
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel
internal import KeychainTransfer

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
        let data = try exported(secItemOrArray, outputFormat, isPEM: flags.contains(.pemArmour), parameters)
        // The caller guarantees a valid variable.
        unsafe exportedData.pointee = data as NSData
    }
}

/// - Throws: the statuses of `SecItemExport`.
func exported(
    _ object: AnyObject, _ format: SecExternalFormat, isPEM: Bool, _ parameters: TransferParameters
) throws(CallFailure) -> Data {
    try Exporter(parameters: parameters, isPEM: isPEM).data(try ExportedItem.items(object), format)
}

private enum ExportedItem {
    case certificate(Certificate)
    case publicKey(PublicKey)
    case privateKey(SecKey)

    static func items(_ object: AnyObject) throws(CallFailure) -> [ExportedItem] {
        let objects = object as? [Any] ?? [object]
        guard !objects.isEmpty else { throw CallFailure(.parameter, "the list of items to export is empty") }
        var items: [ExportedItem] = []
        for object in objects {
            switch object {
            case let certificate as SecCertificate: items.append(.certificate(certificate.content))
            case let key as SecKey: items.append(Self(key))
            case let identity as SecIdentity:
                items.append(.certificate(identity.certificate.content))
                items.append(Self(identity.privateKey))
            default:
                throw CallFailure(
                    .parameter, "only a key, a certificate, an identity or an array of them can be exported")
            }
        }
        return items
    }

    private init(_ key: SecKey) {
        if case .publicKey(let half) = key.material {
            self = .publicKey(half)
        } else {
            self = .privateKey(key)
        }
    }

    /// - Throws: `errSecUnsupportedFormat` for another item.
    func certificate(_ format: String) throws(CallFailure) -> Certificate {
        guard case .certificate(let certificate) = self else {
            throw CallFailure(transfer: errSecUnsupportedFormat, "\(format) can contain only certificates")
        }
        return certificate
    }
}

private struct Exporter {
    let parameters: TransferParameters
    let isPEM: Bool

    func data(_ items: [ExportedItem], _ format: SecExternalFormat) throws(CallFailure) -> Data {
        switch format {
        case .formatUnknown:
            guard items.count == 1 else { return try sequence(items) }
            if case .certificate = items[0] { return try data(items, .formatX509Cert) }
            return try data(items, .formatOpenSSL)
        case .formatPEMSequence: return try sequence(items)
        case .formatX509Cert:
            let certificate = try single(items).certificate("X.509")
            return isPEM ? Data(certificate.pem.utf8) : Data(certificate.encoded)
        case .formatPKCS7:
            return binary(CertificateBag.pkcs7(try certificates(items, "PKCS #7")), "PKCS7")
        case .formatNetscapeCertSequence:
            let bytes = CertificateBag.netscapeSequence(try certificates(items, "a sequence of certificates"))
            return binary(bytes, "CERTIFICATE SEQUENCE")
        case .formatPKCS12: return try pkcs12(items)
        case .formatOpenSSL, .formatBSAFE, .formatSSHv2, .formatWrappedPKCS8:
            let file = try keyFile(try single(items), format)
            return isPEM || (format == .formatSSHv2 && file.label != nil) ? Data(file.text.utf8) : Data(file.bytes)
        case .formatRawKey: throw CallFailure(.unimplemented, "symmetric keys are not supported")
        case .formatWrappedOpenSSL:
            throw CallFailure(
                transfer: errSecUnsupportedFormat,
                "the old encryption of OpenSSL derives its key with one round of MD5; use formatWrappedPKCS8, which OpenSSL reads too"
            )
        case .formatSSH, .formatWrappedSSH, .formatWrappedLSH:
            throw CallFailure(transfer: errSecUnsupportedFormat, "writing this format is not supported")
        }
    }

    private func single(_ items: [ExportedItem]) throws(CallFailure) -> ExportedItem {
        guard items.count == 1 else { throw CallFailure(.parameter, "the format can contain only one item") }
        return items[0]
    }

    private func certificates(_ items: [ExportedItem], _ format: String) throws(CallFailure) -> [Certificate] {
        try items.map { item throws(CallFailure) in try item.certificate(format) }
    }

    private func binary(_ bytes: [UInt8], _ label: String) -> Data {
        isPEM ? Data(PEM.text(label: label, bytes: bytes).utf8) : Data(bytes)
    }

    private func sequence(_ items: [ExportedItem]) throws(CallFailure) -> Data {
        var text = ""
        for item in items {
            switch item {
            case .certificate(let certificate): text += certificate.pem
            case .publicKey, .privateKey: text += try keyFile(item, .formatOpenSSL).text
            }
        }
        return Data(text.utf8)
    }

    private func keyFile(_ item: ExportedItem, _ format: SecExternalFormat) throws(CallFailure) -> KeyFile {
        var generator = Self.systemGenerator
        let file: KeyFile?
        switch item {
        case .certificate: file = nil
        case .publicKey(let key):
            switch format {
            case .formatOpenSSL: file = .openSSL(key)
            case .formatBSAFE: file = .pkcs1(key)
            case .formatSSHv2: file = .openSSH(key)
            default: file = nil
            }
        case .privateKey(let key):
            let key = try exported(key, inClear: format != .formatWrappedPKCS8)
            switch format {
            case .formatOpenSSL: file = .openSSL(key)
            case .formatBSAFE: file = key.type == .rsa ? .pkcs8(key) : nil
            case .formatSSHv2: file = .openSSH(key, using: &generator)
            case .formatWrappedPKCS8:
                file = .wrappedPKCS8(key, passphrase: try parameters.requiredPassphrase(), using: &generator)
            default: file = nil
            }
        }
        guard let file else {
            throw CallFailure(transfer: errSecUnsupportedFormat, "the format cannot contain such an item")
        }
        return file
    }

    private func pkcs12(_ items: [ExportedItem]) throws(CallFailure) -> Data {
        var file = PKCS12(keys: [], certificates: [])
        for item in items {
            switch item {
            case .certificate(let certificate):
                file.certificates.append(PKCS12.Entry(certificate, name: certificate.subjectSummary))
            case .privateKey(let key): file.keys.append(PKCS12.Entry(try exported(key, inClear: false)))
            case .publicKey:
                throw CallFailure(transfer: errSecUnsupportedFormat, "PKCS #12 cannot contain public keys")
            }
        }
        let passphrase = try parameters.requiredPassphrase()
        var generator = Self.systemGenerator
        return binary(file.encoded(passphrase: passphrase, using: &generator), "PKCS12")
    }

    /// Not of its own type, whose values are empty: the thread sanitizer checks the address of inout arguments, and
    /// empty values have none.
    private static var systemGenerator: any RandomNumberGenerator { SystemRandomNumberGenerator() }

    /// Returns the private key itself.
    ///
    /// - Throws: `errSecDataNotAvailable` for a key that is not extractable or not in memory, `errSecKeyIsSensitive`
    ///   for a sensitive key without encryption.
    private func exported(_ key: SecKey, inClear: Bool) throws(CallFailure) -> PrivateKey {
        guard key.permissions.isAllowed(.isExtractable) else {
            throw CallFailure(transfer: errSecDataNotAvailable, "the key is not extractable")
        }
        guard case .privateKey(let secret) = key.material else {
            throw CallFailure(transfer: errSecDataNotAvailable, "the private key exists only in the keychain service")
        }
        guard !inClear || key.permissions.said[.isSensitive] != true else {
            throw CallFailure(transfer: errSecKeyIsSensitive, "the key is sensitive, so it must be exported encrypted")
        }
        return secret
    }
}
