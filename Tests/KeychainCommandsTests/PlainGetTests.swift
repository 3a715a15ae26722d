// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import KeychainCommands

@Suite struct `The plain form of get` {
    private static let values = ["github", "help", "get", "ä", "a b", "a=b", "@file", "0", "\t"]

    /// All lines of up to four of these words, and with each value in place of a name.
    private static func lines() -> [[String]] {
        let words = [
            "name", "other", "-u", "--user", "--user=ann", "-n", "--no-newline", "-", "--", "", "--json", "-un", "-nu",
            "--exact",
        ]
        var lines: [[String]] = [[]]
        var last = lines
        for _ in 0..<4 {
            last = last.flatMap { line in words.map { line + [$0] } }
            lines += last
        }
        for value in values {
            lines += [[value], [value, "-u", value], ["-u", value, value], [value, "-n", "--user", value]]
        }
        return lines.map { ["get"] + $0 }
    }

    @Test func `is read as ArgumentParser reads it, or left to it`() throws {
        var count = 0
        for line in Self.lines() {
            guard let plain = PlainGet(line) else { continue }
            count += 1
            let parsed = try #require(try? GetCommand.parse(Array(line.dropFirst())), "\(line)")
            let (name, user) = (parsed.item.names.name, parsed.item.names.user)
            #expect(plain.name == name && plain.user == user && plain.omitsNewline == parsed.omitsNewline, "\(line)")
            #expect(plain.isExact == parsed.item.exact, "\(line)")
            #expect(parsed.item.names.url == nil && parsed.item.names.server == nil && !parsed.output.json, "\(line)")
            #expect(
                parsed.choice.keychain == nil && parsed.password.descriptor == nil && !parsed.unlocking.unlocks,
                "\(line)")
        }
        #expect(count > 50)
    }

    @Test(arguments: [
        ["get"], ["get", "-n"], ["get", "a", "b"], ["get", "--user", "u", "a"], ["get", "a", "--user"],
        ["get", "a", "--json"],
        ["get", "a", "-u", "-n"], ["get", "a", "-u", "b", "--user", "c"], ["get", ""], ["set", "a"], [],
        ["get", "a", "--", "b"],
    ])
    func `is no other line`(_ line: [String]) {
        #expect(PlainGet(line) == nil)
    }

    @Test func `is reached by the whole command line as well`() throws {
        #expect(try ChatelaineCommand.parseAsRoot(["get", "help"]) is GetCommand)
    }
}
