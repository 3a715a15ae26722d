// SPDX-License-Identifier: Apache-2.0

/// What a token answers to a ``TokenRequest``.
public enum TokenAnswer: Hashable, Sendable {
    case status(TokenStatus)
    /// To `createKey`: the public half as a point 04 | X | Y, and the blob that is the key from then on.
    case key(point: [UInt8], blob: [UInt8])
    /// To `sign`: r | s.
    case signature([UInt8])
    /// To `agree`: the X coordinate of the common point.
    case coordinate([UInt8])
    /// To `seal` and `sealGuarded`.
    case blob([UInt8])
    /// To `unseal` and `unsealGuarded`.
    case secret([UInt8])
    case failure(TokenFailure)

    /// The frame. It may hold a secret: whoever sends it wipes it.
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

    /// Reads the answer to a request.
    ///
    /// - Parameter frame: a complete frame.
    /// - Throws: `.unexpected` for the answer to another request.
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
            self = .failure(try TokenFailure(&reader))
        } else {
            switch request {
            case .status: self = .status(try TokenStatus(&reader))
            case .createKey:
                let point = try reader.point()
                self = .key(point: point, blob: try reader.tokenBlob())
            case .sign: self = .signature(try reader.block(ofExactly: 2 * TokenLimits.coordinateBytes))
            case .agree: self = .coordinate(try reader.block(ofExactly: TokenLimits.coordinateBytes))
            case .seal, .sealGuarded: self = .blob(try reader.tokenBlob())
            case .unseal, .unsealGuarded: self = .secret(try reader.block(atMost: TokenLimits.secretBytes))
            }
        }
        try reader.finish()
    }
}

/// Which kind of token keeps a key. The raw value is on the wire and in stored keys; it never changes.
public enum TokenKind: UInt8, CaseIterable, Hashable, Sendable {
    /// A process of its own with a file of its own: no hardware.
    case software = 1
    /// A TPM 2.0.
    case tpm = 2
}

/// What a token says of itself.
public struct TokenStatus: Hashable, Sendable {
    public var kind: TokenKind
    /// Such as `IBM` or `INTC`; empty where there is none.
    public var manufacturer: String
    public var firmware: String
    /// The file or the device in which it is.
    public var place: String
    /// How often a wrong authorization may still be given; nil where nobody counts.
    public var lockout: Lockout?

    public struct Lockout: Hashable, Sendable {
        /// Wrong ones so far.
        public var failures: UInt32
        /// How many lock the token.
        public var limit: UInt32
        /// Seconds until one is forgotten.
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

/// Why a token did not do what it was asked.
public struct TokenFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The raw value is on the wire.
    public enum Reason: UInt8, CaseIterable, Hashable, Sendable {
        /// The blob was made by another token, or by this one before it was cleared, or it is damaged.
        case foreignBlob = 1
        /// The token is not there, or does not answer. Later it may.
        case unavailable = 2
        /// Too many wrong PINs were given; it answers again later.
        case lockedOut = 3
        /// What came in is nothing that the token works with, such as a point that is not on the curve.
        case unusableInput = 4
        /// This kind of token does not do that.
        case unsupported = 5
        /// Something else went wrong in it.
        case failed = 6
        /// What was given to open a guarded secret is not what it was closed in with.
        case wrongAuthorization = 7
    }

    public let reason: Reason
    /// A sentence without a full stop, for people.
    public let text: String

    /// - Parameter text: cut off at ``TokenLimits/textBytes``.
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
    /// As many whole characters as fit.
    fileprivate func utf8(atMost limit: Int) -> String.UTF8View {
        var text = self
        while text.utf8.count > limit { text.removeLast() }
        return text.utf8
    }
}
