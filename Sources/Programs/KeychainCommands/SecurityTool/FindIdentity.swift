// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel

/// `security find-identity`
///
/// Certificate chains are not evaluated, only the certificate itself: an identity is valid if its dates are. Identities
/// of other programs are left out, because this command cannot read their certificates, and so their hashes, without a
/// prompt.
enum FindIdentity {
    static let usage = """
        [-p policy] [-s string] [-v] [keychain...]
            -p  Match a purpose: basic, ssl-client, ssl-server, smime, eap, ipsec, ichat, codesigning, sys-default,
                sys-kerberos-kdc, appleID or macappstore (basic, if omitted)
            -s  Match the host of a server (ssl-server) or an e-mail address (smime)
            -v  Show valid identities only
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hv", withValue: "ps", invocation.words)
        var purposes: [IdentityPurpose] = []
        var subject: String?
        var showsValidOnly = false
        while let option = options.next() {
            switch option {
            case .flag("v"): showsValidOnly = true
            case .value("p", let name):
                guard let purpose = IdentityPurpose(rawValue: name) else { return .usage }
                purposes.append(purpose)
            case .value("s", let text): subject = text
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        let function = "SecIdentitySearchCopyNext"
        let identities: [ListedIdentity]
        do throws(ClientError) {
            identities = try invocation.all(in: options.operands) { keychain throws(ClientError) in
                try keychain.client.listIdentities()
            }
        } catch {
            return invocation.fail(function, error)
        }
        var text = ""
        for purpose in purposes.isEmpty ? [.basic] : purposes {
            let found = identities.compactMap { identity -> (ListedIdentity, Certificate)? in
                guard let certificate = identity.certificate.certificate, purpose.includes(certificate, for: subject)
                else { return nil }
                return (identity, certificate)
            }
            let valid = found.filter { problem($0.1, invocation) == nil }
            if !showsValidOnly {
                text += "\nPolicy: \(purpose.title)\n  Matching identities\n" + list(found, invocation)
                text += "     \(found.count) identities found\n\n  Valid identities only\n"
            }
            text += list(valid, invocation) + "     \(valid.count) valid identities found\n"
        }
        return invocation.print(text.utf8) ? .success : .failure
    }

    private static func list(_ identities: [(ListedIdentity, Certificate)], _ invocation: SecurityInvocation) -> String
    {
        identities.enumerated().map { number, identity in
            let place = String(number + 1)
            let padding = String(repeating: " ", count: max(0, 3 - place.count))
            let hash = identity.1.sha1Fingerprint.hexadecimal.uppercased()
            let name = identity.0.certificate.commonName ?? identity.0.certificate.name
            let note = problem(identity.1, invocation).map { " (\($0))" } ?? ""
            return "\(padding)\(place)) \(hash) \"\(visible(name))\"\(note)\n"
        }.joined()
    }

    private static func problem(_ certificate: Certificate, _ invocation: SecurityInvocation) -> String? {
        switch CertificateValidity(certificate, at: invocation.context.secondsSince1970()) {
        case .valid: nil
        case .expired: "CSSMERR_TP_CERT_EXPIRED"
        case .notYetValid: "CSSMERR_TP_CERT_NOT_VALID_YET"
        }
    }
}

/// The purpose of an identity, in the words of `security`.
enum IdentityPurpose: String {
    case basic
    case sslClient = "ssl-client"
    case sslServer = "ssl-server"
    case smime
    case eap
    case ipsec
    case iChat = "ichat"
    case codeSigning = "codesigning"
    case systemDefault = "sys-default"
    case kerberos = "sys-kerberos-kdc"
    case appleID
    case macAppStore = "macappstore"

    var title: String {
        switch self {
        case .basic: "X.509 Basic"
        case .sslClient: "SSL (client)"
        case .sslServer: "SSL (server)"
        case .smime: "S/MIME"
        case .eap: "EAP"
        case .ipsec: "IPsec"
        case .iChat: "iChat"
        case .codeSigning: "Code Signing"
        case .systemDefault: "X.509 Basic"
        case .kerberos: "X.509 Basic"
        case .appleID: "AppleID Sharing"
        case .macAppStore: "Mac App Store Receipt"
        }
    }

    /// Returns whether the certificate's extended key usage allows it (RFC 5280, 4.2.1.12). Without that extension all
    /// purposes are allowed but code signing, which must not be allowed by accident.
    func includes(_ certificate: Certificate, for subject: String?) -> Bool {
        let needed: [String] =
            switch self {
            case .sslClient: ["1.3.6.1.5.5.7.3.2"]
            case .sslServer: ["1.3.6.1.5.5.7.3.1"]
            case .smime: ["1.3.6.1.5.5.7.3.4"]
            case .eap: ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]
            case .ipsec: ["1.3.6.1.5.5.7.3.17", "1.3.6.1.5.5.7.3.5"]
            case .codeSigning: ["1.3.6.1.5.5.7.3.3"]
            case .basic, .iChat, .systemDefault, .kerberos, .appleID, .macAppStore: []
            }
        let purposes = certificate.known.extendedKeyUsage?.map(\.description)
        if let purposes, !needed.isEmpty, !purposes.contains("2.5.29.37.0") {
            guard purposes.contains(where: needed.contains) else { return false }
        }
        if self == .codeSigning, purposes == nil { return false }
        guard let subject = subject?.lowercased() else { return true }
        switch self {
        case .smime: return certificate.emailAddresses.contains { $0.lowercased() == subject }
        case .sslServer: return certificate.isFor(host: subject)
        case .basic, .sslClient, .eap, .ipsec, .iChat, .codeSigning, .systemDefault, .kerberos, .appleID, .macAppStore:
            return true
        }
    }
}

extension Certificate {
    /// Returns whether a name in the certificate matches the host; a `*` matches its first label (RFC 6125, 6.4.3). The
    /// common name counts if there are no other names.
    fileprivate func isFor(host: String) -> Bool {
        let names = dnsNames.isEmpty ? [commonName].compactMap { $0 } : dnsNames
        return names.contains { name in
            let name = name.lowercased()
            guard name.hasPrefix("*.") else { return name == host }
            return host.split(separator: ".", maxSplits: 1).dropFirst().first.map { $0 == name.dropFirst(2) } ?? false
        } || ipAddresses.contains(host)
    }
}
