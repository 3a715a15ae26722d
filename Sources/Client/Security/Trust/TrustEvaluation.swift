// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainEndpoint
internal import KeychainHelperWire

/// The evaluator of certificates: the helper program `chatelaine-trust`, one process per request.
struct TrustHelper: Sendable {
    /// Sends a request frame and returns the response frame.
    let ask: @Sendable (_ request: [UInt8]) throws(HelperError) -> [UInt8]

    /// Next to the service, as it is installed.
    static let installed = TrustHelper { request throws(HelperError) in
        try HelperProgram.installed("chatelaine-trust").answer(
            to: request, timeout: .seconds(30), size: HelperFrameHeader.frameSize)
    }

    /// - Throws: `errSecNotAvailable` if the program is not installed, `errSecTrustNotAvailable` if it does not answer,
    ///   `errSecParam` for more data than it supports.
    func evaluate(_ request: TrustRequest) throws(TrustFailure) -> TrustAnswer {
        if let excess = request.excess { throw TrustFailure(errSecParam, "the evaluation exceeds a limit: \(excess)") }
        switch try read(try frame(for: request.frame), TrustReply.init) {
        case .answer(let answer): return answer
        case .refusal(let refusal): throw TrustFailure(errSecTrustNotAvailable, refusal.reason)
        }
    }

    /// Returns the system's anchors, in DER.
    func systemAnchors() throws(TrustFailure) -> [[UInt8]] {
        switch try read(try frame(for: AnchorsRequest().frame), AnchorsReply.init) {
        case .anchors(let anchors): return anchors
        case .refusal(let refusal): throw TrustFailure(errSecTrustNotAvailable, refusal.reason)
        }
    }

    private func read<Reply>(
        _ frame: [UInt8], _ reply: ([UInt8]) throws(HelperWireError) -> Reply
    ) throws(TrustFailure) -> Reply {
        do throws(HelperWireError) {
            return try reply(frame)
        } catch {
            throw TrustFailure(errSecTrustNotAvailable, "cannot read the answer of chatelaine-trust: \(error)")
        }
    }

    private func frame(for request: [UInt8]) throws(TrustFailure) -> [UInt8] {
        do throws(HelperError) {
            return try ask(request)
        } catch {
            switch error.reason {
            case .notFound: throw TrustFailure(errSecNotAvailable, "\(error)")
            case .timedOut, .ended, .malformed, .system:
                throw TrustFailure(errSecTrustNotAvailable, "\(error)")
            }
        }
    }
}

/// The reason why an evaluation failed.
struct TrustFailure: Error, Hashable {
    let status: OSStatus
    /// A sentence without a full stop.
    let reason: String

    init(_ status: OSStatus, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    var object: CFError { certificateError(status, reason) }
}

/// The result of an evaluation for a trust object.
struct TrustEvaluation: Sendable {
    /// The certificate, then the issuer of each.
    let chain: [SecCertificate]
    /// All faults.
    let allFindings: [TrustAnswer.Finding]
    /// The faults without an exception.
    let findings: [TrustAnswer.Finding]
    /// The verification time.
    let date: Date

    /// - Throws: `errSecTrustNotAvailable` for a chain that does not begin with the certificate or is unreadable.
    init(
        _ answer: TrustAnswer, of certificate: SecCertificate, exceptions: TrustExceptions?, date: Date
    ) throws(TrustFailure) {
        let chain = answer.chain.compactMap { try? SecCertificate(Certificate(Data($0))) }
        guard chain.count == answer.chain.count, chain.first == certificate else {
            throw TrustFailure(
                errSecTrustNotAvailable, "the answer of chatelaine-trust describes a different certificate")
        }
        self.chain = chain
        self.date = date
        allFindings = answer.findings
        findings = answer.findings.filter { exceptions?.excepts($0, in: chain) != true }
    }

    var result: SecTrustResultType {
        guard !findings.isEmpty else { return allFindings.isEmpty ? .unspecified : .proceed }
        return findings.contains(where: \.fault.isFatal) ? .fatalTrustFailure : .recoverableTrustFailure
    }

    /// The reason why the certificate is not trusted; nil if it is.
    var error: CFError? {
        let first = findings.enumerated().min {
            ($0.element.fault.rank, $0.element.place, $0.offset) < ($1.element.fault.rank, $1.element.place, $1.offset)
        }
        guard let finding = first?.element else { return nil }
        let details = chain.indices.compactMap { place -> String? in
            let faults = findings.filter { $0.place == place }
            guard !faults.isEmpty else { return nil }
            return "Certificate \(place) \u{201C}\(name(place))\u{201D} has errors: "
                + faults.map(\.fault.detail).joined(separator: "; ") + "."
        }
        let underlying = certificateError(finding.fault.status, details.joined(separator: " "))
        return NSError(
            domain: NSOSStatusErrorDomain, code: Int(finding.fault.status),
            userInfo: [
                NSLocalizedDescriptionKey: finding.fault.sentence(name(finding.place)),
                NSUnderlyingErrorKey: underlying,
            ])
    }

    func name(_ place: Int) -> String { chain[place].content.subjectSummary ?? "" }
}

/// Faults that the user or the program accepted, by certificate.
struct TrustExceptions: Sendable {
    /// Numbers of faults, by the SHA-256 of the certificate.
    private var faults: [[UInt8]: Set<UInt8>] = [:]

    /// Creates the exceptions for the acceptable faults of an evaluation.
    init(_ evaluation: TrustEvaluation) {
        for certificate in evaluation.chain { faults[certificate.content.sha256Fingerprint] = [] }
        for finding in evaluation.allFindings where !finding.fault.isFatal {
            faults[evaluation.chain[finding.place].content.sha256Fingerprint]?.insert(finding.fault.rawValue)
        }
    }

    func excepts(_ finding: TrustAnswer.Finding, in chain: [SecCertificate]) -> Bool {
        !finding.fault.isFatal
            && faults[chain[finding.place].content.sha256Fingerprint]?.contains(finding.fault.rawValue) == true
    }

    func concern(_ certificate: SecCertificate) -> Bool { faults[certificate.content.sha256Fingerprint] != nil }

    // MARK: Encoding

    private static let mark = Array("trust exceptions 1\n".utf8)

    /// Decodes a mark, and for each certificate its hash, the number of faults, and the faults.
    ///
    /// Nil for other bytes.
    init?(_ data: Data) {
        var rest = Array(data)[...]
        guard rest.starts(with: Self.mark) else { return nil }
        rest.removeFirst(Self.mark.count)
        while !rest.isEmpty {
            guard rest.count > Self.hashSize, case let end = rest.startIndex + Self.hashSize,
                rest.count > Self.hashSize + Int(rest[end])
            else { return nil }
            let numbers = rest[(end + 1)...].prefix(Int(rest[end]))
            faults[Array(rest[..<end]), default: []].formUnion(numbers)
            rest = rest[numbers.endIndex...]
        }
    }

    var data: Data {
        var bytes = Self.mark
        // Sorted, so that the same faults result in the same bytes.
        for (hash, numbers) in faults.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            bytes += hash + [UInt8(numbers.count)] + numbers.sorted()
        }
        return Data(bytes)
    }

    /// SHA-256.
    private static let hashSize = 32
}
