// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel

/// `security find-certificate`
enum FindCertificate {
    static let usage = """
        [-a] [-c name] [-e emailAddress] [-m] [-p] [-Z] [keychain...]
            -a  Find all matching certificates, not only the first
            -c  Match a part of the common name
            -e  Match an e-mail address
            -m  Show the e-mail addresses
            -p  Print in PEM
            -Z  Print the SHA-256 and SHA-1 hashes
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hampZ", withValue: "ce", invocation.words)
        var filter = CertificateFilter()
        var flags: Set<Character> = []
        while let option = options.next() {
            switch option {
            case .flag("h"): return .usage
            case .flag(let letter): flags.insert(letter)
            case .value("c", let name): filter.name = name
            case .value("e", let address): filter.emailAddress = address
            case .value, .missingValue, .unknown: return .usage
            }
        }
        let function = "SecKeychainSearchCopyNext"
        var found: [(ListedCertificate, ToolKeychain)] = []
        let names = options.operands.filter { !SystemTrustStore.isMeant(by: $0) }
        do throws(ClientError) {
            if names.count == options.operands.count || !names.isEmpty {
                found = try invocation.all(in: names) { keychain throws(ClientError) in
                    let certificates = try keychain.client.listCertificates().filter(filter.accepts)
                    return try keychain.client.ownFirst(certificates, \.item).map { ($0, keychain) }
                }
            }
        } catch {
            return invocation.fail(function, error)
        }
        if let name = options.operands.first(where: SystemTrustStore.isMeant) {
            let keychain = ToolKeychain(name: name, path: name, client: invocation.context.client)
            do throws(CommandFailure) {
                found += try SystemTrustStore.certificates().filter(filter.accepts).map { ($0, keychain) }
            } catch {
                invocation.complain("\(function): \(error.message)")
                return .failure
            }
        }
        if found.isEmpty, !flags.contains("a") { return invocation.fail(function, StatusCode.itemNotFound.rawValue) }
        if !flags.contains("a") { found = Array(found.prefix(1)) }
        for (certificate, keychain) in found {
            let result = show(certificate, in: keychain, flags, invocation)
            guard result == .success else { return result }
        }
        return .success
    }

    private static func show(
        _ found: ListedCertificate, in keychain: ToolKeychain, _ flags: Set<Character>,
        _ invocation: SecurityInvocation
    ) -> SecurityResult {
        var certificate = found.certificate
        if certificate == nil, !flags.isDisjoint(with: "pZ") {
            do {
                certificate = try keychain.client.certificate(of: found.item)
            } catch {
                return invocation.fail("SecKeychainItemCopyAttributesAndData", error)
            }
        }
        var text: [UInt8] = []
        if flags.contains("Z"), let certificate {
            text += "SHA-256 hash: \(certificate.sha256Fingerprint.hexadecimal.uppercased())\n".utf8
            text += "SHA-1 hash: \(certificate.sha1Fingerprint.hexadecimal.uppercased())\n".utf8
        }
        if flags.contains("m") {
            text += "email addresses: \(visible(found.emailAddresses.joined(separator: ", ")))\n".utf8
        }
        if flags.contains("p") {
            text += (certificate?.pem ?? "").utf8
        } else {
            text += ItemListing(item: found.item, keychainPath: keychain.path).text
        }
        return invocation.print(text) ? .success : .failure
    }
}
