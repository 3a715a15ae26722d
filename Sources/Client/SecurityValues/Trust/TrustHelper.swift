// SPDX-License-Identifier: Apache-2.0

package import KeychainEndpoint
package import KeychainHelperWire
package import KeychainModel

/// The evaluator of certificates: the helper program `chatelaine-trust`, one process per request.
package struct TrustHelper: Sendable {
    /// Sends a request frame and returns the response frame.
    package let ask: @Sendable (_ request: [UInt8]) throws(HelperError) -> [UInt8]

    package init(ask: @escaping @Sendable (_ request: [UInt8]) throws(HelperError) -> [UInt8]) { self.ask = ask }

    package init(_ program: HelperProgram) {
        ask = { request throws(HelperError) in
            try program.answer(to: request, timeout: .seconds(30), size: HelperFrameHeader.frameSize)
        }
    }

    /// Next to the service, as it is installed.
    package static var installed: TrustHelper { TrustHelper(.installed("chatelaine-trust")) }

    /// - Throws: `errSecNotAvailable` if the program is not installed, `errSecTrustNotAvailable` if it does not answer,
    ///   `errSecParam` for more data than it supports.
    package func evaluate(_ request: TrustRequest) throws(TrustFailure) -> TrustAnswer {
        if let excess = request.excess { throw TrustFailure(.parameter, "the evaluation exceeds a limit: \(excess)") }
        switch try read(try frame(for: request.frame), TrustReply.init) {
        case .answer(let answer): return answer
        case .refusal(let refusal): throw TrustFailure(.trustNotAvailable, refusal.reason)
        }
    }

    /// Returns the system's anchors, in DER.
    package func systemAnchors() throws(TrustFailure) -> [[UInt8]] {
        switch try read(try frame(for: AnchorsRequest().frame), AnchorsReply.init) {
        case .anchors(let anchors): return anchors
        case .refusal(let refusal): throw TrustFailure(.trustNotAvailable, refusal.reason)
        }
    }

    private func read<Reply>(
        _ frame: [UInt8], _ reply: ([UInt8]) throws(HelperWireError) -> Reply
    ) throws(TrustFailure) -> Reply {
        do throws(HelperWireError) {
            return try reply(frame)
        } catch {
            throw TrustFailure(.trustNotAvailable, "cannot read the answer of chatelaine-trust: \(error)")
        }
    }

    private func frame(for request: [UInt8]) throws(TrustFailure) -> [UInt8] {
        do throws(HelperError) {
            return try ask(request)
        } catch {
            switch error.reason {
            case .notFound: throw TrustFailure(.notAvailable, "\(error)")
            case .timedOut, .ended, .malformed, .system:
                throw TrustFailure(.trustNotAvailable, "\(error)")
            }
        }
    }
}

/// The reason why an evaluation failed.
package struct TrustFailure: Error, Hashable {
    package let status: StatusCode
    /// A sentence without a full stop.
    package let reason: String

    package init(_ status: StatusCode, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}

extension TrustPolicy.Purpose {
    /// The key usage that the purpose requires, as in `TrustPolicy.keyUsage`.
    package var keyUsage: UInt16 {
        switch self {
        // Digital signature, non-repudiation, or any kind of encryption.
        case .mail: 0b1_1111
        case .codeSigning, .timeStamping: 0b11
        case .any, .tlsServer, .tlsClient, .networkServer, .networkClient, .ipsec: 0
        }
    }
}
