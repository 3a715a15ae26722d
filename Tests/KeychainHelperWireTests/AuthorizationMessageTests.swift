// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import TestSupport
import Testing

struct AuthorizationMessageTests {
    private static let question = AuthorizationQuestion(
        of: 4711, since: 123_456_789_012, user: 1000, seconds: 120, operation: "set the keychain's first passcode")!

    private static let frames: [[UInt8]] =
        [AuthorizationRequest.presence.frame, AuthorizationRequest.authorization(question).frame]
        + [HelperRefusal(reason: "no").frame]
        + AuthorityPresence.allCases.map { AuthorityPresenceReply.result($0).frame }
        + AuthorizationResult.allCases.map { AuthorizationReply.result($0).frame }

    /// Decodes a frame and returns the encoding of the result.
    private static func read(_ frame: [UInt8]) throws(HelperWireError) -> [UInt8] {
        switch try HelperFrameHeader(frame).kind {
        case .authorityPresenceRequest, .authorizationRequest: return try AuthorizationRequest(frame).frame
        case .authorityPresenceReply: return try AuthorityPresenceReply(frame).frame
        default: return try AuthorizationReply(frame).frame
        }
    }

    @Test func `a written message is read again`() throws {
        for frame in Self.frames { #expect(try Self.read(frame) == frame) }
        #expect(
            try AuthorizationRequest(AuthorizationRequest.authorization(Self.question).frame)
                == .authorization(Self.question))
        let refusal = HelperRefusal(reason: "no")
        #expect(try AuthorityPresenceReply(refusal.frame) == .refusal(refusal))
        #expect(try AuthorizationReply(refusal.frame) == .refusal(refusal))
    }

    @Test func `messages are the bytes of the documentation`() throws {
        let question = try #require(
            AuthorizationQuestion(of: 258, since: 3, user: 1000, seconds: 120, operation: "do it"))
        #expect(AuthorizationRequest.presence.frame == [1, 0x53, 0, 0, 0, 0, 0, 0])
        #expect(
            AuthorizationRequest.authorization(question).frame == [
                1, 0x54, 0, 0, 0, 0, 0, 27, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 232, 0, 120, 0, 0, 0, 5, 0x64,
                0x6F, 0x20, 0x69, 0x74,
            ])
        #expect(AuthorityPresenceReply.result(.absent).frame == [1, 0x43, 0, 0, 0, 0, 0, 1, 2])
        #expect(AuthorizationReply.result(.authorized).frame == [1, 0x44, 0, 0, 0, 0, 0, 1, 1])
    }

    @Test func `a question is about a process and an operation in plain text, for a bounded time`() {
        func question(_ process: UInt32 = 1, _ seconds: UInt16 = 1, _ operation: String = "x") -> AuthorizationQuestion?
        {
            AuthorizationQuestion(of: process, since: 0, user: 0, seconds: seconds, operation: operation)
        }
        #expect(question() != nil)
        #expect(question(0) == nil)
        #expect(question(1 << 31) == nil)
        #expect(question(1, 0) == nil)
        #expect(question(1, 121) == nil)
        #expect(question(1, 1, "") == nil)
        #expect(question(1, 1, String(repeating: "x", count: 256)) != nil)
        #expect(question(1, 1, String(repeating: "x", count: 257)) == nil)
        for text in ["two\nlines", "a\u{1B}[2J", "ü", "\u{7F}"] { #expect(question(1, 1, text) == nil) }
    }

    @Test func `a message that is cut short or has a byte too many is refused`() {
        for frame in Self.frames {
            for count in 0..<frame.count {
                #expect(throws: HelperWireError.self) { try Self.read(Array(frame.prefix(count))) }
            }
            #expect(throws: HelperWireError.trailingBytes) { try Self.read(frame + [0]) }
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

    @Test func `an answer to one question is none to the other`() {
        #expect(throws: HelperWireError.unexpected(.authorizationReply)) {
            try AuthorityPresenceReply(AuthorizationReply.result(.authorized).frame)
        }
        #expect(throws: HelperWireError.unexpected(.authorityPresenceReply)) {
            try AuthorizationReply(AuthorityPresenceReply.result(.present).frame)
        }
    }
}
