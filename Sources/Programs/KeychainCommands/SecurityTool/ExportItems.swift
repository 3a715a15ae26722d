// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainClient
internal import SecretMemory
internal import Security

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
        var format = SecExternalFormat.formatUnknown
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
        if [.formatPKCS12, .formatWrappedPKCS8].contains(format), passphrase == nil {
            passphrase = TransferFile.newPassphrase(invocation)
            guard passphrase != nil else { return .failure }
        }
        let data: Data
        do throws(ItemTransfer.Failure) {
            var items: [AnyObject] = []
            for keychain in keychains {
                for kind in kinds { items += try keychain.client.asCurrent { kind.items() }.get() }
            }
            guard !items.isEmpty else { throw ItemTransfer.Failure(status: errSecItemNotFound) }
            data = try ItemTransfer.data(
                of: items, format: format, isPEM: isPEM, passphrase: passphrase.map { Array($0.bytes) })
        } catch {
            TransferFile.report("SecKeychainItemExport", error, invocation)
            return .failure
        }
        return write(data, to: file, invocation)
    }

    private enum Kind {
        case certificates, publicKeys, privateKeys, identities

        /// Returns a result, because the client's functions do not support typed errors.
        func items() -> Result<[AnyObject], ItemTransfer.Failure> {
            var query: [CFString: Any] = [kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true]
            switch self {
            case .certificates: query[kSecClass] = kSecClassCertificate
            case .identities: query[kSecClass] = kSecClassIdentity
            case .publicKeys, .privateKeys:
                query[kSecClass] = kSecClassKey
                query[kSecAttrKeyClass] = self == .publicKeys ? kSecAttrKeyClassPublic : kSecAttrKeyClassPrivate
            }
            do throws(ItemTransfer.Failure) {
                return .success(try ItemTransfer.references(query as CFDictionary))
            } catch {
                return error.status == errSecItemNotFound ? .success([]) : .failure(error)
            }
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
