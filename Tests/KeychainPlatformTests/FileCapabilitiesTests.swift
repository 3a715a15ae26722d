// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import KeychainPlatform

/// Values of security.capability as capabilities(7) and <linux/capability.h> lay them out.
struct FileCapabilitiesTests {
    /// Little-endian words: a revision, twice a permitted and an inheritable word, and from version 3 on a user.
    private func value(_ words: UInt32...) -> [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }

    @Test func `both words of permitted capabilities count, and the inheritable ones do not`() {
        #expect(FileCapabilities.permitted(value(0x0200_0000, 1 << 28, 0xFF, 1 << 7, 0xFF)) == 1 << 39 | 1 << 28)
        #expect(FileCapabilities.permitted(value(0x0300_0000, 1 << 28, 0xFF, 1 << 7, 0xFF, 0)) == 1 << 39 | 1 << 28)
        #expect(FileCapabilities.permitted(value(0x0200_0001, 1 << 2, 0, 0, 0)) == 1 << 2, "with the effective bit")
    }

    @Test func `capabilities of another user namespace, and other versions and sizes, count for nothing`() {
        #expect(FileCapabilities.permitted(value(0x0300_0000, 1, 0, 0, 0, 1000)) == 0)
        #expect(FileCapabilities.permitted(value(0x0100_0000, 1, 0)) == 0)
        #expect(FileCapabilities.permitted(value(0x0200_0000, 1, 0, 0, 0, 0)) == 0)
        #expect(FileCapabilities.permitted(value(0x0300_0000, 1, 0, 0, 0)) == 0)
        #expect(FileCapabilities.permitted([]) == 0)
        #expect(FileCapabilities.permitted([0, 0, 0, 2]) == 0)
    }
}
