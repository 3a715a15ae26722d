// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import X509

/// A conversation of one request frame and one answer frame.
public struct TrustService: Sendable {
    private let anchors: SystemAnchors

    public init(_ anchors: SystemAnchors = SystemAnchors()) { self.anchors = anchors }

    /// Returns the answer to a frame.
    public func answer(_ frame: [UInt8]) async -> [UInt8] {
        do {
            switch try HelperFrameHeader(frame).kind {
            case .trustRequest:
                let request = try TrustRequest(frame)
                return try await TrustEvaluator(systemAnchors: anchors.read).evaluate(request).frame
            case .anchorsRequest:
                _ = try AnchorsRequest(frame)
                return AnchorsReply.anchors(try anchors.read().map(\.encoded)).frame
            case let other:
                return HelperRefusal(reason: "chatelaine-trust does not accept \(other)").frame
            }
        } catch let error as MissingAnchors {
            return HelperRefusal(reason: error.reason).frame
        } catch {
            return HelperRefusal(reason: "the request is malformed: \(error)").frame
        }
    }
}
