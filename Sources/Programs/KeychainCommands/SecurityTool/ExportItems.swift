// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel
internal import KeychainTransfer
internal import SecretMemory
internal import SecurityValues

/// `security export`
enum ExportItems {
    static let usage = """
        [-k keychain] [-t type] [-f format] [-w] [-p] [-P passphrase] [-o outfile]
            -k  The keychain to export from
            -t  The items to export: certs|allKeys|pubKeys|privKeys|identities|all (all, if omitted)
            -f  The format: openssl|openssh1|openssh2|bsafe|pkcs7|pkcs8|pkcs12|netscape|x509|pemseq
            -w  Encrypt private keys
            -p  Write PEM
            -P  The passphrase (the command asks for it, if omitted and required)
            -o  The file to write (standard output, if omitted)
        Items of other programs are not exported.
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hwp", withValue: "ktfPo", invocation.words)
        var keychainName: String?
        var kinds: [Kind] = [.certificates, .privateKeys, .publicKeys]
        var format = ExternalFormat.unknown
        var isWrapped = false
        var isPEM = false
        var passphrase: SecretBytes?
        var file: String?
        while let option = options.next() {
            switch option {
            case .value("k", let name): keychainName = name
            case .value("t", let word):
                guard let found = Self.kinds[word] else { return .usage }
                kinds = found
            case .value("f", let word):
                guard word != "raw", let found = TransferFile.formats[word] else { return .usage }
                format = found
            case .flag("w"): isWrapped = true
            case .flag("p"): isPEM = true
            case .value("P", let text): passphrase = SecretBytes(copying: text.utf8)
            case .value("o", let path): file = path
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard options.operands.isEmpty else { return .usage }
        if isWrapped {
            guard let wrapped = TransferFile.wrapped(format) else { return .usage }
            format = wrapped
        }
        let keychains: [ToolKeychain]
        do throws(ClientError) {
            // Like a search, but without a request yet.
            keychains = try invocation.all(in: [keychainName].compactMap(\.self)) { keychain throws(ClientError) in
                if keychain.isFile { try invocation.checkKeychain(keychain) }
                return [keychain]
            }
        } catch {
            _ = invocation.fail("SecKeychainItemExport", error)
            return .failure
        }
        if format == .pkcs12 || format == .wrappedPKCS8, passphrase == nil {
            passphrase = TransferFile.newPassphrase(invocation)
            guard passphrase != nil else { return .failure }
        }
        var items: [ExportedItem] = []
        do throws(ClientError) {
            for keychain in keychains {
                for kind in kinds { items += try kind.items(keychain.client) }
            }
            guard !items.isEmpty else { throw .refused(Refusal(.itemNotFound, .none)) }
        } catch {
            _ = invocation.fail("SecKeychainItemExport", error.status.rawValue)
            return .failure
        }
        let data: Data
        do throws(TransferFailure) {
            data = try FileExport(passphrase: passphrase.map { Passphrase($0.bytes) }, isPEM: isPEM)
                .data(items, format)
        } catch {
            TransferFile.report("SecKeychainItemExport", error, invocation)
            return .failure
        }
        return write(data, to: file, invocation)
    }

    private enum Kind {
        case certificates, publicKeys, privateKeys, identities

        /// Items whose data is invalid are skipped.
        func items(_ client: KeychainClient) throws(ClientError) -> [ExportedItem] {
            do throws(ClientError) {
                switch self {
                case .certificates:
                    return try Self.found(ItemQuery(.certificate), client).compactMap(Self.certificate).map {
                        .certificate($0)
                    }
                case .publicKeys, .privateKeys:
                    var query = ItemQuery(.key)
                    query.attributes[.keyClass] = .number(self == .privateKeys ? 1 : 0)
                    return try Self.found(query, client).compactMap { StoredKey($0) }.map { .key($0) }
                case .identities:
                    let found = try client.copyIdentities(
                        ItemQuery(.identity), limit: .all, returning: [.reference, .attributes]
                    ) { Data($0) }
                    return found.flatMap { Self.halves($0) }
                }
            } catch {
                guard error.status == .itemNotFound else { throw error }
                return []
            }
        }

        /// Returns the items with their data. The data of a key that the service holds is its public half.
        private static func found(
            _ query: ItemQuery, _ client: KeychainClient
        ) throws(ClientError) -> [ReturnedItem<Data>] {
            let parts: ReturnedParts = query.itemClass == .key ? [.reference, .attributes] : .data
            return try client.copyMatching(query, limit: .all, returning: parts) { Data($0) }
        }

        private static func certificate(_ item: ReturnedItem<Data>) -> Certificate? {
            item.secret.flatMap { try? Certificate($0) }
        }

        /// Returns the certificate and the key; nothing if they do not match.
        private static func halves(_ identity: ReturnedIdentity<Data>) -> [ExportedItem] {
            guard let certificate = certificate(identity.certificate), let key = StoredKey(identity.key),
                key.material.isPrivate, (try? certificate.publicKey()) == key.material.publicKey
            else { return [] }
            return [.certificate(certificate), .key(key)]
        }
    }

    private static let kinds: [String: [Kind]] = [
        "certs": [.certificates], "allKeys": [.privateKeys, .publicKeys], "pubKeys": [.publicKeys],
        "privKeys": [.privateKeys], "identities": [.identities], "all": [.certificates, .privateKeys, .publicKeys],
    ]

    private static func write(_ data: Data, to file: String?, _ invocation: SecurityInvocation) -> SecurityResult {
        guard let file else { return invocation.print(data) ? .success : .failure }
        do throws(StreamError) {
            try invocation.context.files.writePrivate(data, to: file, replacing: true)
        } catch {
            invocation.complain("\(file): \(error.reason)")
            return .failure
        }
        invocation.context.diagnostics.writeIfPossible("...\(data.count) bytes written to \(visible(file))\n")
        return .success
    }
}
