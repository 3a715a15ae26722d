// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import Testing

struct PublicKeyHashTests {
    @Test func `the hash of a public key is SHA-1 of its bits`() {
        // FIPS 180-4's example "abc".
        let expected: [UInt8] = [
            0xA9, 0x99, 0x3E, 0x36, 0x47, 0x06, 0x81, 0x6A, 0xBA, 0x3E, 0x25, 0x71, 0x78, 0x50, 0xC2, 0x6C, 0x9C, 0xD0,
            0xD8, 0x9D,
        ]
        #expect(PublicKeyHash(of: "abc".utf8).bytes == expected)
    }
}
