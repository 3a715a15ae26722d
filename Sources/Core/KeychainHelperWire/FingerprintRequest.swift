// SPDX-License-Identifier: Apache-2.0

/// A question about the fingers of the user who runs the helper.
public enum FingerprintRequest: Hashable, Sendable {
    /// Which reader there is, and which fingers it knows.
    case enrolment
    /// Whether a finger that is shown now is one of those. A person may take so many seconds: 1 to
    /// ``FingerprintLimits/seconds``.
    case verification(seconds: UInt16)

    public var frame: [UInt8] {
        switch self {
        case .enrolment: return HelperWriter(.enrolmentRequest).frame()
        case .verification(let seconds):
            var writer = HelperWriter(.verificationRequest)
            writer.u16(seconds)
            return writer.frame()
        }
    }

    /// - Parameter frame: a complete frame.
    /// - Throws: as ``HelperFrameHeader/init(_:)``; `.malformed` for a time that is out of bounds, `.trailingBytes`, and
    ///   `.unexpected` for a frame of another kind.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.enrolmentRequest, .verificationRequest])
        if try HelperFrameHeader(frame).kind == .enrolmentRequest {
            self = .enrolment
        } else {
            let seconds = try reader.u16()
            guard FingerprintLimits.seconds.contains(seconds) else { throw .malformed }
            self = .verification(seconds: seconds)
        }
        try reader.finish()
    }
}

/// The bounds of the messages about fingers.
public enum FingerprintLimits {
    /// How long a person may take.
    public static let seconds: ClosedRange<UInt16> = 1...30
    /// A reader's name, in UTF-8.
    public static let readerBytes = 256
    /// fprintd knows ten.
    public static let fingers = 32
    /// The name of one.
    public static let fingerBytes = 64
}
