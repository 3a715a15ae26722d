// SPDX-License-Identifier: Apache-2.0

package import KeychainCertificates
package import KeychainKeys
package import KeychainModel
package import KeychainTransfer

/// The reason why a file of keys and certificates could not be read or written.
package struct TransferFailure: Error, Hashable {
    package let status: StatusCode
    /// A sentence without a full stop.
    package let reason: String

    init(_ status: StatusCode, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    /// The status for a file in `SecItemImport` (semantics 6.8).
    fileprivate init(_ error: TransferError) {
        let status: StatusCode =
            switch error.kind {
            case .unknownFormat: .unknownFormat
            case .malformed, .tooLong, .tooExpensive: .decode
            case .passphraseRequired: .passphraseRequired
            case .wrongPassphrase: .wrongPassphrase
            case .unsupported: .unsupportedFormat
            }
        self.init(status, error.description)
    }
}

/// A file of keys and certificates, as `SecItemImport` reads it.
package struct ImportedFile: Sendable {
    package enum Item: Sendable {
        case certificate(Certificate)
        case publicKey(PublicKey)
        /// A key with its name in a PKCS #12 file; nil for a key without a name, and in other files.
        case privateKey(PrivateKey, name: String?)
        /// A key and its certificate, in PKCS #12.
        case identity(PKCS12.Identity)

        /// The name of the key in the file, which is not empty; nil for a key without a name, and for a certificate.
        package var keyName: String? {
            let name: String? =
                switch self {
                case .certificate, .publicKey: nil
                case .privateKey(_, let name): name
                case .identity(let identity): identity.name
                }
            return name?.isEmpty == true ? nil : name
        }
    }

    package let format: ExternalFormat
    package let type: ExternalItemType
    /// In the order of the file; identities come first.
    package let items: [Item]

    /// - Parameters:
    ///   - format: the expected format.
    ///   - type: the expected kind of contents.
    ///   - allowsSeveralKeys: whether the file may have more than one private key.
    /// - Throws: the statuses of `SecItemImport`.
    package init(
        _ bytes: some Collection<UInt8>, expecting format: ExternalFormat, _ type: ExternalItemType,
        passphrase: Passphrase?, allowsSeveralKeys: Bool = true
    ) throws(TransferFailure) {
        guard format != .rawKey, type != .sessionKey else {
            throw TransferFailure(.unimplemented, "symmetric keys are not supported")
        }
        let contents: TransferContents
        do throws(TransferError) {
            contents = try TransferReader(passphrase: passphrase, ciphers: CryptoHelper.current.ciphers)
                .contents(of: bytes)
        } catch {
            throw TransferFailure(error)
        }
        guard contents.fits(format), type == .unknown || type == contents.externalType else {
            throw TransferFailure(.unknownFormat, "the contents of the file differ from the expected type")
        }
        let keys = contents.items.count { if case .privateKey = $0 { true } else { false } }
        guard allowsSeveralKeys || keys <= 1 else {
            throw TransferFailure(.multiplePrivateKeys, "the file has more than one private key")
        }
        self.format = contents.externalFormat
        self.type = contents.externalType
        items = contents.importedItems
    }
}

extension TransferContents {
    /// The items, in which a key and its certificate are one item.
    fileprivate var importedItems: [ImportedFile.Item] {
        guard let pkcs12 else { return items.map { ImportedFile.Item($0, name: nil) } }
        let identities = pkcs12.identities
        let names = Dictionary(pkcs12.keys.map { ($0.content, $0.name) }) { first, _ in first }
        let keys = Set(identities.map(\.key))
        let certificates = Set(identities.map(\.certificate))
        let others = items.filter { item in
            switch item {
            case .privateKey(let key): !keys.contains(key)
            case .certificate(let certificate): !certificates.contains(certificate)
            case .publicKey: true
            }
        }
        return identities.map { .identity($0) }
            + others.map { item in
                let name = if case .privateKey(let key) = item { names[key] ?? nil } else { String?.none }
                return ImportedFile.Item(item, name: name)
            }
    }
}

extension ImportedFile.Item {
    fileprivate init(_ item: TransferContents.Item, name: String?) {
        switch item {
        case .certificate(let certificate): self = .certificate(certificate)
        case .publicKey(let key): self = .publicKey(key)
        case .privateKey(let key): self = .privateKey(key, name: name)
        }
    }
}
