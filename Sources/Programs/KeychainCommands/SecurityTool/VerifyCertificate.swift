// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainCertificates
internal import KeychainHelperWire
internal import KeychainModel
internal import SecurityValues

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
                guard let policy = Policy(rawValue: name) else { return .usage }
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
        let reason: TrustEvaluation.Refusal?
        do throws(CommandFailure) {
            reason = try question.refusal(invocation.context)
        } catch {
            invocation.complain(error.message)
            return .failure
        }
        guard let reason else {
            return isQuiet || invocation.print("...certificate verification successful.\n".utf8) ? .success : .failure
        }
        if isQuiet { return .failure }
        invocation.context.diagnostics.writeIfPossible(
            "Cert Verify Result: \(visible(invocation.context.statusMessage(reason.status.rawValue)))\n")
        invocation.complain(reason.sentence)
        if !reason.details.isEmpty { invocation.complain(reason.details) }
        return .failure
    }

    /// Parses a time in UTC; nil for any other text, and for days that no month has.
    private static func date(_ text: String) -> Timestamp? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let time = (parts.count > 3 ? parts[3] : "00:00:00").split(separator: ":", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), time.count == 3 else { return nil }
        let numbers = (parts.prefix(3) + time).compactMap { $0.allSatisfy(\.isASCII) ? Int($0) : nil }
        guard numbers.count == 6, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        let digits = zip(numbers, [4, 2, 2, 2, 2, 2]).map { number, width in
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return CivilTime.moment(compact: digits.joined() + "Z")
    }
}

/// A purpose, as `-p` names it.
private enum Policy: String {
    case basic, ssl, smime, codeSign, ipsec = "IPSec", eap, timestamping
}

/// The evaluation that the words request.
private struct Question {
    var certificateFiles: [String] = []
    var rootFiles: [String] = []
    var policy = Policy.basic
    var isClient = false
    var name: String?
    var date: Timestamp?
    var requiresRevocationCheck = false

    /// Larger than any file of certificates in use.
    private static let largestFile = 16 << 20

    /// Returns the reason why the certificate is not trusted, or could not be evaluated; nil if it is trusted.
    func refusal(_ context: CommandContext) throws(CommandFailure) -> TrustEvaluation.Refusal? {
        let certificates = try Self.certificates(certificateFiles, context)
        var policies = [trustPolicy]
        if requiresRevocationCheck { policies.append(TrustPolicy(.any, requiresRevocationCheck: true)) }
        let roots = try Self.certificates(rootFiles, context)
        let seconds =
            date.map { CivilTime.referenceDate + Int64($0.secondsSinceReferenceDate) } ?? context.secondsSince1970()
        do throws(TrustFailure) {
            let answer = try TrustHelper.installed.evaluate(
                TrustRequest(
                    certificates: certificates.map(\.encoded), policies: policies, anchors: roots.map(\.encoded),
                    usesSystemAnchors: rootFiles.isEmpty, options: [], date: seconds))
            return try TrustEvaluation(
                answer, of: certificates[0], date: Date(timeIntervalSince1970: Double(seconds))
            ).refusal
        } catch {
            return TrustEvaluation.Refusal(error)
        }
    }

    private var trustPolicy: TrustPolicy {
        let (purpose, hasName): (TrustPolicy.Purpose, Bool) =
            switch policy {
            case .basic: (.any, false)
            case .ssl: isClient ? (.tlsClient, false) : (.tlsServer, true)
            case .smime: (.mail, true)
            case .codeSign: (.codeSigning, false)
            case .ipsec: (.ipsec, true)
            case .eap: isClient ? (.networkClient, false) : (.networkServer, true)
            case .timestamping: (.timeStamping, false)
            }
        return TrustPolicy(purpose, name: hasName ? name : nil, keyUsage: purpose.keyUsage)
    }

    /// Returns the certificates of files; at least one for each file.
    private static func certificates(
        _ paths: [String], _ context: CommandContext
    ) throws(CommandFailure) -> [Certificate] {
        var certificates: [Certificate] = []
        for path in paths {
            let bytes = try context.readFile(path, limit: largestFile)
            do throws(CertificateError) {
                certificates +=
                    try PEM.isPresent(in: bytes) ? Certificate.certificates(inPEM: bytes) : [Certificate(bytes)]
            } catch {
                throw CommandFailure("\(path): cannot read a certificate: \(error)")
            }
        }
        return certificates
    }
}
