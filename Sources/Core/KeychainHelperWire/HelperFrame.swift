// SPDX-License-Identifier: Apache-2.0

/// The kinds of frames between a program and one of its helpers (Documentation/Protocols/helper.md). The raw value is the
/// second byte of a frame.
public enum HelperFrameKind: UInt8, CaseIterable, Hashable, Sendable {
    // From the helper.

    /// The question was understood, but cannot be answered; the reason for people.
    case refusal = 0x01
    /// What was found of a chain of certificates.
    case trustAnswer = 0x02
    /// The system's anchors.
    case anchors = 0x03
    /// What a token is.
    case tokenStatus = 0x20
    /// A new key of a token.
    case tokenKey = 0x21
    case tokenSignature = 0x22
    /// What was agreed on.
    case tokenCoordinate = 0x23
    /// A secret that was closed in.
    case tokenBlob = 0x24
    /// A secret that was opened.
    case tokenSecret = 0x25
    /// Why a token did not do it.
    case tokenFailure = 0x26
    /// What a person said.
    case promptReply = 0x40
    /// Which fingers are enrolled.
    case enrolmentReply = 0x41
    /// What a look at a finger gave.
    case verificationReply = 0x42
    /// Whether polkit is there.
    case authorityPresenceReply = 0x43
    /// Whether the user authorized something.
    case authorizationReply = 0x44

    // From the program.

    /// Whether a certificate is trusted for a purpose.
    case trustRequest = 0x12
    /// Which certificates the system trusts.
    case anchorsRequest = 0x13
    case tokenStatusRequest = 0x30
    case tokenCreateKey = 0x31
    case tokenSign = 0x32
    case tokenAgree = 0x33
    case tokenSeal = 0x34
    case tokenUnseal = 0x35
    /// As those two, for a secret that is given out only with another one.
    case tokenSealGuarded = 0x36
    case tokenUnsealGuarded = 0x37
    /// Something that only a person can say.
    case promptRequest = 0x50
    /// Which fingers are enrolled.
    case enrolmentRequest = 0x51
    /// Whether a finger is one of those.
    case verificationRequest = 0x52
    /// Whether polkit is there.
    case authorityPresenceRequest = 0x53
    /// Whether the user authorizes something.
    case authorizationRequest = 0x54
}

/// The eight bytes before each payload: version, kind, two zero bytes, and the payload's length as a 32-bit big-endian number.
public struct HelperFrameHeader: Hashable, Sendable {
    public static let size = 8
    /// The protocol version, the first byte of every frame.
    public static let version: UInt8 = 1

    public let kind: HelperFrameKind
    public let payloadSize: Int

    /// - Throws: `.truncated` below eight bytes, `.version` for another version, `.malformed` for an unknown kind or
    ///   non-zero reserved bytes, `.tooLarge` beyond ``HelperLimits/payloadBytes``.
    public init(_ bytes: some Collection<UInt8>) throws(HelperWireError) {
        let head = Array(bytes.prefix(Self.size))
        guard head.count == Self.size else { throw .truncated }
        guard head[0] == Self.version else { throw .version(head[0]) }
        guard let kind = HelperFrameKind(rawValue: head[1]), head[2] == 0, head[3] == 0 else { throw .malformed }
        let size = head[4...].reduce(0) { $0 << 8 | Int($1) }
        guard size <= HelperLimits.payloadBytes else { throw .tooLarge }
        self.kind = kind
        payloadSize = size
    }

    /// The size of the frame that begins so, header and payload; nil until its header is there.
    ///
    /// - Throws: as ``init(_:)``, but for `.truncated`.
    public static func frameSize(_ beginning: [UInt8]) throws(HelperWireError) -> Int? {
        guard beginning.count >= size else { return nil }
        return size + (try HelperFrameHeader(beginning).payloadSize)
    }
}

/// The largest things that may travel.
public enum HelperLimits {
    /// One payload.
    public static let payloadBytes = 8 * 1024 * 1024
    /// The reason of a refusal, in UTF-8.
    public static let reasonBytes = 1024
}

/// Why bytes were refused. Whoever receives such bytes ends the conversation.
public enum HelperWireError: Error, Hashable, Sendable {
    /// The bytes end too soon.
    case truncated
    /// Bytes are left over behind a complete message.
    case trailingBytes
    /// The other side speaks another version.
    case version(UInt8)
    case tooLarge
    /// A value that the protocol does not know.
    case malformed
    /// The frame is not one that may come now.
    case unexpected(HelperFrameKind)
}

/// Why a helper did not answer.
public struct HelperRefusal: Hashable, Sendable {
    /// A sentence without a full stop.
    public let reason: String

    public init(reason: String) { self.reason = reason }

    /// The frame. A longer reason than ``HelperLimits/reasonBytes`` is cut off.
    public var frame: [UInt8] {
        var writer = HelperWriter(.refusal)
        var text = reason
        while text.utf8.count > HelperLimits.reasonBytes { text.removeLast() }
        writer.block(text.utf8)
        return writer.frame()
    }

    /// - Parameter reader: over a payload.
    init(_ reader: inout HelperReader) throws(HelperWireError) {
        reason = try reader.text(atMost: HelperLimits.reasonBytes)
    }
}
