// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainTerminal
import TestSupport
import Testing

@Suite("the desktop names of programs")
final class DesktopEntriesTests {
    private let folder: String

    init() throws {
        folder = try makeScratchFolder("desktop")
        for name in ["applications", "bin"] { try #require(mkdir(folder + "/" + name, 0o755) == 0) }
        for program in ["mail", "other"] { try write("bin/" + program, "") }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        try #require(chmod(folder + "/" + name, 0o644) == 0)
    }

    private func entry(_ file: String, name: String = "Mail", exec: String, more: String = "") throws {
        try write(
            "applications/" + file, "# by hand\n[Desktop Entry]\nType=Application\nName=\(name)\nExec=\(exec)\n\(more)")
    }

    private var program: String { folder + "/bin/mail" }

    private func names(owner: UInt32 = geteuid()) -> [String: String] {
        DesktopEntries(folders: [folder + "/applications"], owner: owner, searchPath: [folder + "/bin"]).names(
            of: [program])
    }

    @Test func `a program has the name of the entry that starts its file`() throws {
        try entry("other.desktop", name: "Other", exec: "other")
        #expect(names().isEmpty)
        for exec in ["mail", program, "mail %u", program + " --new-window %U"] {
            try entry("mail.desktop", exec: exec, more: "Name[de]=Post\n\n[Desktop Action new]\nName=New\nExec=other\n")
            #expect(names() == [program: "Mail"], "\(exec)")
        }
        try entry("mail.desktop", exec: "sh -c mail", more: "TryExec=mail\n")
        #expect(names() == [program: "Mail"])
    }

    @Test func `no name is returned when the time is over`() throws {
        try entry("mail.desktop", exec: "mail")
        let entries = DesktopEntries(
            folders: [folder + "/applications"], owner: geteuid(), searchPath: [folder + "/bin"])
        #expect(entries.names(of: [program], within: .zero).isEmpty)
        #expect(entries.names(of: [program], within: .seconds(600)) == [program: "Mail"])
    }

    @Test func `a link to the program stands for the program`() throws {
        try #require(symlink(program, folder + "/bin/post") == 0)
        try entry("mail.desktop", exec: "post")
        #expect(names() == [program: "Mail"])
    }

    @Test(arguments: ["mail run org.example", "mail other", "\"mail\" %u", "bin/mail", "", "none"])
    func `a command that has the program run something else, or cannot be read for sure, names nothing`(
        exec: String
    ) throws {
        try entry("mail.desktop", exec: exec)
        #expect(names().isEmpty)
    }

    @Test func `a program with two names has none`() throws {
        try entry("a.desktop", exec: "mail")
        try entry("b.desktop", exec: "mail")
        #expect(names() == [program: "Mail"])
        try entry("c.desktop", name: "Bank", exec: "mail")
        #expect(names().isEmpty)
    }

    @Test(arguments: [
        "Ma\u{1B}[31mil", "Ma\u{202E}il", "Ma\u{200B}il", "Ma\u{7F}il", "", String(repeating: "x", count: 65),
    ])
    func `a name that controls a terminal, is invisible in part, empty or long is not shown`(name: String) throws {
        try entry("mail.desktop", name: name, exec: "mail")
        #expect(names().isEmpty)
    }

    @Test
    func
        `files of another user, files and folders that others can write, links, FIFOs and large files count for nothing`()
        throws
    {
        try entry("mail.desktop", exec: "mail")
        let file = folder + "/applications/mail.desktop"
        #expect(names() == [program: "Mail"])
        #expect(names(owner: geteuid() + 1).isEmpty)
        for mode in [mode_t(0o664), 0o646] {
            try #require(chmod(file, mode) == 0)
            #expect(names().isEmpty)
        }
        try #require(chmod(file, 0o644) == 0)
        try #require(chmod(folder + "/applications", 0o777) == 0)
        #expect(names().isEmpty)
        try #require(chmod(folder + "/applications", 0o755) == 0)
        #expect(names() == [program: "Mail"])

        try #require(rename(file, folder + "/elsewhere") == 0)
        try #require(symlink(folder + "/elsewhere", file) == 0)
        #expect(names().isEmpty)
        try #require(unlink(file) == 0)
        // The open does not wait for a writer.
        try #require(mkfifo(file, 0o644) == 0)
        #expect(names().isEmpty)
        try #require(unlink(file) == 0)
        try entry("mail.desktop", exec: "mail", more: String(repeating: "#", count: 64 << 10))
        #expect(names().isEmpty)
        try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: file))
        #expect(names().isEmpty)
    }

    @Test func `other groups, other types and hidden entries name nothing`() throws {
        try write("applications/a.desktop", "[Other]\nType=Application\nName=Mail\nExec=mail\n")
        try write("applications/b.desktop", "[Desktop Entry]\nType=Link\nName=Mail\nExec=mail\n")
        try write("applications/c.desktop", "[Desktop Entry]\nType=Application\nExec=mail\n")
        try entry("d.desktop", exec: "mail", more: "Hidden=true\n")
        try entry("mail.txt", exec: "mail")
        #expect(names().isEmpty)
    }
}
