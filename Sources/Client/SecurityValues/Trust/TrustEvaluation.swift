// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
package import KeychainCertificates
package import KeychainHelperWire
package import KeychainModel

/// The result of an evaluation of a certificate.
package struct TrustEvaluation: Sendable {
    /// The certificate, then the issuer of each.
    package let chain: [Certificate]
    /// All faults.
    package let allFindings: [TrustAnswer.Finding]
    /// The faults without an exception.
    package let findings: [TrustAnswer.Finding]
    /// The verification time.
    package let date: Date

    /// - Throws: `errSecTrustNotAvailable` for a chain that does not begin with the certificate or is unreadable.
    package init(
        _ answer: TrustAnswer, of certificate: Certificate, exceptions: TrustExceptions? = nil, date: Date
    ) throws(TrustFailure) {
        let chain = answer.chain.compactMap { try? Certificate($0) }
        guard chain.count == answer.chain.count, chain.first == certificate else {
            throw TrustFailure(
                .trustNotAvailable, "the answer of chatelaine-trust describes a different certificate")
        }
        self.chain = chain
        self.date = date
        allFindings = answer.findings
        findings = answer.findings.filter { exceptions?.excepts($0, in: chain) != true }
    }

    /// The reason why the certificate is not trusted: its most serious fault.
    package struct Refusal: Sendable {
        package let status: StatusCode
        /// The error message, in Apple's words.
        package let sentence: String
        /// Every fault of every certificate; empty if there was no evaluation.
        package let details: String

        fileprivate init(_ status: StatusCode, _ sentence: String, details: String) {
            self.status = status
            self.sentence = sentence
            self.details = details
        }

        package init(_ failure: TrustFailure) { self.init(failure.status, failure.reason, details: "") }
    }

    /// The reason why the certificate is not trusted; nil if it is.
    package var refusal: Refusal? {
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
        return Refusal(
            finding.fault.status, finding.fault.sentence(name(finding.place)), details: details.joined(separator: " "))
    }

    package func name(_ place: Int) -> String { chain[place].subjectSummary ?? "" }
}

/// Faults that the user or the program accepted, by certificate.
package struct TrustExceptions: Sendable {
    /// Numbers of faults, by the SHA-256 of the certificate.
    private var faults: [[UInt8]: Set<UInt8>] = [:]

    /// Creates the exceptions for the acceptable faults of an evaluation.
    package init(_ evaluation: TrustEvaluation) {
        for certificate in evaluation.chain { faults[certificate.sha256Fingerprint] = [] }
        for finding in evaluation.allFindings where !finding.fault.isFatal {
            faults[evaluation.chain[finding.place].sha256Fingerprint]?.insert(finding.fault.rawValue)
        }
    }

    func excepts(_ finding: TrustAnswer.Finding, in chain: [Certificate]) -> Bool {
        !finding.fault.isFatal
            && faults[chain[finding.place].sha256Fingerprint]?.contains(finding.fault.rawValue) == true
    }

    package func concern(_ certificate: Certificate) -> Bool { faults[certificate.sha256Fingerprint] != nil }

    // MARK: Encoding

    private static let mark = Array("trust exceptions 1\n".utf8)

    /// Decodes a mark, and for each certificate its hash, the number of faults, and the faults.
    ///
    /// Nil for other bytes.
    package init?(_ data: Data) {
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

    package var data: Data {
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
