// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import Security

/// `security verify-cert`
enum VerifyCertificate {
    static let usage = """
        -c certificate [-c certificate...] [-r root...] [options...]
            -c  A file with a certificate, or several in PEM: first the one to verify, then its issuers
            -r  A file with certificates that are trusted instead of the system's
            -p  The purpose: basic, ssl, smime, codeSign, IPSec, eap or timestamping (basic, if omitted)
            -C  Verify a client's certificate
            -n  The host (ssl, IPSec, eap) or mail address (smime) that the certificate must contain
            -e  The mail address that the certificate must contain
            -d  The time, as YYYY-MM-DD or YYYY-MM-DD-hh:mm:ss in UTC (now, if omitted)
            -R  Revocation: none, or require (which always fails, because no network is used)
            -q  Print nothing
            -k  A keychain with issuers (accepted, without effect)
            -l  Allow a certificate of an authority (accepted; always allowed)
            -L  Use no network (accepted; none is used)
            -N  Search no keychain for issuers (accepted; none is searched)
        Files are in DER or PEM.
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hClLNq", withValue: "crpnedRk", invocation.words)
        var question = Question()
        var isQuiet = false
        while let option = options.next() {
            switch option {
            case .value("c", let path): question.certificateFiles.append(path)
            case .value("r", let path): question.rootFiles.append(path)
            case .value("p", let name):
                guard let policy = policy(name) else { return .usage }
                question.policy = policy
            case .value("n", let name), .value("e", let name): question.name = name
            case .value("d", let text):
                guard let date = date(text) else { return .usage }
                question.date = date
            case .value("R", "none"): question.requiresRevocationCheck = false
            case .value("R", "require"): question.requiresRevocationCheck = true
            case .value("k", _), .flag("l"), .flag("L"), .flag("N"): break
            case .flag("C"): question.isClient = true
            case .flag("q"): isQuiet = true
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard options.operands.isEmpty, !question.certificateFiles.isEmpty else { return .usage }
        let trust: SecTrust
        do {
            trust = try question.trust(invocation.context)
        } catch let failure as CommandFailure {
            invocation.complain(failure.message)
            return .failure
        } catch {
            invocation.complain("\(error)")
            return .failure
        }
        guard let reason = trust.refusal else {
            return isQuiet || invocation.print("...certificate verification successful.\n".utf8) ? .success : .failure
        }
        if isQuiet { return .failure }
        invocation.context.diagnostics.writeIfPossible(
            "Cert Verify Result: \(visible(invocation.context.statusMessage(OSStatus(reason.code))))\n")
        invocation.complain(reason.localizedDescription)
        if let details = reason.userInfo[NSUnderlyingErrorKey] as? NSError {
            invocation.complain(details.localizedDescription)
        }
        return .failure
    }

    private static func policy(_ name: String) -> CFString? {
        switch name {
        case "basic": kSecPolicyAppleX509Basic
        case "ssl": kSecPolicyAppleSSL
        case "smime": kSecPolicyAppleSMIME
        case "codeSign": kSecPolicyAppleCodeSigning
        case "IPSec": kSecPolicyAppleIPsec
        case "eap": kSecPolicyAppleEAP
        case "timestamping": kSecPolicyAppleTimeStamping
        default: nil
        }
    }

    private static func date(_ text: String) -> Date? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let time = (parts.count > 3 ? parts[3] : "00:00:00").split(separator: ":", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), time.count == 3 else { return nil }
        let numbers = (parts.prefix(3) + time).compactMap { $0.allSatisfy(\.isASCII) ? Int($0) : nil }
        guard numbers.count == 6 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let wanted = DateComponents(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
        guard let date = calendar.date(from: wanted) else { return nil }
        // A calendar converts the 31st of February to another day.
        let fields: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
        return calendar.dateComponents(fields, from: date) == wanted ? date : nil
    }
}

/// The evaluation that the words request.
private struct Question {
    var certificateFiles: [String] = []
    var rootFiles: [String] = []
    var policy: CFString = kSecPolicyAppleX509Basic
    var isClient = false
    var name: String?
    var date: Date?
    var requiresRevocationCheck = false

    /// Larger than any file of certificates in use.
    private static let largestFile = 16 << 20

    func trust(_ context: CommandContext) throws -> SecTrust {
        let certificates = try certificateFiles.flatMap { try Self.certificates($0, context) }
        var properties: [CFString: Any] = [:]
        if let name { properties[kSecPolicyName] = name }
        if isClient { properties[kSecPolicyClient] = true }
        var policies = [SecPolicyCreateWithProperties(policy, properties as CFDictionary)]
        if requiresRevocationCheck {
            policies.append(
                SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse))
        }
        let trust = SecTrust(certificates, policies.compactMap(\.self))
        if !rootFiles.isEmpty {
            let roots = try rootFiles.flatMap { try Self.certificates($0, context) }
            SecTrustSetAnchorCertificates(trust, roots as CFArray)
        }
        if let date { SecTrustSetVerifyDate(trust, date as CFDate) }
        return trust
    }

    private static func certificates(_ path: String, _ context: CommandContext) throws -> [SecCertificate] {
        let bytes = try context.readFile(path, limit: largestFile)
        do {
            let found = try PEM.isPresent(in: bytes) ? Certificate.certificates(inPEM: bytes) : [Certificate(bytes)]
            return found.compactMap { SecCertificateCreateWithData(nil, Data($0.encoded) as CFData) }
        } catch {
            throw CommandFailure("\(path): cannot read a certificate: \(error)")
        }
    }
}
