// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// `security delete-certificate` and `delete-identity`
enum DeleteCertificate {
    /// The item to delete.
    enum Kind: String {
        case certificate
        /// The private key too, unless another certificate belongs to it; a certificate without a private key is
        /// deleted as well.
        case identity
    }

    static let usage = """
        [-c name] [-Z hash] [-t] [keychain...]
            -c  The common name, or an unambiguous part of it
            -Z  The SHA-1 or SHA-256 hash
            -t  Delete its trust settings too (accepted, without effect)
        """

    static func run(_ kind: Kind, _ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "ht", withValue: "cZ", invocation.words)
        var filter = CertificateFilter()
        while let option = options.next() {
            switch option {
            case .flag("t"): break
            case .value("c", let name): filter.name = name
            case .value("Z", let hash): filter.hash = hash
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard let wanted = filter.hash ?? filter.name else { return .usage }
        let function = "SecKeychainItemDelete"
        do throws(ClientError) {
            var found = try invocation.all(in: options.operands) { keychain throws(ClientError) in
                try keychain.client.listCertificates().filter(filter.accepts).map { ($0, keychain.client) }
            }
            // An exact name takes precedence over a part of a name.
            let exact = found.filter { filter.isExact($0.0) }
            if !exact.isEmpty { found = exact }
            guard let (certificate, client) = found.first else {
                // As on macOS, without a newline.
                invocation.context.diagnostics.writeIfPossible(
                    "Unable to delete \(kind.rawValue) matching \"\(visible(wanted))\"")
                return .failure
            }
            guard found.count == 1 else {
                invocation.context.diagnostics.writeIfPossible(
                    "\"\(visible(wanted))\" is ambiguous, matches more than one certificate\n"
                        + "Unable to delete \(kind.rawValue) matching \"\(visible(wanted))\"")
                return .failure
            }
            if kind == .identity, try deleteIdentity(of: certificate, client) { return .success }
            try client.delete(certificate.item.query)
            return .success
        } catch {
            _ = invocation.fail(function, error)
            return .failure
        }
    }

    /// Deletes an identity; returns false if it has no private key.
    private static func deleteIdentity(
        of certificate: ListedCertificate, _ client: KeychainClient
    ) throws(ClientError) -> Bool {
        do throws(ClientError) {
            try client.delete(ItemQuery(certificate.item.reference.of(.identity)))
            return true
        } catch {
            guard error.status == .itemNotFound else { throw error }
            return false
        }
    }
}
