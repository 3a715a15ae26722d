// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import Testing
import TrustEvaluation
import X509

/// Request frames and answer frames.
struct ServiceTests {
    @Test func `a frame that is not a request is refused with the reason`() async throws {
        for frame in [
            [], [1, 2, 3], HelperRefusal(reason: "x").frame, AnchorsRequest().frame + [0], [1, 0x12, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]] {
            guard case .refusal(let refusal) = try TrustReply(await TrustService().answer(frame)) else {
                Issue.record("\(frame) was answered")
                continue
            }
            #expect(!refusal.reason.isEmpty)
        }
    }

    @Test func `each of the system's anchors is trusted`() async throws {
        guard case .anchors(let anchors) = try AnchorsReply(await TrustService().answer(AnchorsRequest().frame)) else {
            Issue.record("this machine has no anchors")
            return
        }
        #expect(!anchors.isEmpty)
        for anchor in anchors.prefix(10) {
            let request = TrustRequest(
                certificates: [anchor], policies: [TrustPolicy(.any)], anchors: [], usesSystemAnchors: true,
                options: .allowsExpired, date: TestAuthority.now)
            guard case .answer(let answer) = try TrustReply(await TrustService().answer(request.frame)) else {
                Issue.record("no answer")
                continue
            }
            #expect(answer.anchor == .system && answer.chain == [anchor])
        }
    }

    @Test func `unavailable anchors are reported as missing`() async throws {
        let chain = try TestChain()
        let missing = MissingAnchors(reason: "none here")
        let evaluator = TrustEvaluator { () throws(MissingAnchors) in throw missing }
        var request = TrustRequest(
            certificates: [chain.leaf.der, chain.middle.der], policies: [TrustPolicy(.any)], anchors: [chain.root.der],
            usesSystemAnchors: true, options: [], date: TestAuthority.now)
        await #expect(throws: missing) { try await evaluator.evaluate(request) }
        request.usesSystemAnchors = false
        #expect(try await evaluator.evaluate(request).isClean)
    }
}
