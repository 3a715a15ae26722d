// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A fingerprint reader and its enrolled fingers of the user.
public struct EnrolledFingers: Hashable, Sendable {
    /// The way in which the reader scans a finger.
    public enum Scan: UInt8, CaseIterable, Hashable, Sendable {
        case unknown = 0
        case press = 1
        case swipe = 2
    }

    /// The name of the reader; not empty, at most ``FingerprintLimits/readerBytes``.
    public let reader: String
    public let scan: Scan
    /// The names of the enrolled fingers, such as `right-index-finger`, in ascending order, none twice.
    public let fingers: [String]

    /// Creates a list. Nil if a name is empty or too long, if a finger's name contains anything but lowercase ASCII
    /// letters, digits and hyphens, or if there are more than ``FingerprintLimits/fingers``.
    public init?(reader: String, scan: Scan, fingers: [String]) {
        let sorted = Set(fingers).sorted()
        guard (1...FingerprintLimits.readerBytes).contains(reader.utf8.count),
            sorted.count <= FingerprintLimits.fingers,
            sorted.allSatisfy(Self.isFinger)
        else { return nil }
        self.reader = reader
        self.scan = scan
        self.fingers = sorted
    }

    private static func isFinger(_ name: String) -> Bool {
        (1...FingerprintLimits.fingerBytes).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}

/// The reply to ``FingerprintRequest/enrolment(of:)``.
public enum EnrolmentReply: Hashable, Sendable {
    /// The reason why there is no reader.
    public enum Absence: UInt8, CaseIterable, Hashable, Sendable {
        /// No bus, or no fprintd on it.
        case noService = 1
        case noReader = 2
        /// fprintd denies this user access.
        case refused = 3
        /// No reply in time, or an invalid one.
        case unanswered = 4
    }

    case reader(EnrolledFingers)
    case absent(Absence)
    /// The request was not understood.
    case refusal(HelperRefusal)

    public var frame: [UInt8] {
        var writer = HelperWriter(.enrolmentReply)
        switch self {
        case .refusal(let refusal): return refusal.frame
        case .absent(let absence): writer.u8(absence.rawValue)
        case .reader(let enrolled):
            writer.u8(0)
            writer.block(enrolled.reader.utf8)
            writer.u8(enrolled.scan.rawValue)
            writer.list(enrolled.fingers) { $0.block($1.utf8) }
        }
        return writer.frame()
    }

    /// Reads a reply.
    ///
    /// - Parameter frame: a complete frame.
    /// - Throws: the errors of ``HelperFrameHeader/init(_:)``; `.malformed`, `.tooLarge`, `.truncated`,
    ///   `.trailingBytes` for other contents.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.enrolmentReply, .refusal])
        if try HelperFrameHeader(frame).kind == .refusal {
            self = .refusal(try HelperRefusal(&reader))
        } else {
            let first = try reader.u8()
            if first == 0 {
                self = .reader(try reader.enrolledFingers())
            } else {
                guard let absence = Absence(rawValue: first) else { throw .malformed }
                self = .absent(absence)
            }
        }
        try reader.finish()
    }
}

/// The reply to ``FingerprintRequest/verification(of:seconds:)``.
public typealias VerificationReply = HelperReply<VerificationResult>

public enum VerificationResult: UInt8, HelperResult {
    case match = 1
    case noMatch = 2
    /// The reader repeatedly failed to read the finger.
    case unreadable = 3
    /// The reader was not touched in time.
    case timedOut = 4
    /// The reader was removed, is in use or denied access, or its driver ended.
    case unavailable = 5

    public static var frameKind: HelperFrameKind { .verificationReply }
}

extension HelperReader {
    fileprivate mutating func enrolledFingers() throws(HelperWireError) -> EnrolledFingers {
        let name = try text(atMost: FingerprintLimits.readerBytes)
        let scan = try value(EnrolledFingers.Scan.self)
        let fingers = try list(atMost: FingerprintLimits.fingers) { reader throws(HelperWireError) in
            try reader.text(atMost: FingerprintLimits.fingerBytes)
        }
        guard let enrolled = EnrolledFingers(reader: name, scan: scan, fingers: fingers), enrolled.fingers == fingers
        else { throw .malformed }
        return enrolled
    }
}
