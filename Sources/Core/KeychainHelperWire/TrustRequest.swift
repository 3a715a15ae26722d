// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// Requests the evaluation of a certificate for purposes.
public struct TrustRequest: Hashable, Sendable {
    /// The certificates in DER. The first is evaluated; the others may be its issuers, in any order.
    public var certificates: [[UInt8]]
    /// The policies, which must all hold.
    public var policies: [TrustPolicy]
    /// The anchors trusted in addition to, or instead of, the system's anchors; in DER.
    public var anchors: [[UInt8]]
    public var usesSystemAnchors: Bool
    public var options: TrustOptions
    /// The time of the evaluation, in whole seconds since 1970.
    public var date: Int64

    public init(
        certificates: [[UInt8]], policies: [TrustPolicy], anchors: [[UInt8]], usesSystemAnchors: Bool,
        options: TrustOptions, date: Int64
    ) {
        self.certificates = certificates
        self.policies = policies
        self.anchors = anchors
        self.usesSystemAnchors = usesSystemAnchors
        self.options = options
        self.date = date
    }

    /// The part of the request that is too large for a frame; nil if it fits.
    public var excess: String? {
        if certificates.count > TrustLimits.certificates { return "more than \(TrustLimits.certificates) certificates" }
        if anchors.count > TrustLimits.anchors { return "more than \(TrustLimits.anchors) anchors" }
        if policies.count > TrustLimits.policies { return "more than \(TrustLimits.policies) policies" }
        guard (certificates + anchors).allSatisfy({ $0.count <= TrustLimits.certificateBytes }) else {
            return "a certificate of more than \(TrustLimits.certificateBytes) bytes"
        }
        guard policies.allSatisfy({ $0.name?.utf8.count ?? 0 <= TrustLimits.nameBytes }) else {
            return "a name of more than \(TrustLimits.nameBytes) bytes"
        }
        let size = (certificates + anchors).reduce(policies.count * (TrustLimits.nameBytes + 16) + 64) {
            $0 + $1.count + 4
        }
        return size > HelperLimits.payloadBytes ? "more than \(HelperLimits.payloadBytes) bytes" : nil
    }

    /// The frame; only for a request without ``excess``.
    public var frame: [UInt8] {
        var writer = HelperWriter(.trustRequest)
        writer.u64(UInt64(bitPattern: date))
        writer.u8(options.rawValue)
        writer.u8(usesSystemAnchors ? 1 : 0)
        writer.list(policies) { $0.policy($1) }
        writer.list(certificates) { $0.block($1) }
        writer.list(anchors) { $0.block($1) }
        return writer.frame()
    }

    /// Reads a request.
    ///
    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.trustRequest])
        date = Int64(bitPattern: try reader.u64())
        options = TrustOptions(rawValue: try reader.u8())
        guard options.isSubset(of: .all) else { throw .malformed }
        usesSystemAnchors = try reader.flag()
        policies = try reader.list(atMost: TrustLimits.policies) { reader throws(HelperWireError) in
            try reader.policy()
        }
        certificates = try reader.certificates(atMost: TrustLimits.certificates)
        anchors = try reader.certificates(atMost: TrustLimits.anchors)
        guard !certificates.isEmpty, !policies.isEmpty else { throw .malformed }
        try reader.finish()
    }
}

/// A purpose of a certificate.
public struct TrustPolicy: Hashable, Sendable {
    public enum Purpose: UInt8, CaseIterable, Hashable, Sendable {
        /// Any purpose.
        case any = 0
        /// A TLS server, with Apple's rules for them. The name is a host or an IP address.
        case tlsServer = 1
        case tlsClient = 2
        /// Secure mail. The name is an address.
        case mail = 3
        case codeSigning = 4
        case timeStamping = 5
        /// A server of a network that requires a login (802.1X). The name is a host.
        case networkServer = 6
        case networkClient = 7
        /// The other end of a virtual private network. The name is a host or an IP address.
        case ipsec = 8
    }

    public var purpose: Purpose
    /// The name that the certificate must have.
    public var name: String?
    /// The bits of RFC 5280, 4.2.1.3, one of which must be set in a certificate that has the extension; bit 0 of the
    /// standard is the lowest. None: any usage.
    public var keyUsage: UInt16
    /// Whether a proof is required that no certificate was revoked.
    public var requiresRevocationCheck: Bool

    public init(
        _ purpose: Purpose, name: String? = nil, keyUsage: UInt16 = 0, requiresRevocationCheck: Bool = false
    ) {
        self.purpose = purpose
        self.name = name
        self.keyUsage = keyUsage
        self.requiresRevocationCheck = requiresRevocationCheck
    }
}

/// Checks that the evaluation skips.
public struct TrustOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Ignores the dates of all certificates.
    public static let allowsExpired = TrustOptions(rawValue: 1)
    /// Ignores the dates of an anchor.
    public static let allowsExpiredRoot = TrustOptions(rawValue: 2)
    /// Treats self-signed certificates of the request as anchors.
    public static let takesSelfSignedAsAnchors = TrustOptions(rawValue: 4)

    static let all: TrustOptions = [.allowsExpired, .allowsExpiredRoot, .takesSelfSignedAsAnchors]
}

/// The limits of the messages about trust.
public enum TrustLimits {
    /// The limit for a certificate in a keychain.
    public static let certificateBytes = 256 * 1024
    public static let certificates = 256
    public static let anchors = 1024
    public static let policies = 16
    /// A host or an e-mail address.
    public static let nameBytes = 1024
    /// The longest chain, the first and the last certificate included.
    public static let chainLength = 16
}

extension HelperWriter {
    fileprivate mutating func policy(_ policy: TrustPolicy) {
        u8(policy.purpose.rawValue)
        optional(policy.name) { $0.block($1.utf8) }
        u16(policy.keyUsage)
        u8(policy.requiresRevocationCheck ? 1 : 0)
    }
}

extension HelperReader {
    fileprivate mutating func policy() throws(HelperWireError) -> TrustPolicy {
        var policy = TrustPolicy(try value(TrustPolicy.Purpose.self))
        policy.name = try optional { reader throws(HelperWireError) in
            try reader.text(atMost: TrustLimits.nameBytes)
        }
        policy.keyUsage = try u16()
        policy.requiresRevocationCheck = try flag()
        return policy
    }

    mutating func certificates(atMost limit: Int) throws(HelperWireError) -> [[UInt8]] {
        try list(atMost: limit) { reader throws(HelperWireError) in
            try reader.bytes(atMost: TrustLimits.certificateBytes)
        }
    }
}
