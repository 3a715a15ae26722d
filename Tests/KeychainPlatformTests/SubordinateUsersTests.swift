// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import KeychainPlatform

/// The user numbers that one user has besides its own.
struct SubordinateUsersTests {
    private func contain(_ user: UInt32, _ text: String) -> Bool { SubordinateUsers.contain(user, text: text) }

    @Test func `a range includes its first number and as many as its count`() {
        let text = "ann:100000:65536\nben:165536:1\n"
        #expect(!contain(99_999, text))
        #expect(contain(100_000, text))
        #expect(contain(165_535, text))
        #expect(contain(165_536, text))
        #expect(!contain(165_537, text))
    }

    @Test(arguments: [
        "", ":", "ann", "ann:100000", "ann:100000:", "ann::65536", "ann:100000:65536:1", "ann:x:65536", "ann:100000:-1",
        "# ann:100000:65536:", "ann: 100000:65536", "ann:100000:0", "ann:99999999999999999999:1",
    ])
    func `a line of another form has no meaning`(line: String) {
        #expect(!contain(100_000, line))
        #expect(contain(100_000, line + "\nann:100000:1"))
    }

    @Test func `a count beyond the last number is no overflow`() {
        #expect(contain(.max, "ann:100000:18446744073709551615"))
        #expect(!contain(100_000, "ann:18446744073709551615:18446744073709551615"))
    }

    @Test func `the file is read for numbers beyond those of accounts alone, and includes all if it cannot be read`()
        throws
    {
        let folder = try makeScratchFolder("ranges")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/subuid"
        #expect(!SubordinateUsers.contain(100_000, file: file))
        try Data("ann:1000:65536\n".utf8).write(to: URL(fileURLWithPath: file))
        #expect(!SubordinateUsers.contain(1000, file: file))
        #expect(!SubordinateUsers.contain(65_535, file: file))
        #expect(SubordinateUsers.contain(65_536, file: file))
        #expect(!SubordinateUsers.contain(100_000, file: file))
        // Longer than the limit.
        try Data(count: 1024 * 1024 + 1).write(to: URL(fileURLWithPath: file))
        #expect(SubordinateUsers.contain(100_000, file: file))
        #expect(!SubordinateUsers.contain(1000, file: file))
    }
}
