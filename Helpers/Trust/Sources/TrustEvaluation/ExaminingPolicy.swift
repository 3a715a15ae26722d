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

/// A policy that accepts a chain without faults after ``ChainExamination``, and keeps the best of the others for the
/// answer.
struct ExaminingPolicy: VerifierPolicy {
    let request: TrustRequest
    let publicSuffixes: PublicSuffixes
    let own: Set<Certificate>
    let system: Set<Certificate>
    let candidates: Candidates
    /// All critical extensions of the chain, so that the search does not skip a certificate silently. The examination
    /// reports unknown extensions as faults.
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
        // An answer holds at most this many certificates, so a longer chain is not a candidate.
        guard chain.count <= TrustLimits.chainLength else { return .failsToMeetPolicy(reason: "too long") }
        let findings = ChainExamination(
            chain: chain, anchor: anchor, request: request, publicSuffixes: publicSuffixes
        ).findings
        candidates.add(CandidateChain(certificates: Array(chain), anchor: anchor, findings: findings))
        return findings.isEmpty && anchor != .none ? .meetsPolicy : .failsToMeetPolicy(reason: "\(findings)")
    }
}
