// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
internal import SwiftASN1
public import X509

/// The evaluation of whether a certificate is trusted.
///
/// swift-certificates searches the chains; ``ChainExamination`` finds the faults of each chain. Nothing is fetched from
/// a network. The answer is the first chain without a fault, or else the chain with the fewest faults.
public struct TrustEvaluator: Sendable {
    private let publicSuffixes: @Sendable () -> PublicSuffixes
    private let systemAnchors: @Sendable () throws(MissingAnchors) -> [Certificate]

    /// - Parameters:
    ///   - systemAnchors: called if a request includes the system's anchors.
    ///   - publicSuffixes: called if a wildcard can name a host.
    public init(
        systemAnchors: @escaping @Sendable () throws(MissingAnchors) -> [Certificate],
        publicSuffixes: @escaping @Sendable () -> PublicSuffixes = PublicSuffixes.ofMachine
    ) {
        self.publicSuffixes = publicSuffixes
        self.systemAnchors = systemAnchors
    }

    /// - Throws: ``MissingAnchors`` if the request includes the system's anchors and they are not available.
    public func evaluate(_ request: TrustRequest) async throws(MissingAnchors) -> TrustAnswer {
        let first = request.certificates.first ?? []
        guard let leaf = try? Certificate(derEncoded: first) else {
            return TrustAnswer(
                chain: [first], anchor: .none,
                findings: [.init(place: 0, fault: UnreadableCertificate.fault(first))])
        }
        // A certificate that cannot be decoded cannot be an issuer.
        var seen: Set<Certificate> = [leaf]
        let others = request.certificates.dropFirst().compactMap { try? Certificate(derEncoded: $0) }
            .filter { seen.insert($0).inserted }
        var own = Set(request.anchors.compactMap { try? Certificate(derEncoded: $0) })
        if request.options.contains(.takesSelfSignedAsAnchors) {
            own.formUnion(([leaf] + others).filter(\.isSelfSigned))
        }
        let system = request.usesSystemAnchors ? Set(try systemAnchors()) : []
        let search = ChainSearch(
            leaf: leaf, others: others, own: own, system: system, request: request,
            publicSuffixes: leaf.hasWildcard ? publicSuffixes() : PublicSuffixes(list: ""))
        return await search.answer()
    }
}

/// The system's anchors are not available.
public struct MissingAnchors: Error, Hashable, Sendable {
    /// The reason, a sentence without a full stop.
    public let reason: String

    public init(reason: String) { self.reason = reason }
}

/// The search for one request.
private struct ChainSearch {
    let leaf: Certificate
    let others: [Certificate]
    let own: Set<Certificate>
    let system: Set<Certificate>
    let request: TrustRequest
    let publicSuffixes: PublicSuffixes

    func answer() async -> TrustAnswer {
        let budget = SearchBudget(issuers: 4000)
        if let candidate = await best(from: own.union(system), own: own, system: system, budget) {
            if !candidate.findings.isEmpty, budget.isExhausted { return gaveUp(candidate.answer) }
            return candidate.answer
        }
        // No chain ends in an anchor, so the partial chain is examined as if its end were an anchor.
        let (partial, lack) = await incompleteChain()
        let tip = partial[partial.count - 1]
        let end = TrustAnswer.Finding(place: partial.count - 1, fault: lack)
        let candidate = await best(
            from: [tip], own: [], system: [], SearchBudget(issuers: 4000), only: partial)
        let answer = TrustAnswer(
            chain: partial.map(\.encoded), anchor: .none, findings: [end] + (candidate?.findings ?? []))
        return budget.isExhausted ? gaveUp(answer) : answer
    }

    /// Returns the first chain without a fault, or the chain with the fewest faults; nil if there is no chain.
    private func best(
        from anchors: Set<Certificate>, own: Set<Certificate>, system: Set<Certificate>, _ budget: SearchBudget,
        only partial: [Certificate]? = nil
    ) async -> CandidateChain? {
        let candidates = Candidates()
        let policy = ExaminingPolicy(
            request: request, publicSuffixes: publicSuffixes, certificates: [leaf] + others + anchors, own: own,
            system: system, candidates: candidates)
        var verifier = Verifier(
            rootCertificates: CertificateStore(custom: BoundedStore(anchors, budget)), policy: { policy })
        let intermediates = partial.map { Array($0.dropFirst().dropLast()) } ?? others
        _ = await verifier.validate(
            leaf: leaf, intermediates: CertificateStore(custom: BoundedStore(intermediates, budget)))
        return candidates.best
    }

    private func gaveUp(_ answer: TrustAnswer) -> TrustAnswer {
        TrustAnswer(
            chain: answer.chain, anchor: answer.anchor,
            findings: answer.findings + [.init(place: answer.chain.count - 1, fault: .tooComplex)])
    }

    /// Returns the certificate and its available issuers, and the fault at the end of this chain.
    private func incompleteChain() async -> (chain: [Certificate], lack: TrustAnswer.Fault) {
        var chain = [leaf]
        while chain.count < TrustLimits.chainLength {
            let tip = chain[chain.count - 1]
            if tip.isSelfSigned { return (chain, .anchorNotTrusted) }
            let issuer = others.first { candidate in
                candidate.subject == tip.issuer && !chain.contains(candidate)
                    && candidate.publicKey.isValidSignature(tip.signature, for: tip)
            }
            guard let issuer else { return (chain, .missingIssuer) }
            chain.append(issuer)
        }
        return (chain, .tooComplex)
    }
}

/// A chain and its faults.
struct CandidateChain {
    let certificates: [Certificate]
    let anchor: TrustAnswer.Anchor
    let findings: [TrustAnswer.Finding]

    var answer: TrustAnswer {
        TrustAnswer(chain: certificates.map(\.encoded), anchor: anchor, findings: findings)
    }
}

extension Certificate {
    /// The chain in DER. The encoding of a decoded certificate is unchanged.
    var encoded: [UInt8] {
        var serializer = DER.Serializer()
        do {
            try serializer.serialize(self)
        } catch {
            preconditionFailure("a decoded certificate cannot be encoded: \(error)")
        }
        return serializer.serializedBytes
    }

    /// Whether an alternative name stands for several hosts.
    fileprivate var hasWildcard: Bool {
        alternativeNames.contains { name in
            if case .dnsName(let text) = name { DNSName(text)?.isWildcard ?? false } else { false }
        }
    }

    var isSelfSigned: Bool { subject == issuer && publicKey.isValidSignature(signature, for: self) }
}
