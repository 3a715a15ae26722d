// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// The kinds of frames between a program and one of its helpers (Documentation/Protocols/helper.md). The raw value is the
/// second byte of a frame.
public enum HelperFrameKind: UInt8, CaseIterable, Hashable, Sendable {
    // Frames from the helper.

    /// The request was understood, but the helper cannot do it; with a readable reason.
    case refusal = 0x01
    /// The result of evaluating a certificate chain.
    case trustAnswer = 0x02
    /// The system's anchors.
    case anchors = 0x03
    /// The bytes that an operation of `chatelaine-crypto` returned.
    case cryptoResult = 0x04
    /// The reason why such an operation returned no bytes.
    case cryptoFailure = 0x05
    /// The status of a token.
    case tokenStatus = 0x20
    /// A new key of a token.
    case tokenKey = 0x21
    case tokenSignature = 0x22
    /// The result of a key agreement.
    case tokenCoordinate = 0x23
    /// A sealed secret.
    case tokenBlob = 0x24
    /// An unsealed secret.
    case tokenSecret = 0x25
    /// The reason why a token failed.
    case tokenFailure = 0x26
    /// The user's answer to a prompt.
    case promptReply = 0x40
    /// The enrolled fingers.
    case enrolmentReply = 0x41
    /// The result of verifying a finger.
    case verificationReply = 0x42
    /// Whether polkit is present.
    case authorityPresenceReply = 0x43
    /// The user's authorization of an operation, or its denial.
    case authorizationReply = 0x44
    /// The owner of the name of the Secret Service.
    case providerOwner = 0x60
    case providerCollections = 0x61
    case providerItems = 0x62
    /// Whether a collection is unlocked.
    case providerUnlocked = 0x63
    case providerSecret = 0x64

    // Frames from the program.

    /// Evaluates the trust of a certificate for a purpose.
    case trustRequest = 0x12
    /// Returns the certificates that the system trusts.
    case anchorsRequest = 0x13
    /// Uses an RSA key.
    case rsaRequest = 0x14
    /// Decrypts data with a passphrase.
    case decryptionRequest = 0x15
    case tokenStatusRequest = 0x30
    case tokenCreateKey = 0x31
    case tokenSign = 0x32
    case tokenAgree = 0x33
    case tokenSeal = 0x34
    case tokenUnseal = 0x35
    /// The same two operations, for a secret that requires an authorization to unseal.
    case tokenSealGuarded = 0x36
    case tokenUnsealGuarded = 0x37
    /// Shows a prompt to the user.
    case promptRequest = 0x50
    /// Returns the enrolled fingers.
    case enrolmentRequest = 0x51
    /// Verifies a finger against the enrolled ones.
    case verificationRequest = 0x52
    /// Returns whether polkit is present.
    case authorityPresenceRequest = 0x53
    /// Requests the user's authorization of an operation.
    case authorizationRequest = 0x54
    /// Reads another provider of the Secret Service.
    case providerRequest = 0x70
}

/// The eight bytes before each payload: version, kind, two zero bytes, and the payload's length as a 32-bit big-endian number.
public struct HelperFrameHeader: Hashable, Sendable {
    public static let size = 8
    /// The protocol version, the first byte of every frame.
    public static let version: UInt8 = 1

    public let kind: HelperFrameKind
    public let payloadSize: Int

    /// Reads a header.
    ///
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

    /// Returns the number of bytes that the frame with these first bytes has at least: the size of the header until that
    /// is complete, then the size of the frame. For a reader that must not read beyond the frame.
    ///
    /// - Throws: the errors of ``frameSize(_:)``.
    public static func minimumFrameSize(_ beginning: [UInt8]) throws(HelperWireError) -> Int {
        try frameSize(beginning) ?? size
    }

    /// Returns the size of the frame with these first bytes, header and payload; nil until its header is complete.
    ///
    /// - Throws: the errors of ``init(_:)``, except `.truncated`.
    public static func frameSize(_ beginning: [UInt8]) throws(HelperWireError) -> Int? {
        guard beginning.count >= size else { return nil }
        return size + (try HelperFrameHeader(beginning).payloadSize)
    }
}

/// The limits of messages.
public enum HelperLimits {
    /// One payload.
    public static let payloadBytes = 8 * 1024 * 1024
    /// The reason of a refusal, in UTF-8.
    public static let reasonBytes = 1024
}

/// The reason why bytes were refused. The receiver of such bytes ends the connection.
public enum HelperWireError: Error, Hashable, Sendable {
    /// The message is incomplete.
    case truncated
    /// Bytes follow a complete message.
    case trailingBytes
    /// The other side uses another version.
    case version(UInt8)
    case tooLarge
    /// A value that the protocol does not define.
    case malformed
    /// The frame is not allowed at this point.
    case unexpected(HelperFrameKind)
}

/// The reason why a helper gave no result.
public struct HelperRefusal: Hashable, Sendable {
    /// A sentence without a full stop.
    public let reason: String

    public init(reason: String) { self.reason = reason }

    /// The frame. A reason longer than ``HelperLimits/reasonBytes`` is cut.
    public var frame: [UInt8] {
        var writer = HelperWriter(.refusal)
        var text = reason
        while text.utf8.count > HelperLimits.reasonBytes { text.removeLast() }
        writer.block(text.utf8)
        return writer.frame()
    }

    /// Reads a refusal.
    ///
    /// - Parameter reader: a reader of the payload.
    init(_ reader: inout HelperReader) throws(HelperWireError) {
        reason = try reader.text(atMost: HelperLimits.reasonBytes)
    }
}

extension HelperWireError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated: "the message is incomplete"
        case .trailingBytes: "bytes follow the message"
        case .version(let version): "it has protocol version \(version)"
        case .tooLarge: "the message is too large"
        case .malformed: "the message contains a value that the protocol does not define"
        case .unexpected(let kind): "a frame of kind \(kind.rawValue) is not allowed at this point"
        }
    }
}
