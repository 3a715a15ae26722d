// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainTerminal
import TestSupport
import Testing

@Suite("the packages of files")
final class PackageDatabaseTests {
    private let folder: String

    init() throws { folder = try makeScratchFolder("packages") }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ name: String, _ lines: String...) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    @Test func `a file has the package that lists it, without the architecture`() throws {
        try write("mail:amd64.list", "/.", "/usr", "/usr/bin", "/usr/bin/mail")
        try write("coreutils.list", "/.", "/bin", "/bin/ls", "/opt/x")
        try write("coreutils.md5sums", "/usr/bin/none")
        let database = PackageDatabase(folder: folder)
        #expect(
            database.packages(of: ["/usr/bin/mail", "/usr/bin/ls", "/opt/x", "/usr/bin/none", "/usr/bin/mai"])
                == ["/usr/bin/mail": "mail", "/usr/bin/ls": "coreutils", "/opt/x": "coreutils"])
        #expect(database.packages(of: []).isEmpty)
    }

    @Test func `a prompt reads the lists of dpkg for a bounded time`() throws {
        try write("mail.list", "/usr/bin/mail")
        let database = PackageDatabase(folder: folder)
        #expect(database.packages(of: ["/usr/bin/mail"], within: .seconds(600)) == ["/usr/bin/mail": "mail"])
        #expect(database.packages(of: ["/usr/bin/mail"], within: .zero).isEmpty)
        let missing = PackageDatabase(folder: folder + "/missing")
        #expect(missing.packages(of: ["/usr/bin/mail"], within: .seconds(600)).isEmpty)
    }
}
