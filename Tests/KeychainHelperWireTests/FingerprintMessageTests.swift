// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import TestSupport
import Testing

struct FingerprintMessageTests {
    private static let enrolled = EnrolledFingers(
        reader: "Virtual dévice", scan: .swipe, fingers: ["right-thumb", "left-index-finger"])!

    private static let requests: [FingerprintRequest] = [nil, 0, 1000, .max].flatMap { user in
        [.enrolment(of: user), .verification(of: user, seconds: 30)]
    }

    private static let frames: [[UInt8]] =
        requests.map(\.frame)
        + [EnrolmentReply.reader(enrolled).frame, HelperRefusal(reason: "no").frame]
        + EnrolmentReply.Absence.allCases.map { EnrolmentReply.absent($0).frame }
        + VerificationResult.allCases.map { VerificationReply.result($0).frame }

    /// Decodes a frame and returns the encoding of the result.
    private static func read(_ frame: [UInt8]) throws(HelperWireError) -> [UInt8] {
        switch try HelperFrameHeader(frame).kind {
        case .enrolmentRequest, .verificationRequest: return try FingerprintRequest(frame).frame
        case .enrolmentReply: return try EnrolmentReply(frame).frame
        default: return try VerificationReply(frame).frame
        }
    }

    @Test func `a written message is read again`() throws {
        for frame in Self.frames { #expect(try Self.read(frame) == frame) }
        for request in Self.requests { #expect(try FingerprintRequest(request.frame) == request) }
        #expect(Self.requests.map(\.user) == [nil, nil, 0, 0, 1000, 1000, .max, .max])
        #expect(try EnrolmentReply(EnrolmentReply.reader(Self.enrolled).frame) == .reader(Self.enrolled))
        #expect(Self.enrolled.fingers == ["left-index-finger", "right-thumb"])
        let refusal = HelperRefusal(reason: "no")
        #expect(try EnrolmentReply(refusal.frame) == .refusal(refusal))
        #expect(try VerificationReply(refusal.frame) == .refusal(refusal))
    }

    @Test func `messages are the bytes of the documentation`() throws {
        #expect(FingerprintRequest.enrolment(of: nil).frame == [1, 0x51, 0, 0, 0, 0, 0, 1, 0])
        #expect(FingerprintRequest.enrolment(of: 1000).frame == [1, 0x51, 0, 0, 0, 0, 0, 5, 1, 0, 0, 3, 232])
        #expect(FingerprintRequest.verification(of: nil, seconds: 30).frame == [1, 0x52, 0, 0, 0, 0, 0, 3, 0, 0, 30])
        #expect(
            FingerprintRequest.verification(of: 1000, seconds: 30).frame == [
                1, 0x52, 0, 0, 0, 0, 0, 7, 1, 0, 0, 3, 232, 0, 30,
            ])
        let enrolled = try #require(EnrolledFingers(reader: "R", scan: .press, fingers: ["b", "a", "b"]))
        #expect(
            EnrolmentReply.reader(enrolled).frame == [
                1, 0x41, 0, 0, 0, 0, 0, 19, 0, 0, 0, 0, 1, 0x52, 1, 0, 2, 0, 0, 0, 1, 0x61, 0, 0, 0, 1, 0x62,
            ])
        #expect(EnrolmentReply.absent(.noReader).frame == [1, 0x41, 0, 0, 0, 0, 0, 1, 2])
        #expect(VerificationReply.result(.match).frame == [1, 0x42, 0, 0, 0, 0, 0, 1, 1])
    }

    @Test func `every message that is cut short or has a byte too many is refused`() {
        for frame in Self.frames {
            for count in 0..<frame.count {
                #expect(throws: HelperWireError.self) { try Self.read(Array(frame.prefix(count))) }
            }
            #expect(throws: HelperWireError.trailingBytes) { try Self.read(frame + [0]) }
            var longer = frame + [0]
            longer[7] += 1
            #expect(throws: HelperWireError.trailingBytes) { try Self.read(longer) }
        }
    }

    @Test func `no byte, whatever its value, makes reading trap or is read as something else`() {
        var differing: [(Int, UInt8)] = []
        for frame in Self.frames {
            for index in frame.indices {
                for value in TestExtent.byteValues {
                    var changed = frame
                    changed[index] = value
                    if let written = try? Self.read(changed), written != changed { differing.append((index, value)) }
                }
            }
        }
        #expect(differing.isEmpty)
    }

    @Test func `random bytes behind a header are an error or a message, and never a trap`() {
        var generator = SeededGenerator(searchFrom: 1)
        for _ in 0..<(TestExtent.isLong ? 20_000 : 3_000) {
            let size = Int.random(in: 0...48, using: &generator)
            let payload = (0..<size).map { _ in
                UInt8.random(in: 0...(Bool.random(using: &generator) ? 4 : 255), using: &generator)
            }
            for kind: UInt8 in [0x41, 0x42, 0x51, 0x52] {
                let frame = [1, kind, 0, 0, 0, 0, 0, UInt8(size)] + payload
                if let written = try? Self.read(frame) { #expect(written == frame) }
            }
        }
    }

    @Test func `names are neither empty nor long, and a finger's is plain`() {
        func enrolled(_ reader: String = "R", _ fingers: String...) -> EnrolledFingers? {
            EnrolledFingers(reader: reader, scan: .unknown, fingers: fingers)
        }
        #expect(enrolled("") == nil)
        #expect(enrolled(String(repeating: "r", count: 256)) != nil)
        #expect(enrolled(String(repeating: "r", count: 257)) == nil)
        #expect(enrolled("R", String(repeating: "f", count: 64)) != nil)
        for finger in ["", String(repeating: "f", count: 65), "Left", "left thumb", "left_thumb", "däumling", "a\n"] {
            #expect(enrolled("R", finger) == nil)
        }
        let many = (0..<33).map { "finger-\($0)" }
        #expect(EnrolledFingers(reader: "R", scan: .press, fingers: Array(many.dropLast())) != nil)
        #expect(EnrolledFingers(reader: "R", scan: .press, fingers: many) == nil)
    }

    @Test func `fingers out of order or named twice, times out of bounds and half a user are malformed`() {
        func reply(_ fingers: [UInt8]...) -> [UInt8] {
            let payload: [UInt8] =
                [0, 0, 0, 0, 1, 0x52, 1, 0, UInt8(fingers.count)]
                + fingers.flatMap { [0, 0, 0, UInt8($0.count)] + $0 }
            return [1, 0x41, 0, 0, 0, 0, 0, UInt8(payload.count)] + payload
        }
        #expect((try? EnrolmentReply(reply([0x61], [0x62]))) != nil)
        #expect(throws: HelperWireError.malformed) { try EnrolmentReply(reply([0x62], [0x61])) }
        #expect(throws: HelperWireError.malformed) { try EnrolmentReply(reply([0x61], [0x61])) }
        #expect(throws: HelperWireError.malformed) { try EnrolmentReply(reply([0x61, 0xFF])) }
        for seconds: UInt8 in [0, 31, 255] {
            #expect(throws: HelperWireError.malformed) {
                try FingerprintRequest([1, 0x52, 0, 0, 0, 0, 0, 3, 0, 0, seconds])
            }
        }
        #expect(throws: HelperWireError.malformed) {
            try FingerprintRequest([1, 0x51, 0, 0, 0, 0, 0, 5, 2, 0, 0, 3, 232])
        }
        #expect(throws: HelperWireError.unexpected(.enrolmentReply)) {
            try FingerprintRequest(EnrolmentReply.absent(.noReader).frame)
        }
    }
}
