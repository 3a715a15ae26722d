// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// The result of evaluating a certificate.
public struct TrustAnswer: Hashable, Sendable {
    /// The chain in DER: the evaluated certificate, then the issuer of each. At least one, at most
    /// ``TrustLimits/chainLength``.
    public let chain: [[UInt8]]
    /// The kind of anchor at the end of the chain.
    public let anchor: Anchor
    /// All faults of the chain. None: the certificate is trusted, and the chain ends in an anchor.
    public let findings: [Finding]

    public enum Anchor: UInt8, CaseIterable, Hashable, Sendable {
        case none = 0
        /// An anchor that the request named.
        case own = 1
        case system = 2
    }

    /// One fault of one certificate.
    public struct Finding: Hashable, Sendable {
        /// The certificate's index in the chain.
        public let place: Int
        public let fault: Fault

        public init(place: Int, fault: Fault) {
            self.place = place
            self.fault = fault
        }
    }

    public enum Fault: UInt8, CaseIterable, Hashable, Sendable {
        /// The chain ends in a self-signed certificate that is not an anchor.
        case anchorNotTrusted = 1
        /// The issuer is missing.
        case missingIssuer = 2
        case expired = 3
        case notYetValid = 4
        /// The certificate does not name the host.
        case hostName = 5
        /// The certificate does not name the mail address.
        case mailAddress = 6
        case keyUsage = 7
        case extendedKeyUsage = 8
        /// An issuer has no extension that permits it to issue.
        case basicConstraints = 9
        case pathLength = 10
        case nameConstraints = 11
        /// A critical extension is not supported.
        case criticalExtension = 12
        /// The key is too small.
        case keySize = 13
        /// The certificate is signed over a digest that can be forged, or the algorithm is unknown.
        case signatureAlgorithm = 14
        /// The validity period is longer than allowed for a server.
        case validityPeriod = 15
        /// A required revocation check had no result.
        case revocationUnknown = 16
        /// The certificate does not conform to the standard.
        case malformed = 17
        /// The search for issuers or a chain exceeded its limit.
        case tooComplex = 18
        /// The subject is empty and there is no other name.
        case emptySubject = 19
    }

    /// Creates a result. Findings refer to certificates in the chain, and without an anchor there is at least one
    /// finding.
    public init(chain: [[UInt8]], anchor: Anchor, findings: [Finding]) {
        self.chain = chain
        self.anchor = anchor
        self.findings = findings
    }

    public var frame: [UInt8] {
        var writer = HelperWriter(.trustAnswer)
        writer.u8(anchor.rawValue)
        writer.list(chain) { $0.block($1) }
        writer.list(findings) {
            $0.u8(UInt8($1.place))
            $0.u8($1.fault.rawValue)
        }
        return writer.frame()
    }

    fileprivate init(_ reader: inout HelperReader) throws(HelperWireError) {
        let anchor = try reader.value(Anchor.self)
        let chain = try reader.certificates(atMost: TrustLimits.chainLength)
        let most = TrustLimits.chainLength * Fault.allCases.count
        let findings = try reader.list(atMost: most) { reader throws(HelperWireError) in
            let place = Int(try reader.u8())
            guard chain.indices.contains(place) else { throw .malformed }
            return Finding(place: place, fault: try reader.value(Fault.self))
        }
        // A chain without an anchor and without a fault would count as trusted.
        guard !chain.isEmpty, anchor != .none || !findings.isEmpty else { throw .malformed }
        self.init(chain: chain, anchor: anchor, findings: findings)
    }
}

/// The reply to a ``TrustRequest``.
public enum TrustReply: Hashable, Sendable {
    case answer(TrustAnswer)
    case refusal(HelperRefusal)

    /// Reads a reply.
    ///
    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.trustAnswer, .refusal])
        if try HelperFrameHeader(frame).kind == .refusal {
            self = .refusal(try HelperRefusal(&reader))
        } else {
            self = .answer(try TrustAnswer(&reader))
        }
        try reader.finish()
    }
}

/// Requests the system's anchors.
public struct AnchorsRequest: Hashable, Sendable {
    public init() {}

    public var frame: [UInt8] { HelperWriter(.anchorsRequest).frame() }

    /// Reads a request.
    ///
    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        try HelperReader(frame, [.anchorsRequest]).finish()
    }
}

/// The reply to an ``AnchorsRequest``.
public enum AnchorsReply: Hashable, Sendable {
    /// The certificates in DER.
    case anchors([[UInt8]])
    case refusal(HelperRefusal)

    public var frame: [UInt8] {
        switch self {
        case .refusal(let refusal): return refusal.frame
        case .anchors(let anchors):
            var writer = HelperWriter(.anchors)
            writer.list(anchors) { $0.block($1) }
            return writer.frame()
        }
    }

    /// Reads a reply.
    ///
    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.anchors, .refusal])
        if try HelperFrameHeader(frame).kind == .refusal {
            self = .refusal(try HelperRefusal(&reader))
        } else {
            self = .anchors(try reader.certificates(atMost: TrustLimits.anchors))
        }
        try reader.finish()
    }
}
