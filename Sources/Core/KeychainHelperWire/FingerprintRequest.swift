// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A request about the fingers of one user, by user ID; nil for the user of the helper.
public enum FingerprintRequest: Hashable, Sendable {
    /// Returns the reader and its enrolled fingers.
    case enrolment(of: UInt32?)
    /// Verifies that a scanned finger is one of those, within so many seconds: 1 to ``FingerprintLimits/seconds``.
    case verification(of: UInt32?, seconds: UInt16)

    /// The user whose fingers are meant; nil for the user of the helper.
    public var user: UInt32? {
        switch self {
        case .enrolment(let user), .verification(let user, _): user
        }
    }

    public var frame: [UInt8] {
        var writer: HelperWriter
        switch self {
        case .enrolment(let user):
            writer = HelperWriter(.enrolmentRequest)
            writer.optional(user) { $0.u32($1) }
        case .verification(let user, let seconds):
            writer = HelperWriter(.verificationRequest)
            writer.optional(user) { $0.u32($1) }
            writer.u16(seconds)
        }
        return writer.frame()
    }

    /// Reads a request.
    ///
    /// - Parameter frame: a complete frame.
    /// - Throws: the errors of ``HelperFrameHeader/init(_:)``; `.malformed` for a time that is out of bounds,
    ///   `.trailingBytes`, and `.unexpected` for a frame of another kind.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.enrolmentRequest, .verificationRequest])
        let user = try reader.optional { (reader) throws(HelperWireError) in try reader.u32() }
        if try HelperFrameHeader(frame).kind == .enrolmentRequest {
            self = .enrolment(of: user)
        } else {
            let seconds = try reader.u16()
            guard FingerprintLimits.seconds.contains(seconds) else { throw .malformed }
            self = .verification(of: user, seconds: seconds)
        }
        try reader.finish()
    }
}

/// The limits of the messages about fingers.
public enum FingerprintLimits {
    /// The time for a verification.
    public static let seconds: ClosedRange<UInt16> = 1...30
    /// The name of a reader, in UTF-8.
    public static let readerBytes = 256
    /// The number of fingers; fprintd knows ten.
    public static let fingers = 32
    /// The name of a finger, in UTF-8.
    public static let fingerBytes = 64
}
