// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A result that is one byte in a frame of its own kind.
public protocol HelperResult: RawRepresentable<UInt8>, CaseIterable, Hashable, Sendable {
    static var frameKind: HelperFrameKind { get }
}

/// The reply of a helper that returns one of several results, or a refusal.
public enum HelperReply<Result: HelperResult>: Hashable, Sendable {
    case result(Result)
    /// The request was not understood.
    case refusal(HelperRefusal)

    public var frame: [UInt8] {
        switch self {
        case .refusal(let refusal): return refusal.frame
        case .result(let result):
            var writer = HelperWriter(Result.frameKind)
            writer.u8(result.rawValue)
            return writer.frame()
        }
    }

    /// Reads a reply.
    ///
    /// - Parameter frame: a complete frame.
    /// - Throws: the errors of ``HelperFrameHeader/init(_:)``; `.malformed`, `.truncated`, `.trailingBytes`,
    ///   `.unexpected`.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [Result.frameKind, .refusal])
        if try HelperFrameHeader(frame).kind == .refusal {
            self = .refusal(try HelperRefusal(&reader))
        } else {
            self = .result(try reader.value(Result.self))
        }
        try reader.finish()
    }
}
