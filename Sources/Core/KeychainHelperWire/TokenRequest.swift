// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A request of the service to a token, a program that keeps private keys (Documentation/Protocols/helper.md,
/// "Tokens").
///
/// A key is represented by its blob: the token made it when it created the key, and no other token can use it.
public enum TokenRequest: Hashable, Sendable {
    /// Returns the status of the token.
    case status
    /// Creates a new key pair on P-256.
    case createKey
    /// Signs a digest of ``TokenLimits/digestBytes`` with ECDSA.
    case sign(blob: [UInt8], digest: [UInt8])
    /// Returns the X coordinate of the point shared with the owner of a point 04 | X | Y.
    case agree(blob: [UInt8], point: [UInt8])
    /// Seals a secret, so that only this token can open it.
    case seal([UInt8])
    /// Opens a secret that ``seal(_:)`` sealed.
    case unseal(blob: [UInt8])
    /// Seals a secret, so that only this token can open it, and only with the same ``TokenLimits/authorizationBytes``
    /// again.
    case sealGuarded([UInt8], authorization: [UInt8])
    /// Opens a secret that ``sealGuarded(_:authorization:)`` sealed. A token that can count wrong authorizations does
    /// so.
    case unsealGuarded(blob: [UInt8], authorization: [UInt8])

    /// The frame. It may contain a secret: the sender wipes it.
    public var frame: [UInt8] {
        var writer: HelperWriter
        switch self {
        case .status: writer = HelperWriter(.tokenStatusRequest)
        case .createKey: writer = HelperWriter(.tokenCreateKey)
        case .sign(let blob, let digest):
            writer = HelperWriter(.tokenSign)
            writer.block(blob)
            writer.block(digest)
        case .agree(let blob, let point):
            writer = HelperWriter(.tokenAgree)
            writer.block(blob)
            writer.block(point)
        case .seal(let secret):
            writer = HelperWriter(.tokenSeal)
            writer.block(secret)
        case .unseal(let blob):
            writer = HelperWriter(.tokenUnseal)
            writer.block(blob)
        case .sealGuarded(let secret, let authorization):
            writer = HelperWriter(.tokenSealGuarded, capacity: TokenLimits.frameBytes)
            writer.block(secret)
            writer.block(authorization)
        case .unsealGuarded(let blob, let authorization):
            writer = HelperWriter(.tokenUnsealGuarded, capacity: TokenLimits.frameBytes)
            writer.block(blob)
            writer.block(authorization)
        }
        return writer.frame()
    }

    /// Reads a request.
    ///
    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        let kinds: [HelperFrameKind] = [
            .tokenStatusRequest, .tokenCreateKey, .tokenSign, .tokenAgree, .tokenSeal, .tokenUnseal,
            .tokenSealGuarded, .tokenUnsealGuarded,
        ]
        var reader = try HelperReader(frame, kinds)
        switch try HelperFrameHeader(frame).kind {
        case .tokenCreateKey: self = .createKey
        case .tokenSign:
            let blob = try reader.tokenBlob()
            self = .sign(blob: blob, digest: try reader.block(ofExactly: TokenLimits.digestBytes))
        case .tokenAgree:
            let blob = try reader.tokenBlob()
            self = .agree(blob: blob, point: try reader.point())
        case .tokenSeal:
            self = .seal(try reader.tokenSecret())
        case .tokenUnseal: self = .unseal(blob: try reader.tokenBlob())
        case .tokenSealGuarded:
            let secret = try reader.tokenSecret()
            self = .sealGuarded(secret, authorization: try reader.block(ofExactly: TokenLimits.authorizationBytes))
        case .tokenUnsealGuarded:
            let blob = try reader.tokenBlob()
            self = .unsealGuarded(
                blob: blob, authorization: try reader.block(ofExactly: TokenLimits.authorizationBytes))
        default: self = .status
        }
        try reader.finish()
    }
}

/// The limits of messages between the service and a token.
public enum TokenLimits {
    /// The blob of a key or a secret.
    public static let blobBytes = 4096
    /// A digest to be signed: as many bytes as the curve's order has.
    public static let digestBytes = 32
    /// Each coordinate of a point, and each half of a signature.
    public static let coordinateBytes = 32
    /// A point 04 | X | Y.
    public static let pointBytes = 65
    /// A secret to be sealed.
    public static let secretBytes = 128
    /// The authorization of a guarded secret.
    public static let authorizationBytes = 32
    /// One text of a status or a failure, in UTF-8.
    public static let textBytes = 512
    /// A whole frame from a token; a larger one ends the connection.
    public static let frameBytes = 8192
}

extension HelperReader {
    mutating func block(ofExactly count: Int) throws(HelperWireError) -> [UInt8] {
        let bytes = try bytes(atMost: count)
        guard bytes.count == count else { throw .malformed }
        return bytes
    }

    fileprivate mutating func tokenSecret() throws(HelperWireError) -> [UInt8] {
        let secret = try bytes(atMost: TokenLimits.secretBytes)
        guard !secret.isEmpty else { throw .malformed }
        return secret
    }

    mutating func tokenBlob() throws(HelperWireError) -> [UInt8] {
        let blob = try bytes(atMost: TokenLimits.blobBytes)
        guard !blob.isEmpty else { throw .malformed }
        return blob
    }

    /// Reads a point in that form, without checking that it is on the curve.
    mutating func point() throws(HelperWireError) -> [UInt8] {
        let point = try block(ofExactly: TokenLimits.pointBytes)
        guard point[0] == 4 else { throw .malformed }
        return point
    }
}
