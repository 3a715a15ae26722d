// SPDX-License-Identifier: Apache-2.0

/// What was found of a certificate.
public struct TrustAnswer: Hashable, Sendable {
    /// In DER: the one that was asked about, then the issuer of each. At least the first, at most ``TrustLimits/chainLength``.
    public let chain: [[UInt8]]
    /// What the last certificate of the chain is.
    public let anchor: Anchor
    /// Everything that is against it. None: the certificate is trusted, and the chain ends in an anchor.
    public let findings: [Finding]

    public enum Anchor: UInt8, CaseIterable, Hashable, Sendable {
        case none = 0
        /// One that the request named.
        case own = 1
        case system = 2
    }

    /// One fault of one certificate.
    public struct Finding: Hashable, Sendable {
        /// The certificate's place in the chain.
        public let place: Int
        public let fault: Fault

        public init(place: Int, fault: Fault) {
            self.place = place
            self.fault = fault
        }
    }

    public enum Fault: UInt8, CaseIterable, Hashable, Sendable {
        /// The chain ends in a certificate that signed itself and is no anchor.
        case anchorNotTrusted = 1
        /// The issuer is not there.
        case missingIssuer = 2
        case expired = 3
        case notYetValid = 4
        /// The certificate does not name the host.
        case hostName = 5
        /// The certificate does not name the mail address.
        case mailAddress = 6
        case keyUsage = 7
        case extendedKeyUsage = 8
        /// An issuer does not say that it may be one.
        case basicConstraints = 9
        case pathLength = 10
        case nameConstraints = 11
        /// A critical extension is not understood.
        case criticalExtension = 12
        /// The key is too small.
        case keySize = 13
        /// The certificate is signed over a digest that can be forged, or the algorithm is not known.
        case signatureAlgorithm = 14
        /// The certificate is valid for longer than a server's may be.
        case validityPeriod = 15
        /// Whether it was revoked could not be found out, and had to be.
        case revocationUnknown = 16
        /// The certificate is not as the standard wants it.
        case malformed = 17
        /// The search for issuers or a chain became too long and was given up.
        case tooComplex = 18
        /// The subject is empty and no other name is there.
        case emptySubject = 19
    }

    /// Findings have places in the chain, and without an anchor there is one.
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
        // What neither ends in an anchor nor has a fault would say that nothing is wrong.
        guard !chain.isEmpty, anchor != .none || !findings.isEmpty else { throw .malformed }
        self.init(chain: chain, anchor: anchor, findings: findings)
    }
}

/// What comes back to a ``TrustRequest``.
public enum TrustReply: Hashable, Sendable {
    case answer(TrustAnswer)
    case refusal(HelperRefusal)

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

/// Asks for the system's anchors.
public struct AnchorsRequest: Hashable, Sendable {
    public init() {}

    public var frame: [UInt8] { HelperWriter(.anchorsRequest).frame() }

    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        try HelperReader(frame, [.anchorsRequest]).finish()
    }
}

/// What comes back to an ``AnchorsRequest``.
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
