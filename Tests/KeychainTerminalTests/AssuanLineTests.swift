// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import KeychainTerminal

@Suite("lines of the Assuan protocol")
struct AssuanLineTests {
    private func reply(_ line: String) -> AssuanLine.Reply? { AssuanLine.reply(Array(line.utf8)[...]) }

    private func unescaped(_ text: String) -> String? {
        var bytes: [UInt8] = []
        let isWhole = AssuanLine.unescape(Array(text.utf8)[...]) { bytes.append($0) }
        return isWhole ? String(decoding: bytes, as: UTF8.self) : nil
    }

    @Test func `the words of a server are told apart`() {
        #expect(reply("OK") == .ok)
        #expect(reply("OK Pleased to meet you") == .ok)
        #expect(reply("S PIN_REPEATED") == .status("PIN_REPEATED"))
        #expect(reply("S BUTTON_INFO close") == .status("BUTTON_INFO"))
        #expect(reply("# anything") == .comment)
        #expect(reply("") == .comment)
        #expect(reply("D a b") == .data(2..<5))
        #expect(reply("D ") == .data(2..<2))
        #expect(reply("D") == .data(1..<1))
    }

    @Test func `an inquiry says what it wants to know, and of what`() {
        #expect(reply("INQUIRE QUALITY a+b") == .inquiry("QUALITY", 16..<19))
        #expect(reply("INQUIRE PIN") == .inquiry("PIN", 11..<11))
        #expect(reply("INQUIRE") == .inquiry("", 7..<7))
    }

    @Test(arguments: [
        ("a+b%2Bc", "a b+c"), ("100%", "100%"), ("%0a%%41", "\n%A"), ("50% %4", "50% %4"), ("ö\\", "ö\\"), ("", ""),
    ])
    func `a password that is inquired about is read as it was typed`(escaped: String, password: String) {
        var bytes: [UInt8] = []
        AssuanLine.unescapeInquired(Array(escaped.utf8)[...]) { bytes.append($0) }
        #expect(bytes == Array(password.utf8))
    }

    @Test func `an error's code comes without its source`() {
        // 83886179 is GPG_ERR_CANCELED of the source pinentry, 5 << 24 | 99.
        #expect(
            reply("ERR 83886179 Operation cancelled <Pinentry>")
                == .error(code: 99, text: "Operation cancelled <Pinentry>"))
        #expect(reply("ERR 99") == .error(code: 99, text: ""))
    }

    @Test(arguments: ["OKAY", "ok", "ERR", "ERR x", "ERR -1", "ERR 4294967296", " OK", "DATA", "\u{0}"])
    func `what no server says here is nothing`(line: String) {
        #expect(reply(line) == nil)
    }

    @Test func `escapes stand for bytes`() {
        #expect(unescaped("pass%25w%C3%B6rd%0a") == "pass%wörd\n")
        #expect(unescaped("") == "")
        for broken in ["%", "%2", "%2x", "%x2", "a%%25"] { #expect(unescaped(broken) == nil) }
    }

    @Test func `a command is one line, whatever its argument holds`() {
        #expect(AssuanLine.command("GETPIN") == Array("GETPIN\n".utf8))
        #expect(AssuanLine.command("SETDESC", "50 % of\nthis\u{7F}") == Array("SETDESC 50 %25 of%0Athis%7F\n".utf8))
    }

    @Test func `an argument that is too long is cut between two characters`() {
        let line = AssuanLine.command("SETDESC", String(repeating: "ö", count: 1000))
        #expect(line.count == 1001 || line.count == 1000)
        #expect(String(validating: line, as: UTF8.self) != nil)
        let escaped = AssuanLine.command("SETDESC", String(repeating: "\n", count: 1000))
        #expect(escaped.count <= 1001 && escaped.dropLast().suffix(3).elementsEqual("%0A".utf8))
    }

    @Test func `any bytes are read without a trap`() {
        var generator = SeededGenerator(searchFrom: 1)
        for _ in 0..<(isLong ? 20_000 : 3_000) {
            let line = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            for start in ["", "D ", "ERR ", "S "] {
                let whole = Array(start.utf8) + line
                if case .data(let range) = AssuanLine.reply(whole[...]) {
                    _ = AssuanLine.unescape(whole[range]) { _ in }
                }
            }
        }
    }
}

/// Whether the tests may take long: `make test-all` sets CHATELAINE_LONG to 1.
private let isLong = ProcessInfo.processInfo.environment["CHATELAINE_LONG"] == "1"
