// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// The reply of a token to a ``TokenRequest``.
public enum TokenAnswer: Hashable, Sendable {
    case status(TokenStatus)
    /// To `createKey`: the public half as a point 04 | X | Y, and the blob that represents the key.
    case key(point: [UInt8], blob: [UInt8])
    /// To `sign`: r | s.
    case signature([UInt8])
    /// To `agree`: the X coordinate of the shared point.
    case coordinate([UInt8])
    /// To `seal` and `sealGuarded`.
    case blob([UInt8])
    /// To `unseal` and `unsealGuarded`.
    case secret([UInt8])
    case failure(TokenError)

    /// The frame. It may contain a secret: the sender wipes it.
    public var frame: [UInt8] {
        var writer: HelperWriter
        switch self {
        case .status(let status):
            writer = HelperWriter(.tokenStatus)
            status.write(to: &writer)
        case .key(let point, let blob):
            writer = HelperWriter(.tokenKey)
            writer.block(point)
            writer.block(blob)
        case .signature(let bytes):
            writer = HelperWriter(.tokenSignature)
            writer.block(bytes)
        case .coordinate(let bytes):
            writer = HelperWriter(.tokenCoordinate)
            writer.block(bytes)
        case .blob(let bytes):
            writer = HelperWriter(.tokenBlob)
            writer.block(bytes)
        case .secret(let bytes):
            writer = HelperWriter(.tokenSecret)
            writer.block(bytes)
        case .failure(let failure):
            writer = HelperWriter(.tokenFailure)
            writer.u8(failure.reason.rawValue)
            writer.block(failure.text.utf8)
        }
        return writer.frame()
    }

    /// Reads the reply to a request.
    ///
    /// - Parameter frame: a complete frame.
    /// - Throws: `.unexpected` for the reply to another request.
    public init(_ frame: [UInt8], to request: TokenRequest) throws(HelperWireError) {
        let expected: HelperFrameKind =
            switch request {
            case .status: .tokenStatus
            case .createKey: .tokenKey
            case .sign: .tokenSignature
            case .agree: .tokenCoordinate
            case .seal, .sealGuarded: .tokenBlob
            case .unseal, .unsealGuarded: .tokenSecret
            }
        var reader = try HelperReader(frame, [expected, .tokenFailure])
        if try HelperFrameHeader(frame).kind == .tokenFailure {
            self = .failure(try TokenError(&reader))
        } else {
            switch request {
            case .status: self = .status(try TokenStatus(&reader))
            case .createKey:
                let point = try reader.point()
                self = .key(point: point, blob: try reader.tokenBlob())
            case .sign: self = .signature(try reader.block(ofExactly: 2 * TokenLimits.coordinateBytes))
            case .agree: self = .coordinate(try reader.block(ofExactly: TokenLimits.coordinateBytes))
            case .seal, .sealGuarded: self = .blob(try reader.tokenBlob())
            case .unseal, .unsealGuarded: self = .secret(try reader.bytes(atMost: TokenLimits.secretBytes))
            }
        }
        try reader.finish()
    }
}

/// The kind of token that keeps a key. The raw value is on the wire and in stored keys; it never changes.
public enum TokenKind: UInt8, CaseIterable, Hashable, Sendable {
    /// A separate process with its own file: no hardware.
    case software = 1
    /// A TPM 2.0.
    case tpm = 2
}

/// Facts that a token reports about itself.
public struct TokenStatus: Hashable, Sendable {
    public var kind: TokenKind
    /// The manufacturer, such as `IBM` or `INTC`; empty if unknown.
    public var manufacturer: String
    public var firmware: String
    /// The file or device of the token.
    public var place: String
    /// The token's counter of wrong authorizations; nil if the token does not count them.
    public var lockout: Lockout?

    public struct Lockout: Hashable, Sendable {
        /// Wrong authorizations so far.
        public var failures: UInt32
        /// The number that locks the token.
        public var limit: UInt32
        /// Seconds until one wrong authorization is forgotten.
        public var interval: UInt32

        public init(failures: UInt32, limit: UInt32, interval: UInt32) {
            self.failures = failures
            self.limit = limit
            self.interval = interval
        }
    }

    public init(kind: TokenKind, manufacturer: String, firmware: String, place: String, lockout: Lockout?) {
        self.kind = kind
        self.manufacturer = manufacturer
        self.firmware = firmware
        self.place = place
        self.lockout = lockout
    }

    fileprivate init(_ reader: inout HelperReader) throws(HelperWireError) {
        kind = try reader.value(TokenKind.self)
        manufacturer = try reader.text(atMost: TokenLimits.textBytes)
        firmware = try reader.text(atMost: TokenLimits.textBytes)
        place = try reader.text(atMost: TokenLimits.textBytes)
        lockout = try reader.optional { reader throws(HelperWireError) in
            let failures = try reader.u32()
            let limit = try reader.u32()
            return Lockout(failures: failures, limit: limit, interval: try reader.u32())
        }
    }

    fileprivate func write(to writer: inout HelperWriter) {
        writer.u8(kind.rawValue)
        for text in [manufacturer, firmware, place] { writer.block(text.utf8(atMost: TokenLimits.textBytes)) }
        writer.optional(lockout) {
            $0.u32($1.failures)
            $0.u32($1.limit)
            $0.u32($1.interval)
        }
    }
}

/// The reason why a token did not fulfil a request.
public struct TokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The raw value is on the wire.
    public enum Reason: UInt8, CaseIterable, Hashable, Sendable {
        /// The blob was made by another token, or by this token before it was cleared, or it is damaged.
        case foreignBlob = 1
        /// The token is missing or does not respond. A later retry may succeed.
        case unavailable = 2
        /// Too many wrong PINs were entered; the token accepts requests again later.
        case lockedOut = 3
        /// The token cannot use the input, such as a point that is not on the curve.
        case unusableInput = 4
        /// This kind of token does not support the operation.
        case unsupported = 5
        /// Another error in the token.
        case failed = 6
        /// The authorization is not the one with which the guarded secret was sealed.
        case wrongAuthorization = 7
    }

    public let reason: Reason
    /// A readable sentence without a full stop.
    public let text: String

    /// Creates a failure.
    ///
    /// - Parameter text: cut at ``TokenLimits/textBytes``.
    public init(_ reason: Reason, _ text: String) {
        self.reason = reason
        self.text = String(decoding: text.utf8(atMost: TokenLimits.textBytes), as: UTF8.self)
    }

    public var description: String { text }

    fileprivate init(_ reader: inout HelperReader) throws(HelperWireError) {
        let reason = try reader.value(Reason.self)
        self.init(reason, try reader.text(atMost: TokenLimits.textBytes))
    }
}

extension String {
    /// Returns as many whole characters as fit.
    fileprivate func utf8(atMost limit: Int) -> String.UTF8View {
        var text = self
        while text.utf8.count > limit { text.removeLast() }
        return text.utf8
    }
}
