// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import Synchronization
internal import SwiftASN1
internal import X509

/// The chain with the fewest faults so far.
final class Candidates: Sendable {
    private let state = Mutex<CandidateChain?>(nil)

    var best: CandidateChain? { state.withLock { $0 } }

    func add(_ chain: CandidateChain) {
        state.withLock { best in
            if let known = best, known.findings.count <= chain.findings.count { return }
            best = chain
        }
    }
}

/// Accepts a chain in which ``ChainExamination`` finds no fault, and keeps the best of the others for the answer.
struct ExaminingPolicy: VerifierPolicy {
    let request: TrustRequest
    let publicSuffixes: PublicSuffixes
    let own: Set<Certificate>
    let system: Set<Certificate>
    let candidates: Candidates
    /// All critical extensions that are there: the search shall not pass over a certificate silently. Those that nobody
    /// understands are a fault that the examination finds.
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier]

    init(
        request: TrustRequest, publicSuffixes: PublicSuffixes, certificates: [Certificate], own: Set<Certificate>,
        system: Set<Certificate>,
        candidates: Candidates
    ) {
        self.request = request
        self.publicSuffixes = publicSuffixes
        self.own = own
        self.system = system
        self.candidates = candidates
        verifyingCriticalExtensions = Array(Set(certificates.flatMap { $0.extensions.filter(\.critical).map(\.oid) }))
    }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        let end = chain[chain.count - 1]
        let anchor: TrustAnswer.Anchor = own.contains(end) ? .own : system.contains(end) ? .system : .none
        // An answer has at most so many certificates. A longer chain is none at all.
        guard chain.count <= TrustLimits.chainLength else { return .failsToMeetPolicy(reason: "too long") }
        let findings = ChainExamination(
            chain: chain, anchor: anchor, request: request, publicSuffixes: publicSuffixes
        ).findings
        candidates.add(CandidateChain(certificates: Array(chain), anchor: anchor, findings: findings))
        return findings.isEmpty && anchor != .none ? .meetsPolicy : .failsToMeetPolicy(reason: "\(findings)")
    }
}
