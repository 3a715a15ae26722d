// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
package import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel
package import KeychainTransfer

/// An item to write to a file.
package enum ExportedItem: Sendable {
    case certificate(Certificate)
    case key(StoredKey)

    /// - Throws: `errSecUnsupportedFormat` for another item.
    fileprivate func certificate(_ format: String) throws(TransferFailure) -> Certificate {
        guard case .certificate(let certificate) = self else {
            throw TransferFailure(.unsupportedFormat, "\(format) can contain only certificates")
        }
        return certificate
    }
}

/// Writes files of keys and certificates as `SecItemExport` does.
package struct FileExport {
    private let passphrase: Passphrase?
    private let isPEM: Bool

    package init(passphrase: Passphrase?, isPEM: Bool) {
        self.passphrase = passphrase
        self.isPEM = isPEM
    }

    /// - Parameter items: at least one.
    /// - Throws: the statuses of `SecItemExport`.
    package func data(_ items: [ExportedItem], _ format: ExternalFormat) throws(TransferFailure) -> Data {
        switch format {
        case .unknown:
            guard items.count == 1 else { return try sequence(items) }
            if case .certificate = items[0] { return try data(items, .x509) }
            return try data(items, .openSSL)
        case .pemSequence: return try sequence(items)
        case .x509:
            let certificate = try single(items).certificate("X.509")
            return isPEM ? Data(certificate.pem.utf8) : Data(certificate.encoded)
        case .pkcs7:
            return binary(CertificateBag.pkcs7(try certificates(items, "PKCS #7")), "PKCS7")
        case .netscapeSequence:
            let bytes = CertificateBag.netscapeSequence(try certificates(items, "a sequence of certificates"))
            return binary(bytes, "CERTIFICATE SEQUENCE")
        case .pkcs12: return try pkcs12(items)
        case .openSSL, .bsafe, .sshv2, .wrappedPKCS8:
            let file = try keyFile(try single(items), format)
            return isPEM || (format == .sshv2 && file.label != nil) ? Data(file.text.utf8) : Data(file.bytes)
        case .rawKey: throw TransferFailure(.unimplemented, "symmetric keys are not supported")
        case .wrappedOpenSSL:
            throw TransferFailure(
                .unsupportedFormat,
                "the old encryption of OpenSSL derives its key with one round of MD5; use formatWrappedPKCS8, which OpenSSL reads too"
            )
        case .ssh, .wrappedSSH, .wrappedLSH:
            throw TransferFailure(.unsupportedFormat, "writing this format is not supported")
        }
    }

    private func single(_ items: [ExportedItem]) throws(TransferFailure) -> ExportedItem {
        guard items.count == 1 else { throw TransferFailure(.parameter, "the format can contain only one item") }
        return items[0]
    }

    private func certificates(_ items: [ExportedItem], _ format: String) throws(TransferFailure) -> [Certificate] {
        try items.map { item throws(TransferFailure) in try item.certificate(format) }
    }

    private func binary(_ bytes: [UInt8], _ label: String) -> Data {
        isPEM ? Data(PEM.text(label: label, bytes: bytes).utf8) : Data(bytes)
    }

    private func sequence(_ items: [ExportedItem]) throws(TransferFailure) -> Data {
        var text = ""
        for item in items {
            switch item {
            case .certificate(let certificate): text += certificate.pem
            case .key: text += try keyFile(item, .openSSL).text
            }
        }
        return Data(text.utf8)
    }

    private func keyFile(_ item: ExportedItem, _ format: ExternalFormat) throws(TransferFailure) -> KeyFile {
        guard case .key(let key) = item, let file = try keyFile(key, format) else {
            throw TransferFailure(.unsupportedFormat, "the format cannot contain such an item")
        }
        return file
    }

    /// Returns nil for a format that cannot contain the key.
    private func keyFile(_ key: StoredKey, _ format: ExternalFormat) throws(TransferFailure) -> KeyFile? {
        if case .publicKey(let key) = key.material {
            return switch format {
            case .openSSL: .openSSL(key)
            case .bsafe: .pkcs1(key)
            case .sshv2: .openSSH(key)
            default: nil
            }
        }
        var generator = Self.systemGenerator
        let key = try exported(key, inClear: format != .wrappedPKCS8)
        return switch format {
        case .openSSL: .openSSL(key)
        case .bsafe: key.type == .rsa ? .pkcs8(key) : nil
        case .sshv2: .openSSH(key, using: &generator)
        case .wrappedPKCS8: .wrappedPKCS8(key, passphrase: try requiredPassphrase(), using: &generator)
        default: nil
        }
    }

    private func requiredPassphrase() throws(TransferFailure) -> Passphrase {
        guard let passphrase else { throw TransferFailure(.passphraseRequired, "the format requires a passphrase") }
        return passphrase
    }

    private func pkcs12(_ items: [ExportedItem]) throws(TransferFailure) -> Data {
        var file = PKCS12(keys: [], certificates: [])
        for item in items {
            switch item {
            case .certificate(let certificate):
                file.certificates.append(PKCS12.Entry(certificate, name: certificate.subjectSummary))
            case .key(let key):
                if case .publicKey = key.material {
                    throw TransferFailure(.unsupportedFormat, "PKCS #12 cannot contain public keys")
                }
                file.keys.append(PKCS12.Entry(try exported(key, inClear: false)))
            }
        }
        let passphrase = try requiredPassphrase()
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
    private func exported(_ key: StoredKey, inClear: Bool) throws(TransferFailure) -> PrivateKey {
        guard key.permissions.isAllowed(.isExtractable) else {
            throw TransferFailure(.dataNotAvailable, "the key is not extractable")
        }
        guard case .privateKey(let secret) = key.material else {
            throw TransferFailure(.dataNotAvailable, "the private key exists only in the keychain service")
        }
        guard !inClear || key.permissions.said[.isSensitive] != true else {
            throw TransferFailure(.keyIsSensitive, "the key is sensitive, so it must be exported encrypted")
        }
        return secret
    }
}
