// SPDX-License-Identifier: Apache-2.0

/// A question about the fingers of one user, by number; nil for whoever runs the helper.
public enum FingerprintRequest: Hashable, Sendable {
    /// Which reader there is, and which fingers it knows.
    case enrolment(of: UInt32?)
    /// Whether a finger that is shown now is one of those. A person may take so many seconds: 1 to
    /// ``FingerprintLimits/seconds``.
    case verification(of: UInt32?, seconds: UInt16)

    /// Whose fingers it is about; nil for whoever runs the helper.
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

    /// - Parameter frame: a complete frame.
    /// - Throws: as ``HelperFrameHeader/init(_:)``; `.malformed` for a time that is out of bounds, `.trailingBytes`, and
    ///   `.unexpected` for a frame of another kind.
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
