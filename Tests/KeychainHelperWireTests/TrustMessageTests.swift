// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import Testing

struct TrustMessageTests {
    private static let request = TrustRequest(
        certificates: [[1, 2, 3], [4]],
        policies: [
            TrustPolicy(.any),
            TrustPolicy(.tlsServer, name: "bücher.example", keyUsage: 0x101, requiresRevocationCheck: true),
        ],
        anchors: [[5, 6]], usesSystemAnchors: true, options: [.allowsExpired, .takesSelfSignedAsAnchors], date: -7)

    private static let answer = TrustAnswer(
        chain: [[1], [2, 3]], anchor: .system,
        findings: [.init(place: 0, fault: .expired), .init(place: 1, fault: .keySize)])

    @Test func `a written message is read again`() throws {
        #expect(try TrustRequest(Self.request.frame) == Self.request)
        #expect(try TrustReply(Self.answer.frame) == .answer(Self.answer))
        for reply in [AnchorsReply.anchors([[1], []]), .refusal(HelperRefusal(reason: "none"))] {
            #expect(try AnchorsReply(reply.frame) == reply)
        }
        _ = try AnchorsRequest(AnchorsRequest().frame)
    }

    @Test func `a request is the bytes of the documentation`() {
        let request = TrustRequest(
            certificates: [[0xAA]], policies: [TrustPolicy(.mail, name: "a@b", keyUsage: 3)], anchors: [],
            usesSystemAnchors: false, options: .allowsExpiredRoot, date: 1)
        #expect(
            request.frame == [
                1, 0x12, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 1, 3, 1, 0, 0, 0, 3, 0x61, 0x40, 0x62, 0,
                3,
                0, 0, 1, 0, 0, 0, 1, 0xAA, 0, 0,
            ])
    }

    @Test func `every message that is cut short or has a byte too many is refused`() {
        for frame in [Self.request.frame, Self.answer.frame, AnchorsReply.anchors([[1]]).frame] {
            for count in 0..<frame.count {
                #expect(throws: HelperWireError.self) { try read(Array(frame.prefix(count))) }
            }
            #expect(throws: HelperWireError.trailingBytes) { try read(frame + [0]) }
            var longer = frame + [0]
            longer[7] += 1
            #expect(throws: HelperWireError.trailingBytes) { try read(longer) }
        }
    }

    @Test func `no byte, whatever its value, makes reading trap`() {
        var differing: [(Int, UInt8)] = []
        for frame in [Self.request.frame, Self.answer.frame, AnchorsReply.anchors([[1]]).frame] {
            for index in frame.indices {
                for value in TestExtent.byteValues {
                    var changed = frame
                    changed[index] = value
                    // Decoded data is encoded as it was.
                    if let written = try? read(changed), written != changed { differing.append((index, value)) }
                }
            }
        }
        #expect(differing.isEmpty)
    }

    @Test func `an answer without an anchor and without a fault is none`() {
        let frame = TrustAnswer(chain: [[1]], anchor: .none, findings: []).frame
        #expect(throws: HelperWireError.malformed) { try TrustReply(frame) }
    }

    @Test func `a finding has its place in the chain`() {
        let frame = TrustAnswer(chain: [[1]], anchor: .own, findings: [.init(place: 1, fault: .expired)]).frame
        #expect(throws: HelperWireError.malformed) { try TrustReply(frame) }
    }

    @Test func `a request without certificates or policies is none`() {
        var request = Self.request
        request.certificates = []
        #expect(throws: HelperWireError.malformed) { try TrustRequest(request.frame) }
        request = Self.request
        request.policies = []
        #expect(throws: HelperWireError.malformed) { try TrustRequest(request.frame) }
    }

    @Test func `what does not fit is said beforehand, and refused on the other side`() {
        #expect(Self.request.excess == nil)
        var request = Self.request
        request.certificates = Array(repeating: [1], count: TrustLimits.certificates + 1)
        #expect(request.excess == "more than 256 certificates")
        #expect(throws: HelperWireError.tooLarge) { try TrustRequest(request.frame) }
        request = Self.request
        request.anchors = Array(repeating: [1], count: TrustLimits.anchors + 1)
        #expect(request.excess == "more than 1024 anchors")
        #expect(throws: HelperWireError.tooLarge) { try TrustRequest(request.frame) }
        request = Self.request
        request.anchors = [Array(repeating: 1, count: TrustLimits.certificateBytes + 1)]
        #expect(request.excess == "a certificate of more than 262144 bytes")
        #expect(throws: HelperWireError.tooLarge) { try TrustRequest(request.frame) }
        request.anchors = Array(repeating: Array(repeating: 1, count: TrustLimits.certificateBytes), count: 33)
        #expect(request.excess == "more than 8388608 bytes")
        request = Self.request
        request.policies = [TrustPolicy(.mail, name: String(repeating: "x", count: 1025))]
        #expect(request.excess == "a name of more than 1024 bytes")
        request.policies = Array(repeating: TrustPolicy(.any), count: 17)
        #expect(request.excess == "more than 16 policies")
    }

    /// Decodes a frame by its kind, and returns the encoding of the result.
    private func read(_ frame: [UInt8]) throws -> [UInt8] {
        switch try HelperFrameHeader(frame).kind {
        case .trustRequest: return try TrustRequest(frame).frame
        case .anchorsRequest:
            _ = try AnchorsRequest(frame)
            return AnchorsRequest().frame
        case .anchors: return try AnchorsReply(frame).frame
        case .trustAnswer, .refusal:
            switch try TrustReply(frame) {
            case .answer(let answer): return answer.frame
            case .refusal(let refusal): return refusal.frame
            }
        case let other: throw HelperWireError.unexpected(other)
        }
    }
}
