// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@Suite("lines of the audit log")
struct AuditRecordTests {
    private let line =
        #"{"time":"2026-05-09T06:13:20.250Z","action":"add","items":1,"references":["0000000000000000000000000000002a"],"#
        + #""groups":["a\"b","\\","\u000a\u007f\u009b"],"status":-25308,"uid":1000,"program":"/ü","seq":7,"#
        + #""chain":"000000000000000000000000000000ff"}"#

    private func read(_ text: String) -> AuditRecord? { AuditRecord(text.utf8) }

    // A span cannot be part of an expectation.
    private func ending(_ line: some Sequence<UInt8>) -> AuditLineEnding? { AuditLineEnding(Array(line).span) }

    private func mayAccept(_ filter: AuditFilter, _ line: [UInt8]) -> Bool { filter.mayAccept(line.span) }

    @Test func `a line is read as it was written`() throws {
        let record = try #require(read(line))
        #expect(record.sequence == 7 && record.action == "add" && record.program == "/ü")
        #expect(record.number("status") == -25308)
        #expect(record.texts("groups") == ["a\"b", "\\", "\n\u{7F}\u{9B}"])
        #expect(record.items == [ItemIdentifier(value: 42)])
        #expect(record.time == Timestamp(secondsSinceReferenceDate: 800_000_000.25))
        #expect(record["nothing"] == nil && record.text("uid") == nil && record.number("program") == nil)
    }

    @Test(arguments: [
        "", "{", "{}", "[]", "null", #"{"a":1"#, #"{"a":1}}"#, #"{"a":1} "#, #" {"a":1}"#, #"{"a":1.5}"#,
        #"{"a":true}"#,
        #"{"a":null}"#, #"{"a":{}}"#, #"{"a":[1]}"#, #"{"a":["b",]}"#, #"{"a":1,}"#, #"{"a":1,"a":2}"#, #"{"a":}"#,
        #"{"a":-}"#, #"{"a":99999999999999999999}"#, #"{"a":"b}"#, #"{"a":"\n"}"#, #"{"a":"\u0041"}"#,
        #"{"a":"\u00a0"}"#, #"{"a":"\u00"}"#,
        "{\"a\":\"\n\"}", "{\"a\":\"\u{1B}\"}", #"{a:1}"#, #"{"a" :1}"#,
    ])
    func `anything else is no line`(text: String) { #expect(read(text) == nil) }

    @Test func `bytes that are no UTF-8 are no line`() {
        #expect(AuditRecord(Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8)) == nil)
    }

    @Test func `the ending of a line is its number and its link`() throws {
        let bytes = Array(line.utf8)
        let found = try #require(ending(bytes))
        #expect(found.sequence == 7 && found.link == AuditLink(value: 255))
        #expect(String(decoding: bytes[..<found.linkedByteCount], as: UTF8.self).hasSuffix(#""program":"/ü","seq":7"#))
    }

    @Test(arguments: [
        ("}", ""), (#""seq":7"#, #""seq":"#), (#""seq":7"#, #""seq":0"#), (#""seq":7"#, #""seq":07"#),
        (#""seq":7"#, #""seq":12345678901234567890"#), (#""seq":7"#, #""number":7"#), (#""chain""#, #""link""#),
        ("00ff", "00FF"), ("00ff", "0ff"), ("00ff", "000ff"), (#","seq""#, #""seq""#),
    ])
    func `a line that ends otherwise has no ending`(old: String, new: String) throws {
        let range = try #require(line.ranges(of: old).last)
        var changed = line
        changed.replaceSubrange(range, with: new)
        #expect(ending(changed.utf8) == nil)
    }

    @Test func `every beginning of a line is looked at without harm`() {
        let bytes = Array(line.utf8)
        for count in 0..<bytes.count {
            #expect(AuditRecord(bytes[..<count]) == nil)
            #expect(ending(bytes[..<count]) == nil)
        }
    }

    @Test(arguments: [
        ("2026-05-09T06:13:20Z", 800_000_000.0), ("2026-05-09T06:13:20.5Z", 800_000_000.5),
        ("2001-01-01T00:00:00.000Z", 0), ("2000-12-31T23:59:59Z", -1),
    ])
    func `a moment is read`(text: String, seconds: Double) {
        #expect(CivilTime.moment(rfc3339: text) == Timestamp(secondsSinceReferenceDate: seconds))
    }

    @Test(arguments: [
        "", "2026-05-09", "2026-02-30T00:00:00Z", "2026-05-09T24:00:00Z", "2026-05-09T06:13:20", "2026-05-09 06:13:20Z",
        "2026-05-09T06:13:20.Z", "2026-05-09T06:13:20,5Z", "2026-05-09T06:13:20+00:00",
        "2026-05-09T06:13:20.1234567890Z",
        "+026-05-09T06:13:20Z",
    ])
    func `text that is not a time is not read`(text: String) { #expect(CivilTime.moment(rfc3339: text) == nil) }

    @Test func `a filter wants all of its conditions`() throws {
        let record = try #require(read(line))
        func accepts(_ change: (inout AuditFilter) -> Void) -> Bool {
            var filter = AuditFilter()
            change(&filter)
            return filter.accepts(record)
        }
        func moment(_ seconds: Double) -> Timestamp { Timestamp(secondsSinceReferenceDate: seconds) }
        #expect(accepts { _ in })
        #expect(accepts { $0.since = moment(800_000_000.25) } && !accepts { $0.since = moment(800_000_000.3) })
        #expect(accepts { $0.until = moment(800_000_000.3) } && !accepts { $0.until = moment(800_000_000.25) })
        #expect(accepts { $0.program = "ü" } && !accepts { $0.program = "/usr" })
        #expect(accepts { $0.action = "add" } && !accepts { $0.action = "ad" })
        #expect(!accepts { $0.outcome = "granted" })
        #expect(accepts { $0.userID = 1000 } && !accepts { $0.userID = 0 })
        #expect(accepts { $0.item = ItemIdentifier(value: 42) } && !accepts { $0.item = ItemIdentifier(value: 255) })
        #expect(!accepts { ($0.action, $0.userID) = ("add", 0) })
    }

    @Test func `a line without an item's digits is left out unread`() {
        var filter = AuditFilter()
        let bytes = Array(line.utf8)
        #expect(mayAccept(filter, bytes))
        filter.item = ItemIdentifier(value: 42)
        #expect(mayAccept(filter, bytes))
        filter.item = ItemIdentifier(value: 43)
        #expect(!mayAccept(filter, bytes) && !mayAccept(filter, []))
    }
}
