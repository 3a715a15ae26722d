// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import Testing

struct HelperFrameTests {
    @Test func `the size of a frame is known from its first eight bytes`() throws {
        let frame = HelperRefusal(reason: "no").frame
        #expect(frame == [1, 1, 0, 0, 0, 0, 0, 6, 0, 0, 0, 2, 0x6E, 0x6F])
        #expect(try HelperFrameHeader.frameSize(frame) == frame.count)
        #expect(try HelperFrameHeader.frameSize(Array(frame.prefix(7))) == nil)
    }

    @Test func `a header of another version, kind or size is refused`() {
        let cases: [(bytes: [UInt8], error: HelperWireError)] = [
            ([2, 1, 0, 0, 0, 0, 0, 0], .version(2)), ([1, 199, 0, 0, 0, 0, 0, 0], .malformed),
            ([1, 1, 0, 1, 0, 0, 0, 0], .malformed), ([1, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], .tooLarge),
            ([1, 1, 0], .truncated),
        ]
        for (bytes, error) in cases { #expect(throws: error) { try HelperFrameHeader(bytes) } }
    }

    @Test func `a reason that is too long is cut between two characters`() throws {
        let long = String(repeating: "ü", count: 600)
        #expect(
            try TrustReply(HelperRefusal(reason: long).frame)
                == .refusal(HelperRefusal(reason: String(long.prefix(512)))))
    }
}
