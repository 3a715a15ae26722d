// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel
internal import Security

/// `security set-identity-preference` and `get-identity-preference`
enum IdentityPreferences {
    static let setUsage = """
        [-n] [-c identity] [-s service] [-u keyUsage] [-Z hash] [keychain...]
            -n  Choose no identity: remove the preference
            -c  The common name of its certificate, or a part of it
            -s  The service: a URL, a host, an e-mail address or another name (required)
            -u  The uses of the key (0, all, if omitted)
            -Z  The SHA-1 or SHA-256 hash of its certificate
        \(uses)
        """

    static let getUsage = """
        [-s service] [-u keyUsage] [-p] [-c] [-Z] [keychain...]
            -s  The service (required)
            -u  The uses of the key (0, all, if omitted)
            -p  Print the certificate in PEM
            -c  Print the common name of the certificate
            -Z  Print the SHA-1 hash of the certificate
        \(uses)
        """

    private static let uses = """
        Key usages, added up for several: 1 encrypt, 2 decrypt, 4 sign, 8 verify, 16 sign with recovery,
        32 verify with recovery, 64 wrap, 128 unwrap, 1024 derive.
        """

    @Sendable static func runSet(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hn", withValue: "csuZ", invocation.words)
        var filter = CertificateFilter()
        var service: String?
        var usage: CFArray?
        var clears = false
        while let option = options.next() {
            switch option {
            case .flag("n"): clears = true
            case .value("c", let name): filter.name = name
            case .value("s", let name): service = name
            case .value("u", let number):
                guard let uses = keyUses(number) else { return .usage }
                usage = uses
            case .value("Z", let hash): filter.hash = hash
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard let service, clears != (filter.name != nil || filter.hash != nil) else { return .usage }
        let function = "SecIdentitySetPreferred"
        if let result = refuseFiles(options.operands, function, invocation) { return result }
        var identity: SecIdentity?
        if !clears {
            do throws(ClientError) {
                let found = try invocation.context.client.listIdentities().first { filter.accepts($0.certificate) }
                identity = found.flatMap { reference($0, invocation.context.client) }
            } catch {
                return invocation.fail(function, error)
            }
            guard identity != nil else {
                return invocation.fail("SecIdentitySearchCopyNext", StatusCode.itemNotFound.rawValue)
            }
        }
        let status = invocation.context.client.asCurrent {
            SecIdentitySetPreferred(identity, service as NSString, usage)
        }
        return status == errSecSuccess ? .success : invocation.fail(function, status)
    }

    @Sendable static func runGet(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hpcZ", withValue: "su", invocation.words)
        var flags: Set<Character> = []
        var service: String?
        var usage: CFArray?
        while let option = options.next() {
            switch option {
            case .flag("h"): return .usage
            case .flag(let letter): flags.insert(letter)
            case .value("s", let name): service = name
            case .value("u", let number):
                guard let uses = keyUses(number) else { return .usage }
                usage = uses
            case .value, .missingValue, .unknown: return .usage
            }
        }
        guard let service else { return .usage }
        let function = "SecIdentityCopyPreferred"
        if let result = refuseFiles(options.operands, function, invocation) { return result }
        let bytes = invocation.context.client.asCurrent { () -> Data? in
            guard let identity = SecIdentityCopyPreferred(service as NSString, usage, nil) else { return nil }
            return SecCertificateCopyData(CallsWithoutPointers.certificate(of: identity)) as Data
        }
        guard let bytes, let certificate = try? Certificate(bytes) else {
            return invocation.fail(function, StatusCode.itemNotFound.rawValue)
        }
        var text = ""
        if flags.isEmpty || flags.contains("c") {
            text += "common name: \"\(visible(certificate.commonName ?? certificate.subjectSummary ?? ""))\"\n"
        }
        if flags.contains("Z") { text += "SHA-1 hash: \(certificate.sha1Fingerprint.hexadecimal.uppercased())\n" }
        if flags.contains("p") { text += certificate.pem }
        return invocation.print(text.utf8) ? .success : .failure
    }

    /// Refuses keychain files, because preferences, and the identities that they choose, are in the data-protection
    /// keychain.
    private static func refuseFiles(
        _ names: ArraySlice<String>, _ function: String, _ invocation: SecurityInvocation
    ) -> SecurityResult? {
        do throws(ClientError) {
            for name in names where try invocation.keychain(named: name).isFile {
                invocation.complain("\(function): keychain files have no identity preferences")
                return SecurityResult(code: StatusCode.unimplemented.rawValue)
            }
            return nil
        } catch {
            return invocation.fail(function, error)
        }
    }

    private static func reference(_ identity: ListedIdentity, _ client: KeychainClient) -> SecIdentity? {
        let name = Data(identity.certificate.item.reference.of(.identity).bytes)
        return client.asCurrent { CallsWithoutPointers.object(name as CFData) }.object as? SecIdentity
    }

    /// Returns the key uses; nil for a number with an unknown bit.
    private static func keyUses(_ text: String) -> CFArray? {
        guard var rest = Int(text), rest >= 0 else { return nil }
        var names: [CFString] = []
        for (bit, name) in [
            (1, kSecAttrCanEncrypt), (2, kSecAttrCanDecrypt), (4, kSecAttrCanSign), (8, kSecAttrCanVerify),
            (16, "snrc"), (32, "vyrc"), (64, kSecAttrCanWrap), (128, kSecAttrCanUnwrap), (1024, kSecAttrCanDerive),
        ] where rest & bit != 0 {
            names.append(name)
            rest -= bit
        }
        return rest == 0 ? names as NSArray : nil
    }
}
